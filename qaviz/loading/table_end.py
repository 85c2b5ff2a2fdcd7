"""Where a spreadsheet's table ends: notes, totals and other tables may stand below it."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from statistics import median
from typing import TypeVar

from qaviz.loading.column_senses import names_columns, read_column_name
from qaviz.model.columns import QUESTION

AHEAD = 30
"""Rows that are looked at below an empty one, and at a file's end."""

_SAMPLED = 50
"""Rows of the table that those below an empty one are compared with."""

_ENOUGH = 3
_MOST = 0.6

_ASKS = re.compile(r"[?？؟]\W*$")
_FIGURE = re.compile(r"[-+\d.,%/:\s()xX]*")
_TOTALS = re.compile(
    r"\W*(totals?|sum|average|avg|mean|median|overall|accuracy|count|gesamt|summe|durchschnitt|mittelwert|schnitt"
    r"|moyenne|somme|promedio|suma|media|m[ée]dia|totale|soma|gemiddelde|totaal|tổng|trung bình|合計|平均|总计|總計"
    r"|합계|평균)\b.{0,40}",
    re.IGNORECASE,
)

HEADER_AGAIN = "the header again"
OTHER_TABLE = "another table, which is not read"
NOTES = "notes or totals below the table"

R = TypeVar("R")
Cells = Sequence[str | None]


def read_until_end(
    rows: Iterator[R], header: Cells, cells_of: Callable[[R], Cells], left_out: list[tuple[R, str]]
) -> Iterator[R]:
    """The rows of the table, of all rows below its header, empty ones among them.

    What follows an empty row is the table's unless it is unlike the rows above; then nothing more is read. What is left
    out is added to `left_out`: the first row of it, and what it is.
    """
    above: list[Cells] = []
    waiting: Iterator[R] = rows
    while (row := next(waiting, None)) is not None:
        if any(cells_of(row)):
            if len(above) < _SAMPLED:
                above.append(cells_of(row))
            yield row
            continue
        ahead = [row, *islice(waiting, AHEAD)]
        start = next((place for place, row in enumerate(ahead) if any(cells_of(row))), len(ahead))
        yield from ahead[:start]
        below = ahead[start:]
        block = name_block(header, above, [cells_of(row) for row in below])
        if block:
            left_out.append((below[0], block))
        if block not in ("", HEADER_AGAIN):
            return
        waiting = chain(below[bool(block) :], waiting)


def name_block(header: Cells, above: Sequence[Cells], below: Sequence[Cells]) -> str:
    """What the rows below an empty one are, up to the next empty one; empty if they belong to the table."""
    end = next((place for place, cells in enumerate(below) if not any(cells)), len(below))
    block = below[:end]
    if not block or len(above) < 2:
        return ""
    if _plain(block[0]) == _plain(header):
        return HEADER_AGAIN
    if names_columns(block[0]):
        return OTHER_TABLE
    place = next((n for n, name in enumerate(header) if name and read_column_name(name).word == QUESTION), None)
    if place is not None and any(place < len(cells) and _ASKS.search(cells[place] or "") for cells in block):
        return ""
    return NOTES if median(map(_count_texts, block)) <= _MOST * median(map(_count_texts, above)) else ""


def _plain(cells: Cells) -> list[str]:
    return [cell.strip().casefold() for cell in cells if cell and cell.strip()]


def _count_texts(cells: Cells) -> int:
    return sum(1 for cell in cells if cell and not _FIGURE.fullmatch(cell))


def find_trailing(questions: Sequence[str | None], texts: Sequence[Cells], *, alone: bool) -> list[bool]:
    """For each of a table's last rows that are notes, totals or empty whether it is more than empty; nothing if no such
    row is. `asked` are its questions, `said` the golden answers, facts and responses of each row, and `alone` whether a
    text that asks nothing is a note where nothing stands beside it."""
    rows = list(zip(questions, texts, strict=True))
    count = next(
        (n for n, row in enumerate(reversed(rows[-AHEAD:])) if not _is_note(*row, alone=alone)), min(AHEAD, len(rows))
    )
    above, last = rows[: len(rows) - count], rows[len(rows) - count :]
    whole = sum(bool(question and any(cells)) for question, cells in above)
    filled = [bool(question and question.strip()) or any(cells) for question, cells in last]
    return filled if any(filled) and len(above) >= _ENOUGH and whole >= _MOST * len(above) else []


def _is_note(question: str | None, cells: Cells, *, alone: bool) -> bool:
    filled = [cell for cell in cells if cell and cell.strip()]
    if not question or not question.strip() or _TOTALS.fullmatch(question.strip()):
        return all(_FIGURE.fullmatch(cell) for cell in filled)
    return alone and not filled and not _ASKS.search(question)
