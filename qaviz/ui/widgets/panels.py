"""What the Diagnostics page opens above its list: switches side by side, so that the list starts high on the screen."""

from collections.abc import Sequence
from enum import StrEnum

import streamlit as st

from qaviz.ui.widgets import url_state

OPENED = "panels"
"""Session key of the panels that are open."""
CLOSED = "none"
"""What the URL says where all are closed, although one usually is open."""


class Panel(StrEnum):
    """A panel, by the words on its switch."""

    THRESHOLDS = "Thresholds"
    MIX = "Diagnoses by pipeline"
    LABELS = "People's labels"


_ICONS = {Panel.THRESHOLDS: "tune", Panel.MIX: "bar_chart", Panel.LABELS: "how_to_vote"}


def pick_panels() -> Sequence[Panel]:
    """Draw a switch for each panel; returns those that are open: what the URL says, else what it has something to say
    of."""
    st.session_state[OPENED] = _said()
    return st.segmented_control(
        "Panels",
        list(Panel),
        selection_mode="multi",
        format_func=lambda panel: f":material/{_ICONS[panel]}: {panel}",
        wrap=True,
        key=OPENED,
        on_change=lambda: _keep(st.session_state[OPENED]),
        label_visibility="collapsed",
    )


def _said() -> list[Panel]:
    named = url_state.values(url_state.PANELS)
    return [panel for panel in Panel if panel in named] if named else _usual()


def _usual() -> list[Panel]:
    tried = any(url_state.value(name) for name in url_state.THRESHOLDS)
    asked = {Panel.THRESHOLDS: tried, Panel.LABELS: url_state.value(url_state.LABELS) is not None}
    return [panel for panel, said in asked.items() if said]


def _keep(opened: Sequence[Panel]) -> None:
    wanted = [panel for panel in Panel if panel in opened]
    said: Sequence[str] = wanted or [CLOSED]
    url_state.write(url_state.PANELS, *(() if wanted == _usual() else said))


def open_panel(panel: Panel) -> None:
    """Open a panel: for a button."""
    _keep([*_said(), panel])
