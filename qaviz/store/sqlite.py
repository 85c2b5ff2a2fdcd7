"""The index in an SQLite file: one workspace on one machine."""

import sqlite3
import time
from pathlib import Path

import orjson
import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.pool import ConnectionPoolEntry

PATIENCE_S = 30
"""Seconds that a writer waits for another one to finish."""
_PAUSE_S = 0.01


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
    sa.event.listen(engine, "connect", _set_up)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # With None the driver leaves BEGIN to `_begin`.
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


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes", True) else "BEGIN")
