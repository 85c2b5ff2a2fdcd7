"""CSV: cells divided by comma, semicolon, tab or another mark. `NA`, `null` and `1e999` are texts like any other."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import polars as pl

from qaviz.loading.formats.cells import (
    CELL_LIMIT,
    FIRST_ROWS,
    ROWS_AT_ONCE,
    Batch,
    Cells,
    name_columns,
    refuse_header,
    refuse_many_columns,
)
from qaviz.loading.load_log import LINE, Problems
from qaviz.loading.source import Source, open_text
from qaviz.model.errors import stop
from qaviz.model.records import Progress

if TYPE_CHECKING:
    from _csv import Reader

DELIMITERS = (",", ";", "\t", "|", "~", "^", "¦", "§")

_SEP = re.compile(r"\ufeff?\"?sep=(.)\"?\r?\n?", re.IGNORECASE)
"""The first line by which Excel is told the delimiter."""

HEADER_LIMIT = 4_000_000
"""Most characters of the first line: COLUMN_LIMIT names of 200."""

Numbered = tuple[int, list[str]]
"""A row, and the line on which it starts."""

# The csv module's own limit (131,072) is below ours. It is one for the whole process; nothing else here reads CSV.
csv.field_size_limit(CELL_LIMIT)


def read(source: Source, problems: Problems, progress: Progress) -> Iterator[Batch]:
    """The rows below the first with anything in it, which names the columns; an empty cell is null.

    A row that lacks only its last cells has empty cells there. Any other row of another width is a problem, and so is
    what stands below an empty row and is no row of the table: see `is_below`.
    """
    with open_text(source) as stream:
        start = stream.tell()
        stream.seek(-1, io.SEEK_END)
        is_ended = stream.read() in (b"\n", b"\r")
        stream.seek(start)
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        rows, before = csv.reader(()), 0
        try:
            first = text.readline(HEADER_LIMIT)
            if len(first) == HEADER_LIMIT:
                fault = f"a first line of more than {HEADER_LIMIT:,} characters"
                raise stop(source.name, fault, "the names of the columns", "Write them in the first line.")
            delimiter = find_delimiter(first)
            refuse_many_columns(first.count(delimiter) + 1, problems)
            if _SEP.fullmatch(first):
                rows, before = csv.reader(text, delimiter=delimiter, strict=True), 1
            else:
                rows = csv.reader(chain([first], text), delimiter=delimiter, strict=True)
            numbered = _number_rows(rows, before)
            line, header = next(((line, row) for line, row in numbered if any(row)), (1, []))
            columns = name_columns(header)
            refuse_header(columns, line, problems)
            table = _leave_out_notes(numbered, header, problems)
            for numbers, cells in _group_rows(_fill_rows(table, len(header), problems, is_ended=is_ended)):
                columns_of_cells = zip(columns, zip(*cells, strict=True), strict=True)
                frame = pl.DataFrame(
                    {LINE: numbers, **{name: list(column) for name, column in columns_of_cells}},
                    schema={LINE: pl.UInt32, **dict.fromkeys(columns, pl.String)},
                )
                given = Cells(frame.with_columns(pl.when(pl.col(columns) != "").then(pl.col(columns))))
                yield Batch(name=source.name, unit="line", problems=problems, given=given)
                progress(min(1.0, stream.tell() / source.size), f"reading {source.name}")
        except csv.Error as error:
            fault = f"a cell over {CELL_LIMIT:,} characters, or a quote that never closes"
            if "field limit" not in str(error):
                fault = f"a quote that breaks the row ({error})"
            problems.add(
                before + rows.line_num, fault, "quotes in pairs", 'Write a quote within a text as "".', in_row=False
            )
        except UnicodeDecodeError:
            line, fix = _find_bad_line(source), "Save the file as UTF-8: in Excel as “CSV UTF-8”."
            problems.add(line, "bytes that are not UTF-8", "UTF-8 text", fix, in_row=False)
        finally:
            text.detach()  # or it would close the stream, which is open_text's


def _number_rows(reader: "Reader", before: int) -> Iterator[Numbered]:
    """The rows, without cells where a line is empty; so many lines stand before the first."""
    line = before + 1
    for row in reader:
        yield line, row
        line = before + reader.line_num + 1


def find_delimiter(first: str) -> str:
    """The delimiter that the first line has most of; `sep=;` says it itself."""
    named = _SEP.fullmatch(first)
    return named[1] if named else max(DELIMITERS, key=first.count)


def _find_bad_line(source: Source) -> int:
    with open_text(source) as stream:
        for line, content in enumerate(stream, 1):
            try:
                content.decode()
            except UnicodeDecodeError:
                return line
    raise AssertionError("called only for a file that holds such a line")


def _leave_out_notes(rows: Iterator[Numbered], header: list[str], problems: Problems) -> Iterator[Numbered]:
    """The rows of the table, without empty ones and without empty cells beyond the last column."""
    below = False
    for line, row in rows:
        while len(row) > len(header) and not row[-1]:
            row.pop()
        if not any(row):
            below = True
            continue
        words = is_below(row, header) if below else ""
        below = bool(words)
        if words:
            problems.add(line, words, "a row of the table", FIX_BELOW)
        else:
            yield line, row


def _fill_rows(rows: Iterator[Numbered], width: int, problems: Problems, *, is_ended: bool) -> Iterator[Numbered]:
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
            yield _fill_row(waiting, width)
        waiting = (line, row) if is_short else None
        if len(row) == width:
            yield line, row
        elif not is_short:
            _refuse_width(line, row, width, problems)
    if waiting and is_ended:
        yield _fill_row(waiting, width)
    elif waiting:
        _refuse_width(*waiting, width, problems)


def _fill_row(numbered: Numbered, width: int) -> Numbered:
    line, row = numbered
    return line, row + [""] * (width - len(row))


def _refuse_width(line: int, row: list[str], width: int, problems: Problems) -> None:
    fix = "Put texts that hold a delimiter or a line end in quotes. Remove lines above the names of the columns."
    problems.add(line, f"a row of {len(row)}", f"a row of {width} cells, as the first line has", fix)


FIX_BELOW = "Remove what stands below the table, or save it as a file of its own."

_NAMES = 2
"""Filled cells from which on a row may be the header again."""


def is_below(row: list[str], header: list[str]) -> str:
    """What a row that follows an empty one is, where it is none of the table: the header again, or cells in at most
    half of three or more columns, as a note or another table has; else empty."""
    filled = [cell for cell in row if cell and cell.strip()]
    names = [name for name in header if name and name.strip()]
    if len(filled) >= _NAMES and filled == names:
        return "the header again"
    return "a note below the table" if filled and len(names) > _NAMES and 2 * len(filled) <= len(names) else ""


def _group_rows(rows: Iterator[Numbered]) -> Iterator[tuple[list[int], list[list[str]]]]:
    lines: list[int] = []
    cells: list[list[str]] = []
    size, limit = 0, FIRST_ROWS
    for line, row in rows:
        lines.append(line)
        cells.append(row)
        size += sum(map(len, row))
        if len(lines) == limit or size >= 16 * 1024**2:  # characters, however few rows have them
            yield lines, cells
            lines, cells, size, limit = [], [], 0, ROWS_AT_ONCE
    if lines:
        yield lines, cells
