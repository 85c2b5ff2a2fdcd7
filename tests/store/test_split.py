"""Projects become workspaces: what belongs to one comes along, nothing of another, and the audit can be checked."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy as sa

from qaviz.model.columns import PIPELINE
from qaviz.model.errors import QavizError
from qaviz.store import maintenance
from qaviz.store.audit import whole_audit
from qaviz.store.audit_log import Deed
from qaviz.store.golden_versions import named_datasets, versions
from qaviz.store.index import DATABASE_VARIABLE, INDEX_FILE, postgresql_engine
from qaviz.store.labels import kept_labels, known_judges
from qaviz.store.maintenance import split
from qaviz.store.members import list_members
from qaviz.store.reviews import review_sessions
from qaviz.store.tables import AUDIT_TABLE
from qaviz.store.workspace import open_backup, open_workspace
from tests.store.kept import GOLDEN, ROWS, contents
from tests.store.test_older_versions import fill, older_folder, older_rows

VERSION = 26
BETA = """
INSERT INTO projects VALUES ('beta', '2026-01-01');
UPDATE run_records SET project = 'beta', notes = 'a beta secret' WHERE run_id IN (SELECT run_id FROM runs
    WHERE name = 'July');
INSERT INTO members VALUES ('alpha', 'vi', 'reviewer', '2026-01-01'), ('beta', 'bo', 'editor', '2026-01-01'),
    ('', 'vi', 'viewer', '2026-01-01'), ('alpha', 'ed', 'editor', '2026-01-01');
"""
"""The second run in a project of its own, whose members are others; `alpha` has the first, June."""


@pytest.fixture(params=["sqlite", "postgresql"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace of the last version that had projects: two of them with a run each."""
    folder = older_folder(VERSION, tmp_path / "old", projects=True)
    with closing(sqlite3.connect(folder / INDEX_FILE)) as index:
        index.executescript(BETA)
    if request.param == "postgresql":
        address = request.getfixturevalue("postgresql").schema()
        rows = older_rows(folder)
        (folder / INDEX_FILE).unlink()
        fill(postgresql_engine(address), VERSION, rows)
        monkeypatch.setenv(DATABASE_VARIABLE, address)
    return folder


def texts_in(folder: Path) -> bytes:
    """All bytes of the index in the folder."""
    return b"".join(file.read_bytes() for file in sorted(folder.glob(f"{INDEX_FILE}*")))


def test_a_workspace_with_projects_is_not_opened(folder: Path):
    """What reads it says which projects there are and what to do, and nothing changes."""
    before = contents(folder)
    for _ in range(2):
        with pytest.raises(QavizError, match=r"alpha, beta.+workspace split.+Nothing was changed"):
            open_workspace(folder)
    assert {name: check for name, check in contents(folder).items() if INDEX_FILE not in name} == {
        name: check for name, check in before.items() if INDEX_FILE not in name
    }


def test_each_project_becomes_a_workspace(folder: Path, tmp_path: Path):
    """Its runs with rows, labels, grades, versions, reviews and drafts, and who had a role, are all there; of another
    project no text is, not even in free pages."""
    assert split(folder, tmp_path / "new", "Olga") == {"alpha": 1, "beta": 1}
    alpha, beta = (open_backup(tmp_path / "new" / name) for name in ("alpha", "beta"))

    (june,) = alpha.runs()
    assert june.name == "June"
    assert alpha.rows(june, [PIPELINE]).equals(ROWS.select(PIPELINE))
    assert alpha.golden(june.golden_id).equals(GOLDEN, null_equal=True)
    assert len(versions(alpha, june.golden_id)) == 2
    assert kept_labels(alpha, june).height == 3
    assert len(known_judges(alpha, june)) == 1
    assert len(review_sessions(alpha)) == 1
    assert [run.name for run in beta.runs()] == ["July"]
    assert named_datasets(beta) == {}

    members = {row["subject"]: (row["role"], row["reviews"]) for row in list_members(alpha).to_dicts()}
    assert members == {"ada": ("owner", False), "vi": ("viewer", True), "ed": ("editor", False)}
    assert list_members(beta)["subject"].to_list() == ["ada", "bo", "vi"]
    for secret in (b"beta secret", b"July"):
        assert secret not in texts_in(alpha.folder)
    assert b"June" not in texts_in(beta.folder)


def test_the_audit_of_each_goes_on(folder: Path, tmp_path: Path):
    """It begins with the number and hash of the old audit's last entry, without its words, and can be checked."""
    split(folder, tmp_path / "new", "Olga")
    before = whole_audit(open_workspace(folder)).filter(pl.col("what") != Deed.SPLIT)
    for name in ("alpha", "beta"):
        home = open_backup(tmp_path / "new" / name)
        last, moved = whole_audit(home).to_dicts()
        assert (last["number"], last["hash"]) == before.select("number", "hash").row(-1)
        assert (last["what"], last["detail"], last["about"], last["who"]) == (Deed.WITHHELD, "", "", None)
        assert (moved["what"], moved["number"], moved["who"]) == (Deed.SPLIT, last["number"] + 1, "Olga")
        assert maintenance.check(home, before["hash"][-1]).problems == ()


@pytest.mark.parametrize("change", [{"detail": "another"}, {"hash": "0" * 64}])
def test_what_is_changed_after_the_split_is_found(change: dict[str, object], tmp_path: Path):
    """A change of the split's entry, or of the hash before it, breaks the chain."""
    folder = older_folder(VERSION, tmp_path / "old", projects=True)
    split(folder, tmp_path / "new", "Olga")
    home = open_backup(tmp_path / "new" / "alpha")
    last, moved = whole_audit(home)["number"]
    for number in (last, moved) if "hash" in change else (moved,):
        copy = open_backup(shutil.copytree(home.folder, tmp_path / str(number)))
        with copy.locking() as transaction:
            table = AUDIT_TABLE
            transaction.execute(sa.update(table).where(table.c.number == number).values(**change))
        assert maintenance.check(copy).audit.problem is not None, (number, change)


def test_the_old_workspace_opens_without_the_runs(folder: Path, tmp_path: Path):
    """It has what was in no project, and an audit that says where each run went; files of the runs are gone from it."""
    split(folder, tmp_path / "new", "Olga")
    rest = open_workspace(folder)
    assert rest.runs(archived=True) == []
    assert list_members(rest).to_dicts()[0]["subject"] == "ada"
    moved = whole_audit(rest).filter(what=Deed.SPLIT)
    ways = [("June" in words, "alpha" in words) for words in sorted(moved["detail"])]
    assert ways == [(False, False), (True, True)]
    assert set(moved["who"]) == {"Olga"}
    checked = maintenance.check(rest)
    assert (checked.problems, checked.unnamed) == ((), ())
    assert not list((folder / "runs").glob("*.parquet"))
    assert split(folder, tmp_path / "again") == {}


def test_what_is_in_the_way_stops_it_before_anything_changes(folder: Path, tmp_path: Path):
    """A folder that is there, and a damaged file: refused, the workspace as it was, nothing at the new place."""
    (tmp_path / "taken").mkdir()
    with pytest.raises(QavizError, match="something there already"):
        split(folder, tmp_path / "taken")
    damaged = next((folder / "runs").glob("*.parquet"))
    whole = damaged.read_bytes()
    damaged.write_bytes(b"other")
    with pytest.raises(QavizError, match="other bytes"):
        split(folder, tmp_path / "new")
    assert not (tmp_path / "new").exists()
    damaged.write_bytes(whole)
    assert split(folder, tmp_path / "new") == {"alpha": 1, "beta": 1}
