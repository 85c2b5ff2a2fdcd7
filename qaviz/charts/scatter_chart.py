"""Closeness against conciseness as a plotly figure, for notebooks and files; the board draws its own."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import polars as pl

from qaviz.analysis import closeness, numbers
from qaviz.analysis.closeness import DENSITY_FROM, density, select_placed
from qaviz.charts import FAINT, INK, LEGEND, LEGEND_UP_TO, RIM, Part, chart_text, pipeline_marks, shown_names
from qaviz.model.columns import DIAGNOSIS, PIPELINE, PRECISION, QUESTION, QUESTION_ID, RECALL, RESPONSE
from qaviz.model.records import Thresholds

CLOSENESS_TITLE, CONCISENESS_TITLE = "Closeness (recall)", "Conciseness (precision)"
TEXT_HOVER_UP_TO = 1_200
"""Points that carry texts to hover over, about 0.3 kB each; more points carry their two scores only."""
EQUAL_F1 = (0.2, 0.4, 0.6, 0.8)
CURVE_STEPS = 60

_AXIS = {"range": (-0.03, 1.03), "dtick": 0.2, "zeroline": False, "fixedrange": True}
_HEIGHT = 560
_TILES = 40
_SHADES = [[0.0, "rgba(31, 127, 196, 0.12)"], [1.0, "rgba(31, 127, 196, 1)"]]
_LONGEST_ID, _LONGEST_QUESTION, _LONGEST_RESPONSE = 24, 80, 90
_STACK = "responses at this point"


def closeness_conciseness(
    rows: pl.DataFrame, means: pl.DataFrame, pipelines: Sequence[str], thresholds: Thresholds
) -> go.Figure:
    """The responses by closeness and conciseness: points, or tiles from DENSITY_FROM on; with the mean of each pipeline
    and its 95 % interval (`closeness.pipeline_means`), curves of equal F1, and the thresholds as lines.

    `pipelines` are all of the run, so that each keeps its colour and symbol whatever is left out.
    """
    placed = select_placed(rows)
    responses = _draw_density(placed) if placed.height >= DENSITY_FROM else _draw_points(placed, pipelines)
    line = {"type": "line", "line": {"color": FAINT, "width": 1.5}, "layer": "below"}
    close, concise = thresholds.high_closeness, thresholds.low_conciseness
    layout = {
        "height": _HEIGHT,
        "hovermode": "closest",
        "xaxis": _AXIS | {"title": {"text": CLOSENESS_TITLE}},
        "yaxis": _AXIS | {"title": {"text": CONCISENESS_TITLE}},
        "legend": LEGEND | {"y": -0.16, "yanchor": "top", "itemsizing": "constant"},
        "annotations": [*_label_f1(), *_label_regions()],
        "shapes": [
            line | {"x0": close, "x1": close, "yref": "y domain", "y0": 0, "y1": 1},
            line | {"y0": concise, "y1": concise, "xref": "x domain", "x0": 0, "x1": 1},
        ],
    }
    # Made of plain dicts in one go: one that grows by plotly's own methods takes five times as long.
    return go.Figure({"data": [_draw_equal_f1(), *responses, *_draw_means(means, pipelines)], "layout": layout})


def _draw_equal_f1() -> Part:
    """F1 = 2pr / (p + r), so 1/p + 1/r = 2/F1 along a curve. Even steps of 1/r are as fine at either end of it."""
    steps = np.linspace([2 / f1 - 1 for f1 in EQUAL_F1], 1, CURVE_STEPS, axis=1)
    recall, precision = 1 / steps, 1 / (2 / np.array(EQUAL_F1)[:, None] - steps)
    # One trace, whose curves end where nothing is.
    x, y = (np.pad(means.round(4), ((0, 0), (0, 1)), constant_values=np.nan).ravel() for means in (recall, precision))
    line = {"color": FAINT, "width": 1, "dash": "dot"}
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False}


def _label_f1() -> list[Part]:
    """Beside the end of each curve, where closeness is 1."""
    beside = {"x": 1, "xanchor": "left", "xshift": 14, "showarrow": False}
    return [beside | {"y": f1 / (2 - f1), "text": f"F1 {f1}"} for f1 in EQUAL_F1]


def _label_regions() -> list[Part]:
    corners = {
        closeness.SHORT_AND_CLOSE: (1, 1),
        closeness.CLOSE_BUT_WORDY: (1, 0),
        closeness.PARTIAL: (0, 1),
        closeness.OTHER_WORDS: (0, 0),
    }
    return [
        {
            "x": x,
            "y": y,
            "text": f"<i>{name}</i>",
            "showarrow": False,
            "xanchor": "right" if x else "left",
            "yanchor": "bottom" if y else "top",
            "yshift": 16 if y else -6,
        }
        for name, (x, y) in corners.items()
    ]


def _draw_points(placed: pl.DataFrame, pipelines: Sequence[str]) -> list[Part]:
    """One trace for each pipeline that has a response here."""
    opacity = float(np.clip(12 / np.sqrt(max(placed.height, 1)), 0.35, 0.85))
    rows = placed.with_columns(pl.len().over(RECALL, PRECISION).alias(_STACK))
    traces = []
    for place, (name, (colour, symbol)) in enumerate(pipeline_marks(pipelines).items()):
        own = rows.filter(pl.col(PIPELINE) == name)
        if own.is_empty():
            continue
        trace = {
            "type": "scatter",
            "x": own[RECALL].cast(pl.Float32).to_numpy(),
            "y": own[PRECISION].cast(pl.Float32).to_numpy(),
            "mode": "markers",
            "showlegend": False,
            "legendgroup": str(place),
            "marker": {"color": colour, "symbol": symbol, "size": 9, "opacity": opacity},
        }
        with_texts = placed.height <= TEXT_HOVER_UP_TO
        traces.append(trace | (_make_hover(shown_names([name])[0], own) if with_texts else _SHORT_HOVER))
    return traces


_SHORT_HOVER = {"hovertemplate": "closeness %{x:.2f}, conciseness %{y:.2f}<extra></extra>"}


def _make_hover(pipeline: str, rows: pl.DataFrame) -> Part:
    text = rows.select(
        pl.format(
            "<b>{}</b> · {}<br>{} · {}<br>“{}”<br>closeness {}, conciseness {}{}",
            pl.lit(pipeline),
            pl.col(DIAGNOSIS),
            chart_text(pl.col(QUESTION_ID), _LONGEST_ID),
            chart_text(pl.col(QUESTION).fill_null(""), _LONGEST_QUESTION),
            chart_text(pl.col(RESPONSE).fill_null(""), _LONGEST_RESPONSE),
            pl.col(RECALL).round(2),
            pl.col(PRECISION).round(2),
            pl.when(pl.col(_STACK) > 1).then(pl.format("<br>{} responses here", _STACK)).otherwise(pl.lit("")),
        )
    )
    return {"hovertext": text.to_series().to_list(), "hoverinfo": "text"}


def _draw_density(placed: pl.DataFrame) -> list[Part]:
    """Tiles, shaded by the logarithm of how many responses lie in each."""
    counts = density(placed, _TILES)
    shades = np.full(counts.shape, np.nan)
    np.log10(counts, out=shades, where=counts > 0)
    powers = range(int(np.log10(counts.max())) + 1)
    centres = (np.arange(_TILES) + 0.5) / _TILES
    bar = {"title": {"text": "responses", "side": "right"}, "tickvals": list(powers), "x": 1.08, "thickness": 12}
    words = {"ticktext": [numbers.count(10**power) for power in powers]}
    tiles = {"x": centres, "y": centres, "z": shades.round(3), "text": counts, "colorscale": _SHADES}
    hover = {"hovertemplate": "%{text} responses in this tile<extra></extra>"}
    return [{"type": "heatmap", "zmin": 0, "colorbar": bar | words} | tiles | hover]


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
            "hovertext": _word_mean(name, mean),
            "hoverinfo": "text",
        }
        traces.append(trace)
    return traces


def _make_whisker(mean: dict[str, float | None], axis: str, colour: str) -> Part:
    middle, low, high = mean[axis], mean[f"{axis}_low"], mean[f"{axis}_high"]
    if middle is None or low is None or high is None:
        return {"visible": False}
    return {"array": [high - middle], "arrayminus": [middle - low], "color": colour, "thickness": 2, "width": 5}


def _word_mean(name: str, mean: dict[str, float]) -> str:
    lines = [f"<b>{name}</b>, mean of {numbers.plural(int(mean['responses']), 'response')}"]
    for axis in ("closeness", "conciseness"):
        low, high = mean[f"{axis}_low"], mean[f"{axis}_high"]
        between = "" if low is None else f" ({numbers.score(low)} to {numbers.score(high)})"
        lines.append(f"{axis} {numbers.score(mean[axis])}{between}")
    return "<br>".join(lines)
