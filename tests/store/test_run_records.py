from collections.abc import Callable
from itertools import count
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy as sa

from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.records import Provenance, SourceFile
from qaviz.store import maintenance
from qaviz.store.audit import whole_audit
from qaviz.store.golden_versions import keep_rejections
from qaviz.store.labels import (
    ANSWER_FORMS,
    TRIPLET_FINDINGS,
    keep_answer_forms,
    keep_labels,
    keep_triplet_findings,
    take_back_labels,
)
from qaviz.store.maintenance import purge
from qaviz.store.members import give_role
from qaviz.store.roles import Actor, Role
from qaviz.store.run_records import (
    LONGEST_NOTES,
    MOST_TAGS,
    RUNS,
    RunState,
    archive,
    confirm_override,
    delete,
    describe,
    find_last_mapping,
    find_record,
    override_decision,
    run_table,
    unarchive,
    undelete,
    withdraw_override,
)
from qaviz.store.tables import RUN_RECORDS_TABLE, RUNS_TABLE, TABLES
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import golden_table
from tests.growth import ROOM, TIMES, growth
from tests.store.kept import ROWS, contents, keep, keep_copies
from tests.store.test_workspace import VERIFIED

LABELS = pl.DataFrame({QUESTION_ID: ["1"], PIPELINE: ["A"], LABEL: ["correct"]})


def test_what_people_say_of_a_run_is_kept(workspace: Workspace):
    """Name, owner, tags and notes come back as Unicode's NFC; what is not given stays; empty takes away."""
    run = keep(workspace, "June", by="Ana")
    describe(workspace, run.run_id, "Bo", name=" Ju\u0308ne ", notes="two\r\nlines ", add_tags=["critical", "a", "a"])
    record = find_record(open_workspace(workspace.folder), "Jüne")
    assert (record.owner, record.notes, record.tags) == ("Ana", "two\nlines", ("critical", "a"))
    describe(workspace, run.run_id, "Bo", owner="", notes="", remove_tags=["a", "never there"])
    record = find_record(workspace, run.run_id)
    assert (record.owner, record.notes, record.tags, record.run.name) == (None, "", ("critical",), "Jüne")
    noted = whole_audit(workspace).filter(what="note")["detail"].to_list()
    assert noted == ['"Jüne": two lines', '"Jüne": no notes']
    describe(workspace, run.run_id, "Bo", add_tags=[str(number) for number in range(1, MOST_TAGS)])
    assert len(find_record(workspace, run.run_id).tags) == MOST_TAGS


def test_the_last_import_of_a_file_says_what_its_columns_are(workspace: Workspace):
    """Its mapping counts, also where it had none, and no other file's; a run of other files changes nothing."""
    imports = [{"a.csv": {"Eins": "answer"}}, {"a.csv": {"Zwei": "answer"}, "b.csv": {}}, {"c.csv": {}}, {"a.csv": {}}]
    last = []
    for number, files in enumerate(imports):
        sources = tuple(SourceFile(name=name, sha256="", size=0) for name in files)
        mappings = {name: mapping for name, mapping in files.items() if mapping}
        keep(workspace, str(number), provenance=Provenance(files=sources, mappings=mappings, versions={}))
        last.append(find_last_mapping(workspace, "a.csv"))
    assert last == [{"Eins": "answer"}, {"Zwei": "answer"}, {"Zwei": "answer"}, {}]
    assert find_last_mapping(workspace, "b.csv") == {}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"name": ""}, "no text"),
        ({"name": "other"}, '"other", which the run'),
        ({"owner": "x" * 121}, "121 characters"),
        ({"owner": "half \ud800"}, "a control character"),
        ({"notes": "x" * (LONGEST_NOTES + 1)}, "4,001 characters"),
        ({"notes": "\x1b[31mred"}, "a control character"),
        ({"add_tags": ["two\nlines"]}, "a control character"),
        ({"add_tags": ["x" * 41]}, "41 characters"),
        ({"add_tags": [str(number) for number in range(MOST_TAGS + 1)]}, "21 tags"),
    ],
)
def test_texts_that_will_not_do(workspace: Workspace, said: dict[str, object], found: str):
    """A text that is blank, too long, steers a screen, or is another run's name is refused, and nothing is kept."""
    keep(workspace, "other")
    run = keep(workspace, "June")
    before = find_record(workspace, "June")
    with pytest.raises(QavizError, match=found):
        describe(workspace, run.run_id, "Ana", **{"notes": "new", **said})
    assert find_record(workspace, "June") == before


def test_an_archived_run_is_no_longer_picked_and_still_opens(workspace: Workspace):
    """Archived, a run leaves the list but is found by id and name, with its rows; undone, it is as it was."""
    run = keep(workspace, "June")
    before = find_record(workspace, "June")
    archive(workspace, run.run_id, "Ana")
    assert (workspace.runs(), workspace.runs(archived=True)) == ([], [run])
    assert workspace.find(run.run_id) == workspace.find("June") == run
    assert workspace.rows(run).height == run.responses
    record = find_record(workspace, "June")
    assert (record.state, record.archived_by) == (RunState.ARCHIVED, "Ana")
    unarchive(workspace, run.run_id, "Bo")
    assert find_record(workspace, "June") == before


def test_a_deleted_run_is_gone_until_it_comes_back(workspace: Workspace):
    """Deleted, a run is in no list, links to it say who deleted it and how it comes back; undone, it is as it was."""
    run = keep(workspace, "June", by="Ana")
    before = find_record(workspace, "June")
    files = {name for name in contents(workspace.folder) if "/" in name}
    delete(workspace, run.run_id, "Bo")
    assert workspace.runs(archived=True) == []
    for name in ("June", run.run_id):
        with pytest.raises(QavizError, match=f"that Bo deleted it on .+ `qaviz runs undelete {run.run_id}`"):
            workspace.find(name)
    assert {name for name in contents(workspace.folder) if "/" in name} == files
    undelete(workspace, run.run_id, "Ana")
    assert find_record(workspace, "June") == before
    assert workspace.runs() == [run]


@pytest.mark.parametrize("change", [archive, unarchive, delete, lambda *said: describe(*said, notes="x")])
def test_a_deleted_run_is_not_changed(workspace: Workspace, change: Callable[..., None]):
    """What people do to a run that somebody has deleted meanwhile is refused in words."""
    run = keep(workspace, "June")
    delete(workspace, run.run_id, "Bo")
    before = find_record(workspace, run.run_id)
    with pytest.raises(QavizError, match="Bo deleted it"):
        change(workspace, run.run_id, "Ana")
    assert find_record(workspace, run.run_id) == before


@pytest.mark.parametrize("purged", [False, True])
def test_nothing_more_is_said_of_a_deleted_run(workspace: Workspace, purged: bool):
    """Labels and a verification of a run that somebody has deleted or purged meanwhile are refused in words."""
    run = keep(workspace, "June")
    delete(workspace, run.run_id, "Bo")
    if purged:
        purge(workspace, [find_record(workspace, run.run_id)], "Bo")
    for say in (
        lambda: keep_labels(workspace, run, "Ana", LABELS),
        lambda: take_back_labels(workspace, run, "Ana"),
        lambda: workspace.keep_verified(run, VERIFIED),
    ):
        with pytest.raises(QavizError, match=f'no run "{run.run_id}"' if purged else "Bo deleted it"):
            say()


def test_a_deleted_runs_name_can_be_used_again(workspace: Workspace):
    """Another run may be called as a deleted one was; that comes back under another name, and says so otherwise."""
    first = keep(workspace, "June")
    delete(workspace, first.run_id, "Ana")
    second = keep(workspace, "June")
    assert find_record(workspace, "June").run == second
    with pytest.raises(QavizError, match=f"which the run {second.run_id} has since .+ Choose another name"):
        undelete(workspace, first.run_id, "Ana")
    undelete(workspace, first.run_id, "Ana", "June, the first")
    assert {run.name for run in workspace.runs()} == {"June", "June, the first"}


def test_purging_removes_what_nothing_else_needs(workspace: Workspace):
    """Purged are the deleted runs alone: their files, labels and verifications; a golden dataset that another run has
    stays, and goes with the last one. What is left is sound, and so is a backup of it."""
    gone, kept = keep(workspace, "gone"), keep(workspace, "kept")
    keep_labels(workspace, gone, "Ana", LABELS)
    workspace.keep_verified(gone, VERIFIED)
    delete(workspace, gone.run_id, "Ana")
    records = [find_record(workspace, run.run_id) for run in (gone, kept)]
    assert purge(workspace, records, "Ana") == [f"runs/{gone.run_id}.parquet", f"runs/{gone.run_id}.listed.parquet"]
    with pytest.raises(QavizError, match="no run"):
        find_record(workspace, gone.run_id)
    assert workspace.runs() == [kept]
    assert workspace.rows(kept).height == kept.responses
    assert maintenance.check(workspace).problems == ()
    assert maintenance.check(workspace).unnamed == ()
    assert maintenance.backup(workspace, workspace.folder.parent / "copy") == 3

    delete(workspace, kept.run_id, "Ana")
    assert purge(workspace, [find_record(workspace, kept.run_id)], "Ana")[-1] == f"golden/{kept.golden_id}.parquet"
    assert {name for name in contents(workspace.folder) if "/" in name} == set()
    assert keep(workspace, "again").golden_id == kept.golden_id


def test_a_run_that_came_back_is_not_purged(workspace: Workspace):
    """Whoever brings a run back before the purge takes place keeps it."""
    run = keep(workspace, "June")
    delete(workspace, run.run_id, "Ana")
    seen = find_record(workspace, run.run_id)
    undelete(workspace, run.run_id, "Bo")
    assert purge(workspace, [seen], "Ana") == []
    assert workspace.rows(run).height == run.responses


def test_the_table_of_runs_has_everything_of_each(workspace: Workspace):
    """All runs, newest first, whatever their state, with the version of the golden dataset and what a verification
    found; what nobody said is null."""
    first, second, third = (keep(workspace, name, by="Ana") for name in ("first", "second", "third"))
    archive(workspace, second.run_id, "Bo")
    delete(workspace, third.run_id, "Bo")
    describe(workspace, first.run_id, "Bo", owner="", notes="seen", add_tags=["a"])
    workspace.keep_verified(first, VERIFIED)
    table = run_table(workspace)
    assert table.schema == RUNS
    assert table.select("name", "state", "owner", "golden_number", "differences").rows() == [
        ("third", "deleted", "Ana", 1, None),
        ("second", "archived", "Ana", 1, None),
        ("first", "current", None, 1, 0),
    ]
    last = table.row(2, named=True)
    assert (last["created_at"], last["pipelines"], last["tags"]) == (first.created_at, ["B", "A"], ["a"])
    assert last["verified_at"] == VERIFIED.verified_at


def test_a_thousand_runs_are_listed_without_their_files(tmp_path: Path):
    """A thousand runs are one table, though none has a file that could be opened; eight times as many take about
    eight times as long."""
    of_size = {size: open_workspace(tmp_path / str(size)) for size in (125, 125 * TIMES)}
    for size, workspace in of_size.items():
        keep_copies(workspace, keep(workspace, "run"), size - 1)
        for file in (workspace.folder / "runs").iterdir():
            file.unlink()
        assert run_table(workspace).height == len(workspace.runs()) == size
    assert growth(lambda size: run_table(of_size[size]), 125) < ROOM


@pytest.mark.parametrize(
    ("table", "damage"),
    [(RUNS_TABLE, {"created_at": "never"}), (RUN_RECORDS_TABLE, {"deleted_at": "2026-99-99"})],
)
def test_a_list_with_a_time_that_is_none_says_so(workspace: Workspace, table: sa.Table, damage: dict[str, str]):
    """What qaviz never wrote into the index is said to be damage, with what to do."""
    keep(workspace, "June")
    with workspace.locking() as transaction:
        transaction.execute(sa.update(table).values(**damage))
    with pytest.raises(QavizError, match=r"index, the list of runs: found a value that qaviz never wrote there"):
        run_table(workspace)


def test_alone_a_reason_is_enough(workspace: Workspace):
    """Without sign-in the decision holds at once; without a reason or for a strange pipeline there is none."""
    run = keep(workspace, "June")
    for ships, reason in (("A", "  "), ("nobody", "cheaper")):
        with pytest.raises(QavizError):
            override_decision(workspace, run.run_id, "Ada", ships, reason)
    assert find_record(workspace, run.run_id).override is None

    override_decision(workspace, run.run_id, "Ada", None, "the risk is too high")
    made = find_record(workspace, run.run_id).override

    assert made is not None
    assert (made.ships, made.reason, made.by, made.holds) == (None, "the risk is too high", "Ada", True)
    withdraw_override(workspace, run.run_id, "Ada")
    assert find_record(workspace, run.run_id).override is None
    assert {"decision overridden", "override taken back"} <= set(whole_audit(workspace)["what"])


def test_with_roles_a_second_person_confirms(workspace: Workspace):
    """It does not hold until another one confirms it; the same one cannot, nor can a reviewer."""
    run = keep(workspace, "June")
    for subject, role in (("ada", Role.OWNER), ("bo", Role.EDITOR), ("cy", Role.VIEWER)):
        give_role(workspace, subject, role, reviews=True, by="Ada")
    ada, bo, cy = (workspace.as_actor(Actor(name, name.title())) for name in ("ada", "bo", "cy"))
    override_decision(ada, run.run_id, "Ada", "A", "cheaper")

    assert not find_record(bo, run.run_id).override.holds
    for home, name in ((ada, "Ada"), (cy, "Cy")):
        with pytest.raises(QavizError):
            confirm_override(home, run.run_id, name)
    confirm_override(bo, run.run_id, "Bo")
    made = find_record(bo, run.run_id).override
    assert (made.holds, made.by, made.confirmed_by) == (True, "Ada", "Bo")
    with pytest.raises(QavizError, match="nothing to confirm"):
        confirm_override(bo, run.run_id, "Bo")
    assert "override confirmed" in set(whole_audit(workspace)["what"])


def test_every_table_of_a_golden_dataset_is_purged_or_keeps_it():
    """Each table whose rows name a golden dataset is emptied of it by a purge, or its rows keep the dataset alive."""
    named = {table.name for table in TABLES.tables.values() if {"line", "golden_id"} & set(table.c.keys())}
    emptied = {column.table.name for column in maintenance._OF_GOLDEN}
    keeps = {"runs", "golden_versions", "named_datasets", "risks", "review_sessions"}
    of_a_version_or_name = {"golden_edits", "passages"}
    assert named == emptied | keeps | of_a_version_or_name


def test_a_golden_dataset_that_comes_again_amid_a_purge_stays(file_workspace: Workspace):
    """Somebody imports the purged run's golden dataset before the purge has removed its file: it is theirs now."""
    workspace, other = file_workspace, golden_table([{"question": "Where else?", "fact": "Boston"}])
    keep(workspace, "kept")
    gone = keep(workspace, "gone", other, ROWS.head(1))
    findings, forms = (pl.DataFrame({name: ["x"] for name in schema}) for schema in (TRIPLET_FINDINGS, ANSWER_FORMS))
    keep_triplet_findings(workspace, gone.golden_id, "openai:m", findings, "Ana")
    keep_answer_forms(workspace, gone.golden_id, forms, "Ana")
    rejected = pl.DataFrame({"question_id": ["x"], "rule": ["r"], "proposed": ["p"]})
    keep_rejections(workspace, gone.golden_id, rejected, "Ana")
    delete(workspace, gone.run_id, "Ana")
    deleted = find_record(workspace, "gone")
    connections = count()

    def somebody_imports(_: sa.Connection) -> None:
        if next(connections) == 1:
            keep(workspace, "again", other, ROWS.head(1))

    sa.event.listen(workspace.index, "engine_connect", somebody_imports)
    removed = purge(workspace, [deleted], "Ana")
    assert len(removed) == 2
    assert workspace.golden(workspace.find("again").golden_id).equals(other, null_equal=True)
    assert maintenance.check(workspace).problems == ()
    assert maintenance.check(workspace).unnamed == ()
