"""Texts from files, made fit for a page of fixed size: visible signs for what cannot be seen, and a known length."""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import count as numbers_from
from os.path import commonprefix

from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.model.visible import ELLIPSIS, excerpt, one_line

LONGEST_NAME = 40
"""Characters of a pipeline's name where room is short."""

LEAD = 8
"""Characters that stand before the place where long names begin to differ."""

LETTER, CAPITAL, WIDE = 0.55, 0.72, 1.15
"""What a character takes of a line, in units of the type's size; a little more than in Arial, so that estimates hold
where another font steps in."""

_BROAD = "mw%&@#+=<>~^_—…"
"""Characters that are no capitals and as wide."""


def variants_in_words(text: str | None) -> str:
    """A golden fact or answer as people read it: `four or 4` for `four<OR>4`; empty where there is none."""
    return (text or "").replace(OR_DELIMITER, " or ").replace(AND_DELIMITER, " and ")


def short_names(names: Sequence[str], longest: int = LONGEST_NAME) -> dict[str, str]:
    """For each name one that is on one line, of at most `longest` characters, and no other's.

    Long ones are cut in the middle; where that makes two the same, around the place where they begin to differ.
    """
    lines = {name: one_line(name) for name in names}
    long = [line for line in lines.values() if len(line) > longest]
    cut = {line: _middle_cut(line, longest) for line in long}
    if len(set(cut.values())) < len(set(long)):
        differing = max(len(commonprefix(long)) - LEAD, 0)  # noqa: RUF071 - characters are compared on purpose
        cut = {line: f"{ELLIPSIS}{excerpt(line[differing:], longest - 1)}" for line in long}
    shortened: dict[str, str] = {}
    for name, line in lines.items():
        short, taken = cut.get(line, line), set(shortened.values())
        numbered = (f"{short[: longest - 5]} ({number})" for number in numbers_from(2))
        shortened[name] = short if short not in taken else next(name for name in numbered if name not in taken)
    return shortened


def _middle_cut(line: str, longest: int) -> str:
    start = longest * 2 // 5
    return f"{line[:start]}{ELLIPSIS}{line[start + 1 - longest :]}"


def right_to_left(text: str) -> bool:
    """Whether the text's first letter belongs to a script that is written from right to left."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


def extent(text: str) -> float:
    """Roughly how long a line the text takes, in units of the type's size."""
    return sum(map(_extent_of, text))


def _extent_of(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return WIDE
    return CAPITAL if character.isupper() or character in _BROAD else LETTER


def lines_of(text: str, line: float) -> int:
    """How many lines the text takes where a line has room for this extent."""
    return sum(_count_lines(paragraph.split(" "), line) for paragraph in text.split("\n"))


def _count_lines(words: Iterable[str], line: float) -> int:
    lines, used = 1, 0.0
    for word in words:
        needed = extent(word)
        if used and used + needed > line:
            lines, used = lines + 1, 0.0
        # A word that is longer than a line is broken.
        if needed > line:
            lines += int(needed // line)
        used += needed % line + LETTER
    return lines


def fit_text(text: str, line: float, most_lines: int) -> str:
    """As much of the text as stands on so many lines of this extent; a cut ends in an ellipsis."""
    # No text fits that is longer than narrow letters: what is beyond need not be measured.
    text = excerpt(text, int(most_lines * line / 0.3))
    if lines_of(text, line) <= most_lines:
        return text
    fits, too_long = 0, len(text)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        fits, too_long = (
            (middle, too_long) if lines_of(text[:middle] + ELLIPSIS, line) <= most_lines else (fits, middle)
        )
    return _whole_words(text[:fits], text[fits]) + ELLIPSIS


def _whole_words(text: str, following: str) -> str:
    """The text without a word that the cut broke, unless that leaves little of it, as in scripts without blanks."""
    whole = text if following.isspace() else text.rpartition(" ")[0]
    return (whole if 2 * len(whole) > len(text) else text).rstrip()
