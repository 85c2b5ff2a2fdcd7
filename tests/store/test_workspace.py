import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from qaviz.model.columns import QUESTION, TAGS
from qaviz.model.errors import QavizError
from qaviz.model.records import Run, Verified
from qaviz.store.files import ROWS_A_GROUP
from qaviz.store.workspace import Workspace, golden_id, open_workspace
from tests.builders import golden_table
from tests.store.kept import GOLDEN, LISTED, ROWS, THRESHOLDS, contents, everything, keep


def test_a_saved_run_comes_back_as_it_was(workspace: Workspace):
    """Rows, golden dataset and listed rows come back with the same columns, types, order and values."""
    keep(workspace, "first")
    opened = open_workspace(workspace.folder)
    (run,) = opened.runs()
    assert opened.rows(run).equals(ROWS, null_equal=True)
    assert opened.rows(run).schema == ROWS.schema
    assert opened.golden(run.golden_id).equals(GOLDEN, null_equal=True)
    assert opened.read_listed(run).equals(LISTED)


def test_what_the_index_knows_of_a_run(workspace: Workspace):
    """The index gives back the run that `save` returned, with its pipelines in the order of the rows."""
    before = datetime.now(UTC)
    saved = keep(workspace, " first ")
    assert workspace.runs() == [saved]
    assert before <= saved.created_at <= datetime.now(UTC)
    assert saved == Run(
        run_id=saved.run_id,
        name="first",
        created_at=saved.created_at,
        golden_id=golden_id(GOLDEN),
        pipelines=("B", "A"),
        questions=3,
        responses=5,
        thresholds=THRESHOLDS,
        engine="qaviz 0",
        sources=("g.csv", "r.csv"),
        listed_counts={"duplicate": 1},
    )


def test_an_open_run_is_mapped_from_files_without_a_name(workspace: Workspace):
    """Mapped, rows come back in all their groups as they were saved, and no file of theirs is left in the folder."""
    many = pl.concat([ROWS] * (ROWS_A_GROUP // ROWS.height + 1))
    run = keep(workspace, "first", rows=many)
    before = contents(workspace.folder)
    rows = workspace.mapped_rows(run)
    assert rows.n_chunks() == 2
    assert rows.equals(many, null_equal=True)
    assert rows.schema == many.schema
    assert contents(workspace.folder) == before


def test_runs_are_newest_first_and_found_by_name_or_id(workspace: Workspace):
    """`runs` is newest first; a run is found by its id, and by its name however its accents are encoded."""
    first, second = keep(workspace, "Zürich"), keep(workspace, "second")
    assert workspace.runs() == [second, first]
    assert [workspace.find(wanted) for wanted in (first.run_id, "Zu\u0308rich", " second ")] == [first, first, second]


def test_a_run_that_is_not_there(workspace: Workspace):
    """Looking for an unknown run says which runs there are, or that there is none."""
    with pytest.raises(QavizError, match=r'no run "x"; expected the name or id of a run'):
        workspace.find("x")
    keep(workspace, "first")
    with pytest.raises(QavizError, match=r'no run "x"; expected the name or id of a run'):
        workspace.find("x")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("", "no text"),
        (" \t\n", "no text"),
        ("x" * 121, "121 characters"),
        ("two\nlines", r"a control character in 'two\nlines'"),
        ("a\x1b[31mred", r"a control character in 'a\x1b[31mred'"),
        ("runs \u202ebackwards", r"a control character in 'runs \u202ebackwards'"),
        ("June\u200b", r"a control character in 'June\u200b'"),
    ],
)
def test_names_that_will_not_do(workspace: Workspace, name: str, found: str):
    """A blank, long or unshowable name is refused with what was found, and nothing is kept."""
    before = everything(workspace)
    with pytest.raises(QavizError, match=re.escape(found)):
        keep(workspace, name)
    assert everything(workspace) == before


def test_a_save_that_fails_at_the_index_takes_its_files_along(workspace: Workspace):
    """A run's files are written before the index knows it. Where the index then fails, by whatever bug, they go again:
    here by half a character, which no database takes."""
    keep(workspace, "first")
    before = everything(workspace)
    halves = {"engine": "half \ud800", "sources": [], "listed": LISTED}
    with pytest.raises((TypeError, UnicodeEncodeError)):
        workspace.save("second", GOLDEN, ROWS, thresholds=THRESHOLDS, **halves)
    assert everything(workspace) == before


@pytest.mark.parametrize(
    "name", ["../../outside", "/etc/passwd", "runs/x.parquet", "'; DROP TABLE runs; --", "=1+1", "👩‍💻 %2e", "x" * 120]
)
def test_a_name_is_only_a_name(workspace: Workspace, name: str):
    """A name that looks like a path, a statement or a formula is kept as text; files have names of our own making."""
    run = keep(workspace, name)
    assert workspace.find(name) == run
    files = {file for file in contents(workspace.folder.parent) if not file.startswith("workspace/qaviz.db")}
    assert files == {
        f"workspace/runs/{run.run_id}.parquet",
        f"workspace/runs/{run.run_id}.listed.parquet",
        f"workspace/golden/{run.golden_id}.parquet",
    }


def test_a_taken_name_is_refused(workspace: Workspace):
    """A second run with the name or the id of the first is refused, beforehand or at once, and nothing changes."""
    run = keep(workspace, "first")
    before = everything(workspace)
    for name in ("first", " first", run.run_id):
        with pytest.raises(QavizError, match="runs are never overwritten"):
            keep(workspace, name)
        with pytest.raises(QavizError, match=f"which the run {run.run_id} has"):
            workspace.refuse_name(name)
    assert everything(workspace) == before


def test_the_golden_id_is_the_content():
    """The same triplets in another order are the same version; any other cell makes another."""
    other_cells = [
        replace_cell(place, column, value)
        for place, column, value in [
            (0, "fact", "Seattle "),
            (0, "category", None),
            (1, "fact", ""),
            (2, "answerable", None),
            (1, "question_id", "4"),
            (1, "source", "page 4"),
        ]
    ]
    ids = {golden_id(golden) for golden in [GOLDEN, GOLDEN[::-1], *other_cells]}
    assert golden_id(GOLDEN) == golden_id(GOLDEN[::-1])
    assert len(ids) == 1 + len(other_cells)


def replace_cell(place: int, column: str, value: object) -> pl.DataFrame:
    triplets = GOLDEN.to_dicts()
    triplets[place][column] = value
    return golden_table(triplets)


def test_a_golden_dataset_is_kept_once(workspace: Workspace):
    """Two runs of one golden dataset version share its file; another version has its own."""
    runs = [
        keep(workspace, "first"),
        keep(workspace, "second"),
        keep(workspace, "third", golden=replace_cell(0, "fact", "x")),
    ]
    assert runs[0].golden_id == runs[1].golden_id != runs[2].golden_id
    assert len(list((workspace.folder / "golden").iterdir())) == 2


def test_a_damaged_golden_file_is_mended_by_importing_again(workspace: Workspace):
    """A damaged golden dataset is named; saving it once more makes the older runs readable again."""
    run = keep(workspace, "first")
    (workspace.folder / "golden" / f"{run.golden_id}.parquet").write_bytes(b"PAR1")
    with pytest.raises(QavizError, match=f'the golden dataset version "{run.golden_id}"'):
        workspace.rows(run)
    keep(workspace, "again")
    assert workspace.rows(run).equals(ROWS, null_equal=True)


def test_a_run_of_another_workspace_is_refused(workspace: Workspace):
    """A run that this workspace does not know is never looked for on the disk, whatever its id looks like."""
    run = replace(keep(workspace, "first"), run_id="../golden/x")
    with pytest.raises(QavizError, match=r'no "\.\./golden/x" in the index'):
        workspace.rows(run)


VERIFIED = Verified(verified_at=datetime(2026, 11, 20, 9, tzinfo=UTC), version="1.2.3", compared=5, differences=0)


def test_the_newest_verification_of_a_run_comes_back(workspace: Workspace):
    """A run has no verification until one is kept; of several the newest comes back, and other runs have their own."""
    first, second = keep(workspace, "first"), keep(workspace, "second")
    assert workspace.find_verification(first) is None
    older = replace(VERIFIED, verified_at=VERIFIED.verified_at - timedelta(days=1), compared=2, differences=1)
    for each in (older, VERIFIED):
        workspace.keep_verified(first, each)
    opened = open_workspace(workspace.folder)
    assert (opened.find_verification(first), opened.find_verification(second)) == (VERIFIED, None)


def test_tags_are_part_of_a_golden_dataset_only_where_there_are_some():
    """A golden dataset without tags has the id it had before there were any; with a tag it is another version."""
    without = golden_table([{QUESTION: "Where?", "answer": "Here."}])
    tagged = without.with_columns(pl.lit("critical").alias(TAGS))
    assert golden_id(without) == "0a6e2940c7c55837"
    assert golden_id(tagged) != golden_id(without)


def test_a_bucket_of_an_earlier_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Where the environment still names a bucket, no empty workspace is made beside its files."""
    monkeypatch.setenv("QAVIZ_STORAGE_URL", "s3://team/qaviz")
    with pytest.raises(QavizError, match="bucket, which is gone"):
        open_workspace(tmp_path / "workspace")
    assert list(tmp_path.iterdir()) == []
