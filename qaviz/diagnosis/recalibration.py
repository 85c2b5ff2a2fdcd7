"""The model's probability, moved by a workspace's own labels: fitted, kept, in force, taken back."""

import os
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

import numpy as np
import polars as pl

from qaviz.diagnosis.agreement import check_labels
from qaviz.diagnosis.columns import READER_VERSION, STANCE
from qaviz.diagnosis.extract_evidence import extract_evidence
from qaviz.diagnosis.judging import (
    IN_PLACE_OF_SHIPPED,
    SHIPPED,
    Calibration,
    Kept,
    Numbers,
    as_calibration,
    calibration_error,
    reliability,
)
from qaviz.diagnosis.model import HIGHEST, LOWEST, P_CORRECT
from qaviz.diagnosis.stance import Stance
from qaviz.model.classes import Verdict
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.store.settings import keep_policy, kept_policy
from qaviz.store.workspace import Workspace

RIGHT = "right"
"""Whether a person calls the response correct."""
HALF = 0.5
PULL, PULL_OF_STANCE, PULL_OF_SLOPE = 1.0, 4.0, 8.0
"""Weight of the pull towards no change, in labelled rows."""
NEWTON_STEPS, SETTLED, LARGEST = 100, 1e-7, 0.5
_STANCES = ("", *(stance.value for stance in (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT)))

POLICY_PART = "calibration"
"""Where the policy keeps the fit in force; null: the shipped map."""
FEWEST = 30
"""Labelled questions from which a calibration is fitted to them: responses to one question say little of others."""
_FOLDS = 5


def labelled_evidence(gathered: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """Return the labelled rows that evidence judges: with P_CORRECT and RIGHT.

    `gathered` is what `extract_evidence` or `diagnose` returns. Raises QavizError for labels as `agreement` does.
    """
    check_labels(labels)
    rows = gathered.drop(LABEL, strict=False).filter(pl.col(RESPONSE).fill_null("").str.strip_chars() != "")
    known = labels.select(QUESTION_ID, PIPELINE, LABEL).unique()
    joined = rows.join(known, on=[QUESTION_ID, PIPELINE], maintain_order="left").drop_nulls(LABEL)
    probable = joined if P_CORRECT in joined.columns else extract_evidence(joined)
    return probable.with_columns((pl.col(LABEL) == Verdict.CORRECT.value).alias(RIGHT))


def predict(calibration: Calibration, rows: pl.DataFrame) -> Numbers:
    """Return the probability that each row of `labelled_evidence` is right."""
    return rows.select(calibration.probability()).to_series().to_numpy()


def refit(rows: pl.DataFrame) -> Calibration:
    """Return the calibration that fits rows of `labelled_evidence`, pulled towards no change.

    Thirty labels move it a little, a thousand as far as they say.
    """
    probable = rows[P_CORRECT].to_numpy().clip(LOWEST, HIGHEST)
    odds = np.log(probable / (1 - probable))
    stances = rows[STANCE].fill_null("").to_numpy()
    columns = np.column_stack([np.ones(rows.height), odds, *((stances == stance).astype(float) for stance in _STANCES)])
    pull = np.array([PULL, PULL_OF_SLOPE, *(PULL_OF_STANCE for _ in _STANCES)])
    level, slope, *of_stance = _fit_shifts(columns, odds, rows[RIGHT].to_numpy().astype(float), pull)
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


def _fit_shifts(columns: Numbers, odds: Numbers, right: Numbers, pull: Numbers) -> Numbers:
    """What is to be added to log odds, by ridge logistic regression with these odds as they are."""
    shifts = np.zeros(columns.shape[1])
    for _ in range(NEWTON_STEPS):
        probable = 1 / (1 + np.exp(-(odds + columns @ shifts)))
        slope = columns.T @ (probable - right) + pull * shifts
        curve = (columns.T * (probable * (1 - probable))) @ columns + np.diag(pull)
        # No further than LARGEST at once: Newton's steps overshoot where probabilities are near 0 and 1.
        step = np.clip(np.linalg.solve(curve, slope), -LARGEST, LARGEST)
        shifts = shifts - step
        if np.abs(step).max() < SETTLED:
            break
    return shifts


@dataclass(frozen=True, kw_only=True)
class Refit:
    """The shipped map moved by labels, and what it is worth on labels kept out of the fit."""

    labels: int
    questions: int
    error_before: float
    """Expected calibration error of the shipped map on these labels."""
    error_after: float
    """The same of refits, each on questions that were kept out of it."""
    before: pl.DataFrame
    """What `calibration.reliability` returns for the shipped map."""
    after: pl.DataFrame
    calibration: Calibration

    @property
    def better(self) -> bool:
        """Whether the refit is nearer to what people say on labels that it has not seen."""
        return self.error_after < self.error_before


def find_refit(rows: pl.DataFrame, labels: pl.DataFrame) -> Refit | int:
    """Return what the labels make of the shipped map; how many questions count where these are fewer than FEWEST.

    `rows` are a run's, `labels` one label a response (`analysis.labels.find_correcting`). Raises QavizError as
    `labelled_evidence` does.
    """
    labelled = rows.join(labels, on=[QUESTION_ID, PIPELINE], how="semi")
    known = labelled_evidence(labelled, labels) if labelled.height else labelled
    if (questions := known[QUESTION_ID].n_unique()) < FEWEST:
        return questions
    correct = known[RIGHT].to_numpy()
    before = confidence_and_right(predict(SHIPPED, known), correct)
    after = confidence_and_right(predict_kept_out(known), correct)
    return Refit(
        labels=known.height,
        questions=questions,
        error_before=calibration_error(*before),
        error_after=calibration_error(*after),
        before=reliability(*before),
        after=reliability(*after),
        calibration=refit(known),
    )


class KeptRefit(TypedDict):
    """A refit as the workspace's policy keeps it; the fields of the same names are those of `Refit`."""

    run: str
    """Identifier of the run whose labels it was fitted on."""
    labels: int
    questions: int
    error_before: float
    error_after: float
    map: Kept


def keep_refit(workspace: Workspace, fitted: Refit, run: str, by: str | None) -> None:
    """Judge runs by this map from the next one on. Raises QavizError if the role or the disk refuses."""
    part: KeptRefit = {
        "run": run,
        "labels": fitted.labels,
        "questions": fitted.questions,
        "error_before": round(fitted.error_before, 4),
        "error_after": round(fitted.error_after, 4),
        "map": asdict(fitted.calibration),
    }
    keep_policy(workspace, {POLICY_PART: part}, by)


def take_back_refit(workspace: Workspace, by: str | None) -> None:
    """Judge runs by the shipped map again. Raises QavizError if the role or the disk refuses."""
    keep_policy(workspace, {POLICY_PART: None}, by)


def refit_in_force(workspace: Workspace) -> KeptRefit | None:
    """What `keep_refit` kept last; None where the shipped map is in force, or another reader was calibrated."""
    kept = kept_refit(workspace)
    return kept if kept and not has_expired(kept) else None


def kept_refit(workspace: Workspace) -> KeptRefit | None:
    """What `keep_refit` kept last and nobody took back, expired or not."""
    kept: KeptRefit | None = (kept_policy(workspace) or {}).get(POLICY_PART)
    return kept


def has_expired(kept: KeptRefit) -> bool:
    """Whether a refit moved the probabilities of another reader: it moves none of this one's."""
    return bool(kept["map"].get("reader") != READER_VERSION)


def use_refit(workspace: Workspace) -> None:
    """Have this process, and those that it starts, judge by the workspace's map; an operator's own map comes first."""
    set_before = os.environ.get(IN_PLACE_OF_SHIPPED)
    if set_before and Path(set_before).parent != _folder():
        return
    in_force = refit_in_force(workspace)
    if in_force:
        os.environ[IN_PLACE_OF_SHIPPED] = str(_file_of(as_calibration(in_force["map"]).to_json()))
    elif set_before:
        del os.environ[IN_PLACE_OF_SHIPPED]


@lru_cache(maxsize=1)
def _own_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="qaviz-calibration-")


def _folder() -> Path:
    return Path(_own_folder().name)


@lru_cache(maxsize=8)
def _file_of(text: str) -> Path:
    """The file of a map, one for each, so that who read one before does not get it for another."""
    file = _folder() / f"{hash(text):x}.json"
    file.write_text(text, "utf-8")
    return file
