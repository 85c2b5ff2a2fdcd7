"""Which responses to label next: those whose label would change the decision most, and a random part that estimates."""

from collections.abc import Sequence

import polars as pl

from qaviz.analysis.consistency import whole
from qaviz.analysis.label_sample import random_order
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONFIDENCE, PIPELINE, REPEAT_OF, VERDICT
from qaviz.stats import Decision as Compared
from qaviz.store.labels import DRAWN

PLACE, GAIN = "place", "gain"
"""Where a response stands in the run's rows, and what its label is worth to the decision."""

MOST_DECIDING = 30
"""Responses that are offered because their label would change the decision."""

MOST_CONTENDERS = 3
"""The contenders nearest to the leader: more would spread the labels too thin to correct anyone's share."""

_HALF = 0.5


def find_contenders(ranking: pl.DataFrame) -> list[str]:
    """The pipelines that the decision is not settled against, the best first, of `Decision.ranking`.

    Where it is settled against all, the best of the others; none where there is no other.
    """
    others = ranking.filter(pl.col("against").is_not_null())
    settled = [Compared.BETTER.value, Compared.WORSE.value]
    unsettled = others.filter(~pl.col("against").is_in(settled))[PIPELINE].to_list()
    return unsettled[:MOST_CONTENDERS] or others[PIPELINE].to_list()[:1]


def rank_deciding(rows: pl.DataFrame, leader: str, contenders: Sequence[str]) -> pl.DataFrame:
    """The responses of these pipelines whose label would change the decision most: PLACE and GAIN, the most first.

    `rows` has one row a response: PIPELINE, VERDICT, CONFIDENCE. GAIN is how far the paired difference is expected to
    move when a person labels the response, summed over the contenders, each as 1 / (1 + right answers between it and
    the leader): near ones may change the rank. A verdict moves it by 1 where the person disagrees, which has the
    probability 1 - confidence; `unsure` counts half, so that a label moves it by a half in any case.
    """
    counted = _count_half(rows)
    right = dict(counted.group_by(PIPELINE).agg(pl.col("right").sum()).iter_rows())
    near = {name: 1 / (1 + abs(right.get(leader, 0.0) - right.get(name, 0.0))) for name in contenders}
    weights = {leader: sum(near.values()) or 1.0} | near
    known = pl.DataFrame({PIPELINE: list(weights), "weight": list(weights.values())})
    doubt = pl.when(pl.col("right") == _HALF).then(_HALF).otherwise(1 - pl.col(CONFIDENCE).fill_null(_HALF))
    ranked = counted.with_row_index(PLACE).join(known, on=PIPELINE, maintain_order="left")
    return ranked.select(PLACE, (doubt * pl.col("weight")).alias(GAIN)).sort(GAIN, descending=True, maintain_order=True)


def _count_half(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `right`: 1 for a right answer, 0 for a wrong one, a half for an unsure verdict."""
    right = (pl.col(VERDICT) == Verdict.CORRECT.value).cast(pl.Float64)
    unsure = pl.col(VERDICT) == Verdict.UNSURE.value
    return rows.select(
        pl.col(PIPELINE).cast(pl.String), CONFIDENCE, pl.when(unsure).then(_HALF).otherwise(right).alias("right")
    )


def label_queue(rows: pl.DataFrame, leader: str, contenders: Sequence[str]) -> pl.DataFrame:
    """All responses of a run in the order in which they are offered to a person: PLACE, and DRAWN, whether at random.

    One that would change the decision and one of the run's random order in turn; both of the leader and its contenders
    first. The random part alone corrects shares (see `label_sample`), because the other is picked.
    """
    of_run = whole(rows.select(PIPELINE, VERDICT, CONFIDENCE, *({REPEAT_OF} & {*rows.columns})))
    deciding = rank_deciding(of_run, leader, contenders).head(MOST_DECIDING)
    order = random_order(rows.height)
    concerned = of_run[PIPELINE].cast(pl.String).is_in([leader, *contenders])[order]
    at_random = pl.concat([order.filter(concerned), order.filter(~concerned)])
    parts = [_number(deciding[PLACE], drawn=False), _number(at_random, drawn=True)]
    return (
        pl.concat(parts).sort("turn", maintain_order=True).unique(PLACE, keep="first", maintain_order=True).drop("turn")
    )


def _number(places: pl.Series, *, drawn: bool) -> pl.DataFrame:
    """The places with the turn of each in the queue."""
    return (
        places.cast(pl.UInt32)
        .alias(PLACE)
        .to_frame()
        .with_columns(pl.lit(drawn).alias(DRAWN), pl.int_range(pl.len()).alias("turn"))
    )
