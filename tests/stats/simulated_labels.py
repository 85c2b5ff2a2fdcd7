"""Labels drawn from responses whose truth is known: how often the intervals of `qaviz.stats.corrected_shares` hold it.

The label of a response is right; its verdict is wrong with the rates of QUALITIES.
"""

import numpy as np
from numpy.typing import NDArray

from qaviz.stats.corrected_shares import estimate_difference, estimate_share

QUALITIES = ((0.02, 0.02, 0.0), (0.05, 0.3, 0.05), (0.2, 0.05, 0.1), (0.5, 0.5, 0.0))
"""How often a right answer is judged wrong, a wrong one right, and either is left open (a prediction of 0.5)."""
SHARED = 0.5
"""Of the questions on which two pipelines are right or wrong together."""

Numbers = NDArray[np.float64]


def predicted(right: Numbers, quality: tuple[float, float, float], draw: np.random.Generator) -> Numbers:
    """Verdicts of this quality: 1 right, 0 wrong, 0.5 left open."""
    missed, mistaken, unsure = quality
    chance = draw.random(right.size)
    verdict = np.where(right == 1, chance >= missed, chance < mistaken).astype(np.float64)
    return np.where(draw.random(right.size) < unsure, 0.5, verdict)


def sampled(right: Numbers, labels: int, draw: np.random.Generator) -> Numbers:
    """Labels of so many responses, drawn at random."""
    chosen = np.full(right.size, np.nan)
    places = draw.choice(right.size, labels, replace=False)
    chosen[places] = right[places]
    return chosen


def share_coverage(
    share: float, labels: int, responses: int, quality: tuple[float, float, float], draws: int, seed: int
) -> float:
    """In how many of so many draws the interval holds this share, of so many responses a label."""
    draw = np.random.default_rng(seed)
    held = 0
    for _ in range(draws):
        right = (draw.random(labels * responses) < share).astype(np.float64)
        estimate = estimate_share(sampled(right, labels, draw), predicted(right, quality, draw))
        held += estimate.low <= share <= estimate.high
    return held / draws


def difference_coverage(
    share: float, labels: int, responses: int, quality: tuple[float, float, float], draws: int, seed: int
) -> float:
    """As `share_coverage`, for a pipeline of this share against one that is 5 points worse."""
    draw = np.random.default_rng(seed)
    held = 0
    for _ in range(draws):
        size = labels * responses
        hardness, own = draw.random(size), draw.random((2, size))
        luck = np.where(draw.random(size) < SHARED, hardness, own)
        rights = [(luck[0] < share).astype(np.float64), (luck[1] < share - 0.05).astype(np.float64)]
        first, second = ((sampled(right, labels, draw), predicted(right, quality, draw)) for right in rights)
        estimate = estimate_difference(*first, *second)
        held += estimate.low <= 0.05 <= estimate.high
    return held / draws
