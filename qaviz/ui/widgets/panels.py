"""What the Diagnostics page opens above its list: switches side by side, so that the list starts high on the screen."""

from collections.abc import Sequence
from enum import StrEnum

import streamlit as st

from qaviz.ui.widgets import url_state

OPENED = "panels"
"""Session key of the panels that are open."""


class Panel(StrEnum):
    """A panel, by the words on its switch."""

    THRESHOLDS = "Thresholds"
    MIX = "Diagnoses by pipeline"
    LABELS = "People's labels"


_ICONS = {Panel.THRESHOLDS: "tune", Panel.MIX: "bar_chart", Panel.LABELS: "how_to_vote"}


def pick_panels() -> Sequence[Panel]:
    """Draw a switch for each panel; returns those that are open: at first what the URL has something to say of."""
    return st.segmented_control(
        "Panels",
        list(Panel),
        default=_said(),
        selection_mode="multi",
        format_func=lambda panel: f":material/{_ICONS[panel]}: {panel}",
        wrap=True,
        key=OPENED,
        label_visibility="collapsed",
    )


def _said() -> list[Panel]:
    tried = any(url_state.value(name) for name in url_state.THRESHOLDS)
    asked = {Panel.THRESHOLDS: tried, Panel.LABELS: url_state.value(url_state.LABELS) is not None}
    return [panel for panel, said in asked.items() if said]


def open_panel(panel: Panel) -> None:
    """Open a panel: for a button."""
    opened = st.session_state.get(OPENED, [])
    st.session_state[OPENED] = [each for each in Panel if each in {*opened, panel}]
