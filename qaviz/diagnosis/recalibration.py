"""The shipped calibration, moved by a workspace's own labels: how much more or less its people agree than elsewhere.

Only levels move (log odds, for all rules together and by diagnosis), each pulled towards no change, so that thirty
labels move it a little and a thousand as far as they say."""

import os
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

import numpy as np
import polars as pl

from qaviz.diagnosis.agreement import check_labels, counts_as
from qaviz.diagnosis.calibration import (
    DIAGNOSIS_OF_RULE,
    IN_PLACE_OF_SHIPPED,
    MARGIN,
    NEWTON_STEPS,
    RULE,
    SETTLED,
    SHIPPED,
    Calibration,
    Kept,
    Numbers,
    as_calibration,
    calibration_error,
    read_calibration,
    reliability,
)
from qaviz.diagnosis.columns import UNREAD
from qaviz.diagnosis.judging import evidence_of_rules
from qaviz.diagnosis.rules import RULES
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.model.records import Thresholds
from qaviz.store import Workspace, keep_policy, kept_policy

RIGHT = "right"
"""Whether a person's label is the verdict of the row's rule."""
LARGEST = 0.5
PULL, PULL_OF_DIAGNOSIS = 5.0, 10.0
"""Weight of the pull towards no change, in labelled rows: for all rules together, and for one diagnosis beside them."""

POLICY_PART = "calibration"
"""Where the policy keeps the fit in force; null: the shipped map."""
FEWEST = 30
"""Labelled questions from which a calibration is fitted to them: responses to one question say little of others."""
_FOLDS = 5


def labelled_evidence(gathered: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """Return the labelled rows that evidence judges: with RULE, DIAGNOSIS_OF_RULE, MARGIN and RIGHT.

    `gathered` is what `extract_evidence` or `diagnose` returns. Raises QavizError for labels as `agreement` does.
    """
    check_labels(labels)
    read = (pl.col(RESPONSE).fill_null("").str.strip_chars() != "") & pl.col(UNREAD).is_null()
    rows = evidence_of_rules(gathered.drop(LABEL, strict=False).filter(read), Thresholds())
    verdict_of = {rule.name: rule.verdict.value for rule in RULES}
    verdict = pl.col(RULE).replace_strict(verdict_of, return_dtype=pl.String).replace(counts_as(labels))
    known = labels.select(QUESTION_ID, PIPELINE, LABEL).unique()
    joined = rows.join(known, on=[QUESTION_ID, PIPELINE], maintain_order="left")
    return joined.drop_nulls(LABEL).with_columns((verdict == pl.col(LABEL)).alias(RIGHT))


def predict(calibration: Calibration, rows: pl.DataFrame) -> Numbers:
    """Return the probability of each row of `labelled_evidence`."""
    numbered = rows.with_row_index("row").with_columns(pl.col(MARGIN).clip(0, 1))
    parts = [
        part.select("row", calibration.probability(str(rule), str(diagnosis), pl.col(MARGIN)).alias("probable"))
        for (rule, diagnosis), part in numbered.group_by(RULE, DIAGNOSIS_OF_RULE)
    ]
    return pl.concat(parts).sort("row")["probable"].to_numpy()


def refit(calibration: Calibration, rows: pl.DataFrame) -> Calibration:
    """Return the calibration with its levels moved to what rows of `labelled_evidence` say."""
    diagnoses = sorted(rows[DIAGNOSIS_OF_RULE].unique())
    columns = np.column_stack(
        [np.ones(rows.height), *((rows[DIAGNOSIS_OF_RULE] == name).to_numpy().astype(float) for name in diagnoses)]
    )
    pull = np.array([PULL, *(PULL_OF_DIAGNOSIS for _ in diagnoses)])
    probable = predict(calibration, rows)
    shifts = _fit_shifts(columns, np.log(probable / (1 - probable)), rows[RIGHT].to_numpy().astype(float), pull)
    moved = dict(zip(diagnoses, shifts[1:], strict=True))
    of_rule = {rule.name: rule.diagnosis.value for rule in RULES}
    return Calibration(
        rules={
            name: replace(of, level=round(float(of.level + shifts[0] + moved.get(of_rule.get(name, ""), 0.0)), 4))
            for name, of in calibration.rules.items()
        },
        diagnoses={
            name: replace(of, level=round(float(of.level + shifts[0] + moved.get(name, 0.0)), 4))
            for name, of in calibration.diagnoses.items()
        },
    )


def predict_kept_out(calibration: Calibration, rows: pl.DataFrame) -> Numbers:
    """Return the probability of each row by a refit on the other questions: what a refit is worth on new ones."""
    fold = (rows[QUESTION_ID].rank("dense") % _FOLDS).to_numpy()
    probable = np.zeros(rows.height)
    for number in range(_FOLDS):
        kept_out = fold == number
        if kept_out.any():
            probable[kept_out] = predict(refit(calibration, rows.filter(~kept_out)), rows.filter(kept_out))
    return probable


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
    shipped, right = read_calibration(SHIPPED), known[RIGHT].to_numpy()
    before, after = predict(shipped, known), predict_kept_out(shipped, known)
    return Refit(
        labels=known.height,
        questions=questions,
        error_before=calibration_error(before, right),
        error_after=calibration_error(after, right),
        before=reliability(before, right),
        after=reliability(after, right),
        calibration=refit(shipped, known),
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


def keep_refit(workspace: Workspace, found: Refit, run: str, by: str | None) -> None:
    """Judge runs by this map from the next one on. Raises QavizError if the role or the disk refuses."""
    part: KeptRefit = {
        "run": run,
        "labels": found.labels,
        "questions": found.questions,
        "error_before": round(found.error_before, 4),
        "error_after": round(found.error_after, 4),
        "map": asdict(found.calibration),
    }
    keep_policy(workspace, {POLICY_PART: part}, by)


def take_back_refit(workspace: Workspace, by: str | None) -> None:
    """Judge runs by the shipped map again. Raises QavizError if the role or the disk refuses."""
    keep_policy(workspace, {POLICY_PART: None}, by)


def refit_in_force(workspace: Workspace) -> KeptRefit | None:
    """What `keep_refit` kept last; None where the shipped map is in force."""
    found: KeptRefit | None = (kept_policy(workspace) or {}).get(POLICY_PART)
    return found


def use_refit(workspace: Workspace) -> None:
    """Have this process, and those that it starts, judge by the workspace's map; an operator's own map comes first."""
    set_before = os.environ.get(IN_PLACE_OF_SHIPPED)
    if set_before and Path(set_before).parent != _folder():
        return
    found = refit_in_force(workspace)
    if found:
        os.environ[IN_PLACE_OF_SHIPPED] = str(_file_of(as_calibration(found["map"]).to_json()))
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
