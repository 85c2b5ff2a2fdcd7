"""Charts as plotly figures: frames in, a figure out.

Text from files enters a figure only through `chart_text`. Figures name no font and no text colour: the page's theme, or
the template of an export, gives them.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import polars as pl
from numpy.typing import NDArray

from qaviz.model import DIAGNOSIS, PIPELINE, PRECISION, QUESTION, QUESTION_ID, RECALL, RESPONSE, Diagnosis, Thresholds
from qaviz.report import closeness, numbers
from qaviz.report.palette import DIAGNOSIS_COLOURS, DIAGNOSIS_HATCHES, pipeline_marks

Figure = go.Figure

CLOSENESS_TITLE = "Closeness (recall)"
CONCISENESS_TITLE = "Conciseness (precision)"

DENSITY_ABOVE = 20_000
"""Responses above which single points are neither readable nor quick to send: the chart shows density instead."""
DENSITY_BINS = 40
"""Tiles along each axis."""
TILE = 1 / DENSITY_BINS

TEXT_HOVER_UP_TO = 1_200
"""Points that carry texts to hover over, about 0.3 kB each; more points carry their two scores only."""
VECTOR_UP_TO = 3_000
"""Points that the browser draws one by one and sharp; more are drawn by its graphics processor."""
ID_EXCERPT = 24
QUESTION_EXCERPT = 80
RESPONSE_EXCERPT = 90
NAME_START, NAME_END = 13, 16
LONGEST_NAME = NAME_START + 1 + NAME_END
STACK_SHARE = 0.01
"""Share of all points from which a place with several responses says how many."""
STACKS_COUNTED = 12
"""At most so many places do."""

EQUAL_F1 = (0.2, 0.4, 0.6, 0.8)
CURVE_STEPS = 60

FAINT = "rgba(128, 138, 148, 0.55)"
"""A grey for guide lines that shows on light and on dark."""
DENSITY_SCALE = ((0.0, "rgba(31, 127, 196, 0.12)"), (0.6, "rgba(31, 127, 196, 0.75)"), (1.0, "rgba(0, 84, 150, 1)"))
RIM = "#ffffff"
INK = "#05080a"
"""Readable, at 4.5 to 1 or more, on every colour of the palette."""
HATCH = "rgba(255, 255, 255, 0.45)"
PLOT_HEIGHT = 560
LEGEND_LINE = 21
NAMES_IN_A_LINE = 3
BAR_HEIGHT = 34
BAR_FRAME = 150
"""Height of axis and legend beside the bars."""
WHOLE_AXIS = (-0.03, 1.03)
LEGEND = {"orientation": "h", "x": 0, "title_text": "", "traceorder": "normal"}


def chart_text(text: pl.Expr, longest: int) -> pl.Expr:
    """The text on one line, cut to `longest` characters, so that a figure shows exactly this and nothing else.

    Plotly reads a few HTML tags and entities in every text, and Streamlit replaces `#000001` and its like by colours
    anywhere in a figure. `<`, `>`, `&` and `#` therefore enter as entities, which plotly turns back into characters.
    """
    line = text.str.replace_all(r"[\s\p{C}]+", " ").str.strip_chars()
    cut = pl.when(line.str.len_chars() > longest).then(line.str.slice(0, longest - 1) + "…").otherwise(line)
    return cut.str.replace_many(["&", "<", ">", "#"], ["&amp;", "&lt;", "&gt;", "&#35;"])


def shown_names(pipelines: Sequence[str]) -> list[str]:
    """Names for legends and axes, long ones cut in the middle: names of one family differ at their ends."""
    cut = [name if len(name) <= LONGEST_NAME else f"{name[:NAME_START]}…{name[-NAME_END:]}" for name in pipelines]
    return pl.select(chart_text(pl.lit(pl.Series(cut, dtype=pl.String)), LONGEST_NAME)).to_series().to_list()


def closeness_conciseness(rows: pl.DataFrame, thresholds: Thresholds, pipelines: Sequence[str]) -> go.Figure:
    """Every response by its closeness and conciseness: points, or density above DENSITY_ABOVE responses.

    With the mean of each pipeline and its 95 % interval, curves of equal F1, and the two thresholds that bound the
    regions. `pipelines` are all of the run, so that each keeps its colour and symbol whatever is filtered.
    """
    rows = closeness.placed(rows)
    figure = go.Figure()
    _draw_equal_f1(figure)
    _draw_thresholds(figure, thresholds)
    if len(rows) > DENSITY_ABOVE:
        _draw_density(figure, rows)
    else:
        _draw_points(figure, rows, pipelines)
        _draw_stack_sizes(figure, rows)
    _draw_means(figure, rows, pipelines)
    # Scores have no more than this to show: a chart that cannot be dragged away lets a finger scroll the page.
    axis = {"range": WHOLE_AXIS, "dtick": 0.2, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(title_text=CLOSENESS_TITLE, **axis)
    figure.update_yaxes(title_text=CONCISENESS_TITLE, **axis)
    figure.update_layout(
        height=PLOT_HEIGHT + LEGEND_LINE * (len(pipelines) // NAMES_IN_A_LINE),
        margin={"l": 8, "r": 56, "t": 44, "b": 8},
        hovermode="closest",
        # Below the plot: above it, on a phone, the chart's tools would lie over it.
        legend=LEGEND | {"y": -0.16, "yanchor": "top", "maxheight": 0.25, "itemsizing": "constant"},
    )
    return figure


def _draw_equal_f1(figure: go.Figure) -> None:
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
        )
        figure.add_annotation(x=1, y=precision[-1], text=f"F1 {f1}", xanchor="left", xshift=14, showarrow=False)


def _draw_thresholds(figure: go.Figure, thresholds: Thresholds) -> None:
    line = {"color": FAINT, "width": 1.5}
    figure.add_vline(x=thresholds.high_closeness, line=line, layer="below")
    figure.add_hline(y=thresholds.low_conciseness, line=line, layer="below")
    for name, x, y in (
        (closeness.SHORT_AND_CLOSE, 1, 1),
        (closeness.CLOSE_BUT_WORDY, 1, 0),
        (closeness.PARTIAL, 0, 1),
        (closeness.OTHER_WORDS, 0, 0),
    ):
        figure.add_annotation(
            x=x,
            y=y,
            text=f"<i>{name}</i>",
            showarrow=False,
            xanchor="right" if x else "left",
            yanchor="bottom" if y else "top",
        )


def _draw_points(figure: go.Figure, rows: pl.DataFrame, pipelines: Sequence[str]) -> None:
    draw = go.Scatter if len(rows) <= VECTOR_UP_TO else go.Scattergl
    opacity = float(np.clip(12 / np.sqrt(max(len(rows), 1)), 0.35, 0.85))
    rows = rows.with_columns(pl.len().over(RECALL, PRECISION).alias(_STACK))
    for shown, (name, (colour, symbol)) in zip(shown_names(pipelines), pipeline_marks(pipelines).items(), strict=True):
        own = rows.filter(pl.col(PIPELINE) == name)
        if own.is_empty():
            continue
        figure.add_trace(
            draw(
                x=own[RECALL].cast(pl.Float32).to_numpy(),
                y=own[PRECISION].cast(pl.Float32).to_numpy(),
                mode="markers",
                showlegend=False,
                legendgroup=str(pipelines.index(name)),
                marker={"color": colour, "symbol": symbol, "size": 9, "opacity": opacity},
                unselected={"marker": {"opacity": opacity / 4}},
                **(_hover(shown, own) if len(rows) <= TEXT_HOVER_UP_TO else _SHORT_HOVER),
            )
        )


_STACK = "responses at this place"


_SHORT_HOVER = {"hovertemplate": "closeness %{x:.2f}, conciseness %{y:.2f}<extra></extra>"}


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


def _draw_density(figure: go.Figure, rows: pl.DataFrame) -> None:
    """Tiles on a log scale, and over them unseen points at their centres, since only points can be clicked."""
    counts = density(rows)
    centres = (np.arange(DENSITY_BINS) + 0.5) * TILE
    shades = np.full(counts.shape, np.nan)
    np.log10(counts, out=shades, where=counts > 0)
    powers = range(int(np.log10(counts.max())) + 1)
    figure.add_heatmap(
        x=centres,
        y=centres,
        z=shades.round(3),
        colorscale=[list(step) for step in DENSITY_SCALE],
        hoverinfo="skip",
        colorbar={
            "title": {"text": "responses", "side": "right"},
            "tickvals": list(powers),
            "ticktext": [numbers.count(10**power) for power in powers],
            "x": 1.08,
            "thickness": 12,
        },
    )
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
    )


def density(rows: pl.DataFrame) -> NDArray[np.int64]:
    """How many responses lie in each tile, DENSITY_BINS by DENSITY_BINS, indexed [conciseness, closeness]."""
    tile = (rows.select(RECALL, PRECISION).to_numpy() * DENSITY_BINS).astype(np.int64)
    tile = np.minimum(tile, DENSITY_BINS - 1)  # a score of exactly 1 belongs to the last tile
    flat = np.bincount(tile[:, 1] * DENSITY_BINS + tile[:, 0], minlength=DENSITY_BINS**2)
    return flat.reshape(DENSITY_BINS, DENSITY_BINS)


def _draw_means(figure: go.Figure, rows: pl.DataFrame, pipelines: Sequence[str]) -> None:
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
        )


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


def mix_counts(rows: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """What the mix draws, a row for each part of a bar: pipeline in the given order, diagnosis, responses, and their
    share of the pipeline's.
    """
    counts = rows.group_by(PIPELINE, DIAGNOSIS).agg(pl.len().alias("responses"))
    orders = {PIPELINE: pl.Enum(list(pipelines)), DIAGNOSIS: pl.Enum([each.value for each in Diagnosis])}
    return counts.with_columns(share=pl.col("responses") / pl.col("responses").sum().over(PIPELINE)).sort(
        pl.col(name).cast(order) for name, order in orders.items()
    )


def diagnosis_mix(rows: pl.DataFrame, pipelines: Sequence[str]) -> go.Figure:
    """One bar a pipeline: the share of its responses in each diagnosis, with their number inside."""
    counts = mix_counts(rows, pipelines)
    figure = go.Figure()
    for diagnosis in Diagnosis:
        own = counts.filter(pl.col(DIAGNOSIS) == diagnosis.value)
        if own.is_empty():
            continue
        places = [pipelines.index(name) for name in own[PIPELINE]]
        figure.add_bar(
            y=places,
            x=own["share"].to_list(),
            orientation="h",
            name=diagnosis.value,
            text=[numbers.count(n) for n in own["responses"]],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            insidetextfont={"color": INK, "size": 13},
            marker=_fill(diagnosis),
            hovertemplate=f"{diagnosis.value}: %{{text}} responses, %{{x:.0%}}<extra></extra>",
        )
    figure.update_xaxes(title_text="Share of responses", range=(0, 1), tickformat=".0%", fixedrange=True)
    # Places, not names: plotly would merge two names that are cut to the same text.
    places = list(range(len(pipelines)))
    figure.update_yaxes(tickvals=places, ticktext=shown_names(pipelines), autorange="reversed", fixedrange=True)
    figure.update_layout(
        barmode="stack",
        bargap=0.3,
        height=BAR_FRAME + BAR_HEIGHT * max(len(pipelines), 1),
        margin={"l": 8, "r": 24, "t": 8, "b": BAR_FRAME - 8},
        # At the foot of the chart and as wide: above the bars, on a phone, it would lie over them.
        legend=LEGEND | {"xref": "container", "yref": "container", "y": 0, "yanchor": "bottom"},
        uniformtext={"minsize": 10, "mode": "hide"},
    )
    return figure


def _fill(diagnosis: Diagnosis) -> dict[str, object]:
    hatch = {
        "shape": DIAGNOSIS_HATCHES[diagnosis],
        "fillmode": "overlay",
        "bgcolor": DIAGNOSIS_COLOURS[diagnosis],
        "fgcolor": HATCH,
        "size": 7,
        "solidity": 0.25,
    }
    return {"color": DIAGNOSIS_COLOURS[diagnosis], "pattern": hatch, "line": {"width": 0}}
