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
from qaviz.store.migrations import FIRST, MIGRATIONS, migrations_after
from qaviz.store.tables import MIGRATIONS_TABLE

PATIENCE_S = 30
"""Seconds that a writer waits for another one to finish."""

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
        connection.exec_driver_sql(FIRST)
        # Asked again under the lock: another process may have migrated in between.
        done = connection.scalar(sa.select(sa.func.max(MIGRATIONS_TABLE.c.version))) or 0
        for version, statements in migrations_after(done, connection.dialect.name):
            for statement in statements:
                connection.exec_driver_sql(statement)
            connection.execute(
                sa.insert(MIGRATIONS_TABLE).values(version=version, applied_at=datetime.now(UTC).isoformat())
            )
