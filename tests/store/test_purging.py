"""What can come in between a purge's entry in the index and the removal of its files: a kill, and another import."""

import shutil
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import polars as pl
import sqlalchemy as sa

from qaviz.model.errors import QavizError
from qaviz.store import maintenance
from qaviz.store.golden_versions import keep_rejections
from qaviz.store.labels import ANSWER_FORMS, TRIPLET_FINDINGS, keep_answer_forms, keep_triplet_findings
from qaviz.store.maintenance import purge
from qaviz.store.run_records import delete, find_record, undelete
from qaviz.store.tables import TABLES
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import golden_table
from tests.store.kept import ROWS, keep

ROOT = Path(__file__).parents[2]
OTHER_GOLDEN = golden_table([{"question": "Where else?", "fact": "Boston"}])
MOST_STEPS = 40

PURGER = """
import os, signal, sys
from pathlib import Path
from qaviz.store.workspace import open_workspace
from qaviz.store.golden_versions import keep_rejections
from qaviz.store.labels import ANSWER_FORMS, TRIPLET_FINDINGS, keep_answer_forms, keep_triplet_findings
from qaviz.store.maintenance import purge
from qaviz.store.run_records import find_record

def purge_until(folder, steps):
    def die_after_steps(event, arguments):
        nonlocal left
        if event in ("open", "os.remove", "sqlite3.connect", "fcntl.flock"):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    workspace, left = open_workspace(Path(folder)), int(steps)
    record = find_record(workspace, "gone")
    sys.addaudithook(die_after_steps)
    purge(workspace, [record], "Ana")
    os._exit(0)

for line in sys.stdin:
    # Safe, since this process never computes anything.
    child = os.fork()
    if child == 0:
        try:
            purge_until(*line.split())
        finally:
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def with_a_deleted_run(folder: Path) -> Workspace:
    """A workspace with the run `kept`, and the run `gone`, deleted, on a golden dataset of its own."""
    workspace = open_workspace(folder)
    keep(workspace, "kept")
    gone = keep(workspace, "gone", OTHER_GOLDEN, ROWS.head(1))
    keep_beside(workspace, gone.golden_id)
    delete(workspace, gone.run_id, "Ana")
    return workspace


def keep_beside(workspace: Workspace, golden: str) -> None:
    """What a judge found of the golden dataset's triplets, forms that a model proposed, and a rejected edit."""
    findings, forms = (pl.DataFrame({name: ["x"] for name in schema}) for schema in (TRIPLET_FINDINGS, ANSWER_FORMS))
    keep_triplet_findings(workspace, golden, "openai:m", findings, "Ana")
    keep_answer_forms(workspace, golden, forms, "Ana")
    rejected = pl.DataFrame({"question_id": ["x"], "rule": ["r"], "proposed": ["p"]})
    keep_rejections(workspace, golden, rejected, "Ana")


def test_every_table_of_a_golden_dataset_is_purged_or_keeps_it():
    """Each table whose rows name a golden dataset is emptied of it by a purge, or its rows keep the dataset alive."""
    named = {table.name for table in TABLES.tables.values() if {"line", "golden_id"} & set(table.c.keys())}
    emptied = {column.table.name for column in maintenance._OF_GOLDEN}
    keeps = {"runs", "golden_versions", "named_datasets", "risks", "review_sessions"}
    of_a_version_or_name = {"golden_edits", "passages"}
    assert named == emptied | keeps | of_a_version_or_name


def test_a_purge_killed_at_every_step_leaves_the_run_or_files_of_nobody(tmp_path: Path):
    """Killed before each step on the file system: the deleted run is whole and can come back, or it is purged and at
    worst files stay that no run names, which `check` lists; the other run opens, and the golden dataset can come again.
    """
    before = with_a_deleted_run(tmp_path / "before").folder
    ends: list[int | None] = []
    with subprocess.Popen(
        [sys.executable, "-c", PURGER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as purger:
        for steps in range(MOST_STEPS):
            folder = shutil.copytree(before, tmp_path / str(steps))
            print(folder, steps, file=purger.stdin, flush=True)
            code = int(purger.stdout.readline())
            ends.append(files_left_by_a_purge(open_workspace(folder)))
            if code == 0:
                break
            assert code == -signal.SIGKILL
        purger.stdin.close()

    purged = [left for left in ends if left is not None]
    assert ends == [None] * (len(ends) - len(purged)) + purged
    assert ends[0] is None
    # Two files of the run and its golden dataset, one after the other.
    assert list(dict.fromkeys(purged)) == [3, 2, 1, 0]


def files_left_by_a_purge(workspace: Workspace) -> int | None:
    """How many files no run names any more; None where the run is still there, which then comes back whole."""
    checked = maintenance.check(workspace)
    assert checked.problems == ()
    assert workspace.rows(workspace.find("kept")).height == ROWS.height
    try:
        record = find_record(workspace, "gone")
    except QavizError:
        assert keep(workspace, "gone", OTHER_GOLDEN, ROWS.head(1)).golden_id
        assert maintenance.check(workspace).problems == ()
        return len(checked.unnamed)
    undelete(workspace, record.run.run_id, "Ana")
    assert workspace.rows(record.run).height == 1
    assert checked.unnamed == ()
    return None


def test_a_golden_dataset_that_comes_again_amid_a_purge_stays(file_workspace: Workspace):
    """Somebody imports the purged run's golden dataset before the purge has removed its file: it is theirs now."""
    workspace = with_a_deleted_run(file_workspace.folder)
    deleted = find_record(workspace, "gone")
    connections = count()

    def somebody_imports(_: sa.Connection) -> None:
        if next(connections) == 1:
            keep(workspace, "again", OTHER_GOLDEN, ROWS.head(1))

    sa.event.listen(workspace.index, "engine_connect", somebody_imports)
    removed = purge(workspace, [deleted], "Ana")
    assert len(removed) == 2
    assert workspace.golden(workspace.find("again").golden_id).equals(OTHER_GOLDEN, null_equal=True)
    assert maintenance.check(workspace).problems == ()
    assert maintenance.check(workspace).unnamed == ()
