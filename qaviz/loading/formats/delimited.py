"""Rows of cells under a header, as CSV and sheets have them; what stands below a table is none of it.

CSV is divided by comma, semicolon, tab or another mark. `NA`, `null` and `1e999` are texts like any other.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

import polars as pl

from qaviz.loading.formats.cells import CELL_LIMIT, FIRST_ROWS, ROWS_AT_ONCE, Batch, Failed, refuse_header
from qaviz.loading.load_log import LINE, Problems
from qaviz.loading.source import Source, open_text
from qaviz.model.errors import stop
from qaviz.model.records import Progress

if TYPE_CHECKING:
    from _csv import Reader

Numbered = tuple[int, list[str]]
"""A row, and the line on which it starts."""

_NAMES = 2
"""Filled cells from which on a row may be the header again."""

_SIZE_AT_ONCE, _CELL = 16 * 1024**2, 8
"""Characters that make a batch, and as how many each cell counts."""

DELIMITERS = (",", ";", "\t", "|", "~", "^", "¦", "§")

_SEP = re.compile(r"\ufeff?\"?sep=(.)\"?\s*\Z", re.IGNORECASE)
"""The first line by which Excel is told the delimiter."""

HEADER_LIMIT = 4_000_000
"""Most characters of the first line: COLUMN_LIMIT names of 200."""

# The csv module's own limit (131,072) is below ours. It is one for the whole process; nothing else here reads CSV.
csv.field_size_limit(CELL_LIMIT)


def read(source: Source, problems: Problems, progress: Progress) -> Iterator[Batch]:
    """The rows, as `read_grid` has them. A row that lacks only its last cells has empty cells there; any other row of
    another width is a problem."""
    with open_text(source) as stream:
        start = stream.tell()
        stream.seek(-1, io.SEEK_END)
        is_ended = stream.read() in (b"\n", b"\r")
        stream.seek(start)
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        rows = csv.reader(())
        try:
            first = text.readline(HEADER_LIMIT)
            if len(first) == HEADER_LIMIT:
                fault = f"a first line of more than {HEADER_LIMIT:,} characters"
                raise stop(source.name, fault, "the names of the columns", "Write them in the first line.")
            delimiter = find_delimiter(first)
            lines = chain([_SEP.sub("\n", first)], text)
            rows = csv.reader(lines, delimiter=delimiter, strict=True)
            fill = partial(_fill_rows, problems, is_ended=is_ended)
            for batch in read_grid(_number_rows(rows), problems, fill, name=source.name, unit="line"):
                yield batch
                progress(min(1.0, stream.tell() / source.size), f"reading {source.name}")
        except csv.Error as error:
            fault = f"a cell over {CELL_LIMIT:,} characters, or a quote that never closes"
            if "field limit" not in str(error):
                fault = f"a quote that breaks the row ({error})"
            fix = 'Write a quote within a text as "".'
            problems.add(rows.line_num, fault, "quotes in pairs", fix, in_row=False)
        except UnicodeDecodeError:
            line, fix = _find_bad_line(source), "Save the file as UTF-8: in Excel as “CSV UTF-8”."
            problems.add(line, "bytes that are not UTF-8", "UTF-8 text", fix, in_row=False)
        finally:
            text.detach()  # or it would close the stream, which is open_text's


def _number_rows(reader: "Reader") -> Iterator[Numbered]:
    """The rows, without cells where a line is empty."""
    line = 1
    for row in reader:
        yield line, row
        line = reader.line_num + 1


def find_delimiter(first: str) -> str:
    """The delimiter that the first line has most of; `sep=;` says it itself."""
    named = _SEP.match(first)
    return named[1] if named else max(DELIMITERS, key=first.count)


def _find_bad_line(source: Source) -> int:
    with open_text(source) as stream:
        for line, content in enumerate(stream, 1):
            try:
                content.decode()
            except UnicodeDecodeError:
                return line
    raise AssertionError("called only for a file that holds such a line")


def _fill_rows(problems: Problems, rows: Iterator[Numbered], width: int, *, is_ended: bool) -> Iterator[Numbered]:
    """The rows with so many cells; the others become problems.

    A short row lacks its last cells, unless it may be a piece: of a row that a line end in a text has cut, which its
    neighbour then completes, or of a file that breaks off.
    """
    waiting: Numbered | None = None
    for line, row in rows:
        is_short = width / 2 < len(row) < width
        if waiting and is_short:
            # Two short rows may be one that was cut: rows that lack the same cells are two.
            above = len(waiting[1])
            if above != len(row) or above + len(row) == width + 1:
                _refuse_width(*waiting, width, problems)
                waiting, is_short = None, False
        if waiting:
            yield waiting
        waiting = (line, row) if is_short else None
        if len(row) == width:
            yield line, row
        elif not is_short:
            _refuse_width(line, row, width, problems)
    if waiting and is_ended:
        yield waiting
    elif waiting:
        _refuse_width(*waiting, width, problems)


def _refuse_width(line: int, row: list[str], width: int, problems: Problems) -> None:
    fix = "Put texts that hold a delimiter or a line end in quotes. Remove lines above the names of the columns."
    problems.add(line, f"a row of {len(row)}", f"a row of {width} cells, as the first line has", fix)


def read_grid(
    rows: Iterator[Numbered],
    problems: Problems,
    fill: Callable[[Iterator[Numbered], int], Iterator[Numbered]] = lambda rows, _width: rows,
    **about: str,
) -> Iterator[Batch]:
    """The rows below the first with anything in it, which names the columns (`column 3` where it is empty); an empty
    cell is null.

    A row that follows an empty one and is none of the table is a problem: the header again, or cells in at most half of
    three or more columns, as a note or another table has. `fill` is given the rows and the header's width. Cells beside
    the header are columns of their own. `about` is what batches say of their file.
    """
    line, header = next(((line, row) for line, row in rows if any(row)), (1, []))
    columns = [name.strip() or f"column {place}" for place, name in enumerate(header, 1)]
    refuse_header(columns, line, problems)
    table = fill(_leave_out_notes(rows, header, problems), len(header))
    for cells in _group_rows(table, columns):
        yield Batch(**about, problems=problems, given=cells, knows_missing=False)  # type: ignore[arg-type]


def _leave_out_notes(rows: Iterator[Numbered], header: list[str], problems: Problems) -> Iterator[Numbered]:
    """The rows of the table, without empty ones and without empty cells beyond the last column."""
    below = False
    names = [name for name in header if name.strip()]
    for line, row in rows:
        while len(row) > len(header) and not row[-1]:
            row.pop()
        words = ""
        filled = [cell for cell in row if cell.strip()] if below else []
        if len(filled) >= _NAMES and filled == names:
            words = "the header again"
        elif filled and len(names) > _NAMES and 2 * len(filled) <= len(names):
            words = "a note below the table"
        below = bool(words) or not any(row)
        if words:
            fix = "Remove what stands below the table, or save it as a file of its own."
            problems.add(line, words, "a row of the table", fix)
        elif any(row):
            yield line, row


def _group_rows(rows: Iterator[Numbered], columns: list[str]) -> Iterator[pl.DataFrame]:
    lines: list[int] = []
    cells: list[list[str]] = []
    size, limit, width = 0, FIRST_ROWS, len(columns)
    for line, row in rows:
        lines.append(line)
        cells.append(row + [""] * (len(columns) - len(row)))
        width = max(width, len(row))
        size += sum(map(len, row)) + _CELL * width
        if len(lines) == limit or size >= _SIZE_AT_ONCE:  # however few rows have them
            yield _join_columns(lines, cells, columns)
            lines, cells, size, limit = [], [], 0, ROWS_AT_ONCE
    if lines:
        yield _join_columns(lines, cells, columns)


def _join_columns(lines: list[int], rows: list[list[str]], names: list[str]) -> pl.DataFrame:
    columns = {LINE: pl.Series(lines, dtype=pl.UInt32)}
    for place, column in enumerate(zip_longest(*rows)):
        if place < len(names) or any(column):
            cells = [cell or None for cell in column]
            dtype = pl.Object if Failed in set(map(type, cells)) else pl.String()
            columns[names[place] if place < len(names) else f"column {place + 1}"] = pl.Series(cells, dtype=dtype)
    return pl.DataFrame(columns)
