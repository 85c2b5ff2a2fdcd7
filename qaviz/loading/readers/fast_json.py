"""JSON lines all at once, through Arrow's parser; whatever is odd in them is left to the parser that explains it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import polars.selectors as cs
import pyarrow as pa
import pyarrow.json

from qaviz.loading.readers.table import LINE, Kind

_BRACKETS = 1000
"""Opening brackets of one line up to which Arrow's parser, which recurses, cannot run out of stack."""

_CELLS = 50_000_000
"""Lines times keys up to which Arrow, which lays out every key for every line in 8 bytes, needs no more than 0.4 GB."""

_KEYS = 10_000
"""Keys from which Arrow, which compares each with the others, is slower than the careful parser."""

_KEY_END = 32
"""Bytes at a key's end by which it is told from others."""

_MIXED = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64)
"""Odd factors that spread eight letters each over the upper bits of their product."""

Bytes = npt.NDArray[np.uint8]

Parsed = tuple[pl.DataFrame, dict[str, None]]
"""The rows, and the keys that the lines have."""


def parse(chunk: bytes, first_line: int, kinds: Mapping[str, Kind], samples: Mapping[str, Any]) -> Parsed | None:
    """What `strict_json.parse` returns, but with natural types; None if anything in the chunk is odd.

    `samples` has a value of each key, to tell for instance ids that are numbers from ids that are texts.
    """
    body = chunk.rstrip(b" \t\r\n")
    data = np.frombuffer(body, np.uint8)
    lines = _plain_objects(body, data)
    if not lines or _sprawls(data, lines):
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
    # The table as a whole: column by column polars would import what takes longer than to parse a thousand lines.
    read = pl.from_arrow(table.select(asked))
    assert isinstance(read, pl.DataFrame)
    frame = pl.DataFrame([numbers, *read])
    if not frame.select(pl.all_horizontal(cs.float().is_finite().fill_null(value=True).all())).item():
        return None
    return frame, dict.fromkeys(name for name in names if name in asked or name not in kinds)


def _plain_objects(body: bytes, data: Bytes) -> int:
    """How many lines there are if each can only be one object of modest depth; else 0.

    Within an object `}` and `{` never meet, so a line end between them ends a row. This also keeps from Arrow's parser
    what crashes it (25.0.1): a line with a bare `null`, and 100,000 lists in each other.
    """
    if not (body.startswith(b"{") and body.endswith(b"}")):
        return 0
    ends = np.flatnonzero(data == ord("\n"))
    last = np.where(data[ends - 1] == ord("\r"), data[ends - 2], data[ends - 1])
    if not ((last == ord("}")) & (data[ends + 1] == ord("{"))).all():
        return 0
    brackets = np.flatnonzero((data == ord("{")) | (data == ord("[")))
    until = np.searchsorted(brackets, np.concatenate([[0], ends, [len(data)]]))
    return len(ends) + 1 if np.diff(until).max() <= _BRACKETS else 0


def _sprawls(data: Bytes, lines: int) -> bool:
    """Whether there are so many different keys, at any depth, that Arrow would take minutes and gigabytes over them.

    Keys are counted as numbers made of their letters, 65,536 at most. Texts that hold JSON may count as keys too: the
    careful parser then has more to do.
    """
    ends = np.flatnonzero(data == ord(":")) - 1
    if (data[ends] <= ord(" ")).any():
        solid = np.flatnonzero(data > ord(" "))
        ends = solid[np.searchsorted(solid, ends, side="right") - 1]
    ends = ends[data[ends] == ord('"')]
    quotes = np.flatnonzero(data == ord('"'))
    lengths = np.minimum(ends - quotes[np.searchsorted(quotes, ends) - 1] - 1, _KEY_END)
    padded = np.concatenate([np.zeros(_KEY_END, np.uint8), data])
    keys = np.lib.stride_tricks.sliding_window_view(padded, _KEY_END)[ends]
    keys = keys * (np.arange(_KEY_END) >= _KEY_END - lengths[:, None])
    numbers = (keys.view(np.uint64) * _MIXED).sum(axis=1) >> np.uint64(48)
    different = len(np.unique(numbers))
    return different > _KEYS or lines * different > _CELLS


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
