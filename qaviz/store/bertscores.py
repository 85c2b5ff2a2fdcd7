"""BERTScores that the workspace keeps, by model and pair of texts: beside the runs, which never change."""

from collections.abc import Iterator

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import BERTSCORE
from qaviz.store.audit_log import Deed
from qaviz.store.index import insert_new
from qaviz.store.tables import BERTSCORES_TABLE
from qaviz.store.workspace import Workspace

ASKED_AT_A_TIME = 10_000
"""Pairs in one query: SQLite takes 32,766 parameters."""

_SCHEMA = {"pair": pl.Binary, BERTSCORE: pl.Float64}


def keep_bertscores(workspace: Workspace, model: str, scores: pl.DataFrame) -> None:
    """Keep `pair` and `bertscore` under the model's key, all or none. Raises QavizError if the disk refuses."""
    if scores.is_empty():
        return
    kept = scores.select(pl.lit(model).alias("model"), *_SCHEMA).to_dicts()
    with workspace.writing(Deed.BERTSCORE) as transaction:
        insert_new(transaction, BERTSCORES_TABLE, kept)


def kept_bertscores(workspace: Workspace, model: str, pairs: pl.Series) -> pl.DataFrame:
    """The `pair` and `bertscore` of those of these pairs that are kept under the model's key."""
    with workspace.reading() as connection:
        found = list(_found(connection, model, pairs.unique()))
    return pl.DataFrame(found, schema=_SCHEMA, orient="row")


def _found(connection: sa.Connection, model: str, pairs: pl.Series) -> Iterator[tuple[bytes, float]]:
    table = BERTSCORES_TABLE.c
    for part in pairs.sort().to_frame().iter_slices(ASKED_AT_A_TIME):
        asked = table.pair.in_(part.to_series().to_list())
        for row in connection.execute(sa.select(table.pair, table.bertscore).where(table.model == model, asked)):
            yield row.pair, row.bertscore
