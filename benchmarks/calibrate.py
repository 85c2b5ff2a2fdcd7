"""Fits the map from evidence to confidence on labelled sets, and writes it into the package.

    python -m benchmarks.calibrate FOLDER [FOLDER ...] [--out FILE] [--table] [--figure SVG]

A FOLDER is as in `benchmarks.labelled_sets`. The responses of tests/diagnosis/claims, written to name one thing and
claim another, tell what doubt is worth. Prints how honest the map is: every set by one that was fitted on the others
(what to expect of a new set), and by the one that is written.
`--table` prints reliability of the former as a Markdown table, `--figure` draws it.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from tests.diagnosis.test_claims import FOLDER, read_cases

from benchmarks.labelled_sets import NAME, SURE, LabelledSet, read_set
from qaviz.diagnosis import extract_evidence
from qaviz.diagnosis.calibration import SHIPPED, Calibration, Numbers, calibration_error, fit, reliability
from qaviz.diagnosis.columns import KIND, STANCE
from qaviz.diagnosis.evidence import VERBATIM, Stance
from qaviz.diagnosis.recalibration import RIGHT, labelled_evidence, predict
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.scoring import score


def evidence_of_set(of: LabelledSet) -> pl.DataFrame:
    """Return the set's rows of `labelled_evidence`, with NAME."""
    return labelled_evidence(of.gathered, of.labels).with_columns(pl.lit(of.name).alias(NAME))


CLAIMS = "written claims"
"""The name, among sets, of the responses that were written to name one thing and claim another."""


def evidence_of_claims() -> pl.DataFrame:
    """Return the written claims that state the fact, as `evidence_of_set` does."""
    cases = [case for file in sorted(FOLDER.glob("*.txt")) for case in read_cases(file)]
    table = pl.DataFrame(cases, schema=[QUESTION, ANSWER, FACT, RESPONSE, LABEL], orient="row").with_columns(
        pl.int_range(pl.len()).cast(pl.String).alias(QUESTION_ID), pl.lit(CLAIMS).alias(PIPELINE)
    )
    asked = table.drop(LABEL).with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))
    rows = labelled_evidence(extract_evidence(score(asked)), table.select(QUESTION_ID, PIPELINE, LABEL))
    states = (pl.col(STANCE) == Stance.AGREES.value) & (pl.col(KIND) == VERBATIM)
    return rows.filter(states).with_columns(pl.lit(CLAIMS).alias(NAME))


def fit_on(rows: pl.DataFrame, claims: pl.DataFrame) -> Calibration:
    """Return the calibration fitted on rows of `evidence_of_set` and of `evidence_of_claims`."""
    every = pl.concat([rows, claims], how="diagonal_relaxed")
    return fit(every, every[RIGHT].to_list(), every[NAME].to_list(), (every[NAME] == CLAIMS).to_list())


def cross_fitted(rows: pl.DataFrame, claims: pl.DataFrame) -> Numbers:
    """Return the probability of each row by a calibration fitted on the other sets, and on the written claims."""
    names = rows[NAME].unique(maintain_order=True)
    return np.concatenate(
        [
            predict(fit_on(rows.filter(pl.col(NAME) != name), claims), rows.filter(pl.col(NAME) == name))
            for name in names
        ]
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


SIDE, EDGE = 320, 40
"""Of the figure, in pixels: its square, and the room around it."""


def reliability_figure(probable: Numbers, right: Numbers) -> str:
    """Return an SVG: share that people agree with over mean confidence, a circle a tenth, its area by rows."""

    def place(confidence: float, agreed: float) -> str:
        return f'cx="{EDGE + SIDE * confidence:.1f}" cy="{EDGE + SIDE * (1 - agreed):.1f}"'

    table = reliability(probable, right)
    circles = [
        f'<circle {place(confidence, agreed)} r="{3 + 12 * (rows / table["rows"].max()) ** 0.5:.1f}" fill="#2f6fab" '
        f'fill-opacity=".75"><title>{rows:,} rows: {confidence:.3f} said, {agreed:.3f} right</title></circle>'
        for _, rows, confidence, agreed in table.iter_rows()
    ]
    ticks = [
        f'<text x="{EDGE + SIDE * at:.0f}" y="{EDGE + SIDE + 16}" text-anchor="middle">{at:g}</text>'
        f'<text x="{EDGE - 6}" y="{EDGE + SIDE * (1 - at) + 4:.0f}" text-anchor="end">{at:g}</text>'
        for at in (0, 0.5, 1)
    ]
    whole = SIDE + 2 * EDGE
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="sans-serif" '
            'font-size="12" fill="#555"><title>Confidence against the share that people agree with</title>',
            f'<rect width="{whole}" height="{whole}" fill="#fff"/>',
            f'<rect x="{EDGE}" y="{EDGE}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#bbb"/>',
            f'<path d="M{EDGE} {EDGE + SIDE}L{EDGE + SIDE} {EDGE}" stroke="#999" stroke-dasharray="4 4"/>',
            *ticks,
            f'<text x="{whole / 2:.0f}" y="{whole - 6}" text-anchor="middle">confidence</text>',
            f'<text transform="translate(12 {whole / 2:.0f}) rotate(-90)" text-anchor="middle">people agree</text>',
            *circles,
            "</svg>\n",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=SHIPPED, metavar="FILE")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--figure", type=Path, metavar="SVG")
    asked = parser.parse_args(arguments)
    rows = pl.concat([evidence_of_set(read_set(folder)) for folder in asked.folders], how="diagonal_relaxed")
    claims = evidence_of_claims()
    fitted = fit_on(rows, claims)
    held_out = cross_fitted(rows, claims)
    say_honesty("cross-fitted: each set by a map fitted on the others", rows, held_out)
    say_honesty("as written", rows, predict(fitted, rows))
    if asked.table:
        say_reliability(held_out, rows[RIGHT].to_numpy())
    if asked.figure:
        asked.figure.write_text(reliability_figure(held_out, rows[RIGHT].to_numpy()), encoding="utf-8")
    asked.out.write_text(fitted.to_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
