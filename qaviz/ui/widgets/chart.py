"""The one way to draw a chart: in the page's theme, with a text for screen readers and a menu of downloads.

The browser makes PNG and SVG from the chart that it shows; data are made here, when they are asked for.
"""

from functools import partial

import streamlit as st

from qaviz.exports.chart_files import Chart, as_data, file_name, picture_layout
from qaviz.ui.widgets.components import HERE, declare_component
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import offer_file

_LABELS = {"png": "Image (PNG)", "svg": "Vector image (SVG)"}

_pictures = declare_component("chart", '<div class="buttons"></div>')


def show_chart(chart: Chart, key: str, caption: str = "") -> None:
    """Draw a chart with a menu of downloads beside its caption."""
    st.html(HERE / "figure.css")
    config = {"displayModeBar": "hover", "displaylogo": False, "doubleClick": False}
    st.plotly_chart(chart.figure, key=key, on_select="ignore", config=config, alt=chart.alt)
    words, files = st.columns([6, 1], gap="small")
    words.caption(caption)
    with files, st.container(horizontal=True, horizontal_alignment="right"):
        _offer_files(chart, key)


@st.fragment
def _offer_files(chart: Chart, key: str) -> None:
    """A fragment: what is only opened redraws no chart, and a menu that is closed costs nothing."""
    menu = st.popover(
        "Download", icon=":material/download:", type="tertiary", on_change="rerun", key=f"{key}_files", width="content"
    )
    if not menu.open:
        return
    with menu:
        picture = {"layout": picture_layout(chart), "file": file_name(chart, ""), "labels": _LABELS}
        _pictures(key=f"{key}_pictures", data={"chart": f"st-key-{key}", **picture})
        data, file = partial(as_data, chart), file_name(chart, ".csv")
        what = f"chart .csv: {chart.name}"
        offer_file(workspace(), "Data (CSV)", what, file, data, key=f"{key}.csv", wide=True)
