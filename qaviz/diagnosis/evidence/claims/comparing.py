"""Two values that a response names: whether the other one answers more of the question than the golden one."""

import re
from collections.abc import Callable

from qaviz.diagnosis.evidence.claims.candidates import (
    GOES_ON,
    Candidate,
    find_foreign_words,
    read_subject,
    words_about,
)
from qaviz.diagnosis.evidence.claims.parts import WORD, YEAR
from qaviz.diagnosis.evidence.claims.predicates import is_past, read_verbs, same_verb
from qaviz.diagnosis.evidence.claims.roles import Role
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems

_QUARTER = re.compile(r"\b(first|second|third|fourth|last)\b|\bq([1-4])\b|\bh([12])\b")
_HAS_QUARTERS = re.compile(r"\b(?:quarter|half|q[1-4]|h[12])\b")
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_OWNER = re.compile(r"^\W*(?:and |but |while |although )?(?:its|his|her|their) ((?:[a-z]+ ){0,2}[a-z]+)")
"""A subject that belongs to what the question asks about: `its warehouse`."""
_LABEL = re.compile(r"(?:^|[.;\n] ?)\W*([a-z][a-z ]{2,40}): [^:]*$")
"""The label of the value behind it: `Headquarters: Antwerp`."""
_ASKS_PRESENT = re.compile(r"\b(?:is|are|does|do|has|have|current(?:ly)?)\b")
_NOW = re.compile(r"\b(?:now|today|currently|nowadays|at present|these days|since then)\b")
_SAME_ONE = re.compile(r"\b(?:known|called|named|renamed)\b")
_WAS = re.compile(r"\b(?:was|were|used to|had|[a-z]{2,}ed (?:in|by|at|from|the|an?|as|until|to|on))\b")
_CONCEDES = re.compile(r"^\W*(?:although|though|even though|while|whereas|despite)\b")
_RELATIVE = re.compile(r"^\W*(?:which|who|where|whose|that|located|situated|\w+ed (?:by|in|as))\b")
"""How a clause begins that says more of the name before it."""
_STANDS_IN = re.compile(r"^\W*(?:and |but |while )?(?:it|its|he|she|they|his|her|their)\b")
"""A clause about what the question asks about, by a pronoun."""
_LEADS = re.compile(
    r"^\W*(?:and|but|while|whereas|although|though|however|or|yet|it was|it is)?\W*(?:the|a|an|sir|dr|mr)?\W*$"
)
_COPULA = re.compile(r"\b(?:is|was|are|were|called|named)\b\W*(?:the|a|an)?\W*$")
_LAST = re.compile(r"([^\W\d_]+)\W+(?:the|a|an)?\W*$")


def find_periods(text: str, question: str) -> set[str]:
    """Return the years that a text names, and its quarters or halves where the question asks for one."""
    found = set(YEAR.findall(text))
    if _HAS_QUARTERS.search(level_text(question)):
        named = (next(filter(None, part.groups())) for part in _QUARTER.finditer(level_text(text)))
        found |= {f"part {_ORDINALS.get(name, name)}" for name in named}
    return found


def years_of(one: Candidate) -> set[str]:
    """Return the years in a candidate's part of a sentence, but for its own."""
    return set(YEAR.findall(one.part.text)) - {one.text}


def is_later(one: Candidate, other: Candidate) -> bool:
    """Return whether a value stands in a later sentence than another."""
    return one.part.sentence > other.part.sentence


def find_outdone_role(own: Candidate, other: Candidate, question: str) -> Role | None:
    """Return the role of a mention beside a value that answers more of the question; None where it does not."""
    fits = (role for role, outdoes in _WAYS if outdoes(own, other, question))
    if role := next(fits, None):
        return role
    if own.named and not _is_parallel(own, other):
        return None
    if _concedes(own) and not own.about > other.about:
        return Role.OTHER_ENTITY
    far = own.named and is_later(own, other)
    more = own.about < other.about and len(other.about - own.about) > far
    if more or _is_of_other_entity(own, other, question):
        return Role.OTHER_ENTITY
    return Role.OTHER_ENTITY if not own.named and _is_of_other_thing(own, other, question) else None


def _is_behind_answer(own: Candidate, other: Candidate) -> bool:
    """Whether the other is all that an earlier sentence says."""
    return other.bare and other.part.opens and other.start < own.start and is_later(own, other)


def _concedes(one: Candidate) -> bool:
    return _CONCEDES.match(one.lead) is not None


def _has_other_owner(own: Candidate, other: Candidate, question: str) -> bool:
    """Whether the one is said of something else that belongs to what is asked about, and the other is not."""
    mine = _OWNER.match(own.lead)
    if not mine or own.about or other.after or other.part.start == own.end + 1 or _OWNER.match(other.lead):
        return False
    return asked_stems(question).isdisjoint(stem for word in WORD.findall(mine[1]) for stem in stems(word))


def _has_other_label(own: Candidate, other: Candidate, question: str) -> bool:
    """Whether the one stands behind a label of none of the question's words, and the other behind one that has some."""
    mine, yours = _LABEL.search(own.head), _LABEL.search(other.head)
    asked = asked_stems(question)
    return bool(
        mine
        and yours
        and mine[1] != yours[1]
        and not words_about(WORD.findall(mine[1]), asked)
        and words_about(WORD.findall(yours[1]), asked)
    )


def _held_before(own: Candidate, other: Candidate, question: str) -> bool:
    """Whether the one is said of the past and the other of now, where the question asks what is."""
    if own.part is other.part or not _ASKS_PRESENT.search(level_text(question)):
        return False
    mine, yours = own.part.text, other.part.text
    return bool(_NOW.search(yours) and not _SAME_ONE.search(yours) and _WAS.search(mine) and not _NOW.search(mine))


def _has_other_subject(own: Candidate, other: Candidate, question: str) -> bool:
    """Whether the other stands behind a name of the question, and the one behind a name that is not of it."""
    if own.named or not own.part.opens:
        return False
    names = {name.lower() for name in re.findall(r"(?<!^)\b[A-Z][\w'-]{2,}", question)}
    subject = set(read_subject(own.lead)) - FUNCTION_WORDS
    others = set(WORD.findall(other.lead))
    foreign = find_foreign_words(sorted(subject), asked_stems(question))
    return bool(names & others and foreign and names.isdisjoint(subject))


def _is_of_other_thing(own: Candidate, other: Candidate, question: str) -> bool:
    """Whether a number stands behind words of something else, and the other one behind those of the question."""
    asked = asked_stems(question)
    mine, yours = find_foreign_words(own.before, asked), find_foreign_words(other.before, asked)
    own_about, other_about = words_about(own.before, asked), words_about(other.before, asked)
    if own.after.endswith("s") and find_foreign_words([own.after], asked) and words_about([other.after], asked):
        return True
    if _is_of_other_verb(own, other, question):
        return True
    if not mine:
        return False
    goes_on = not own.part.opens and GOES_ON.match(own.part.text)
    stands_in = not goes_on and _STANDS_IN.match(other.part.text)
    if not own_about and (other_about or stands_in):
        return True
    return not yours and bool(other.about) and len(own_about) <= len(other.about)


def _is_of_other_verb(own: Candidate, other: Candidate, question: str) -> bool:
    """Whether the verb that the question asks with stands before the other value, and another verb before the one."""
    asked = read_verbs(question)
    return (
        any(map(is_past, own.before))
        and not _RELATIVE.match(own.lead)
        and asked.isdisjoint(map(same_verb, own.before))
        and not asked.isdisjoint(same_verb(word) for word in other.before if is_past(word))
    )


def _is_parallel(own: Candidate, other: Candidate) -> bool:
    """Whether two names stand in the same place of their clauses: both first, or behind the same word."""
    mine, yours = own.lead, other.lead
    first = bool(_LEADS.match(mine)), bool(_LEADS.match(yours))
    if all(first):
        return True
    if any(first):
        tail = own.tail if first[0] else other.tail
        return bool(_COPULA.search(yours if first[0] else mine)) and tail.startswith((" is ", " was "))
    one, two = _LAST.search(mine), _LAST.search(yours)
    return bool(one and two and one[1] == two[1])


def _is_of_other_period(own: Candidate, other: Candidate, question: str) -> bool:
    """Whether the one stands with another year than the question's, and the other with the question's."""
    asked = find_periods(question, question)
    with_own = find_periods(own.part.text, question) - {own.text}
    with_other = find_periods(other.part.text, question)
    current = bool(with_other & asked) or (not with_other and not own.named)
    return bool(asked and with_own and with_own.isdisjoint(asked) and current)


def _is_of_other_entity(own: Candidate, other: Candidate, question: str) -> bool:
    """Whether the other stands with a name of the question, and the one with none of it."""
    names = {name.lower() for name in re.findall(r"(?<!^)\b[A-Z][\w'-]{2,}", question)}
    if own.named and _LEADS.match(own.lead) and _LEADS.match(other.lead):
        mine, yours = (set(WORD.findall(one.part.text)) for one in (own, other))
        does = words_about([own.after], asked_stems(question))
        return bool(names & yours and names.isdisjoint(mine) and does)
    with_own = set(WORD.findall(own.lead))
    with_other = set(WORD.findall(other.lead))
    return bool(names & with_other) and names.isdisjoint(with_own) and len(with_own - FUNCTION_WORDS) > 1


_WAYS: tuple[tuple[Role, Callable[[Candidate, Candidate, str], bool]], ...] = (
    (Role.RELATED, lambda own, other, _: _is_behind_answer(own, other)),
    (Role.OTHER_PERIOD, _is_of_other_period),
    (Role.EARLIER, _held_before),
    (Role.OTHER_ENTITY, _has_other_owner),
    (Role.OTHER_ENTITY, _has_other_label),
    (Role.OTHER_ENTITY, _has_other_subject),
    (Role.OTHER_ENTITY, lambda own, other, question: own.named and _is_of_other_verb(own, other, question)),
    (Role.OTHER_ENTITY, lambda own, other, _: own.named and own.about <= other.about and _concedes(own)),
)
"""The ways in which another value outdoes one wherever the two stand, in the order in which they are tried."""
