"""Rows of cells under a header, as CSV and sheets have them, as batches; what stands below a table is none of it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

import polars as pl

from qaviz.loading.formats.cells import FIRST_ROWS, ROWS_AT_ONCE, Batch, Cells, name_columns, refuse_header
from qaviz.loading.load_log import LINE, Problems, name_lines, quote_text

Numbered = tuple[int, list[str]]
"""A row, and the line on which it starts."""

_NAMES = 2
"""Filled cells from which on a row may be the header again."""

_CHARACTERS_AT_ONCE = 16 * 1024**2


class Failed(str):
    """What a cell shows whose formula failed: nobody knows what it should say."""


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
    for numbers, cells in _group_rows(fill(_leave_out_notes(rows, header, problems), len(header))):
        yield Batch(**about, problems=problems, given=_as_columns(numbers, cells, columns))  # type: ignore[arg-type]


def _leave_out_notes(rows: Iterator[Numbered], header: list[str], problems: Problems) -> Iterator[Numbered]:
    """The rows of the table, without empty ones and without empty cells beyond the last column."""
    below = False
    names = [name for name in header if name.strip()]
    for line, row in rows:
        while len(row) > len(header) and not row[-1]:
            row.pop()
        words = ""
        filled = [cell for cell in row if cell.strip()]
        if below and len(filled) >= _NAMES and filled == names:
            words = "the header again"
        elif below and filled and len(names) > _NAMES and 2 * len(filled) <= len(names):
            words = "a note below the table"
        below = bool(words) or not any(row)
        if words:
            fix = "Remove what stands below the table, or save it as a file of its own."
            problems.add(line, words, "a row of the table", fix)
        elif any(row):
            yield line, row


def _group_rows(rows: Iterator[Numbered]) -> Iterator[tuple[list[int], list[list[str]]]]:
    lines: list[int] = []
    cells: list[list[str]] = []
    size, limit = 0, FIRST_ROWS
    for line, row in rows:
        lines.append(line)
        cells.append(row)
        size += sum(map(len, row))
        if len(lines) == limit or size >= _CHARACTERS_AT_ONCE:  # however few rows have them
            yield lines, cells
            lines, cells, size, limit = [], [], 0, ROWS_AT_ONCE
    if lines:
        yield lines, cells


def _as_columns(lines: list[int], rows: Sequence[list[str]], columns: Sequence[str]) -> Cells:
    """The rows, with a column more for each place beside the header that is filled."""
    beside = range(len(columns), max(map(len, rows)))
    names = [*columns, *(f"column {place + 1}" for place in beside)]
    series, bad = [pl.Series(LINE, lines, pl.UInt32)], {}
    for place, (name, *cells) in enumerate(zip_longest(names, *rows, fillvalue="")):
        if Failed in map(type, cells):
            errors = [(line, cell) for line, cell in zip(lines, cells, strict=True) if isinstance(cell, Failed)]
            bad[name] = name_lines((line, f"the error {quote_text(cell)}") for line, cell in errors)
            cells = ["" if isinstance(cell, Failed) else cell for cell in cells]
        if place < len(columns) or name in bad or any(cells):
            series.append(pl.Series(name, cells, pl.String))
    return Cells(pl.DataFrame(series).with_columns(pl.when(pl.col(pl.String) != "").then(pl.col(pl.String))), bad=bad)
