"""What the index knows of runs: which there are, and which one a name means. Asked over a connection of its own."""

from pathlib import Path
from typing import Any, NoReturn

import sqlalchemy as sa

from qaviz.model.errors import stop
from qaviz.model.records import Run
from qaviz.store.audit_log import newest_first
from qaviz.store.index import read_record
from qaviz.store.tables import NAME_OF_RUN, RUN_RECORDS_TABLE, RUNS_TABLE, as_kept

_RUN, _RECORD = RUNS_TABLE.c, RUN_RECORDS_TABLE.c
WITH_RECORDS = RUNS_TABLE.join(RUN_RECORDS_TABLE, _RUN.run_id == _RECORD.run_id)
NEWEST_FIRST = (*newest_first(RUNS_TABLE, "created_at"), _RUN.run_id.desc())
_ARCHIVED, _DELETED = _RECORD.archived_at.is_not(None), _RECORD.deleted_at.is_not(None)


def runs_in(connection: sa.Connection, *, archived: bool) -> list[Run]:
    """The runs that are neither deleted nor, unless they are asked for, archived; newest first."""
    wanted = [~_DELETED] if archived else [~_DELETED, ~_ARCHIVED]
    query = sa.select(RUNS_TABLE).select_from(WITH_RECORDS).where(*wanted).order_by(*NEWEST_FIRST)
    return [run_of(row) for row in connection.execute(query)]


def find_run(connection: sa.Connection, name_or_id: str, folder: Path) -> Run:
    """The run with this id or name, archived or not. QavizError says that it is deleted, or which runs there are."""
    wanted = as_kept(name_or_id)
    called = sa.or_(_RUN.run_id == wanted, _RUN.name == wanted)
    row = connection.execute(sa.select(RUNS_TABLE).select_from(WITH_RECORDS).where(called, ~_DELETED)).first()
    if row is None:
        refuse_gone(connection, wanted, folder)
    return run_of(row)


def refuse_gone(connection: sa.Connection, wanted: str, folder: Path) -> NoReturn:
    """Raise the QavizError that says that the run with this id or name is deleted, or that there is none."""
    called = sa.or_(_RECORD.run_id == wanted, _RECORD.deleted_name == wanted)
    query = sa.select(RUN_RECORDS_TABLE).where(_DELETED, called).order_by(_RECORD.deleted_at.desc())
    if gone := connection.execute(query).first():
        raise stop(
            where=f'run "{gone.deleted_name}"',
            found=f"that {gone.deleted_by} deleted it on {gone.deleted_at[:10]}",
            expected="a run that is not deleted",
            fix=f"Bring it back on the page Runs, under Deleted, or with `qaviz runs undelete {gone.run_id}`.",
        )
    fix = "Look it up on the page Runs, or with `qaviz runs list`."
    raise stop(str(folder), f'no run "{wanted}"', "the name or id of a run", fix)


def refuse_taken(connection: sa.Connection, name: str) -> None:
    """Raise QavizError if a run that is not deleted has this name, or any run this id."""
    same = sa.or_(_RUN.name == name, _RUN.run_id == name)
    query = sa.select(_RUN.run_id, _RUN.created_at).where(same)
    taken_by = connection.execute(query).first()
    if taken_by is not None:
        raise stop(
            where=NAME_OF_RUN,
            found=f'"{name}", which the run {taken_by.run_id} has since {taken_by.created_at[:10]}',
            expected="a name that no run in this workspace has",
            fix="Choose another name: runs are never overwritten.",
        )


def run_of(row: sa.Row[Any]) -> Run:
    """The run that a row with the columns of `runs` is, with the name that it had if it is deleted."""
    kept = dict(row._mapping)
    return read_record(Run, kept | {"name": kept.get("deleted_name") or kept["name"]}, "a run")
