"""Workspaces as every older version of qaviz wrote them: `older/N` holds one of version N, its index as SQL text."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from qaviz.model.columns import PIPELINE
from qaviz.store import maintenance
from qaviz.store.golden_versions import versions
from qaviz.store.index import INDEX_FILE, MAKE_MIGRATIONS_TABLE, MIGRATIONS, migrations_after, place_of, version_of
from qaviz.store.labels import kept_labels
from qaviz.store.postgresql import postgresql_engine
from qaviz.store.tables import MIGRATIONS_TABLE, TABLES
from qaviz.store.workspace import Workspace, open_workspace
from tests.store.kept import GOLDEN, LISTED, ROWS
from tests.store.older_workspace import OLDER, write_workspace

RENAMED = {("runs", "set_aside"): "listed_counts"}
"""Columns that a migration has given another name."""

ACCOUNTS = "accounts"
"""A table that is no more, and whose names its migration goes by."""

Rows = dict[str, list[dict[str, Any]]]

older_versions = pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))


def older_folder(version: int, folder: Path) -> Path:
    """A copy of the older workspace, with its index in a file."""
    shutil.copytree(OLDER / str(version), folder)
    sql = folder / "index.sql"
    with closing(sqlite3.connect(folder / INDEX_FILE)) as index:
        index.executescript(sql.read_text("utf-8"))
    sql.unlink()
    return folder


def older_rows(folder: Path) -> Rows:
    """All rows by table, in the order of TABLES; columns by their names of today, lists and mappings read."""
    with closing(sqlite3.connect(folder / INDEX_FILE)) as index:
        index.row_factory = sqlite3.Row
        there = {name for (name,) in index.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        rows = {
            table.name: [dict(_cells(table, row)) for row in index.execute(f"SELECT * FROM {table.name}")]
            for table in TABLES.tables.values()
            if table.name in there
        }
        if ACCOUNTS in there:
            rows[ACCOUNTS] = [dict(row) for row in index.execute(f"SELECT * FROM {ACCOUNTS}")]
        return rows


def without_accounts(older: Rows) -> Rows:
    """The rows as they are after accounts and tokens have gone: their roles are nobody's."""
    names = {row["name"] for row in older.get(ACCOUNTS, ())}
    rows = {table: each for table, each in older.items() if table != ACCOUNTS}
    if names:
        rows["members"] = [
            row | {"subject": f"account:{row['subject']}" if row["subject"] in names else row["subject"]}
            for row in older["members"]
            if not row["subject"].startswith("token:")
        ]
    return rows


def _cells(table: sa.Table, row: sqlite3.Row) -> Iterator[tuple[str, object]]:
    for name in row.keys():  # noqa: SIM118 - a row of sqlite3 yields its values
        column = RENAMED.get((table.name, name), name)
        is_json = isinstance(table.c[column].type, sa.JSON) and row[name] is not None
        is_boolean = isinstance(table.c[column].type, sa.Boolean) and row[name] is not None
        yield column, json.loads(row[name]) if is_json else bool(row[name]) if is_boolean else row[name]


def rows_of_today(workspace: Workspace, older: Rows) -> Rows:
    """The index's rows, by those tables and columns."""
    with workspace.reading() as connection:
        return {
            table: [
                {column: row[column] for column in rows[0]}
                for row in connection.execute(sa.select(TABLES.tables[table])).mappings()
            ]
            for table, rows in older.items()
            if rows
        }


def same(rows: Rows, others: Rows) -> bool:
    return {table: sorted(map(repr, each)) for table, each in rows.items()} == {
        table: sorted(map(repr, each)) for table, each in others.items() if each
    }


def assert_whole(workspace: Workspace, older: Rows) -> None:
    """Every row is there as it was, and every run, list, golden dataset version and label opens."""
    older = without_accounts(older)
    del older[MIGRATIONS_TABLE.name]
    assert same(rows_of_today(workspace, older), older)
    assert [run.name for run in workspace.runs()] == ["July", "June"]
    for run in workspace.runs():
        assert workspace.rows(run, [PIPELINE]).equals(ROWS.select(PIPELINE))
        assert workspace.read_listed(run).equals(LISTED)
        assert workspace.golden(run.golden_id).equals(GOLDEN, null_equal=True)
        made = [version for version in versions(workspace, run.golden_id) if version.parent]
        assert len(made) == len(older.get("golden_versions", ()))
    assert len(kept_labels(workspace, workspace.find("June"))) == len(older.get("labels", ()))
    assert maintenance.check(workspace).problems == ()


def test_every_older_version_is_here():
    """There is a workspace of each version that a newer one has followed; the newest may be here already."""
    there = {int(folder.name) for folder in OLDER.iterdir()}
    newest = len(MIGRATIONS)
    assert there | {newest} == set(range(1, newest + 1)), "python -m tests.store.older_workspace, of the version before"


def test_a_workspace_for_later_has_a_row_in_every_table(tmp_path: Path):
    """What is written for newer versions to bring up leaves no table out."""
    write_workspace(tmp_path / "later")
    text = (tmp_path / "later" / "index.sql").read_text("utf-8")
    assert [name for name in TABLES.tables if f'INSERT INTO "{name}"' not in text] == []


@older_versions
def test_migrations_are_never_edited(version: int, tmp_path: Path):
    """The first migrations make, word for word, the tables and indexes that the workspace of that version has."""
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute(MAKE_MIGRATIONS_TABLE.replace("IF NOT EXISTS ", ""))
        for _, statements in islice(migrations_after(0, "sqlite"), version):
            made.executescript(";".join(statements))
        with closing(sqlite3.connect(older_folder(version, tmp_path / "w") / INDEX_FILE)) as written:
            schemas = [each.execute("SELECT name, sql FROM sqlite_master").fetchall() for each in (made, written)]
    words = [{name: (sql or "").split() for name, sql in schema} for schema in schemas]
    assert words[0] == words[1]


@older_versions
def test_an_older_workspace_is_brought_up(version: int, tmp_path: Path):
    """Opening a workspace that an older qaviz wrote loses no row, and all of it can be read."""
    folder = older_folder(version, tmp_path / "workspace")
    older = older_rows(folder)
    workspace = open_workspace(folder)
    assert version_of(workspace.index) == len(MIGRATIONS)
    assert_whole(workspace, older)


@pytest.mark.slow
@older_versions
def test_an_older_database_is_brought_up(version: int, tmp_path: Path, database: str):
    """The same in PostgreSQL, for the tables and rows of an older version."""
    folder = older_folder(version, tmp_path / "workspace")
    older = older_rows(folder)
    (folder / INDEX_FILE).unlink()
    fill(postgresql_engine(database), version, older)
    workspace = open_workspace(folder)
    assert place_of(workspace.index).startswith("postgresql://")
    assert version_of(workspace.index) == len(MIGRATIONS)
    assert_whole(workspace, older)


def fill(index: sa.Engine, version: int, older: Rows) -> None:
    """Make the index as it was at that version, with these rows."""
    with index.begin() as connection:
        connection.exec_driver_sql(MAKE_MIGRATIONS_TABLE)
        for _, statements in islice(migrations_after(0, "postgresql"), version):
            for statement in statements:
                connection.exec_driver_sql(statement)
        for name, rows in older.items():
            table = sa.Table(name, sa.MetaData(), autoload_with=connection)
            at_that_time = {new: old for (of, old), new in RENAMED.items() if of == name and old in table.c}
            for row in rows:
                cells = {at_that_time.get(column, column): value for column, value in row.items()}
                connection.execute(sa.insert(table).values(cells))
