"""A workspace's own calibration: kept in its policy, in force, taken back."""

import os
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

from qaviz.diagnosis.calibration import IN_PLACE_OF_SHIPPED, Kept, Refit, as_calibration
from qaviz.diagnosis.columns import READER_VERSION
from qaviz.store.settings import keep_policy, kept_policy
from qaviz.store.workspace import Workspace

POLICY_PART = "calibration"
"""Where the policy keeps the fit in force; null: the shipped map."""


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
