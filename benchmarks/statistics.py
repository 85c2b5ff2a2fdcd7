"""How long a comparison of pipelines takes: every pair by every metric, in a fresh process.

python -m benchmarks.statistics --questions 100000 --pipelines 20
"""

import argparse
import resource
import time
from itertools import combinations

import numpy as np
import polars as pl

from qaviz.analysis.estimates import compare
from qaviz.analysis.outcomes import EMPTY, tabulate
from qaviz.model.classes import Verdict
from qaviz.model.columns import F1, FACTUAL_KNOWLEDGE, PIPELINE, PRECISION, QUESTION_ID, RECALL, VERDICT

VERDICTS = [each.value for each in Verdict]
KIB = 1024


def rows(questions: int, pipelines: int, seed: int) -> pl.DataFrame:
    """Scored rows: each pipeline a little better than the one before; one response of twenty is not there."""
    draw = np.random.default_rng(seed)
    cells = questions * pipelines
    skill = np.tile(np.linspace(0.5, 0.7, pipelines), questions)
    hardness = np.repeat(draw.normal(0, 0.2, questions), pipelines)
    scores = {name: (skill + hardness + draw.normal(0, 0.15, cells)).clip(0, 1) for name in (RECALL, PRECISION, F1)}
    right = draw.random(cells) < skill + hardness
    table = pl.DataFrame(
        {
            QUESTION_ID: np.repeat(np.arange(questions), pipelines),
            PIPELINE: np.tile(np.arange(pipelines), questions),
            FACTUAL_KNOWLEDGE: right.astype(np.float64),
            VERDICT: np.where(right, Verdict.CORRECT.value, draw.choice(VERDICTS[1:], cells)),
            **scores,
        }
    )
    kept = table.filter(pl.Series(draw.random(cells) > 0.05))
    return kept.with_columns(pl.col(QUESTION_ID, PIPELINE).cast(pl.String))


def main() -> None:
    """Print one row: what was compared, seconds, peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100_000)
    parser.add_argument("--pipelines", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    table = rows(options.questions, options.pipelines, options.seed).with_columns(pl.lit(False).alias(EMPTY))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    pairs = list(combinations([str(place) for place in range(options.pipelines)], 2))
    questions = table[QUESTION_ID].unique(maintain_order=True)
    found = compare(tabulate(table, questions), pairs, seed=options.seed)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{options.pipelines} pipelines, {options.questions:,} questions: {found.height:,} comparisons")
    print(f"{seconds:.1f} s, peak {peak / KIB**2:.2f} GiB (the table itself {before / KIB**2:.2f})")


if __name__ == "__main__":
    main()
