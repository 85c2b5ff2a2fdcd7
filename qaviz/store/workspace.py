"""The workspace: it keeps runs. An index knows them, one Parquet file each holds their rows (`qaviz.store.files`).

A run is saved under the index's writer lock: first its files, each put in place in one step, then the index in one
transaction. A process killed at any moment leaves either no run or the whole run; a file that the index does not
name does no harm.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn
from uuid import uuid4

import orjson
import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import GOLDEN_COLUMNS, LATER_GOLDEN, PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError, disk_refusals, stop
from qaviz.model.records import WORKSPACE_VARIABLE, Provenance, Run, Thresholds, Verified
from qaviz.store import files
from qaviz.store import index as indexes
from qaviz.store import tables as t
from qaviz.store.audit_log import ACTOR_OPTION, Deed, hash_rows, newest_first, note
from qaviz.store.files import OF_GOLDEN, UNFINISHED, Draft, map_tables, read_groups
from qaviz.store.roles import LOCAL, Actor, require
from qaviz.store.tables import NAME_OF_PERSON, NAME_OF_RUN, as_kept, checked_name

STORAGE_VARIABLE = "QAVIZ_STORAGE_URL"
"""The environment variable by which earlier versions named a bucket for the files."""

_RUN, _RECORD = t.RUNS_TABLE.c, t.RUN_RECORDS_TABLE.c
WITH_RECORDS = t.RUNS_TABLE.join(t.RUN_RECORDS_TABLE, _RUN.run_id == _RECORD.run_id)
NEWEST_FIRST = (*newest_first(t.RUNS_TABLE, "created_at"), _RUN.run_id.desc())
_ARCHIVED, _DELETED = _RECORD.archived_at.is_not(None), _RECORD.deleted_at.is_not(None)


def find_run(connection: sa.Connection, name_or_id: str, folder: Path) -> Run:
    """The run with this id or name, archived or not. QavizError says that it is deleted, or which runs there are."""
    wanted = as_kept(name_or_id)
    called = sa.or_(_RUN.run_id == wanted, _RUN.name == wanted)
    row = connection.execute(sa.select(t.RUNS_TABLE).select_from(WITH_RECORDS).where(called, ~_DELETED)).first()
    if row is None:
        refuse_gone(connection, wanted, folder)
    return run_of(row)


def refuse_gone(connection: sa.Connection, wanted: str, folder: Path) -> NoReturn:
    """Raise the QavizError that says that the run with this id or name is deleted, or that there is none."""
    called = sa.or_(_RECORD.run_id == wanted, _RECORD.deleted_name == wanted)
    query = sa.select(t.RUN_RECORDS_TABLE).where(_DELETED, called).order_by(_RECORD.deleted_at.desc())
    if gone := connection.execute(query).first():
        fault = f"that {gone.deleted_by} deleted it on {gone.deleted_at[:10]}"
        fix = f"Bring it back on the page Runs, under Deleted, or with `qaviz runs undelete {gone.run_id}`."
        raise stop(f'run "{gone.deleted_name}"', fault, "a run that is not deleted", fix)
    fix = "Look it up on the page Runs, or with `qaviz runs list`."
    raise stop(str(folder), f'no run "{wanted}"', "the name or id of a run", fix)


def refuse_taken(connection: sa.Connection, name: str) -> None:
    """Raise QavizError if a run that is not deleted has this name, or any run this id."""
    same = sa.or_(_RUN.name == name, _RUN.run_id == name)
    query = sa.select(_RUN.run_id, _RUN.created_at).where(same)
    taken_by = connection.execute(query).first()
    if taken_by is not None:
        fault = f'"{name}", which the run {taken_by.run_id} has since {taken_by.created_at[:10]}'
        expected = "a name that no run in this workspace has"
        raise stop(NAME_OF_RUN, fault, expected, "Choose another name: runs are never overwritten.")


def run_of(row: sa.Row[Any]) -> Run:
    """The run that a row with the columns of `runs` is, with the name that it had if it is deleted."""
    kept = dict(row._mapping)
    return indexes.read_record(Run, kept | {"name": kept.get("deleted_name") or kept["name"]}, "a run")


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """Runs and golden dataset versions. For any number of threads and processes at once. All that the store reads or
    writes raises QavizError where the index, the disk or the policy refuses, or a file is missing or damaged: functions
    name further reasons alone."""

    folder: Path
    """Where files, drafts and journals are."""
    index: sa.Engine
    actor: Actor = LOCAL
    """Who asks: what they may see and do is looked up with each connection."""

    def as_actor(self, actor: Actor) -> "Workspace":
        """The same workspace, asked by this person."""
        return replace(self, actor=actor)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Give a connection to ask the index by; it never waits."""
        with indexes.index_refusals(self.index), indexes.reading(self.index).connect() as connection:
            require(connection, self.actor, Deed.READ)
            yield connection

    @contextmanager
    def writing(self, deed: Deed) -> Iterator[sa.Connection]:
        """Give a transaction under the writer's lock: all of it is kept when the block ends, nothing if it fails."""
        with self.locking() as transaction:
            require(transaction, self.actor, deed)
            yield transaction

    def select(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        """The rows that the query finds."""
        with self.reading() as connection:
            return connection.execute(query).all()

    def read_rows(self, query: sa.Executable, schema: indexes.Kinds) -> pl.DataFrame:
        """What the query finds, as a table of this schema, whose columns the query has in this order."""
        with self.reading() as connection:
            return indexes.read_rows(connection, query, schema)

    def read_table(self, table: sa.Table, schema: indexes.Kinds, *order: str, **where: object) -> pl.DataFrame:
        """The table's rows that have these values, in the order of columns: of each what the schema names."""
        which, by = (table.c[name] == value for name, value in where.items()), (table.c[name] for name in order)
        return self.read_rows(sa.select(*(table.c[name] for name in schema)).where(*which).order_by(*by), schema)

    def read_records(self, kind: type[indexes.Record], query: sa.Select[Any], entry: str) -> list[indexes.Record]:
        """What the query finds, as records of this dataclass. QavizError, naming the `entry`, for a damaged one."""
        with self.reading() as connection:
            return [indexes.read_record(kind, row, entry) for row in connection.execute(query).mappings()]

    def ask(self) -> None:
        """Ask index and files for something small. Raises QavizError if one does not answer."""
        with self.reading(), disk_refusals(self.folder):  # to connect is to ask
            (self.folder / files.GOLDEN_FOLDER).stat()

    def require(self, deed: Deed) -> None:
        """Raise QavizError unless the policy lets the actor do the deed: a question to ask before long work."""
        with self.reading() as connection:
            require(connection, self.actor, deed)

    def note_export(self, what: str, *, run: str | None = None, line: str | None = None, by: str | None = None) -> None:
        """Note that a verified person takes a file along; nothing is noted on somebody's own machine."""
        if self.actor.subject is not None:
            with self.writing(Deed.EXPORT) as transaction:
                note(transaction, Deed.EXPORT, run or line or str(self.folder.name), what, by)

    @contextmanager
    def locking(self) -> Iterator[sa.Connection]:
        """Give a transaction as `writing` does, whoever asks: for what tidies up and is no deed of anybody."""
        index = self.index.execution_options(**{ACTOR_OPTION: self.actor})
        with indexes.index_refusals(self.index), index.begin() as transaction:
            yield transaction

    def save(
        self,
        name: str,
        golden: pl.DataFrame,
        rows: pl.DataFrame | Draft,
        *,
        thresholds: Thresholds,
        engine: str,
        sources: Sequence[str],
        listed: pl.DataFrame,
        by: str | None = None,
        provenance: Provenance | None = None,
    ) -> Run:
        """Save a run under a name that no other run has, all of it or nothing. `golden` is one row a triplet, `rows`
        the diagnosed rows or a draft of them, `listed` what `qaviz.loading` listed; the run is owned `by` who saves it,
        if they said who. Raises QavizError if a name will not do or the run's is taken."""
        now = datetime.now(UTC)
        owner = None if by is None else checked_name(by, NAME_OF_PERSON)
        run = Run(
            # It sorts by time and stands in an address as it is.
            run_id=f"{now:%Y%m%d-%H%M%S}-{uuid4().hex[:6]}",
            name=checked_name(name, NAME_OF_RUN),
            created_at=now,
            golden_id=golden_id(golden),
            pipelines=rows.pipelines if isinstance(rows, Draft) else tuple(rows[PIPELINE].unique(maintain_order=True)),
            questions=golden.height,
            responses=rows.height,
            thresholds=thresholds,
            engine=engine,
            sources=tuple(sources),
            listed_counts=dict(listed.group_by("kind", maintain_order=True).len().iter_rows()),
        )
        with disk_refusals(self.folder), self.writing(Deed.IMPORT) as transaction:
            refuse_taken(transaction, run.name)
            self.keep_golden(transaction, golden, run.golden_id, run.created_at)
            with self._kept_files(run, rows, listed) as checksums:
                row = asdict(run) | {"created_at": indexes.write_moment(now)} | checksums
                words, hashed = f'"{run.name}", {run.responses:,} responses', hash_rows(t.RUNS_TABLE, [row])
                deed = note(transaction, Deed.IMPORT, run.run_id, words, owner, hashed)
                transaction.execute(sa.insert(t.RUNS_TABLE).values(row | {"deed": deed}))
                made_of = asdict(provenance) if provenance else None
                record = sa.insert(t.RUN_RECORDS_TABLE).values(run_id=run.run_id, owner=owner, tags=[], notes="")
                transaction.execute(record.values(provenance=made_of))
        return run

    def refuse_name(self, name: str) -> None:
        """Raise QavizError if `save` would not take the name: a question to ask before long work."""
        with self.reading() as connection:
            refuse_taken(connection, checked_name(name, NAME_OF_RUN))

    def runs(self, *, archived: bool = False) -> list[Run]:
        """The runs to pick from, newest first: none that is deleted, and the `archived` ones only if asked for."""
        wanted = [~_DELETED] if archived else [~_DELETED, ~_ARCHIVED]
        query = sa.select(t.RUNS_TABLE).select_from(WITH_RECORDS).where(*wanted).order_by(*NEWEST_FIRST)
        return [run_of(row) for row in self.select(query)]

    def find(self, name_or_id: str) -> Run:
        """The run with this id or name, archived or not. QavizError says whether it is deleted, or never was."""
        with self.reading() as connection:
            return find_run(connection, name_or_id, self.folder)

    def golden(self, version: str) -> pl.DataFrame:
        """The golden dataset version with this id (`Run.golden_id`): one row a triplet, GOLDEN_COLUMNS."""
        kept = self._find_recorded(t.GOLDEN_DATASETS_TABLE.c.golden_id, version)
        golden = files.read_columns(files.find_whole(self.folder, files.golden_file(version, kept.checksum)))
        # A file of an earlier version lacks what came later.
        lacking = [column for column in LATER_GOLDEN if column not in golden.columns]
        return golden.with_columns(pl.lit(None, pl.String).alias(column) for column in lacking).select(GOLDEN_COLUMNS)

    def keep_golden(self, transaction: sa.Connection, golden: pl.DataFrame, version: str, now: datetime) -> None:
        """Keep the golden dataset with this `golden_id`, unless it is kept already, in a transaction that names it."""
        this_version = t.GOLDEN_DATASETS_TABLE.c.golden_id == version
        recorded = transaction.scalar(sa.select(t.GOLDEN_DATASETS_TABLE.c.checksum).where(this_version))
        if recorded and files.find_damage(self.folder, files.golden_file(version, recorded)) is None:
            return
        written = files.write_table(self.folder / files.golden_file(version).name, golden.select(GOLDEN_COLUMNS))
        if recorded:
            # The file was lost or damaged: runs of this version can be opened again.
            transaction.execute(sa.update(t.GOLDEN_DATASETS_TABLE).where(this_version).values(checksum=written))
            return
        row = {"golden_id": version, "questions": golden.height, "checksum": written}
        transaction.execute(sa.insert(t.GOLDEN_DATASETS_TABLE).values(**row, created_at=indexes.write_moment(now)))

    def rows(self, run: Run, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The run's diagnosed rows, one a response in the order of the files; or these columns of them."""
        own = None if columns is None else [column for column in columns if column not in OF_GOLDEN]
        if own is not None and QUESTION_ID not in own:
            own = [QUESTION_ID, *own]
        rows = files.read_columns(files.find_whole(self.folder, self._find_files(run)[0]), own)
        if columns is None or set(columns) & set(OF_GOLDEN):
            rows = _with_triplets(rows, self.golden(run.golden_id))
        return rows if columns is None else rows.select(columns)

    def mapped_rows(self, run: Run) -> pl.DataFrame:
        """What `rows` returns, mapped from files that nobody else sees, 1 kB a response, or in memory where the disk
        has no room for them: for a run that stays open."""
        file, golden = files.find_whole(self.folder, self._find_files(run)[0]), self.golden(run.golden_id)
        try:
            return map_tables((_with_triplets(rows, golden) for rows in read_groups(file)), file)
        except QavizError:
            # A full disk, or one that may only be read, is no reason not to read.
            return self.rows(run)

    def read_listed(self, run: Run) -> pl.DataFrame:
        """What loading the run's files listed: kind, where, question_id, pipeline, detail."""
        return files.read_columns(files.find_whole(self.folder, self._find_files(run)[1]))

    def keep_verified(self, run: Run, verified: Verified, by: str | None = None) -> None:
        """Note a verification of the run; earlier ones stay. QavizError if the run is deleted."""
        noted = asdict(verified) | {"verified_at": indexes.write_moment(verified.verified_at), "run_id": run.run_id}
        with self.writing(Deed.VERIFY) as transaction:
            find_run(transaction, run.run_id, self.folder)
            words = f"{verified.compared:,} responses, {verified.differences:,} differences"
            deed = note(transaction, Deed.VERIFY, run.run_id, words, by)
            transaction.execute(sa.insert(t.VERIFICATIONS_TABLE).values(**noted, deed=deed))

    def find_verification(self, run: Run) -> Verified | None:
        """The run's newest verification, or None where there is none."""
        of_run = sa.select(t.VERIFICATIONS_TABLE).where(t.VERIFICATIONS_TABLE.c.run_id == run.run_id)
        newest = of_run.order_by(*newest_first(t.VERIFICATIONS_TABLE, "verified_at")).limit(1)
        return next(iter(self.read_records(Verified, newest, "a verification")), None)

    def clear_unfinished(self) -> None:
        """Remove files that a killed process left half written, where that is allowed. Waits for a save going on."""
        if not os.access(self.folder, os.W_OK):
            return
        with disk_refusals(self.folder):
            files.clear_abandoned(self.folder / files.DRAFTS_FOLDER / files.ROWS)
            if not any(name.endswith(UNFINISHED) for name in files.list_files(self.folder)):
                return
            # Files are only written under the writer's lock: with it in hand, whatever is unfinished is abandoned.
            with self.locking():
                for name in files.list_files(self.folder):
                    if name.endswith(UNFINISHED):
                        (self.folder / name).unlink(missing_ok=True)

    @contextmanager
    def _kept_files(self, run: Run, rows: pl.DataFrame | Draft, listed: pl.DataFrame) -> Iterator[dict[str, str]]:
        """Write the run's files and give their checksums, by the index's names; they go again if the block fails."""
        rows_name, listed_name = (file.name for file in files.run_files(run.run_id))
        with ExitStack() as undo:
            for name in (rows_name, listed_name):
                undo.callback((self.folder / name).unlink, missing_ok=True)
            table = rows.close() if isinstance(rows, Draft) else rows.drop(OF_GOLDEN, strict=False)
            yield {
                "rows_checksum": files.write_table(self.folder / rows_name, table),
                "listed_checksum": files.write_table(self.folder / listed_name, listed),
            }
            undo.pop_all()

    def _find_recorded(self, key: sa.Column[str], value: str) -> sa.Row[Any]:
        """The row with this key. Raises QavizError where there is none."""
        rows = self.select(sa.select(key.table).where(key == value))
        if not rows:
            fix = "Open the workspace in which it was saved."
            raise stop(str(self.folder), f'no "{value}" in the index', "what was saved in this workspace", fix)
        return rows[0]

    def _find_files(self, run: Run) -> tuple[files.StoredFile, files.StoredFile]:
        """The run's file of rows, and that of what was listed for it."""
        kept = self._find_recorded(t.RUNS_TABLE.c.run_id, run.run_id)
        return files.run_files(run.run_id, run.name, kept.rows_checksum, kept.listed_checksum)


def golden_id(golden: pl.DataFrame) -> str:
    """Content hash of a golden dataset, in whichever order, without what came later: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    hashed = [column for column in GOLDEN_COLUMNS if column not in LATER_GOLDEN or golden[column].count()]
    for column in golden.select(hashed).sort(QUESTION_ID).iter_columns():
        digest.update(orjson.dumps([column.name, column.to_list()]))
    return digest.hexdigest()[:16]


def _with_triplets(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """The rows, and before their own columns those of their triplets."""
    # The rows stay where they are: joined whole they would all be copied, at a million some 300 MB.
    triplets = golden.join(rows.select(QUESTION_ID), on=QUESTION_ID, how="right", maintain_order="right")
    return triplets.hstack(rows.drop(QUESTION_ID)).select(*GOLDEN_COLUMNS, pl.exclude(GOLDEN_COLUMNS))


def open_workspace(folder: Path) -> Workspace:
    """The workspace in `folder`, made if missing, its index in the database that QAVIZ_DATABASE_URL names, else in the
    folder. Clears away what a killed process left. Raises QavizError if a newer qaviz has been here, or the environment
    names a bucket."""
    if os.environ.get(STORAGE_VARIABLE):
        fault = "files of a workspace in a bucket, which is gone"
        fix = "With qaviz 0.2.0, `qaviz workspace copy --to FOLDER`; then unset it: docs/team.md."
        raise stop(STORAGE_VARIABLE, fault, "files in the workspace's folder, which every server has mounted", fix)
    return _make_workspace(folder, indexes.index_of(folder))


def open_backup(folder: Path) -> Workspace:
    """The workspace by index and files in its own folder, as a backup has them, whatever the environment names."""
    return _make_workspace(folder, indexes.sqlite_engine(folder / indexes.INDEX_FILE))


def _make_workspace(folder: Path, index: sa.Engine) -> Workspace:
    workspace, index_file = Workspace(folder=folder, index=index), folder / indexes.INDEX_FILE
    if indexes.in_postgresql(index):
        indexes.open_index(index)
        kept = workspace.select(sa.select(t.GOLDEN_DATASETS_TABLE.c.golden_id))
        if kept and not any((folder / files.golden_file(version).name).is_file() for (version,) in kept):
            # Its runs could not be opened here, nor by others what is saved here.
            fault = f"none of the files that the index {indexes.place_of(index)} knows"
            expected = "the folder that everybody who uses this index shares"
            fix = f"Name that folder with --workspace or {WORKSPACE_VARIABLE}."
            raise stop(str(folder), fault, expected, fix)
    elif not index_file.exists() and (runs := sorted((folder / files.RUNS_FOLDER).glob("*.parquet"))):
        # A new index would list none of them.
        fault = f"no index beside {len(runs):,} files of runs ({runs[0].name})"
        expected = "the index that was written with them: it knows their names, labels and versions"
        fix = f"Restore {indexes.INDEX_FILE} from a backup; for a new workspace, choose another folder."
        raise stop(str(index_file), fault, expected, fix)
    with disk_refusals(folder):
        files.make_folders(folder)
    indexes.open_index(index)
    workspace.clear_unfinished()
    return workspace
