"""How often a fast check is wrong, and how many questions it asks, by simulation.

python -m benchmarks.fast_check --draws 2000

Golden datasets of 200, 500 and 2,000 questions; a share of the questions breaks and a share is fixed. Thirty questions
that tell pipelines apart are asked first, and change three times as often as the others; the rest comes at random,
thirty at a time. Printed: how often it says broken and no loss, and the questions asked on average.
"""

import argparse

import numpy as np

from qaviz.analysis.gate import BATCH, FIRST, PipelineEvidence, Stop

CASES = (
    ("no change", 0.0, 0.0),
    ("as many fixed as broken, 2 % each", 0.02, 0.02),
    ("as many fixed as broken, 10 % each", 0.1, 0.1),
    ("better by 5 points", 0.03, 0.08),
    ("worse by just the margin, 5 points", 0.05, 0.0),
    ("worse by just the margin, with 5 % fixed", 0.1, 0.05),
    ("worse by 10 points", 0.12, 0.02),
    ("worse by 30 points", 0.32, 0.02),
)


def simulate(questions: int, broken: float, fixed: float, draw: np.random.Generator) -> tuple[Stop | None, int]:
    """One check: how it ends, and how many questions it asks."""
    losses = np.zeros(questions)
    losses[: round(questions * broken)] = 1
    losses[round(questions * broken) : round(questions * (broken + fixed))] = -1
    weights = np.where(losses == 0, 1.0, 3.0)
    first = draw.choice(questions, FIRST, replace=False, p=weights / weights.sum())
    rest = np.setdiff1d(np.arange(questions), first)
    order = np.concatenate([first, draw.permutation(rest)])
    evidence = PipelineEvidence(questions, pipelines=1)
    for begin in [0, *range(FIRST, questions, BATCH)]:
        end = FIRST if begin == 0 else min(begin + BATCH, questions)
        stop = evidence.add(losses[order[begin:end]].tolist(), chosen=begin == 0)
        if stop:
            return stop, end
    return None, questions


def main() -> None:
    """Print a table in markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2000)
    draws = parser.parse_args().draws
    print(
        "| questions | pipeline | says broken | says no loss | neither | questions asked |\n|---|---|---|---|---|---|"
    )
    for questions in (200, 500, 2000):
        for name, broken, fixed in CASES:
            draw = np.random.default_rng(20)
            found = [simulate(questions, broken, fixed, draw) for _ in range(draws)]
            shares = [np.mean([stop is each for stop, _ in found]) for each in (Stop.BROKEN, Stop.NO_LOSS, None)]
            asked = np.mean([number for _, number in found])
            print(f"| {questions:,} | {name} | " + " | ".join(f"{each:.1%}" for each in shares) + f" | {asked:,.0f} |")


if __name__ == "__main__":
    main()
