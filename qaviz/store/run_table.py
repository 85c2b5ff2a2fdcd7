"""All runs of a workspace as one table, with their records: what lists of runs are made of."""

from collections.abc import Iterable
from typing import Any

import polars as pl
import sqlalchemy as sa

from qaviz.store.audit_log import newest_first
from qaviz.store.index import as_written
from qaviz.store.known_runs import NEWEST_FIRST, WITH_RECORDS
from qaviz.store.run_records import RunState
from qaviz.store.tables import GOLDEN_VERSIONS_TABLE, RUN_RECORDS_TABLE, RUNS_TABLE, VERIFICATIONS_TABLE
from qaviz.store.workspace import Workspace

_TEXTS = pl.List(pl.String)
_TIME = pl.Datetime("us", "UTC")

RUNS = pl.Schema(
    {
        "run_id": pl.String(),
        "name": pl.String(),
        "state": pl.String(),
        "created_at": _TIME,
        "owner": pl.String(),
        "pipelines": _TEXTS,
        "questions": pl.Int64(),
        "responses": pl.Int64(),
        "golden_id": pl.String(),
        "golden_number": pl.Int64(),
        "engine": pl.String(),
        "verified_at": _TIME,
        "differences": pl.Int64(),
        "tags": _TEXTS,
        "notes": pl.String(),
        "archived_at": _TIME,
        "archived_by": pl.String(),
        "deleted_at": _TIME,
        "deleted_by": pl.String(),
    }
)
"""A run: its `state` (see RunState), `golden_number` its golden dataset's version number, `differences` those that its
newest verification found (null where it was never verified), times in UTC."""

_TIMES = [name for name, kind in RUNS.items() if kind == _TIME]

_RUN, _RECORD = RUNS_TABLE.c, RUN_RECORDS_TABLE.c
_STATE = sa.case(
    (_RECORD.deleted_at.is_not(None), RunState.DELETED.value),
    (_RECORD.archived_at.is_not(None), RunState.ARCHIVED.value),
    else_=RunState.CURRENT.value,
)
_ASKED = {
    **{column.name: column for column in (*RUNS_TABLE.c, *RUN_RECORDS_TABLE.c) if column.name in RUNS},
    "name": sa.func.coalesce(_RECORD.deleted_name, _RUN.name),
    "state": _STATE,
}
_VERIFIED = ("run_id", "verified_at", "differences")
_NUMBERED = ("golden_id", "number")


@as_written("the list of runs")
def run_table(workspace: Workspace) -> pl.DataFrame:
    """All runs, archived and deleted ones too, newest first: RUNS. Three questions to the index, and no file opened.

    Raises QavizError if the index cannot be read.
    """
    verified, numbered = VERIFICATIONS_TABLE.c, GOLDEN_VERSIONS_TABLE.c
    with workspace.reading() as connection:
        runs = _table(
            connection, sa.select(*_label_columns()).select_from(WITH_RECORDS).order_by(*NEWEST_FIRST), _ASKED
        )
        asked = sa.select(*(verified[name] for name in _VERIFIED))
        verifications = _table(connection, asked.order_by(*newest_first(VERIFICATIONS_TABLE, "verified_at")), _VERIFIED)
        asked = sa.select(*(numbered[name] for name in _NUMBERED))
        versions = _table(connection, asked.order_by(*newest_first(GOLDEN_VERSIONS_TABLE, "made_at")), _NUMBERED)
    newest = verifications.unique("run_id", keep="first", maintain_order=True)
    numbers = versions.unique("golden_id", keep="first", maintain_order=True).rename({"number": "golden_number"})
    joined = runs.join(newest, on="run_id", how="left", maintain_order="left")
    joined = joined.join(numbers, on="golden_id", how="left", maintain_order="left")
    return joined.with_columns(
        pl.col(_TIMES).str.to_datetime("%+", time_unit="us", time_zone="UTC"),
        # Who imported it made version 1, of which the table of versions knows nothing.
        pl.col("golden_number").fill_null(1),
    ).select(RUNS.names())


def _label_columns() -> Iterable[sa.ColumnElement[Any]]:
    return [column.label(name) for name, column in _ASKED.items()]


def _table(connection: sa.Connection, asked: sa.Select[Any], names: Iterable[str]) -> pl.DataFrame:
    types = {name: pl.String() if name in _TIMES else RUNS.get(name, pl.Int64()) for name in names}
    return pl.DataFrame([tuple(row) for row in connection.execute(asked)], schema=types, orient="row")
