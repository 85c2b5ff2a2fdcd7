"""The store's tests run over both kinds of index."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from qaviz.store.index import DATABASE_VARIABLE, NEWEST, open_index, postgresql_engine
from qaviz.store.tables import MIGRATIONS_TABLE, TABLES
from qaviz.store.workspace import Workspace, open_workspace
from tests.postgresql import Server


@pytest.fixture(params=["sqlite", "postgresql"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """An empty workspace, its index in a file and once more in PostgreSQL."""
    if request.param == "postgresql":
        monkeypatch.setenv(DATABASE_VARIABLE, request.getfixturevalue("emptied_database"))
    return open_workspace(tmp_path / "workspace")


@pytest.fixture(scope="session")
def used_database(postgresql: Server) -> Iterator[str]:
    """The URL of a database that many tests use: to empty the tables is quicker than to make them."""
    url = postgresql.schema()
    open_index(postgresql_engine(url))
    yield url
    postgresql_engine(url).dispose()


@pytest.fixture
def emptied_database(used_database: str) -> str:
    """The same, without a row."""
    with postgresql_engine(used_database).begin() as connection:
        for table in reversed(TABLES.tables.values()):
            newer = MIGRATIONS_TABLE.c.version > NEWEST
            connection.execute(sa.delete(table).where(newer if table is MIGRATIONS_TABLE else sa.true()))
    return used_database


@pytest.fixture
def file_workspace(tmp_path: Path) -> Workspace:
    """An empty workspace with its index in a file, for what only SQLite can suffer."""
    return open_workspace(tmp_path / "workspace")


@pytest.fixture
def team_workspace(monkeypatch: pytest.MonkeyPatch, emptied_database: str, tmp_path: Path) -> Workspace:
    """An empty workspace with its index in PostgreSQL."""
    monkeypatch.setenv(DATABASE_VARIABLE, emptied_database)
    return open_workspace(tmp_path / "workspace")
