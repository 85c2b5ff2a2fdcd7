"""Quality beside what it takes: time and cost of a response, and the pipelines that nobody beats on all of it."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from qaviz.analysis.comparison import outcome
from qaviz.charts.charts import LEGEND, Figure, shown_names
from qaviz.charts.palette import pipeline_marks
from qaviz.model.columns import COST, LATENCY_MS, PIPELINE

QUALITY = "quality"
FRONT = "front"

EFFORTS = {LATENCY_MS: "Time a response, ms", COST: "Cost a response"}
"""What a response takes, and what people see of it."""

_HEIGHT = 340
_LINE = "rgba(128, 138, 148, 0.7)"


def efforts(rows: pl.DataFrame) -> list[str]:
    """Those of EFFORTS that any response carries."""
    return [name for name in EFFORTS if name in rows.columns and rows[name].count()]


def tradeoff(rows: pl.DataFrame, pipelines: Sequence[str], metric: str) -> pl.DataFrame:
    """One row a pipeline, in their order: its mean by this metric beside the mean time and cost of its responses.

    Columns: pipeline; quality and quality_n (of how many); for each of EFFORTS its mean and, with `_n`, of how many;
    front, whether no other pipeline is at least as good, as quick and as cheap and better in one of them: null where
    something of that is not known. Null means that nothing is known, never 0.
    """
    measured = efforts(rows)
    means = [outcome(metric).alias(QUALITY), *map(pl.col, measured)]
    counted = [each.count().name.suffix("_n") for each in means]
    taken = rows.group_by(PIPELINE).agg(*(each.mean() for each in means), *counted)
    in_order = pl.DataFrame({PIPELINE: list(pipelines)}, schema={PIPELINE: pl.String})
    table = in_order.join(taken, on=PIPELINE, how="left", maintain_order="left")
    return table.with_columns(_front(table, measured))


def _front(table: pl.DataFrame, measured: Sequence[str]) -> pl.Series:
    """Pareto's front: more quality is better, less of every effort is. Null without all of them, or without efforts."""
    goods = [
        (quality, *(-effort for effort in taken)) if quality is not None and None not in taken else None
        for quality, *taken in table.select(QUALITY, *measured).iter_rows()
    ]
    known = [good for good in goods if good]
    on_front = [
        None if good is None or not measured else not any(_beats(other, good) for other in known) for good in goods
    ]
    return pl.Series(FRONT, on_front, pl.Boolean)


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))


def tradeoff_chart(table: pl.DataFrame, effort: str, quality: str) -> Figure:
    """Each pipeline of `tradeoff` by one effort and its quality, with a line through those that nobody beats on both.

    `quality` is what the reader sees of the metric.
    """
    pipelines = table[PIPELINE].to_list()
    marks, names = pipeline_marks(pipelines), shown_names(pipelines)
    figure = go.Figure()
    drawn = table.select(PIPELINE, QUALITY, effort).drop_nulls()
    front = drawn.filter(_front(drawn, [effort])).sort(effort, QUALITY)
    figure.add_scatter(
        x=front[effort].to_list(),
        y=front[QUALITY].to_list(),
        mode="lines",
        name="no pipeline is better for less",
        line={"color": _LINE, "width": 2, "dash": "dot", "shape": "hv"},
        hoverinfo="skip",
    )
    for name, score, taken in drawn.iter_rows():
        colour, symbol = marks[name]
        figure.add_scatter(
            x=[taken],
            y=[score],
            mode="markers",
            name=names[pipelines.index(name)],
            marker={"color": colour, "symbol": symbol, "size": 14},
            hovertemplate=f"{EFFORTS[effort]} %{{x:,.4~g}}<br>{quality} %{{y:.2f}}",
        )
    figure.update_xaxes(title_text=EFFORTS[effort], rangemode="tozero", fixedrange=True)
    figure.update_yaxes(title_text=quality, range=(-0.03, 1.03), fixedrange=True)
    figure.update_layout(
        height=_HEIGHT,
        margin={"l": 8, "r": 24, "t": 8, "b": 8},
        legend=LEGEND | {"y": -0.25, "yanchor": "top"},
    )
    return figure
