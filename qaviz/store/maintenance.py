"""The workspace as a whole: is everything in it as it was written, a copy of all of it, back from the copy, what killed
processes left, deleted runs for good, and a workspace for each project of an earlier version.

What the index names is never changed, and goes only when a deleted run is purged: so the files of a copied index are
those of that moment, whatever is saved meanwhile. A backup in which a run is purged on the way is refused.
"""

import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from qaviz.model.columns import PIPELINE
from qaviz.model.errors import Problem, QavizError, disk_refusals, stop
from qaviz.store import files, roles, run_records
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
    with _new_folder(target) as copy:
        if indexes.in_postgresql(workspace.index):
            _copy_rows(workspace.index, indexes.open_index(indexes.sqlite_engine(copy / indexes.INDEX_FILE)))
        else:
            _copy_index(workspace.folder, copy)
        copied = _fill_folder(workspace.folder, copy)
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
    with _new_folder(target) as copy:
        _copy_index(source, copy)
        copied = _fill_folder(source, copy)
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
def _new_folder(target: Path) -> Iterator[Path]:
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


def _fill_folder(source: Path, folder: Path) -> int:
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


_OF_A_RUN = (t.GRADES_TABLE, t.LABELS_TABLE, t.VERIFICATIONS_TABLE, t.RUN_RECORDS_TABLE, t.RUNS_TABLE)
_OF_LINE = (t.REJECTIONS_TABLE, t.TRIPLET_FINDINGS_TABLE, t.ANSWER_FORMS_TABLE)
_OF_GOLDEN = (*(table.c.line for table in _OF_LINE), t.GOLDEN_DATASETS_TABLE.c.golden_id)
"""What goes with a golden dataset that nothing else needs."""


def purge(workspace: Workspace, records: Sequence[run_records.RunRecord], by: str) -> list[str]:
    """Remove these runs, those of them that are deleted still: files, labels, grades, verifications, records. Their
    golden dataset goes with them, unless another run or a version has it. Returns the names of the files that are gone.
    A process killed on the way leaves at worst files that no run names. Raises QavizError if the name of the person
    will not do."""
    person = t.checked_name(by, t.NAME_OF_PERSON)
    with disk_refusals(workspace.folder):
        with workspace.writing(Deed.PURGE) as transaction:
            table = t.RUN_RECORDS_TABLE.c
            still = sa.select(table.run_id).where(table.deleted_at.is_not(None))
            deleted = set(transaction.scalars(still))
            purged = [record for record in records if record.run.run_id in deleted]
            for record in purged:
                for of_run in _OF_A_RUN:
                    transaction.execute(sa.delete(of_run).where(of_run.c.run_id == record.run.run_id))
                note(transaction, Deed.PURGE, record.run.run_id, f'"{record.run.name}"', person)
            golden = [name for name in {record.run.golden_id for record in purged} if _drop_golden(transaction, name)]
        names = [name for record in purged for name, *_ in files.run_files(record.run.run_id)]
        # Under the writer's lock: a golden dataset that somebody has imported again since is there to stay.
        with workspace.locking() as transaction:
            kept = t.GOLDEN_DATASETS_TABLE.c.golden_id
            again = set(transaction.scalars(sa.select(kept).where(kept.in_(golden))))
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


_OF_PROJECT = "SELECT run_id FROM run_records WHERE project = :project"
_OWN = f"""SELECT golden_id FROM project_golden WHERE project = :project
    UNION SELECT golden_id FROM runs WHERE run_id IN ({_OF_PROJECT})"""
_LINES = f"{_OWN} UNION SELECT line FROM golden_versions WHERE golden_id IN ({_OWN})"
_GOLDEN = f"{_LINES} UNION SELECT golden_id FROM golden_versions WHERE line IN ({_LINES})"
_SESSIONS = f"SELECT session FROM review_sessions WHERE line IN ({_LINES})"
_BY_COLUMN = {"run_id": _OF_PROJECT, "line": _LINES, "session": _SESSIONS}
"""What belongs to a project by the first of these columns that a table has."""
_CONDITIONS: Mapping[str, str] = {
    "golden_datasets": f"golden_id IN ({_GOLDEN})",
    "judges": f"judge IN (SELECT judge FROM grades WHERE run_id IN ({_OF_PROJECT}))",
    "triplet_corrections": f"dataset IN (SELECT name FROM named_datasets WHERE line IN ({_LINES}))",
    **dict.fromkeys(("bertscores", "policies"), ":project = :project"),
    "mapping_profiles": ":project <> :project",
}
"""Which rows of other tables do. Acceptance criteria and BERTScores of pairs of texts belong to each project, saved
mappings of columns to none; roles are read apart."""


def split(folder: Path, target: Path, by: str | None = None) -> dict[str, int]:
    """Move the runs of each project, which qaviz had up to version 26 of its index, from the workspace in `folder` into
    the new workspace `target`/project, with labels, grades, versions and reviews. Its members are those of the project
    and of the whole workspace, each with the higher role. The audit of what was before stays in the old workspace; the
    new one's goes on from its last hash. Golden datasets stay in the old workspace too. All of it or nothing; others
    wait meanwhile. Returns how many runs each project had. Raises QavizError if something is at `target` or a file is
    not as it was written."""
    index = indexes.index_of(folder)
    if indexes.version_of(index) is None:
        return {}
    run_ids: dict[str, list[str]] = {}
    with indexes.index_refusals(index), index.begin() as transaction:
        indexes.migrate(transaction, last=26)  # the last version with projects
        if sa.inspect(transaction).has_table("projects"):
            own = sa.text(f"{_OF_PROJECT} ORDER BY run_id")
            for project in indexes.list_projects(transaction):
                run_ids[project] = list(transaction.scalars(own, {"project": project}))
        if run_ids:
            with _new_folder(target) as copy:
                for project in run_ids:
                    _write_workspace(transaction, folder, project, copy / project, by)
                copy.rename(target)
            for project, moved in run_ids.items():
                _let_go(transaction, project, moved, by)
            for table in ("project_golden", "projects"):
                transaction.execute(sa.text(f"DELETE FROM {table}"))
            transaction.execute(sa.text("DELETE FROM members WHERE project <> ''"))
    indexes.open_index(index)
    with disk_refusals(folder), suppress(QavizError):  # what stays is named by no run, and `clean` removes it
        for file in (file for moved in run_ids.values() for run_id in moved for file in files.run_files(run_id)):
            (folder / file.name).unlink(missing_ok=True)
    return {project: len(moved) for project, moved in run_ids.items()}


def _write_workspace(source: sa.Connection, old: Path, project: str, folder: Path, by: str | None) -> None:
    """Write the project's workspace into the folder, which is made: its index, in SQLite, and the files it names."""
    files.make_folders(folder)
    index = indexes.open_index(indexes.sqlite_engine(folder / indexes.INDEX_FILE))
    with index.begin() as target:
        for table in t.TABLES.tables.values():
            if table not in (t.MIGRATIONS_TABLE, t.MEMBERS_TABLE, t.IDENTITIES_TABLE, t.AUDIT_TABLE):
                column = next((column for column in _BY_COLUMN if column in table.c), "")
                condition = _CONDITIONS.get(table.name) or f"{column} IN ({_BY_COLUMN[column]})"
                own = sa.select(table).where(sa.text(condition).bindparams(project=project))
                for rows in indexes.read_parts(source, own):
                    target.execute(sa.insert(table), rows)
        if members := _read_members(source, project):
            target.execute(sa.insert(t.MEMBERS_TABLE), members)
        audit = t.AUDIT_TABLE.c
        last = source.execute(sa.select(audit.number, audit.hash).order_by(audit.number.desc()).limit(1)).first()
        if last:
            bare = {"at": "", "about": "", "detail": "", "what": Deed.WITHHELD.value}
            target.execute(sa.insert(t.AUDIT_TABLE), [last._asdict() | bare])
        note(target, Deed.SPLIT, project, "from the workspace before, whose audit goes up to here", by)
    _fill_folder(old, folder)
    index.dispose()


def _read_members(source: sa.Connection, project: str) -> list[dict[str, object]]:
    """MEMBERS of the project and of the whole workspace: of somebody who is both the higher role."""
    members: dict[str, tuple[roles.Held, str]] = {}
    query = "SELECT subject, role, given_at FROM members WHERE project IN ('', :project)"
    for subject, role, given_at in source.execute(sa.text(query), {"project": project}):
        is_reviewer = role == "reviewer"  # a role of its own up to then
        held = roles.Held(roles.Role.VIEWER if is_reviewer else roles.Role[role.upper()], is_reviewer)
        before, _ = members.get(subject, (held, given_at))
        members[subject] = roles.Held(max(before.role, held.role), before.reviews or held.reviews), given_at
    return [
        {"subject": subject, "role": str(held.role), "reviews": held.reviews, "given_at": given_at}
        for subject, (held, given_at) in members.items()
    ]


def _let_go(transaction: sa.Connection, project: str, run_ids: list[str], by: str | None) -> None:
    """Take the runs, and what is kept of them, out of the old workspace's index; its audit says where they went."""
    named = sa.select(t.RUNS_TABLE.c.run_id, t.RUNS_TABLE.c.name).where(t.RUNS_TABLE.c.run_id.in_(run_ids))
    names = {row.run_id: row.name for row in transaction.execute(named)}
    for table in _OF_A_RUN:
        transaction.execute(sa.delete(table).where(table.c.run_id.in_(run_ids)))
    for run_id, name in names.items():
        note(transaction, Deed.SPLIT, run_id, f'"{name}" moved to the workspace {project}', by)
