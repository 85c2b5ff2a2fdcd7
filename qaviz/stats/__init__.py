"""What is known and what is not: intervals for shares and means, paired comparisons (exact tests of outcomes, resampled
tests of mean differences, the correction for several pairs, the five decisions that one may come to), and how much it
takes to know: questions for a comparison, looks in between without false alarms, and items to review.

Nothing here knows what is counted. scipy is imported where it is called, so that the app starts without it.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import floor
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

ALPHA = 0.05
"""p-value below which a difference counts as more than chance."""
LEVEL = 1 - ALPHA
"""Confidence of every interval on the screen."""
TWO_SIDED = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""Standard errors that such an interval reaches to each side, where the normal distribution holds."""

Sample = NDArray[np.float64]
"""One difference a question, between -1 and 1."""

EXACT_UP_TO = 14
"""Differences other than 0 for which all 2**14 ways to swap the two pipelines are gone through."""
DRAWN_UP_TO = 500
"""Differences for which swaps and resamples are drawn; beyond that, their normal limit."""
PERMUTATIONS = 9_999
RESAMPLES = 2_000
TIE = 1e-12
"""Differences up to here are rounding."""

_BATCH = 1_111
"""Permutations at a time: some 10 MB."""

NOTICEABLE = 0.2
"""A difference of scores that a comparison has to be able to find; if it is not, its questions are too few."""


def wilson(hits: float, n: float) -> tuple[float, float]:
    """Interval (low, high) for a share of `hits` among `n`; (0, 1) when `n` is 0, since nothing is known then.

    Wilson's score interval, without continuity correction: E. B. Wilson, Probable inference, the law of succession,
    and statistical inference, Journal of the American Statistical Association 22 (1927), pages 209–212. Written out,
    because the first screen shows it and scipy takes longer to import than that screen to draw.
    """
    if n == 0:
        return 0.0, 1.0
    z, share = TWO_SIDED, hits / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At the ends the exact value is 0 or 1; rounding would leave a trace beside it.
    return (0.0 if hits == 0 else centre - half), (1.0 if hits == n else centre + half)


def mean_interval(mean: float, deviation: float, n: int) -> tuple[float, float]:
    """Interval (low, high) for the mean of `n` scores between 0 and 1 with this sample deviation; `n` is at least 2.

    Student's t interval, kept within 0 and 1: Student, The probable error of a mean, Biometrika 6 (1908), pages 1–25.
    """
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * deviation / math.sqrt(n)
    return max(0.0, mean - half), min(1.0, mean + half)


def paired_share_interval(wins: int, losses: int, n: int) -> tuple[float, float]:
    """Interval (low, high) for the difference of two shares over the same `n` questions; (-1, 1) when `n` is 0.

    `wins` are the questions that only the first has, `losses` those that only the second has. Wald's interval with one
    of each added, which keeps its level for small `n` too and is never a single point: D. G. Bonett and R. M. Price,
    Adjusted Wald confidence interval for a difference of binomial proportions based on paired data, Journal of
    Educational and Behavioral Statistics 37 (2012), pages 479–488.
    """
    if n == 0:
        return -1.0, 1.0
    first, second = (wins + 1) / (n + 2), (losses + 1) / (n + 2)
    half = TWO_SIDED * math.sqrt((first + second - (first - second) ** 2) / (n + 2))
    return max(-1.0, first - second - half), min(1.0, first - second + half)


def round_up(share: float) -> float:
    """An upper bound to a tenth of a percent, never smaller than it is: .015 for .0147."""
    return math.ceil(_tenths(share)) / 1000


def round_down(share: float) -> float:
    """A lower bound to a tenth of a percent, never larger than it is: .985 for .9853."""
    return math.floor(_tenths(share)) / 1000


def _tenths(share: float) -> float:
    """The share in tenths of a percent, without the last digits, which are arithmetic's: .07 x 1,000 is 70."""
    return round(share * 1000, 6)


def sign_test(wins: ArrayLike, losses: ArrayLike) -> NDArray[np.float64]:
    """Two-sided p-values that two pipelines differ, from the questions that only the one and only the other wins.

    For outcomes of 0 and 1 this is the exact form of Q. McNemar, Note on the sampling error of the difference between
    correlated proportions, Psychometrika 12 (1947), pages 153–157: twice the tail of Binomial(wins + losses, 1/2), at
    most 1. Numbers or arrays of them, element by element.
    """
    from scipy.special import bdtr

    first, second = np.asarray(wins, np.int64), np.asarray(losses, np.int64)
    return np.asarray(np.minimum(1.0, 2 * bdtr(np.minimum(first, second), first + second, 0.5)), np.float64)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values, in the same order, corrected for being looked at together.

    S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979),
    pages 65–70.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    return corrected


def permutation_tests(samples: Sequence[Sample], seed: int) -> NDArray[np.float64]:
    """Two-sided p-values, one a sample, that its mean is not 0: were the pipelines equal, they could swap places.

    All swaps are tried for up to EXACT_UP_TO differences, PERMUTATIONS of them drawn for up to DRAWN_UP_TO; then
    p = (1 + as extreme) / (1 + drawn), which is never 0 (B. Phipson and G. K. Smyth, Permutation p-values should never
    be zero, Statistical Applications in Genetics and Molecular Biology 9 (2010), article 39). Draws cannot tell how far
    below 1 / PERMUTATIONS a p-value is, which matters among hundreds of tests: there the bound holds that no p-value
    over all swaps is above (W. Hoeffding, Probability inequalities for sums of bounded random variables, Journal of the
    American Statistical Association 58 (1963), pages 13–30).
    """
    unequal = [sample[np.abs(sample) > TIE] for sample in samples]
    sizes = np.array([len(sample) for sample in unequal])
    p_values = np.array(
        [_all_swaps(sample) if len(sample) <= EXACT_UP_TO else _normal_limit(sample) for sample in unequal]
    )
    drawn = np.flatnonzero((sizes > EXACT_UP_TO) & (sizes <= DRAWN_UP_TO))
    if drawn.size:
        p_values[drawn] = _drawn_swaps([unequal[place] for place in drawn], seed)
    return p_values


def bootstrap_intervals(samples: Sequence[Sample], seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Intervals for the mean of each sample: all low ends, all high ends, between -1 and 1.

    Percentiles of RESAMPLES means, drawn with replacement and taken a little further out, as far as Student's t lies
    outside of the normal distribution: T. C. Hesterberg, What teachers should know about the bootstrap, The American
    Statistician 69 (2015), pages 371–386. Samples of one size share their draws. Fewer than 2 questions say nothing.
    """
    low, high = np.full(len(samples), -1.0), np.full(len(samples), 1.0)
    sizes = np.array([len(sample) for sample in samples])
    for n in np.unique(sizes[sizes > 1]):
        places = np.flatnonzero(sizes == n)
        table = np.stack([samples[place] for place in places], axis=1)
        means = _normal_ends(table) if n > DRAWN_UP_TO else _drawn_ends(table, seed)
        low[places], high[places] = means
    return low, high


def interval_of(sample: Sample) -> tuple[float, float]:
    """Interval (low, high) for the mean of one number from 0 to 1 a question; (0, 1) where they say nothing.

    Wilson's where all are 0 or 1, else Student's (see `qaviz.stats`), its deviation as `deviation` has it.
    """
    if np.isin(sample, (0.0, 1.0)).all():
        return wilson(int(sample.sum()), len(sample))
    spread = deviation(sample)
    return (0.0, 1.0) if spread is None else mean_interval(float(sample.mean()), spread, len(sample))


def deviation(sample: Sample) -> float | None:
    """The sample's standard deviation; None for fewer than 2 questions.

    Where all questions are alike it is not 0 but what the questions unseen may hide (see `_ends_of_alike`).
    """
    if len(sample) < 2:
        return None
    if np.ptp(sample) > TIE:
        return float(sample.std(ddof=1))
    unseen = wilson(0, len(sample))[1]
    return float(np.sqrt(unseen * (1 - unseen)))


@lru_cache(maxsize=EXACT_UP_TO + 1)
def _swaps(n: int) -> NDArray[np.float64]:
    """Half of the ways to swap `n` pairs, a row of signs each; the other half mirrors them."""
    return np.array(np.arange(2**n // 2)[:, None] >> np.arange(n) & 1, np.float64) * 2 - 1


def _all_swaps(unequal: Sample) -> float:
    if unequal.size == 0:
        return 1.0
    return float(np.mean(np.abs(_swaps(unequal.size) @ unequal) >= _as_extreme(unequal)))


def _as_extreme(unequal: Sample) -> float:
    """The sum from which a swap counts as extreme: a little lower than it is, because sums round."""
    return float(abs(unequal.sum()) - 1e-9 * np.abs(unequal).sum())


def _normal_limit(unequal: Sample) -> float:
    z = abs(unequal.sum()) / np.sqrt(np.square(unequal).sum())
    return 2 * NormalDist().cdf(-float(z))


def _drawn_swaps(samples: Sequence[Sample], seed: int) -> NDArray[np.float64]:
    longest = max(map(len, samples))
    table = np.stack([np.pad(sample, (0, longest - len(sample))) for sample in samples], axis=1)
    extreme = np.array([_as_extreme(sample) for sample in samples])
    draw = np.random.default_rng(seed)
    extremes = np.zeros(len(samples))
    for _ in range(PERMUTATIONS // _BATCH):
        signs = draw.integers(0, 2, (_BATCH, longest), np.int8) * 2.0 - 1.0
        extremes += (np.abs(signs @ table) >= extreme).sum(axis=0)
    bound = 2 * np.exp(-np.square(extreme) / (2 * np.square(table).sum(axis=0)))
    return np.asarray(np.minimum((1 + extremes) / (1 + PERMUTATIONS), bound), np.float64)


def _drawn_ends(table: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Low and high ends, a column a sample; `table` has a row a question and a column a sample."""
    from scipy.special import ndtr, stdtrit

    n = len(table)
    further = np.sqrt(n / (n - 1)) * stdtrit(n - 1, (1 + LEVEL) / 2)
    ends = np.quantile(_times_drawn(n, seed) @ table / n, [ndtr(-further), ndtr(further)], axis=0)
    alike = np.flatnonzero(np.ptp(table, axis=0) <= TIE)
    ends[:, alike] = _ends_of_alike(table[0, alike], n)
    return np.asarray(np.clip(ends, -1, 1), np.float64)


def _times_drawn(n: int, seed: int) -> NDArray[np.float64]:
    """How often each of `n` questions is drawn, a row a resample."""
    drawn = np.random.default_rng([seed, n]).integers(0, n, (RESAMPLES, n))
    places = drawn + n * np.arange(RESAMPLES)[:, None]
    return np.bincount(places.ravel(), minlength=RESAMPLES * n).reshape(RESAMPLES, n).astype(np.float64)


def _ends_of_alike(differences: Sample, n: int) -> NDArray[np.float64]:
    """Where all questions are alike, so are their resamples, which then know no doubt.

    As many questions may differ as Wilson's interval allows for none seen among `n`, and by as much as scores can.
    """
    unseen = wilson(0, n)[1]
    return np.stack([differences * (1 - unseen) - unseen, differences * (1 - unseen) + unseen])


def _normal_ends(table: NDArray[np.float64]) -> NDArray[np.float64]:
    half = TWO_SIDED * table.std(axis=0, ddof=1) / np.sqrt(len(table))
    middle = table.mean(axis=0)
    return np.stack([middle - half, middle + half])


class Compared(StrEnum):
    """What is known of the first of two pipelines against the second."""

    BETTER = "better"
    WORSE = "worse"
    LEVEL = "level"
    """Any difference is too small to matter."""
    NO_CLEAR_DIFFERENCE = "no clear difference"
    TOO_FEW_QUESTIONS = "too few questions"
    OPEN = "open responses decide"


def name_comparison(
    difference: float | None, p: float | None, detectable: float | None, *, is_open: bool = False
) -> Compared:
    """The decision from a difference, its p-value and the smallest difference that could have been found.

    A difference beyond chance is better or worse. Without one open responses decide, if they could make one better.
    There is no clear difference, if a NOTICEABLE one would have been found; else the questions are too few to tell.
    """
    if p is not None and difference and p < ALPHA:
        return Compared.BETTER if difference > 0 else Compared.WORSE
    if is_open:
        return Compared.OPEN
    if detectable is None or detectable > NOTICEABLE:
        return Compared.TOO_FEW_QUESTIONS
    return Compared.NO_CLEAR_DIFFERENCE


POWER = 0.8
"""Chance to find a difference that is there."""

Numbers = NDArray[np.float64]

_HALVINGS = 40

MARGIN = 0.05
"""A loss of right answers that is smaller is no regression that a gate has to find, unless told otherwise."""

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


def mixed_bets(values: ArrayLike, bound: float, *, times: float = 1.0) -> float:
    """Capital won by betting against the hypothesis that the mean of such values, from -1 to 1, is at least `bound`.

    Each bet puts the same share of its capital on every value; the shares are fixed beforehand, and the capital is
    their mean. If the hypothesis holds, it ever reaches 1 / alpha with probability alpha at most, however often one
    looks (J. Ville, 1939): a test martingale of I. Waudby-Smith and A. Ramdas, Estimating means of bounded random
    variables by betting, Journal of the Royal Statistical Society B 86 (2024), pages 1-27. The order of the values does
    not matter. With `times` as if each value had come so often.
    """
    different, counts = np.unique(np.asarray(values, np.float64), return_counts=True)
    return _bet_on(different, counts * times, bound)


_BETS = (np.arange(64) + 0.5) / 64
"""What is bet on each value, as a share of what one value can lose."""


def _bet_on(different: Sample, counts: Sample, bound: float) -> float:
    logarithms = np.log1p(_BETS[:, None] * ((bound - different) / (1 - bound))) @ counts
    most = logarithms.max()
    with np.errstate(over="ignore"):
        return float(np.exp(most) * np.exp(logarithms - most).mean())


def anytime_low(values: ArrayLike) -> float:
    """Low end for the mean of values from -1 to 1: it errs in ALPHA at most, however often one looks.

    The confidence sequence of `mixed_bets`: the means that the bets have not refuted. -1 without a value.
    """
    different, counts = np.unique(np.asarray(values, np.float64), return_counts=True)
    low, high = -1.0, 1.0
    for _ in range(_HALVINGS if counts.size else 0):
        middle = (low + high) / 2
        refuted = _bet_on(-different, counts.astype(np.float64), middle) >= 1 / ALPHA
        low, high = (low, middle) if refuted else (middle, high)
    return -high


def size_sample(population: int, at_most: float, allowed_wrong: int = 0) -> int:
    """Return the smallest sample that shows the promise if at most `allowed_wrong` of it is wrong.

    The whole population, where no smaller sample would do.
    """
    # The fewest that break the promise, through the decimal text: 0.29 * 100 is a little less than 29 in binary.
    wrong = floor(Fraction(str(at_most)) * population) + 1
    least, risk = min(allowed_wrong + 1, population), 1 - CONFIDENCE
    smaller = bisect_left(
        range(least, population), True, key=lambda sample: _at_most(population, wrong, sample, allowed_wrong) <= risk
    )
    return least + smaller


def upper_bound(population: int, reviewed: int, wrong: int) -> float:
    """Return the exact one-sided upper bound of the share that is wrong in the population, what was found included.

    The largest number of wrong items under which so few wrong ones in the sample are not yet improbable.
    """
    if reviewed >= population:
        return wrong / population
    more, risk = range(wrong + 1, population - (reviewed - wrong) + 1), 1 - CONFIDENCE
    likely = bisect_left(more, True, key=lambda many: _at_most(population, many, reviewed, wrong) <= risk)
    return (wrong + likely) / population


def _at_most(population: int, wrong: int, sample: int, most: int) -> float:
    """Chance of at most `most` wrong items in the sample."""
    # Loaded where it is called: the app starts without scipy.
    from scipy.stats import hypergeom

    return float(hypergeom.cdf(most, population, wrong, sample))
