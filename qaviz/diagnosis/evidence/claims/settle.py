"""Which of the values that a short response names it settles on: the golden one, or another of the same kind."""

import re
from collections.abc import Sequence

from qaviz.diagnosis.evidence import VERBATIM, Evidence, Span, Stance, dates, phrases, quantities
from qaviz.diagnosis.evidence.assertion_status import DENIES
from qaviz.diagnosis.evidence.claims.candidates import (
    ASKS_CHANGE,
    EACH,
    GOES_ON,
    LONGEST,
    WORD,
    YEAR,
    Candidate,
    Part,
    Role,
    find_candidate,
    find_foreign_words,
    parts,
    words_about,
)
from qaviz.diagnosis.evidence.claims.predicates import Agency, find_agency, is_past, read_predicate, stands_there
from qaviz.diagnosis.evidence.claims.restatement import find_restated_answer
from qaviz.diagnosis.evidence.claims.rivals import find_rivals
from qaviz.diagnosis.evidence.clauses import is_all_of_sentence, level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS

MAY_CLAIM = (
    r"[.!?…;:,()]\s.*\w"
    r"| (?:and|but|while|whereas|although|though|however|which|who|when|yet|or|than|from|of|by|with|over|against) "
)
"""What a response of several parts has, or one whose only part may name a value in another role; for polars."""

_LONG = 80
"""Characters of a value from which it is a statement."""


_STRONG = (Role.REJECTED, Role.WRONG)
"""Roles that need no other value to count against one."""


BEHIND_NAME = (
    r"[A-Z][^.;:,!?]* [a-z]+(?:ed|[eo]ld|ght|on|ote|ook|ew|eat|ilt|aid|ent|ave) (?:the )?$"
    r"|[A-Z][a-z]+ [A-Z][a-z]+ [a-z].* (?:[a-z]{4,}) (?:the )?$"
)
"""What stands before a value where another name may do what is asked: `Norvik acquired`; for polars."""


KIND = "claim"
"""The golden value, in a clause that does not claim it."""
_CLAIMABLE = (VERBATIM, quantities.KIND, dates.KIND, phrases.KIND)


def judge_claim(found: Evidence, question: str, answer: str, golden: str, response: str) -> Evidence:
    """Return the evidence, unless it is a value that the response names and does not claim: then CONTRADICTS."""
    said = found.response
    if found.stance is not Stance.AGREES or not said or found.kind not in _CLAIMABLE:
        return found
    if quantities.turned(said, answer, response, question):
        note = f"Says “{said.text}” in the opposite direction: up for down, or down for up"
        return Evidence(KIND, Stance.CONTRADICTS, found.golden, said, note, 0.8)
    if other := other_claim(question, response, said, found.kind, golden):
        role, claimed = other
        instead = f", and claims “{claimed.text}”" if claimed else ""
        note = f"Names “{said.text}”: {role.value}{instead}"
        return Evidence(KIND, Stance.CONTRADICTS, found.golden, claimed or said, note, 0.7)
    named = found.kind in (VERBATIM, phrases.KIND)
    if named and (claimed := find_restated_answer(question, golden, response, said)):
        note = f"Names “{said.text}”, but answers “{claimed.text}”"
        return Evidence(KIND, Stance.CONTRADICTS, found.golden, claimed, note, 0.5)
    return found


def other_claim(
    question: str, response: str, said: Span, kind: str, golden: str = ""
) -> tuple[Role, Span | None] | None:
    """Return in which role the response names the golden value, and the other value that it claims in its place.

    None where the value may be its answer: one of its mentions stands in no other role, and no other value of that
    kind stands in a clause that says more of what the question asks.
    """
    if len(response) > LONGEST or len(said.text) > _LONG:
        return None
    level = level_text(response)
    question = f"{question} {golden}" if DENIES.search(golden) else question
    if is_all_of_sentence(level, said):
        return None
    split = parts(level)
    if not split:  # nothing but marks and breaks
        return None
    mentions = _mentions(response, said)
    asked = asked_stems(question)
    own = [find_candidate(level, start, end, split, asked, question) for start, end in mentions]
    answers = any(one.role is Role.ANSWER for one in own)
    if any(one.role in _STRONG for one in own) and not answers:
        return own[0].role, None
    if agency := find_agency(question, golden, response, said):
        whose, agent = agency
        if whose is not Agency.OWN:
            return Role.RELATED, agent if whose is Agency.OTHER else None
        if answers:
            return None
    if _stands(own, level, split, asked, question):
        return None
    rivals = find_rivals(question, response, said, kind, mentions, golden)
    others = [find_candidate(level, start, end, split, asked, question) for start, end in rivals]
    return _settle(own, [one for one in others if one.role is Role.ANSWER], response, question)


def _stands(own: Sequence[Candidate], level: str, split: Sequence[Part], asked: frozenset[str], question: str) -> bool:
    """Whether a mention of the golden value is the answer, whatever else the response names."""
    answering = [one for one in own if one.role is Role.ANSWER]
    if len(split) < _SEVERAL:
        return bool(answering)
    return any(
        _says_all(one, level, split, asked, question) or _answers_alone(one, level, question) for one in answering
    )


_SEVERAL = 2
"""Parts of a response from which one may be another one's rival."""


def _settle(
    own: Sequence[Candidate], others: Sequence[Candidate], response: str, question: str
) -> tuple[Role, Span | None] | None:
    """The first mention's role and the value that outdoes it, where all mentions are outdone."""
    if not others:
        return None
    verdicts = [_beaten(one, others, level_text(response), question) for one in own]
    if not all(verdicts):
        return None
    role, other = verdicts[0] or (Role.ANSWER, others[0])
    return role, Span(other.start, other.end, response[other.start : other.end])


def _says_all(one: Candidate, level: str, split: Sequence[Part], asked: frozenset[str], question: str) -> bool:
    """Whether a clause that answers holds all that the response says of the question: no other clause says more.

    A sentence that names no other number counts as a clause.
    """
    start, end, about = one.part.start, one.part.end, one.about
    if not one.named:
        start, end = _sentence_of(one, split)
        alone = len(_NUMBERS.findall(level, start, end)) == len(_NUMBERS.findall(level, one.start, one.end))
        if not alone:
            start, end = one.part.start, one.part.end
        elif about:
            about |= words_about(WORD.findall(level, start, end), asked)
    if not about:
        return False
    years = set(YEAR.findall(level, start, end))
    return about >= words_about(WORD.findall(level), asked) and years <= {
        *YEAR.findall(question),
        level[one.start : one.end],
    }


_NUMBERS = re.compile(r"(?<![\d.,])(?!(?:1[0-9]|20)\d\d(?!\d))\d+(?:[.,]\d+)*")
"""Numbers that are no years."""


def _sentence_of(one: Candidate, split: Sequence[Part]) -> tuple[int, int]:
    inside = [part for part in split if part.sentence == one.part.sentence]
    return inside[0].start, inside[-1].end


def _mentions(response: str, said: Span) -> list[tuple[int, int]]:
    """Where the value stands in the response, as written."""
    level, text = level_text(response), level_text(said.text)
    found, start = [], level.find(text) if text else -1
    while start >= 0:
        end = start + len(text)
        if not (level[start - 1 : start].isalnum() or level[end : end + 1].isalnum()):
            found.append((start, end))
        start = level.find(text, end)
    return found or [(said.start, said.end)]


def _beaten(own: Candidate, others: Sequence[Candidate], level: str, question: str) -> tuple[Role, Candidate] | None:
    """The role of a mention that is not the answer, with the value that is; None where it may be the answer."""
    if own.role is not Role.ANSWER:
        return own.role, others[0]
    # Who answers with a name says it first: one that a later sentence holds is there for another reason.
    rivals = [one for one in others if one.part is not own.part and (not own.named or not _is_later(one, own))]
    found = ((_outdone(own, other, level, question), other) for other in rivals)
    return next(((role, other) for role, other in found if role), None)


def _answers_alone(own: Candidate, level: str, question: str) -> bool:
    """Whether a mention is the answer whatever other values the response names."""
    if own.bare or (not own.named and ASKS_CHANGE.search(level_text(question))):
        return True
    return bool(EACH.match(level, own.end) or _CONCLUDES.match(level[own.part.start : own.part.end]))


def _is_later(one: Candidate, other: Candidate) -> bool:
    return one.part.sentence > other.part.sentence


def _outdone(own: Candidate, other: Candidate, level: str, question: str) -> Role | None:
    """The role of a mention beside a value that answers more of the question; None where it does not."""
    if other.bare and other.part.opens and other.start < own.start and _is_later(own, other):
        return Role.RELATED
    if own.named and not _is_parallel(own, other, level):
        return None
    far = own.named and _is_later(own, other)
    more = own.about < other.about and len(other.about - own.about) > far
    if more or _is_of_other_entity(own, other, level, question):
        return Role.OTHER_ENTITY
    if not own.named and _is_of_other_thing(own, other, level, question):
        return Role.OTHER_ENTITY
    return Role.OTHER_PERIOD if _is_of_other_period(own, other, level, question) else None


def _is_of_other_thing(own: Candidate, other: Candidate, level: str, question: str) -> bool:
    """Whether a number stands behind words of something else, and the other one behind those of the question."""
    asked = asked_stems(question)
    mine, yours = find_foreign_words(own.before, asked), find_foreign_words(other.before, asked)
    own_about, other_about = words_about(own.before, asked), words_about(other.before, asked)
    if own.after.endswith("s") and find_foreign_words([own.after], asked) and words_about([other.after], asked):
        return True
    predicate = read_predicate(question)
    if (
        predicate
        and predicate.asks_when
        and stands_there(predicate, other.before) > stands_there(predicate, own.before)
    ):
        return any(map(is_past, own.before))
    if not mine:
        return False
    goes_on = not own.part.opens and GOES_ON.match(level[own.part.start : own.part.end])
    stands_in = not goes_on and _STANDS_IN.match(level[other.part.start : other.part.end])
    if not own_about and (other_about or stands_in):
        return True
    return not yours and bool(other.about) and len(own_about) <= len(other.about)


_STANDS_IN = re.compile(r"^\W*(?:and |but |while )?(?:it|its|he|she|they|his|her|their)\b")
"""A clause about what the question asks about, by a pronoun."""


_CONCLUDES = re.compile(r"^\W*(?:and |but )?(?:so|therefore|thus|hence|in total|overall|for a total|a total|in all)\b")
_LEADS = re.compile(
    r"^\W*(?:and|but|while|whereas|although|though|however|or|yet|it was|it is)?\W*(?:the|a|an|sir|dr|mr)?\W*$"
)
_COPULA = re.compile(r"\b(?:is|was|are|were|called|named)\b\W*(?:the|a|an)?\W*$")
_LAST = re.compile(r"([^\W\d_]+)\W+(?:the|a|an)?\W*$")


def _is_parallel(own: Candidate, other: Candidate, level: str) -> bool:
    """Whether two names stand in the same place of their clauses: both first, or behind the same word."""
    mine, yours = level[own.part.start : own.start], level[other.part.start : other.start]
    first = bool(_LEADS.match(mine)), bool(_LEADS.match(yours))
    if all(first):
        return True
    if any(first):
        after = level[own.end : own.end + 5] if first[0] else level[other.end : other.end + 5]
        return bool(_COPULA.search(yours if first[0] else mine)) and after.startswith((" is ", " was "))
    one, two = _LAST.search(mine), _LAST.search(yours)
    return bool(one and two and one[1] == two[1])


def _is_of_other_period(own: Candidate, other: Candidate, level: str, question: str) -> bool:
    """Whether the one stands with another year than the question's, and the other with the question's."""
    asked = set(YEAR.findall(question))
    with_own = set(YEAR.findall(level[own.part.start : own.part.end])) - {level[own.start : own.end]}
    with_other = set(YEAR.findall(level[other.part.start : other.part.end]))
    current = bool(with_other & asked) or (not with_other and not own.named)
    return bool(asked and with_own and with_own.isdisjoint(asked) and current)


def _is_of_other_entity(own: Candidate, other: Candidate, level: str, question: str) -> bool:
    """Whether the other stands with a name of the question, and the one with none of it."""
    names = {name.lower() for name in re.findall(r"(?<!^)\b[A-Z][\w'-]{2,}", question)}
    with_own = set(WORD.findall(level[own.part.start : own.start]))
    with_other = set(WORD.findall(level[other.part.start : other.start]))
    return bool(names & with_other) and names.isdisjoint(with_own) and len(with_own - FUNCTION_WORDS) > 1
