"""JSON Lines: one object a line. Fast while nothing is odd, exact about every line that is."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.json

from qaviz.loading import strict_json
from qaviz.loading.problems import Problems, stop
from qaviz.loading.source import Source, open_text
from qaviz.loading.table import LINE, Head, Kind, Plan, Table, typed
from qaviz.model import Progress

CHUNK = 16 * 1024**2
"""Bytes read at once: enough to keep the parser busy, little beside the frame that grows."""

LINE_LIMIT = 4 * CHUNK
"""Most bytes of one line."""

HEADER_LINES = 1000
"""Lines whose keys make up the header. A later key is read only if its name says what it is."""

_BRACKETS = 1000
"""Opening brackets of one line up to which Arrow's parser, which recurses, cannot run out of stack."""


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for. Raises QavizError with every line that will not do."""
    problems = Problems(source.name, "line")
    parts: list[pl.DataFrame] = []
    found: dict[str, None] = {}
    kinds: Mapping[str, Kind] | None = None
    samples: dict[str, Any] = {}
    done = 0
    for first_line, chunk in _chunks(source):
        if kinds is None:
            _stop_at_list(source, chunk)
            samples = _samples(_first_rows(chunk, HEADER_LINES))
            kinds = plan(list(samples)) if samples else {}
        part, names = _fast(chunk, first_line, kinds, samples) or strict_json.parse(chunk, first_line, kinds, problems)
        parts.append(typed(part, kinds, problems))
        found |= names
        done += len(chunk)
        progress(min(1.0, done / source.size), f"reading {source.name}")
    problems.stop_if_any()
    if not samples:
        raise stop(source.name, "no rows", "one JSON object a line", "Export it again.")
    unread = tuple(name for name in found if name not in (kinds or {}))
    return Table(source.name, "line", pl.concat(parts, how="diagonal"), unread, knows_missing=True)


def head(source: Source, rows: int, _plan: Plan) -> Head:
    """The first rows that parse, and how many lines there are."""
    chunks = _chunks(source)
    _, first = next(chunks)
    objects = _first_rows(first, HEADER_LINES)
    columns = tuple(_samples(objects))
    cells = {name: [_shown(row.get(name)) for row in objects[:rows]] for name in columns}
    lines = sum(1 for line in first.splitlines() if line.strip()) + sum(chunk.count(b"\n") for _, chunk in chunks)
    return Head(columns, pl.DataFrame(cells, schema=dict.fromkeys(columns, pl.String)), lines)


def _chunks(source: Source) -> Iterator[tuple[int, bytes]]:
    """Whole lines, about CHUNK bytes at a time and each ended by a line feed, with the number of the first."""
    with open_text(source) as stream:
        line, rest = 1, b""
        while block := _lines_fed(stream):
            cut = block.rfind(b"\n") + 1
            if cut:
                whole, rest = rest + block[:cut], block[cut:]
                yield line, whole
                line += whole.count(b"\n")
            else:
                rest += block
            if len(rest) > LINE_LIMIT:
                where, limit = f"{source.name} line {line}", f"at most {LINE_LIMIT / 1024**2:.0f} MB in a line"
                raise stop(where, "a line without end", limit, "Write one object a line.")
        if rest.strip() or line == 1:
            yield line, rest + b"\n"


def _lines_fed(stream: BinaryIO) -> bytes:
    """The next bytes. Line ends of old Macintosh files (a bare CR, which no JSON string can hold) become line feeds."""
    block = stream.read(CHUNK)
    return block if b"\n" in block else block.replace(b"\r", b"\n")


def _first_rows(chunk: bytes, limit: int) -> list[dict[str, Any]]:
    """The objects of the first lines; those that will not parse are left for later."""
    rows = []
    for line in islice(chunk.split(b"\n", limit), limit):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def _samples(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """All keys, each with its first value that is not null."""
    samples: dict[str, Any] = {}
    for row in rows:
        for name, value in row.items():
            if samples.get(name) is None:
                samples[name] = value
    return samples


def _shown(value: object) -> str | None:
    """A value as a preview shows it."""
    return value if isinstance(value, str) or value is None else json.dumps(value, ensure_ascii=False)


def _stop_at_list(source: Source, chunk: bytes) -> None:
    if chunk.lstrip().startswith(b"["):
        fix = "Write one object a line, without the brackets around them and the commas between them."
        raise stop(source.name, "a JSON list", "JSON Lines: one object a line", fix)


def _fast(
    chunk: bytes, first_line: int, kinds: Mapping[str, Kind], samples: Mapping[str, Any]
) -> tuple[pl.DataFrame, dict[str, None]] | None:
    """What `strict_json.parse` returns but through Arrow's parser, or None if anything in the chunk is odd."""
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
    natural = {Kind.NUMBER: pa.float64(), Kind.FLAG: pa.bool_(), Kind.TEXTS: pa.list_(pa.string())}
    return natural.get(kind, pa.string())
