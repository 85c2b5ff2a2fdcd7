"""What a clause does with a value that it names: answers with it, rejects or compares it, says it of another thing, or
of the opposite of the question's verb.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence.assertion_status import DENIES
from qaviz.diagnosis.evidence.claims.cues import PATTERNS
from qaviz.diagnosis.evidence.claims.parts import YEAR, Part, is_number
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
own hold : sell lose
expire end : start begin sign
highest peak maximum : lowest average minimum mean
largest biggest : smallest
longest : shortest
join enter : leave quit exit
appoint hire : dismiss fire
import : export
lend : borrow
marry : divorce
arrive land : depart leave launch
release : withdraw
"""


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
    CHANGE = "a difference"
    PART = "a part of another number"
    OPPOSITE = "with the opposite of what the question asks"
    OTHER_RANK = "of another rank"
    OTHER_PERIOD = "of another period"
    OTHER_ENTITY = "of another entity"


class _Mention(NamedTuple):
    """A value in a levelled response, with what stands around it."""

    question: str
    text: str
    """Its part of a sentence."""
    place: tuple[int, int]
    """Where the value stands in that part."""
    before: str
    """Up to 60 characters before it."""
    after: str
    """Up to 60 characters behind it."""
    local: str
    """Its part, before it."""
    behind: str
    """Its part, behind it."""
    named: bool
    """It is a name and no number."""
    holds_year: bool
    part: Part


def find_role(level: str, start: int, end: int, part: Part, question: str) -> Role:
    """Return what a part of a levelled response does with the value at `start` to `end`: the first role that fits."""
    value = level[start:end]
    mention = _Mention(
        question,
        level[part.start : part.end],
        (start - part.start, end - part.start),
        level[max(0, start - _NEAR) : start],
        level[end : end + _NEAR],
        level[part.start : start],
        level[end : part.end],
        not is_number(value),
        YEAR.search(value) is not None,
        part,
    )
    return next((role for role, fits in _ROLES if fits(mention)), Role.ANSWER)


_NEAR = 60


def _is_rejected(mention: _Mention) -> bool:
    glued = mention.before[-1:].isalnum()
    if _NONE_OF.search(mention.before) and not _ASKS_NONE.search(mention.question):
        return True
    denied = (not glued and _finds("rejects", mention.before, mention.question)) or PATTERNS["rejects_after"].match(
        mention.after
    )
    return bool(denied and not DENIES.search(mention.question))


_NONE_OF = re.compile(r"(?:^|[.;,] |\bthere (?:is|was|are|were) )no $")
_ASKS_NONE = re.compile(r"\b(?:no|not|without|lack)\b")


def _is_wrong(mention: _Mention) -> bool:
    return _finds("wrongly", mention.text, mention.question)


def _is_opposite(mention: _Mention) -> bool:
    return stands_with_opposite(mention.question, mention.text, *mention.place)


_RANK = re.compile(
    r"\b(second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next)[ -](?:[a-z]{3,}est|most|best)\b"
    r"|\b(?:is|was|came|comes|finished|ranks?|ranked)(?: the| in)? (second|third|fourth|last)(?: one| place)?\W*$"
    r"|\b(only after)\b"
)
"""Words of the second or a later one."""
_ASKS_FIRST = re.compile(r"\b(?:[a-z]{3,}est|most|best|first)\b")


def _is_of_other_rank(mention: _Mention) -> bool:
    """Whether a clause speaks of the second or a later one, where the question asks for the first."""
    if not mention.named or not (found := _RANK.search(mention.text)):
        return False
    later = next(filter(None, found.groups()))
    return later not in mention.question and _ASKS_FIRST.search(mention.question) is not None


_OF_WHICH = re.compile(r"(?: [a-z]+)? of (?:which|whom|them|these|those)\b")


_OF_SO_MANY = re.compile(r"(?:^|[.;] )(?:out )?of (?:the |all |these )?[\d.,]+[^.;,]*, $")


def _is_part_of_number(mention: _Mention) -> bool:
    """Whether a number counts some of those that another number counts: `two of which`."""
    return not mention.named and bool(_OF_WHICH.match(mention.after) or _OF_SO_MANY.search(mention.before))


ASKS_CHANGE = re.compile(r"\b(?:chang|increas|decreas|gr[eo]w|rais|differ|from|between|by how|percentage point)")
"""A question after a difference, or after two values that it is between."""
_BY_HOW_MUCH = re.compile(
    r"\b(?:increased|rose|grew|climbed|jumped|fell|dropped|decreased|declined|narrowed|widened|shrank|up|down) by "
    r"(?:about |some |roughly |only |nearly |almost )?[$€£]?$"
)
_MORE_THAN = re.compile(
    r"(?: [a-z]+){0,2} (?:more|less|fewer|higher|lower|larger|smaller|longer|shorter|older|younger) than\b"
)


def _is_change(mention: _Mention) -> bool:
    """Whether an amount is by how much something changed, or how much more one thing has than another."""
    if mention.named or ASKS_CHANGE.search(mention.question):
        return False
    return bool(_BY_HOW_MUCH.search(mention.local) or _MORE_THAN.match(mention.after))


def _is_reported(mention: _Mention) -> bool:
    rumoured = _finds("rumour", mention.text, mention.question) and not PATTERNS["current"].search(mention.text)
    return mention.part.asks or rumoured


def _is_source(mention: _Mention) -> bool:
    return mention.part.bracketed and PATTERNS["source"].search(mention.text) is not None


def _is_planned(mention: _Mention) -> bool:
    return _finds("fancied" if mention.named else "planned", mention.text, mention.question)


EACH = re.compile(r" (?:from each|each|per)\b")
_MOVED = re.compile(r"\b(?:moved|postponed|changed|shifted|rescheduled|brought forward|delayed)\b")
"""What makes a span of two dates a move from the first to the second."""
_LEFT_FROM = re.compile(r"\b(?:moved|changed|relocated|transferred|shifted|switched|renamed)\b[\w' ]* from (?:the )?$")
_GONE = re.compile(
    r" (?:had |has )?(?:retired|resigned|died|quit|stepped (?:down|aside)|left (?:office|the)"
    r"|was (?:ousted|dismissed|fired))\b"
)
"""What a person did who held an office before."""
_ASKS_PRESENT = re.compile(r"^\W*(?:who|what|which [a-z]+)(?: is| are|'s| currently| runs| leads| heads)\b")
_COMPARED = re.compile(r"\b(?:compared (?:with|to)|against|versus|vs) \W*$")
_FORMER_TITLE = re.compile(r"\b(?:former|ex|previous|outgoing)[ -]([a-z]{3,})(?: [a-z]+){0,2} $")


def _is_earlier(mention: _Mention) -> bool:
    """Whether a value held before, or is what the answer is compared with."""
    question, local = mention.question, mention.local
    if mention.named and _held_before(mention):
        return True
    if local.endswith("from ") and mention.holds_year and not _MOVED.search(local):
        return False
    if "until" in question or EACH.match(mention.behind):
        return False
    if ASKS_CHANGE.search(question) and not _COMPARED.search(local):
        return False
    return _finds("formerly" if mention.named else "earlier", local, question) or _finds(
        "earlier_after", mention.behind, question
    )


def _held_before(mention: _Mention) -> bool:
    """Whether a name is of who held an office, or where something was, before another one did."""
    if _GONE.match(mention.after) and _ASKS_PRESENT.search(mention.question):
        return True
    former = _FORMER_TITLE.search(mention.local)
    if former and former[1] in mention.question:
        return True
    return _LEFT_FROM.search(mention.local) is not None and "from" not in mention.question


def _is_related(mention: _Mention) -> bool:
    return mention.named and _finds("related", mention.local, mention.question)


def _is_kin(mention: _Mention) -> bool:
    """Whether a clause speaks of another person or thing than the one asked about: `its competitor`."""
    kin = PATTERNS["kin"].search(mention.text)
    if not kin or kin.group().split()[-1] in mention.question:
        return False
    title = mention.text[kin.end() : mention.place[0]]
    return not (title.startswith(" of ") and any(word in mention.question for word in title.split() if len(word) > 3))


def _finds(name: str, text: str, question: str) -> bool:
    """Whether a cue stands there whose words the question does not ask with."""
    found = PATTERNS[name].search(text)
    return found is not None and not any(word in question for word in re.findall(r"[^\W\d_]{4,}", found.group()))


def _stem(verb: str) -> str:
    return stems(base_verb(verb))[0]


_SIDES = [
    tuple(frozenset(_stem(verb) for verb in side.split()) for side in line.split(":"))
    for line in _PAIRS.strip().splitlines()
]
_WORD = re.compile(r"[a-z]+")
_TELLING = """
profit loss gain highest peak maximum lowest average minimum mean largest biggest smallest longest shortest
"""
_NOUNS = frozenset(_TELLING.split())
"""Words that are no verbs and say the opposite of each other."""
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
    place = next(
        (at for at, word, stem in words if stem in other and (is_past(word) or word in _NOUNS or word.endswith("s"))),
        None,
    )
    if place is None:
        return False
    between = clause[place:start] if place < start else clause[end:place]
    return not _CONVERSE.search(between)


_ROLES: tuple[tuple[Role, Callable[[_Mention], bool]], ...] = (
    (Role.REJECTED, _is_rejected),
    (Role.WRONG, _is_wrong),
    (Role.OPPOSITE, _is_opposite),
    (Role.OTHER_RANK, _is_of_other_rank),
    (Role.PART, _is_part_of_number),
    (Role.CHANGE, _is_change),
    (Role.REPORTED, _is_reported),
    (Role.SOURCE, _is_source),
    (Role.PLANNED, _is_planned),
    (Role.EARLIER, _is_earlier),
    (Role.RELATED, _is_related),
    (Role.OTHER_ENTITY, _is_kin),
)
"""In the order in which they are tried."""
