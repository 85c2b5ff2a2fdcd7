"""How large a difference a comparison can see, and how many questions it takes to see one.

Both for a test that finds a true difference four times in five (POWER). Element by element, for numbers or arrays; nan
where no number of questions, or no difference, would do.
"""

from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

POWER = 0.8
"""Chance to find a difference that is there."""

Numbers = NDArray[np.float64]

_HALVINGS = 40


def _z(alpha: float) -> tuple[float, float]:
    """Normal quantiles of the test's two-sided level and of the power."""
    return -NormalDist().inv_cdf(alpha / 2), NormalDist().inv_cdf(POWER)


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


def needed_for_mean(difference: ArrayLike, deviation: ArrayLike, alpha: float) -> Numbers:
    """Questions to find this mean difference, if single differences have this deviation; nan for no difference.

    The normal approximation with the term for Student's t of W. C. Guenther, Sample size formulas for normal theory t
    tests, The American Statistician 35 (1981), pages 243–244.
    """
    level, power = _z(alpha)
    gap = np.abs(np.asarray(difference, np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        n = ((level + power) * np.asarray(deviation, np.float64) / gap) ** 2 + level**2 / 2
    return np.where(gap > 0, np.maximum(n, fewest_questions(alpha)), np.nan)


def detectable_share(n: ArrayLike, discordant: ArrayLike, alpha: float) -> Numbers:
    """The smallest difference of two shares that `n` questions find (see `needed_for_share`); nan if they find none."""
    questions, apart = np.broadcast_arrays(np.asarray(n, np.float64), np.asarray(discordant, np.float64))
    low, high = np.zeros(questions.shape), np.ones(questions.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = needed_for_share(middle, apart, alpha) <= questions
        low, high = np.where(found, low, middle), np.where(found, middle, high)
    return np.where(needed_for_share(1.0, apart, alpha) <= questions, high, np.nan)


def detectable_mean(n: ArrayLike, deviation: ArrayLike, alpha: float) -> Numbers:
    """The smallest mean difference that `n` questions find (see `needed_for_mean`); nan if they find none."""
    level, power = _z(alpha)
    questions = np.asarray(n, np.float64)
    enough = questions >= fewest_questions(alpha)
    effective = np.where(enough, questions - level**2 / 2, 1.0)
    found = (level + power) * np.asarray(deviation, np.float64) / np.sqrt(effective)
    return np.where(enough & (found <= 1), found, np.nan)
