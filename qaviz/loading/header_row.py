"""Which row of a spreadsheet names the columns: titles and notes may stand above it."""

import re
from collections.abc import Sequence

from qaviz.loading.column_senses import read_column_name
from qaviz.model.columns import QUESTION, QUESTION_ID

HEADER_ROWS = 30
"""Rows among which the header is looked for."""

_LONGEST_NAME = 60
_MOST = 0.6
"""Share of the widest row's cells that a header fills at least."""

_UNIT = re.compile(r"\[[^\[\]]{0,12}\]|\([^()]{0,12}\)")

Cells = Sequence[str | None]


def find_header(rows: Sequence[Cells]) -> int:
    """The place of the row that names the columns, among the first rows; the first row where nothing speaks against it.

    Another row is taken if it names the question and a second column while the first row does not, which may be a row
    of groups above it, or if the first row is a title: one cell above a table of several.
    """
    first = next((place for place, row in enumerate(rows) if _count_filled(row)), 0)
    if not rows or _names_question(rows[first]):
        return first
    candidates = range(first + 1, min(len(rows), HEADER_ROWS))
    for place in candidates:
        if not _names_question(rows[place]):
            continue
        groups = _count_filled(rows[first]) < _count_filled(rows[place]) and _known(rows[place]) > 1
        if groups or _known(rows[place]) > _known(rows[first]) + _is_as_wide(rows, first, place):
            return place
    widest = max((_count_filled(row) for row in rows), default=0)
    if _count_filled(rows[first]) == 1 < widest:
        return next((place for place in candidates if _count_filled(rows[place]) >= max(2, _MOST * widest)), first)
    return first


def join_header(upper: Cells, lower: Cells) -> list[str | None] | None:
    """The names of a header of two rows, whose upper row groups columns (`Question | Answers |  | `); None if the lower
    row is the first row of the table."""
    width = max(len(upper), len(lower))
    above, below = ([*row, *[None] * (width - len(row))] for row in (upper, lower))
    # A name that is merged downwards stands in both rows.
    below = [None if low == up else low for up, low in zip(above, below, strict=True)]
    asked = [place for place, name in enumerate(above) if name and read_column_name(name).word == QUESTION]
    blanks = [place for place, name in enumerate(above) if not name]
    if not asked or any(below[place] for place in asked) or not any(below[place] for place in blanks):
        return None
    return [low or up for up, low in zip(above, below, strict=True)]


def names_columns(row: Cells) -> bool:
    """Whether a row is a header: it names the question and another column."""
    return _names_question(row) and _known(row) > 1


def is_units(row: Cells) -> bool:
    """Whether the row below a header only names units: `[ms]`, `(USD)`."""
    filled = [cell.strip() for cell in row if cell and cell.strip()]
    return bool(filled) and all(_UNIT.fullmatch(cell) for cell in filled)


def _is_as_wide(rows: Sequence[Cells], first: int, place: int) -> bool:
    """Whether the first row has as many cells as the other: then it is hardly a title, and more has to be known."""
    return _count_filled(rows[first]) >= _count_filled(rows[place])


def _count_filled(row: Cells) -> int:
    return sum(1 for cell in row if cell and cell.strip())


def _names_question(row: Cells) -> bool:
    return _count_filled(row) > 1 and any(_word(cell) in (QUESTION, QUESTION_ID) for cell in row)


def _known(row: Cells) -> int:
    return len({word for cell in row if (word := _word(cell))})


def _word(cell: str | None) -> str | None:
    # A single letter is rather a cell than a name.
    return read_column_name(cell).word if cell and 1 < len(cell) <= _LONGEST_NAME else None
