"""The index in a PostgreSQL database: one workspace for a team, on any number of machines that share its folder."""

from functools import cache

import sqlalchemy as sa

from qaviz.model.errors import QavizError, stop

DATABASE_VARIABLE = "QAVIZ_DATABASE_URL"
"""The environment variable that names the database; without it the index is a file in the workspace's folder."""

PATIENCE_S = 30
"""Seconds that a writer waits for another one to finish."""

CONNECT_WITHIN_S = 10
"""Seconds that a server may take to answer, where the URL has no `connect_timeout` of its own."""

# A snapshot, as SQLite's readers have one: what several queries say is of one moment.
READING = {"isolation_level": "REPEATABLE READ", "writes": False}
"""What makes a connection a reader's."""

EXPECTED = "a PostgreSQL database that answers and takes what is written"
FIX = f"Correct that on the server, or name another database in {DATABASE_VARIABLE}, then try again."

_EXAMPLE = "postgresql+psycopg://user:password@host:5432/database"

_WRITERS_LOCK = 0x71617669
"""The key of the lock that one writer at a time holds, until its transaction ends, or its process."""


_NOT_IN_ENCODING = "a text that the database's encoding does not have"

# By the SQLSTATE, or its first two letters: what a person can mend.
_MENDABLE = {
    "08": "no connection to the server",
    "22021": _NOT_IN_ENCODING,
    "22P05": _NOT_IN_ENCODING,
    "25006": "a database that may only be read",
    "28": "that the server does not let this user in",
    "3D000": "no such database",
    "3F000": "no such schema",
    "42501": "no right to do that",
    "53100": "a full disk",
    "53200": "no memory left on the server",
    "53300": "too many connections to the server",
    "55P03": "another process writes to it and does not end",
    "57014": "that the server ended a statement that took too long",
    "57P": "that the server is shutting down or starting",
    "58": "a disk error on the server",
    "XX001": "a damaged database",
    "XX002": "a damaged database",
}


def postgresql_engine(address: str) -> sa.Engine:
    """The index in the database at this URL. `engine.begin()` takes the writer's lock.

    Raises QavizError if the text is no URL of a PostgreSQL database, or the driver is not installed. Never says the
    URL: it may hold a password.
    """
    return _make_engine(_read_url(address))


@cache
def _make_engine(url: sa.URL) -> sa.Engine:
    """One pool of connections for each database, however often it is opened: a connection costs 5 to 25 ms."""
    # As UTF-8, whatever the database is in: what it does not have, it then refuses in words.
    options = {"connect_timeout": CONNECT_WITHIN_S, "client_encoding": "utf8"} | dict(url.query)
    try:
        # Asked whether it lives before it is used: a restart of the server is not seen. No limit to how many there are,
        # so that no reader waits for writers that wait for each other.
        engine = sa.create_engine(
            url, pool_pre_ping=True, max_overflow=-1, isolation_level="READ COMMITTED", connect_args=options
        )
    except ImportError as error:
        raise stop(
            where=DATABASE_VARIABLE,
            found=f"a PostgreSQL database, and no driver for it ({error})",
            expected="psycopg",
            fix='pip install "psycopg[binary]"',
        ) from None
    sa.event.listen(engine, "begin", _begin)
    return engine


def _read_url(address: str) -> sa.URL:
    try:
        url = sa.make_url(address)
    except (sa.exc.ArgumentError, ValueError):
        raise _make_url_error("a text that is no database URL") from None
    if url.drivername not in ("postgresql", "postgresql+psycopg"):
        raise _make_url_error(f"a URL of {url.drivername}")
    # What stands behind a stray sign may be half of a password.
    if "@" in f"{url.host}{url.database}":
        raise _make_url_error("a URL with more than one @")
    if not url.database:
        raise _make_url_error("a URL without a database")
    return url.set(drivername="postgresql+psycopg")


def _make_url_error(found: str) -> QavizError:
    return stop(
        where=DATABASE_VARIABLE,
        found=found,
        expected=f"{_EXAMPLE}, with %40 for an @ and %2F for a / in the password",
        fix="Correct the variable, or unset it: then the index is a file in the workspace's folder.",
    )


def place(url: sa.URL) -> str:
    """The database in words: server, user and name, never the password or an option."""
    bare = sa.URL.create("postgresql", url.username, host=url.host, port=url.port, database=url.database)
    return bare.render_as_string()


def mendable(error: BaseException | None) -> str | None:
    """What the driver or the server refused, in words, where a person can mend it; None where it is a bug."""
    code, message = getattr(error, "sqlstate", None), str(error).partition("\n")[0]
    if code:
        return next((words for beginning, words in _MENDABLE.items() if code.startswith(beginning)), None)
    if "NUL (0x00)" in message:
        return "a text with a NUL character, which PostgreSQL does not keep"
    # What the driver says without a code comes from the connection: refused, lost, or never there.
    lost = type(error).__module__.startswith("psycopg") and type(error).__name__ == "OperationalError"
    if lost or message.startswith("invalid connection option"):
        return f"no connection ({message.rpartition(' failed: ')[2]})"
    return None


def _begin(connection: sa.Connection) -> None:
    if connection.get_execution_options().get("writes", True):
        patience = sa.func.set_config("lock_timeout", f"{PATIENCE_S}s", True)
        connection.execute(sa.select(patience, sa.func.pg_advisory_xact_lock(_WRITERS_LOCK)))
