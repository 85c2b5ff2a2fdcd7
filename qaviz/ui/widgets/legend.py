"""The legend of a chart: under it, as wide as the page, with whole names.

Pointing at a pipeline there, or at one of its marks in the chart, dims the others.

Plotly's own has no room for names: on a phone it scrolls, and lies over the axis.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

_legend = st.components.v2.component(
    "qaviz_legend",
    html="<ul></ul>",
    css=(HERE / "legend.css").read_text("utf-8"),
    js=(HERE / "legend.js").read_text("utf-8"),
)


@dataclass(frozen=True, kw_only=True)
class LegendMark:
    """The mark of one pipeline, as `palette.pipeline_marks` gives it."""

    name: str
    colour: str
    symbol: str
    number: str = ""
    """Stands in the marks of the chart, where names have no room."""
    group: str = ""
    """What the chart's traces of this pipeline have as `legendgroup`."""


def show_legend(chart: str, marks: Sequence[LegendMark]) -> None:
    """Draw each mark beside its pipeline's name, for the chart in the container with this key."""
    data = {"label": "Marks of the pipelines", "chart": f"st-key-{chart}", "marks": list(map(asdict, marks))}
    _legend(key=f"{chart}_legend", data=data)
