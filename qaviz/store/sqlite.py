"""The index in an SQLite file: one workspace on one machine."""

import os
import sqlite3
import time
from pathlib import Path

import orjson
import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.pool import ConnectionPoolEntry

from qaviz.model.errors import stop

PATIENCE_S = 30
"""Seconds that a writer waits for another one to finish."""
_PAUSE_S = 0.01

READING = {"begin": "BEGIN"}
"""What makes a connection a reader's."""

EXPECTED = "an index of qaviz with free space around it"
FIX = "Correct that, or restore the file from a backup, then try again; or choose another workspace."

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
_WHERE_BITS_FLIPPED = ("no such table", "no such column", "Could not decode to UTF-8")
"""How SQLite's messages about a damaged name or text begin: they have no code of their own."""
_PRIMARY_CODE = 0xFF


def sqlite_engine(file: Path) -> sa.Engine:
    """The index in this file, which is made when it is opened. `engine.begin()` takes the writer's lock."""
    # No pool: a connection costs 0.2 ms here, and none is left open.
    # And orjson, since the list of 1,000 runs reads 4,000 texts of JSON.
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(file)),
        poolclass=sa.NullPool,
        creator=lambda: connect_to(file),
        json_deserializer=orjson.loads,
    )
    sa.event.listen(engine, "connect", _set_up)
    sa.event.listen(engine, "begin", _begin)
    return engine


def mendable(error: BaseException | None) -> str | None:
    """What the driver refused, in words, where a person can mend it; None where it is a bug."""
    if str(error).startswith(_WHERE_BITS_FLIPPED):
        return _MENDABLE[sqlite3.SQLITE_CORRUPT]
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    if code == sqlite3.SQLITE_IOERR_SHMSIZE:
        return _MENDABLE[sqlite3.SQLITE_FULL]
    return _MENDABLE.get(code & _PRIMARY_CODE)


def connect_to(file: Path) -> sqlite3.Connection:
    """A connection that only reads where the folder may only be read. QavizError if that folder's log is unfinished."""
    if os.access(file.parent, os.W_OK) or not file.is_file():
        connection = sqlite3.connect(file, timeout=PATIENCE_S, check_same_thread=False)
        return _connect_on_full_disk(file, connection) if _lacks_room(connection) else connection
    log, memory = (file.with_name(f"{file.name}-{suffix}") for suffix in ("wal", "shm"))
    if log.exists() and not memory.exists():
        raise stop(
            where=str(log),
            found="changes that are not in the index yet, in a folder that may only be read",
            expected="an index that whoever wrote it has closed",
            fix="Open the workspace once with the right to write to its folder.",
        )
    # Without a log nobody has it open for writing, and SQLite may not make the one that it wants for readers.
    only_read = "mode=ro" if log.exists() else "mode=ro&immutable=1"
    address = f"{file.absolute().as_uri()}?{only_read}"
    return sqlite3.connect(address, uri=True, timeout=PATIENCE_S, check_same_thread=False)


class _OnFullDisk(sqlite3.Connection):
    """A connection that only reads, since the disk has no room for what a writer needs beside the index."""


def _lacks_room(connection: sqlite3.Connection) -> bool:
    """Whether the disk refuses what SQLite wants beside an index that is there, even to read it."""
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode & _PRIMARY_CODE in _NO_ROOM
    except sqlite3.DatabaseError:
        pass  # Whoever asks next is told.
    return False


_NO_ROOM = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)


def _connect_on_full_disk(file: Path, refused: sqlite3.Connection) -> sqlite3.Connection:
    """A connection that reads the index without a file beside it. The refused one where that cannot be."""
    log = file.with_name(f"{file.name}-wal")
    unfinished = log.exists() and log.stat().st_size > 0
    address = file.absolute().as_uri() + ("" if unfinished else "?mode=ro&immutable=1")
    connection = sqlite3.connect(
        address, uri=True, timeout=PATIENCE_S, check_same_thread=False, factory=_OnFullDisk, isolation_level=None
    )
    if unfinished:
        # With the file to itself SQLite keeps in memory what it would keep beside it, and the log can be read.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    if _lacks_room(connection):
        connection.close()
        return refused
    refused.close()
    return connection


def _refuse_on_full_disk(connection: sa.Connection) -> None:
    if isinstance(connection.connection.dbapi_connection, _OnFullDisk):
        raise stop(
            where=str(connection.engine.url.database),
            found="a full disk",
            expected="free space around the index",
            fix="Make room there; until then the workspace can be read and backed up to another disk.",
        )


def _set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # With None the driver leaves BEGIN to `_begin`.
    connection.isolation_level = None
    cursor = connection.cursor()
    _write_ahead(cursor)
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _write_ahead(cursor: DBAPICursor) -> None:
    """Have the file keep a write-ahead log from now on.

    Where two processes make the file at once, SQLite refuses one of them without waiting: it asks again for PATIENCE_S.
    """
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY_CODE != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(_PAUSE_S)


def _begin(connection: sa.Connection) -> None:
    begin = connection.get_execution_options().get("begin", "BEGIN IMMEDIATE")
    if begin != READING["begin"]:
        _refuse_on_full_disk(connection)
    connection.exec_driver_sql(begin)
