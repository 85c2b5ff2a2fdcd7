"""JSON Lines: one object a line. Fast while nothing is odd, exact about every line that is."""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

import polars as pl

from qaviz.loading.problems import Problems, stop
from qaviz.loading.readers import fast_json, strict_json
from qaviz.loading.readers.table import (
    SAMPLED_ROWS,
    Head,
    Kind,
    Plan,
    Table,
    convert_columns,
    plan_columns,
    refuse_many_columns,
    together,
)
from qaviz.loading.source import Source, open_text
from qaviz.model.records import Progress

CHUNK = 16 * 1024**2
"""Bytes read at once: enough to keep the parser busy, little beside the frame that grows."""

PARSERS = 2
"""Chunks that are parsed at once, each by a thread: for as many cores as a small machine has."""

LINE_LIMIT = 4 * CHUNK
"""Most bytes of one line."""

HEADER_LINES = 1000
"""Lines whose keys make up the header. A later key is read only if its name says what it is."""


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for. Raises QavizError with every line that will not do."""
    return together(source.name, parts(source, plan, progress))


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
    samples: Mapping[str, Any]


def _read_header(source: Source, plan: Plan, problems: Problems) -> Iterator[_Lines]:
    """The file's lines in chunks. The first lines that parse are the header."""
    kinds: Mapping[str, Kind] = {}
    samples: dict[str, Any] = {}
    for first_line, chunk in _chunks(source):
        if not samples:
            rows = _first_rows(chunk, HEADER_LINES)
            samples = samples_of(rows)
            refuse_many_columns(len(samples), problems)
            kinds = plan_columns(plan, list(samples), cells_of(rows, samples), problems) if samples else {}
        yield _Lines(chunk, first_line, kinds, samples)


def _parsed_ahead(chunks: Iterator[_Lines]) -> Iterator[tuple[_Lines, fast_json.Parsed | None]]:
    """Each chunk with what the fast parser makes of it, in order: while one is put to use the next are parsed."""
    waiting: deque[Future[tuple[_Lines, fast_json.Parsed | None]]] = deque()
    with ThreadPoolExecutor(PARSERS) as threads:
        for lines in chunks:
            waiting.append(threads.submit(_parse_lines, lines))
            if len(waiting) > PARSERS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _parse_lines(lines: _Lines) -> tuple[_Lines, fast_json.Parsed | None]:
    return lines, fast_json.parse(*lines)


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
                yield line, whole
                line += whole.count(b"\n")
            else:
                rest += block
        if rest.strip() or line == 1:
            yield line, rest + b"\n"


def _lines_fed(stream: BinaryIO) -> bytes:
    """The next bytes, the last of them ended by a line feed.

    Line ends of old Macintosh files (a bare CR, which no JSON string can hold) become line feeds.
    """
    block = stream.read(CHUNK)
    if b"\n" not in block:
        block = block.replace(b"\r", b"\n")
    return block if len(block) == CHUNK or block.endswith(b"\n") or not block else block + b"\n"


def _first_rows(chunk: bytes, limit: int) -> list[dict[str, Any]]:
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


def samples_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """All keys, each with its first value that is not null."""
    samples: dict[str, Any] = {}
    for row in rows:
        for name, value in row.items():
            if samples.get(name) is None:
                samples[name] = value
    return samples


def cells_of(rows: list[dict[str, Any]], columns: Iterable[str]) -> dict[str, list[str | None]]:
    """The cells of the first SAMPLED_ROWS rows, as text."""
    return {name: [_shown(row.get(name)) for row in rows[:SAMPLED_ROWS]] for name in columns}


def _shown(value: object) -> str | None:
    """A value as a preview shows it. Halves of characters, which the load will refuse, are question marks."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode(errors="replace").decode()
