"""The one way to draw a chart: in the page's theme, with a text for screen readers and a menu of downloads.

The browser makes PNG and SVG from the chart that it shows; data are made here, when they are asked for.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl
import streamlit as st

from qaviz.charts import Figure
from qaviz.exports.chart_files import About, Chart, as_data, file_name, picture_layout
from qaviz.ui.widgets.components import declare_component
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import note_download

HERE = Path(__file__).parent

_LABELS = {
    "png": "Image (PNG)",
    "svg": "Vector image (SVG)",
    "copy": "Copy image",
    "copied": "Copied",
    "refused": "The browser refused it",
}

_pictures = declare_component("chart", '<div class="buttons"></div>')


def show_chart(
    figure: Figure,
    *,
    key: str,
    name: str,
    alt: str,
    data: Callable[[], pl.DataFrame],
    about: About,
    caption: str = "",
) -> None:
    """Draw a figure of `qaviz.charts` with a menu of downloads beside its caption.

    `name` is its title in files, `alt` what it shows in a sentence; `data` makes the table that it draws, for a file.
    """
    st.html(HERE / "figure.css")
    config = {"displayModeBar": "hover", "displaylogo": False, "doubleClick": False}
    st.plotly_chart(figure, key=key, on_select="ignore", config=config, alt=alt)
    words, files = st.columns([6, 1], gap="small")
    words.caption(caption)
    with files, st.container(horizontal=True, horizontal_alignment="right"):
        _offer_files(Chart(figure=figure, name=name, alt=alt, data=data, about=about), key)


@st.fragment
def _offer_files(chart: Chart, key: str) -> None:
    """A fragment: what is only opened redraws no chart, and a menu that is closed costs nothing."""
    menu = st.popover(
        "Download", icon=":material/download:", type="tertiary", on_change="rerun", key=f"{key}_files", width="content"
    )
    if not menu.open:
        return
    with menu:
        _pictures(
            key=f"{key}_pictures",
            data={
                "chart": f"st-key-{key}",
                "layout": picture_layout(chart),
                "file": file_name(chart, ""),
                "labels": _LABELS,
            },
        )
        st.download_button(
            "Data (CSV)",
            note_download(workspace(), f"chart .csv: {chart.name}", partial(as_data, chart)),
            file_name(chart, ".csv"),
            "text/csv",
            key=f"{key}.csv",
            on_click="ignore",
            width="stretch",
        )
