"""JSON Lines: one object a line. Fast while nothing is odd, and exact about every line that is."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import polars as pl
import pyarrow as pa
import pyarrow.json

from qaviz.loading.source import Problems, Source, open_text
from qaviz.loading.table import LINE, Kind, Plan, Progress, Table, quoted, typed
from qaviz.model import Problem

CHUNK = 16 * 1024**2
"""Bytes read at once: enough to keep two cores busy, little beside the frame that grows."""

_HEADER_LINES = 1000
"""Lines whose keys make up the header. A later key is read only if its name says what it is."""


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns of a JSON Lines file that `plan` asks for. Raises QavizError with every line that will not do."""
    problems = Problems(source.name, "line")
    parts: list[pl.DataFrame] = []
    unread: dict[str, None] = {}
    kinds: Mapping[str, Kind] | None = None
    samples: dict[str, Any] = {}
    done = 0
    with open_text(source) as stream:
        for first_line, chunk in _chunks(stream):
            if kinds is None:
                samples = _header(chunk)
                kinds = plan(list(samples)) if samples else {}
            part, names = _fast(chunk, kinds, samples) or _careful(chunk, first_line, kinds, problems)
            if LINE not in part.columns:
                part = part.with_columns(
                    pl.int_range(first_line, first_line + part.height, dtype=pl.UInt32).alias(LINE)
                )
            parts.append(typed(part, kinds, problems))
            unread.update(dict.fromkeys(name for name in names if name not in kinds))
            done += len(chunk)
            progress(min(1.0, done / source.size), f"Reading {source.name}")
    problems.stop_if_any()
    return Table(source, "line", pl.concat(parts, how="diagonal"), tuple(unread), tells_empty_from_missing=True)


def _chunks(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Whole lines, about CHUNK bytes at a time, with the number of the first."""
    line, rest = 1, b""
    while block := stream.read(CHUNK):
        block = rest + block
        if b"\n" not in block:
            # A file of old Macintosh line ends has no other; within a string a bare CR is not JSON.
            block = block.replace(b"\r", b"\n")
        cut = block.rfind(b"\n") + 1
        if cut:
            yield line, block[:cut]
            line += block.count(b"\n", 0, cut)
        rest = block[cut:]
    if rest.strip():
        yield line, rest


def _header(chunk: bytes) -> dict[str, Any]:
    """The keys of the first lines, each with its first value that is not null. Lines that will not parse have none."""
    samples: dict[str, Any] = {}
    for line in chunk.split(b"\n", _HEADER_LINES)[:_HEADER_LINES]:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            for name, value in row.items():
                if samples.get(name) is None:
                    samples[name] = value
    return samples


def _fast(chunk: bytes, kinds: Mapping[str, Kind], samples: Mapping[str, Any]) -> tuple[pl.DataFrame, list[str]] | None:
    """The chunk through Arrow's parser, or None if anything in it is odd."""
    body = chunk.strip()
    lines = _objects(body)
    if not lines:
        return None
    schema = pa.schema([(name, _arrow_type(kind, samples.get(name))) for name, kind in kinds.items()])
    try:
        table = pa.json.read_json(pa.BufferReader(body), parse_options=pa.json.ParseOptions(explicit_schema=schema))
        table.validate(full=True)
        names = table.column_names
    except ValueError:
        return None
    if table.num_rows != lines or chunk[: len(chunk) - len(chunk.lstrip())]:
        return None
    asked = [name for name in names if name in kinds and table.column(name).null_count < lines]
    frame = pl.DataFrame(pl.from_arrow(table.select(asked))) if asked else pl.DataFrame(height=lines)
    return frame, [name for name in names if name in asked or name not in kinds]


def _objects(body: bytes) -> int:
    """How many lines, if each looks like one object; else 0.

    `}` and `{` never meet inside an object, so a line end between them is a row's end. It also keeps from Arrow's
    parser what crashes it: a line that holds a bare value.
    """
    newlines = body.count(b"\n")
    whole = body.startswith(b"{") and body.endswith(b"}")
    starts = body.count(b"\n{")
    ends = body.count(b"}\n") + body.count(b"}\r\n")
    return newlines + 1 if whole and starts == ends == newlines else 0


def _arrow_type(kind: Kind, sample: object) -> pa.DataType:
    """What to ask Arrow for, so that a file that is right throughout parses at once."""
    if kind == Kind.ID and type(sample) is int:
        return pa.int64()
    if isinstance(sample, str):
        return pa.string()
    natural = {Kind.NUMBER: pa.float64(), Kind.FLAG: pa.bool_(), Kind.TEXTS: pa.list_(pa.string())}
    return natural.get(kind, pa.string())


def _careful(
    chunk: bytes, first_line: int, kinds: Mapping[str, Kind], problems: Problems
) -> tuple[pl.DataFrame, list[str]]:
    """The chunk line by line, every cell as text, every line that will not do among `problems`."""
    columns: dict[str, list[str | None]] = {name: [] for name in kinds}
    lines: list[int] = []
    names: dict[str, None] = {}
    for number, line in enumerate(chunk.split(b"\n"), first_line):
        row = _row(line, problems, number) if line.strip() else None
        if row is None:
            continue
        names.update(dict.fromkeys(row))
        lines.append(number)
        for name, kind in kinds.items():
            columns[name].append(_cell(row.get(name), name, kind, problems, number))
    frame = pl.DataFrame({LINE: lines, **columns}, schema={LINE: pl.UInt32, **dict.fromkeys(kinds, pl.String)})
    return frame.drop(name for name in kinds if name not in names), list(names)


class _Duplicate(ValueError):
    """A key that stands twice in one object."""


def _row(line: bytes, problems: Problems, number: int) -> dict[str, Any] | None:
    """The object of one line, or None and a problem."""
    try:
        row = json.loads(line.decode(), object_pairs_hook=_pairs, parse_int=_integer, parse_constant=_constant)
    except UnicodeDecodeError as error:
        found, expected = f"bytes that are not UTF-8 (at byte {error.start + 1} of the line)", "UTF-8 text"
        fix = "Save the file as UTF-8."
    except _Duplicate as error:
        found, expected, fix = (
            f"the key {quoted(str(error))} twice",
            "each key once in an object",
            "Remove one of them.",
        )
    except json.JSONDecodeError as error:
        found, expected = f"JSON that breaks at column {error.colno} ({error.msg})", "one whole JSON object a line"
        fix = "The line may be cut off: export the file again."
    except (ValueError, RecursionError) as error:
        found, expected, fix = str(error), "plain JSON", "Mend the line."
    else:
        if isinstance(row, dict):
            return row
        found, expected, fix = _named(row), "one JSON object a line", 'Write {"question": ..., ...}.'
    problems.add(Problem(where=problems.at(number), found=found, expected=expected, fix=fix))
    return None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Duplicate(next(name for name in names if names.count(name) > 1))
    return row


def _integer(digits: str) -> int:
    if len(digits) > 100:
        raise ValueError(f"a number of {len(digits):,} digits")
    return int(digits)


def _constant(name: str) -> None:
    raise ValueError(f"{name}, which is not JSON")


def _cell(value: object, name: str, kind: Kind, problems: Problems, number: int) -> str | None:
    """The value as text, or None: it is missing, or not of its kind and then among `problems`."""
    if value is None:
        return None
    if isinstance(value, str):
        if value.isascii() or _is_whole(value):
            return value
        found, expected, fix = f"half a character (a lone surrogate) in {name!r}", "whole characters", "Remove it."
    elif _fits(value, kind):
        return json.dumps(value) if kind in (Kind.TEXTS, Kind.FLAG) else str(value)
    else:
        found, expected = f"{_named(value)} in {name!r}", str(kind)
        fix = f'Write "{json.dumps(value)}" in quotes.' if kind == Kind.TEXT and _plain(value) else "Mend the line."
    problems.add(Problem(where=problems.at(number), found=found, expected=expected, fix=fix))
    return None


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(value: object) -> bool:
    return isinstance(value, int | float)


def _fits(value: object, kind: Kind) -> bool:
    match kind:
        case Kind.ID:
            return type(value) is int
        case Kind.NUMBER:
            return type(value) in (int, float)
        case Kind.FLAG:
            return type(value) is bool
        case Kind.TEXTS:
            return isinstance(value, list) and all(isinstance(text, str) and _is_whole(text) for text in value)
        case Kind.TEXT:
            return False


def _named(value: object) -> str:
    match value:
        case bool() | None:
            return f"the value {json.dumps(value)}"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {quoted(value)}"
        case list():
            return "a list"
        case _:
            return "an object"
