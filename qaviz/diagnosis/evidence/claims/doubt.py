"""How far a short response that names the golden value may claim something else, although no rule tells that it does.

Weights of a logistic regression, rounded: the responses of tests/diagnosis/claims against the short right answers of
the labelled sets.
"""

import re
from collections.abc import Mapping, Sequence
from math import exp

from qaviz.diagnosis.evidence.claims.candidates import Candidate, words_about
from qaviz.diagnosis.evidence.claims.parts import LONGEST, WORD
from qaviz.diagnosis.evidence.claims.predicates import read_verbs, same_verb
from qaviz.diagnosis.evidence.claims.roles import Role
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems

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
