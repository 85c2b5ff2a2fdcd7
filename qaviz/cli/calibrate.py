"""`qaviz calibrate`: confidence fitted to the labels of a run's own people."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from qaviz.analysis.numbers import plural
from qaviz.cli.opened import open_existing
from qaviz.diagnosis.calibration import IN_PLACE_OF_SHIPPED, SHIPPED, calibration_error, read_calibration
from qaviz.diagnosis.recalibration import RIGHT, labelled_evidence, predict, refit
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.store import disk_refusals, kept_labels, replacing

FEWEST = 30
"""Labelled responses from which a calibration is fitted to them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN and --out."""
    parser.add_argument("saved", metavar="RUN", help="the run's name or id")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="file to write: .json")


def calibrate(asked: argparse.Namespace) -> Iterator[str]:
    """Write the shipped calibration, moved by the run's labels, to --out; yield what came of it, line by line."""
    home = open_existing(asked.workspace)
    run = home.find(asked.saved)
    rows = labelled_evidence(home.rows(run), kept_labels(home, run))
    if rows.height < FEWEST:
        found, expected = plural(rows.height, "labelled response"), f"at least {FEWEST}"
        fix = "Label more responses on Diagnostics."
        raise QavizError(Problem(where=f'run "{run.name}"', found=found, expected=expected, fix=fix))
    shipped = read_calibration(SHIPPED)
    moved = refit(shipped, rows)
    with disk_refusals(asked.out), replacing(asked.out.resolve()) as unfinished:
        unfinished.write_text(moved.to_json(), "utf-8")
    right = rows[RIGHT].to_numpy()
    yield f"{plural(rows.height, 'labelled response')} to {plural(rows[QUESTION_ID].n_unique(), 'question')}"
    yield f"calibration error as shipped: {calibration_error(predict(shipped, rows), right):.3f}"
    yield f"calibration error on questions kept out of the fit: {_kept_out_error(rows):.3f}"
    yield f"in use wherever {IN_PLACE_OF_SHIPPED}={asked.out} is set"


_FOLDS = 5


def _kept_out_error(rows: pl.DataFrame) -> float:
    """The calibration error of rows whose probability comes from a refit on the other questions."""
    numbered = rows.with_columns((pl.col(QUESTION_ID).rank("dense") % _FOLDS).alias("fold"))
    parts = []
    for fold in range(_FOLDS):
        kept_out, others = numbered.filter(pl.col("fold") == fold), numbered.filter(pl.col("fold") != fold)
        if kept_out.height:
            probable = predict(refit(read_calibration(SHIPPED), others), kept_out)
            parts.append(pl.DataFrame({"probable": probable, RIGHT: kept_out[RIGHT]}))
    all_parts = pl.concat(parts)
    return calibration_error(all_parts["probable"].to_numpy(), all_parts[RIGHT].to_numpy())
