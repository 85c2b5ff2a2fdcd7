"""CSV: cells divided by comma, semicolon, tab or another mark. `NA`, `null` and `1e999` are texts like any other."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, BinaryIO

import polars as pl

from qaviz.loading.column_senses import find_header, is_units
from qaviz.loading.column_values import Cells
from qaviz.loading.load_log import Problems, name_lines
from qaviz.loading.readers.table import (
    CELL_LIMIT,
    LINE,
    SAMPLED_ROWS,
    Head,
    Plan,
    Table,
    convert_columns,
    join_parts,
    named_columns,
    plan_columns,
    read_until_end,
    refuse_header,
    refuse_many_columns,
)
from qaviz.loading.source import Source, open_text
from qaviz.model.errors import stop
from qaviz.model.records import Progress

if TYPE_CHECKING:
    from _csv import Reader

DELIMITERS = (",", ";", "\t", "|", "~", "^", "¦", "§")

SNIFFED = 64 * 1024
"""Bytes at the start that tell which of them it is."""

_SNIFFED_LINES = 100

_CLEARLY = 1.5
"""Times that another delimiter has to fit better than the one that the first line speaks for."""

_SEP = re.compile(r"\ufeff?\"?sep=(.)\"?\r?\n", re.IGNORECASE)
"""The first line by which Excel is told the delimiter."""

ROWS_AT_ONCE = 20_000

HEADER_LIMIT = 4_000_000
"""Most characters of the first line: COLUMN_LIMIT names of 200."""

# The csv module's own limit (131,072) is below ours. It is one for the whole process; nothing else here reads CSV.
csv.field_size_limit(CELL_LIMIT)


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for; an empty cell is null. Raises QavizError with every line that will not do."""
    problems = Problems(source.name, "line", skip_bad=source.skip_bad)
    parts: list[pl.DataFrame] = []
    with _open_delimited(source, problems) as file:
        header = file.header
        kinds = plan_columns(plan, header, file.cells(), problems)
        places = {name: place for place, name in enumerate(header) if name in kinds}
        schema = {LINE: pl.UInt32} | dict.fromkeys(places, pl.String)
        for lines, cells in _group_rows(file.rows, len(header), problems):
            columns = list(zip(*cells, strict=True)) or [()] * len(header)
            data = {LINE: lines} | {name: columns[place] for name, place in places.items()}
            part = pl.DataFrame(data, schema=schema).with_columns(pl.col(pl.String).replace("", None))
            parts.append(convert_columns(part, kinds, problems))
            progress(min(1.0, file.stream.tell() / source.size), f"reading {source.name}")
    problems.stop_if_any()
    unread = tuple(name for name in header if name not in kinds)
    return Table(
        source.name,
        "line",
        join_parts(parts, source.name),
        unread,
        knows_missing=False,
        skipped=problems.newly_skipped(),
        below=name_lines((line, reason) for (line, _), reason in file.left_out),
        header=file.above and file.line,
    )


def head(source: Source, rows: int, _plan: Plan) -> Head:
    """The first rows of the right width, and how many rows there are."""
    problems = Problems(source.name, "line")
    with _open_delimited(source, problems) as file:
        header = file.header
        whole = (row for _, row in file.rows if len(row) == len(header))
        first = list(islice(whole, rows))
        count = len(first) + sum(1 for _ in whole)
    frame = pl.DataFrame(first, schema=dict.fromkeys(header, pl.String), orient="row")
    return Head(tuple(header), frame, count, file.cells())


def header(source: Source) -> list[str]:
    """The names of the columns. Raises QavizError if there is no reading them."""
    with _open_delimited(source, Problems(source.name, "line")) as file:
        return file.header


Numbered = tuple[int, list[str]]
"""A row, and the line on which it starts."""


class _File:
    """An open file: its header, wherever it stands among the first rows, and the rows below it."""

    def __init__(self, stream: BinaryIO, reader: "Reader", problems: Problems) -> None:
        self.stream = stream
        numbered = _number_rows(reader)
        first, failure = _read_ahead(numbered)
        place = find_header([row for _, row in first])
        self.line, names = first[place] if first else (1, [])
        self.above = sum(any(row) for _, row in first[:place])
        below = place + 1
        if len(first) > below and is_units(first[below][1]):
            below += 1
        self.left_out: list[tuple[Numbered, str]] = []
        self._first = [row for row in self._cut(iter(first[below:]), names, []) if row[1]]
        self.header = named_columns(names)
        refuse_header(self.header, self.line, problems)
        rows = chain(first[below:], _raise_later(failure), numbered)
        self.rows = (row for row in self._cut(rows, names, self.left_out) if row[1])

    @staticmethod
    def _cut(rows: Iterator[Numbered], names: list[str], left_out: list[tuple[Numbered, str]]) -> Iterator[Numbered]:
        return read_until_end(rows, names, lambda row: row[1], left_out)

    def cells(self) -> Cells:
        """The first cells of each column, of the rows of the right width."""
        rows = [row for _, row in self._first if len(row) == len(self.header)]
        columns = zip(*rows, strict=True) if rows else [()] * len(self.header)
        return {name: list(cells) for name, cells in zip(self.header, columns, strict=True)}


def _number_rows(reader: "Reader") -> Iterator[Numbered]:
    """The rows, without cells where a line is empty."""
    line = reader.line_num + 1
    for row in reader:
        yield line, row
        line = reader.line_num + 1


def _read_ahead(rows: Iterator[Numbered]) -> tuple[list[Numbered], Exception | None]:
    """The first rows, and what ended the reading among them: it is raised where the rows before it were used."""
    first: list[Numbered] = []
    characters = 0
    try:
        while len(first) < SAMPLED_ROWS and characters < HEADER_LIMIT and (row := next(rows, None)):
            first.append(row)
            characters += sum(map(len, row[1]))
    except (csv.Error, UnicodeDecodeError) as error:
        return first, error
    return first, None


def _raise_later(failure: Exception | None) -> Iterator[Numbered]:
    if failure:
        raise failure
    yield from ()


@contextmanager
def _open_delimited(source: Source, problems: Problems) -> Iterator[_File]:
    """The file. Raises QavizError for what ends the reading: a broken quote, or not UTF-8."""
    with open_text(source) as stream:
        start = stream.tell()
        sample = stream.read(SNIFFED).decode(errors="replace")
        stream.seek(start)
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        try:
            beginning = text.tell()
            first = text.readline(HEADER_LIMIT)
            delimiter = find_delimiter(first, sample)
            if len(first) == HEADER_LIMIT:
                fault = f"a first line of more than {HEADER_LIMIT:,} characters"
                raise stop(source.name, fault, "the names of the columns", "Write them in the first line.")
            refuse_many_columns(first.count(delimiter) + 1, problems)
            if not _SEP.fullmatch(first):
                text.seek(beginning)
            rows = csv.reader(text, delimiter=delimiter, strict=True)
            yield _File(stream, rows, problems)
        except csv.Error as error:
            fault = f"a cell over {CELL_LIMIT:,} characters, or a quote that never closes"
            if "field limit" not in str(error):
                fault = f"a quote that breaks the row ({error})"
            problems.add(rows.line_num, fault, "quotes in pairs", 'Write a quote within a text as "".', in_row=False)
        except UnicodeDecodeError:
            line, fix = _find_bad_line(source), "Save the file as UTF-8."
            problems.add(line, "bytes that are not UTF-8", "UTF-8 text", fix, in_row=False)
        finally:
            text.detach()  # or it would close the stream, which is open_text's
        problems.stop_if_any()


def find_delimiter(first: str, sample: str) -> str:
    """The delimiter that cuts most of the first rows into the same number of cells; `sep=;` says it itself."""
    match = _SEP.fullmatch(first)
    if match:
        return match[1]
    usual = max(DELIMITERS, key=first.count)
    fits = {delimiter: _measure_fit(sample, delimiter) for delimiter in DELIMITERS if delimiter in sample}
    best = max(fits, key=lambda delimiter: (fits[delimiter][0], delimiter == usual), default=usual)
    (best_share, best_width), (usual_share, usual_width) = (
        fits.get(delimiter, (0.0, 0)) for delimiter in (best, usual)
    )
    # A delimiter that the first line has beats one that some more rows agree on: rows may be broken. But that line may
    # be a title with a comma, above a table of more columns.
    clearly = best_share > _CLEARLY * usual_share or (best_share > usual_share and best_width > usual_width)
    return best if usual not in first or clearly else usual


def _measure_fit(sample: str, delimiter: str) -> tuple[float, int]:
    """Share of the sample's rows that have the commonest number of cells, one cell not counting; and that number."""
    lines = sample.splitlines(keepends=True)[:_SNIFFED_LINES]
    try:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
    except csv.Error:
        return 0.0, 0
    commonest = Counter(width for width in widths if width > 1).most_common(1)
    return (commonest[0][1] / len(widths), commonest[0][0]) if commonest else (0.0, 0)


def _find_bad_line(source: Source) -> int:
    with open_text(source) as stream:
        for line, content in enumerate(stream, 1):
            try:
                content.decode()
            except UnicodeDecodeError:
                return line
    raise AssertionError("called only for a file that holds such a line")


def _group_rows(
    rows: Iterator[Numbered], width: int, problems: Problems
) -> Iterator[tuple[list[int], list[list[str]]]]:
    """Rows of the right width with the lines on which they start, many at a time; the others become problems."""
    lines: list[int] = []
    cells: list[list[str]] = []
    for line, row in rows:
        if len(row) == width:
            lines.append(line)
            cells.append(row)
        else:
            fix = "Put texts that hold a delimiter or a line end in quotes."
            problems.add(line, f"a row of {len(row)}", f"a row of {width} cells, as the first line has", fix)
        if len(cells) == ROWS_AT_ONCE:
            yield lines, cells
            lines, cells = [], []
    yield lines, cells
