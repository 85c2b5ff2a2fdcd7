"""How much it takes to know: questions for a comparison, looks in between without false alarms, and items to
review.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qaviz.stats.paired_tests import wilson

POWER = 0.8
"""Chance to find a difference that is there."""

Numbers = NDArray[np.float64]

_HALVINGS = 40

MARGIN = 0.05
"""A loss of right answers that is smaller is no regression that a fast check has to find."""
_CAUTION = 0.9
"""The largest bet, as a share of one that a single question could lose all by."""
_USUAL_SPREAD = 0.05
"""Variance of a question's change that bets begin with, before anything is seen."""

CONFIDENCE = 0.95


def _z(alpha: float, power: float = POWER) -> tuple[float, float]:
    """Normal quantiles of the test's two-sided level and of the power."""
    return -NormalDist().inv_cdf(alpha / 2), NormalDist().inv_cdf(power)


def power_with(guardrails: int) -> float:
    """The power that each test needs so that one success measure and all guardrails pass together with POWER.

    A guardrail stops what is worse, so its level needs no correction for their number; the chance to miss is divided:
    M. Schultzberg, S. Ankargren and M. Frånberg, Risk-aware product decisions in A/B tests with multiple metrics
    (2024), arXiv:2402.11609, section 3.
    """
    return 1 - (1 - POWER) / (guardrails + 1)


def raise_power(questions: float, alpha: float, power: float) -> float:
    """Questions that find with this power what so many find with POWER: they grow with (z_alpha + z_power)²."""
    return questions * (sum(_z(alpha, power)) / sum(_z(alpha))) ** 2


def fewest_questions(alpha: float) -> int:
    """Questions below which no outcome of the sign test has p < alpha, not even if one pipeline wins them all."""
    return int(np.floor(1 - np.log2(alpha))) + 1


def needed_for_share(difference: ArrayLike, discordant: ArrayLike, alpha: float) -> Numbers:
    """Questions to find this difference of two shares, if so large a share of the questions tells the two apart.

    R. J. Connor, Sample size for testing differences in proportions for the paired-sample design, Biometrics 43
    (1987), pages 207–211. nan for no difference.
    """
    level, power = _z(alpha)
    gap = np.abs(np.asarray(difference, np.float64))
    # A gap cannot be wider than what tells the two apart.
    apart = np.maximum(np.asarray(discordant, np.float64), gap)
    with np.errstate(divide="ignore", invalid="ignore"):
        n = (level * np.sqrt(apart) + power * np.sqrt(apart - gap**2)) ** 2 / gap**2
    return np.where(gap > 0, np.maximum(n, fewest_questions(alpha)), np.nan)


def needed_for_mean(difference: ArrayLike, deviation: ArrayLike, alpha: float, power: float = POWER) -> Numbers:
    """Questions to find this mean difference, if single differences have this deviation; nan for no difference.

    The normal approximation with the term for Student's t of W. C. Guenther, Sample size formulas for normal theory t
    tests, The American Statistician 35 (1981), pages 243–244.
    """
    level, power_quantile = _z(alpha, power)
    gap = np.abs(np.asarray(difference, np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        n = ((level + power_quantile) * np.asarray(deviation, np.float64) / gap) ** 2 + level**2 / 2
    return np.where(gap > 0, np.maximum(n, fewest_questions(alpha)), np.nan)


def power_of_share(share: float, bound: float, questions: int) -> float:
    """The chance that the low end of Wilson's interval reaches the bound, for this true share: exact binomial."""
    # Loaded where it is called: the app starts without scipy.
    from scipy.special import bdtrc

    least = bisect_left(range(questions + 1), True, key=lambda hits: wilson(hits, questions)[0] >= bound)
    if least > questions:
        return 0.0
    return 1.0 if least == 0 else float(bdtrc(least - 1, questions, share))


def detectable_share(n: ArrayLike, discordant: ArrayLike, alpha: float) -> Numbers:
    """The smallest difference of two shares that `n` questions find (see `needed_for_share`); nan if they find none."""
    questions, apart = np.broadcast_arrays(np.asarray(n, np.float64), np.asarray(discordant, np.float64))
    low, high = np.zeros(questions.shape), np.ones(questions.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_enough = needed_for_share(middle, apart, alpha) <= questions
        low, high = np.where(is_enough, low, middle), np.where(is_enough, middle, high)
    return np.where(needed_for_share(1.0, apart, alpha) <= questions, high, np.nan)


def detectable_mean(n: ArrayLike, deviation: ArrayLike, alpha: float) -> Numbers:
    """The smallest mean difference that `n` questions find (see `needed_for_mean`); nan if they find none."""
    level, power = _z(alpha)
    questions = np.asarray(n, np.float64)
    enough = questions >= fewest_questions(alpha)
    effective = np.where(enough, questions - level**2 / 2, 1.0)
    difference = (level + power) * np.asarray(deviation, np.float64) / np.sqrt(effective)
    return np.where(enough & (difference <= 1), difference, np.nan)


def loss_evidence(broken: int, fixed: int) -> float:
    """Capital against the hypothesis that a question that changed is as likely fixed as broken, where more broke.

    The order of the questions may be any, chosen without looking at the answers. Bets are mixed evenly over the shares
    of broken ones from 1/2 to 1: the Bayes factor of a uniform prior on that half.
    """
    from scipy.special import betainc, betaln

    upper_half = betainc(fixed + 1, broken + 1, 0.5)
    with np.errstate(divide="ignore", over="ignore"):  # no evidence at all, or beyond any bound that is asked for
        logarithm = np.log(2 * upper_half) + (broken + fixed) * np.log(2) + betaln(broken + 1, fixed + 1)
        return float(np.exp(logarithm))


class NoLossEvidence:
    """Capital against the hypothesis that over all questions the pipeline loses at least `margin` of right answers.

    Questions are drawn without replacement from a finite golden dataset; those of `add_unbet` may be chosen in any way,
    all others have to come in random order. After I. Waudby-Smith, A. Ramdas, Estimating means of bounded random
    variables by betting, Journal of the Royal Statistical Society B 86 (2024), pages 1–27, section 5.
    """

    def __init__(self, questions: int, margin: float = MARGIN) -> None:
        self._left, self._owed = questions, questions * margin
        """What the losses still to come add up to, at least, if the hypothesis holds."""
        self._seen = 0
        self._total = self._squares = 0.0
        self.capital = 1.0

    def add_unbet(self, losses: Sequence[float]) -> None:
        """Questions whose order was chosen: known from now on, but no bet was placed on them. 1 broken, -1 fixed."""
        for loss in losses:
            self._take(loss)

    def add(self, losses: Sequence[float]) -> None:
        """Questions in random order, one bet each."""
        for loss in losses:
            expected = self._owed / self._left
            if expected > 1:  # not even if all that is left broke
                self.capital = 0.0
            elif expected < -1:  # the hypothesis cannot hold any more
                self.capital = np.inf
            else:
                self.capital *= 1 + self._bet(expected) * (expected - loss)
            self._take(loss)

    def _bet(self, expected: float) -> float:
        """What is bet on a loss below the expected one: by the questions before alone."""
        mean = self._total / (self._seen + 1)
        spread = (self._squares + _USUAL_SPREAD) / (self._seen + 1)
        hoped = max(expected - mean, 0.0)
        most = _CAUTION / max(1 - expected, 1e-9)
        return float(min(hoped / (spread + hoped * hoped), most))

    def _take(self, loss: float) -> None:
        self._left, self._owed = self._left - 1, self._owed - loss
        self._seen, self._total, self._squares = self._seen + 1, self._total + loss, self._squares + loss * loss
        if not self._left:
            self.capital = np.inf if self._owed > 0 else 0.0


ALLOWED_OF_TWO = 1
"""Items that may be wrong in both stages of a plan of two; none may be where the first alone is to do."""


@dataclass(frozen=True, kw_only=True)
class TwoStagePlan:
    """Review `first` items; if just one is wrong, review `second` more and allow no other."""

    first: int
    second: int


def fewest_too_many(population: int, at_most: float) -> int:
    """Return the smallest number of wrong items in the population that breaks the promise."""
    # Through the decimal text: 0.29 * 100 is a little less than 29 in binary.
    return floor(Fraction(str(at_most)) * population) + 1


def size_sample(population: int, at_most: float, allowed_wrong: int = 0) -> int:
    """Return the smallest sample that shows the promise if at most `allowed_wrong` of it is wrong.

    The whole population, where no smaller sample would do.
    """
    wrong = fewest_too_many(population, at_most)
    least, risk = min(allowed_wrong + 1, population), 1 - CONFIDENCE
    smaller = bisect_left(
        range(least, population), True, key=lambda sample: _at_most(population, wrong, sample, allowed_wrong) <= risk
    )
    return least + smaller


def size_two_stages(population: int, at_most: float) -> TwoStagePlan:
    """Return the smallest two stages of one size, none allowed wrong in the first and one in both, sized jointly.

    To draw a second sample after a bad first one gives the promise a second chance to pass: the risk of both together
    stays under 1 - CONFIDENCE. The second stage is smaller where the population ends.
    """
    wrong = fewest_too_many(population, at_most)
    least = 1 + bisect_left(
        range(1, population), True, key=lambda stage: _passes_two_stages(population, wrong, stage) <= 1 - CONFIDENCE
    )
    return TwoStagePlan(first=least, second=min(least, population - least))


def upper_bound(population: int, reviewed: int, wrong: int) -> float:
    """Return the exact one-sided upper bound of the share that is wrong in the population, what was found included.

    The largest number of wrong items under which so few wrong ones in the sample are not yet improbable.
    """
    if reviewed >= population:
        return wrong / population
    more, risk = range(wrong + 1, population - (reviewed - wrong) + 1), 1 - CONFIDENCE
    likely = bisect_left(more, True, key=lambda many: _at_most(population, many, reviewed, wrong) <= risk)
    return (wrong + likely) / population


def _passes_two_stages(population: int, wrong: int, stage: int) -> float:
    """Chance that so many wrong items pass: none in the first stage, or one in it and none in the second."""
    first = _at_most(population, wrong, stage, 0)
    one = _at_most(population, wrong, stage, 1) - first
    second = min(stage, population - stage)
    return first + one * _at_most(population - stage, wrong - 1, second, 0)


def _at_most(population: int, wrong: int, sample: int, most: int) -> float:
    """Chance of at most `most` wrong items in the sample."""
    # Loaded where it is called: the app starts without scipy.
    from scipy.stats import hypergeom

    return float(hypergeom.cdf(most, population, wrong, sample))
