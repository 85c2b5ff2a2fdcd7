import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest
import sqlalchemy as sa

from qaviz.cli import main
from qaviz.model.errors import QavizError
from qaviz.store.index import INDEX_FILE, NEWEST, version_of
from qaviz.store.tables import MIGRATIONS_TABLE
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import save_sample
from tests.store.kept import everything, keep


def test_a_newer_workspace_is_refused_and_left_alone(workspace: Workspace):
    """A workspace that a newer qaviz has migrated is refused, and nothing in it changes."""
    keep(workspace, "first")
    newer = NEWEST + 1
    with workspace.locking() as transaction:
        transaction.execute(sa.insert(MIGRATIONS_TABLE).values(version=newer, applied_at="tomorrow"))
    before = everything(workspace)
    with pytest.raises(QavizError, match=rf"newer qaviz \(version {newer}\).+Nothing was changed"):
        open_workspace(workspace.folder)
    assert everything(workspace) == before


def test_each_migration_is_noted_once(workspace: Workspace):
    """Opening a workspace again makes nothing a second time."""
    open_workspace(workspace.folder)
    with workspace.index.connect() as connection:
        versions = connection.scalars(sa.select(MIGRATIONS_TABLE.c.version)).all()
    assert versions == [NEWEST]


def test_the_index_is_written_as_safely_as_sqlite_can(file_workspace: Workspace):
    """Every connection writes ahead, waits for the disk, and checks that a run's golden dataset exists."""
    with file_workspace.index.connect() as connection:
        pragmas = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert pragmas == ["wal", 2, 1]


@pytest.mark.parametrize(
    ("place", "found"), [(".", "file is not a database"), ("qaviz.db", "found a file; expected a folder")]
)
def test_a_folder_that_is_no_workspace(tmp_path: Path, place: str, found: str):
    """A folder whose index is some other file, and a file in place of the folder, are refused with what was found."""
    (tmp_path / "qaviz.db").write_text("not a database, " * 100)
    with pytest.raises(QavizError, match=found):
        open_workspace(tmp_path / place)


@pytest.mark.parametrize("statement", ["INSERT INTO runs SELECT * FROM runs", "SELECT ?"])
def test_a_bug_is_told_as_it_is(file_workspace: Workspace, statement: str):
    """A row that stands there already and a statement without its value are bugs; no person can mend them."""
    save_sample(file_workspace, "June")
    with pytest.raises(sa.exc.DBAPIError), file_workspace.locking() as transaction:
        transaction.exec_driver_sql(statement)


def test_two_who_make_the_index_at_once_wait_for_each_other(tmp_path: Path):
    """While another process is about to write to an index that is new, opening it waits: SQLite alone would refuse."""
    with closing(sqlite3.connect(tmp_path / INDEX_FILE, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        ends = Timer(0.1, other.rollback)
        ends.start()
        assert open_workspace(tmp_path).runs() == []
        ends.join()


@pytest.mark.parametrize("name", ["ñ 日本 a%20b#c", "x?mode=ro:a@b"])
def test_a_workspace_may_have_any_name(name: str, tmp_path: Path, capsys):
    """The index is found where it is, and named as it is, whatever a URL would read in its path."""
    folder = tmp_path / name
    home = open_workspace(folder)
    save_sample(home, "June")

    assert home.index.url.database == str(folder / INDEX_FILE)
    assert version_of(home.index)
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert main(["runs", "list", "--workspace", str(folder)]) == 0
    assert "June" in capsys.readouterr().out
    assert main(["workspace", "backup", str(tmp_path / "copy?x#"), "--workspace", str(folder)]) == 0
    assert main(["workspace", "check", "--workspace", str(tmp_path / "copy?x#")]) == 0


@pytest.mark.parametrize(("column", "bad"), [("listed_counts", "{"), ("thresholds", "")])
def test_the_check_finds_bad_json(column: str, bad: str, tmp_path: Path, capsys):
    """A text in the index that is no JSON, over which commands stop, is a problem of the check."""
    home = open_workspace(tmp_path / "workspace")
    save_sample(home, "June")
    with home.index.begin() as connection:
        connection.execute(sa.text(f"UPDATE runs SET {column} = :bad"), {"bad": bad})

    assert main(["workspace", "check", "--workspace", str(home.folder)]) in (1, 2)
    assert "index" in capsys.readouterr().err
