"""How many items to review, and what a review has shown: exact plans for samples without replacement.

A promise is "with 95 % confidence at most a share x of the items is wrong". All probabilities are hypergeometric: the
population is finite and nobody reviews an item twice (E. G. Schilling and D. V. Neubauer, Acceptance Sampling in
Quality Control, 3rd edition 2017, chapter 2).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How many items to review at random, and how many of them may be wrong for the promise to hold."""

    sample: int
    allowed_wrong: int
    """Fixed before the review: to allow more afterwards breaks the promise."""


@dataclass(frozen=True, kw_only=True)
class TwoStagePlan:
    """Review `first` items; if more are wrong than `first_allowed`, review `second` more and allow `allowed` in all."""

    first: int
    first_allowed: int
    second: int
    allowed: int


def fewest_too_many(population: int, at_most: float) -> int:
    """Return the smallest number of wrong items in the population that breaks the promise."""
    # Through the decimal text: 0.29 * 100 is a little less than 29 in binary.
    return floor(Fraction(str(at_most)) * population) + 1


def size_sample(population: int, at_most: float, allowed_wrong: int = 0, confidence: float = CONFIDENCE) -> Plan:
    """Return the smallest sample that shows the promise if at most `allowed_wrong` of it is wrong.

    The whole population, where no smaller sample would do.
    """
    wrong = fewest_too_many(population, at_most)
    least, most = min(allowed_wrong + 1, population), population
    while least < most:
        middle = (least + most) // 2
        if _at_most(population, wrong, middle, allowed_wrong) <= 1 - confidence:
            most = middle
        else:
            least = middle + 1
    return Plan(sample=least, allowed_wrong=allowed_wrong)


def size_two_stages(population: int, at_most: float, confidence: float = CONFIDENCE) -> TwoStagePlan:
    """Return the smallest two stages of one size, none allowed wrong in the first and one in both, sized jointly.

    To draw a second sample after a bad first one gives the promise a second chance to pass: the risk of both together
    stays under 1 - confidence. The second stage is smaller where the population ends.
    """
    wrong = fewest_too_many(population, at_most)
    least, most = 1, population
    while least < most:
        middle = (least + most) // 2
        if _passes_two_stages(population, wrong, middle) <= 1 - confidence:
            most = middle
        else:
            least = middle + 1
    return TwoStagePlan(first=least, first_allowed=0, second=min(least, population - least), allowed=1)


def upper_bound(population: int, reviewed: int, wrong: int, confidence: float = CONFIDENCE) -> float:
    """Return the exact one-sided upper bound of the share that is wrong in the population, what was found included.

    The largest number of wrong items under which so few wrong ones in the sample are not yet improbable.
    """
    if reviewed >= population:
        return wrong / population
    least, most = wrong, population - (reviewed - wrong)
    while least < most:
        middle = (least + most + 1) // 2
        if _at_most(population, middle, reviewed, wrong) > 1 - confidence:
            least = middle
        else:
            most = middle - 1
    return least / population


def _passes_two_stages(population: int, wrong: int, stage: int) -> float:
    """Chance that so many wrong items pass: none in the first stage, or one in it and none in the second."""
    first = _at_most(population, wrong, stage, 0)
    one = _at_most(population, wrong, stage, 1) - first
    second = min(stage, population - stage)
    return first + one * _at_most(population - stage, wrong - 1, second, 0)


def _at_most(population: int, wrong: int, sample: int, found: int) -> float:
    """Chance to find at most so many wrong items in the sample."""
    # Loaded where it is called: the app starts without scipy.
    from scipy.stats import hypergeom

    return float(hypergeom.cdf(found, population, wrong, sample))
