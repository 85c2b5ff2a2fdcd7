"""Opening a workspace: its folder, its index, and what a killed process left."""

from pathlib import Path

import sqlalchemy as sa

from qaviz.model.errors import stop
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.store.files import disk_refusals
from qaviz.store.index import INDEX_FILE, in_postgresql, index_of, open_index, place_of
from qaviz.store.postgresql import DATABASE_VARIABLE
from qaviz.store.sqlite import sqlite_engine
from qaviz.store.storage import STORAGE_VARIABLE, BucketAddress, FolderStorage, Storage, configured_address, golden_name
from qaviz.store.tables import GOLDEN_TABLE
from qaviz.store.workspace import Workspace


def open_workspace(folder: Path) -> Workspace:
    """The workspace in `folder`, made if missing. Clears away what a killed process left unfinished.

    Its index is in the database that QAVIZ_DATABASE_URL names, else in the folder; its files in the bucket that
    QAVIZ_STORAGE_URL names, else in the folder. Raises QavizError if folder, database or bucket cannot be used, or a
    newer qaviz has been here.
    """
    index = index_of(folder)
    return _make_workspace(folder, index, storage_of(folder, index))


def open_backup(folder: Path) -> Workspace:
    """The workspace by index and files in its own folder, as a backup has them, whatever the environment names.

    Raises QavizError as `open_workspace` does.
    """
    return _make_workspace(folder, sqlite_engine(folder / INDEX_FILE), FolderStorage(folder=folder))


def storage_of(folder: Path, index: sa.Engine) -> Storage:
    """Where the files of the workspace in `folder` are: in the bucket that QAVIZ_STORAGE_URL names, else in the folder.

    Raises QavizError if the variable names no bucket, or the index is a file in the folder.
    """
    address = configured_address()
    if address is None:
        return FolderStorage(folder=folder)
    if not in_postgresql(index):
        raise stop(
            where=STORAGE_VARIABLE,
            found=f"files in the bucket {address}, and an index in the file {place_of(index)}",
            expected="an index in PostgreSQL, which all who use the bucket share",
            fix=f"Name the database in {DATABASE_VARIABLE}, or unset {STORAGE_VARIABLE}.",
        )
    return open_bucket(address, folder, index)


def open_bucket(address: BucketAddress, folder: Path, index: sa.Engine) -> Storage:
    """The files in this bucket, copies of which are in `folder`. Raises QavizError if boto3 or a setting is missing."""
    try:
        # Only here: boto3 takes 0.2 s and 20 MB.
        from qaviz.store.bucket import bucket_storage
    except ImportError as error:
        raise stop(
            where=STORAGE_VARIABLE,
            found=f"files in a bucket, and no client for it ({error})",
            expected="boto3",
            fix="pip install boto3",
        ) from None
    return bucket_storage(address, folder, index)


def _make_workspace(folder: Path, index: sa.Engine, storage: Storage) -> Workspace:
    workspace = Workspace(folder=folder, index=index, storage=storage)
    if in_postgresql(index):
        _refuse_another_folder(workspace)
    with disk_refusals(folder):
        storage.prepare()
    open_index(index)
    workspace.clear_unfinished()
    return workspace


def _refuse_another_folder(workspace: Workspace) -> None:
    """Raise QavizError if the index is in use, and none of its golden dataset versions is in this folder or bucket.

    Runs would be listed that cannot be opened, and what is saved here could not be opened by the others.
    """
    open_index(workspace.index)
    with workspace.reading() as connection:
        kept = list(connection.scalars(sa.select(GOLDEN_TABLE.c.golden_id)))
    if not kept or workspace.storage.has_any({golden_name(version) for version in kept}):
        return
    raise stop(
        where=workspace.storage.place(),
        found=f"none of the files that the index {place_of(workspace.index)} knows",
        expected="the folder or bucket that everybody who uses this index shares",
        fix=f"Name that folder with --workspace or {WORKSPACE_VARIABLE}, or the bucket with {STORAGE_VARIABLE}.",
    )
