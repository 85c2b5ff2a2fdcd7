"""Closeness against conciseness as a plotly figure, for notebooks and files; the board draws its own."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from qaviz.analysis.numbers import plural
from qaviz.charts import FAINT, INK, LEGEND, LEGEND_UP_TO, RIM, Part, chart_text, pipeline_marks, shown_names
from qaviz.model.columns import DIAGNOSIS, PIPELINE, PRECISION, QUESTION_ID, RECALL
from qaviz.model.records import Thresholds

POINTS_UP_TO = 5_000
"""Responses up to which single points are readable and quick to send: of more the chart has the means alone."""
_AXIS = {"range": (-0.03, 1.03), "dtick": 0.2, "zeroline": False, "fixedrange": True}
_HEIGHT = 560
_LONGEST_ID = 24
_PLACE = "closeness %{x:.2f}, conciseness %{y:.2f}"


def closeness_conciseness(
    rows: pl.DataFrame, means: pl.DataFrame, pipelines: Sequence[str], thresholds: Thresholds
) -> go.Figure:
    """The responses by closeness and conciseness: points, up to POINTS_UP_TO; with the mean of each pipeline and its
    95 % interval (`tables.pipeline_means`), and the thresholds as lines. `pipelines` are all of the run, so that
    each keeps its colour and symbol whatever is left out."""
    placed = rows.drop_nulls([RECALL, PRECISION])
    points = placed if placed.height <= POINTS_UP_TO else placed.clear()
    line = {"type": "line", "line": {"color": FAINT, "width": 1.5}, "layer": "below"}
    close, concise = thresholds.high_closeness, thresholds.low_conciseness
    layout = {
        "height": _HEIGHT,
        "hovermode": "closest",
        "xaxis": _AXIS | {"title": {"text": "Closeness (recall)"}},
        "yaxis": _AXIS | {"title": {"text": "Conciseness (precision)"}},
        "legend": LEGEND | {"y": -0.16, "yanchor": "top", "itemsizing": "constant"},
        "shapes": [
            line | {"x0": close, "x1": close, "yref": "y domain", "y0": 0, "y1": 1},
            line | {"y0": concise, "y1": concise, "xref": "x domain", "x0": 0, "x1": 1},
        ],
    }
    # Made of plain dicts in one go: one that grows by plotly's own methods takes five times as long.
    return go.Figure({"data": [*_draw_points(points, pipelines), *_draw_means(means, pipelines)], "layout": layout})


def _draw_points(points: pl.DataFrame, pipelines: Sequence[str]) -> list[Part]:
    traces = []
    for place, (name, (colour, symbol)) in enumerate(pipeline_marks(pipelines).items()):
        own = points.filter(pl.col(PIPELINE) == name)
        if own.is_empty():
            continue
        trace = {
            "type": "scatter",
            "x": own[RECALL].to_list(),
            "y": own[PRECISION].to_list(),
            "mode": "markers",
            "name": shown_names([name])[0],
            "showlegend": False,
            "legendgroup": str(place),
            "marker": {"color": colour, "symbol": symbol, "size": 9, "opacity": 0.6},
            "customdata": own.select(chart_text(pl.col(QUESTION_ID), _LONGEST_ID), pl.col(DIAGNOSIS)).rows(),
            "hovertemplate": f"%{{customdata[0]}}, %{{customdata[1]}}<br>{_PLACE}",
        }
        traces.append(trace)
    return traces


def _draw_means(means: pl.DataFrame, pipelines: Sequence[str]) -> list[Part]:
    """The mean of each pipeline with its interval; its number stands in the mark and in the legend."""
    marks, names = pipeline_marks(pipelines), dict(zip(pipelines, shown_names(pipelines), strict=True))
    traces = []
    for mean in means.iter_rows(named=True):
        name, number = names[mean[PIPELINE]], pipelines.index(mean[PIPELINE]) + 1
        colour, _ = marks[mean[PIPELINE]]
        trace: Part = {
            "type": "scatter",
            "x": [mean["closeness"]],
            "y": [mean["conciseness"]],
            "error_x": _make_whisker(mean, "closeness", colour),
            "error_y": _make_whisker(mean, "conciseness", colour),
            "mode": "markers+text",
            "text": [str(number)],
            "textfont": {"size": 11, "color": INK, "weight": 700},
            "name": f"{number} · {name}" if len(pipelines) > LEGEND_UP_TO else name,
            "legendgroup": str(number - 1),
            "marker": {"color": colour, "size": 20, "line": {"color": RIM, "width": 2}},
            "hovertemplate": f"mean of {plural(mean['responses'], 'response')}<br>{_PLACE}",
        }
        traces.append(trace)
    return traces


def _make_whisker(mean: dict[str, float | None], axis: str, colour: str) -> Part:
    middle, low, high = mean[axis], mean[f"{axis}_low"], mean[f"{axis}_high"]
    if middle is None or low is None or high is None:
        return {"visible": False}
    return {"array": [high - middle], "arrayminus": [middle - low], "color": colour, "thickness": 2, "width": 5}
