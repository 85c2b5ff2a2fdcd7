"""XLSX: openpyxl reads a workbook within budgets that no spreadsheet of a person reaches: every sheet with anything in
it, numbers and dates as a person sees them.
"""

import math
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import ParseError

from qaviz.loading.formats.cells import Batch, Failed
from qaviz.loading.formats.delimited import Numbered, read_grid
from qaviz.loading.load_log import Problems, quote_text
from qaviz.loading.source import Source
from qaviz.model.errors import QavizError, stop
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
"""Most merged ranges of a sheet that are told."""

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')


class Span(NamedTuple):
    """A merged range: its first and last row from 1, its first and last column from 0."""

    top: int
    bottom: int
    left: int
    right: int


_ESCAPED = re.compile("_x((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})_")


DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, ParseError, EOFError, OSError, RuntimeError),
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError),
)
"""What zip, XML, openpyxl, python-docx and python-pptx raise over damaged bytes: they check types as they build their
objects from XML."""


class Row(NamedTuple):
    """A row with something in it: its number, and what its cells say, by column from 0."""

    number: int
    cells: dict[int, str]


def list_rows(workbook: "Workbook", name: str) -> Iterator[tuple["ReadOnlyWorksheet", Iterator[Row]]]:
    """Each sheet with cells, in order, and all its rows with something in them, as they are."""
    for sheet in workbook.worksheets:
        sheet.reset_dimensions()  # or openpyxl would fill the sheet up to whatever size it declares
        yield sheet, _read_rows(sheet, f"{name} sheet {quote_text(sheet.title)}")


def find_spans(workbook: "Workbook", sheet: "ReadOnlyWorksheet") -> list[Span]:
    """The merged ranges. openpyxl reads them only together with the whole sheet; here the part of the zip is searched
    for them. None of a sheet that has too many."""
    from openpyxl.utils import column_index_from_string  # as above: few files are workbooks

    try:
        with workbook._archive.open(sheet._worksheet_path) as stream:
            content = stream.read()
    except (AttributeError, KeyError, *DAMAGE):
        return []
    spans = []
    for match in islice(_MERGED.finditer(content[content.rfind(b"</sheetData>") :]), MERGED_LIMIT + 1):
        left, top, right, bottom = match.groups()
        columns = (column_index_from_string(letters.decode()) - 1 for letters in (left, right))
        spans.append(Span(int(top), int(bottom), *columns))
    return spans if len(spans) <= MERGED_LIMIT else []


@contextmanager
def open_book(source: Source) -> Iterator["Workbook"]:
    """The workbook. Raises QavizError for a file that is none, is broken, or is over the budget."""
    # Here, not above: the import takes as long as all of qaviz.loading, and few files are workbooks.
    from openpyxl import load_workbook

    with source.open() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                stop_at_bomb(source.name, archive, "Save it as CSV or Parquet.")
            workbook = load_workbook(stream, read_only=True, data_only=True, keep_links=False)
        except DAMAGE as error:
            raise _describe_damage(source.name, error) from None
        yield workbook


def _describe_damage(where: str, error: Exception) -> QavizError:
    reason = error.__cause__ or error
    why = (str(reason) or type(reason).__name__).partition("\n")[0][:100]
    fault = f"a broken workbook, or one of another format ({why})"
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
            filled = {place: _read_cell(cell) for place, cell in enumerate(given) if cell.value not in (None, "")}
            if filled:
                yield Row(number, filled)
            cells += len(given)
            characters += sum(map(len, filled.values()))
            sizes = ((cells, CELL_COUNT_LIMIT, "cells"), (characters, TEXT_LIMIT, "characters in its cells"))
            for size, limit, unit in sizes:
                if size > limit:
                    expected = f"at most {limit:,}"
                    raise stop(where, f"{size:,} {unit} and more", expected, "Save it as CSV or Parquet.")
    except DAMAGE as error:
        raise _describe_damage(f"{where} near row {number}", error) from None


def _read_cell(cell: "ReadOnlyCell") -> str:
    """What a cell says. Raises ValueError for a number that no spreadsheet can show."""
    match cell.value:
        case bool(flag):
            return "TRUE" if flag else "FALSE"
        case int() | float() as number:
            return _format_number(number, percent="%" in cell.number_format)
        case datetime() as moment if moment.time() == time():
            return moment.date().isoformat()
        case timedelta() as elapsed:  # 36:00:00, as the format `[h]:mm:ss` has it
            minutes, seconds = divmod(round(abs(elapsed.total_seconds())), 60)
            sign = "-" if elapsed < timedelta() else ""
            return f"{sign}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
        case date() | time() as moment:
            return str(moment)
        case text:
            # `_x000D_` and the like are the characters they stand for. A text that has such a code as its own words is
            # not told apart: openpyxl has dropped the sign that does it.
            unescaped = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text)
            return Failed(unescaped) if cell.data_type == "e" else unescaped


def _format_number(number: float, *, percent: bool) -> str:
    """The number as a person sees it, as short as can be: 158, 134.4, 12.5%."""
    if not math.isfinite(number):
        raise ValueError(f"the number {number}")
    if percent:
        return f"{_format_number(number * 100, percent=False)}%"
    return f"{number:.{_EXACT_DIGITS}g}"


def read(source: Source, make_problems: Callable[[str], Problems], progress: Progress) -> Iterator[Batch]:
    """The rows of each sheet with anything in it, or of the sheet that is asked for, as `read_grid` has them.

    `make_problems` gives a table's by its place.
    """
    with open_book(source) as workbook:
        sheets = workbook.sheetnames
        if source.sheet and source.sheet not in sheets:
            there = ", ".join(map(quote_text, sheets))
            raise stop(source.name, f"no sheet {quote_text(source.sheet)}", f"one of {there}", "Name one of them.")
        is_empty = True
        for number, (sheet, rows) in enumerate(list_rows(workbook, source.name), 1):
            if source.sheet in ("", sheet.title):
                if (first := next(rows, None)) is None:
                    continue
                problems = make_problems(f"{source.name} sheet {quote_text(sheet.title)}")
                cells = _list_cells(chain([first], rows))
                for batch in read_grid(cells, problems, name=source.name, sheet=sheet.title, unit="row"):
                    is_empty = False
                    yield batch
                    progress(number / (len(sheets) + 1), f"reading {source.name}")
        if is_empty:
            fix = "Fill one in; if one is filled, save the workbook as plain XLSX, not as Strict Open XML."
            raise stop(source.name, "only empty sheets", "rows", fix)


def _list_cells(rows: Iterator[Row]) -> Iterator[Numbered]:
    """The rows with all their cells up to the last; an empty row where some are missing."""
    last = 0
    for number, cells in rows:
        if number > last + 1:
            yield number - 1, []
        yield number, [cells.get(place, "") for place in range(max(cells) + 1)]
        last = number
