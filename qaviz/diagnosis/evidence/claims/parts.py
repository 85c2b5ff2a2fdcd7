"""A short response in parts, from one comma, bracket or conjunction to the next, and what counts as a number."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence.lexicon import CARDINALS, FUNCTION_WORDS

LONGEST = 320
"""Characters of a response up to which its clauses are compared: in longer ones names stand for many reasons."""
# One class of all first characters: the pattern then skips the rest faster.
_PART = re.compile(
    r"[.!?…;:\n(),\s](?:(?<=[.!?…;:\n])(?<![\s.][a-z][.!?…;:\n])(?=\s|$)|(?<=[()])|(?<=,)(?=\s)"
    r"|(?<=\s)(?:[-–—]\s|(?=(?:and|but|while|whereas|although|though|however|which|who|when|yet|or)\s)))"
)
_SENTENCE = (".", "!", "?", "…", "\n", ";")
YEAR = re.compile(r"(?<![\d.,$€£-])(?:1[0-9]|20)\d\d(?![\d%]|,\d)")
WORD = re.compile(r"[^\W_]+")
_ABBREVIATED = "nr st mr mrs ms dr mt prof jr sr inc corp co ltd vs gen sen ft fig"
_ABBREVIATIONS = [[word] for word in _ABBREVIATED.split()]
_NUMBER_WORDS = [[word] for word in CARDINALS]


class Part(NamedTuple):
    """A part of a sentence: from one comma, bracket or conjunction to the next."""

    start: int
    end: int
    text: str
    """As levelled."""
    sentence: int
    opens: bool
    """It begins a sentence."""
    bracketed: bool
    asks: bool
    """A question mark ends it."""


@lru_cache(maxsize=512)
def parts(level: str) -> tuple[Part, ...]:
    """The parts of a levelled text, in order."""
    return tuple(_parts(level))


def _parts(level: str) -> Iterator[Part]:
    start, sentence, opens, depth = 0, 0, True, 0
    cuts = [(cut.start(), cut.end(), cut.group()) for cut in _PART.finditer(level)] + [(len(level), len(level), "")]
    for begin, end, mark in cuts:
        if mark == "." and level[max(start, begin - 5) : begin].split()[-1:] in _ABBREVIATIONS:
            continue
        if (text := level[start:begin]).strip():
            yield Part(start, begin, text, sentence, opens, depth > 0, mark == "?")
            opens = False
        depth = max(0, depth + (mark == "(") - (mark == ")"))
        if mark.startswith(_SENTENCE):
            sentence, opens = sentence + 1, True
        start = end


def is_number(text: str) -> bool:
    """Return whether a text holds a number, in digits or as its first word."""
    return any(map(str.isdigit, text)) or text.lower().split()[:1] in _NUMBER_WORDS


def find_telling_words(level: str) -> list[str]:
    """Return the words of a levelled text that are more than grammar, in order."""
    return [word for word in WORD.findall(level) if word not in FUNCTION_WORDS]
