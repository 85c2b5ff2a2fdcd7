"""A workspace's calibration: confidence fitted to its own labels, in force and taken back."""

import os
from pathlib import Path

import polars as pl
import pytest

from qaviz.diagnosis.calibration import IN_PLACE_OF_SHIPPED, SHIPPED, Refit, find_refit, read_calibration
from qaviz.diagnosis.recalibration import (
    POLICY_PART,
    has_expired,
    keep_refit,
    kept_refit,
    refit_in_force,
    take_back_refit,
    use_refit,
)
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.store.audit import audit_page
from qaviz.store.labels import kept_labels
from qaviz.store.members import give_role
from qaviz.store.roles import Actor, Role
from qaviz.store.settings import keep_policy, kept_policy
from qaviz.store.workspace import Workspace
from tests.labelled_run import import_harbours, label_harbours


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """No map but the shipped one is in use before the test, and none after it."""
    monkeypatch.setenv(IN_PLACE_OF_SHIPPED, "")


def refit_of(workspace: Workspace, folder: Path) -> Refit:
    run = import_harbours(workspace, folder, "first")
    label_harbours(workspace, run)
    found = find_refit(workspace.rows(run), kept_labels(workspace, run).select(QUESTION_ID, PIPELINE, LABEL))
    assert isinstance(found, Refit)
    return found


@pytest.mark.usefixtures("shipped")
def test_the_next_run_is_judged_by_the_fit_until_it_is_taken_back(workspace: Workspace, tmp_path: Path):
    """People who disagree with a third of the verdicts lower the confidence of the next run, and of no earlier one."""
    found = refit_of(workspace, tmp_path)
    assert (found.labels, found.questions) == (80, 40)
    assert found.error_after < found.error_before
    assert found.before["rows"].sum() == found.after["rows"].sum() == 80
    before = workspace.rows(workspace.runs()[0])[CONFIDENCE]

    keep_refit(workspace, found, "first", "Ann")
    kept = refit_in_force(workspace)
    assert kept is not None
    assert (kept["labels"], kept["run"]) == (80, "first")
    fitted = workspace.rows(import_harbours(workspace, tmp_path, "second"))[CONFIDENCE]
    assert fitted.mean() < before.mean() - 0.05

    take_back_refit(workspace, "Ann")
    assert refit_in_force(workspace) is None
    assert workspace.rows(import_harbours(workspace, tmp_path, "third"))[CONFIDENCE].to_list() == before.to_list()
    told = audit_page(workspace, "", 0, 10).filter(pl.col("what") == "policy")
    assert told["who"].to_list() == ["Ann", "Ann"]


@pytest.mark.usefixtures("shipped")
def test_a_fit_to_another_readers_verdicts_has_expired(workspace: Workspace, tmp_path: Path):
    """It is still there to be shown and taken back, and moves nothing."""
    keep_refit(workspace, refit_of(workspace, tmp_path), "first", "Ann")
    fit = kept_refit(workspace)
    keep_policy(workspace, {POLICY_PART: {**fit, "map": {**fit["map"], "reader": "1"}}}, "Ann")
    use_refit(workspace)
    assert has_expired(kept_refit(workspace))
    assert (refit_in_force(workspace), os.environ[IN_PLACE_OF_SHIPPED]) == (None, "")


@pytest.mark.usefixtures("shipped")
def test_too_few_questions_are_counted(workspace: Workspace, tmp_path: Path):
    """Of fewer labelled questions than a fit takes it says how many there are; labels of one question are one."""
    run = import_harbours(workspace, tmp_path, "first")
    label_harbours(workspace, run)
    few = kept_labels(workspace, run).select(QUESTION_ID, PIPELINE, LABEL).head(12)
    assert find_refit(workspace.rows(run), few) == few[QUESTION_ID].n_unique()
    assert find_refit(workspace.rows(run), few.clear()) == 0


@pytest.mark.usefixtures("shipped")
def test_other_parts_of_the_policy_stay(workspace: Workspace, tmp_path: Path):
    """The fit in force and the acceptance criteria do not overwrite each other."""
    keep_policy(workspace, {"criteria": []}, "Ann")
    keep_refit(workspace, refit_of(workspace, tmp_path), "first", "Ann")
    keep_policy(workspace, {"criteria": []}, "Ann")
    assert refit_in_force(workspace) is not None
    assert set(kept_policy(workspace) or {}) == {"criteria", "calibration"}


def test_an_operators_own_map_comes_first(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What the environment names is left as it is."""
    own = tmp_path / "own.json"
    own.write_text(SHIPPED.to_json(), "utf-8")
    monkeypatch.setenv(IN_PLACE_OF_SHIPPED, str(own))
    keep_policy(workspace, {"calibration": {"map": {"rules": {}, "diagnoses": {}}}}, "Ann")
    use_refit(workspace)
    assert os.environ[IN_PLACE_OF_SHIPPED] == str(own)
    assert read_calibration(own) == SHIPPED


def test_who_may_not_set_the_policy_may_not_refit(workspace: Workspace, tmp_path: Path):
    """An editor is refused by the store, whatever a page shows."""
    found = refit_of(workspace, tmp_path)
    give_role(workspace, "olga", Role.OWNER)
    give_role(workspace, "ed", Role.EDITOR)
    with pytest.raises(QavizError, match="owner"):
        keep_refit(workspace.as_actor(Actor("ed")), found, "first", "Ed")
    assert refit_in_force(workspace) is None
