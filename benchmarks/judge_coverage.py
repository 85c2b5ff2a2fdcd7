"""How often the 95 % interval of a share that a judge graded holds the truth, with labels and without.

    python -m benchmarks.judge_coverage [ROUNDS]

Judges of sensitivity .95 and known specificity grade 2,000 responses, some of which people label. Printed as the table
of docs/judging.md: coverage, and half the width in brackets.
"""

import sys

import numpy as np

from qaviz.stats import wilson
from qaviz.stats.corrected_shares import correct_share, estimate_share

JUDGED, SENSITIVITY, ROUNDS, SEED = 2_000, 0.95, 1_500, 7
TRUTHS, SPECIFICITIES, LABELS = (0.5, 0.7, 0.9, 0.95), (0.7, 0.9), (100, 200, 500)


def simulate(truth: float, specificity: float, labels: int, rounds: int) -> list[tuple[float, float]]:
    """Coverage and half-width of: the judge alone, labels of a random sample, labels from elsewhere."""
    rng = np.random.default_rng(SEED)
    ends: list[list[tuple[float, float]]] = [[], [], []]
    for _ in range(rounds):
        right = (rng.random(JUDGED) < truth).astype(float)
        called = np.where(rng.random(JUDGED) < np.where(right == 1, SENSITIVITY, 1 - specificity), 1.0, 0.0)
        said = np.full(JUDGED, np.nan)
        said[:labels] = right[:labels]
        ends[0].append(wilson(int(called.sum()), JUDGED, 0.95))
        powered = estimate_share(said, called)
        ends[1].append((powered.low, powered.high))
        positive = int(rng.binomial(labels, truth))
        hits = int(rng.binomial(positive, SENSITIVITY)), int(rng.binomial(labels - positive, specificity))
        found = correct_share(int(called.sum()), JUDGED, hits[0], positive, hits[1], labels - positive)
        ends[2].append((found.low, found.high) if found else (0.0, 1.0))
    bounds = np.array(ends)
    covered = ((bounds[..., 0] <= truth) & (truth <= bounds[..., 1])).mean(axis=1)
    return list(zip(covered, (bounds[..., 1] - bounds[..., 0]).mean(axis=1) / 2, strict=True))


def main(rounds: int) -> None:
    """Print the table."""
    print("| truth, specificity, labels | judge alone | labels of a random sample (PPI++) | labels from elsewhere |")
    print("|---|---|---|---|")
    for truth in TRUTHS:
        for specificity in SPECIFICITIES:
            for labels in LABELS:
                cells = simulate(truth, specificity, labels, rounds)
                figures = " | ".join(f"{covered:.1%} (±{half:.3f})" for covered, half in cells)
                print(f"| {truth}, {specificity}, {labels} | {figures} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
