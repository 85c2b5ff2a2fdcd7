"""A chart as files: what it says of itself, its look on paper, and its data."""

import json
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import plotly.graph_objects as go
import polars as pl

from qaviz.analysis.numbers import day
from qaviz.charts import Part, chart_texts
from qaviz.exports.table_files import as_csv

WIDTH = 1200
"""Pixels of an exported picture, before it is drawn at twice the size."""
FRAME, TITLE_LINE, TEXT_LINE = 16, 56, 19
LETTERS_A_LINE, LONGEST_SAID, LONGEST_PART = 150, 600, 60

PAPER, INK, GRID, QUIET = "#ffffff", "#10181f", "#d9dee2", "#4c565f"
FONT = "Arial, Helvetica, sans-serif"
"""Fonts that every machine has: a picture takes none along."""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart that can leave the app, with what it was drawn from: every file of it says that."""

    figure: go.Figure
    name: str
    """Its title outside the app: `Closeness over runs`."""
    alt: str
    """What it shows, for those who do not see it."""
    runs: str
    """`12 runs`."""
    scored: datetime
    """When the newest of them was scored."""
    filtered: str
    """Which part of them is shown: `all responses`."""
    data: Callable[[], pl.DataFrame]
    """Makes the table that the figure draws; called only for a download."""


def file_name(chart: Chart, suffix: str) -> str:
    """`closeness-vs-conciseness_Release-12_2026-11-21.png`: letters, digits, dots, hyphens and underscores only."""
    parts = (chart.name.lower(), chart.runs, f"{chart.scored:%Y-%m-%d}")
    return "_".join(re.sub(r"[\W_]+", "-", part)[:LONGEST_PART].strip("-") or "run" for part in parts) + suffix


def picture_layout(chart: Chart) -> Part:
    """The figure's layout for a picture on white, with its title and what it was drawn from above it. As plotly's own
    JSON, with `width` and `height`."""
    about = f"{chart.runs}, scored {day(chart.scored)}: {chart.filtered}"
    about = textwrap.shorten(about, LONGEST_SAID, placeholder=" …")
    name, *lines = chart_texts([chart.name, *textwrap.wrap(about, LETTERS_A_LINE)], LONGEST_SAID)
    words = "".join(f'<br><span style="font-size: 13px; color: {QUIET}">{line}</span>' for line in lines)
    heading = TITLE_LINE + TEXT_LINE * len(lines)
    figure = go.Figure(chart.figure)
    if figure.layout.showlegend is False:
        # The page draws a legend of its own, which goes along into no file.
        figure.layout.showlegend = True
    axis = {"gridcolor": GRID, "linecolor": GRID, "zerolinecolor": GRID, "automargin": True, "title": {"standoff": 12}}
    look = {"font": {"family": FONT, "size": 13, "color": INK}, "paper_bgcolor": PAPER, "plot_bgcolor": PAPER}
    figure.layout.template = {"layout": look | {"xaxis": axis, "yaxis": axis}}
    margin = figure.layout.margin
    height = (figure.layout.height or 450) + heading + FRAME  # 450: plotly's own, where a figure names none
    at_top = dict.fromkeys(("xref", "yref"), "container") | {"x": 0, "xanchor": "left", "yanchor": "top"}
    figure.update_layout(
        width=WIDTH,
        height=height,
        margin={side: (getattr(margin, side) or 0) + FRAME for side in "lrb"} | {"t": (margin.t or 0) + heading},
        title={"text": f"<b>{name}</b>{words}", "y": 1 - 2 * FRAME / height, "pad": {"l": FRAME}, **at_top},
        title_font_size=18,
    )
    layout: Part = json.loads(figure.to_json())["layout"]
    return layout


def as_data(chart: Chart) -> bytes:
    """The chart's table as CSV that is safe in a spreadsheet; its last columns say what it was drawn from. A table that
    has columns of their names already is a bug, and loud: none is written over."""
    table = chart.data()
    about = {"run": chart.runs, "scored": f"{chart.scored:%Y-%m-%d}", "shown": chart.filtered}
    return as_csv(table.hstack([pl.Series(name, [text] * table.height, pl.String) for name, text in about.items()]))
