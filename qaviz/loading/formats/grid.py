"""Rows of cells under a header, as CSV and sheets have them, as batches; what stands below a table is none of it."""

from collections.abc import Callable, Iterator
from itertools import zip_longest

import polars as pl

from qaviz.loading.formats.cells import FIRST_ROWS, ROWS_AT_ONCE, Batch, Failed, name_columns, refuse_header
from qaviz.loading.load_log import LINE, Problems

Numbered = tuple[int, list[str]]
"""A row, and the line on which it starts."""

_NAMES = 2
"""Filled cells from which on a row may be the header again."""

_SIZE_AT_ONCE, _CELL = 16 * 1024**2, 8
"""Characters that make a batch, and as how many each cell counts."""


def read_grid(
    rows: Iterator[Numbered],
    problems: Problems,
    fill: Callable[[Iterator[Numbered], int], Iterator[Numbered]] = lambda rows, _width: rows,
    **about: str,
) -> Iterator[Batch]:
    """The rows below the first with anything in it, which names the columns; an empty cell is null.

    A row that follows an empty one and is none of the table is a problem: the header again, or cells in at most half of
    three or more columns, as a note or another table has. `fill` is given the rows and the header's width. Cells beside
    the header are columns of their own. `about` is what batches say of their file.
    """
    line, header = next(((line, row) for line, row in rows if any(row)), (1, []))
    columns = name_columns(header)
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
