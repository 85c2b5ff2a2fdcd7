"""Verdicts on families that the model was not fitted on: accuracy, calibration, and what sure rows are worth.

    python -m benchmarks.unseen FOLDER [FOLDER ...]

A FOLDER is as in `benchmarks.labelled_sets`. Each family is judged by a model fitted on the others. An accuracy is the
mean over a family's sets; `declined` counts as incorrect in a set where nobody labelled it. Beside it: exact match,
containment (Factual Knowledge of fact, else answer) and overlap of three letters from one half.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from benchmarks.families import FAMILY, NAME, figures_by_family, read_labelled, say_figures
from benchmarks.fit_model import draw, judge_unseen, prepare
from qaviz.diagnosis.surface import OVERLAP
from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWER, FACT, FACTUAL_KNOWLEDGE, LABEL, QUASI_EXACT_MATCH
from qaviz.scoring import score

HALF = 0.5


def say_simple(labelled: pl.DataFrame, overlap: pl.Series) -> None:
    """Print how often simple rules say correct where people do, by family."""
    contains = score(labelled.with_columns(pl.coalesce(FACT, ANSWER).alias(FACT)))[FACTUAL_KNOWLEDGE] == 1
    correct = labelled[LABEL] == Verdict.CORRECT.value
    rules = {
        "exact match": labelled[QUASI_EXACT_MATCH].fill_null(0) == 1,
        "containment": contains.fill_null(False),
        "three letters": overlap >= HALF,
    }
    table = labelled.select(FAMILY, NAME).with_columns((right == correct).alias(name) for name, right in rules.items())
    by_set = table.group_by(FAMILY, NAME, maintain_order=True).agg(pl.mean(*rules))
    print("right or not, by family: a mean of its sets")
    for row in by_set.group_by(FAMILY, maintain_order=True).agg(pl.mean(*rules)).iter_rows(named=True):
        print(f"{row[FAMILY]:14}", *(f"{name} {row[name]:.3f}" for name in rules), sep="  ")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    labelled = read_labelled(parser.parse_args(arguments).folders)
    every = prepare(labelled)
    say_figures(figures_by_family(judge_unseen(every, prepare(draw(labelled)))))
    say_simple(labelled, every.rows[OVERLAP])


if __name__ == "__main__":
    main()
