"""Closeness against conciseness: where each response lies, and what restated questions and citations cost."""

from collections.abc import Sequence

import polars as pl

from qaviz.model.columns import F1, PIPELINE, PRECISION, RECALL
from qaviz.model.metrics import QUADRANTS
from qaviz.scoring.normalised import NORMALISED
from qaviz.stats import mean_interval

REGIONS = {quadrant.name: quadrant.reading for quadrant in QUADRANTS}

POINTS_UP_TO = 5_000
"""Responses up to which single points are readable and quick to send: of more the chart has the means alone."""
SCORED_TWICE = (PRECISION, F1)
"""The scores that restating the question lowers: recall stays."""
RESPONSES, GAIN = "responses", "gain"
_MEANS = {PIPELINE: pl.String, RESPONSES: pl.Int64} | {
    f"{axis}{end}": pl.Float64 for axis in ("closeness", "conciseness") for end in ("", "_low", "_high")
}


def select_placed(rows: pl.DataFrame) -> pl.DataFrame:
    """The responses that have a place on the chart: both closeness and conciseness were scored."""
    return rows.filter(pl.col(RECALL).is_not_null() & pl.col(PRECISION).is_not_null())


def pipeline_means(rows: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """One row a pipeline that has a response on the chart, in the given order: pipeline, responses (how many the means
    count), closeness and conciseness, each with `_low` and `_high`, the ends of its 95 % interval; null for fewer than
    two responses."""
    placed = select_placed(rows.select(pl.col(PIPELINE).cast(pl.String), RECALL, PRECISION))
    means = list[dict[str, object]]()
    for name in pipelines:
        own = placed.filter(pl.col(PIPELINE) == name)
        scores: dict[str, object] = {PIPELINE: name, RESPONSES: own.height}
        for axis, metric in (("closeness", RECALL), ("conciseness", PRECISION)):
            mean, deviation = own.select(pl.mean(metric), pl.std(metric).alias("deviation")).row(0)
            low, high = mean_interval(mean, deviation, own.height) if own.height > 1 else (None, None)
            scores |= {axis: mean, f"{axis}_low": low, f"{axis}_high": high}
        means += [scores] if own.height else []
    return pl.DataFrame(means, schema=_MEANS)


def normalised_gain(rows: pl.DataFrame) -> pl.DataFrame:
    """Return PIPELINE, RESPONSES, the means of SCORED_TWICE, their normalised means, and GAIN in F1.

    One row a pipeline, of rows with the columns of NORMALISED that have a golden answer.
    """
    scored = rows.filter(pl.col(F1).is_not_null())
    means = [pl.mean(name, NORMALISED[name]) for name in SCORED_TWICE]
    table = scored.group_by(PIPELINE, maintain_order=True).agg(pl.len().alias(RESPONSES), *means)
    return table.with_columns((pl.col(NORMALISED[F1]) - pl.col(F1)).alias(GAIN))
