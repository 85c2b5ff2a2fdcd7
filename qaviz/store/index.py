"""The workspace's index: a database that knows every run without its rows; opened, read through and copied whole.

It is an SQLite file, of a workspace on one machine; or a PostgreSQL database, of a workspace for a team on any number
of machines that share its folder.
"""

import os
import re
import sqlite3
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from json import JSONDecodeError
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_type_hints

import orjson
import polars as pl
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from qaviz.model.errors import Problem, QavizError, naming_extras, stop
from qaviz.store.tables import MIGRATIONS_TABLE, TABLES

if TYPE_CHECKING:
    from pydantic import TypeAdapter

INDEX_FILE = "qaviz.db"

Kinds = Mapping[str, pl.DataType | type[pl.DataType]]

ROWS_AT_A_TIME = 10_000

_SPELLED = {
    "text": ("TEXT", 'TEXT COLLATE "C"'),
    "integer": ("INTEGER", "BIGINT"),
    "json": ("TEXT", "JSON"),
    "with_views": ("", "CASCADE"),
}
"""The names in braces of migrations.sql, as SQLite and as PostgreSQL spells them."""

OLDEST = 21
"""The oldest version that is brought up: what qaviz 0.2.0 wrote."""
_WITHOUT_PROJECTS = 27
"""The first version in which a project is a workspace of its own."""


def _read_migrations() -> dict[int, list[str]]:
    """The statements of each migration in migrations.sql, by its number, in order."""
    written = Path(__file__).with_name("migrations.sql").read_text("utf-8")
    _, *parts = re.split(r"^-- migration (\d+)$", written, flags=re.MULTILINE)
    bare = (re.sub(r"^--.*\n", "", part, flags=re.MULTILINE).strip() for part in parts[1::2])
    return {int(number): part.removesuffix(";").split(";\n") for number, part in zip(parts[::2], bare, strict=True)}


MIGRATIONS = _read_migrations()
NEWEST = max(MIGRATIONS)


def migrations_after(version: int, database: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the statements of each migration after this one, as `sqlite` or `postgresql` spells them."""
    spelled = {name: spelling[database == "postgresql"] for name, spelling in _SPELLED.items()}
    for number, statements in MIGRATIONS.items():
        if number > version:
            yield number, [statement.format(**spelled) for statement in statements]


PATIENCE_S = 30
"""Seconds that a writer waits for another one to finish."""

DATABASE_VARIABLE = "QAVIZ_DATABASE_URL"
"""The environment variable that names the database; without it the index is a file in the workspace's folder."""

_WRITERS_LOCK = 0x71617669
"""The key of the lock that one writer at a time holds, until its transaction ends, or its process."""


def sqlite_engine(file: Path) -> sa.Engine:
    """The index in this file, which is made when it is opened. `engine.begin()` takes the writer's lock."""
    # No pool: a connection costs 0.2 ms here, and none is left open.
    # And orjson, since the list of 1,000 runs reads 4,000 texts of JSON.
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(file)),
        poolclass=sa.NullPool,
        connect_args={"timeout": PATIENCE_S, "check_same_thread": False},
        json_deserializer=orjson.loads,
    )
    sa.event.listen(engine, "connect", _set_up_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # With None the driver leaves BEGIN to `_begin_sqlite`.
    connection.isolation_level = None
    cursor, until = connection.cursor(), time.monotonic() + PATIENCE_S
    # Where two processes make the file at once, SQLite refuses one of them a write-ahead log without waiting.
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.01)
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes", True) else "BEGIN")


@cache
def postgresql_engine(address: str) -> sa.Engine:
    """The index in the database at this URL. `engine.begin()` takes the writer's lock. Raises QavizError, without the
    URL, which may hold a password, if the text is none or the driver is not installed. One pool of connections for each
    database, however often it is opened: a connection costs 5 to 25 ms."""
    url = _read_url(address)
    # As UTF-8, whatever the database is in: what it does not have, it then refuses in words.
    options = {"connect_timeout": 10, "client_encoding": "utf8"} | dict(url.query)
    with naming_extras():
        # Asked whether it lives before it is used: a restart of the server is not seen. No limit to how many there are,
        # so that no reader waits for writers that wait for each other.
        engine = sa.create_engine(
            url, pool_pre_ping=True, max_overflow=-1, isolation_level="READ COMMITTED", connect_args=options
        )
    sa.event.listen(engine, "begin", _begin_postgresql)
    return engine


def _read_url(address: str) -> sa.URL:
    with suppress(sa.exc.ArgumentError, ValueError):
        url = sa.make_url(address)
        # What stands behind a stray @ may be half of a password.
        plain = bool(url.database) and "@" not in f"{url.host}{url.database}"
        if plain and url.drivername in ("postgresql", "postgresql+psycopg"):
            return url.set(drivername="postgresql+psycopg")
    fault = "no URL of a PostgreSQL database"
    fix = "Correct the variable, or unset it: then the index is a file in the workspace's folder."
    example = "postgresql+psycopg://user:password@host:5432/database"
    raise stop(DATABASE_VARIABLE, fault, f"{example}, with %40 for an @ and %2F for a / in the password", fix)


def _begin_postgresql(connection: sa.Connection) -> None:
    if connection.get_execution_options().get("writes", True):
        patience = sa.func.set_config("lock_timeout", f"{PATIENCE_S}s", True)
        connection.execute(sa.select(patience, sa.func.pg_advisory_xact_lock(_WRITERS_LOCK)))


def write_moment(moment: datetime | None = None) -> str:
    """The moment, now if none is given, as the index keeps it: ISO, UTC, in an order that texts have too."""
    return (moment or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="microseconds")


def read_rows(connection: sa.Connection, query: sa.Executable, schema: Kinds) -> pl.DataFrame:
    """What the query finds, as a table of this schema, whose columns the query has in this order."""
    return pl.DataFrame([tuple(row) for row in connection.execute(query)], schema=schema, orient="row")


def index_of(folder: Path) -> sa.Engine:
    """The index of the workspace in `folder`, not looked at yet: what QAVIZ_DATABASE_URL names, else its `qaviz.db`."""
    address = os.environ.get(DATABASE_VARIABLE)
    return postgresql_engine(address) if address else sqlite_engine(folder / INDEX_FILE)


def in_postgresql(index: sa.Engine) -> bool:
    """Whether the index is in PostgreSQL, and not a file in the workspace's folder."""
    return index.dialect.name == "postgresql"


def place_of(index: sa.Engine) -> str:
    """Where the index is: a file's path; or server, user and database, never the password or an option."""
    url = index.url
    if not in_postgresql(index):
        return str(url.database)
    bare = sa.URL.create("postgresql", url.username, host=url.host, port=url.port, database=url.database)
    return bare.render_as_string()


@contextmanager
def index_refusals(index: sa.Engine) -> Iterator[None]:
    """Turn a refusal of the database that a person can mend into a QavizError that names the index."""
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        # Opening a connection to SQLite raises the driver's own exception, all else SQLAlchemy's around it.
        cause = getattr(error, "orig", None) or error
        kinds, code = {kind.__name__ for kind in type(cause).__mro__}, getattr(cause, "sqlstate", "no code of SQL")
        if {"IntegrityError", "InterfaceError"} & kinds or ("ProgrammingError" in kinds and code not in _MENDABLE):
            raise  # a bug
        words = str(cause).partition("\n")[0]
        if code is None and "DataError" not in kinds:
            words = f"no connection ({words.rpartition(' failed: ')[2]})"
        fix = "Correct that on its disk or server, or restore it from a backup, then try again."
        raise stop(place_of(index), words, "an index of qaviz that answers and takes what is written", fix) from error
    except (JSONDecodeError, UnicodeDecodeError) as error:
        raise QavizError(_damage_problem(place_of(index), f"a text that qaviz never wrote there ({error})")) from error


_MENDABLE = ("42501", "3F000", None)
"""Errors of PostgreSQL as of a program that are none: no right, no such schema, an option that no connection has."""

Record = TypeVar("Record")


def read_record(kind: type[Record], row: Mapping[Any, Any], entry: str) -> Record:
    """The record of this dataclass that a row is; texts are read as its fields say, other columns left out. Raises
    QavizError, naming the `entry`, for what qaviz never wrote there."""
    reader, times = _make_reader(cast("Hashable", kind))
    with as_written(entry):
        # Not by pydantic, whose UTC is not Python's.
        read = {name: datetime.fromisoformat(row[name]) for name in times if isinstance(row.get(name), str)}
        return cast("Record", reader.validate_python({**row, **read}))


@cache
def _make_reader(kind: Hashable) -> "tuple[TypeAdapter[Any], list[str]]":
    """What makes records of the dataclass, and its fields that are times."""
    from pydantic import TypeAdapter  # takes longer to import than a list of runs to read

    hints = get_type_hints(kind)
    times = [name for name, hint in hints.items() if datetime in (hint, *get_args(hint))]
    return TypeAdapter(cast("type", kind)), times


@contextmanager
def as_written(entry: str) -> Iterator[None]:
    """Turn the error of reading an entry of the index that qaviz never wrote so into a QavizError."""
    try:
        yield
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        words = " ".join(str(error).partition("\n    For further")[0].split())  # pydantic's, without its address
        raise QavizError(
            _damage_problem(f"index, {entry}", f"a value that qaviz never wrote there ({words})")
        ) from error


def _damage_problem(where: str, fault: str) -> Problem:
    expected = "the index as it was written"
    return Problem(where=where, found=fault, expected=expected, fix="Restore the workspace from a backup.")


def open_index(index: sa.Engine) -> sa.Engine:
    """The index, brought up to this qaviz's migrations; made if missing. Raises QavizError, and changes nothing, if a
    newer qaviz has been here, an index is older than OLDEST or has projects still, or it is no index."""
    with index_refusals(index):
        if _read_version(index) < NEWEST:
            with index.begin() as connection:
                migrate(connection)
    return index


def version_of(index: sa.Engine) -> int | None:
    """How many migrations the index has been through; None where there is no index. Changes nothing."""
    if not in_postgresql(index) and not Path(place_of(index)).is_file():
        return None
    with index_refusals(index):
        return _read_version(index) or None


def reading(index: sa.Engine) -> sa.Engine:
    """The same index for readers, who never wait for a writer."""
    # A snapshot in PostgreSQL too, as SQLite's readers have one: what several queries say is of one moment.
    snapshot = {"isolation_level": "REPEATABLE READ"} if in_postgresql(index) else {}
    return index.execution_options(writes=False, **snapshot)


def insert_new(transaction: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, object]]) -> int:
    """Insert those of the rows whose key the table does not have yet. Returns how many."""
    return transaction.execute(_insert(transaction, table).on_conflict_do_nothing(), rows).rowcount


def put_rows(transaction: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert the rows, each in place of the row that has its key."""
    insert, key = _insert(transaction, table), list(table.primary_key)
    values = {name: column for name, column in insert.excluded.items() if name not in table.primary_key}
    transaction.execute(insert.on_conflict_do_update(index_elements=key, set_=values), rows)


def _insert(transaction: sa.Connection, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    return postgresql.insert(table) if in_postgresql(transaction.engine) else sqlite.insert(table)


def _read_version(index: sa.Engine) -> int:
    with reading(index).connect() as connection:
        if not sa.inspect(connection).has_table(MIGRATIONS_TABLE.name):
            return 0
        version: int = connection.scalar(sa.select(sa.func.max(MIGRATIONS_TABLE.c.version))) or 0
    if version > NEWEST:
        where = place_of(index)
        fix = "Install that qaviz, or choose another workspace. Nothing was changed."
        raise stop(where, f"a workspace of a newer qaviz (version {version})", f"version {NEWEST} or older", fix)
    return version


def migrate(connection: sa.Connection, last: int = NEWEST) -> None:
    """Bring the index up to the version `last` within a transaction, or make it."""
    MIGRATIONS_TABLE.create(connection, checkfirst=True)
    # Asked under the lock: another process may have migrated in between.
    done = connection.scalar(sa.select(sa.func.max(MIGRATIONS_TABLE.c.version))) or 0
    if not done:
        TABLES.create_all(connection)
        _note_version(connection, NEWEST)
        return
    if done < OLDEST:
        where = place_of(connection.engine)
        fix = "Open it once with qaviz 0.2.0, then with this one. Nothing was changed."
        raise stop(where, f"a workspace of version {done}, from before qaviz 0.2.0", f"version {OLDEST} or newer", fix)
    if done < _WITHOUT_PROJECTS <= last and (projects := list_projects(connection)):
        fix = "Give each its own: qaviz workspace split FOLDER (docs/team.md). Nothing was changed."
        fault = f"projects: {', '.join(projects)}"
        raise stop(place_of(connection.engine), fault, "a workspace for each project", fix)
    for version, statements in migrations_after(done, connection.dialect.name):
        if version <= last:
            for statement in statements:
                connection.exec_driver_sql(statement)
            _note_version(connection, version)


def _note_version(connection: sa.Connection, version: int) -> None:
    connection.execute(sa.insert(MIGRATIONS_TABLE).values(version=version, applied_at=write_moment()))


def list_projects(connection: sa.Connection) -> list[str]:
    """The projects that have a run, a golden dataset or a member, of an index of before _WITHOUT_PROJECTS."""
    query = """SELECT project FROM run_records WHERE project IS NOT NULL UNION SELECT project FROM project_golden
        UNION SELECT project FROM members WHERE project <> '' ORDER BY 1"""
    return list(connection.scalars(sa.text(query)))


def read_parts(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Yield the rows that the query finds, ROWS_AT_A_TIME at once."""
    for part in connection.execute(query, execution_options={"yield_per": ROWS_AT_A_TIME}).mappings().partitions():
        yield [dict(row) for row in part]
