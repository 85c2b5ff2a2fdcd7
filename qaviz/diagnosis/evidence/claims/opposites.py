"""A golden value beside the opposite of the question's verb: `it sold X` where the question asks what it acquired."""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence.claims.predicates import is_past
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.words import base_verb, stems

_PAIRS = """
buy acquire purchase : sell divest
spend pay : earn receive bring generate
open founded establish launch begin start build construct erect create : close shut demolish dissolve cease fall
collapse : build construct erect
born : die
win earn gain profit : lose loss
join enter : leave quit exit
appoint hire : dismiss fire
import : export
lend : borrow
marry : divorce
arrive land : depart leave launch
release : withdraw
"""


def _stem(verb: str) -> str:
    return stems(base_verb(verb))[0]


_SIDES = [
    tuple(frozenset(_stem(verb) for verb in side.split()) for side in line.split(":"))
    for line in _PAIRS.strip().splitlines()
]
_WORD = re.compile(r"[a-z]+")
_NOUNS = frozenset(("profit", "loss", "gain"))
"""Nouns that say what their verb does."""
_CONVERSE = re.compile(r"\b(?:to|from|by|against|for|with)\b")
"""What makes an opposite say the same: `lost to X`, `sold to X`."""


@lru_cache(maxsize=4096)
def _opposites(question: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of the question's verbs that have an opposite, with all that say the same, and of their opposites."""
    asked = {_stem(word) for word in _WORD.findall(level_text(question))}
    same: set[str] = set()
    other: set[str] = set()
    for one, two in _SIDES:
        if asked & one and not asked & two:
            same, other = same | one, other | two
        elif asked & two and not asked & one:
            same, other = same | two, other | one
    return frozenset(same), frozenset(other - same)


def stands_with_opposite(question: str, clause: str, start: int, end: int) -> bool:
    """Return whether the value at `start` to `end` of a levelled clause stands with an opposite of the asked verb."""
    same, other = _opposites(question)
    if not other:
        return False
    words = [(word.start(), word.group(), _stem(word.group())) for word in _WORD.finditer(clause)]
    if any(stem in same for _, _, stem in words):
        return False
    place = next((at for at, word, stem in words if stem in other and (is_past(word) or word in _NOUNS)), None)
    if place is None:
        return False
    between = clause[place:start] if place < start else clause[end:place]
    return not _CONVERSE.search(between)
