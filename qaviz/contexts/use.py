"""What a response draws on: the context that its values stand in, and whether contexts and responses agree on another
value than the golden one.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from qaviz.contexts.passages import Sought, level_value, list_terms, share_held
from qaviz.diagnosis.evidence import Stance
from qaviz.diagnosis.evidence.clauses import holds_words, level_text

DRAWN = 0.6
"""Share of a response's own words from which it draws on a context that holds them."""
ABOUT_OTHERWISE = 0.6
"""Share of the question's words that stand around a value which a context gives in place of the golden one."""
PLAIN = 0.8
"""The same from which one pipeline proves it, where the documents are known."""
_AROUND = 200
MOST_CLAIMS = 20
"""Values of one response that are looked for."""

_CLAIM = re.compile(r"[$€£¥]?\d[\d.,:/-]*\d%?|\d%?|(?<!^)(?<![.!?] )\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
"""A figure, or a name inside a sentence."""


class Use(NamedTuple):
    """What a response draws on."""

    taken: str | None
    """A value that the response says and the golden fact does not, as a context has it."""
    place: int | None
    """The place, from 0, of the context that it draws on."""
    otherwise: str | None
    """The value that a context about the question gives in place of the golden one."""
    plain: bool = False
    """Whether all but the whole question stands around it: no passage could be more about the question."""


@lru_cache(maxsize=4096)
def list_claims(response: str, question: str, golden: str) -> tuple[str, ...]:
    """The figures and names of a response that neither the question nor the golden text has."""
    known = level_text(f"{question} {golden}")
    claims = dict.fromkeys(match[0].rstrip(".,:;") for match in _CLAIM.finditer(response))
    return tuple(claim for claim in claims if claim and not holds_words(known, level_value(claim)))[:MOST_CLAIMS]


def find_use(
    response: str, golden: str, sought: Sought, says: str | None, stance: str | None, passages: Sequence[str]
) -> Use:
    """Find the context that a response draws on which does not state the fact, by its values, else by its words."""
    if stance == Stance.AGREES:
        return Use(None, None, None)
    levels = [level_text(passage) for passage in passages]
    stated = (says,) if says and stance == Stance.CONTRADICTS else ()
    claims = dict.fromkeys((*stated, *list_claims(response, sought.question, golden)))
    values = [(claim, level_value(claim)) for claim in claims]
    held = [[claim for claim, value in values if value in level and holds_words(level, value)] for level in levels]
    own = tuple(term for term in list_terms(response) if term not in sought.topic)
    shares = [share_held(own, level) if own else 0.0 for level in levels]
    best = max(range(len(levels)), key=lambda place: (len(held[place]), shares[place]), default=None)
    if best is None or not (held[best] or shares[best] >= DRAWN):
        return Use(None, None, None)
    otherwise, about = _find_otherwise(sought, levels, held)
    return Use(held[best][0] if held[best] else None, best, otherwise, about >= PLAIN)


def _find_otherwise(sought: Sought, levels: Sequence[str], held: Sequence[Sequence[str]]) -> tuple[str | None, float]:
    """The value of the golden one's kind, figure or name, that stands where a context is most about the question; and
    how much it is, 0 to 1."""
    figures = bool(sought.variants[0].figures)
    about = {
        claim: _share_around(sought, level, claim)
        for level, claims in zip(levels, held, strict=True)
        for claim in claims
        if any(map(str.isdigit, claim)) == figures
    }
    best = max(about, key=lambda claim: about[claim], default=None)
    return (best, about[best]) if best and about[best] >= ABOUT_OTHERWISE else (None, 0.0)


def _share_around(sought: Sought, level: str, claim: str) -> float:
    place = level.find(level_text(claim))
    around = level[max(0, place - _AROUND) : place + _AROUND]
    # Another year's figure is no answer, however much of the question stands beside it.
    other = any(term.isdigit() and term not in around for term in sought.topic)
    return 0.0 if other else share_held(sought.topic, around)
