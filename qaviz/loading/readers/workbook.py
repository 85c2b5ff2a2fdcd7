"""XLSX: the sheet asked for, or the first with the columns. Numbers and dates are read as a person sees them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import polars as pl

from qaviz.loading.column_values import Cells
from qaviz.loading.load_log import Problems, name_lines, quote_text
from qaviz.loading.readers.table import (
    HEAD_CELL,
    LINE,
    Head,
    Kind,
    Plan,
    Table,
    convert_columns,
    join_parts,
    refuse_header,
)
from qaviz.loading.readers.xlsx import TALLEST, Book, Cell, Row, Sheet, open_book
from qaviz.loading.source import Source
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

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
