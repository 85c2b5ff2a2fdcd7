"""Exact tests of paired outcomes, and the correction for testing several pairs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


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
