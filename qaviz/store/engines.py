"""The engines of an index: in an SQLite file, one workspace on one machine; or in a PostgreSQL database, one workspace
for a team on any number of machines that share its folder."""

import sqlite3
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import orjson
import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.pool import ConnectionPoolEntry

from qaviz.model.errors import naming_extras, stop

PATIENCE_S = 30
"""Seconds that a writer waits for another one to finish."""
_PAUSE_S = 0.01

DATABASE_VARIABLE = "QAVIZ_DATABASE_URL"
"""The environment variable that names the database; without it the index is a file in the workspace's folder."""

CONNECT_WITHIN_S = 10
"""Seconds that a server may take to answer, where the URL has no `connect_timeout` of its own."""

_EXAMPLE = "postgresql+psycopg://user:password@host:5432/database"

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
    cursor = connection.cursor()
    _write_ahead(cursor)
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _write_ahead(cursor: DBAPICursor) -> None:
    """Have the file keep a write-ahead log from now on. Where two processes make it at once, SQLite refuses one of them
    without waiting: it asks again for PATIENCE_S."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(_PAUSE_S)


def _begin_sqlite(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes", True) else "BEGIN")


@cache
def postgresql_engine(address: str) -> sa.Engine:
    """The index in the database at this URL. `engine.begin()` takes the writer's lock. Raises QavizError, without the
    URL, which may hold a password, if the text is none or the driver is not installed. One pool of connections for each
    database, however often it is opened: a connection costs 5 to 25 ms."""
    url = _read_url(address)
    # As UTF-8, whatever the database is in: what it does not have, it then refuses in words.
    options = {"connect_timeout": CONNECT_WITHIN_S, "client_encoding": "utf8"} | dict(url.query)
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
    raise stop(DATABASE_VARIABLE, fault, f"{_EXAMPLE}, with %40 for an @ and %2F for a / in the password", fix)


def _begin_postgresql(connection: sa.Connection) -> None:
    if connection.get_execution_options().get("writes", True):
        patience = sa.func.set_config("lock_timeout", f"{PATIENCE_S}s", True)
        connection.execute(sa.select(patience, sa.func.pg_advisory_xact_lock(_WRITERS_LOCK)))
