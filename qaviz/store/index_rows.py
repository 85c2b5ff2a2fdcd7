"""All rows of an index: read through, and copied from one database into another, whichever of the two kinds."""

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from qaviz.model.errors import Problem, QavizError
from qaviz.store.index import in_postgresql, index_refusals, place_of, reading, version_of
from qaviz.store.tables import MIGRATIONS_TABLE, TABLES

ROWS_AT_A_TIME = 10_000

# In the order in which they are defined: a table stands behind those that its rows refer to.
_OWN = tuple(table for table in TABLES.tables.values() if table is not MIGRATIONS_TABLE)


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
