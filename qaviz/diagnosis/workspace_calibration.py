"""Confidence fitted to a workspace's own labels: what that would change, the fit in force, and the way back to the
shipped map."""

import os
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from qaviz.diagnosis.calibration import (
    IN_PLACE_OF_SHIPPED,
    SHIPPED,
    Calibration,
    OfRule,
    calibration_error,
    read_calibration,
    reliability,
)
from qaviz.diagnosis.recalibration import FEWEST, RIGHT, labelled_evidence, predict, predict_kept_out, refit
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.store import Workspace, keep_policy, kept_policy

POLICY_PART = "calibration"
"""Where the policy keeps the fit in force; null: the shipped map."""


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
    """Return what the labels make of the shipped map; how many count where these are fewer than FEWEST.

    `rows` are a run's, `labels` one label a response (`analysis.agreement.counting`). Raises QavizError as
    `labelled_evidence` does.
    """
    labelled = rows.join(labels, on=[QUESTION_ID, PIPELINE], how="semi")
    known = labelled_evidence(labelled, labels) if labelled.height else labelled
    if known.height < FEWEST:
        return known.height
    shipped, right = read_calibration(SHIPPED), known[RIGHT].to_numpy()
    before, after = predict(shipped, known), predict_kept_out(shipped, known)
    return Refit(
        labels=known.height,
        questions=known[QUESTION_ID].n_unique(),
        error_before=calibration_error(before, right),
        error_after=calibration_error(after, right),
        before=reliability(before, right),
        after=reliability(after, right),
        calibration=refit(shipped, known),
    )


def keep_refit(workspace: Workspace, found: Refit, run: str, by: str | None) -> None:
    """Judge runs by this map from the next one on. Raises QavizError if the role or the disk refuses."""
    part = {
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


def refit_in_force(workspace: Workspace) -> dict[str, Any] | None:
    """What `keep_refit` kept last; None where the shipped map is in force."""
    found: dict[str, Any] | None = (kept_policy(workspace) or {}).get(POLICY_PART)
    return found


def use_refit(workspace: Workspace) -> None:
    """Have this process, and those that it starts, judge by the workspace's map; an operator's own map comes first."""
    set_before = os.environ.get(IN_PLACE_OF_SHIPPED)
    if set_before and Path(set_before).parent != _folder():
        return
    found = refit_in_force(workspace)
    if found:
        os.environ[IN_PLACE_OF_SHIPPED] = str(_file_of(_as_calibration(found["map"]).to_json()))
    elif set_before:
        del os.environ[IN_PLACE_OF_SHIPPED]


def _as_calibration(kept: dict[str, Any]) -> Calibration:
    return Calibration(**{name: {key: OfRule(**of) for key, of in group.items()} for name, group in kept.items()})


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
