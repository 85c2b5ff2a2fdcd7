"""Which of the values that a short response names it settles on: the golden one, or another of the same kind."""

import re
from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

from qaviz.diagnosis.evidence import VERBATIM, Evidence, Span, Stance, dates, phrases, quantities
from qaviz.diagnosis.evidence.assertion_status import DENIES
from qaviz.diagnosis.evidence.claims.answers import find_answer_in_front, find_restated_answer
from qaviz.diagnosis.evidence.claims.candidates import (
    Candidate,
    find_candidate,
    find_foreign_words,
    find_rivals,
    words_about,
)
from qaviz.diagnosis.evidence.claims.comparing import find_outdone_role, find_periods, is_later, years_of
from qaviz.diagnosis.evidence.claims.parts import LONGEST, WORD, YEAR, Part, parts
from qaviz.diagnosis.evidence.claims.predicates import Agency, find_agency, read_verbs, same_verb
from qaviz.diagnosis.evidence.claims.roles import ASKS_CHANGE, EACH, Role
from qaviz.diagnosis.evidence.clauses import is_all_of_sentence, level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems

_LONG = 80
"""Characters of a value from which it is a statement."""

_STRONG = (Role.REJECTED, Role.WRONG, Role.OPPOSITE, Role.OTHER_RANK)
"""Roles that need no other value to count against one."""

BEHIND_NAME = (
    r"[A-Z][^.;:,!?]* [a-z]+(?:ed|[eo]ld|ght|on|ote|ook|ew|eat|ilt|aid|ent|ave) (?:the )?$"
    r"|[A-Z][a-z]+ [A-Z][a-z]+ [a-z].* (?:[a-z]{4,}) (?:the )?$"
)
"""What stands before a value where another name may do what is asked: `Norvik acquired`; for polars."""

KIND = "claim"
"""The golden value, in a clause that does not claim it."""
_CLAIMABLE = (VERBATIM, quantities.KIND, dates.KIND, phrases.KIND)


class _Stated(NamedTuple):
    """A response that names the golden value, read."""

    question: str
    response: str
    level: str
    said: Span
    golden: str
    split: Sequence[Part]
    asked: frozenset[str]
    own: Sequence[Candidate]
    """The mentions of the golden value."""
    others: Sequence[Candidate]
    """Other values of its kind that may answer."""


def judge_claim(
    found: Evidence, question: str, answer: str, golden: str, response: str, *, doubts: bool = False
) -> Evidence:
    """Return the evidence, unless it is a value that the response names and does not claim: then CONTRADICTS.

    With `doubts` its strength falls where the response may claim something else although no rule tells that it does:
    for texts that are English as written.
    """
    said = found.response
    if found.stance is not Stance.AGREES or not said or found.kind not in _CLAIMABLE:
        return found
    if quantities.turned(said, answer, response, question):
        note = f"Says “{said.text}” in the opposite direction: up for down, or down for up"
        return Evidence(KIND, Stance.CONTRADICTS, found.golden, said, note, 0.8)
    stated = _read_claim(question, response, said, found.kind, golden)
    if stated and (other := _find_other_claim(stated)):
        role, claimed = other
        instead = f", and claims “{claimed.text}”" if claimed else ""
        note = f"Names “{said.text}”: {role.value}{instead}"
        return Evidence(KIND, Stance.CONTRADICTS, found.golden, claimed or said, note, 0.7)
    named = found.kind in (VERBATIM, phrases.KIND)
    if named and (claimed := find_restated_answer(question, golden, response, said)):
        note = f"Names “{said.text}”, but answers “{claimed.text}”"
        return Evidence(KIND, Stance.CONTRADICTS, found.golden, claimed, note, 0.5)
    if not stated or not doubts or found.kind != VERBATIM:
        return found
    doubt = measure_doubt(stated.level, stated.own, stated.others, question, f"{golden} {answer} {said.text}")
    return found._replace(strength=round(found.strength * (1 - doubt), 3))


def _read_claim(question: str, response: str, said: Span, kind: str, golden: str) -> _Stated | None:
    """The response with its mentions of the golden value and other values; None where it is long, or nothing else."""
    if len(response) > LONGEST or len(said.text) > _LONG:
        return None
    level = level_text(response)
    question = f"{question} {golden}" if DENIES.search(golden) else question
    split = () if is_all_of_sentence(level, said) else parts(level)
    if not split:  # an amount alone, or nothing but marks and breaks
        return None
    mentions = _mentions(response, said)
    asked = asked_stems(question)
    own = [find_candidate(level, start, end, split, asked, question) for start, end in mentions]
    rivals = find_rivals(question, response, said, kind, mentions, golden)
    found = (find_candidate(level, start, end, split, asked, question) for start, end in rivals)
    others = [one for one in found if one.role is Role.ANSWER]
    return _Stated(question, response, level, said, golden, split, asked, own, others)


def _find_other_claim(of: _Stated) -> tuple[Role, Span | None] | None:
    """The role in which a response names the golden value, and the other value that it claims in its place.

    None where the value may be its answer: one of its mentions stands in no other role, and no other value of that
    kind stands in a clause that says more of what the question asks.
    """
    told, decided = _tell_by_clauses(of)
    stands = _stands(of.own, of.level, of.split, of.asked, of.question)
    if decided or (stands and not _opens_with_other(of.own, of.split, of.level)):
        return told
    return _settle(of.own, of.others, of.response, of.question)


def _tell_by_clauses(of: _Stated) -> tuple[tuple[Role, Span | None] | None, bool]:
    """What `_find_other_claim` returns, as far as the mentions' own clauses tell it, and whether they do."""
    answers = any(one.role is Role.ANSWER for one in of.own)
    if any(one.role in _STRONG for one in of.own) and not answers:
        return (of.own[0].role, None), True
    if agency := find_agency(of.question, of.golden, of.response, of.said):
        whose, agent = agency
        if whose is not Agency.OWN:
            return (Role.RELATED, agent if whose is Agency.OTHER else None), True
        if answers:
            return None, True
    if in_front := _find_in_front(of.question, f"{of.said.text} {of.golden}", of.response, of.own):
        return (Role.RELATED, in_front), True
    conceded = _is_conceded(of.own, of.split, of.asked, of.level)
    return ((Role.RELATED, None), True) if conceded else (None, False)


def _opens_with_other(own: Sequence[Candidate], split: Sequence[Part], level: str) -> bool:
    """Whether a first sentence of a few words holds no mention: it may be the answer."""
    first = split[0]
    short = first.end - first.start <= _SHORT and level[first.end : first.end + 1] in (".", ";", "!")
    return short and all(one.start >= first.end for one in own)


_SHORT = 40
"""Characters of a sentence that may be an answer alone."""
_CONCESSION = re.compile(r"\W*(?:although|though|even though|while(?! \w+ing\b)|whereas)\b")


def _is_conceded(own: Sequence[Candidate], split: Sequence[Part], asked: frozenset[str], level: str) -> bool:
    """Whether all mentions stand in a concession, and the clause that it belongs to says more of the question."""
    return all(
        _CONCESSION.match(level, one.part.start)
        and any(
            one.about < words_about(WORD.findall(level[part.start : part.end]), asked)
            for part in split
            if part.sentence == one.part.sentence and part is not one.part
        )
        for one in own
    )


def _find_in_front(question: str, golden: str, response: str, own: Sequence[Candidate]) -> Span | None:
    """The answer that opens a response all of whose mentions of the golden value depend on it."""
    found = [find_answer_in_front(question, golden, response, (one.start, one.end)) for one in own]
    return found[0] if all(found) else None


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
    periods = find_periods(level[start:end], question) - {level[one.start : one.end]}
    return about >= words_about(WORD.findall(level), asked) and periods <= find_periods(question, question)


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
    rivals = [one for one in others if one.part is not own.part and (not own.named or not is_later(one, own))]
    found = ((find_outdone_role(own, other, level, question), other) for other in rivals)
    return next(((role, other) for role, other in found if role), None)


def _answers_alone(own: Candidate, level: str, question: str) -> bool:
    """Whether a mention is the answer whatever other values the response names."""
    if own.bare or (not own.named and _says_change(own, level, question)):
        return True
    return bool(EACH.match(level, own.end) or _CONCLUDES.match(level[own.part.start : own.part.end]))


def _says_change(own: Candidate, level: str, question: str) -> bool:
    """Whether a number of what the question asks about is by how much that changed."""
    if not ASKS_CHANGE.search(level_text(question)):
        return False
    if _OF_CHANGE.search(level[own.part.start : own.start]):
        return True
    years, foreign = years_of(own, level), find_foreign_words(own.before, asked_stems(question))
    return bool(own.about or not foreign) and (years <= set(YEAR.findall(question)) or not YEAR.search(question))


_OF_CHANGE = re.compile(
    r"\b(?:increase|decrease|change|rise|difference|growth|gain|drop|decline|reduction|improvement)s?"
    r" (?:of|by|is|was)\b"
)
"""What makes the number behind it one by which something changed."""

_CONCLUDES = re.compile(r"^\W*(?:and |but )?(?:so|therefore|thus|hence|in total|overall|for a total|a total|in all)\b")

_BASE = -1.5
_WEIGHTS: Mapping[str, float] = {
    "another role": 3.0,
    "question's words in other clauses": 1.4,
    "other words": 1.3,
    "length": -4.6,
    "rivals": 1.2,
    "later sentence": 0.9,
    "other words in its clause": 1.4,
    "contrast in its clause": 1.3,
    "clause without the question's words": 0.4,
    "alone in its clause": -1.0,
    "behind a verb of being": -0.7,
    "name": -0.75,
}
_LIMIT = 0.4
"""A fact that is stated is never doubted more than this."""
CLEAR = 0.25
"""Probability up to which a response counts as claiming what it names."""
_CONTRASTS = re.compile(
    r"\b(?:but|while|although|though|however|whereas|not|only|second|former|until|instead|actually|now|later|then|after"
    r"|before|never|even|yet|had|would|with|than|no|merely|lost|just)\b|n't"
)
_BEING = re.compile(r"(?:\b(?:is|was|are|were|called|named|be|by|means)|:)\W*(?:the|an?|about|approximately)?\W*$")
_MOST = 5
"""Other words in a clause from which more say nothing."""


def measure_doubt(
    level: str, own: Sequence[Candidate], others: Sequence[Candidate], question: str, golden: str
) -> float:
    """Return 0 where a response claims the golden value that it names, up to 0.4 where it likely claims another one.

    `level` is the levelled response, `own` its mentions of the golden value, `others` the values of that kind that may
    answer, `golden` the golden texts.
    """
    first = own[0]
    if first.start == 0 and first.part.end >= len(level) - 1:
        return 0.0  # the value and a few words, without another clause: `435 voting members`
    measured = measure_surroundings(level, own, others, question, golden)
    probable = 1 / (1 + exp(-_BASE - sum(_WEIGHTS[name] * value for name, value in measured.items())))
    return min(_LIMIT, max(0.0, (probable - CLEAR) / (1 - CLEAR)))


def measure_surroundings(
    level: str, own: Sequence[Candidate], others: Sequence[Candidate], question: str, golden: str
) -> dict[str, float]:
    """Return what stands around the mention that most likely answers, by the names of the weights: 0 to 1 each."""
    best = max(own, key=lambda one: (one.role is Role.ANSWER, len(one.about), one.bare))
    asked, verbs = asked_stems(question), read_verbs(question)
    known = asked.union(stem for word in WORD.findall(level_text(golden)) for stem in stems(word))

    def find_foreign(words: Sequence[str]) -> list[str]:
        return [word for word in words if known.isdisjoint(stems(word)) and same_verb(word) not in verbs]

    everywhere, there = _find_telling(level), _find_telling(level[best.part.start : best.part.end])
    elsewhere = _find_telling(level[: best.part.start]) + _find_telling(level[best.part.end :])
    missing = words_about(elsewhere, asked) - words_about(there, asked) - best.about
    clause = level[best.part.start : best.part.end]
    return {
        "another role": best.role is not Role.ANSWER,
        "question's words in other clauses": len(missing) / max(1, len(words_about(everywhere, asked))),
        "other words": len(find_foreign(everywhere)) / max(1, len(everywhere)),
        "length": len(level) / LONGEST,
        "rivals": any(other.part is not best.part for other in others),
        "later sentence": best.part.sentence > 0,
        "other words in its clause": min(len(find_foreign(there)), _MOST) / _MOST,
        "contrast in its clause": _CONTRASTS.search(clause) is not None,
        "clause without the question's words": not words_about(there, asked) and not best.bare,
        "alone in its clause": best.bare,
        "behind a verb of being": _BEING.search(level, 0, best.start) is not None,
        "name": best.named,
    }


def _find_telling(text: str) -> list[str]:
    return [word for word in WORD.findall(text) if word not in FUNCTION_WORDS]
