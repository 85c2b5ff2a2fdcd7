"""The chart of closeness against conciseness: every response, or their density; in one panel or in small multiples."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import plotly.graph_objects as go
import polars as pl
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from qaviz.model import DIAGNOSIS, PIPELINE, PRECISION, QUESTION, QUESTION_ID, RECALL, RESPONSE, Diagnosis, Thresholds
from qaviz.report import closeness, numbers
from qaviz.report.charts import FAINT, LEGEND, LEGEND_UP_TO, RIM, chart_text, shown_names
from qaviz.report.palette import pipeline_marks
from qaviz.report.passing import Selectable

CLOSENESS_TITLE = "Closeness (recall)"
CONCISENESS_TITLE = "Conciseness (precision)"

DENSITY_ABOVE = 20_000
"""Responses above which single points are neither readable nor quick to send: the chart shows density instead."""
DENSITY_BINS = 40
"""Tiles along each axis; half as many in small panels."""

TEXT_HOVER_UP_TO = 1_200
"""Points that carry texts to hover over, about 0.3 kB each; more points carry their two scores only."""
ID_EXCERPT = 24
QUESTION_EXCERPT = 80
RESPONSE_EXCERPT = 90
STACK_SHARE = 0.01
"""Share of all points from which a place with several responses says how many."""
STACKS_COUNTED = 12
"""At most so many places do."""

EQUAL_F1 = (0.2, 0.4, 0.6, 0.8)
CURVE_STEPS = 60
DENSITY_SCALE = ((0.0, "rgba(31, 127, 196, 0.12)"), (1.0, "rgba(31, 127, 196, 1)"))
WHOLE_AXIS = (-0.03, 1.03)

PLOT_HEIGHT = 560
PANEL_HEIGHT = 270
PANEL_GAP = 64
"""Pixels between two rows of panels: the upper one's numbers and the lower one's title."""
TITLE_SIZE, TITLE_LIFT = 14, 8
"""Of a panel's title, in pixels; it makes room for the handle of the threshold."""
MOST_PANELS = 12
PANELS_IN_TWOS = 4
"""Up to so many panels stand two in a row, more stand three."""

ROW = "row"
"""Which of the rows given a panel's row is: panels hold what is drawn, not the run."""

_DRAWN = (PIPELINE, RECALL, PRECISION, DIAGNOSIS)
_TEXTS = (QUESTION_ID, QUESTION, RESPONSE)
"""What points have to hover over, tiles have not."""
_STACK = "responses at this place"
_SHORT_HOVER = {"hovertemplate": "closeness %{x:.2f}, conciseness %{y:.2f}<extra></extra>"}


class Split(StrEnum):
    """How the chart is divided into panels."""

    NONE = "In one panel"
    PIPELINE = "By pipeline"
    DIAGNOSIS = "By diagnosis"


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One of the small multiples, or the whole chart."""

    name: str
    """The pipeline or diagnosis; empty for the whole."""
    axis: str
    """What plotly calls its closeness axis: `x`, `x2`, …"""
    rows: pl.DataFrame
    """What is drawn of each response, and ROW."""


def panels(rows: Selectable, split: Split, pipelines: Sequence[str]) -> list[Panel]:
    """The panels of these rows: those that have a response on the chart, in the order of pipelines or diagnoses.

    At most MOST_PANELS; without any response, or without a split, one panel.
    """
    own = closeness.placed(rows.select(_DRAWN).with_row_index(ROW))
    column, names = {
        Split.NONE: (PIPELINE, []),
        Split.PIPELINE: (PIPELINE, list(pipelines)),
        Split.DIAGNOSIS: (DIAGNOSIS, [each.value for each in Diagnosis]),
    }[split]
    if not names or own.is_empty():
        return _with_texts([Panel(name="", axis="x", rows=own)], rows)
    parts = own.partition_by(column, as_dict=True, maintain_order=True)
    full = [name for name in names if (name,) in parts][:MOST_PANELS]
    shown = [
        Panel(name=name, axis=f"x{place}" if place > 1 else "x", rows=parts[name,])
        for place, name in enumerate(full, start=1)
    ]
    return _with_texts(shown, rows)


def _with_texts(shown: list[Panel], rows: Selectable) -> list[Panel]:
    """The panels with _TEXTS where they show points."""
    if bins(shown):
        return shown
    texts = rows.select(_TEXTS)
    return [replace(panel, rows=panel.rows.hstack(texts[panel.rows[ROW]])) for panel in shown]


def bins(shown: Sequence[Panel]) -> int:
    """Tiles along each axis of a panel if the chart shows density, 0 if it shows points."""
    if sum(panel.rows.height for panel in shown) <= DENSITY_ABOVE:
        return 0
    return DENSITY_BINS if len(shown) == 1 else DENSITY_BINS // 2


def closeness_conciseness(shown: Sequence[Panel], thresholds: Thresholds, pipelines: Sequence[str]) -> go.Figure:
    """The responses of the panels by closeness and conciseness: points, or density above DENSITY_ABOVE responses.

    With the mean of each pipeline and its 95 % interval, curves of equal F1, and the two thresholds that bound the
    regions. `pipelines` are all of the run, so that each keeps its colour and symbol whatever is filtered.
    """
    alone, tiles = len(shown) == 1, bins(shown)
    figure, places = _grid(shown)
    for panel, place in zip(shown, places, strict=True):
        _draw_equal_f1(figure, place, named=alone)
        _draw_thresholds(figure, place, thresholds)
        if alone:
            _name_regions(figure)
        if not tiles:
            _draw_points(figure, place, panel.rows, pipelines)
    if tiles:
        _draw_densities(figure, places, [density(panel.rows, tiles) for panel in shown])
    elif alone:
        _draw_stack_sizes(figure, shown[0].rows)
    for panel, place in zip(shown, places, strict=True):
        _draw_means(figure, place, panel.rows, pipelines)
    _in_legend_once(figure)
    return figure


def _grid(shown: Sequence[Panel]) -> tuple[go.Figure, list[dict[str, int]]]:
    """A figure with an empty panel for each of these, and the row and column of each."""
    alone = len(shown) == 1
    columns = 1 if alone else 2 if len(shown) <= PANELS_IN_TWOS else 3
    lines = -(-len(shown) // columns)
    height = PLOT_HEIGHT if alone else lines * (PANEL_HEIGHT + PANEL_GAP)
    places = [{"row": place // columns + 1, "col": place % columns + 1} for place in range(len(shown))]
    figure = make_subplots(
        rows=lines,
        cols=columns,
        specs=[
            [{} if line * columns + column < len(shown) else None for column in range(columns)] for line in range(lines)
        ],
        subplot_titles=None if alone else _panel_titles(shown),
        horizontal_spacing=0.06,
        vertical_spacing=PANEL_GAP / height,
    )
    # Scores have no more than this to show: a chart that cannot be dragged away lets a finger scroll the page.
    axis = {"range": WHOLE_AXIS, "dtick": 0.2 if alone else 0.5, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(axis)
    figure.update_yaxes(axis)
    figure.update_xaxes(title_text=CLOSENESS_TITLE, row=lines)
    figure.update_yaxes(title_text=CONCISENESS_TITLE, col=1)
    figure.update_yaxes(showticklabels=False, selector=lambda axis: axis.title.text is None)
    figure.update_annotations(font_size=TITLE_SIZE, yshift=TITLE_LIFT)
    pipelines = {name for panel in shown for name in panel.rows[PIPELINE].unique()}
    figure.update_layout(
        height=height,
        showlegend=len(pipelines) <= LEGEND_UP_TO,
        margin={"l": 8, "r": 56 if alone else 8, "t": 56 if alone else 72, "b": 8},
        hovermode="closest",
        # Below the plot: above it, on a phone, the chart's tools would lie over it.
        legend=LEGEND | {"y": -90 / height, "yanchor": "top", "maxheight": 0.25, "itemsizing": "constant"},
    )
    return figure, places


def _panel_titles(shown: Sequence[Panel]) -> list[str]:
    names = shown_names([panel.name for panel in shown])
    return [f"{name} · {numbers.count(panel.rows.height)}" for name, panel in zip(names, shown, strict=True)]


def _draw_equal_f1(figure: go.Figure, place: dict[str, int], *, named: bool) -> None:
    """F1 = 2pr / (p + r), so 1/p + 1/r = 2/F1 along a curve. Even steps of 1/r are as fine at either end of it."""
    for f1 in EQUAL_F1:
        steps = np.linspace(2 / f1 - 1, 1, CURVE_STEPS)
        recall, precision = 1 / steps, 1 / (2 / f1 - steps)
        figure.add_scatter(
            x=recall.round(4),
            y=precision.round(4),
            mode="lines",
            line={"color": FAINT, "width": 1, "dash": "dot"},
            hoverinfo="skip",
            showlegend=False,
            **place,
        )
        if named:
            figure.add_annotation(x=1, y=precision[-1], text=f"F1 {f1}", xanchor="left", xshift=14, showarrow=False)


def _draw_thresholds(figure: go.Figure, place: dict[str, int], thresholds: Thresholds) -> None:
    line = {"color": FAINT, "width": 1.5}
    figure.add_vline(x=thresholds.high_closeness, line=line, layer="below", **place)
    figure.add_hline(y=thresholds.low_conciseness, line=line, layer="below", **place)


def _name_regions(figure: go.Figure) -> None:
    for name, x, y in (
        (closeness.SHORT_AND_CLOSE, 1, 1),
        (closeness.CLOSE_BUT_WORDY, 1, 0),
        (closeness.PARTIAL, 0, 1),
        (closeness.OTHER_WORDS, 0, 0),
    ):
        # Above the handle of the threshold.
        anchors = {"xanchor": "right" if x else "left", "yanchor": "bottom" if y else "top", "yshift": 16 * y}
        figure.add_annotation(x=x, y=y, text=f"<i>{name}</i>", showarrow=False, **anchors)


def _draw_points(figure: go.Figure, place: dict[str, int], rows: pl.DataFrame, pipelines: Sequence[str]) -> None:
    opacity = float(np.clip(12 / np.sqrt(max(len(rows), 1)), 0.35, 0.85))
    rows = rows.with_columns(pl.len().over(RECALL, PRECISION).alias(_STACK))
    for shown, (name, (colour, symbol)) in zip(shown_names(pipelines), pipeline_marks(pipelines).items(), strict=True):
        own = rows.filter(pl.col(PIPELINE) == name)
        if own.is_empty():
            continue
        figure.add_scatter(
            x=own[RECALL].cast(pl.Float32).to_numpy(),
            y=own[PRECISION].cast(pl.Float32).to_numpy(),
            mode="markers",
            showlegend=False,
            legendgroup=str(pipelines.index(name)),
            marker={"color": colour, "symbol": symbol, "size": 9, "opacity": opacity},
            unselected={"marker": {"opacity": opacity / 4}},
            **(_hover(shown, own) if len(rows) <= TEXT_HOVER_UP_TO else _SHORT_HOVER),
            **place,
        )


def _hover(pipeline: str, rows: pl.DataFrame) -> dict[str, object]:
    stacked = pl.format("<br>{} responses lie here: a click lists them", pl.col(_STACK))
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


def _draw_stack_sizes(figure: go.Figure, rows: pl.DataFrame) -> None:
    """Beside the places that hide most: how many responses lie on one another."""
    stacks = rows.group_by(RECALL, PRECISION).len().filter(pl.col("len") >= max(2, len(rows) * STACK_SHARE))
    for at_x, at_y, responses in stacks.top_k(STACKS_COUNTED, by="len").iter_rows():
        figure.add_annotation(x=at_x, y=at_y, text=f"×{responses}", xanchor="left", xshift=7, yshift=5, showarrow=False)


def density(rows: pl.DataFrame, tiles: int) -> NDArray[np.int64]:
    """How many responses lie in each tile, so many tiles along each axis, indexed [conciseness, closeness]."""
    tile = (rows.select(RECALL, PRECISION).to_numpy() * tiles).astype(np.int64)
    tile = np.minimum(tile, tiles - 1)  # a score of exactly 1 belongs to the last tile
    flat = np.bincount(tile[:, 1] * tiles + tile[:, 0], minlength=tiles**2)
    return flat.reshape(tiles, tiles)


def _draw_densities(figure: go.Figure, places: Sequence[dict[str, int]], counts: Sequence[NDArray[np.int64]]) -> None:
    """Tiles on one log scale, and over them unseen points at their centres, since only points can be clicked."""
    most = max(int(each.max()) for each in counts)
    powers = range(int(np.log10(most)) + 1)
    figure.update_layout(
        coloraxis={
            "cmin": 0,
            "cmax": float(np.log10(most)),
            "colorscale": [list(step) for step in DENSITY_SCALE],
            "colorbar": {
                "title": {"text": "responses", "side": "right"},
                "tickvals": list(powers),
                "ticktext": [numbers.count(10**power) for power in powers],
                "x": 1.08 if len(places) == 1 else 1.01,
                "thickness": 12,
            },
        }
    )
    for place, own in zip(places, counts, strict=True):
        _draw_density(figure, place, own)


def _draw_density(figure: go.Figure, place: dict[str, int], counts: NDArray[np.int64]) -> None:
    centres = (np.arange(len(counts)) + 0.5) / len(counts)
    shades = np.full(counts.shape, np.nan)
    np.log10(counts, out=shades, where=counts > 0)
    figure.add_heatmap(x=centres, y=centres, z=shades.round(3), coloraxis="coloraxis", hoverinfo="skip", **place)
    at_y, at_x = np.nonzero(counts)
    figure.add_scatter(
        x=centres[at_x],
        y=centres[at_y],
        mode="markers",
        marker={"size": 9, "opacity": 0, "symbol": "square"},
        selected={"marker": {"opacity": 0.35, "color": RIM}},
        hovertext=[f"{numbers.plural(int(n), 'response')} in this tile" for n in counts[at_y, at_x]],
        hoverinfo="text",
        showlegend=False,
        **place,
    )


def _draw_means(figure: go.Figure, place: dict[str, int], rows: pl.DataFrame, pipelines: Sequence[str]) -> None:
    marks, names = pipeline_marks(pipelines), dict(zip(pipelines, shown_names(pipelines), strict=True))
    for mean in closeness.pipeline_means(rows, pipelines).iter_rows(named=True):
        colour, symbol = marks[mean[PIPELINE]]
        figure.add_scatter(
            x=[mean["closeness"]],
            y=[mean["conciseness"]],
            error_x=_whisker(mean, "closeness", colour),
            error_y=_whisker(mean, "conciseness", colour),
            mode="markers",
            name=names[mean[PIPELINE]],
            legendgroup=str(pipelines.index(mean[PIPELINE])),
            marker={"color": colour, "symbol": symbol, "size": 17, "line": {"color": RIM, "width": 2}},
            unselected={"marker": {"opacity": 1}},
            hovertext=_mean_in_words(names[mean[PIPELINE]], mean),
            hoverinfo="text",
            **place,
        )


def _in_legend_once(figure: go.Figure) -> None:
    """Name each pipeline once, however many panels have it."""
    seen = set()
    for trace in figure.data:
        if trace.name:
            trace.showlegend = trace.legendgroup not in seen
            seen.add(trace.legendgroup)


def _whisker(mean: dict[str, float | None], axis: str, colour: str) -> dict[str, object]:
    middle, low, high = mean[axis], mean[f"{axis}_low"], mean[f"{axis}_high"]
    if middle is None or low is None or high is None:
        return {"visible": False}
    return {"array": [high - middle], "arrayminus": [middle - low], "color": colour, "thickness": 2, "width": 5}


def _mean_in_words(name: str, mean: dict[str, float]) -> str:
    lines = [f"<b>{name}</b>, mean of {numbers.plural(int(mean['responses']), 'response')}"]
    for axis in ("closeness", "conciseness"):
        low, high = mean[f"{axis}_low"], mean[f"{axis}_high"]
        between = "" if low is None else f" ({numbers.score(low)} to {numbers.score(high)})"
        lines.append(f"{axis} {numbers.score(mean[axis])}{between}")
    return "<br>".join(lines)
