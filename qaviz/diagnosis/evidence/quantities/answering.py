"""Which of a response's quantities answer: the result of a calculation outranks its working."""

import re
from collections.abc import Iterator

from qaviz.diagnosis.evidence.clauses import clauses, holds_any
from qaviz.diagnosis.evidence.quantities.reading import Quantity

_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|in conclusion|in summary|to summari[sz]e|final answer|the answer|rounded|rounding"
    r"|as a result|do đó|vì vậy|tóm lại)\b|^\W*(?:so|overall|finally|in total)\b"
)
"""A clause that concludes."""
_CUES = (
    "so",
    "fore",
    "thus",
    "hence",
    "conclu",
    "summar",
    "answer",
    "round",
    "result",
    "final",
    "total",
    "đó",
    "vì",
    "tóm",
    "over",
)
"""A text without any of these concludes nothing: cheap to look for, before the pattern is."""
_EQUALS = ("=", "≈")
_MARKS = _CUES + _EQUALS

Clause = tuple[int, int, list[Quantity]]
"""Where a clause begins and ends, and its quantities."""


def answering(level: str, candidates: list[Quantity]) -> list[Quantity]:
    """Return those of the quantities with which a response, levelled, answers.

    Those of its last conclusion ("therefore ..."); else those of its first statement and of its last equation; without
    conclusion and equation all of them.
    """
    if len(candidates) < 2 or not holds_any(level, _MARKS):
        return candidates
    stated = [*_by_clause(level, candidates)]
    for start, end, inside in reversed(stated):
        if _concludes(level[start:end]):
            return _after_equals(level, start, inside)
    if not stated:
        return candidates
    start, end, inside = stated[0]
    if holds_any(level[start:end], _EQUALS):
        return _after_equals(level, start, candidates)
    return inside + _after_equals(level, end, [quantity for quantity in candidates if quantity.start >= end])


def _concludes(clause: str) -> bool:
    return holds_any(clause, _CUES) and _CONCLUDES.search(clause) is not None


def _by_clause(level: str, candidates: list[Quantity]) -> Iterator[Clause]:
    """The clauses that state a quantity, with their quantities."""
    place = 0
    for start, end in clauses(level):
        first = place
        while place < len(candidates) and candidates[place].start < end:
            place += 1
        if any(not quantity.weak for quantity in candidates[first:place]):
            yield start, end, candidates[first:place]


def _after_equals(level: str, start: int, candidates: list[Quantity]) -> list[Quantity]:
    """The candidates after the last equals sign that has any."""
    if not candidates:
        return candidates
    equals = max(level.rfind(mark, start, candidates[-1].start) for mark in _EQUALS)
    return [quantity for quantity in candidates if quantity.start > equals]
