"""The index in a PostgreSQL database: one workspace for a team, on any number of machines that share its folder."""

from contextlib import suppress
from functools import cache

import sqlalchemy as sa

from qaviz.model.errors import naming_extras, stop

DATABASE_VARIABLE = "QAVIZ_DATABASE_URL"
"""The environment variable that names the database; without it the index is a file in the workspace's folder."""

PATIENCE_S = 30
"""Seconds that a writer waits for another one to finish."""

CONNECT_WITHIN_S = 10
"""Seconds that a server may take to answer, where the URL has no `connect_timeout` of its own."""

_EXAMPLE = "postgresql+psycopg://user:password@host:5432/database"

_WRITERS_LOCK = 0x71617669
"""The key of the lock that one writer at a time holds, until its transaction ends, or its process."""


def postgresql_engine(address: str) -> sa.Engine:
    """The index in the database at this URL. `engine.begin()` takes the writer's lock. Raises QavizError, without the
    URL, which may hold a password, if the text is none or the driver is not installed."""
    return _make_engine(_read_url(address))


@cache
def _make_engine(url: sa.URL) -> sa.Engine:
    """One pool of connections for each database, however often it is opened: a connection costs 5 to 25 ms."""
    # As UTF-8, whatever the database is in: what it does not have, it then refuses in words.
    options = {"connect_timeout": CONNECT_WITHIN_S, "client_encoding": "utf8"} | dict(url.query)
    with naming_extras():
        # Asked whether it lives before it is used: a restart of the server is not seen. No limit to how many there are,
        # so that no reader waits for writers that wait for each other.
        engine = sa.create_engine(
            url, pool_pre_ping=True, max_overflow=-1, isolation_level="READ COMMITTED", connect_args=options
        )
    sa.event.listen(engine, "begin", _begin)
    return engine


def _read_url(address: str) -> sa.URL:
    with suppress(sa.exc.ArgumentError, ValueError):
        url = sa.make_url(address)
        # What stands behind a stray @ may be half of a password.
        plain = bool(url.database) and "@" not in f"{url.host}{url.database}"
        if plain and url.drivername in ("postgresql", "postgresql+psycopg"):
            return url.set(drivername="postgresql+psycopg")
    raise stop(
        where=DATABASE_VARIABLE,
        found="no URL of a PostgreSQL database",
        expected=f"{_EXAMPLE}, with %40 for an @ and %2F for a / in the password",
        fix="Correct the variable, or unset it: then the index is a file in the workspace's folder.",
    )


def describe_place(url: sa.URL) -> str:
    """The database in words: server, user and name, never the password or an option."""
    bare = sa.URL.create("postgresql", url.username, host=url.host, port=url.port, database=url.database)
    return bare.render_as_string()


def _begin(connection: sa.Connection) -> None:
    if connection.get_execution_options().get("writes", True):
        patience = sa.func.set_config("lock_timeout", f"{PATIENCE_S}s", True)
        connection.execute(sa.select(patience, sa.func.pg_advisory_xact_lock(_WRITERS_LOCK)))
