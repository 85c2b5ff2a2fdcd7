"""The workspace as a whole: is everything in it as it was written, a copy of all of it, and back from the copy.

What the index names is never changed and never goes, so the files of a copied index are those of that moment, whatever
is saved meanwhile.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from qaviz.model import Problem, QavizError
from qaviz.store.files import UNFINISHED, checksum, disk_refusals
from qaviz.store.index import index_refusals
from qaviz.store.tables import GOLDEN_TABLE, RUNS_TABLE
from qaviz.store.workspace import GOLDEN_FOLDER, INDEX_FILE, RUNS_FOLDER, Workspace, open_workspace


@dataclass(frozen=True, kw_only=True)
class Named:
    """A file that the index names."""

    path: str
    """Within the workspace's folder."""
    holds: str
    """In words: `the rows of the run "June"`."""
    checksum: str


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What a look at every file of a workspace found."""

    files: int
    """How many the index names."""
    problems: tuple[Problem, ...]
    """What is missing or damaged. Everything else can be opened."""
    unnamed: tuple[str, ...]
    """Files that the index does not name: left by a process that was killed. They do no harm."""


def check(workspace: Workspace) -> Checked:
    """Read the index and every file that it names, and compare each with its checksum. Changes nothing.

    Raises QavizError if the index itself cannot be read.
    """
    with workspace.reading() as connection:
        said: list[str] = list(connection.scalars(sa.text("PRAGMA integrity_check")))
    damaged = [] if said == ["ok"] else [_damaged_index(workspace.folder, said)]
    named = list(_named(workspace))
    with disk_refusals(workspace.folder):
        wrong = [problem for file in named if (problem := _wrong(workspace.folder, file))]
        unnamed = _unnamed(workspace.folder, {file.path for file in named})
    return Checked(files=len(named), problems=(*damaged, *wrong), unnamed=tuple(unnamed))


def backup(workspace: Workspace, target: Path) -> int:
    """Copy the workspace as it is at this moment into the new folder `target`, all of it or nothing.

    Others may go on writing meanwhile. Returns how many files were copied beside the index. Raises QavizError if
    `target` exists, a file is not as it was written (all of them are named), or the disk refuses.
    """
    return _copied(workspace.folder, target)


def restore(source: Path, target: Path) -> int:
    """Make the new workspace `target` from the backup `source`, which stays as it is. Returns and raises as `backup`.

    Raises QavizError too if `source` is no backup, or one of a newer qaviz.
    """
    if not (source / INDEX_FILE).is_file():
        raise QavizError(
            Problem(
                where=str(source),
                found=f"no {INDEX_FILE}" if source.is_dir() else "no such folder",
                expected="a folder that `qaviz workspace backup` wrote",
                fix="Name that folder.",
            )
        )
    return _copied(source, target)


def _copied(source: Path, target: Path) -> int:
    _refuse_existing(target)
    with disk_refusals(target), index_refusals(source / INDEX_FILE):
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f"{target.name}-", suffix=UNFINISHED, dir=target.parent) as beside:
            # A folder in it, since the temporary one is nobody else's to read.
            copy = Path(beside, target.name)
            copy.mkdir()
            _copy_index(source / INDEX_FILE, copy / INDEX_FILE)
            files = list(_named(open_workspace(copy)))
            _copy(files, source, copy)
            copy.rename(target)
    return len(files)


def _refuse_existing(target: Path) -> None:
    """Raise QavizError if something is at `target` already."""
    if target.exists() or target.is_symlink():
        raise QavizError(
            Problem(
                where=str(target),
                found="something there already",
                expected="a path where nothing is",
                fix="Name another folder: nothing is ever overwritten.",
            )
        )


def _named(workspace: Workspace) -> Iterator[Named]:
    """Yield the files that the index names, golden dataset versions first."""
    golden, run = GOLDEN_TABLE.c, RUNS_TABLE.c
    with workspace.reading() as connection:
        versions = connection.execute(sa.select(golden.golden_id, golden.checksum)).all()
        columns = sa.select(run.run_id, run.name, run.rows_checksum, run.listed_checksum)
        runs = connection.execute(columns).all()
    for version, expected in versions:
        holds = f'the golden dataset version "{version}"'
        yield Named(path=f"{GOLDEN_FOLDER}/{version}.parquet", holds=holds, checksum=expected)
    for run_id, name, rows, listed in runs:
        yield Named(path=f"{RUNS_FOLDER}/{run_id}.parquet", holds=f'the rows of the run "{name}"', checksum=rows)
        holds = f'what was listed for the run "{name}"'
        yield Named(path=f"{RUNS_FOLDER}/{run_id}.listed.parquet", holds=holds, checksum=listed)


def _wrong(folder: Path, file: Named) -> Problem | None:
    path = folder / file.path
    there = path.is_file()
    if there and checksum(path) == file.checksum:
        return None
    return Problem(
        where=str(path),
        found="other bytes than were written" if there else "no such file",
        expected=f"{file.holds}, as it was saved",
        fix="Restore the file from a backup, or import the golden dataset and responses again.",
    )


def _unnamed(folder: Path, named: set[str]) -> Iterator[str]:
    for inside in (GOLDEN_FOLDER, RUNS_FOLDER):
        for file in sorted((folder / inside).iterdir()):
            path = f"{inside}/{file.name}"
            if path not in named:
                yield path


def _damaged_index(folder: Path, said: list[str]) -> Problem:
    return Problem(
        where=str(folder / INDEX_FILE),
        found=f"a damaged database ({said[0]})",
        expected="an index as it was written",
        fix="Restore the workspace from a backup.",
    )


def _copy_index(source: Path, target: Path) -> None:
    """Through SQLite, so that what still stands in its log comes along."""
    with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there)


def _copy(files: list[Named], source: Path, target: Path) -> None:
    for file in files:
        if (source / file.path).is_file():
            shutil.copyfile(source / file.path, target / file.path)
    # Of the copies, so that what the disk lost on the way is found too; said of the originals.
    problems = [_wrong(source, file) or _lost(target, file) for file in files if _wrong(target, file)]
    if problems:
        raise QavizError(*problems)


def _lost(target: Path, file: Named) -> Problem:
    return Problem(
        where=str(target),
        found=f"a copy of {file.holds} that is not the original",
        expected="the same bytes",
        fix="Check the disk, and try again.",
    )
