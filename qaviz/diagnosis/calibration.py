"""How far a probability is what people say, and the map that labels move it by."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from qaviz.diagnosis.columns import READER_VERSION, STANCE
from qaviz.diagnosis.extract_evidence import extract_evidence
from qaviz.diagnosis.model import HIGHEST, LOWEST, P_CORRECT, Numbers
from qaviz.diagnosis.stance import Stance
from qaviz.model.classes import Verdict
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.model.errors import stop

IN_PLACE_OF_SHIPPED = "QAVIZ_CALIBRATION"
"""The environment variable that names the file of a calibration; processes that qaviz starts inherit it."""
RIGHT = "right"
"""Whether a person calls the response correct."""
HALF = 0.5
PULL, PULL_OF_STANCE, PULL_OF_SLOPE = 1.0, 4.0, 8.0
"""Weight of the pull towards no change, in labelled rows."""
_STANCES = ("", *(stance.value for stance in (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT)))
FEWEST = 30
"""Labelled questions from which a calibration is fitted to them: responses to one question say little of others."""
_FOLDS = 5
_KEY = [QUESTION_ID, PIPELINE]


@dataclass(frozen=True)
class Calibration:
    """How the model's log odds that a response is right are moved; as it is made, they stay."""

    level: float = 0.0
    slope: float = 1.0
    stances: Mapping[str, float] = field(default_factory=dict)
    """What is added by what the leading evidence says; empty for no evidence."""
    reader: str = READER_VERSION
    """Whose probabilities it moves."""

    def probability(self) -> pl.Expr:
        """P_CORRECT, moved, over a table of evidence."""
        probable = pl.col(P_CORRECT).clip(LOWEST, HIGHEST)
        of_stance = pl.col(STANCE).fill_null("").replace_strict(self.stances, default=0.0, return_dtype=pl.Float64)
        odds = (probable / (1 - probable)).log() * self.slope + self.level + of_stance
        return (1 / (1 + (-odds).exp())).clip(LOWEST, HIGHEST).alias(P_CORRECT)

    def to_json(self) -> str:
        """Return the calibration as the text of a JSON file."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


SHIPPED = Calibration()
"""The model as it is."""


@cache
def read_calibration(file: Path) -> Calibration:
    """Return the calibration that a file holds; SHIPPED for one of another reader, whose probabilities it moved.

    Raises QavizError if it holds none.
    """
    try:
        kept = json.loads(file.read_text("utf-8"))
        of_earlier_release = {"rules", "diagnoses"} <= set(kept)
        calibration = SHIPPED if of_earlier_release else Calibration(**{"reader": "", **kept})
    except (OSError, ValueError, TypeError) as error:
        expected, fix = "what `qaviz calibrate` writes", f"Write it again, or unset {IN_PLACE_OF_SHIPPED}."
        words = f"no calibration ({type(error).__name__})"
        raise stop(str(file), words, expected, fix) from error
    return calibration if calibration.reader == READER_VERSION else SHIPPED


def recalibrated(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with P_CORRECT moved by the calibration in use, if the environment names one."""
    file = os.environ.get(IN_PLACE_OF_SHIPPED)
    calibration = read_calibration(Path(file)) if file else SHIPPED
    return rows if calibration == SHIPPED else rows.with_columns(calibration.probability())


def calibration_error(probable: Numbers, right: Numbers) -> float:
    """Return the expected calibration error: the mean gap between confidence and share right by tenths, by rows."""
    tenth = np.minimum((probable * 10).astype(int), 9)
    gaps = np.abs(np.bincount(tenth, probable - right.astype(float)))
    return float(gaps.sum() / max(len(probable), 1))


def predict(calibration: Calibration, rows: pl.DataFrame) -> Numbers:
    """Return the probability that each row is right."""
    return rows.select(calibration.probability()).to_series().to_numpy()


def refit(rows: pl.DataFrame) -> Calibration:
    """Return the calibration that fits rows with P_CORRECT, STANCE, QUESTION_ID and RIGHT, pulled towards no change.

    Thirty labels move it a little, a thousand as far as they say.
    """
    shipped, right = rows[P_CORRECT].to_numpy().clip(LOWEST, HIGHEST), rows[RIGHT].to_numpy().astype(float)
    odds = np.log(shipped / (1 - shipped))
    stances = rows[STANCE].fill_null("").to_numpy()
    columns = np.column_stack([np.ones(rows.height), odds, *((stances == stance).astype(float) for stance in _STANCES)])
    pull = np.array([PULL, PULL_OF_SLOPE, *(PULL_OF_STANCE for _ in _STANCES)])
    # What is to be added to the odds, by ridge logistic regression with these as they are.
    shifts = np.zeros(columns.shape[1])
    for _ in range(100):  # steps of Newton's method
        probable = 1 / (1 + np.exp(-(odds + columns @ shifts)))
        gradient = columns.T @ (probable - right) + pull * shifts
        curve = (columns.T * (probable * (1 - probable))) @ columns + np.diag(pull)
        # No further than one half at once: Newton's steps overshoot where probabilities are near 0 and 1.
        step = np.clip(np.linalg.solve(curve, gradient), -0.5, 0.5)
        shifts = shifts - step
        if np.abs(step).max() < 1e-7:
            break
    level, slope, *of_stance = shifts
    moved = {stance: round(float(value), 4) for stance, value in zip(_STANCES, of_stance, strict=True)}
    return Calibration(round(float(level), 4), round(max(0.1, 1 + float(slope)), 4), moved)


def predict_kept_out(rows: pl.DataFrame) -> Numbers:
    """Return the probability of each row by a refit on the other questions: what a refit is worth on new ones."""
    fold = (rows[QUESTION_ID].rank("dense") % _FOLDS).to_numpy()
    probable = np.zeros(rows.height)
    for number in range(_FOLDS):
        kept_out = fold == number
        if kept_out.any():
            probable[kept_out] = predict(refit(rows.filter(~kept_out)), rows.filter(kept_out))
    return probable


def confidence_and_right(probable: Numbers, correct: Numbers) -> tuple[Numbers, Numbers]:
    """Return how sure a verdict of such a probability is, and whether it is a person's."""
    confidence: Numbers = np.maximum(probable, 1 - probable)
    return confidence, (probable >= HALF) == correct


@dataclass(frozen=True)
class Refit:
    """The shipped map moved by labels, and what it is worth on labels kept out of the fit."""

    labels: int
    questions: int
    error_before: float
    """Expected calibration error of the shipped map on these labels."""
    error_after: float
    """The same of refits, each on questions that were kept out of it."""
    calibration: Calibration

    @property
    def better(self) -> bool:
        """Whether the refit is nearer to what people say on labels that it has not seen."""
        return self.error_after < self.error_before


def find_refit(rows: pl.DataFrame, labels: pl.DataFrame) -> Refit | int:
    """Return what the labels make of the shipped map; how many questions count where these are fewer than FEWEST.

    `rows` are a run's, `labels` one label a response (`analysis.labels.find_correcting`). An empty response counts for
    nothing: no evidence judges it.
    """
    answered = rows.drop(LABEL, strict=False).filter(pl.col(RESPONSE).fill_null("").str.strip_chars() != "")
    labelled = answered.join(labels.select(*_KEY, LABEL), on=_KEY, maintain_order="left").drop_nulls(LABEL)
    if (questions := labelled[QUESTION_ID].n_unique()) < FEWEST:
        return questions
    probable = labelled if P_CORRECT in labelled.columns else extract_evidence(labelled)
    labelled_right = probable.with_columns((pl.col(LABEL) == Verdict.CORRECT.value).alias(RIGHT))
    correct = labelled_right[RIGHT].to_numpy()
    before, after = (
        calibration_error(*confidence_and_right(probable, correct))
        for probable in (predict(SHIPPED, labelled_right), predict_kept_out(labelled_right))
    )
    return Refit(labelled_right.height, questions, before, after, refit(labelled_right))
