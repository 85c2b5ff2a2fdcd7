"""Charts of the flywheel: versions of a golden dataset on a line, and what a change of score is made of."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import polars as pl
from plotly.subplots import make_subplots

from qaviz.analysis import numbers
from qaviz.charts.charts import FAINT, HATCH
from qaviz.charts.palette import PIPELINE_COLOURS

SHARES = {
    "facts": "Factual Knowledge",
    "agreed": "agrees with people",
    "ruler": "golden dataset or metric at fault",
}
"""Columns of `versions_chart` that are shares, and their names on it."""

_COUNTS = (
    ("error", "✗", PIPELINE_COLOURS[1], ""),
    ("warning", "!", PIPELINE_COLOURS[4], "/"),
    ("note", "i", PIPELINE_COLOURS[5], "."),
)
"""Severity, its symbol, colour and hatch."""
_SYMBOLS = ("circle", "diamond", "square")
_ROW_HEIGHT = 170
_RISES, _FALLS, _STANDS = PIPELINE_COLOURS[2], PIPELINE_COLOURS[1], PIPELINE_COLOURS[0]


def versions_chart(states: pl.DataFrame) -> go.Figure:
    """One place a version: its findings as bars above, its shares as lines below.

    `states` has `number`, `error`, `warning`, `note`, and the columns of SHARES, null where there is nothing to count.
    """
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.12, row_heights=[0.4, 0.6])
    places = [f"Version {number}" for number in states["number"]]
    for name, symbol, colour, hatch in _COUNTS:
        figure.add_bar(
            x=places,
            y=states[name].to_list(),
            name=f"{symbol} {name}s",
            marker=_hatch_fill(colour, hatch),
            hovertemplate=f"%{{x}}: %{{y}} {name}s<extra></extra>",
            row=1,
            col=1,
        )
    for (name, label), colour, symbol in zip(SHARES.items(), PIPELINE_COLOURS, _SYMBOLS, strict=False):
        if states[name].null_count() == states.height:
            continue
        figure.add_scatter(
            x=places,
            y=states[name].to_list(),
            name=label,
            mode="lines+markers",
            line={"color": colour},
            marker={"symbol": symbol, "size": 9},
            hovertemplate=f"%{{x}}: {label} %{{y:.0%}}<extra></extra>",
            row=2,
            col=1,
        )
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(title_text="Findings", rangemode="tozero", fixedrange=True, row=1, col=1)
    figure.update_yaxes(title_text="Share", range=(-0.03, 1.03), tickformat=".0%", fixedrange=True, row=2, col=1)
    figure.update_layout(
        barmode="stack",
        bargap=0.5,
        height=2 * _ROW_HEIGHT + 110,
        margin={"l": 8, "r": 24, "t": 16, "b": 8},
        legend={"orientation": "h", "x": 0, "y": -0.14, "yanchor": "top", "traceorder": "normal"},
    )
    return figure


def _hatch_fill(colour: str, hatch: str) -> dict[str, object]:
    pattern = {"shape": hatch, "fillmode": "overlay", "bgcolor": colour, "fgcolor": HATCH, "size": 7, "solidity": 0.25}
    return {"color": colour, "pattern": pattern, "line": {"width": 0}}


def waterfall(steps: Sequence[Mapping[str, Any]]) -> go.Figure:
    """A change in steps: the score before, its parts one upon the other, the score after.

    A step has `label`, `value` (a share) and `whole`: whether it is a score, not a part of the change.
    """
    figure = go.Figure(
        go.Waterfall(
            x=[step["label"] for step in steps],
            y=[step["value"] for step in steps],
            measure=[
                "total" if step["whole"] and place else "absolute" if step["whole"] else "relative"
                for place, step in enumerate(steps)
            ],
            text=[numbers.percent(step["value"]) if step["whole"] else points(step["value"]) for step in steps],
            textposition="outside",
            increasing={"marker": {"color": _RISES}},
            decreasing={"marker": {"color": _FALLS}},
            totals={"marker": {"color": _STANDS}},
            connector={"line": {"color": FAINT, "dash": "dot"}},
            hovertemplate="%{x}: %{text}<extra></extra>",
        )
    )
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(range=(0, 1.1), tickformat=".0%", fixedrange=True)
    figure.update_layout(height=360, margin={"l": 8, "r": 24, "t": 16, "b": 8}, showlegend=False)
    return figure


def points(part: float | None) -> str:
    """A part of a change in percentage points: `+3.3 points`, `−10.0 points`; `–` where it is missing."""
    if part is None:
        return numbers.MISSING
    return f"{'−' if part < 0 else '+' if part > 0 else '±'}{abs(100 * part):.1f} points"
