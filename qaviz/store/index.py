"""The workspace's index: a database that knows every run without its rows. An SQLite file, or in PostgreSQL; read
through and copied whole.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from json import JSONDecodeError
from pathlib import Path
from typing import Any

import polars as pl
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as insert_in_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_in_sqlite

from qaviz.model.errors import Problem, QavizError
from qaviz.store import postgresql, sqlite
from qaviz.store.migrations import FIRST, MIGRATIONS, migrations_after
from qaviz.store.postgresql import DATABASE_VARIABLE, postgresql_engine
from qaviz.store.sqlite import sqlite_engine
from qaviz.store.storage import STORAGE_VARIABLE, configured_address
from qaviz.store.tables import MIGRATIONS_TABLE, TABLES

INDEX_FILE = "qaviz.db"

ROWS_AT_A_TIME = 10_000

# In the order in which they are defined: a table stands behind those that its rows refer to.
_OWN = tuple(table for table in TABLES.tables.values() if table is not MIGRATIONS_TABLE)


def index_of(folder: Path) -> sa.Engine:
    """The index of the workspace in `folder`, not looked at yet: what QAVIZ_DATABASE_URL names, else its `qaviz.db`.

    Raises QavizError if the variable holds no URL of a PostgreSQL database, or the driver is not installed.
    """
    address = os.environ.get(DATABASE_VARIABLE)
    return postgresql_engine(address) if address else sqlite_engine(folder / INDEX_FILE)


def in_postgresql(index: sa.Engine) -> bool:
    """Whether the index is in PostgreSQL, and not a file in the workspace's folder."""
    return index.dialect.name == "postgresql"


def place_of(index: sa.Engine) -> str:
    """Where the index is, in words and without a password: a file's path, or server, user and database."""
    return postgresql.place(index.url) if in_postgresql(index) else str(index.url.database)


def index_in_words(index: sa.Engine, folder: Path) -> str:
    """Which index the workspace in `folder` uses, and which bucket if there is one, without a password."""
    if not in_postgresql(index):
        return f"the index is the file {place_of(index)}"
    beside = f"; the file {INDEX_FILE} in the folder is not read" if (folder / INDEX_FILE).exists() else ""
    bucket = configured_address()
    files = f"; the files are in {bucket}, as {STORAGE_VARIABLE} says" if bucket else ""
    return f"the index is {place_of(index)}, as {DATABASE_VARIABLE} says{beside}{files}"


@contextmanager
def index_refusals(index: sa.Engine) -> Iterator[None]:
    """Turn what the database refuses, where a person can mend it, into a QavizError that names the index."""
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        # Opening a connection to SQLite raises the driver's own exception, all else SQLAlchemy's around it.
        database = postgresql if in_postgresql(index) else sqlite
        found = database.mendable(getattr(error, "orig", error))
        if found is None:
            raise
        raise QavizError(
            Problem(
                where=place_of(index),
                found=found,
                expected=database.EXPECTED,
                fix=database.FIX,
            )
        ) from error
    except (JSONDecodeError, UnicodeDecodeError) as error:
        raise QavizError(_damage_problem(place_of(index), f"a text that qaviz never wrote there ({error})")) from error


@contextmanager
def as_written(entry: str) -> Iterator[None]:
    """Turn values that qaviz never wrote into an entry of the index, such as a date that is none, into a QavizError."""
    try:
        yield
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise QavizError(
            _damage_problem(f"index, {entry}", f"a value that qaviz never wrote there ({error})")
        ) from error


def _damage_problem(where: str, found: str) -> Problem:
    return Problem(
        where=where,
        found=found,
        expected="the index as it was written",
        fix="Restore the workspace from a backup.",
    )


def open_index(index: sa.Engine) -> sa.Engine:
    """The index, brought up to this qaviz's migrations; made if missing.

    Raises QavizError, and changes nothing, if a newer qaviz has been here or it is no index.
    """
    with index_refusals(index):
        if _read_version(index) < len(MIGRATIONS):
            _migrate(index)
    return index


def version_of(index: sa.Engine) -> int | None:
    """How many migrations the index has been through; None where there is no index. Changes nothing.

    Raises QavizError as `open_index` does.
    """
    if not in_postgresql(index) and not Path(place_of(index)).is_file():
        return None
    with index_refusals(index):
        return _read_version(index) or None


def reading(index: sa.Engine) -> sa.Engine:
    """The same index for readers, who never wait for a writer."""
    return index.execution_options(**(postgresql.READING if in_postgresql(index) else sqlite.READING))


def insert_new(transaction: sa.Connection, table: sa.Table, rows: Sequence[dict[str, Any]]) -> int:
    """Insert those of the rows whose key the table does not have yet. Returns how many."""
    insert = insert_in_postgresql if in_postgresql(transaction.engine) else insert_in_sqlite
    return transaction.execute(insert(table).on_conflict_do_nothing(), rows).rowcount


def _read_version(index: sa.Engine) -> int:
    with reading(index).connect() as connection:
        if not sa.inspect(connection).has_table(MIGRATIONS_TABLE.name):
            return 0
        version: int = connection.scalar(sa.select(sa.func.max(MIGRATIONS_TABLE.c.version))) or 0
    if version > len(MIGRATIONS):
        raise QavizError(
            Problem(
                where=place_of(index),
                found=f"a workspace of a newer qaviz (version {version})",
                expected=f"version {len(MIGRATIONS)} or older",
                fix="Install that qaviz, or choose another workspace. Nothing was changed.",
            )
        )
    return version


def _migrate(index: sa.Engine) -> None:
    with index.begin() as connection:
        connection.exec_driver_sql(FIRST)
        # Asked again under the lock: another process may have migrated in between.
        done = connection.scalar(sa.select(sa.func.max(MIGRATIONS_TABLE.c.version))) or 0
        for version, statements in migrations_after(done, connection.dialect.name):
            for statement in statements:
                connection.exec_driver_sql(statement)
            connection.execute(
                sa.insert(MIGRATIONS_TABLE).values(version=version, applied_at=datetime.now(UTC).isoformat())
            )


def read_through(connection: sa.Connection) -> None:
    """Read every column of every row: what the database cannot read it refuses, as an exception of its own."""
    for table in _OWN:
        for _ in _parts(connection, table):
            pass


def copy_rows(source: sa.Connection, target: sa.Connection) -> None:
    """Copy the rows of all tables into the empty tables of `target`, which goes on counting where `source` stands.

    Raises QavizError if one of the tables has a row: of two who fill one database at once, the second is told.
    """
    _refuse_rows(target)
    for table in _OWN:
        for rows in _parts(source, table):
            target.execute(sa.insert(table), rows)
        if in_postgresql(target.engine):
            _count_on(target, table)


def refuse_filled(index: sa.Engine) -> None:
    """Raise QavizError if the index, in a database that may have none yet, has a row in any table."""
    if version_of(index) is None:
        return
    with index_refusals(index), reading(index).connect() as connection:
        _refuse_rows(connection)


def _refuse_rows(connection: sa.Connection) -> None:
    there = set(sa.inspect(connection).get_table_names())
    filled = [
        table.name
        for table in _OWN
        if table.name in there and connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first()
    ]
    if filled:
        raise QavizError(
            Problem(
                where=place_of(connection.engine),
                found=f"an index with rows in {', '.join(filled)}",
                expected="an empty database",
                fix="Name an empty database: nothing is ever overwritten.",
            )
        )


def _parts(connection: sa.Connection, table: sa.Table) -> Iterator[Sequence[dict[str, Any]]]:
    streamed = connection.execution_options(yield_per=ROWS_AT_A_TIME).execute(sa.select(table))
    for part in streamed.mappings().partitions():
        yield [dict(row) for row in part]


def _count_on(target: sa.Connection, table: sa.Table) -> None:
    """Let the next row that gets its number from PostgreSQL get one that no row has."""
    for column in sa.inspect(target).get_columns(table.name):
        if "identity" in column:
            highest = target.scalar(sa.select(sa.func.max(table.c[column["name"]])))
            if highest is not None:
                counter = sa.func.pg_get_serial_sequence(table.name, column["name"])
                target.execute(sa.select(sa.func.setval(counter, highest)))
