"""The chart of closeness against conciseness: the panels of `qaviz.analysis.closeness` as a figure."""

from collections.abc import Mapping, Sequence, Set

import numpy as np
import plotly.graph_objects as go
import polars as pl
from numpy.typing import NDArray

from qaviz.analysis import closeness, numbers
from qaviz.analysis.closeness import Panel, bins, density
from qaviz.charts import FAINT, INK, LEGEND, LEGEND_UP_TO, RIM, Part, chart_text, pipeline_marks, shown_names
from qaviz.model.columns import DIAGNOSIS, PIPELINE, PRECISION, QUESTION, QUESTION_ID, RECALL, RESPONSE
from qaviz.model.records import Thresholds

WHOLE_AXIS = (-0.03, 1.03)
STACK_SHARE = 0.01
"""Share of all responses from which a point with several responses says how many."""
STACKS_COUNTED = 12
"""At most so many points say it."""
LABEL_ROOM = (0.05, 0.045)
"""Along each axis: what the count of a place takes."""
LETTER_ROOM, LINE_ROOM, MARK_ROOM = 0.0095, 0.04, 0.022
"""Of an axis: a letter of a name, a line of text, and half a mark, in a chart of the usual width."""


def stack_sizes(rows: pl.DataFrame, means: pl.DataFrame) -> list[Part]:
    """How many responses lie on one point: for the largest such points that are not beside a mean or another count."""
    stacks = rows.group_by(RECALL, PRECISION).len().filter(pl.col("len") >= max(2, len(rows) * STACK_SHARE))
    beside = {"xanchor": "left", "xshift": 7, "yshift": 8, "showarrow": False}
    taken = list(means.select("closeness", "conciseness").drop_nulls().iter_rows())
    counted: list[Part] = []
    for at_x, at_y, responses in stacks.sort("len", RECALL, PRECISION, descending=[True, False, False]).iter_rows():
        if len(counted) < STACKS_COUNTED and not any(_overlap((at_x, at_y), box) for box in taken):
            taken.append((at_x, at_y))
            counted.append(beside | {"x": at_x, "y": at_y, "text": f"×{responses}"})
    return counted


def _overlap(place: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(abs(one - two) < room for one, two, room in zip(place, other, LABEL_ROOM, strict=True))


def mean_names(means: pl.DataFrame, pipelines: Sequence[str]) -> list[Part]:
    """Beside each mean its pipeline's name, on the side that is free; of many pipelines the marks have numbers."""
    if len(pipelines) > LEGEND_UP_TO:
        return []
    names = dict(zip(pipelines, shown_names(pipelines), strict=True))
    placed = means.drop_nulls(["closeness", "conciseness"])
    marks = list(placed.select("closeness", "conciseness").iter_rows())
    taken: list[_Box] = [(x - MARK_ROOM, y - MARK_ROOM, x + MARK_ROOM, y + MARK_ROOM) for x, y in marks]
    labels = []
    for name, (x, y) in zip(placed[PIPELINE], marks, strict=True):
        sides = _place_sides(x, y, LETTER_ROOM * len(names[name]))
        free = min(sides, key=lambda side: _measure_overlap(sides[side], taken))
        taken.append(sides[free])
        labels.append({"x": x, "y": y, "text": f"<b>{names[name]}</b>", "showarrow": False, **_ANCHORS[free]})
    return labels


_Box = tuple[float, float, float, float]
"""Left, low, right and high, along the axes."""


_ANCHORS: Mapping[str, Part] = {
    "right": {"xanchor": "left", "xshift": 12},
    "left": {"xanchor": "right", "xshift": -12},
    "above": {"yanchor": "bottom", "yshift": 10},
    "below": {"yanchor": "top", "yshift": -10},
}


def _place_sides(x: float, y: float, wide: float) -> dict[str, _Box]:
    """Where a label of this width lies on each side of a mark."""
    low, high = y - LINE_ROOM / 2, y + LINE_ROOM / 2
    return {
        "right": (x + MARK_ROOM, low, x + MARK_ROOM + wide, high),
        "left": (x - MARK_ROOM - wide, low, x - MARK_ROOM, high),
        "above": (x - wide / 2, y + MARK_ROOM, x + wide / 2, y + MARK_ROOM + LINE_ROOM),
        "below": (x - wide / 2, y - MARK_ROOM - LINE_ROOM, x + wide / 2, y - MARK_ROOM),
    }


def _measure_overlap(box: _Box, taken: Sequence[_Box]) -> float:
    """How much of the box is taken or lies beside the chart."""
    left, low, right, high = box
    shared = sum(
        max(0.0, min(right, box[2]) - max(left, box[0])) * max(0.0, min(high, box[3]) - max(low, box[1]))
        for box in taken
    )
    beside = max(0.0, right - WHOLE_AXIS[1]) + max(0.0, WHOLE_AXIS[0] - left)
    return shared + beside * (high - low)


CLOSENESS_TITLE = "Closeness (recall)"
CONCISENESS_TITLE = "Conciseness (precision)"

TEXT_HOVER_UP_TO = 1_200
"""Points that carry texts to hover over, about 0.3 kB each; more points carry their two scores only."""
ID_EXCERPT = 24
QUESTION_EXCERPT = 80
RESPONSE_EXCERPT = 90
EQUAL_F1 = (0.2, 0.4, 0.6, 0.8)
CURVE_STEPS = 60
DENSITY_SCALE = ((0.0, "rgba(31, 127, 196, 0.12)"), (1.0, "rgba(31, 127, 196, 1)"))

PLOT_HEIGHT = 560
PANEL_HEIGHT = 270
PANEL_GAP = 64
"""Pixels between two rows of panels: the upper one's numbers and the lower one's title."""
COLUMN_GAP = 0.06
"""Share of the width between two columns of panels."""
LEFT, BELOW = 60, 52
"""Pixels for the numbers and the title of an axis."""
TITLE_SIZE, TITLE_LIFT = 14, 8
"""Of a panel's title, in pixels; it makes room for the handle of the threshold."""
PANELS_IN_TWOS = 4
"""Up to so many panels stand two in a row, more stand three."""

_STACK = "responses at this point"
_SHORT_HOVER = {"hovertemplate": "closeness %{x:.2f}, conciseness %{y:.2f}<extra></extra>"}


def closeness_conciseness(shown: Sequence[Panel], means: Sequence[pl.DataFrame], pipelines: Sequence[str]) -> go.Figure:
    """The responses of the panels by closeness and conciseness: points, or density (see `bins`).

    With the mean of each pipeline and its 95 % interval, from `means`: `closeness.pipeline_means` of each panel; and
    curves of equal F1. `pipelines` are all of the run, so that each keeps its colour and symbol whatever is filtered.
    """
    layout = _make_layout(shown)
    traces = [_draw_equal_f1(panel.axis) for panel in shown]
    if tiles := bins(shown):
        counts = [density(panel.rows, tiles) for panel in shown]
        layout["coloraxis"] = _make_shades(counts)
        for panel, own in zip(shown, counts, strict=True):
            traces += _draw_density(panel.axis, own)
    else:
        for panel in shown:
            traces += _draw_points(panel, pipelines)
    if len(shown) == 1:
        layout["annotations"] = [*_F1_LABELS, *_label_regions(), *mean_names(means[0], pipelines)]
        if not tiles:
            layout["annotations"] += stack_sizes(shown[0].rows, means[0])
    named: set[str] = set()
    for panel, its_means in zip(shown, means, strict=True):
        traces += _draw_means(panel.axis, its_means, pipelines, named)
    if len(pipelines) > LEGEND_UP_TO:
        traces += _draw_numbered_legend(shown[0].axis, pipelines, named)
    # Made of plain dicts in one go: one that grows by plotly's own methods takes five times as long.
    return go.Figure({"data": traces, "layout": layout})


def with_thresholds(figure: go.Figure, thresholds: Thresholds) -> go.Figure:
    """The figure of `closeness_conciseness` with the two thresholds that bound the regions as lines in each panel.

    A page draws them itself, over the figure, so that a threshold that moves leaves the chart as it is.
    """
    line = {"type": "line", "line": {"color": FAINT, "width": 1.5}, "layer": "below"}
    close, concise = thresholds.high_closeness, thresholds.low_conciseness
    shapes = []
    for axis in dict.fromkeys(trace.xaxis for trace in figure.data):
        x, y = {"xref": axis, "x0": close, "x1": close}, {"yref": _name_y_axis(axis), "y0": concise, "y1": concise}
        shapes.append(line | x | {"yref": f"{_name_y_axis(axis)} domain", "y0": 0, "y1": 1})
        shapes.append(line | y | {"xref": f"{axis} domain", "x0": 0, "x1": 1})
    return go.Figure(figure).update_layout(shapes=shapes)


def _name_y_axis(axis: str) -> str:
    """The conciseness axis of the panel with this closeness axis."""
    return axis.replace("x", "y")


def _make_layout(shown: Sequence[Panel]) -> Part:
    """The layout of a figure with an empty panel for each of these."""
    alone = len(shown) == 1
    columns = 1 if alone else 2 if len(shown) <= PANELS_IN_TWOS else 3
    lines = -(-len(shown) // columns)
    height = PLOT_HEIGHT if alone else lines * (PANEL_HEIGHT + PANEL_GAP)
    layout: Part = {
        "height": height,
        # The page draws it, beside the chart.
        "showlegend": False,
        "margin": {"l": LEFT, "r": 56 if alone else 8, "t": 56 if alone else 72, "b": BELOW},
        "hovermode": "closest",
        # Below the plot: above it, on a phone, the chart's tools would lie over it.
        "legend": LEGEND | {"y": -90 / height, "yanchor": "top", "maxheight": 0.25, "itemsizing": "constant"},
        "annotations": [],
    }
    names = [] if alone else shown_names([panel.name for panel in shown])
    for place, panel in enumerate(shown):
        line, column = divmod(place, columns)
        across, up = _place_part(column, columns, COLUMN_GAP), _place_part(lines - 1 - line, lines, PANEL_GAP / height)
        layout |= _make_axes(
            panel.axis, across, up, first=column == 0, last=line == lines - 1, tick=0.2 if alone else 0.5
        )
        for name in names[place : place + 1]:
            title = f"{name} · {numbers.count(panel.rows.height)}"
            at = {"x": sum(across) / 2, "xanchor": "center", "y": up[1], "yanchor": "bottom", "yshift": TITLE_LIFT}
            title_of_panel = {"text": title, "font": {"size": TITLE_SIZE}, "showarrow": False}
            layout["annotations"].append(title_of_panel | at | {"xref": "paper", "yref": "paper"})
    return layout


def _place_part(place: int, of: int, gap: float) -> tuple[float, float]:
    """From where to where the part at this place reaches, of so many on a length of 1 with gaps between them."""
    size = (1 - gap * (of - 1)) / of
    return place * (size + gap), min(place * (size + gap) + size, 1)


def _make_axes(
    x: str, across: tuple[float, float], up: tuple[float, float], *, first: bool, last: bool, tick: float
) -> Part:
    """Both axes of a panel; the `first` of a line and those of the `last` line name what they measure."""
    axis = {
        "range": WHOLE_AXIS,
        "dtick": tick,
        "zeroline": False,
        # Scores have no more than this to show: a chart that cannot be dragged away lets a finger scroll the page.
        "fixedrange": True,
        # Plotly would draw everything twice: to find out how wide the numbers are, and with room for them.
        "automargin": False,
    }
    closeness_title = {"title": {"text": CLOSENESS_TITLE}} if last else {}
    conciseness_title = {"title": {"text": CONCISENESS_TITLE}} if first else {"showticklabels": False}
    return {
        x.replace("x", "xaxis"): axis | {"domain": across, "anchor": _name_y_axis(x)} | closeness_title,
        x.replace("x", "yaxis"): axis | {"domain": up, "anchor": x} | conciseness_title,
    }


def _make_trace(axis: str, **trace: object) -> Part:
    """A trace of the panel with this closeness axis."""
    return {"type": "scatter", "xaxis": axis, "yaxis": _name_y_axis(axis)} | trace


def _draw_equal_f1(axis: str) -> Part:
    """F1 = 2pr / (p + r), so 1/p + 1/r = 2/F1 along a curve. Even steps of 1/r are as fine at either end of it."""
    steps = np.linspace([2 / f1 - 1 for f1 in EQUAL_F1], 1, CURVE_STEPS, axis=1)
    recall, precision = 1 / steps, 1 / (2 / np.array(EQUAL_F1)[:, None] - steps)
    # One trace, whose curves end where nothing is.
    x, y = (np.pad(means.round(4), ((0, 0), (0, 1)), constant_values=np.nan).ravel() for means in (recall, precision))
    line = {"color": FAINT, "width": 1, "dash": "dot"}
    return _make_trace(axis, x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False)


_F1_LABELS: list[Part] = [
    {"x": 1, "xanchor": "left", "xshift": 14, "showarrow": False, "y": f1 / (2 - f1), "text": f"F1 {f1}"}
    for f1 in EQUAL_F1
]
"""Beside the end of each curve, where closeness is 1."""


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
            # Above the handle of the threshold, and below the marks of a score of 0.
            "yshift": 16 if y else -6,
        }
        for name, (x, y) in corners.items()
    ]


def _draw_points(panel: Panel, pipelines: Sequence[str]) -> list[Part]:
    """One trace for each pipeline that has a response here."""
    opacity = float(np.clip(12 / np.sqrt(max(panel.rows.height, 1)), 0.35, 0.85))
    rows = panel.rows.with_columns(pl.len().over(RECALL, PRECISION).alias(_STACK))
    names = dict(zip(pipelines, shown_names(pipelines), strict=True))
    traces = []
    for place, (name, (colour, symbol)) in enumerate(pipeline_marks(pipelines).items()):
        own = rows.filter(pl.col(PIPELINE) == name)
        if own.is_empty():
            continue
        trace = _make_trace(
            panel.axis,
            x=own[RECALL].cast(pl.Float32).to_numpy(),
            y=own[PRECISION].cast(pl.Float32).to_numpy(),
            mode="markers",
            showlegend=False,
            legendgroup=str(place),
            marker={"color": colour, "symbol": symbol, "size": 9, "opacity": opacity},
            unselected={"marker": {"opacity": opacity / 4}},
        )
        traces.append(trace | (_make_hover(names[name], own) if len(rows) <= TEXT_HOVER_UP_TO else _SHORT_HOVER))
    return traces


def _make_hover(pipeline: str, rows: pl.DataFrame) -> Part:
    stacked = pl.format("<br>{} responses here: click to list them", pl.col(_STACK))
    text = rows.select(
        pl.format(
            "<b>{}</b> · {}<br>{} · {}<br>“{}”<br>closeness {}, conciseness {}{}",
            pl.lit(pipeline),
            pl.col(DIAGNOSIS),
            chart_text(pl.col(QUESTION_ID), ID_EXCERPT),
            chart_text(pl.col(QUESTION).fill_null(""), QUESTION_EXCERPT),
            chart_text(pl.col(RESPONSE).fill_null(""), RESPONSE_EXCERPT),
            pl.col(RECALL).round(2),
            pl.col(PRECISION).round(2),
            pl.when(pl.col(_STACK) > 1).then(stacked).otherwise(pl.lit("")),
        )
    )
    return {"hovertext": text.to_series().to_list(), "hoverinfo": "text"}


def _make_shades(counts: Sequence[NDArray[np.int64]]) -> Part:
    """One log scale for the tiles of all panels."""
    most = max(int(count.max()) for count in counts)
    powers = range(int(np.log10(most)) + 1)
    return {
        "cmin": 0,
        "cmax": float(np.log10(most)),
        "colorscale": [list(step) for step in DENSITY_SCALE],
        "colorbar": {
            "title": {"text": "responses", "side": "right"},
            "tickvals": list(powers),
            "ticktext": [numbers.count(10**power) for power in powers],
            "x": 1.08 if len(counts) == 1 else 1.01,
            "thickness": 12,
        },
    }


def _draw_density(axis: str, counts: NDArray[np.int64]) -> list[Part]:
    """Tiles, and over them unseen points at their centres, since only points can be clicked."""
    centres = (np.arange(len(counts)) + 0.5) / len(counts)
    shades = np.full(counts.shape, np.nan)
    np.log10(counts, out=shades, where=counts > 0)
    at_y, at_x = np.nonzero(counts)
    tiles = {"x": centres, "y": centres, "z": shades.round(3), "coloraxis": "coloraxis", "hoverinfo": "skip"}
    spots = _make_trace(
        axis,
        x=centres[at_x],
        y=centres[at_y],
        mode="markers",
        marker={"size": 9, "opacity": 0, "symbol": "square"},
        selected={"marker": {"opacity": 0.35, "color": RIM}},
        hovertext=[f"{numbers.plural(int(n), 'response')} in this tile" for n in counts[at_y, at_x]],
        hoverinfo="text",
        showlegend=False,
    )
    return [_make_trace(axis, **tiles) | {"type": "heatmap"}, spots]


def _draw_means(axis: str, means: pl.DataFrame, pipelines: Sequence[str], named: set[str]) -> list[Part]:
    """The mean of each pipeline in the panel. The legend names those that are not among the `named`, and adds them;
    numbered means have a legend of their own (`_draw_numbered_legend`)."""
    marks, names = pipeline_marks(pipelines), dict(zip(pipelines, shown_names(pipelines), strict=True))
    numbered = len(pipelines) > LEGEND_UP_TO
    traces = []
    for mean in means.iter_rows(named=True):
        colour, symbol = marks[mean[PIPELINE]]
        trace = _make_trace(
            axis,
            x=[mean["closeness"]],
            y=[mean["conciseness"]],
            error_x=_make_whisker(mean, "closeness", colour),
            error_y=_make_whisker(mean, "conciseness", colour),
            mode="markers+text" if numbered else "markers",
            text=[str(pipelines.index(mean[PIPELINE]) + 1)],
            textfont={"size": 11, "color": INK, "weight": 700},
            name=names[mean[PIPELINE]],
            legendgroup=str(pipelines.index(mean[PIPELINE])),
            showlegend=not numbered and mean[PIPELINE] not in named,
            # A number tells what the symbol would, and needs the room.
            marker={
                "color": colour,
                "symbol": "circle" if numbered else symbol,
                "size": 20 if numbered else 17,
                "line": {"color": RIM, "width": 2},
            },
            unselected={"marker": {"opacity": 1}},
            hovertext=_word_mean(names[mean[PIPELINE]], mean),
            hoverinfo="text",
        )
        traces.append(trace)
        named.add(mean[PIPELINE])
    return traces


def _draw_numbered_legend(axis: str, pipelines: Sequence[str], named: Set[str]) -> list[Part]:
    """Unseen traces whose entries in the legend bear the number, symbol and colour of each of the `named` pipelines."""
    entries = zip(pipeline_marks(pipelines).items(), shown_names(pipelines), strict=True)
    return [
        _make_trace(
            axis,
            x=[None],
            y=[None],
            mode="markers",
            name=f"{place + 1} · {name}",
            legendgroup=str(place),
            showlegend=True,
            hoverinfo="skip",
            marker={"color": colour, "symbol": symbol, "size": 12},
        )
        for place, ((pipeline, (colour, symbol)), name) in enumerate(entries)
        if pipeline in named
    ]


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
