"""The store's tests run over both kinds of index."""

from pathlib import Path

import pytest

from qaviz.store import Workspace, open_workspace


@pytest.fixture(params=["sqlite", "postgresql"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    """An empty workspace, its index in a file and once more in PostgreSQL."""
    if request.param == "postgresql":
        request.getfixturevalue("database")
    return open_workspace(tmp_path / "workspace")


@pytest.fixture
def file_workspace(tmp_path: Path) -> Workspace:
    """An empty workspace with its index in a file, for what only SQLite can suffer."""
    return open_workspace(tmp_path / "workspace")


@pytest.fixture
def team_workspace(database: str, tmp_path: Path) -> Workspace:  # noqa: ARG001 - the variable that it sets is read
    """An empty workspace with its index in PostgreSQL."""
    return open_workspace(tmp_path / "workspace")
