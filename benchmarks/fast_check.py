"""How often a gate is wrong that is looked at again and again, and how many questions a fast check asks, by simulation.

python -m benchmarks.fast_check --draws 2000

First the gate's rule with a look every twenty questions to 2,000: how often it ever shows a loss, and ever excludes one
of the margin. Then fast checks on golden datasets of 200, 500 and 2,000 questions; thirty questions that tell pipelines
apart are asked first, and change three times as often as the others; the rest comes at random, thirty at a time.
"""

import argparse

import numpy as np

from benchmarks.figures import add_keep, keep
from qaviz.analysis.gate_rule import FIRST, Losses, Reason, Result, Rules, decide_losses
from qaviz.analysis.smoke import BATCH

ANY = Rules(broken=10_000)
"""Without a limit of broken questions, which is no statement about others."""
LOOKS = range(20, 2_001, 20)

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


def look_again(broken: float, fixed: float, draw: np.random.Generator) -> set[Reason]:
    """What the rule ever says of a pipeline of which such shares of the questions break and are fixed."""
    values = draw.choice([1.0, -1.0, 0.0], LOOKS[-1], p=[broken, fixed, 1 - broken - fixed])
    return {decide_losses(Losses(least=values[:n], most=values[:n]), ANY) for n in LOOKS}


def simulate(questions: int, broken: float, fixed: float, draw: np.random.Generator) -> tuple[Result, int]:
    """One fast check: how it ends, and how many questions it asks."""
    losses = np.zeros(questions)
    losses[: round(questions * broken)] = 1
    losses[round(questions * broken) : round(questions * (broken + fixed))] = -1
    weights = np.where(losses == 0, 1.0, 3.0)
    first = draw.choice(questions, FIRST, replace=False, p=weights / weights.sum())
    order = losses[np.concatenate([first, draw.permutation(np.setdiff1d(np.arange(questions), first))])]
    for asked in [*range(FIRST, questions, BATCH), questions]:
        result = decide_losses(Losses(least=order[:asked], most=order[:asked], population=questions), ANY).result
        if result is not Result.UNKNOWN:
            return result, asked
    return Result.UNKNOWN, questions


def main() -> None:
    """Print a table in markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2000)
    add_keep(parser)
    options = parser.parse_args()
    draws = options.draws
    figures: dict[str, dict[str, float]] = {}
    print("| looked at a hundred times | loss shown | loss of the margin excluded |\n|---|---|---|")
    for name, broken, fixed in CASES:
        draw = np.random.default_rng(20)
        ever = [look_again(broken, fixed, draw) for _ in range(draws)]
        shares = [np.mean([reason in reasons for reasons in ever]) for reason in (Reason.SHOWN, Reason.EXCLUDED)]
        print(f"| {name} | " + " | ".join(f"{share:.1%}" for share in shares) + " |")
        figures[f"looked at, {name}"] = {"shown": float(shares[0]), "excluded": float(shares[1])}
    print("\n| questions | fast check | fails | passes | cannot tell | questions asked |\n|---|---|---|---|---|---|")
    for questions in (200, 500, 2000):
        for name, broken, fixed in CASES:
            draw = np.random.default_rng(20)
            found = [simulate(questions, broken, fixed, draw) for _ in range(draws)]
            shares = [
                np.mean([result is kind for result, _ in found]) for kind in (Result.FAIL, Result.PASS, Result.UNKNOWN)
            ]
            asked = np.mean([number for _, number in found])
            print(f"| {questions:,} | {name} | " + " | ".join(f"{each:.1%}" for each in shares) + f" | {asked:,.0f} |")
            counted = dict(zip(("fails", "passes", "unknown"), map(float, shares), strict=True))
            figures[f"{questions} {name}"] = {**counted, "asked": float(asked)}
    if options.keep:
        keep("fast_check", figures)


if __name__ == "__main__":
    main()
