from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy as sa

from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.store import maintenance
from qaviz.store.audit import AUDIT, check_audit, whole_audit
from qaviz.store.audit_log import FIRST_HASH, hash_of
from qaviz.store.golden_versions import keep_version, versions
from qaviz.store.index import INDEX_FILE
from qaviz.store.labels import keep_labels, take_back_labels
from qaviz.store.run_records import delete, describe, unarchive, undelete
from qaviz.store.tables import AUDIT_TABLE
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import golden_table
from tests.store.deeds import deeds, make_team
from tests.store.kept import keep

LABELS = pl.DataFrame({QUESTION_ID: ["1", "2"], PIPELINE: ["A", "A"], LABEL: ["correct", "declined"]})
EDIT = pl.DataFrame(
    [("1", "fact", "Seattle", "WA", None)], ["question_id", "field", "before", "after", "rule"], orient="row"
)
REJECTED = pl.DataFrame({QUESTION_ID: ["1"], "rule": ["a-rule"], "proposed": ["WA"]})


NOT_NOTED = {
    *("workspace.note_export", "maintenance.clean", "labels.keep_bertscores", "reviews.refresh_items"),
    *("reviews.keep_draft", "reviews.end_decisions", "reviews.mark_applied"),
    "golden_versions.renew_passages",
}
"""What reads, belongs to no run, is a part of another deed, or is one's own machine's business."""


def test_every_deed_is_in_the_audit(file_workspace: Workspace):
    """Whatever writes to the index leaves an entry, in the order in which it was done; what it is about outlives its
    purge, and the chain is whole."""
    team = make_team(file_workspace)
    for name, (_, call) in deeds(team).items():
        before = whole_audit(team.home).height
        call(team.home)
        assert (whole_audit(team.home).height == before) == (name in NOT_NOTED), name
    entries = whole_audit(open_workspace(team.home.folder))
    assert entries["number"].to_list() == list(range(1, entries.height + 1))
    assert entries.schema == AUDIT
    details = dict(entries.select("what", "detail").rows())
    assert details["label"] == "1, A: declined"
    assert details["accept"] == "version 3, why"
    assert details["purge"] == '"purged"'
    checked = check_audit(team.home)
    assert (checked.entries, checked.problem, checked.last_hash) == (entries.height, None, entries["hash"][-1])


def test_an_entrys_hash_covers_the_one_before(workspace: Workspace):
    """A hash is SHA-256 of the hash before, a line feed, and the entry as JSON with its names in order."""
    keep(workspace, "June")
    entry = whole_audit(workspace).row(0, named=True)
    assert entry["hash"] == hash_of(entry, FIRST_HASH)
    assert hash_of({"number": 1, "at": "t", "who": None, "hash": "x"}, "before") == (
        # printf 'before\n{"at":"t","number":1,"who":null}' | sha256sum
        "1c687948b05b183c72b6440c8ccfd6878bb028e7720bbe64f4ce664fb550da9e"
    )


def test_a_deed_that_fails_leaves_no_entry(workspace: Workspace):
    """What is refused, and what changes nothing, is in no entry."""
    run = keep(workspace, "June")
    with pytest.raises(QavizError):
        keep(workspace, "June")
    with pytest.raises(QavizError):
        describe(workspace, run.run_id, "Ana", notes="new", name="")
    describe(workspace, run.run_id, "Ana", name="June", notes="", remove_tags=["none"])
    unarchive(workspace, run.run_id, "Ana")
    take_back_labels(workspace, run, "Ana")
    assert whole_audit(workspace)["what"].to_list() == ["import"]


def changed(workspace: Workspace, statement: sa.Executable) -> None:
    with workspace.locking() as transaction:
        transaction.execute(statement)


_T = AUDIT_TABLE.c
TAMPERING: dict[str, tuple[sa.Executable, int]] = {
    "another person": (sa.update(AUDIT_TABLE).where(_T.number == 3).values(who="Eve"), 3),
    "another time": (sa.update(AUDIT_TABLE).where(_T.number == 5).values(at="2020-01-01T00:00:00+00:00"), 5),
    "another hash": (sa.update(AUDIT_TABLE).where(_T.number == 4).values(hash="0" * 64), 4),
    "an entry less": (sa.delete(AUDIT_TABLE).where(_T.number == 4), 4),
}


@pytest.mark.parametrize("tampering", TAMPERING)
def test_a_broken_chain_names_its_first_broken_entry(workspace: Workspace, tampering: str):
    """An entry that is changed, or missing among the others, is named with which of the two it is, here and by the
    workspace's check."""
    run = keep(workspace, "June")
    for number in range(5):
        describe(workspace, run.run_id, "Ana", notes=f"note {number}")
    statement, place = TAMPERING[tampering]
    changed(workspace, statement)
    problem = check_audit(workspace).problem
    assert problem is not None
    assert problem.where == f"audit, entry {place}"
    assert problem.found.endswith("in its place") == tampering.endswith("less")
    assert maintenance.check(workspace).problems == (problem,)


def cut_off(workspace: Workspace) -> None:
    changed(workspace, sa.delete(AUDIT_TABLE).where(_T.number == 2))


def written_anew(workspace: Workspace) -> None:
    """A whole chain of other words, as somebody who can write to the database can make it."""
    before = FIRST_HASH
    for entry in whole_audit(workspace).iter_rows(named=True):
        entry |= {"who": "Eve"}
        before = hash_of(entry, before)
        changed(workspace, sa.update(AUDIT_TABLE).where(_T.number == entry["number"]).values(who="Eve", hash=before))


@pytest.mark.parametrize("forge", [cut_off, written_anew])
def test_a_hash_kept_elsewhere_shows_what_the_chain_cannot(workspace: Workspace, forge: Callable[[Workspace], None]):
    """An audit whose end is cut off, or that is written anew, is a chain without a fault; a hash that was kept shows
    it. The same hash is still found when entries were added since."""
    run = keep(workspace, "June", by="Ana")
    describe(workspace, run.run_id, "Ana", notes="new")
    kept = check_audit(workspace).last_hash
    describe(workspace, run.run_id, "Ana", notes="newer")
    assert check_audit(workspace, kept).problem is None
    changed(workspace, sa.delete(AUDIT_TABLE).where(_T.number == 3))

    forge(workspace)

    assert check_audit(workspace).problem is None
    problem = check_audit(workspace, kept).problem
    assert problem is not None
    assert kept in problem.found


CHANGES = {
    "a pipeline": "UPDATE runs SET pipelines = replace(pipelines, 'A', 'C')",
    "the name of a run": "UPDATE runs SET name = 'May'",
    "the thresholds": "UPDATE runs SET thresholds = replace(thresholds, '0.65', '0.05')",
    "a label": "UPDATE labels SET label = 'incorrect' WHERE number = 1",
    "all labels": "DELETE FROM labels",
    "who made a version": "UPDATE golden_versions SET made_by = 'Bo' WHERE number = 2",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_row_of_the_index_is_found(tmp_path: Path, change: str):
    """Rows of runs, labels and versions are what the chain says was written; deeds that change them are no damage."""
    workspace = open_workspace(tmp_path)
    run = keep(workspace, "June")
    keep_labels(workspace, run, "Ana", LABELS)
    keep_labels(workspace, run, "Bo", LABELS)
    take_back_labels(workspace, run, "Bo")
    (first,) = versions(workspace, run.golden_id)
    keep_version(workspace, first, golden_table([{"question": "Where?", "fact": "WA"}]), EDIT, "Ana", "short")
    describe(workspace, run.run_id, "Bo", name="July")
    delete(workspace, run.run_id, "Ana")
    undelete(workspace, run.run_id, "Bo")
    found = maintenance.check(workspace)
    assert (found.problems, found.audit.covered, found.audit.uncovered) == ((), 4, 0)
    with workspace.index.connect() as connection:
        connection.exec_driver_sql(CHANGES[change])
        connection.commit()

    assert maintenance.check(workspace).problems


def test_a_run_from_before_hashes_is_compared_with_its_file(tmp_path: Path):
    """Where the chain has no hash of a run's row, its pipelines are those of its file."""
    workspace = open_workspace(tmp_path)
    keep(workspace, "June")
    with workspace.index.begin() as connection:
        connection.exec_driver_sql("UPDATE runs SET deed = NULL, pipelines = replace(pipelines, 'A', 'C')")

    assert "B, C: 5 responses to 3 questions" in [problem.found for problem in maintenance.check(workspace).problems]


def test_a_deleted_database_is_named(tmp_path: Path):
    """Beside files of runs no new index is made: the deleted one is named, and nothing is changed."""
    keep(open_workspace(tmp_path), "June")
    for file in tmp_path.glob(f"{INDEX_FILE}*"):
        file.unlink()

    with pytest.raises(QavizError, match="no index beside 2 files of runs"):
        open_workspace(tmp_path)
    assert not (tmp_path / INDEX_FILE).exists()
