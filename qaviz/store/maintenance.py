"""The workspace as a whole: is everything in it as it was written, a copy of all of it, back from the copy, and what
killed processes left.

What the index names is never changed, and goes only when a deleted run is purged, which waits for a backup: so the
files of a copied index are those of that moment, whatever is saved meanwhile.
"""

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from qaviz.model.columns import PIPELINE
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Run
from qaviz.store.audit import CheckedAudit, check_audit
from qaviz.store.audit_log import Deed, note
from qaviz.store.files import UNFINISHED, checksum, disk_refusals
from qaviz.store.index import (
    INDEX_FILE,
    copy_rows,
    in_postgresql,
    index_of,
    index_refusals,
    open_index,
    place_of,
    read_through,
    reading,
    refuse_filled,
)
from qaviz.store.labels import kept_labels
from qaviz.store.run_records import RunRecord, find_record
from qaviz.store.settings import kept_policy, kept_profiles
from qaviz.store.sqlite import connect_to, sqlite_engine
from qaviz.store.storage import (
    DamagedError,
    Storage,
    StoredFile,
    golden_file,
    golden_name,
    listed_file,
    rows_file,
    run_names,
)
from qaviz.store.tables import (
    ANSWER_FORMS_TABLE,
    GOLDEN_TABLE,
    GOLDEN_VERSIONS_TABLE,
    GRADES_TABLE,
    LABELS_TABLE,
    NAME_OF_PERSON,
    NAMED_DATASETS_TABLE,
    REJECTIONS_TABLE,
    REVIEW_SESSIONS_TABLE,
    RISKS_TABLE,
    RUN_RECORDS_TABLE,
    RUNS_TABLE,
    TRIPLET_FINDINGS_TABLE,
    VERIFICATIONS_TABLE,
    checked_name,
)
from qaviz.store.workspace import Workspace, golden_id, open_backup


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
        damaged = list(_find_damage(workspace, connection))
    damaged += [file for file in _list_unreadable(workspace) if str(file) not in map(str, damaged)]
    named = list(_list_named_files(workspace))
    with disk_refusals(workspace.folder):
        wrong = [problem for file in named if (problem := workspace.storage.find_damage(file))]
        unnamed = workspace.storage.list_others(named)
    audit = check_audit(workspace, expected)
    problems = (*damaged, *wrong, *audit.rows, *filter(None, [audit.problem]))
    return Checked(files=len(named), problems=problems, audit=audit, unnamed=tuple(unnamed))


def _list_unreadable(workspace: Workspace) -> list[Problem]:
    """Problems of what other commands read from the index: texts that are no JSON, dates that are none."""
    problems: dict[str, Problem] = {}
    runs: list[Run] = []
    for read in (
        lambda: runs.extend(workspace.runs(archived=True)),
        lambda: kept_policy(workspace),
        lambda: kept_profiles(workspace),
    ):
        _note_problems(read, problems)
    for run in runs:
        _note_problems(partial(find_record, workspace, run.run_id), problems)
        _note_problems(partial(kept_labels, workspace, run), problems)
        _note_problems(partial(_compare_with_files, workspace, run), problems)
    return list(problems.values())


def _note_problems(read: Callable[[], object], problems: dict[str, Problem]) -> None:
    try:
        read()
    except QavizError as error:
        problems.update((str(problem), problem) for problem in error.problems)


def _compare_with_files(workspace: Workspace, run: Run) -> None:
    """Raise QavizError if the index has other pipelines, counts or another golden dataset of a run than its files."""
    with suppress(DamagedError):  # named already
        pipelines, golden = workspace.rows(run, [PIPELINE])[PIPELINE], workspace.golden(run.golden_id)
        there = (tuple(pipelines.unique(maintain_order=True)), pipelines.len(), golden.height, golden_id(golden))
        if there != (run.pipelines, run.responses, run.questions, run.golden_id):
            wrong = f"{', '.join(run.pipelines)}: {run.responses:,} responses to {run.questions:,} questions"
            files = f"{', '.join(there[0])}: {there[1]:,} to {there[2]:,}, as its files have"
            raise stop(f'index, the run "{run.name}"', wrong, files, "Restore the workspace from a backup.")


def backup(workspace: Workspace, target: Path) -> int:
    """Copy the workspace as it is at this moment into the new folder `target`, all of it or nothing.

    The copy's index is an SQLite file, wherever the workspace's own is, so that it opens anywhere. Others may go on
    writing meanwhile. Returns how many files were copied beside the index. Raises QavizError if `target` exists, a
    file is not as it was written (all of them are named), or the disk refuses.
    """
    workspace.require(Deed.BACKUP)
    # Nothing that the copied index names is purged before it is copied too.
    with workspace.storage.lock(alone=False), new_folder(target) as copy:
        if in_postgresql(workspace.index):
            _copy_rows(workspace.index, open_index(sqlite_engine(copy / INDEX_FILE)))
        else:
            _copy_index(workspace.folder, copy)
        files = fill_folder(workspace.storage, copy)
        copy.rename(target)
    return files


def restore(source: Path, target: Path) -> int:
    """Make the new workspace `target` from the backup `source`, which stays as it is. Returns and raises as `backup`.

    Where QAVIZ_DATABASE_URL names a database, its index is filled too, which has to be empty. Raises QavizError if it
    is not, and if `source` is no backup, or one of a newer qaviz.
    """
    if not (source / INDEX_FILE).is_file():
        raise stop(
            where=str(source),
            found=f"no {INDEX_FILE}" if source.is_dir() else "no such folder",
            expected="a folder that `qaviz workspace backup` wrote",
            fix="Name that folder.",
        )
    index = index_of(target)
    with new_folder(target) as copy:
        _copy_index(source, copy)
        files = fill_folder(Storage(folder=source), copy)
        if in_postgresql(index):
            refuse_filled(index)
            _copy_rows(open_backup(copy).index, open_index(index))
            (copy / INDEX_FILE).unlink()
        copy.rename(target)
    return files


def clean(workspace: Workspace, *, remove: bool) -> list[str]:
    """What no entry of the index names, left by processes that were killed; with `remove` it is removed.

    Waits for who writes or backs up. Raises QavizError if the index names none of the files that are there: they are
    another index's.
    """
    workspace.require(Deed.BACKUP)
    with disk_refusals(workspace.folder), workspace.storage.lock(alone=True), workspace.writing(Deed.BACKUP):
        named = list(_list_named_files(workspace))
        others = workspace.storage.list_others(named)
        if others and not workspace.storage.has_any({file.name for file in named}):
            raise stop(
                where=workspace.storage.place(),
                found=f"files, and none of them in the index {place_of(workspace.index)}",
                expected="the files of this index",
                fix="Name the index that they belong to, or remove them yourself.",
            )
        return workspace.storage.remove_others(named) if remove else others


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Give a folder beside `target` to fill and rename; what is left of it when the block ends is removed.

    Raises QavizError if something is at `target` already, or the disk refuses.
    """
    if target.exists() or target.is_symlink():
        raise stop(
            where=str(target),
            found="something there already",
            expected="a path where nothing is",
            fix="Name another folder: nothing is ever overwritten.",
        )
    with disk_refusals(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f"{target.name}-", suffix=UNFINISHED, dir=target.parent) as beside:
            # A folder in it, since the temporary one is nobody else's to read.
            copy = Path(beside, target.name)
            copy.mkdir()
            yield copy


def _list_named_files(workspace: Workspace) -> Iterator[StoredFile]:
    """Yield the files that the index names, golden dataset versions first."""
    golden, run = GOLDEN_TABLE.c, RUNS_TABLE.c
    with workspace.reading() as connection:
        versions = connection.execute(sa.select(golden.golden_id, golden.checksum)).all()
        columns = sa.select(run.run_id, run.name, run.rows_checksum, run.listed_checksum)
        runs = connection.execute(columns).all()
    yield from (golden_file(version, expected) for version, expected in versions)
    for run_id, name, rows, listed in runs:
        yield rows_file(run_id, name, rows)
        yield listed_file(run_id, name, listed)


def _find_damage(workspace: Workspace, connection: sa.Connection) -> Iterator[Problem]:
    """Yield what is wrong with the index. Raises the database's own exception for rows that it cannot read."""
    if in_postgresql(workspace.index):
        read_through(connection)
        return
    if number := connection.scalar(sa.text("PRAGMA user_version")):
        yield Problem(
            where=place_of(workspace.index),
            found=f"the number {number} as user_version",
            expected="0, as qaviz leaves it",
            fix="Find out what wrote to the database; compare with a backup.",
        )
    lines: list[str] = list(connection.scalars(sa.text("PRAGMA integrity_check")))
    if lines != ["ok"]:
        yield Problem(
            where=place_of(workspace.index),
            found=f"a damaged database ({lines[0]})",
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


def _copy_rows(source: sa.Engine, target: sa.Engine) -> None:
    with index_refusals(source), index_refusals(target), reading(source).connect() as here, target.begin() as there:
        copy_rows(here, there)


def fill_folder(source: Storage, folder: Path) -> int:
    """Copy the files that the index in the new `folder` names. Returns how many. QavizError names all not whole."""
    copied, problems = 0, list[Problem]()
    for file in _list_named_files(open_backup(folder)):
        try:
            with source.reading(file) as path:
                # Of the copy, so that what the disk lost on the way is found.
                if checksum(Path(shutil.copyfile(path, folder / file.name))) != file.checksum:
                    lost = f"a copy of {file.holds} that is not the original"
                    problems += stop(str(folder), lost, "the same bytes", "Check the disk, and try again.").problems
        except DamagedError as error:
            problems += error.problems
        copied += 1
    if problems:
        raise QavizError(*problems)
    return copied


OF_A_RUN = (GRADES_TABLE, LABELS_TABLE, VERIFICATIONS_TABLE, RUN_RECORDS_TABLE, RUNS_TABLE)
_OF_GOLDEN = (
    REJECTIONS_TABLE.c.line,
    TRIPLET_FINDINGS_TABLE.c.line,
    ANSWER_FORMS_TABLE.c.line,
    GOLDEN_TABLE.c.golden_id,
)
"""What goes with a golden dataset that nothing else needs: what `_is_unused` asks is not there then."""


def purge(workspace: Workspace, records: Sequence[RunRecord], by: str) -> list[str]:
    """Remove these runs, those of them that are deleted still: files, labels, grades, verifications, records.

    Their golden dataset goes with them, unless another run or a version has it. Waits for a backup that is going on.
    Returns the names of the files that are gone. A process killed on the way leaves at worst files
    that no run names. Raises QavizError if the name of the person will not do or the disk refuses.
    """
    person = checked_name(by, NAME_OF_PERSON)
    with disk_refusals(workspace.folder), workspace.storage.lock(alone=True):
        with workspace.writing(Deed.PURGE) as transaction:
            purged = [record for record in records if _still_deleted(transaction, record)]
            for record in purged:
                for table in OF_A_RUN:
                    transaction.execute(sa.delete(table).where(table.c.run_id == record.run.run_id))
                note(transaction, Deed.PURGE, record.run.run_id, f'"{record.run.name}"', person)
            golden = [
                golden_id
                for golden_id in {record.run.golden_id for record in purged}
                if _is_unused(transaction, golden_id)
            ]
            for column in _OF_GOLDEN:
                transaction.execute(sa.delete(column.table).where(column.in_(golden)))
        return _remove_files(workspace, [record.run.run_id for record in purged], golden)


def _still_deleted(transaction: sa.Connection, record: RunRecord) -> bool:
    table = RUN_RECORDS_TABLE.c
    query = sa.select(table.deleted_at).where(table.run_id == record.run.run_id)
    return transaction.scalar(query) is not None


def _is_unused(transaction: sa.Connection, golden_id: str) -> bool:
    """Whether no run is scored on the golden dataset version, it has no name, no version is made of it,
    and nobody classified or reviewed it."""
    version = GOLDEN_VERSIONS_TABLE.c
    by_run = sa.select(sa.literal(1)).where(RUNS_TABLE.c.golden_id == golden_id)
    named = sa.or_(*(column == golden_id for column in (version.line, version.golden_id, version.parent)))
    by_name = sa.select(sa.literal(1)).where(NAMED_DATASETS_TABLE.c.line == golden_id)
    reviewed = (
        sa.select(sa.literal(1)).where(table.line == golden_id) for table in (RISKS_TABLE.c, REVIEW_SESSIONS_TABLE.c)
    )
    query = sa.union_all(by_run, by_name, sa.select(sa.literal(1)).where(named), *reviewed)
    return transaction.scalar(query) is None


def _remove_files(workspace: Workspace, run_ids: Sequence[str], golden: Sequence[str]) -> list[str]:
    names = [name for run_id in run_ids for name in run_names(run_id)]
    # Under the writer's lock: a golden dataset that somebody has imported again since is there to stay.
    with workspace.locking() as transaction:
        query = sa.select(GOLDEN_TABLE.c.golden_id).where(GOLDEN_TABLE.c.golden_id.in_(golden))
        again = set(transaction.scalars(query))
        names += [golden_name(triplet) for triplet in golden if triplet not in again]
        for name in names:
            workspace.storage.remove(name)
    return names
