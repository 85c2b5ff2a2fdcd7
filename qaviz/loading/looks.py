"""What the cells of a column look like: the evidence that its name cannot give."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from qaviz.loading.formats.cells import FLAGS, read_json

ENOUGH = 3
"""Filled cells from which on their look says something."""

_MOST = 0.8
_QUESTIONS = 0.6
"""Shares of the filled cells that make a column one of that kind."""

_EXAMPLE = 60
"""Characters of a cell that an example shows."""

_TELLING = 2_000
"""Characters at each end of a cell that say what it is: a cell of a million is not read whole."""

_NUMBER = re.compile(r"\s*[-+]?[\d.,\s]*\d\s*%?\s*")
_DATE = re.compile(r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([T ]\d{1,2}:\d{2}.*)?\s*")
_URL = re.compile(r"\s*(https?://|www\.|s3://|gs://|file:)\S+\s*", re.IGNORECASE)
_FILE = re.compile(r"[^\n]{1,150}\.(pdf|docx?|html?|md|txt|csv|xlsx?|pptx?|json)\b.{0,30}", re.IGNORECASE)
ASKS = r"[?？؟]\s*[\"'”’»)\]]*\s*$"
"""How a text ends that asks."""
_ASKS = re.compile(ASKS)
_WORD = re.compile(r"\w+")
_SHORTEST_WORD = 4


@dataclass(frozen=True)
class Look:
    """What the filled cells of a column have in common. Shares are of the filled cells, 0 where there is none."""

    filled: int
    distinct: int
    asking: float
    """Share that ends in a question mark."""
    numbers: float
    dates: float
    links: float
    """Share of web addresses and file names."""
    flags: float
    """Share of yes and no, true and false."""
    lists: float
    """Share of JSON lists."""
    words: float
    """Median number of words; in a script without spaces, of characters by two."""
    example: str
    """The first filled cell, shortened."""

    @property
    def says_something(self) -> bool:
        """Whether there are enough cells to judge by."""
        return self.filled >= ENOUGH

    @property
    def is_question(self) -> bool:
        """Whether the cells are questions, and not a few of them over and over."""
        return self.asking >= _QUESTIONS

    @property
    def is_no_text(self) -> bool:
        """Whether the cells are numbers, dates, web addresses, flags: nothing that a pipeline says at length."""
        return max(self.numbers, self.dates, self.links, self.flags) >= _MOST

    @property
    def is_text(self) -> bool:
        """Whether the cells may be texts that somebody wrote."""
        return bool(self.filled) and not (self.is_no_text or self.repeats)

    @property
    def is_number(self) -> bool:
        """Whether the cells are numbers."""
        return self.numbers >= _MOST

    @property
    def is_link(self) -> bool:
        """Whether the cells are web addresses or file names."""
        return self.links >= _MOST

    @property
    def is_flag(self) -> bool:
        """Whether the cells are yes and no, true and false, 1 and 0."""
        return self.flags >= _MOST

    @property
    def repeats(self) -> bool:
        """Whether few values stand again and again, as those of a category do."""
        return self.filled >= 2 * ENOUGH and self.distinct <= max(2, self.filled // ENOUGH)


def look_at(cells: Sequence[str | None]) -> Look:
    """What the filled cells look like."""
    whole_cells = [cell for cell in cells if cell is not None and cell.strip()]
    filled = [_keep_ends(cell) for cell in whole_cells]
    count = len(filled) or 1
    lengths = sorted(map(_length, filled)) or [0.0]

    def share(pattern: re.Pattern[str], *, whole: bool = True) -> float:
        return sum(bool(pattern.fullmatch(cell) if whole else pattern.search(cell)) for cell in filled) / count

    return Look(
        filled=len(filled),
        distinct=len(set(filled)),
        asking=share(_ASKS, whole=False),
        numbers=share(_NUMBER),
        dates=share(_DATE),
        links=max(share(_URL), share(_FILE)),
        flags=sum(cell.strip().lower() in FLAGS for cell in filled) / count,
        lists=sum(isinstance(read_json(cell), list) for cell in whole_cells) / count,
        words=lengths[len(lengths) // 2],
        example=_short(filled[0]) if filled else "",
    )


def share_words(cells: Sequence[str | None], *others: Sequence[str | None]) -> float:
    """Share of the rows with a filled cell that has a word in common with the same row of one of the others."""
    met = [
        any(_words(cell) & _words(other[place] if place < len(other) else None) for other in others)
        for place, cell in enumerate(cells)
        if cell and cell.strip()
    ]
    return sum(met) / len(met) if met else 0.0


def share_inside(cells: Sequence[str | None], other: Sequence[str | None]) -> float:
    """Share of the filled cells that are part of the same row's cell of the other column, case aside."""
    filled = [(cell.strip().casefold(), around) for cell, around in zip(cells, other, strict=False) if cell and around]
    return sum(cell in around.casefold() for cell, around in filled) / len(filled) if filled else 0.0


def _words(cell: str | None) -> set[str]:
    """The words of four letters and more, all numbers, and pairs of characters of scripts without spaces."""
    words: set[str] = set()
    for word in _WORD.findall(_keep_ends(cell or "").casefold()):
        if not word.isascii() and _is_unspaced(word):
            words |= {word[place : place + 2] for place in range(len(word) - 1)}
        elif len(word) >= _SHORTEST_WORD or word.isdigit():
            words.add(word)
    return words


def _keep_ends(cell: str) -> str:
    """Return the cell, without the middle of a very long one."""
    return cell if len(cell) <= 2 * _TELLING else f"{cell[:_TELLING]}{cell[-_TELLING:]}"


def _length(cell: str) -> float:
    return len(cell) / 2 if _is_unspaced(cell) else float(len(cell.split()))


def _is_unspaced(text: str) -> bool:
    """Whether it is written in Chinese or Japanese, without spaces between the words."""
    return any("\u3040" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff" for char in text)


def _short(cell: str) -> str:
    line = " ".join(cell.split())
    return line if len(line) <= _EXAMPLE else f"{line[: _EXAMPLE - 1]}…"
