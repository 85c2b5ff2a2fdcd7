"""Opening a workspace: its folder, its index, and what a killed process left."""

import os
from pathlib import Path

import sqlalchemy as sa

from qaviz.model.errors import Problem, QavizError
from qaviz.store.files import disk_refusals
from qaviz.store.index import INDEX_FILE, in_postgresql, index_of, open_index, place_of
from qaviz.store.sqlite import sqlite_engine
from qaviz.store.tables import GOLDEN_TABLE
from qaviz.store.workspace import GOLDEN_FOLDER, RUNS_FOLDER, Workspace

WORKSPACE_VARIABLE = "QAVIZ_WORKSPACE"
"""The environment variable that names the workspace's folder."""


def default_folder() -> Path:
    """The folder that the environment variable QAVIZ_WORKSPACE names, else `./workspace`."""
    return Path(os.environ.get(WORKSPACE_VARIABLE) or "workspace")


def open_workspace(folder: Path) -> Workspace:
    """The workspace in `folder`, made if missing. Clears away what a killed process left unfinished.

    Its index is in the database that QAVIZ_DATABASE_URL names, else in the folder. Raises QavizError if the folder or
    the database cannot be used, or a newer qaviz has been here.
    """
    return _make_workspace(folder, index_of(folder))


def open_backup(folder: Path) -> Workspace:
    """The workspace by the index in its own folder, as a backup has one, whatever QAVIZ_DATABASE_URL names.

    Raises QavizError as `open_workspace` does.
    """
    return _make_workspace(folder, sqlite_engine(folder / INDEX_FILE))


def _make_workspace(folder: Path, index: sa.Engine) -> Workspace:
    workspace = Workspace(folder=folder, index=index)
    if in_postgresql(index):
        _refuse_another_folder(workspace)
    with disk_refusals(folder):
        for each in (folder / RUNS_FOLDER, folder / GOLDEN_FOLDER):
            each.mkdir(parents=True, exist_ok=True)
    open_index(index)
    workspace.clear_unfinished()
    return workspace


def _refuse_another_folder(workspace: Workspace) -> None:
    """Raise QavizError if the index is in use, and none of its golden dataset versions is in this folder.

    Runs would be listed that cannot be opened, and what is saved here could not be opened by the others.
    """
    open_index(workspace.index)
    with workspace.reading() as connection:
        kept = list(connection.scalars(sa.select(GOLDEN_TABLE.c.golden_id)))
    if not kept or any(workspace.golden_file(version).is_file() for version in kept):
        return
    raise QavizError(
        Problem(
            where=str(workspace.folder),
            found=f"none of the files that the index {place_of(workspace.index)} knows",
            expected="the folder that everybody who uses this index shares",
            fix=f"Name that folder with --workspace or {WORKSPACE_VARIABLE}.",
        )
    )
