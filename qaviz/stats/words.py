"""The four words in which a comparison ends."""

from enum import StrEnum

from qaviz.stats.intervals import ALPHA

NOTICEABLE = 0.2
"""A difference of scores that nobody should have to miss: where a comparison would, its questions are too few."""


class Decision(StrEnum):
    """What is known of the first of two pipelines against the second."""

    BETTER = "better"
    WORSE = "worse"
    NO_CLEAR_DIFFERENCE = "no clear difference"
    TOO_FEW_QUESTIONS = "too few questions"


def decide(difference: float | None, p: float | None, detectable: float | None) -> Decision:
    """The decision from a difference, its p-value and the smallest difference that could have been found.

    A difference beyond chance is better or worse. Without one there is no clear difference, if a NOTICEABLE one would
    have been found; else the questions are too few to tell.
    """
    if p is not None and difference and p < ALPHA:
        return Decision.BETTER if difference > 0 else Decision.WORSE
    if detectable is None or detectable > NOTICEABLE:
        return Decision.TOO_FEW_QUESTIONS
    return Decision.NO_CLEAR_DIFFERENCE
