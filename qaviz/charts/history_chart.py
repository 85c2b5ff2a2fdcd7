"""The chart of pipelines over runs."""

from collections.abc import Collection, Sequence

import plotly.graph_objects as go
import polars as pl

from qaviz.analysis.history import PLACE, RUN, STEP, Movement, followed_label
from qaviz.analysis.numbers import moment
from qaviz.charts import LEGEND, Figure, chart_texts, pipeline_marks, shown_names
from qaviz.model.columns import PIPELINE, PRECISION, RECALL
from qaviz.model.records import Run

MOST_DATES = 7
"""Runs named under the axis."""
X = "x"

_LONGEST = 34
_LONGEST_TICK = 18
_APART = 0.12
"""Of the way from one run to the next, between two pipelines: so that intervals do not cover each other."""
_WIDEST = 0.5
_HEIGHT = 430
_ARROWS = {
    Movement.ROSE: ("triangle-up-open", "rose beyond noise"),
    Movement.FELL: ("triangle-down-open", "fell beyond noise"),
}
_LINE = "rgba(128, 138, 148, 0.9)"


def history_chart(
    history: pl.DataFrame,
    runs: Sequence[Run],
    metric: str,
    pipelines: Sequence[str],
    measurement_changes: Collection[int],
) -> Figure:
    """The rows of `history.history`, a place a run; a dashed line before the place of each of `measurement_changes`."""
    figure = go.Figure()
    marks, names = pipeline_marks(pipelines), shown_names(pipelines)
    texts = {
        RUN: [run.run_id for run in runs],
        "name": chart_texts([run.name for run in runs], _LONGEST),
        "moment": [moment(run.created_at) for run in runs],
    }
    scored = history.filter(pl.col("n") > 0).join(pl.DataFrame(texts), on=RUN, maintain_order="left")
    # A point stands at its run, a little beside those of the other pipelines.
    apart = min(_APART, _WIDEST / len(pipelines))
    beside = {name: apart * (place - (len(pipelines) - 1) / 2) for place, name in enumerate(pipelines)}
    at = pl.col(PLACE) + pl.col(PIPELINE).replace_strict(beside, return_dtype=pl.Float64)
    drawn = scored.with_columns(at.alias(X))
    for pipeline, name in zip(pipelines, names, strict=True):
        own = drawn.filter(pl.col(PIPELINE) == pipeline)
        colour, symbol = marks[pipeline]
        _draw_series(figure, own, name, colour, symbol, group=str(pipelines.index(pipeline)))
    for change, (arrow, says) in _ARROWS.items():
        own = drawn.filter(pl.col(STEP) == change.value)
        if own.is_empty():
            continue
        colours = [marks[name][0] for name in own[PIPELINE]]
        marker = {"symbol": arrow, "size": 22, "line": {"width": 2.5}, "color": colours}
        x, y = own[X].to_list(), own["mean"].to_list()
        figure.add_scatter(x=x, y=y, name=says, mode="markers", marker=marker, hoverinfo="skip")
    for place in measurement_changes:
        figure.add_vline(x=place - 0.5, line={"color": _LINE, "width": 1.5, "dash": "dash"})
    _lay_out(figure, scored, runs, metric)
    figure.update_layout(height=_HEIGHT, margin={"l": 8, "r": 24, "t": 16, "b": 8})
    return figure


def _draw_series(figure: Figure, own: pl.DataFrame, name: str, colour: str, symbol: str, *, group: str) -> None:
    ends = {"array": (own["high"] - own["mean"]).to_list(), "arrayminus": (own["mean"] - own["low"]).to_list()}
    figure.add_scatter(
        legendgroup=group,
        x=own[X].to_list(),
        y=own["mean"].to_list(),
        error_y={"type": "data", "symmetric": False, "thickness": 1.2, "width": 3, **ends},
        name=name,
        mode="lines+markers",
        line={"color": colour, "width": 2},
        marker={"symbol": symbol, "size": 8},
        customdata=own.select("name", "moment", "low", "high", "n").rows(),
        hovertemplate=(
            "%{customdata[0]}, %{customdata[1]}<br>%{y:.3f} (%{customdata[2]:.3f} to %{customdata[3]:.3f}), "
            "%{customdata[4]:,} questions"
        ),
    )


def _lay_out(figure: Figure, scored: pl.DataFrame, runs: Sequence[Run], metric: str) -> None:
    every = -(-len(runs) // MOST_DATES)
    dated = [(place, run) for place, run in enumerate(runs) if place % every == 0]
    ticks = zip(chart_texts([run.name for _, run in dated], _LONGEST_TICK), dated, strict=True)
    figure.update_xaxes(
        title_text="Runs, oldest first",
        range=(-0.6, len(runs) - 0.4),
        tickvals=[place for place, _ in dated],
        ticktext=[f"{name}<br>{run.created_at:%-d %b %Y}<br>{run.created_at:%H:%M}" for name, (_, run) in ticks],
        tickangle=0,
        zeroline=False,
        fixedrange=True,
    )
    ends = scored.select(pl.col("low").min().fill_null(0.0), pl.col("high").max().fill_null(1.0))
    low, high = ends.row(0)
    room = 0.05 * (high - low)
    figure.update_yaxes(
        title_text=followed_label(metric),
        range=(max(-0.02, low - room), min(1.02, high + room)),
        tickformat=None if metric in (RECALL, PRECISION) else ".0%",
        fixedrange=True,
    )
    figure.update_layout(legend=LEGEND | {"y": -0.3, "yanchor": "top"})
