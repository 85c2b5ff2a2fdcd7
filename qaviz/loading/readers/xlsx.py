"""XLSX: openpyxl reads a workbook within budgets that no spreadsheet of a person reaches; the sheet asked for, or the
first with the columns; numbers and dates as a person sees them.
"""

import math
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import ParseError

import polars as pl

from qaviz.loading.column_senses import HEADER_ROWS, find_header, is_units, join_header
from qaviz.loading.column_values import Cells
from qaviz.loading.load_log import Problems, name_lines, quote_text
from qaviz.loading.readers.table import (
    HEAD_CELL,
    LINE,
    SAMPLED_ROWS,
    Head,
    Kind,
    Plan,
    Table,
    convert_columns,
    join_parts,
    named_columns,
    read_until_end,
    refuse_header,
)
from qaviz.loading.source import Source, refuse_long_directory
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell.read_only import ReadOnlyCell
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet


# It warns of what it would lose if it wrote the workbook again; here it only reads cells.
warnings.filterwarnings("ignore", category=UserWarning, module="openpyxl")

DECODED_LIMIT = 512 * 1024**2
"""Most bytes of a workbook once unpacked: a million rows of 400 characters have less."""

PACKED_LIMIT = 100
"""Times that a part may grow when it is unpacked: sheets grow 5 to 30 times, and Apache POI stops here too."""

_SMALL = 1024**2
"""Bytes up to which a part may grow as much as it likes."""

TEXT_LIMIT = 1024**3
"""Most characters in the cells of a sheet. A workbook keeps a text once however many cells show it."""

CELL_COUNT_LIMIT = 20_000_000
"""Most cells of a sheet: a million rows of 20. openpyxl fills each row up to its last cell, even the 16,384th."""

TALLEST = 1_048_576
"""Rows of the tallest sheet there can be."""

_EXACT_DIGITS = 15
"""Digits of a number that a spreadsheet keeps. Further digits of the float come from its binary fraction."""

MERGED_LIMIT = 100_000
"""Most merged ranges of a sheet that are filled in."""

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')


class Span(NamedTuple):
    """A merged range: its first and last row from 1, its first and last column from 0."""

    top: int
    bottom: int
    left: int
    right: int


_NOTHING = (None, "")
"""What an empty cell holds."""

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")

_WHY = 100
"""Characters of the library's reason that a problem repeats."""

_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, ParseError, EOFError, OSError, RuntimeError),
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError),
)
"""What zip, XML and openpyxl raise over damaged bytes: openpyxl checks types as it builds its objects from XML."""


class Cell(NamedTuple):
    """What one cell says, and whether it is a number of some kind, or a formula that failed."""

    text: str
    number: str = ""
    """What it is if it is no text: a number, a percentage, a date, a time; else empty."""
    is_error: bool = False


class Row(NamedTuple):
    """A row with something in it: its number, and its cells by column from 0."""

    number: int
    cells: dict[int, Cell]


@dataclass(frozen=True)
class Sheet:
    """A sheet with something in it. A row near its top names the columns (see `find_header`)."""

    name: str
    header: int
    """Number of that row."""
    is_titled: bool
    """Whether something else stands above it."""
    columns: list[str]
    first: list[Row]
    """The first rows below it, which come again in `rows`."""
    rows: Iterator[Row]
    """The rows below it."""
    height: int | None
    """Rows below it if the sheet declares them, which need not be true."""
    left_out: list[tuple[Row, str]]
    """What stands below the table, once `rows` are read: the first row of it, and what it is."""


@dataclass(frozen=True)
class Book:
    """An open workbook."""

    name: str
    workbook: "Workbook"

    @property
    def sheets(self) -> tuple[str, ...]:
        """Names of all sheets, in order."""
        return tuple(self.workbook.sheetnames)

    def list_filled_sheets(self) -> Iterator[Sheet]:
        """The sheets that have anything in them, in order."""
        for sheet in self.workbook.worksheets:
            declared = sheet.max_row
            sheet.reset_dimensions()  # or openpyxl would fill the sheet up to whatever size it declares
            where = f"{self.name} sheet {quote_text(sheet.title)}"
            rows = _fill_merged(_read_rows(sheet, where), find_spans(self.workbook, sheet))
            first = list(islice(rows, SAMPLED_ROWS))
            if first:
                yield _read_sheet(sheet.title, first, rows, declared)

    def list_grids(self) -> Iterator[tuple[int, str, Iterator[Row], list[Span]]]:
        """Of each sheet with cells, in order: its place from 1 among all sheets, charts too, its name, all rows with
        something in them as they are, and its merged ranges."""
        for sheet in self.workbook.worksheets:
            sheet.reset_dimensions()
            where = f"{self.name} sheet {quote_text(sheet.title)}"
            yield (
                self.sheets.index(sheet.title) + 1,
                sheet.title,
                _read_rows(sheet, where),
                find_spans(self.workbook, sheet),
            )


def _read_sheet(title: str, first: list[Row], rows: Iterator[Row], declared: int | None) -> Sheet:
    """The sheet with its header found among the `first` of its rows."""
    texts = [_texts_of(row) for row in first[:HEADER_ROWS]]
    place = find_header(texts)
    names = texts[place]
    below = join_header(names, texts[place + 1]) if len(texts) > place + 1 else None
    end = place + (2 if below else 1)
    if len(texts) > end and is_units(texts[end]):
        end += 1
    number = first[end - 1].number
    height = declared - number if declared and declared > number else None
    header = [name if name and name.strip() else None for name in below or names]
    left_out: list[tuple[Row, str]] = []
    sample = _cut_below(number, first[end:], header, [])
    whole = _cut_below(number, chain(first[end:], rows), header, left_out)
    return Sheet(title, number, place > 0, named_columns(header), list(sample), whole, height, left_out)


def _cut_below(
    header: int, rows: Iterable[Row], names: list[str | None], left_out: list[tuple[Row, str]]
) -> Iterator[Row]:
    """The rows of the table without those that stand below it."""
    kept = read_until_end(_mark_gaps(header, rows), names, _texts_of, left_out)
    return (row for row in kept if row.cells)


def _mark_gaps(header: int, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, and one without cells where some are missing."""
    last = header
    for row in rows:
        if row.number > last + 1:
            yield Row(row.number - 1, {})
        yield row
        last = row.number


def _texts_of(row: Row) -> list[str | None]:
    return [cell.text if (cell := row.cells.get(place)) else None for place in range(max(row.cells, default=-1) + 1)]


def find_spans(workbook: "Workbook", sheet: "ReadOnlyWorksheet") -> list[Span]:
    """The merged ranges. openpyxl reads them only together with the whole sheet; here the part of the zip is searched
    for them. None of a sheet that has too many."""
    from openpyxl.utils import column_index_from_string  # as above: few files are workbooks

    try:
        with workbook._archive.open(sheet._worksheet_path) as stream:
            content = stream.read()
    except (AttributeError, KeyError, *_DAMAGE):
        return []
    spans = []
    for match in islice(_MERGED.finditer(content[content.rfind(b"</sheetData>") :]), MERGED_LIMIT + 1):
        left, top, right, bottom = match.groups()
        columns = (column_index_from_string(letters.decode()) - 1 for letters in (left, right))
        spans.append(Span(int(top), int(bottom), *columns))
    return spans if len(spans) <= MERGED_LIMIT else []


def _fill_merged(rows: Iterator[Row], spans: list[Span]) -> Iterator[Row]:
    """The rows; a cell that is merged downwards stands in each of its rows."""
    kept: dict[int, tuple[int, Cell]] = {}
    ends: dict[int, dict[int, int]] = {}
    for span in spans:
        if span.left == span.right and span.top != span.bottom:
            ends.setdefault(span.left, {})[span.top] = span.bottom
    for row in rows:
        for column, bottoms in ends.items():
            cell = row.cells.get(column)
            if row.number in bottoms and cell:
                kept[column] = bottoms[row.number], cell
            elif column in kept and row.number <= kept[column][0]:
                row.cells.setdefault(column, kept[column][1])
        yield row


@contextmanager
def open_book(source: Source) -> Iterator[Book]:
    """The workbook. Raises QavizError for a file that is none, is broken, or is over the budget."""
    # Here, not above: the import takes as long as all of qaviz.loading, and few files are workbooks.
    from openpyxl import load_workbook

    with source.open() as stream:
        refuse_long_directory(source.name, stream)
        try:
            with zipfile.ZipFile(stream) as archive:
                stop_at_bomb(source.name, archive, "Save it as CSV or Parquet.")
            workbook = load_workbook(stream, read_only=True, data_only=True, keep_links=False)
        except _DAMAGE as error:
            raise _describe_damage(source.name, error) from None
        yield Book(source.name, workbook)


def _describe_damage(where: str, error: Exception) -> QavizError:
    reason = error.__cause__ or error
    return _describe_broken_workbook(where, str(reason) or type(reason).__name__)


def _describe_broken_workbook(where: str, why: str) -> QavizError:
    reason = why.partition("\n")[0][:_WHY]
    fault = f"a broken workbook, or one of another format ({reason})"
    return stop(where, fault, "an XLSX workbook", "Save it again as XLSX, without a password.")


def stop_at_bomb(name: str, archive: zipfile.ZipFile, fix: str) -> None:
    """Raise QavizError for a zip that is over DECODED_LIMIT or PACKED_LIMIT once unpacked; `fix` says what to do."""
    # No part can be longer than it declares: zipfile stops reading there.
    parts = archive.infolist()
    size = sum(part.file_size for part in parts)
    if size > DECODED_LIMIT:
        fault = f"a file of {size / 1024**2:,.0f} MB once unpacked"
        raise stop(name, fault, f"at most {DECODED_LIMIT / 1024**2:,.0f} MB", fix)
    if any(part.file_size > max(_SMALL, PACKED_LIMIT * part.compress_size) for part in parts):
        fault = f"a part that grows more than {PACKED_LIMIT} times when it is unpacked"
        raise stop(name, fault, f"at most {PACKED_LIMIT} times", fix)


def _read_rows(sheet: "ReadOnlyWorksheet", where: str) -> Iterator[Row]:
    """The rows with something in them. Raises QavizError for broken cells, and at the end of the budgets."""
    number, cells, characters = 0, 0, 0
    try:
        for number, given in enumerate(sheet.iter_rows(), 1):
            if number > TALLEST:
                raise ValueError(f"more than {TALLEST:,} rows")
            filled = {place: _read_cell(cell) for place, cell in enumerate(given) if cell.value not in _NOTHING}
            if filled:
                yield Row(number, filled)
            cells += len(given)
            characters += sum(len(cell.text) for cell in filled.values())
            _stop_over_budget(where, cells, characters)
    except _DAMAGE as error:
        raise _describe_damage(f"{where} near row {number}", error) from None


def _stop_over_budget(where: str, cells: int, characters: int) -> None:
    for size, limit, unit in ((cells, CELL_COUNT_LIMIT, "cells"), (characters, TEXT_LIMIT, "characters in its cells")):
        if size > limit:
            fault = f"{size:,} {unit} and more"
            raise stop(where, fault, f"at most {limit:,}", "Save it as CSV or Parquet.")


def _read_cell(cell: "ReadOnlyCell") -> Cell:
    """What a cell says. Raises ValueError for a number that no spreadsheet can show."""
    match cell.value:
        case bool(flag):
            return Cell("TRUE" if flag else "FALSE")
        case int() | float() as number:
            percent = "%" in cell.number_format
            return Cell(_format_number(number, percent=percent), "a percentage" if percent else "a number")
        case datetime() as moment if moment.time() == time():
            return Cell(moment.date().isoformat(), "a date")
        case timedelta() as elapsed:
            return Cell(_format_hours(elapsed), "a time")
        case date() | time() as moment:
            return Cell(str(moment), "a time" if isinstance(moment, time) else "a date")
        case text:
            return Cell(_unescape_text(text), is_error=cell.data_type == "e")


def _format_number(number: float, *, percent: bool) -> str:
    """The number as a person sees it, as short as can be: 158, 134.4, 12.5%."""
    if not math.isfinite(number):
        raise ValueError(f"the number {number}")
    if percent:
        return f"{_format_number(number * 100, percent=False)}%"
    if number == int(number) and abs(number) < 10**_EXACT_DIGITS:
        return str(int(number))
    return f"{number:.{_EXACT_DIGITS}g}"


def _format_hours(elapsed: timedelta) -> str:
    """36:00:00, as the format `[h]:mm:ss` has it."""
    minutes, seconds = divmod(round(abs(elapsed.total_seconds())), 60)
    sign = "-" if elapsed < timedelta() else ""
    return f"{sign}{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _unescape_text(text: str) -> str:
    """The text with `_x000D_` and the like as the characters they stand for; halves of characters stay.

    A text that holds such a code as its own words is not told apart: openpyxl has dropped the sign that does it.
    """
    return _ESCAPED.sub(_decode_character, text) if "_x" in text else text


def _decode_character(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return match[0] if "\ud800" <= character <= "\udfff" else character


ROWS_AT_ONCE = 20_000


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for; an empty cell is null. Raises QavizError with every bad cell."""
    with open_book(source) as book:
        sheet, kinds = _find_sheet(book, plan, source.sheet)
        place = _name_place(book, sheet)
        problems = Problems(place, "row", skip_bad=source.skip_bad)
        parts: list[pl.DataFrame] = []
        numbers: list[pl.DataFrame] = []
        beside: set[int] = set()
        while rows := list(islice(sheet.rows, ROWS_AT_ONCE)):
            _refuse_errors(rows, sheet.columns, kinds, problems)
            parts.append(convert_columns(_read_texts(rows, sheet.columns, kinds), kinds, problems))
            numbers.append(_list_numbers(rows, sheet.columns, kinds))
            beside.update(*(row.cells for row in rows))
            progress(min(1.0, rows[-1].number / (sheet.height or TALLEST)), f"reading {source.name}")
    problems.stop_if_any()
    unread = [name for name in sheet.columns if name not in kinds]
    unread += [f"column {column + 1}" for column in sorted(beside) if column >= len(sheet.columns)]
    others = tuple(name for name in book.sheets if name != sheet.name)
    return Table(
        place,
        "row",
        join_parts(parts, place),
        tuple(unread),
        False,
        pl.concat(numbers),
        others,
        below=name_lines((row.number, reason) for row, reason in sheet.left_out),
        header=sheet.header * sheet.is_titled,
    )


def head(source: Source, rows: int, plan: Plan) -> Head:
    """The first rows of the sheet that is asked for, or that `plan` fits, or else of the first with anything in it."""
    with open_book(source) as book:
        try:
            sheet, _ = _find_sheet(book, plan, source.sheet)
        except QavizError:
            filled = next(_select_sheets(book, source.sheet), None)
            if filled is None:
                raise
            sheet = filled
        first = list(islice(sheet.rows, rows))
        height = len(first) + sum(1 for _ in sheet.rows) if sheet.height is None else sheet.height
    short = [
        Row(row.number, {place: Cell(cell.text[:HEAD_CELL]) for place, cell in row.cells.items()}) for row in first
    ]
    cells = _read_texts(short, sheet.columns, dict.fromkeys(sheet.columns, Kind.TEXT)).drop(LINE)
    return Head(tuple(sheet.columns), cells, height, _read_cells(sheet), sheet.name, book.sheets)


def _read_cells(sheet: Sheet) -> Cells:
    return {name: [_read_text(row, place) for row in sheet.first] for place, name in enumerate(sheet.columns)}


def _select_sheets(book: Book, name: str) -> Iterator[Sheet]:
    """The sheets with anything in them; only the one of this name, if it is not empty. Raises QavizError if there is
    none of this name."""
    if name and name not in book.sheets:
        there = ", ".join(map(quote_text, book.sheets))
        raise stop(book.name, f"no sheet {quote_text(name)}", f"one of {there}", "Name one of them.")
    return (sheet for sheet in book.list_filled_sheets() if name in ("", sheet.name))


def _find_sheet(book: Book, plan: Plan, name: str) -> tuple[Sheet, Mapping[str, Kind]]:
    """The first of the sheets asked for whose columns `plan` takes. Raises QavizError with what each sheet lacks."""
    problems: list[Problem] = []
    for sheet in _select_sheets(book, name):
        place = _name_place(book, sheet)
        try:
            refuse_header(sheet.columns, sheet.header, Problems(place, "row"))
            return sheet, plan(sheet.columns, _read_cells(sheet))
        except QavizError as error:
            problems += [
                replace(problem, where=place) if problem.where == book.name else problem for problem in error.problems
            ]
    if not problems:
        fix = "Fill one in; if one is filled, save the workbook as plain XLSX, not as Strict Open XML."
        raise stop(book.name, "only empty sheets", "rows", fix)
    raise QavizError(*problems)


def _name_place(book: Book, sheet: Sheet) -> str:
    return f"{book.name} sheet {quote_text(sheet.name)}"


def _refuse_errors(rows: Sequence[Row], columns: Sequence[str], kinds: Mapping[str, Kind], problems: Problems) -> None:
    """Note the formulas that failed: what they should have said is unknown."""
    wanted = {place: name for place, name in enumerate(columns) if name in kinds}
    for row in rows:
        for place, cell in row.cells.items():
            if cell.is_error and place in wanted:
                fault = f"the error {quote_text(cell.text)} in {quote_text(wanted[place])}"
                problems.add(row.number, fault, kinds[wanted[place]], "Correct the formula, or type its value.")


def _read_texts(rows: Sequence[Row], columns: Sequence[str], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """The cells of the columns of `kinds` as text, with LINE."""
    wanted = {name: place for place, name in enumerate(columns) if name in kinds}
    data = {name: [_read_text(row, place) for row in rows] for name, place in wanted.items()}
    schema = {LINE: pl.UInt32} | dict.fromkeys(wanted, pl.String)
    return pl.DataFrame({LINE: [row.number for row in rows], **data}, schema=schema)


def _read_text(row: Row, place: int) -> str | None:
    cell = row.cells.get(place)
    return cell.text if cell else None


def _list_numbers(rows: Sequence[Row], columns: Sequence[str], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """What is to be said of the cells of text columns that are numbers or dates."""
    texts = [(place, name) for place, name in enumerate(columns) if kinds.get(name) == Kind.TEXT]
    notes = [
        (row.number, f"{row.cells[place].number} in {quote_text(name)} is read as {quote_text(row.cells[place].text)}")
        for row in rows
        for place, name in texts
        if place in row.cells and row.cells[place].number
    ]
    return name_lines(notes)
