"""How often the intervals of prediction-powered estimates hold the true share, by simulation.

python -m benchmarks.corrected_shares --draws 2000

Every combination of true share, number of labels, number of responses and quality of the verdicts is drawn anew; the
label of a response is wrong with the rates of QUALITIES. Printed: the least coverage of each share and number of labels
over all else, the mean coverage, and how wide the intervals are beside those of the labels alone.
"""

import argparse
from itertools import product

import numpy as np
from numpy.typing import NDArray

from qaviz.stats.corrected_shares import Method, estimate_difference, estimate_share, exact_interval

SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99)
LABELS = (30, 50, 100, 200, 500)
RESPONSES = (2, 20)
"""Responses a label."""
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
) -> tuple[float, float, float]:
    """Coverage, mean width over that of the labels alone, and how often the estimate was prediction-powered."""
    draw = np.random.default_rng(seed)
    held, width, alone, powered = 0, 0.0, 0.0, 0
    for _ in range(draws):
        right = (draw.random(labels * responses) < share).astype(np.float64)
        said = sampled(right, labels, draw)
        found = estimate_share(said, predicted(right, quality, draw))
        held += found.low <= share <= found.high
        width += found.high - found.low
        low, high = exact_interval(said[~np.isnan(said)])
        alone += high - low
        powered += found.method is Method.PREDICTION_POWERED
    return held / draws, width / alone, powered / draws


def difference_coverage(
    share: float, labels: int, responses: int, quality: tuple[float, float, float], draws: int, seed: int
) -> tuple[float, float, float]:
    """As `share_coverage`, for a pipeline of this share against one that is 5 points worse; width in points."""
    draw = np.random.default_rng(seed)
    held, width, powered = 0, 0.0, 0
    for _ in range(draws):
        size = labels * responses
        hardness, own = draw.random(size), draw.random((2, size))
        luck = np.where(draw.random(size) < SHARED, hardness, own)
        rights = [(luck[0] < share).astype(np.float64), (luck[1] < share - 0.05).astype(np.float64)]
        first, second = ((sampled(each, labels, draw), predicted(each, quality, draw)) for each in rights)
        found = estimate_difference(*first, *second)
        held += found.low <= 0.05 <= found.high
        width += found.high - found.low
        powered += found.method is Method.PREDICTION_POWERED
    return held / draws, width / draws, powered / draws


def main() -> None:
    """Print a row for each share and number of labels, for shares and then for differences."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name, coverage in (("share", share_coverage), ("difference", difference_coverage)):
        least = 1.0
        print(f"{name:<12}{'labels':>8}{'least':>8}{'mean':>8}{'width':>8}{'PPI++':>8}")
        for share, labels in product(SHARES, LABELS):
            found = [
                coverage(share, labels, responses, quality, options.draws, options.seed + number)
                for number, (responses, quality) in enumerate(product(RESPONSES, QUALITIES))
            ]
            held, width, powered = np.array(found).T
            least = min(least, held.min())
            figures = f"{held.min():8.3f}{held.mean():8.3f}{width.mean():8.3f}{powered.mean():8.2f}"
            print(f"{share:<12}{labels:>8}{figures}", flush=True)
        print(f"least coverage of a {name}: {least:.3f} in {options.draws:,} draws of each\n")


if __name__ == "__main__":
    main()
