"""A chart's two threshold lines and their handles: moved by mouse, finger or arrow keys, they write what typing writes.

The lines lie over the chart and are none of it: plotly takes a tenth of a second to draw it anew.
"""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from qaviz.analysis.threshold_words import THRESHOLD_WORDS
from qaviz.charts.charts import FAINT
from qaviz.model.records import Thresholds
from qaviz.ui.widgets import url_state

HERE = Path(__file__).parent

AXES = {"high_closeness": "x", "low_conciseness": "y"}
"""The axis along which each line moves."""

KEY = "threshold_lines"

_lines = st.components.v2.component(
    "qaviz_threshold_lines",
    html="",
    css=(HERE / "threshold_lines.css").read_text("utf-8"),
    js=(HERE / "threshold_lines.js").read_text("utf-8"),
    # The handles stand in the chart, which this component did not draw.
    isolate_styles=False,
)


def let_thresholds_move(chart: str, tried: Thresholds) -> None:
    """Draw both lines, with a handle on each, over the chart that stands in the container with this key."""
    values = asdict(tried)
    lines = [
        {"name": name, "axis": axis, "value": values[name], "label": THRESHOLD_WORDS[name].label}
        for name, axis in AXES.items()
    ]
    data = {"chart": f"st-key-{chart}", "lines": lines, "faint": FAINT}
    _lines(key=KEY, data=data, on_moved_change=_write_moved)


def _write_moved() -> None:
    moved: Mapping[str, Any] | None = st.session_state[KEY].moved
    if moved and moved["name"] in AXES:
        url_state.write(moved["name"], f"{min(max(float(moved['value']), 0), 1):.2f}")
