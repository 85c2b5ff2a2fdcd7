"""JSON Lines: one object a line. Fast while nothing is odd, exact about every line that is."""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from itertools import islice
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import polars.selectors as cs
import pyarrow as pa
import pyarrow.json

from qaviz.loading.load_log import Problems, quote_text
from qaviz.loading.readers import strict_json
from qaviz.loading.readers.strict_json import KEYS_LIMIT, LONG, JsonObject, count_keys
from qaviz.loading.readers.table import (
    LINE,
    SAMPLED_ROWS,
    Head,
    Kind,
    Plan,
    Table,
    convert_columns,
    join_tables,
    plan_columns,
    refuse_many_columns,
)
from qaviz.loading.source import Source, open_text
from qaviz.model.errors import stop
from qaviz.model.records import Progress

CHUNK = 16 * 1024**2
"""Bytes read at once: enough to keep the parser busy, little beside the frame that grows."""

PARSERS = 2
"""Chunks that are parsed at once, each by a thread: for as many cores as a small machine has."""

LINE_LIMIT = 4 * CHUNK
"""Most bytes of one line."""

_PLAIN_LINES = 20
"""Lines that tell a text from JSON."""

HEADER_LINES = 1000
"""Lines whose keys make up the header. A later key is read only if its name says what it is."""

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


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for. Raises QavizError with every line that will not do."""
    return join_tables(source.name, parts(source, plan, progress))


def parts(source: Source, plan: Plan, progress: Progress) -> Iterator[Table]:
    """What `read` returns, about CHUNK bytes of the file at a time; nothing more once a line will not do."""
    problems = Problems(source.name, "line", skip_bad=source.skip_bad)
    met: set[str] = set()
    done = 0
    for lines, fast in _parsed_ahead(_read_header(source, plan, problems)):
        done += len(lines.chunk)
        part, keys = fast or strict_json.parse(lines.chunk, lines.first, lines.kinds, problems)
        met |= keys.keys()
        refuse_many_columns(len(met), problems, f" in the first {done / 1024**2:,.1f} MB")
        frame = convert_columns(part, lines.kinds, problems)
        progress(min(1.0, done / source.size), f"reading {source.name}")
        if not problems:
            unread = tuple(name for name in keys if name not in lines.kinds)
            skipped, numbers = problems.newly_skipped(), problems.new_notes()
            yield Table(source.name, "line", frame, unread, knows_missing=True, skipped=skipped, numbers=numbers)
    problems.stop_if_any()


class _Lines(NamedTuple):
    """Some of a file's lines, and what its header says of them."""

    chunk: bytes
    first: int
    """The first line's number."""
    kinds: Mapping[str, Kind]
    samples: JsonObject


def _read_header(source: Source, plan: Plan, problems: Problems) -> Iterator[_Lines]:
    """The file's lines in chunks. The first lines that parse are the header."""
    kinds: Mapping[str, Kind] = {}
    samples: JsonObject = {}
    for first_line, chunk in _chunks(source):
        if not samples:
            rows = _first_rows(chunk, HEADER_LINES)
            samples = samples_of(rows)
            refuse_many_columns(len(samples), problems)
            if first_line == 1 and not samples:
                _refuse_plain_text(source.name, chunk)
            kinds = plan_columns(plan, list(samples), cells_of(rows, samples), problems) if samples else {}
        yield _Lines(chunk, first_line, kinds, samples)


def _refuse_plain_text(name: str, chunk: bytes) -> None:
    """Raise QavizError for a text whose lines are no objects, not even broken ones: said once, not of each line."""
    lines = [line.strip() for line in chunk.splitlines()[:_PLAIN_LINES] if line.strip()]
    if len(lines) > 1 and all(line.isascii() and not line.startswith((b"{", b"[", b"}", b"]", b'"')) for line in lines):
        fault = f"text that is no JSON ({quote_text(lines[0].decode())})"
        raise stop(name, fault, "JSON, or JSON Lines", "Export it again as JSON or CSV, or name it as what it is.")


def _parsed_ahead(chunks: Iterator[_Lines]) -> Iterator[tuple[_Lines, Parsed | None]]:
    """Each chunk with what the fast parser makes of it, in order: while one is put to use the next are parsed."""
    waiting: deque[Future[tuple[_Lines, Parsed | None]]] = deque()
    with ThreadPoolExecutor(PARSERS) as threads:
        for lines in chunks:
            waiting.append(threads.submit(_parse_lines, lines))
            if len(waiting) > PARSERS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _parse_lines(lines: _Lines) -> tuple[_Lines, Parsed | None]:
    return lines, parse(*lines)


def head(source: Source, rows: int, _plan: Plan) -> Head:
    """The first rows that parse, and how many lines there are."""
    chunks = _chunks(source)
    _, first = next(chunks)
    objects = _first_rows(first, HEADER_LINES)
    columns = tuple(samples_of(objects))
    refuse_many_columns(len(columns), Problems(source.name, "line"))
    cells = cells_of(objects, columns)
    shown = {name: cells[name][:rows] for name in columns}
    lines = sum(1 for line in first.splitlines() if line.strip()) + sum(chunk.count(b"\n") for _, chunk in chunks)
    return Head(columns, pl.DataFrame(shown, schema=dict.fromkeys(columns, pl.String)), lines, cells)


def _chunks(source: Source) -> Iterator[tuple[int, bytes]]:
    """Whole lines, about CHUNK bytes at a time and each ended by a line feed, with the number of the first."""
    with open_text(source) as stream:
        line, rest = 1, b""
        while block := _lines_fed(stream):
            until = block.find(b"\n")
            if len(rest) + (until if until >= 0 else len(block)) > LINE_LIMIT:
                where, limit = f"{source.name} line {line}", f"at most {LINE_LIMIT / 1024**2:.0f} MB in a line"
                raise stop(where, "a line without end", limit, "Write one object a line.")
            cut = block.rfind(b"\n") + 1
            if cut:
                whole, rest = rest + block[:cut], block[cut:]
                _refuse_many_keys(source.name, line, whole)
                yield line, whole
                line += whole.count(b"\n")
            else:
                rest += block
        if rest.strip() or line == 1:
            _refuse_many_keys(source.name, line, rest)
            yield line, rest + b"\n"


def _refuse_many_keys(name: str, first: int, chunk: bytes) -> None:
    """Raise QavizError for a line with more keys than KEYS_LIMIT, before anything parses it."""
    steps = range(0, len(chunk) - LONG // 2, LONG // 2)
    if all(chunk.find(b"\n", start, start + LONG // 2) >= 0 for start in steps):
        return  # no line is long
    for number, line in enumerate(chunk.split(b"\n"), first):
        keys = count_keys(line)
        if keys > KEYS_LIMIT:
            expected = f"at most {KEYS_LIMIT:,} in a line"
            raise stop(f"{name} line {number}", f"{keys:,} keys", expected, "Write one object a line, a row each.")


def _lines_fed(stream: BinaryIO) -> bytes:
    """The next bytes, the last of them ended by a line feed.

    Line ends of old Macintosh files (a bare CR, which no JSON string can hold) become line feeds.
    """
    block = stream.read(CHUNK)
    if b"\n" not in block:
        block = block.replace(b"\r", b"\n")
    return block if len(block) == CHUNK or block.endswith(b"\n") or not block else block + b"\n"


def _first_rows(chunk: bytes, limit: int) -> list[JsonObject]:
    """The objects of the first lines; those that will not parse are left for later."""
    rows = []
    for line in islice(BytesIO(chunk), limit):
        try:
            row = strict_json.value(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def samples_of(rows: list[JsonObject]) -> JsonObject:
    """All keys, each with its first value that is not null."""
    samples: JsonObject = {}
    for row in rows:
        for name, value in row.items():
            if samples.get(name) is None:
                samples[name] = value
    return samples


def cells_of(rows: list[JsonObject], columns: Iterable[str]) -> dict[str, list[str | None]]:
    """The cells of the first SAMPLED_ROWS rows, as text."""
    return {name: [_preview_value(row.get(name)) for row in rows[:SAMPLED_ROWS]] for name in columns}


def _preview_value(value: object) -> str | None:
    """A value as a preview shows it. Halves of characters, which the load will refuse, are question marks."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode(errors="replace").decode()


def parse(chunk: bytes, first_line: int, kinds: Mapping[str, Kind], samples: JsonObject) -> Parsed | None:
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
    wanted = [name for name in names if name in kinds and table.column(name).null_count < lines]
    numbers = pl.int_range(first_line, first_line + lines, dtype=pl.UInt32, eager=True).alias(LINE)
    # The table as a whole: column by column polars would import what takes longer than to parse a thousand lines.
    read = pl.from_arrow(table.select(wanted))
    assert isinstance(read, pl.DataFrame)
    frame = pl.DataFrame([numbers, *read])
    if not frame.select(pl.all_horizontal(cs.float().is_finite().fill_null(value=True).all())).item():
        return None
    return frame, dict.fromkeys(name for name in names if name in wanted or name not in kinds)


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
