"""The values that a response names, each with what its clause does with it and holds of the question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from qaviz.diagnosis.evidence.assertion_status import DENIES
from qaviz.diagnosis.evidence.claims.cues import PATTERNS
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems

LONGEST = 320
"""Characters of a response up to which its clauses are compared: in longer ones names stand for many reasons."""
# All that may begin a cut stands first: the pattern then skips the rest faster.
_PART = re.compile(
    r"[.!?…;:\n(),\s](?:(?<=[.!?…;:\n])(?<![\s.][a-z][.!?…;:\n])(?=\s|$)|(?<=[()])|(?<=,)(?=\s)"
    r"|(?<=\s)(?:[-–—]\s|(?=(?:and|but|while|whereas|although|though|however|which|who|when|yet|or)\s)))"
)
_SENTENCE = (".", "!", "?", "…", "\n", ";")
YEAR = re.compile(r"(?<![\d.,$€£-])(?:1[0-9]|20)\d\d(?![\d%]|,\d)")
WORD = re.compile(r"[^\W_]+")


class Role(StrEnum):
    """What a clause does with a value that it names."""

    ANSWER = "answer"
    REJECTED = "rejected"
    WRONG = "said to be wrong"
    REPORTED = "what others say"
    PLANNED = "what was expected"
    EARLIER = "an earlier or compared value"
    SOURCE = "a source"
    RELATED = "in relation to another"
    OTHER_PERIOD = "of another period"
    OTHER_ENTITY = "of another entity"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sentence: from one comma, bracket or conjunction to the next."""

    start: int
    end: int
    sentence: int
    opens: bool
    """It begins a sentence."""
    bracketed: bool
    asks: bool
    """A question mark ends it."""


@dataclass(frozen=True, slots=True)
class Candidate:
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


_ABBREVIATED = "nr st mr mrs ms dr mt prof jr sr inc corp co ltd vs gen sen ft fig"
_ABBREVIATIONS = [[word] for word in _ABBREVIATED.split()]


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
        if level[start:begin].strip():
            yield Part(start, begin, sentence, opens, depth > 0, mark == "?")
            opens = False
        depth = max(0, depth + (mark == "(") - (mark == ")"))
        if mark.startswith(_SENTENCE):
            sentence, opens = sentence + 1, True
        start = end


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
        about |= words_about(WORD.findall(level[opening.start : opening.end]), asked)
    role = _role(level, start, end, part, level_text(question))
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
        not any(map(str.isdigit, level[start:end])),
    )


_NEXT = re.compile(r" ([a-z]{3,})")


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
estimates about approximately roughly around nearly almost exactly over only just measured measures answer figure value
number amount year fiscal ended million billion thousand according currently today now however based
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


def _role(level: str, start: int, end: int, part: Part, question: str) -> Role:
    before, after = level[max(0, start - 60) : start], level[end : end + 60]
    local, text = level[part.start : start], level[part.start : part.end]
    named = not any(map(str.isdigit, level[start:end]))
    glued = before[-1:].isalnum()
    denied = (not glued and _finds("rejects", before, question)) or PATTERNS["rejects_after"].match(after)
    if denied and not DENIES.search(question):
        return Role.REJECTED
    if PATTERNS["wrongly"].search(text):
        return Role.WRONG
    if part.asks or (_finds("rumour", text, question) and not PATTERNS["current"].search(text)):
        return Role.REPORTED
    if part.bracketed and PATTERNS["source"].search(text):
        return Role.SOURCE
    if _finds("fancied" if named else "planned", text, question):
        return Role.PLANNED
    span = local.endswith("from ") and YEAR.search(level[start:end]) and not _MOVED.search(local)
    if not span and _is_earlier(local, level[end : part.end], question, named=named):
        return Role.EARLIER
    if named and _finds("related", local, question):
        return Role.RELATED
    if (kin := PATTERNS["kin"].search(text)) and kin.group().split()[-1] not in question:
        return Role.OTHER_ENTITY
    return Role.ANSWER


ASKS_CHANGE = re.compile(r"\b(?:chang|increas|decreas|gr[eo]w|rais|differ|from|between|by how|percentage point)")

EACH = re.compile(r" (?:from each|each|per)\b")
_MOVED = re.compile(r"\b(?:moved|postponed|changed|shifted|rescheduled|brought forward|delayed)\b")
"""What makes a span of two dates a move from the first to the second."""


def _is_earlier(local: str, after: str, question: str, *, named: bool) -> bool:
    """Whether a value held before, or is what the answer is compared with."""
    if ASKS_CHANGE.search(question) or "until" in question or EACH.match(after):
        return False
    return _finds("formerly" if named else "earlier", local, question) or bool(PATTERNS["earlier_after"].search(after))


def _finds(name: str, text: str, question: str) -> bool:
    """Whether a cue stands there whose words the question does not ask with."""
    found = PATTERNS[name].search(text)
    return found is not None and not any(word in question for word in re.findall(r"[^\W\d_]{4,}", found.group()))
