"""How far a short response that names the golden value may claim something else, although no rule tells that it does.

Weights of a logistic regression, rounded: the responses of tests/diagnosis/claims against the short right answers of
the labelled sets.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from math import exp

from qaviz.diagnosis.evidence.claims.candidates import Candidate, words_about
from qaviz.diagnosis.evidence.claims.parts import LONGEST, WORD
from qaviz.diagnosis.evidence.claims.roles import Role
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems

_BASE = -1.6
_WEIGHTS: Mapping[str, float] = {
    "another role": 3.0,
    "question's words in other clauses": 1.5,
    "other words": 1.25,
    "length": -4.3,
    "rivals": 1.2,
    "later sentence": 0.9,
    "other words in its clause": 1.0,
    "contrast in its clause": 1.1,
    "clause without the question's words": 0.7,
    "alone in its clause": -1.0,
    "behind a verb of being": -0.7,
    "name": -0.75,
}
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
    level: str, own: Sequence[Candidate], others: Sequence[Candidate], asked: Collection[str], golden: str
) -> float:
    """Return 0 where a response claims the golden value that it names, up to 1 where it likely claims another one.

    `level` is the levelled response, `own` its mentions of the golden value, `others` the values of that kind that may
    answer, `asked` the stems of the question's words, `golden` the golden texts.
    """
    best = max(own, key=lambda one: (one.role is Role.ANSWER, len(one.about), one.bare))
    known = {stem for word in WORD.findall(level_text(golden)) for stem in stems(word)}.union(asked)
    everywhere = [word for word in WORD.findall(level) if word not in FUNCTION_WORDS]
    foreign = [word for word in everywhere if known.isdisjoint(stems(word))]
    clause = level[best.part.start : best.part.end]
    there = [word for word in WORD.findall(clause) if word not in FUNCTION_WORDS and known.isdisjoint(stems(word))]
    about = words_about(everywhere, frozenset(asked))
    measured = {
        "another role": best.role is not Role.ANSWER,
        "question's words in other clauses": len(about - best.about) / max(1, len(about)),
        "other words": len(foreign) / max(1, len(everywhere)),
        "length": len(level) / LONGEST,
        "rivals": any(other.part is not best.part for other in others),
        "later sentence": best.part.sentence > 0,
        "other words in its clause": min(len(there), _MOST) / _MOST,
        "contrast in its clause": _CONTRASTS.search(clause) is not None,
        "clause without the question's words": not best.about and not best.bare,
        "alone in its clause": best.bare,
        "behind a verb of being": _BEING.search(level, 0, best.start) is not None,
        "name": best.named,
    }
    probable = 1 / (1 + exp(-_BASE - sum(_WEIGHTS[name] * value for name, value in measured.items())))
    return max(0.0, (probable - CLEAR) / (1 - CLEAR))
