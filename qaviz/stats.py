"""Intervals and paired tests for shares. Nothing here knows what is counted.

Written out rather than imported, so that the app starts without scipy; the tests compare with scipy.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

LEVEL = 0.95
"""Confidence of every interval on the screen."""
ALPHA = 1 - LEVEL
"""p-value below which a difference counts as more than chance."""


def wilson(hits: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Interval (low, high) for a share of `hits` among `n`; (0, 1) when `n` is 0, since nothing is known then.

    Wilson's score interval, without continuity correction: E. B. Wilson, Probable inference, the law of succession,
    and statistical inference, Journal of the American Statistical Association 22 (1927), pages 209–212.
    """
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = hits / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At the ends the exact value is 0 or 1; rounding would leave a trace beside it.
    return (0.0 if hits == 0 else centre - half), (1.0 if hits == n else centre + half)


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided p-value that two pipelines differ, from the questions that only one of them got right.

    The exact binomial form of Q. McNemar, Note on the sampling error of the difference between correlated proportions,
    Psychometrika 12 (1947), pages 153–157: twice the tail of Binomial(only_first + only_second, 1/2), at most 1.
    """
    n, smaller = only_first + only_second, min(only_first, only_second)
    if only_first == only_second:
        return 1.0
    # From the largest term down, each from the one before it: C(n, k-1) = C(n, k) * k / (n - k + 1).
    log_term = math.lgamma(n + 1) - math.lgamma(smaller + 1) - math.lgamma(n - smaller + 1) - n * math.log(2)
    term = math.exp(log_term)
    tail = 0.0
    for k in range(smaller, -1, -1):
        tail += term
        if term < tail * 1e-17:
            break
        term *= k / (n - k + 1)
    return min(1.0, 2 * tail)


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


def mean_interval(mean: float, deviation: float, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Interval (low, high) for the mean of `n` scores between 0 and 1 with this sample deviation; `n` is at least 2.

    Student's t interval, kept within 0 and 1: Student, The probable error of a mean, Biometrika 6 (1908), pages 1–25.
    """
    half = _t_quantile((1 + level) / 2, n - 1) * deviation / math.sqrt(n)
    return max(0.0, mean - half), min(1.0, mean + half)


def _t_quantile(p: float, freedom: int) -> float:
    """Quantile of Student's t, to 0.2 % at 95 %.

    Closed forms for 1 and 2 degrees of freedom; else the expansion around the normal quantile of M. Abramowitz and
    I. Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    if freedom == 1:
        return math.tan(math.pi * (p - 0.5))
    if freedom == 2:
        return (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    z = NormalDist().inv_cdf(p)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / freedom + second / freedom**2 + third / freedom**3 + fourth / freedom**4
