"""The workspace's index: an SQLite database that knows every run without its rows."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from qaviz.model import Problem, QavizError

PATIENCE_S = 30
"""Seconds that a writer waits for another one to finish."""

_tables = sa.MetaData()

MIGRATIONS_TABLE = sa.Table("migrations", _tables, sa.Column("version", sa.Integer), sa.Column("applied_at", sa.Text))

GOLDEN_TABLE = sa.Table(
    "golden_datasets",
    _tables,
    sa.Column("golden_id", sa.Text, primary_key=True),
    sa.Column("questions", sa.Integer),
    sa.Column("created_at", sa.Text),
    sa.Column("checksum", sa.Text),
)

RUNS_TABLE = sa.Table(
    "runs",
    _tables,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text),
    sa.Column("created_at", sa.Text),
    sa.Column("golden_id", sa.Text),
    sa.Column("pipelines", sa.JSON),
    sa.Column("questions", sa.Integer),
    sa.Column("responses", sa.Integer),
    sa.Column("thresholds", sa.JSON),
    sa.Column("engine", sa.Text),
    sa.Column("sources", sa.JSON),
    sa.Column("listed_counts", sa.JSON),
    sa.Column("rows_checksum", sa.Text),
    sa.Column("listed_checksum", sa.Text),
)

VERIFICATIONS_TABLE = sa.Table(
    "verifications",
    _tables,
    sa.Column("run_id", sa.Text),
    sa.Column("verified_at", sa.Text),
    sa.Column("version", sa.Text),
    sa.Column("compared", sa.Integer),
    sa.Column("differences", sa.Integer),
)

BERTSCORES_TABLE = sa.Table(
    "bertscores",
    _tables,
    sa.Column("model", sa.Text, primary_key=True),
    sa.Column("pair", sa.LargeBinary, primary_key=True),
    sa.Column("bertscore", sa.Float),
)

LABELS_TABLE = sa.Table(
    "labels",
    _tables,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("run_id", sa.Text),
    sa.Column("question_id", sa.Text),
    sa.Column("pipeline", sa.Text),
    sa.Column("label", sa.Text),
    sa.Column("labelled_by", sa.Text),
    sa.Column("labelled_at", sa.Text),
)

GOLDEN_VERSIONS_TABLE = sa.Table(
    "golden_versions",
    _tables,
    sa.Column("line", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("golden_id", sa.Text),
    sa.Column("parent", sa.Text),
    sa.Column("made_at", sa.Text),
    sa.Column("made_by", sa.Text),
    sa.Column("why", sa.Text),
)

GOLDEN_EDITS_TABLE = sa.Table(
    "golden_edits",
    _tables,
    sa.Column("line", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("question_id", sa.Text),
    sa.Column("field", sa.Text),
    sa.Column("before", sa.Text),
    sa.Column("after", sa.Text),
    sa.Column("rule", sa.Text),
)

REJECTIONS_TABLE = sa.Table(
    "rejections",
    _tables,
    sa.Column("line", sa.Text, primary_key=True),
    sa.Column("question_id", sa.Text, primary_key=True),
    sa.Column("rule", sa.Text, primary_key=True),
    sa.Column("proposed", sa.Text, primary_key=True),
    sa.Column("rejected_by", sa.Text),
    sa.Column("rejected_at", sa.Text),
)

POLICIES_TABLE = sa.Table(
    "policies",
    _tables,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("policy", sa.JSON),
    sa.Column("set_at", sa.Text),
)

# Each migration is applied once, in order, and never edited: workspaces out there have run it.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE golden_datasets (
            golden_id TEXT PRIMARY KEY,
            questions INTEGER NOT NULL,
            created_at TEXT NOT NULL,
            checksum TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE runs (
            run_id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            created_at TEXT NOT NULL,
            golden_id TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            pipelines TEXT NOT NULL,
            questions INTEGER NOT NULL,
            responses INTEGER NOT NULL,
            thresholds TEXT NOT NULL,
            engine TEXT NOT NULL,
            sources TEXT NOT NULL,
            set_aside TEXT NOT NULL,
            rows_checksum TEXT NOT NULL,
            listed_checksum TEXT NOT NULL
        )
        """,
    ),
    # It counts all that loading listed, not only what was set aside.
    ("ALTER TABLE runs RENAME COLUMN set_aside TO listed_counts",),
    (
        """
        CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        )
        """,
    ),
    # Of pairs of texts, not of runs: what one run has compared, the next one knows.
    (
        """
        CREATE TABLE bertscores (
            model TEXT NOT NULL,
            pair BLOB NOT NULL,
            bertscore REAL NOT NULL,
            PRIMARY KEY (model, pair)
        ) WITHOUT ROWID
        """,
    ),
    # AUTOINCREMENT: the number of a label that was taken back is not given again, so that caches can go by it.
    (
        """
        CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        )
        """,
        "CREATE INDEX labels_of_run ON labels (run_id, labelled_by)",
    ),
    # A line is the golden dataset that was imported, by its content hash, and what became of it. It is version 1 of its
    # line and stands in golden_datasets; an edit and a rejection belong to the line, whatever run shows it.
    (
        """
        CREATE TABLE golden_versions (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            number INTEGER NOT NULL,
            golden_id TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            parent TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            made_at TEXT NOT NULL,
            made_by TEXT NOT NULL,
            why TEXT NOT NULL,
            PRIMARY KEY (line, number)
        )
        """,
        "CREATE INDEX lines_of_golden ON golden_versions (golden_id)",
        """
        CREATE TABLE golden_edits (
            line TEXT NOT NULL,
            number INTEGER NOT NULL,
            place INTEGER NOT NULL,
            question_id TEXT NOT NULL,
            field TEXT NOT NULL,
            before TEXT,
            after TEXT,
            rule TEXT,
            PRIMARY KEY (line, number, place),
            FOREIGN KEY (line, number) REFERENCES golden_versions (line, number)
        )
        """,
        """
        CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        )
        """,
    ),
    (
        """
        CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        )
        """,
    ),
)

# What a person can mend: a full or broken disk, a missing right, a file that is no database, a writer that never ends.
_MENDABLE = {
    sqlite3.SQLITE_BUSY: "another process writes to it and does not end",
    sqlite3.SQLITE_PERM: "no right to open it",
    sqlite3.SQLITE_READONLY: "no right to write to it",
    sqlite3.SQLITE_IOERR: "a disk error",
    sqlite3.SQLITE_FULL: "a full disk",
    sqlite3.SQLITE_CANTOPEN: "a file that cannot be opened",
    sqlite3.SQLITE_CORRUPT: "a damaged database",
    sqlite3.SQLITE_NOTADB: "a file that is not an SQLite database",
}
_PRIMARY_CODE = 0xFF


@contextmanager
def index_refusals(file: Path) -> Iterator[None]:
    """Turn what the database refuses, where a person can mend it, into a QavizError that names `file`."""
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        # Opening a connection raises the driver's own exception, statements raise SQLAlchemy's around it.
        code = getattr(getattr(error, "orig", error), "sqlite_errorcode", sqlite3.SQLITE_OK)
        found = _MENDABLE.get(code & _PRIMARY_CODE)
        if found is None:
            raise
        raise QavizError(
            Problem(
                where=str(file),
                found=found,
                expected="an index of qaviz with free space around it",
                fix="Mend that or restore the file from a backup, then try again; or choose another workspace.",
            )
        ) from error


def open_index(file: Path) -> sa.Engine:
    """Open the index, brought up to this qaviz's migrations; made if missing. `engine.begin()` takes the writer's lock.

    Raises QavizError, and changes nothing, if a newer qaviz has been here or the file is no index.
    """
    engine = _engine(file)
    with index_refusals(file):
        if _applied(engine, file) < len(MIGRATIONS):
            _migrate(engine)
    return engine


def _engine(file: Path) -> sa.Engine:
    # No pool: a connection costs 0.2 ms here, and none is left open.
    engine = sa.create_engine(f"sqlite:///{file}", poolclass=sa.NullPool, connect_args={"timeout": PATIENCE_S})
    sa.event.listen(engine, "connect", _set_up)
    sa.event.listen(engine, "begin", _begin)
    return engine


def version_of(file: Path) -> int | None:
    """How many migrations the index has been through; None where there is no index. Changes nothing.

    Raises QavizError as `open_index` does.
    """
    if not file.is_file():
        return None
    with index_refusals(file):
        return _applied(_engine(file), file)


def reading(engine: sa.Engine) -> sa.Engine:
    """The same index for readers, who never wait for a writer."""
    return engine.execution_options(begin="BEGIN")


def _set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # With None the driver leaves BEGIN to `_begin`.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN IMMEDIATE"))


def _applied(engine: sa.Engine, file: Path) -> int:
    with reading(engine).connect() as connection:
        if not sa.inspect(connection).has_table(MIGRATIONS_TABLE.name):
            return 0
        version: int = connection.scalar(sa.select(sa.func.max(MIGRATIONS_TABLE.c.version))) or 0
    if version > len(MIGRATIONS):
        raise QavizError(
            Problem(
                where=str(file),
                found=f"a workspace of a newer qaviz (version {version})",
                expected=f"version {len(MIGRATIONS)} or older",
                fix="Install that qaviz, or choose another workspace. Nothing was changed.",
            )
        )
    return version


def _migrate(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)"
        )
        # Asked again under the lock: another process may have migrated in between.
        done = connection.scalar(sa.select(sa.func.max(MIGRATIONS_TABLE.c.version))) or 0
        for version, statements in enumerate(MIGRATIONS[done:], start=done + 1):
            for statement in statements:
                connection.exec_driver_sql(statement)
            connection.execute(
                sa.insert(MIGRATIONS_TABLE).values(version=version, applied_at=datetime.now(UTC).isoformat())
            )
