"""Questions whether the same holds of two: `Were both A and B ...?`, `Are A and B of the same ...?`."""

import re
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence.clauses import clauses, level_text
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems, words

_ASKS = r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\s+"
_NAMES = r"(?P<one>[^?,]{2,60}?)\s+and\s+(?P<other>[^?,]{2,60}?)"
_NAME = r"(?-i:[A-Z])[\w.'’-]*"
_BOTH_FIRST = re.compile(
    rf"{_ASKS}both\s+(?:the\s+)?(?P<one>[^?,]{{2,60}}?)\s+and\s+"
    rf"(?P<other>{_NAME}(?:\s+{_NAME})*?)\s+(?P<claim>(?-i:[a-z(])[^?]*|[\w-]+)\?",
    re.IGNORECASE,
)
"""The claim begins in small letters, or is one word: `Were both Ed Wood and Bo Li American?`"""
_BOTH_BEHIND = re.compile(rf"{_ASKS}(?:the\s+)?{_NAMES}\s+both\s+(?P<claim>[^?]+)\?", re.IGNORECASE)
_SAME = re.compile(rf"{_ASKS}(?:the\s+)?{_NAMES}\s+(?P<claim>[^?]*?\bthe same\b[^?]*)\?", re.IGNORECASE)
_SAME_WORDS = frozenset(("same", "both", "share", "shared", "from", "nationality", "country", "city", "kind", "type"))


class _Pair(NamedTuple):
    """What a question asks of two."""

    one: frozenset[str]
    """Stems of the first name that the other has not."""
    other: frozenset[str]
    claim: frozenset[str]
    """Stems of what is asked of both; empty where it is asked whether it is the same."""


def tell_of_both(response: str, question: str) -> bool | None:
    """Return whether the response says the same of both that a question asks of; None where it cannot be told.

    `A is Chinese, B is Korean` says no to `Are both A and B Chinese?` and to `Are A and B of the same nationality?`.
    """
    pair = _read_pair(question)
    if pair is None:
        return None
    said = [_stems(level) for level in _parts(response)]
    ones = [each for each in said if each & pair.one and not each & pair.other]
    others = [each for each in said if each & pair.other and not each & pair.one]
    if len(ones) != 1 or len(others) != 1:
        return None
    if pair.claim:
        holds = [pair.claim <= each for each in (ones[0], others[0])]
        return all(holds) if any(holds) else None
    rest = [each - pair.one - pair.other - _stems(level_text(question)) - _SAME_WORDS for each in (ones[0], others[0])]
    if not all(rest):
        return None
    return True if rest[0] == rest[1] else False if rest[0].isdisjoint(rest[1]) else None


@lru_cache(maxsize=4096)
def _read_pair(question: str) -> _Pair | None:
    if " and " not in question:
        return None
    found = _BOTH_FIRST.match(question) or _BOTH_BEHIND.match(question) or _SAME.match(question)
    if not found:
        return None
    one, other = (_stems(level_text(found[name])) for name in ("one", "other"))
    claim = (
        frozenset() if "same" in found["claim"].lower().split() else _stems(level_text(found["claim"])) - one - other
    )
    pair = _Pair(one - other, other - one, claim)
    same = found.re is _SAME or not claim
    return pair if pair.one and pair.other and (claim or same) else None


_JOINS = re.compile(r",\s+(?:and |but |while |whereas )?|\s(?:and|but|while|whereas)\s")


def _parts(response: str) -> list[str]:
    level = level_text(response)
    spans = clauses(level)
    pieces = [
        piece
        for start, end in spans
        for piece in re.split(r",\s+(?:and |but |while |whereas )?|\s(?:and|but|while|whereas)\s", level[start:end])
    ]
    return [piece for piece in pieces if piece.strip()]


def _stems(level: str) -> frozenset[str]:
    """The stems of a text's words that carry meaning."""
    return frozenset(
        stem
        for form in words(level).forms
        if form not in FUNCTION_WORDS and form not in ("both",)
        for stem in stems(form)
    )
