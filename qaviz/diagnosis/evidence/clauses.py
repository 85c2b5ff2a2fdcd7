"""A text in lower case of the same length, divided into sentences and their parts before and after a contrast."""

import re
from collections.abc import Iterator
from functools import lru_cache

from qaviz.diagnosis.evidence import Span

_TYPOGRAPHY = {"'": "’‘ʼ′`´", '"': "“”«»„", " ": "\u00a0\u202f\u2009\u2007", "-": "‐‑‒–—−"}
"""Plain character -> those written in its place. Replaced one by one: ten times as fast as `str.translate`."""

# One class of all first characters: the pattern then skips the rest ten times as fast.
_BREAK = re.compile(
    r"""
    [.!?…;\n] (?:
        (?<=[.!?…])["')\]*]{0,4}\s+        # the end of a sentence; a decimal point has no blank after it
      | (?<=\n)\s*                        # the end of a line or of a list's entry
      | (?<=;)\s+                         # two clauses that could be sentences
    )
    """,
    re.VERBOSE,
)
_CONTRASTS = ("but", "however", "although", "though", "whereas", "nhưng", "tuy nhiên")
"""Words that begin a contrast within a sentence."""
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'])(?:[a-z]|mr|mrs|ms|dr|prof|st|sr|jr|inc|ltd|corp|co|vs|gen|sen|rep|u\.s|e\.g|i\.e)$"
)
_LONGER = 5
"""Letters from which a word is longer than any of these."""

REMEMBERED = 1024
"""Texts in the cache: at least those of the rows that are weighed together, so that each is read once."""


@lru_cache(maxsize=REMEMBERED)
def level_text(text: str) -> str:
    """`text` in lower case with plain quotes, blanks and dashes, as long as `text`: offsets stay true."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    if lower.isascii():
        return lower
    for plain, written in _TYPOGRAPHY.items():
        for character in written:
            lower = lower.replace(character, plain)
    return lower


@lru_cache(maxsize=REMEMBERED)
def clauses(level: str) -> tuple[tuple[int, int], ...]:
    """The clauses of a levelled text, as (start, end): divided at sentences, lines, semicolons and contrasts."""
    parts, start = [], 0
    for begin, end in _stops(level):
        if level[begin] == "." and _ends_abbreviation(level, start, begin):
            continue
        if level[start:begin].strip():
            parts.append((start, begin))
        start = end
    if level[start:].strip():
        parts.append((start, len(level)))
    return tuple(parts)


def _stops(level: str) -> list[tuple[int, int]]:
    """What may part two clauses, as (start, end): the break after a sentence, or the blank before a contrast."""
    breaks = [stop.span() for stop in _BREAK.finditer(level)]
    turns = [turn for word in _CONTRASTS if word in level for turn in _turns(level, word)]
    if not turns:
        return breaks
    stops, last = [], 0
    for begin, end in sorted(breaks + turns):
        if begin >= last:
            stops.append((begin, end))
            last = end
    return stops


def _turns(level: str, contrast: str) -> Iterator[tuple[int, int]]:
    """The blank before each word that is `contrast`, with the comma before it."""
    word = level.find(contrast)
    while word >= 0:
        end = word + len(contrast)
        if level[word - 1 : word] == " " and not (level[end : end + 1].isalnum() or level[end : end + 1] == "_"):
            comma = level[word - 2 : word - 1] == ","
            yield word - 2 if comma else word - 1, word
        word = level.find(contrast, end)


def _ends_abbreviation(level: str, start: int, end: int) -> bool:
    if end >= _LONGER and level[end - _LONGER : end].isalpha():
        return False
    return _ABBREVIATION.search(level, max(start, end - 8), end) is not None


def holds_words(text: str, words: str) -> bool:
    """Whether `words` stand in `text` between the edges of words: a pattern for each would have to be compiled."""
    start = text.find(words)
    while start >= 0:
        if _at_edge(text, start) and _at_edge(text, start + len(words)):
            return True
        start = text.find(words, start + 1)
    return False


def _at_edge(text: str, place: int) -> bool:
    """Whether a word begins or ends there."""
    before, after = text[place - 1 : place] if place else "", text[place : place + 1]
    return (before.isalnum() or before == "_") != (after.isalnum() or after == "_")


def span(text: str, start: int, end: int) -> Span:
    """The stretch of `text` from `start` to `end`, without the blanks around it."""
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    words = words.strip()
    return Span(start, start + len(words), words)


def holds_any(text: str, marks: tuple[str, ...]) -> bool:
    """Whether one of the marks stands in `text`: cheap to look for, before a pattern is."""
    for mark in marks:  # noqa: SIM110 - twice as fast as any() over a generator, and asked of each response
        if mark in text:
            return True
    return False
