"""Refusals: a response that gives no answer, told apart from an answer with a caveat."""

import re
import unicodedata
from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple

from qaviz.reading.level import READ, REMEMBERED, level_text
from qaviz.reading.sides import asks_yes_or_no, divide
from qaviz.reading.tables import load, pattern
from qaviz.reading.words import words


class Refusal(NamedTuple):
    """A clause that declines."""

    declines: bool
    """The whole response gives no answer; else it answers, and says what it does not know."""
    start: int
    end: int
    strength: float


_REPEATED = 2
"""Clauses that refuse, beside another one that declines, from which a response does so for good."""
_SEMICOLON, _MARKS = re.compile(";"), " .!,;…。"


class _Role(Enum):
    """What a clause does for the question: the first that fits."""

    REFUSES = "refuses"
    NOT_TOLD = "not_told"
    """The response says that its source does not tell."""
    ANSWERS_ANYWAY = "answers_anyway"
    """Answers in spite of what was said before."""
    INSTRUCTS = "instructs"
    """Tells the reader how to find the answer."""
    EXPLAINS = "explains"
    """Explains or supposes, and states nothing about the question."""
    FILLS = "fills"
    STATES = "states"


_DECLINES = (_Role.REFUSES, _Role.NOT_TOLD)
_SAYS_NOTHING = (_Role.EXPLAINS, _Role.FILLS)
_OTHERS = (_Role.ANSWERS_ANYWAY, _Role.INSTRUCTS, _Role.EXPLAINS, _Role.FILLS)


@cache
def _pattern(role: _Role) -> re.Pattern[str]:
    """The clauses of a role, over composed and over decomposed letters."""
    composed = load("refusals")["clauses"][role.value]
    for name, fragment in load("refusals")["fragments"].items():
        composed = composed.replace(f"<{name}>", fragment)
    composed = composed.replace("_", "[ ]")
    decomposed = unicodedata.normalize("NFD", composed)
    return re.compile(composed if decomposed == composed else f"{composed}|{decomposed}", re.VERBOSE)


@cache
def _list_pattern(language: str) -> re.Pattern[str] | None:
    """How a response declines in a language, besides English."""
    ways = "|".join(f"(?:{way})" for way in load("refusals")["lists"].get(language, ()))
    return re.compile(ways.replace("_", r" (?:\S+ ){0,5}?")) if ways else None


@lru_cache(maxsize=REMEMBERED)
def read_refusal(response: str, question: str = "", language: str = "en") -> Refusal | None:
    """Return the clause with which a response declines, or the caveat of one that answers; None where neither stands.

    A refusal whose words the question holds too (`Which report does not disclose it?`) is none.
    """
    level = level_text(response[:READ])
    if _list_pattern(language) is None and not _may_decline(level):
        return None
    clauses = ((start, level[start:end].rstrip(_MARKS)) for start, end in divide(level, level, _SEMICOLON, language))
    parts = [(start, start + len(clause)) for start, clause in clauses if clause]
    level_question = level_text(question)
    declining = {}
    for part in parts:
        declares = _find_refusals(level[slice(*part)], language)
        own = (role for role, hit in declares if not _restates(hit, level_question, language))
        if role := next(own, None):
            declining[part] = role
    if not declining:
        return None
    roles = {
        part: declining.get(part) or _role(level[slice(*part)], level[slice(*part)].rstrip("\"')").endswith("?"))
        for part in parts
    }
    # The first clause that says something decides, unless a conclusion or an answer in spite of it follows.
    refusing = [part for part, role in declining.items() if role is _Role.REFUSES]
    first, last = next(iter(declining)), (refusing or list(declining))[-1 if refusing else 0]
    caveat = Refusal(False, *first, 0.7)  # a refusal beside an answer
    if any(roles[part] is _Role.ANSWERS_ANYWAY for part in parts if part > last and part not in declining):
        return caveat
    telling = next(role for role in roles.values() if role not in _SAYS_NOTHING)
    if telling in (*_DECLINES, _Role.INSTRUCTS):
        return Refusal(True, *first, 1.0)
    if refusing and pattern("sums_up").search(level[slice(*last)]):
        return Refusal(True, *last, 0.7)
    behind = parts[parts.index(first) :]
    nothing = all(part in declining or roles[part] in (*_SAYS_NOTHING, _Role.INSTRUCTS) for part in behind)
    if len(refusing) >= _REPEATED and len(declining) > _REPEATED and nothing:
        return Refusal(True, *refusing[0], 0.6)
    return caveat


def _may_decline(level: str) -> bool:
    return any(map(level.__contains__, load("refusals")["may_decline"]))


@lru_cache(maxsize=16_384)
def _find_refusals(clause: str, language: str) -> tuple[tuple[_Role, str], ...]:
    """The ways in which a clause may decline, with the words that do. Stock sentences stand in many responses."""
    hits = [(role, _pattern(role).search(clause)) for role in _DECLINES] if _may_decline(clause) else []
    if own := _list_pattern(language):
        hits.append((_Role.REFUSES, own.search(clause)))
    concluded = pattern("so_the_answer")
    conceded = pattern("concedes").match(clause) is not None  # `although the filing does not say it, ...`
    return tuple(
        (role, hit.group())
        for role, hit in hits
        if hit and not (conceded and "," in clause[hit.end() :]) and not concluded.search(clause, hit.end())
    )


def _restates(declining: str, question: str, language: str) -> bool:
    """Whether what seems to decline is what the question is about: `is not covered`, where it asks what is covered."""
    if declining in question:
        return True
    if not asks_yes_or_no(question, language):
        return False
    last = words(declining, language).words[-1:]
    return bool(last) and last[0].form.endswith("ed") and last[0].stem in words(question, language).stems


@lru_cache(maxsize=16_384)
def _role(clause: str, question_mark: bool) -> _Role:
    """What a clause does that declines nothing. A question, most often the row's own, does nothing."""
    if question_mark:
        return _Role.FILLS
    supposes = pattern("supposes").match(clause) is not None
    roles = (role for role in _OTHERS if not (supposes and role is _Role.ANSWERS_ANYWAY))
    return next((role for role in roles if _pattern(role).search(clause)), _Role.STATES)
