"""Charts as plotly figures: frames in, a figure out. Here is what all of them share, and the mix of diagnoses.

Text from files enters a figure only through `chart_text`. Figures name no font and no text colour: the page's theme, or
the template of an export, gives them.
"""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from qaviz.analysis import numbers
from qaviz.charts.palette import DIAGNOSIS_COLOURS, DIAGNOSIS_HATCHES
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import DIAGNOSIS, PIPELINE

Figure = go.Figure

NAME_START, NAME_END = 13, 16
LONGEST_NAME = NAME_START + 1 + NAME_END

FAINT = "rgba(128, 138, 148, 0.55)"
"""A grey for guide lines that shows on light and on dark."""
RIM = "#ffffff"
INK = "#05080a"
"""Readable, at 4.5 to 1 or more, on every colour of the palette."""
HATCH = "rgba(255, 255, 255, 0.45)"
LEGEND_UP_TO = 4
"""Pipelines that a chart's own legend has room for on a phone; of more, the page draws the legend under the chart."""
LEGEND = {"orientation": "h", "x": 0, "title_text": "", "traceorder": "normal"}
BAR_HEIGHT = 34
BAR_FRAME = 150
"""Height of axis and legend beside the bars."""


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


def mix_counts(rows: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """What the mix draws, a row for each part of a bar: pipeline in the given order, diagnosis, responses, and their
    share of the pipeline's.
    """
    counts = rows.group_by(PIPELINE, DIAGNOSIS).agg(pl.len().alias("responses"))
    counts = counts.cast({PIPELINE: pl.String, DIAGNOSIS: pl.String})
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
