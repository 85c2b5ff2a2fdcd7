"""Which of the values that a short response names it settles on: the golden one, or another of the same kind."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp

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
from qaviz.diagnosis.evidence.claims.parts import LONGEST, WORD, YEAR, Part, find_telling_words, parts
from qaviz.diagnosis.evidence.claims.predicates import Agency, find_agency, read_verbs, same_verb
from qaviz.diagnosis.evidence.claims.roles import ASKS_CHANGE, EACH, Role
from qaviz.diagnosis.evidence.clauses import is_all_of_sentence, level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
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
_SHORT = 40
"""Characters of a sentence that may be an answer alone."""
_CONCESSION = re.compile(r"\W*(?:although|though|even though|while(?! \w+ing\b)|whereas)\b")
_SEVERAL = 2
"""Parts of a response from which one may be another one's rival."""
_NUMBERS = re.compile(r"(?<![\d.,])(?!(?:1[0-9]|20)\d\d(?!\d))\d+(?:[.,]\d+)*")
"""Numbers that are no years."""
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
"""Other words in a clause at which that feature is 1."""


@dataclass(frozen=True)
class _Claim:
    """A short response that names the golden value, read."""

    question: str
    """With the golden text, where that holds a negation."""
    response: str
    said: Span
    kind: str
    golden: str
    split: Sequence[Part]

    @cached_property
    def level(self) -> str:
        """The response, levelled."""
        return level_text(self.response)

    @cached_property
    def asked(self) -> frozenset[str]:
        """The stems of the question's words."""
        return asked_stems(self.question)

    @cached_property
    def own(self) -> list[Candidate]:
        """The mentions of the golden value."""
        return [self._find(*place) for place in _mentions(self.level, self.said)]

    @cached_property
    def others(self) -> list[Candidate]:
        """Other values of its kind that may answer."""
        mentions = [(one.start, one.end) for one in self.own]
        rivals = find_rivals(self.question, self.response, self.said, self.kind, mentions, self.golden)
        return [one for one in (self._find(*place) for place in rivals) if one.role is Role.ANSWER]

    def _find(self, start: int, end: int) -> Candidate:
        return find_candidate(self.level, start, end, self.split, self.asked, self.question)

    def part_words(self, part: Part) -> frozenset[str]:
        """The question's words that a part of the response holds."""
        return words_about(WORD.findall(part.text), self.asked)


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
    if quantities.is_turned(said, answer, response, question):
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
    doubt = _measure_doubt(stated, question, f"{golden} {answer} {said.text}")
    return found._replace(strength=round(found.strength * (1 - doubt), 3))


def _read_claim(question: str, response: str, said: Span, kind: str, golden: str) -> _Claim | None:
    """The response, read; None where it is long, or the value is all that a sentence says."""
    if len(response) > LONGEST or len(said.text) > _LONG:
        return None
    level = level_text(response)
    split = () if is_all_of_sentence(level, said) else parts(level)
    if not split:  # an amount alone, or nothing but marks and breaks
        return None
    question = f"{question} {golden}" if DENIES.search(golden) else question
    return _Claim(question, response, said, kind, golden, split)


def _find_other_claim(of: _Claim) -> tuple[Role, Span | None] | None:
    """The role in which a response names the golden value, and the other value that it claims in its place.

    None where the value may be its answer: one of its mentions stands in no other role, and no other value of that
    kind stands in a clause that says more of what the question asks.
    """
    told, decided = _tell_by_clauses(of)
    if decided or (_stands(of) and not _opens_with_other(of)):
        return told
    return _settle(of)


def _tell_by_clauses(of: _Claim) -> tuple[tuple[Role, Span | None] | None, bool]:
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
    if in_front := _find_in_front(of):
        return (Role.RELATED, in_front), True
    return ((Role.RELATED, None), True) if _is_conceded(of) else (None, False)


def _opens_with_other(of: _Claim) -> bool:
    """Whether a first sentence of a few words holds no mention: it may be the answer."""
    first = of.split[0]
    short = first.end - first.start <= _SHORT and of.level[first.end : first.end + 1] in (".", ";", "!")
    return short and all(one.start >= first.end for one in of.own)


def _is_conceded(of: _Claim) -> bool:
    """Whether all mentions stand in a concession, and the clause that it belongs to says more of the question."""
    return all(
        _CONCESSION.match(of.level, one.part.start)
        and any(
            one.about < of.part_words(part)
            for part in of.split
            if part.sentence == one.part.sentence and part is not one.part
        )
        for one in of.own
    )


def _find_in_front(of: _Claim) -> Span | None:
    """The answer that opens a response all of whose mentions of the golden value depend on it."""
    known = f"{of.said.text} {of.golden}"
    found = [find_answer_in_front(of.question, known, of.response, (one.start, one.end)) for one in of.own]
    return found[0] if all(found) else None


def _stands(of: _Claim) -> bool:
    """Whether a mention of the golden value is the answer, whatever else the response names."""
    answering = [one for one in of.own if one.role is Role.ANSWER]
    if len(of.split) < _SEVERAL:
        return bool(answering)
    return any(_says_all(one, of) or _answers_alone(one, of.question) for one in answering)


def _settle(of: _Claim) -> tuple[Role, Span | None] | None:
    """The first mention's role and the value that outdoes it, where all mentions are outdone."""
    if not of.others:
        return None
    verdicts = [_beaten(one, of.others, of.question) for one in of.own]
    if not all(verdicts):
        return None
    role, other = verdicts[0] or (Role.ANSWER, of.others[0])
    return role, Span(other.start, other.end, of.response[other.start : other.end])


def _says_all(one: Candidate, of: _Claim) -> bool:
    """Whether a clause that answers holds all that the response says of the question: no other clause says more.

    A sentence that names no other number counts as a clause.
    """
    start, end, about = one.part.start, one.part.end, one.about
    if not one.named:
        inside = [part for part in of.split if part.sentence == one.part.sentence]
        first, last = inside[0].start, inside[-1].end
        if len(_NUMBERS.findall(of.level, first, last)) == len(_NUMBERS.findall(of.level, one.start, one.end)):
            start, end = first, last
            about = about and about | words_about(WORD.findall(of.level, start, end), of.asked)
    if not about:
        return False
    periods = find_periods(of.level[start:end], of.question) - {one.text}
    everything = words_about(WORD.findall(of.level), of.asked)
    return about >= everything and periods <= find_periods(of.question, of.question)


def _mentions(level: str, said: Span) -> list[tuple[int, int]]:
    """Where the value stands in a levelled response."""
    text = level_text(said.text)
    found, start = [], level.find(text) if text else -1
    while start >= 0:
        end = start + len(text)
        if not (level[start - 1 : start].isalnum() or level[end : end + 1].isalnum()):
            found.append((start, end))
        start = level.find(text, end)
    return found or [(said.start, said.end)]


def _beaten(own: Candidate, others: Sequence[Candidate], question: str) -> tuple[Role, Candidate] | None:
    """The role of a mention that is not the answer, with the value that is; None where it may be the answer."""
    if own.role is not Role.ANSWER:
        return own.role, others[0]
    # Who answers with a name says it first: one that a later sentence holds is there for another reason.
    rivals = [one for one in others if one.part is not own.part and (not own.named or not is_later(one, own))]
    found = ((find_outdone_role(own, other, question), other) for other in rivals)
    return next(((role, other) for role, other in found if role), None)


def _answers_alone(own: Candidate, question: str) -> bool:
    """Whether a mention is the answer whatever other values the response names."""
    if own.bare or (not own.named and _says_change(own, question)):
        return True
    return bool(EACH.match(own.tail) or _CONCLUDES.match(own.part.text))


def _says_change(own: Candidate, question: str) -> bool:
    """Whether a number says by how much something changed, where the question asks that."""
    if not ASKS_CHANGE.search(level_text(question)):
        return False
    if _OF_CHANGE.search(own.lead):
        return True
    years, foreign = years_of(own), find_foreign_words(own.before, asked_stems(question))
    return bool(own.about or not foreign) and (years <= set(YEAR.findall(question)) or not YEAR.search(question))


def _measure_doubt(of: _Claim, question: str, golden: str) -> float:
    """Return 0 where a response claims the golden value that it names, up to 0.4 where it likely claims another one.

    A logistic regression; its weights are rounded, fitted on the responses of tests/diagnosis/claims against the short
    right answers of the labelled sets. `golden` holds all golden texts.
    """
    first = of.own[0]
    if first.start == 0 and first.part.end >= len(of.level) - 1:
        return 0.0  # the value and a few words, without another clause: `435 voting members`
    best = max(of.own, key=lambda one: (one.role is Role.ANSWER, len(one.about), one.bare))
    measured = _measure_surroundings(of, best, question, golden)
    without, with_rivals = (_weigh_surroundings(measured | {"rivals": there}) for there in (False, True))
    if without == with_rivals:  # other values need not be looked for, which takes longest
        return without
    return with_rivals if any(other.part is not best.part for other in of.others) else without


def _weigh_surroundings(measured: Mapping[str, float]) -> float:
    """The doubt that these features tell: 0 up to the probability CLEAR, at most _LIMIT."""
    probable = 1 / (1 + exp(-_BASE - sum(_WEIGHTS[name] * value for name, value in measured.items())))
    return min(_LIMIT, max(0.0, (probable - CLEAR) / (1 - CLEAR)))


def _measure_surroundings(of: _Claim, best: Candidate, question: str, golden: str) -> dict[str, float]:
    """What stands around the mention that most likely answers, by the names of the weights but rivals: 0 to 1 each."""
    level, asked, verbs = of.level, asked_stems(question), read_verbs(question)
    known = asked.union(stem for word in WORD.findall(level_text(golden)) for stem in stems(word))

    def find_foreign(words: Sequence[str]) -> list[str]:
        return [word for word in words if known.isdisjoint(stems(word)) and same_verb(word) not in verbs]

    clause = best.part.text
    everywhere, there = find_telling_words(level), find_telling_words(clause)
    elsewhere = find_telling_words(level[: best.part.start]) + find_telling_words(level[best.part.end :])
    missing = words_about(elsewhere, asked) - words_about(there, asked) - best.about
    return {
        "another role": best.role is not Role.ANSWER,
        "question's words in other clauses": len(missing) / max(1, len(words_about(everywhere, asked))),
        "other words": len(find_foreign(everywhere)) / max(1, len(everywhere)),
        "length": len(level) / LONGEST,
        "rivals": False,
        "later sentence": best.part.sentence > 0,
        "other words in its clause": min(len(find_foreign(there)), _MOST) / _MOST,
        "contrast in its clause": _CONTRASTS.search(clause) is not None,
        "clause without the question's words": not words_about(there, asked) and not best.bare,
        "alone in its clause": best.bare,
        "behind a verb of being": _BEING.search(best.head) is not None,
        "name": best.named,
    }
