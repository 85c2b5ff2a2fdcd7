"""Intervals for shares, means, and the difference between two shares."""

import math
from statistics import NormalDist

ALPHA = 0.05
"""p-value below which a difference counts as more than chance."""
LEVEL = 1 - ALPHA
"""Confidence of every interval on the screen."""


def wilson(hits: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Interval (low, high) for a share of `hits` among `n`; (0, 1) when `n` is 0, since nothing is known then.

    Wilson's score interval, without continuity correction: E. B. Wilson, Probable inference, the law of succession,
    and statistical inference, Journal of the American Statistical Association 22 (1927), pages 209–212. Written out,
    because the first screen shows it and scipy takes longer to import than that screen to draw.
    """
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = hits / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At the ends the exact value is 0 or 1; rounding would leave a trace beside it.
    return (0.0 if hits == 0 else centre - half), (1.0 if hits == n else centre + half)


def mean_interval(mean: float, deviation: float, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Interval (low, high) for the mean of `n` scores between 0 and 1 with this sample deviation; `n` is at least 2.

    Student's t interval, kept within 0 and 1: Student, The probable error of a mean, Biometrika 6 (1908), pages 1–25.
    """
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, (1 + level) / 2)) * deviation / math.sqrt(n)
    return max(0.0, mean - half), min(1.0, mean + half)


def paired_share_interval(wins: int, losses: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Interval (low, high) for the difference of two shares over the same `n` questions; (-1, 1) when `n` is 0.

    `wins` are the questions that only the first has, `losses` those that only the second has. Wald's interval with one
    of each added, which keeps its level for small `n` too and is never a single point: D. G. Bonett and R. M. Price,
    Adjusted Wald confidence interval for a difference of binomial proportions based on paired data, Journal of
    Educational and Behavioral Statistics 37 (2012), pages 479–488.
    """
    if n == 0:
        return -1.0, 1.0
    first, second = (wins + 1) / (n + 2), (losses + 1) / (n + 2)
    z = NormalDist().inv_cdf((1 + level) / 2)
    half = z * math.sqrt((first + second - (first - second) ** 2) / (n + 2))
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
