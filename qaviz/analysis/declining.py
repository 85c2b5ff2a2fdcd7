"""Whether pipelines decline where they should: answered or declined, by answerable or not."""

import polars as pl

from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWERABLE, PIPELINE, VERDICT

DECLINED_RIGHTLY = "declined, unanswerable"
DECLINED_WRONGLY = "declined, answerable"
ANSWERED_WRONGLY = "answered, unanswerable"
ANSWERED = "answered, answerable"
PRECISION_OF_DECLINING = "precision"
"""Of the responses that decline, the share whose question is unanswerable; null where none declines."""
RECALL_OF_DECLINING = "recall"
"""Of the responses to unanswerable questions, the share that decline."""


def has_unanswerable(golden: pl.DataFrame) -> bool:
    """Whether a golden dataset marks any question as unanswerable."""
    return bool((~golden[ANSWERABLE].fill_null(True)).any())


def declining(rows: pl.DataFrame) -> pl.DataFrame:
    """Return PIPELINE, the four counts, PRECISION_OF_DECLINING and RECALL_OF_DECLINING; one row a pipeline.

    Of diagnosed rows. A question that is not marked counts as answerable, and a verdict that is unsure as an answer.
    """
    unanswerable, declined = ~pl.col(ANSWERABLE).fill_null(True), pl.col(VERDICT) == Verdict.DECLINED.value
    counts = {
        ANSWERED: ~unanswerable & ~declined,
        DECLINED_WRONGLY: ~unanswerable & declined,
        ANSWERED_WRONGLY: unanswerable & ~declined,
        DECLINED_RIGHTLY: unanswerable & declined,
    }
    table = rows.group_by(PIPELINE, maintain_order=True).agg(each.sum().alias(name) for name, each in counts.items())
    return table.with_columns(
        _share(DECLINED_RIGHTLY, DECLINED_WRONGLY).alias(PRECISION_OF_DECLINING),
        _share(DECLINED_RIGHTLY, ANSWERED_WRONGLY).alias(RECALL_OF_DECLINING),
    )


def _share(hits: str, misses: str) -> pl.Expr:
    among = pl.col(hits) + pl.col(misses)
    return pl.when(among > 0).then(pl.col(hits) / among)
