"""The legend of many pipelines: under the chart, as wide as the page, with whole names.

Plotly's own has no room for them: on a phone it scrolls, and lies over the axis.
"""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

_legend = st.components.v2.component(
    "qaviz_legend",
    html="<ul></ul>",
    css=(HERE / "legend.css").read_text("utf-8"),
    js=(HERE / "legend.js").read_text("utf-8"),
)


def show_legend(key: str, marks: Mapping[str, tuple[str, str]]) -> None:
    """Draw the colour and symbol of each pipeline, as `palette.pipeline_marks` gives them, beside its name."""
    drawn = [{"name": name, "colour": colour, "symbol": symbol} for name, (colour, symbol) in marks.items()]
    _legend(key=key, data={"label": "Marks of the pipelines", "marks": drawn})
