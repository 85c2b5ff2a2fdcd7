"""The workspace as a whole: is everything in it as it was written, a copy of all of it, and back from the copy.

What the index names is never changed, and goes only when a deleted run is purged, which waits for a backup: so the
files of a copied index are those of that moment, whatever is saved meanwhile.
"""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run
from qaviz.store.audit import CheckedAudit, check_audit
from qaviz.store.audit_log import Deed
from qaviz.store.files import UNFINISHED, checksum, disk_refusals, folder_lock
from qaviz.store.index import INDEX_FILE, in_postgresql, index_of, index_refusals, open_index, place_of, reading
from qaviz.store.index_rows import copy_rows, read_through, refuse_filled
from qaviz.store.labels import kept_labels
from qaviz.store.opening import open_backup
from qaviz.store.policies import kept_policy
from qaviz.store.profiles import kept_profiles
from qaviz.store.run_records import find_record
from qaviz.store.sqlite import connect_to, sqlite_engine
from qaviz.store.tables import GOLDEN_TABLE, RUNS_TABLE
from qaviz.store.workspace import GOLDEN_FOLDER, RUNS_FOLDER, Workspace


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
    """What is missing, damaged, or changed in the audit. Everything else can be opened."""
    audit: CheckedAudit
    unnamed: tuple[str, ...]
    """Files that the index does not name: left by a process that was killed. They do no harm."""


def check(workspace: Workspace, expected: str | None = None) -> Checked:
    """Read the index and every file that it names, compare each with its checksum, and check the audit's chain.

    An `expected` hash of the audit, kept elsewhere, has to be in the chain. Changes nothing. Raises QavizError if the
    index itself cannot be read.
    """
    workspace.require(Deed.BACKUP)
    with workspace.reading() as connection:
        damaged = list(_damage(workspace, connection))
    damaged += [each for each in _list_unreadable(workspace) if str(each) not in map(str, damaged)]
    named = list(_list_named_files(workspace))
    with disk_refusals(workspace.folder):
        wrong = [problem for file in named if (problem := _wrong(workspace.folder, file))]
        unnamed = _list_unnamed_files(workspace.folder, {file.path for file in named})
    audit = check_audit(workspace, expected)
    problems = (*damaged, *wrong, *filter(None, [audit.problem]))
    return Checked(files=len(named), problems=problems, audit=audit, unnamed=tuple(unnamed))


def _list_unreadable(workspace: Workspace) -> list[Problem]:
    """Problems of what other commands read from the index: texts that are no JSON, dates that are none."""
    problems: dict[str, Problem] = {}
    runs: list[Run] = []

    def read_all_runs() -> None:
        runs.extend([*workspace.runs(), *workspace.runs(archived=True)])

    reads: list[Callable[[], object]] = [
        read_all_runs,
        lambda: kept_policy(workspace),
        lambda: kept_profiles(workspace),
    ]
    for read in reads:
        _note_problems(read, problems)
    for run in runs:
        _note_problems(partial(find_record, workspace, run.run_id), problems)
        _note_problems(partial(kept_labels, workspace, run), problems)
    return list(problems.values())


def _note_problems(read: Callable[[], object], problems: dict[str, Problem]) -> None:
    try:
        read()
    except QavizError as error:
        problems.update((str(problem), problem) for problem in error.problems)


def backup(workspace: Workspace, target: Path) -> int:
    """Copy the workspace as it is at this moment into the new folder `target`, all of it or nothing.

    The copy's index is an SQLite file, wherever the workspace's own is, so that it opens anywhere. Others may go on
    writing meanwhile. Returns how many files were copied beside the index. Raises QavizError if `target` exists, a
    file is not as it was written (all of them are named), or the disk refuses.
    """
    workspace.require(Deed.BACKUP)
    # Nothing that the copied index names is purged before it is copied too.
    with folder_lock(workspace.folder, alone=False), _new_folder(target) as copy:
        if in_postgresql(workspace.index):
            _copy_rows(workspace.index, open_index(sqlite_engine(copy / INDEX_FILE)))
        else:
            _copy_index(workspace.folder, copy)
        files = _copy_files(workspace.folder, copy)
        copy.rename(target)
    return files


def restore(source: Path, target: Path) -> int:
    """Make the new workspace `target` from the backup `source`, which stays as it is. Returns and raises as `backup`.

    Where QAVIZ_DATABASE_URL names a database, its index is filled too, which has to be empty. Raises QavizError if it
    is not, and if `source` is no backup, or one of a newer qaviz.
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
    index = index_of(target)
    with _new_folder(target) as copy:
        _copy_index(source, copy)
        files = _copy_files(source, copy)
        if in_postgresql(index):
            _move_index(copy, index)
        copy.rename(target)
    return files


@contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """Give a folder beside `target` to fill and rename; what is left of it when the block ends is removed.

    Raises QavizError if something is at `target` already, or the disk refuses.
    """
    _refuse_existing(target)
    with disk_refusals(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f"{target.name}-", suffix=UNFINISHED, dir=target.parent) as beside:
            # A folder in it, since the temporary one is nobody else's to read.
            copy = Path(beside, target.name)
            copy.mkdir()
            yield copy


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


def _list_named_files(workspace: Workspace) -> Iterator[Named]:
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


def _list_unnamed_files(folder: Path, named: set[str]) -> Iterator[str]:
    for inside in (GOLDEN_FOLDER, RUNS_FOLDER):
        for file in sorted((folder / inside).iterdir()):
            path = f"{inside}/{file.name}"
            if path not in named:
                yield path


def _damage(workspace: Workspace, connection: sa.Connection) -> Iterator[Problem]:
    """Yield what is wrong with the index. What it cannot even read, the database refuses."""
    if in_postgresql(workspace.index):
        read_through(connection)
        return
    said: list[str] = list(connection.scalars(sa.text("PRAGMA integrity_check")))
    if said != ["ok"]:
        yield Problem(
            where=place_of(workspace.index),
            found=f"a damaged database ({said[0]})",
            expected="an index as it was written",
            fix="Restore the workspace from a backup.",
        )


def _copy_index(source: Path, target: Path) -> None:
    """Copy the SQLite file through SQLite, so that what still stands in its log comes along."""
    file = source / INDEX_FILE
    with (
        index_refusals(sqlite_engine(file)),
        closing(connect_to(file)) as here,
        closing(sqlite3.connect(target / INDEX_FILE)) as there,
    ):
        here.backup(there)


def _move_index(folder: Path, index: sa.Engine) -> None:
    """Fill the empty index with the rows of the folder's SQLite file, all or none, and remove that."""
    refuse_filled(index)
    _copy_rows(open_backup(folder).index, open_index(index))
    (folder / INDEX_FILE).unlink()


def _copy_rows(source: sa.Engine, target: sa.Engine) -> None:
    with index_refusals(source), index_refusals(target), reading(source).connect() as here, target.begin() as there:
        copy_rows(here, there)


def _copy_files(source: Path, target: Path) -> int:
    """Copy the files that the index in `target` names. Returns how many. QavizError names all that are not whole."""
    files = list(_list_named_files(open_backup(target)))
    for file in files:
        if (source / file.path).is_file():
            shutil.copyfile(source / file.path, target / file.path)
    # Of the copies, so that what the disk lost on the way is found too; said of the originals.
    problems = [_wrong(source, file) or _lost(target, file) for file in files if _wrong(target, file)]
    if problems:
        raise QavizError(*problems)
    return len(files)


def _lost(target: Path, file: Named) -> Problem:
    return Problem(
        where=str(target),
        found=f"a copy of {file.holds} that is not the original",
        expected="the same bytes",
        fix="Check the disk, and try again.",
    )
