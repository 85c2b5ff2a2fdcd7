import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest
import sqlalchemy as sa

from qaviz.model.errors import QavizError
from qaviz.store.index import INDEX_FILE, NEWEST
from qaviz.store.tables import MIGRATIONS_TABLE
from qaviz.store.workspace import Workspace, open_workspace
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


def test_two_who_make_the_index_at_once_wait_for_each_other(tmp_path: Path):
    """While another process is about to write to an index that is new, opening it waits: SQLite alone would refuse."""
    with closing(sqlite3.connect(tmp_path / INDEX_FILE, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        ends = Timer(0.1, other.rollback)
        ends.start()
        assert open_workspace(tmp_path).runs() == []
        ends.join()
