"""Verdicts on families that the model was not fitted on: accuracy, calibration, and what sure rows are worth.

    python -m benchmarks.unseen FOLDER [FOLDER ...] [--against FILE] [--save FILE]

Each family is judged by a model fitted on the others. Accuracy is the mean over a family's sets; `declined` counts as
incorrect where nobody labelled it. Beside it the minimal pairs of a FOLDER with pairs.jsonl. `--save` keeps verdicts as
Parquet, with which `--against` compares another run's. A FOLDER is as in `benchmarks.families`.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks import families
from benchmarks.families import FAMILY, KEY, NAME, SURE, with_verdicts
from benchmarks.figures import keep, make_parser
from benchmarks.fit_model import fit, judge_unseen, read_folders
from benchmarks.pairs import PAIRS, list_pairs, say_pairs
from qaviz.diagnosis.calibration import RIGHT, calibration_error, confidence_and_right, predict, refit
from qaviz.diagnosis.model import P_CORRECT
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONFIDENCE, LABEL, QUESTION_ID, VERDICT

LABELS, DRAWS = 50, 40
BOOTSTRAP = 2_000
"""Resamples of questions."""
_SURE_AND_RIGHT = (("right_before", f"{CONFIDENCE}_before"), ("right", CONFIDENCE))
_SAVED = (FAMILY, NAME, *KEY, LABEL, VERDICT, CONFIDENCE, "right")


def say_recalibrated(judged: pl.DataFrame) -> None:
    """Print the calibration error of each family before and after so many of its labels, drawn at random, refit it.

    A mean over DRAWS, on the family's other responses; beside it what sampling alone gives probabilities that are true.
    """
    rows = judged.with_columns((pl.col(LABEL) == Verdict.CORRECT.value).alias(RIGHT))
    random = np.random.default_rng(1)
    print(f"calibration error by family: as it is, after {LABELS} labels, of true probabilities")
    for (family,), own in rows.group_by(FAMILY, maintain_order=True):
        errors = []
        for _ in range(DRAWS):
            drawn = np.isin(np.arange(own.height), random.choice(own.height, LABELS, replace=False))
            others = own.filter(~drawn)
            probable, correct = others[P_CORRECT].to_numpy(), others[RIGHT].to_numpy()
            refitted = predict(refit(own.filter(drawn)), others)
            pairs = ((probable, correct), (refitted, correct), (probable, random.random(len(probable)) < probable))
            errors.append([calibration_error(*confidence_and_right(*pair)) for pair in pairs])
        print(f"{family:14}", *(f"{error:.3f}" for error in np.mean(errors, axis=0)), sep="  ")


def say_differences(judged: pl.DataFrame, before: pl.DataFrame) -> None:
    """Print by family how accuracy differs from saved verdicts, with a 95% interval over questions, and the rows that
    are sure and right, against half of those before."""
    key = [NAME, *KEY]
    both = judged.join(before.select(*key, "right", CONFIDENCE), on=key, suffix="_before")
    random = np.random.default_rng(2)
    print("against saved verdicts: difference in accuracy, its 95% interval; sure and right before, now")
    for (family,), rows in both.group_by(FAMILY, maintain_order=True):
        sets = rows[NAME].n_unique()
        weighed = rows.with_columns(
            ((pl.col("right").cast(float) - pl.col("right_before").cast(float)) / pl.len().over(NAME) / sets).alias("d")
        )
        questions = weighed.group_by(NAME, QUESTION_ID).agg(pl.sum("d"))["d"].to_numpy()
        drawn = random.choice(questions, (BOOTSTRAP, len(questions))).sum(axis=1)
        low, high = np.quantile(drawn, [0.025, 0.975])
        sure = [int(rows.select((pl.col(r) & (pl.col(c) >= SURE)).sum()).item()) for r, c in _SURE_AND_RIGHT]
        mark = "" if 2 * sure[1] >= sure[0] else "  below half"
        print(f"{family:14} {questions.sum():+.3f} ({low:+.3f} to {high:+.3f})  {sure[0]:6,} {sure[1]:6,}{mark}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = make_parser(__doc__, folders=True, keeps=True)
    parser.add_argument("--against", type=Path, metavar="FILE")
    parser.add_argument("--save", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    every, fitted = read_folders(options.folders, *KEY)
    judged = judge_unseen(every, fitted)
    figures = families.figures_by_family(judged)
    families.say_figures(figures)
    if options.keep:
        means = families.mean_figures(figures).values()
        named = dict(zip(("mean", "error", "sure_right", "coverage"), means, strict=True))
        columns = ("rows", "accuracy", "error", "coverage")
        by_family = {row[FAMILY]: {name: row[name] for name in columns} for row in figures.iter_rows(named=True)}
        keep("unseen", {**named, "families": by_family})
    if options.save:
        with_verdicts(judged).select(*_SAVED).write_parquet(options.save)
    if options.against:
        say_differences(with_verdicts(judged), pl.read_parquet(options.against))
    model = fit(fitted.without(PAIRS))
    for file in list_pairs(options.folders):
        say_pairs(file, model)
    say_recalibrated(judged)


if __name__ == "__main__":
    main()
