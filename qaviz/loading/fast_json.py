"""JSON lines all at once, through Arrow's parser; whatever is odd in them is left to the parser that explains it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
import polars.selectors as cs
import pyarrow as pa
import pyarrow.json

from qaviz.loading.table import LINE, Kind

_BRACKETS = 1000
"""Opening brackets of one line up to which Arrow's parser, which recurses, cannot run out of stack."""


def parse(
    chunk: bytes, first_line: int, kinds: Mapping[str, Kind], samples: Mapping[str, Any]
) -> tuple[pl.DataFrame, dict[str, None]] | None:
    """What `strict_json.parse` returns, but with natural types; None if anything in the chunk is odd.

    `samples` has a value of each key, to tell for instance ids that are numbers from ids that are texts.
    """
    body = chunk.rstrip(b" \t\r\n")
    lines = _plain_objects(body)
    if not lines:
        return None
    schema = pa.schema([(name, _arrow_type(kind, samples.get(name))) for name, kind in kinds.items()])
    try:
        table = pa.json.read_json(pa.BufferReader(body), parse_options=pa.json.ParseOptions(explicit_schema=schema))
        table.validate(full=True)
        names = table.column_names
    except ValueError:  # Arrow's own errors and undecodable names; the careful parser finds the words
        return None
    if table.num_rows != lines or any("\0" in name for name in names):
        return None
    asked = [name for name in names if name in kinds and table.column(name).null_count < lines]
    numbers = pl.int_range(first_line, first_line + lines, dtype=pl.UInt32, eager=True).alias(LINE)
    frame = pl.DataFrame([numbers, *(pl.Series(name, table.column(name)) for name in asked)])
    if not frame.select(pl.all_horizontal(cs.float().is_finite().fill_null(value=True).all())).item():
        return None
    return frame, dict.fromkeys(name for name in names if name in asked or name not in kinds)


def _plain_objects(body: bytes) -> int:
    """How many lines there are if each can only be one object of modest depth; else 0.

    Within an object `}` and `{` never meet, so a line end between them ends a row. This also keeps from Arrow's parser
    what crashes it (25.0.1): a line with a bare `null`, and 100,000 lists in each other.
    """
    if not (body.startswith(b"{") and body.endswith(b"}")):
        return 0
    data = np.frombuffer(body, np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    last = np.where(data[ends - 1] == ord("\r"), data[ends - 2], data[ends - 1])
    if not ((last == ord("}")) & (data[ends + 1] == ord("{"))).all():
        return 0
    brackets = np.flatnonzero((data == ord("{")) | (data == ord("[")))
    until = np.searchsorted(brackets, np.concatenate([[0], ends, [len(data)]]))
    return len(ends) + 1 if np.diff(until).max() <= _BRACKETS else 0


def _arrow_type(kind: Kind, sample: object) -> pa.DataType:
    """What to ask Arrow for, so that a file that is right throughout parses at once."""
    if isinstance(sample, str):
        return pa.string()
    if kind == Kind.ID and isinstance(sample, int):
        return pa.int64()
    natural = {
        Kind.NUMBER: pa.float64(),
        Kind.FLAG: pa.bool_(),
        Kind.TEXTS: pa.list_(pa.string()),
        Kind.SCORES: pa.list_(pa.struct({"name": pa.string(), "value": pa.float64(), "error": pa.string()})),
    }
    return natural.get(kind, pa.string())
