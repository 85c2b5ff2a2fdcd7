"""Eight processes write to one workspace at once."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from qaviz.model.columns import FACT, QUESTION_ID
from qaviz.store import maintenance
from qaviz.store.audit import check_audit, whole_audit
from qaviz.store.golden_versions import kept_edits, versions
from qaviz.store.labels import kept_labels
from qaviz.store.workspace import Workspace
from tests.builders import save_sample
from tests.store.crowd import EDITS, LABELS, QUESTIONS, WRITERS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NAMES = [f"writer {number}" for number in range(WRITERS)]


def test_eight_processes_at_once_lose_nothing(workspace: Workspace):
    """Imports, labels, edits and policies of eight processes at once are all there, whole, one after the other; the
    audit has each of them once, in one chain."""
    run = save_sample(workspace, "first")
    crowd = [sys.executable, "-m", "tests.store.crowd", str(workspace.folder), run.run_id]
    ended = subprocess.run(crowd, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr

    assert sorted(each.name for each in workspace.runs()) == ["first", *NAMES]
    assert all(workspace.rows(each).height == run.responses for each in workspace.runs())
    labels = kept_labels(workspace, run)["labelled_by"].value_counts()
    assert dict(labels.iter_rows()) == dict.fromkeys(NAMES, LABELS)

    line = versions(workspace, run.golden_id)
    assert [version.number for version in line] == list(range(1, 2 + WRITERS * EDITS))
    assert [version.parent for version in line[1:]] == [version.golden_id for version in line[:-1]]
    assert kept_edits(workspace, run.golden_id).height == WRITERS * EDITS
    newest = workspace.golden(line[-1].golden_id).filter(pl.col(QUESTION_ID).is_in(QUESTIONS))
    assert newest[FACT].unique().to_list() == [f"fact {EDITS - 1}"]

    done = whole_audit(workspace)["what"].value_counts()
    each = {"label": LABELS, "import": 1, "accept": EDITS, "policy": 1}
    assert dict(done.iter_rows()) == {what: number * WRITERS for what, number in each.items()} | {"import": 1 + WRITERS}
    assert check_audit(workspace).problem is None
    found = maintenance.check(workspace)
    assert (found.problems, found.unnamed) == ((), ())
