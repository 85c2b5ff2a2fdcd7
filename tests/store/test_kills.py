"""Processes killed before every step of what they write: the workspace is old or new; and eight that write at once."""

import shutil
import threading
from pathlib import Path

import polars as pl
import pytest

from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT, LABEL, PIPELINE, QUESTION_ID
from qaviz.store import maintenance
from qaviz.store.audit import whole_audit
from qaviz.store.golden_versions import kept_edits, versions
from qaviz.store.labels import keep_labels, kept_labels
from qaviz.store.run_records import delete
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import draft_sample, golden_table, save_sample
from tests.store import killed
from tests.store.kept import ROWS, keep
from tests.store.states import as_plain, state_of

pytestmark = pytest.mark.slow

LEAST_STEPS = 4
"""Before the lock, the rows, their entry in the audit and the end of the transaction the old state is there."""
WRITERS = len(killed.QUESTIONS)
NAMES = [f"writer {number}" for number in range(WRITERS)]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the run June, its golden dataset's second version, and labels; and a run that is deleted."""
    workspace = open_workspace(tmp_path_factory.mktemp("before") / "workspace")
    run = keep(workspace, "June")
    labels = pl.DataFrame({QUESTION_ID: ["1"], PIPELINE: ["A"], LABEL: ["correct"]})
    keep_labels(workspace, run, "Ana", labels)
    accept(workspace, newest_version(workspace, run.golden_id), edit("2", FACT, "8 euros"), "Ana", "shorter")
    gone = keep(workspace, "gone", golden_table([{"question": "Where else?", "fact": "Boston"}]), ROWS.head(1))
    delete(workspace, gone.run_id, "Ana")
    return workspace.folder


@pytest.mark.parametrize("deed", [killed.import_run, killed.accept_edit, killed.label, killed.purge_run])
def test_killed_before_each_step_the_workspace_is_old_or_new(deed: killed.Deed, before: Path, tmp_path: Path):
    """Killed before every single step on the file system and in the index: every row and file is as before, or as the
    undisturbed deed leaves it; where it is as before the deed can be done. At worst files are left that no run names.
    """
    old, ends, wholes, code = state_of(open_workspace(before)), list[bool](), set[str](), killed.KILLED
    while code == killed.KILLED:
        folder = shutil.copytree(before, tmp_path / str(len(ends)))
        code = killed.do(deed, folder, step=len(ends))
        state = state_of(open_workspace(folder))
        ends.append(state != old)
        if not ends[-1]:
            assert killed.do(deed, folder) == 0
            state = state_of(open_workspace(folder))
        assert deed is killed.purge_run or old < state
        wholes.add(as_plain(state))
        shutil.rmtree(folder)
    assert (code, len(wholes)) == (0, 1)
    assert ends == sorted(ends)
    assert ends.count(False) >= LEAST_STEPS


def test_eight_processes_at_once_lose_nothing(workspace: Workspace):
    """Imports, labels, edits and policies of eight processes at once are all there, whole, one after the other; the
    audit has each of them once, in one chain."""
    run = save_sample(workspace, "first")
    writers = [(killed.write_all, (workspace.folder, draft_sample(), number)) for number in range(WRITERS)]
    assert killed.do_at_once(writers) == [0] * WRITERS

    assert sorted(each.name for each in workspace.runs()) == ["first", *NAMES]
    assert all(workspace.rows(each).height == run.responses for each in workspace.runs())
    labels = kept_labels(workspace, run)["labelled_by"].value_counts()
    assert dict(labels.iter_rows()) == dict.fromkeys(NAMES, killed.LABELS)

    line = versions(workspace, run.golden_id)
    assert [version.number for version in line] == list(range(1, 2 + WRITERS * killed.EDITS))
    assert [version.parent for version in line[1:]] == [version.golden_id for version in line[:-1]]
    assert kept_edits(workspace, run.golden_id).height == WRITERS * killed.EDITS
    newest = workspace.golden(line[-1].golden_id).filter(pl.col(QUESTION_ID).is_in(killed.QUESTIONS))
    assert newest[FACT].unique().to_list() == [f"fact {killed.EDITS - 1}"]

    done = whole_audit(workspace)["what"].value_counts()
    of_one = {"label": killed.LABELS, "accept": killed.EDITS, "policy": 1}
    assert dict(done.iter_rows()) == {what: n * WRITERS for what, n in of_one.items()} | {"import": 1 + WRITERS}
    checked = maintenance.check(workspace)
    assert (checked.problems, checked.unnamed) == ((), ())


def test_what_a_living_writer_writes_is_left_alone(workspace: Workspace):
    """Whoever opens the workspace while somebody saves waits with clearing away: the file may be the saver's."""
    unfinished = workspace.folder / "runs" / "0123.tmp"
    opening = threading.Thread(target=open_workspace, args=(workspace.folder,))
    with workspace.locking():
        unfinished.write_bytes(b"half")
        opening.start()
        opening.join(0.2)
        assert unfinished.exists()
    opening.join(30)
    assert not unfinished.exists()
