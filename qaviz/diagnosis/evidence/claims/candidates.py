"""The values that a response names, each with what its clause does with it and holds of the question."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from qaviz.diagnosis.evidence.claims.parts import WORD, Part, is_number
from qaviz.diagnosis.evidence.claims.predicates import is_past
from qaviz.diagnosis.evidence.claims.roles import Role, find_role
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems


class Candidate(NamedTuple):
    """A value that a response names, with what its clause does with it."""

    start: int
    end: int
    part: Part
    role: Role
    about: frozenset[str]
    """The question's words that its clause holds."""
    before: tuple[str, ...]
    """The telling words of its clause before it."""
    after: str
    """The word right after it."""
    bare: bool
    """Its clause is the value and nothing else."""
    named: bool
    """It is a name and no number."""


def find_candidate(
    level: str, start: int, end: int, split: Sequence[Part], asked: frozenset[str], question: str
) -> Candidate:
    """Return the value at `start` to `end` of a levelled response with its clause, of those in `split`."""
    place = next((i for i, part in enumerate(split) if part.start <= start < part.end), 0)
    part = split[place]
    before = [word for word in WORD.findall(level[part.start : start]) if word not in FUNCTION_WORDS]
    after = [word for word in WORD.findall(level[end : part.end]) if word not in FUNCTION_WORDS]
    bare = not before and not after
    if place and not before and _belongs_to(split[place - 1], part, level):
        before = [word for word in _words_of(split[place - 1], level) if word not in FUNCTION_WORDS]
        bare = bare and (level[part.start - 2 : part.start].rstrip() == ":") and not find_foreign_words(before, asked)
    about = words_about((*before, *after), asked)
    if not part.opens and GOES_ON.match(level[part.start : part.end]):
        opening = next(one for one in split if one.sentence == part.sentence)
        about |= words_about(read_subject(level[opening.start : opening.end]), asked)
    role = find_role(level, start, end, part, level_text(question))
    next_word = _NEXT.match(level, end)
    return Candidate(
        start,
        end,
        part,
        role,
        about,
        tuple(before),
        next_word[1] if next_word else "",
        bare,
        not is_number(level[start:end]),
    )


_NEXT = re.compile(r" ([a-z]{3,})")


def read_subject(opening: str) -> list[str]:
    """Return the words of a clause before its verb; all of them where no verb is told."""
    words = WORD.findall(opening)
    verb = next((place for place, word in enumerate(words) if place and is_past(word)), len(words))
    return words[:verb]


def _belongs_to(previous: Part, part: Part, level: str) -> bool:
    """Whether a part goes on with the one before it: the value of a label, a time or place after a comma."""
    between = level[previous.end : part.start]
    return ":" in between or ("," in between and bool(_ADJUNCT.match(level[part.start : part.end])))


_ADJUNCT = re.compile(r"^\W*(?:in|on|at|by|to|namely|that is)\b")


def _words_of(part: Part, level: str) -> list[str]:
    return WORD.findall(level[part.start : part.end])


def find_foreign_words(words: Sequence[str], asked: frozenset[str]) -> list[str]:
    """Return the words that are neither the question's nor said of any value."""
    return [word for word in words if word not in _NEUTRAL and not word.isdigit() and asked.isdisjoint(stems(word))]


_OF_ANY_VALUE = """
came come comes amounted amounts totalled totaled total totals reached reaches stood stands reported recorded estimated
estimates one ones about approximately roughly around nearly almost exactly over only just measured measures answer
figure value number amount year fiscal ended million billion thousand according currently today now however based
"""
_NEUTRAL = frozenset(_OF_ANY_VALUE.split())


GOES_ON = re.compile(
    r"^\W*(?:and|but|or)\W+(?:it |they |he |she )?(?:\w+ly )?(?:has|had|is|was|were|are|\w+ed|\w+s"
    r"|began|sank|won|went|took|made|met|sold|kept|got|built|led|lost|rose|fell|grew|held|left|came|became)\b"
)
"""A part without a subject of its own: it is about what its sentence began with."""


def words_about(words: Sequence[str], asked: frozenset[str]) -> frozenset[str]:
    """Return the stems of those words that the question, given by its stems, asks with."""
    return frozenset(stem for word in words if word not in FUNCTION_WORDS for stem in stems(word) if stem in asked)
