"""Fits the map from evidence to confidence on labelled sets, and writes it into the package.

    python -m benchmarks.calibrate FOLDER [FOLDER ...] [--out FILE] [--table]

A FOLDER is as in `benchmarks.labelled_sets`. Prints how honest it is: every set by a map that was fitted on the others
(what to expect of a new set), and by the map that is written. `--table` prints reliability as a Markdown table.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.labelled_sets import NAME, RIGHT, SURE, LabelledSet, read_set
from qaviz.diagnosis.agreement import counts_as
from qaviz.diagnosis.calibration import (
    DIAGNOSIS_OF_RULE,
    MARGIN,
    RULE,
    SHIPPED,
    Calibration,
    Numbers,
    calibration_error,
    fit,
    reliability,
)
from qaviz.diagnosis.columns import UNREAD
from qaviz.diagnosis.judging import evidence_of_rules
from qaviz.diagnosis.rules import RULES
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.model.records import Thresholds

Predict = Callable[[pl.DataFrame], Numbers]


def labelled_evidence(of: LabelledSet) -> pl.DataFrame:
    """Return the set's labelled rows with what `fit` needs, NAME and RIGHT: whether the rule's verdict is the label."""
    read = (pl.col(RESPONSE).str.strip_chars() != "") & pl.col(UNREAD).is_null()
    rows = evidence_of_rules(of.gathered.filter(read), Thresholds())
    verdict_of = {rule.ruling.__name__: rule.verdict.value for rule in RULES}
    verdict = pl.col(RULE).replace_strict(verdict_of, return_dtype=pl.String).replace(counts_as(of.labels))
    joined = rows.join(of.labels, on=[QUESTION_ID, PIPELINE], maintain_order="left").drop_nulls(LABEL)
    return joined.with_columns((verdict == pl.col(LABEL)).alias(RIGHT), pl.lit(of.name).alias(NAME))


def fit_on(rows: pl.DataFrame) -> Calibration:
    """Return the calibration fitted on rows of `labelled_evidence`."""
    return fit(rows, rows[RIGHT].to_list(), rows[NAME].to_list())


def predict(calibration: Calibration, rows: pl.DataFrame) -> Numbers:
    """Return the probability of each row of `labelled_evidence`."""
    numbered = rows.with_row_index("row").with_columns(pl.col(MARGIN).clip(0, 1))
    parts = [
        part.select("row", calibration.probability(str(rule), str(diagnosis), pl.col(MARGIN)).alias("probable"))
        for (rule, diagnosis), part in numbered.group_by(RULE, DIAGNOSIS_OF_RULE)
    ]
    return pl.concat(parts).sort("row")["probable"].to_numpy()


def cross_fitted(rows: pl.DataFrame) -> Numbers:
    """Return the probability of each row by a calibration fitted on the other sets."""
    names = rows[NAME].unique(maintain_order=True)
    return np.concatenate(
        [predict(fit_on(rows.filter(pl.col(NAME) != name)), rows.filter(pl.col(NAME) == name)) for name in names]
    )


def say_honesty(title: str, rows: pl.DataFrame, probable: Numbers) -> None:
    """Print for each set and for all: confidence, share right, calibration error, and what rows at SURE are worth."""
    print(title)
    names = rows[NAME].to_numpy()
    right = rows[RIGHT].to_numpy()
    for name in [*dict.fromkeys(names.tolist()), "all"]:
        of = names == name if name != "all" else np.ones(len(names), bool)
        given, agreed = probable[of], right[of]
        sure = given >= SURE
        share = agreed[sure].mean() if sure.any() else float("nan")
        print(
            f"  {name:18} {of.sum():6,} rows  confidence {given.mean():.3f}  right {agreed.mean():.3f}  error "
            f"{calibration_error(given, agreed):.3f}  at ≥ {SURE}: {sure.sum():,} rows, {share:.3f} right; "
            f"below .5: {(given < 0.5).sum()}, {agreed[given < 0.5].mean() if (given < 0.5).any() else 0:.2f} right"
        )


def say_reliability(probable: Numbers, right: Numbers) -> None:
    """Print confidence against what people say as a Markdown table."""
    print("| confidence | rows | mean confidence | people agree |\n|---|---|---|---|")
    for low, rows, confidence, agreed in reliability(probable, right).iter_rows():
        print(f"| {low:.1f} to {low + 0.1:.1f} | {rows:,} | {confidence:.3f} | {agreed:.3f} |")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=SHIPPED, metavar="FILE")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args(arguments)
    rows = pl.concat([labelled_evidence(read_set(folder)) for folder in asked.folders], how="diagonal_relaxed")
    fitted = fit_on(rows)
    held_out = cross_fitted(rows)
    say_honesty("cross-fitted: each set by a map fitted on the others", rows, held_out)
    say_honesty("as written", rows, predict(fitted, rows))
    if asked.table:
        say_reliability(held_out, rows[RIGHT].to_numpy())
    asked.out.write_text(fitted.to_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
