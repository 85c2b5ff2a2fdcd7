"""Today's behaviour against what was frozen; a wanted change is written by `python -m tests.frozen`."""

from pathlib import Path

import pytest

from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import LABEL
from qaviz.store.labels import kept_labels
from qaviz.store.workspace import open_workspace
from tests.frozen.subjects import SUBJECTS, bring_up, call, differences, read_items


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_was_frozen_is_still_so(subject: str, tmp_path: Path):
    """Every item of the subject's file comes out as it is written there."""
    frozen = read_items(subject)
    assert list(differences(frozen, SUBJECTS[subject](frozen, tmp_path))) == []


def test_every_class_and_verdict_is_among_the_frozen_rows():
    """No diagnosis and no verdict is left out."""
    rows = [read for item in read_items("verdicts") for read in item["responses"].values()]
    assert {diagnosis for _, diagnosis, _ in rows} == set(Diagnosis)
    assert {verdict for verdict, *_ in rows} == set(Verdict)


def test_a_workspace_of_0_2_0_opens_with_all_that_it_holds(tmp_path: Path):
    """Its run, rows, labels and golden dataset are there, and its decision can be reported."""
    workspace = open_workspace(bring_up(tmp_path))
    run = workspace.find("June")
    assert (workspace.rows(run).height, workspace.golden(run.golden_id).height) == (30, 10)
    assert kept_labels(workspace, run)[LABEL].len() == 30
    pack = tmp_path / "pack.json"
    assert call(["report", "June", "--out", str(pack), "--workspace", str(workspace.folder)])[0] == 0
    assert pack.stat().st_size
