"""Decisions between pipelines by verdicts of a model that never saw the family, against people's labels.

    python -m benchmarks.decisions FOLDER [FOLDER ...]

A pair of pipelines of one set is decided where an exact McNemar test over its questions has p < .05. Prints pairs
decided by verdicts: confirmed (people's labels decide the same), same sign, against; the regret of the pipeline that
verdicts would pick; and by how much shares of right answers are off. A FOLDER is as in `benchmarks.labelled_sets`.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import polars as pl
from scipy.stats import binomtest

from benchmarks.families import NAME, read_labelled, with_verdicts
from benchmarks.fit_model import draw, judge_unseen, prepare
from qaviz.model.classes import Verdict
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, VERDICT

LEVEL = 0.05
BY_PEOPLE, BY_VERDICT = "by people", "by verdict"


def count_pairs(first: pl.Series, second: pl.Series) -> tuple[int, float]:
    """Return the sign of first against second, 0 for even, and the p-value of an exact McNemar test."""
    won, lost = int((first & ~second).sum()), int((~first & second).sum())
    return (won > lost) - (won < lost), float(binomtest(won, won + lost).pvalue) if won + lost else 1.0


def decide(rows: pl.DataFrame) -> Counter[str]:
    """Return what becomes of the pairs of pipelines of one set that verdicts decide."""
    found: Counter[str] = Counter()
    tables = rows.partition_by(PIPELINE, as_dict=True)
    for first, second in combinations(tables.values(), 2):
        both = first.join(second, on=QUESTION_ID, suffix=" of the other")
        sign, sure = count_pairs(both[BY_VERDICT], both[f"{BY_VERDICT} of the other"])
        truth, proved = count_pairs(both[BY_PEOPLE], both[f"{BY_PEOPLE} of the other"])
        found["pairs"] += 1
        found["decided by people"] += proved < LEVEL
        if sure < LEVEL:
            kind = "confirmed" if sign == truth and proved < LEVEL else "same sign" if sign == truth else "against"
            found[kind if truth else "people even"] += 1
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    labelled = read_labelled(parser.parse_args(arguments).folders)
    every = prepare(labelled)
    keyed = every.rows.hstack(labelled.select(QUESTION_ID, PIPELINE))
    judged = with_verdicts(judge_unseen(type(every)(keyed, every.values), prepare(draw(labelled))))
    rows = judged.with_columns(
        (pl.col(LABEL) == Verdict.CORRECT.value).alias(BY_PEOPLE),
        (pl.col(VERDICT) == Verdict.CORRECT.value).alias(BY_VERDICT),
    )
    total: Counter[str] = Counter()
    errors, regrets = [], []
    for (name,), mine in rows.group_by(NAME, maintain_order=True):
        if mine[PIPELINE].n_unique() < 2:
            continue
        shares = mine.group_by(PIPELINE).agg(pl.mean(BY_PEOPLE, BY_VERDICT))
        picked = shares.sort(BY_VERDICT, PIPELINE, descending=True)[BY_PEOPLE][0]
        regret, error = shares[BY_PEOPLE].max() - picked, (shares[BY_VERDICT] - shares[BY_PEOPLE]).abs()
        found = decide(mine)
        total += found
        errors.append(error)
        regrets.append(regret)
        print(f"{name:18} {dict(found)}  regret {regret:.3f}  shares off by {error.mean():.3f} ({error.max():.3f})")
    off = pl.concat(errors)
    print(
        f"all  {dict(total)}  regret {sum(regrets) / len(regrets):.3f}  shares off by {off.mean():.3f}, {off.max():.3f}"
    )


if __name__ == "__main__":
    main()
