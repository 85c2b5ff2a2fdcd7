"""The workspace as a whole: is everything in it as it was written, a copy of all of it, back from the copy, and what
killed processes left.

What the index names is never changed, and goes only when a deleted run is purged: so the files of a copied index are
those of that moment, whatever is saved meanwhile. A backup in which a run is purged on the way is refused.
"""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from qaviz.model.columns import PIPELINE
from qaviz.model.errors import Problem, QavizError, disk_refusals, stop
from qaviz.store import files, run_records, tables
from qaviz.store import index as indexes
from qaviz.store import tables as t
from qaviz.store.audit import CheckedAudit, check_audit
from qaviz.store.audit_log import Deed, note
from qaviz.store.files import UNFINISHED, checksum
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
    """Read the index and every file that it names, compare each with its checksum, and check the audit's chain, in
    which an `expected` hash, kept elsewhere, has to be. Changes nothing."""
    workspace.require(Deed.BACKUP)
    damaged: list[Problem] = []
    if not indexes.in_postgresql(workspace.index):  # which has checksums of its own
        with workspace.reading() as connection:
            lines: list[str] = list(connection.scalars(sa.text("PRAGMA integrity_check")))
        if lines != ["ok"]:
            where, fix = indexes.place_of(workspace.index), "Restore the workspace from a backup."
            damaged.append(Problem(where, f"a damaged database ({lines[0]})", "an index as it was written", fix))
    damaged += [file for file in _list_unreadable(workspace) if str(file) not in map(str, damaged)]
    named = list(_list_named_files(workspace))
    with disk_refusals(workspace.folder):
        wrong = [problem for file in named if (problem := files.find_damage(workspace.folder, file))]
        unnamed = _list_unnamed(workspace, named)
    audit = check_audit(workspace, expected)
    problems = (*damaged, *wrong, *audit.rows, *filter(None, [audit.problem]))
    return Checked(files=len(named), problems=problems, audit=audit, unnamed=tuple(unnamed))


def _list_unreadable(workspace: Workspace) -> Iterator[Problem]:
    """Yield problems of values that cannot be read, a table each, and of runs that differ from their files."""
    for table in t.TABLES.tables.values():
        try:
            with workspace.reading() as connection:
                for _ in indexes.read_parts(connection, sa.select(table)):
                    pass
        except QavizError as error:
            yield from error.problems
            if table is t.RUNS_TABLE:
                return
    for run in workspace.runs(archived=True):
        try:
            pipelines, golden = workspace.rows(run, [PIPELINE])[PIPELINE], workspace.golden(run.golden_id)
        except files.DamagedError:
            continue  # named already
        except QavizError as error:
            yield from error.problems
            continue
        there = (tuple(pipelines.unique(maintain_order=True)), pipelines.len(), golden.height, golden_id(golden))
        if there != (run.pipelines, run.responses, run.questions, run.golden_id):
            wrong = f"{', '.join(run.pipelines)}: {run.responses:,} responses to {run.questions:,} questions"
            expected = f"{', '.join(there[0])}: {there[1]:,} to {there[2]:,}, as its files have"
            yield Problem(f'index, the run "{run.name}"', wrong, expected, "Restore the workspace from a backup.")


def backup(workspace: Workspace, target: Path) -> int:
    """Copy the workspace as it is at this moment into the new folder `target`, all of it or nothing. The copy's index
    is an SQLite file, wherever the workspace's own is, so that it opens anywhere. Others may go on writing meanwhile.
    Returns how many files were copied beside the index. Raises QavizError if `target` exists, and with all files that
    are not as they were written."""
    workspace.require(Deed.BACKUP)
    with new_folder(target) as copy:
        if indexes.in_postgresql(workspace.index):
            _copy_rows(workspace.index, indexes.open_index(indexes.sqlite_engine(copy / indexes.INDEX_FILE)))
        else:
            _copy_index(workspace.folder, copy)
        copied = fill_folder(workspace.folder, copy)
        copy.rename(target)
    return copied


def restore(source: Path, target: Path) -> int:
    """Make the new workspace `target` from the backup `source`, which stays as it is. Returns and raises as `backup`.
    Where QAVIZ_DATABASE_URL names a database, its index is filled too, which has to be empty. Raises QavizError if it
    is not, and if `source` is no backup, or one of a newer qaviz."""
    if not (source / indexes.INDEX_FILE).is_file():
        fault = f"no {indexes.INDEX_FILE}" if source.is_dir() else "no such folder"
        raise stop(str(source), fault, "a folder that `qaviz workspace backup` wrote", "Name that folder.")
    index = indexes.index_of(target)
    with new_folder(target) as copy:
        _copy_index(source, copy)
        copied = fill_folder(source, copy)
        if indexes.in_postgresql(index):
            _copy_rows(open_backup(copy).index, indexes.open_index(index))
            (copy / indexes.INDEX_FILE).unlink()
        copy.rename(target)
    return copied


def clean(workspace: Workspace, *, remove: bool) -> list[str]:
    """What no entry of the index names, left by processes that were killed; with `remove` it is removed. Waits for who
    writes. Raises QavizError if the index names none of the files that are there: they are another index's."""
    workspace.require(Deed.BACKUP)
    with disk_refusals(workspace.folder), workspace.writing(Deed.BACKUP):
        named = list(_list_named_files(workspace))
        others = _list_unnamed(workspace, named)
        if others and not any((workspace.folder / file.name).is_file() for file in named):
            fault = f"files, and none of them in the index {indexes.place_of(workspace.index)}"
            fix = "Name the index that they belong to, or remove them yourself."
            raise stop(str(workspace.folder), fault, "the files of this index", fix)
        if not remove:
            return others
        left = [name for name in others if (workspace.folder / name).is_file()]
        for name in left:
            (workspace.folder / name).unlink(missing_ok=True)
        return left


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Give a folder beside `target` to fill and rename; what is left of it when the block ends is removed. Raises
    QavizError if something is at `target` already."""
    if target.exists() or target.is_symlink():
        fault = "something there already"
        raise stop(str(target), fault, "a path where nothing is", "Name another folder: nothing is ever overwritten.")
    with disk_refusals(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f"{target.name}-", suffix=UNFINISHED, dir=target.parent) as beside:
            # A folder in it, since the temporary one is nobody else's to read.
            copy = Path(beside, target.name)
            copy.mkdir()
            yield copy


def _list_named_files(workspace: Workspace) -> Iterator[files.StoredFile]:
    """Yield the files that the index names, golden dataset versions first."""
    golden, run = t.GOLDEN_DATASETS_TABLE.c, t.RUNS_TABLE.c
    with workspace.reading() as connection:
        versions = connection.execute(sa.select(golden.golden_id, golden.checksum)).all()
        runs = connection.execute(sa.select(run.run_id, run.name, run.rows_checksum, run.listed_checksum)).all()
    yield from (files.golden_file(*version) for version in versions)
    for columns in runs:
        yield from files.run_files(*columns)


def _list_unnamed(workspace: Workspace, named: Sequence[files.StoredFile]) -> list[str]:
    names = {file.name for file in named}
    return [name for name in files.list_files(workspace.folder) if name not in names]


def _copy_index(source: Path, target: Path) -> None:
    """Copy the SQLite file through SQLite, so that what still stands in its log comes along."""
    file = source / indexes.INDEX_FILE
    with (
        indexes.index_refusals(indexes.sqlite_engine(file)),
        closing(sqlite3.connect(file)) as here,
        closing(sqlite3.connect(target / indexes.INDEX_FILE)) as there,
    ):
        here.backup(there)


def _copy_rows(source: sa.Engine, target: sa.Engine) -> None:
    """Copy the rows of all tables into the empty tables of `target`, which goes on counting where `source` stands.
    Raises QavizError if one of the tables has a row, as it has for the second of two who fill one database at once."""
    # In the order in which they are defined: a table stands behind those that its rows refer to.
    own = [table for table in t.TABLES.tables.values() if table is not t.MIGRATIONS_TABLE]
    with (
        indexes.index_refusals(source),
        indexes.index_refusals(target),
        indexes.reading(source).connect() as here,
        target.begin() as there,
    ):
        if filled := [table.name for table in own if there.execute(sa.select(table).limit(1)).first()]:
            fault = f"an index with rows in {', '.join(filled)}"
            fix = "Name an empty database: nothing is ever overwritten."
            raise stop(indexes.place_of(target), fault, "an empty database", fix)
        for table in own:
            for rows in indexes.read_parts(here, sa.select(table)):
                there.execute(sa.insert(table), rows)
            columns = sa.inspect(there).get_columns(table.name) if indexes.in_postgresql(target) else []
            for name in (column["name"] for column in columns if "identity" in column):
                if highest := there.scalar(sa.select(sa.func.max(table.c[name]))):
                    # PostgreSQL's counter goes on behind the highest number that a row has.
                    counter = sa.func.pg_get_serial_sequence(table.name, name)
                    there.execute(sa.select(sa.func.setval(counter, highest)))


def fill_folder(source: Path, folder: Path) -> int:
    """Copy the files that the index in the new `folder` names. Returns how many. QavizError names all not whole."""
    copied, problems = 0, list[Problem]()
    for file in _list_named_files(open_backup(folder)):
        try:
            # Of the copy, so that what the disk lost on the way is found.
            if checksum(shutil.copyfile(files.find_whole(source, file), folder / file.name)) != file.checksum:
                lost = f"a copy of {file.holds} that is not the original"
                problems += stop(str(folder), lost, "the same bytes", "Check the disk, and try again.").problems
        except files.DamagedError as error:
            problems += error.problems
        copied += 1
    if problems:
        raise QavizError(*problems)
    return copied


OF_A_RUN = (t.GRADES_TABLE, t.LABELS_TABLE, t.VERIFICATIONS_TABLE, t.RUN_RECORDS_TABLE, t.RUNS_TABLE)
_OF_LINE = (t.REJECTIONS_TABLE, t.TRIPLET_FINDINGS_TABLE, t.ANSWER_FORMS_TABLE)
_OF_GOLDEN = (*(table.c.line for table in _OF_LINE), t.GOLDEN_DATASETS_TABLE.c.golden_id)
"""What goes with a golden dataset that nothing else needs."""


def purge(workspace: Workspace, records: Sequence[run_records.RunRecord], by: str) -> list[str]:
    """Remove these runs, those of them that are deleted still: files, labels, grades, verifications, records. Their
    golden dataset goes with them, unless another run or a version has it. Returns the names of the files that are gone.
    A process killed on the way leaves at worst files that no run names. Raises QavizError if the name of the person
    will not do."""
    person = tables.checked_name(by, tables.NAME_OF_PERSON)
    with disk_refusals(workspace.folder):
        with workspace.writing(Deed.PURGE) as transaction:
            table = t.RUN_RECORDS_TABLE.c
            still = sa.select(table.run_id).where(table.deleted_at.is_not(None))
            deleted = set(transaction.scalars(still))
            purged = [record for record in records if record.run.run_id in deleted]
            for record in purged:
                for of_run in OF_A_RUN:
                    transaction.execute(sa.delete(of_run).where(of_run.c.run_id == record.run.run_id))
                note(transaction, Deed.PURGE, record.run.run_id, f'"{record.run.name}"', person)
            golden = [name for name in {record.run.golden_id for record in purged} if _drop_golden(transaction, name)]
        names = [name for record in purged for name, *_ in files.run_files(record.run.run_id)]
        # Under the writer's lock: a golden dataset that somebody has imported again since is there to stay.
        with workspace.locking() as transaction:
            query = sa.select(t.GOLDEN_DATASETS_TABLE.c.golden_id).where(
                t.GOLDEN_DATASETS_TABLE.c.golden_id.in_(golden)
            )
            again = set(transaction.scalars(query))
            names += [files.golden_file(version).name for version in golden if version not in again]
            for name in names:
                (workspace.folder / name).unlink(missing_ok=True)
    return names


def _drop_golden(transaction: sa.Connection, golden_id: str) -> bool:
    """Take the golden dataset version out of the index, unless a run, a name, a version or a review refers to it."""
    try:
        with transaction.begin_nested():
            for column in _OF_GOLDEN:
                transaction.execute(sa.delete(column.table).where(column == golden_id))
    except sa.exc.IntegrityError:
        return False
    return True
