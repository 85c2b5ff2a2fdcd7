"""Thresholds that the reader tries on a run. The run keeps its own; the URL says which ones are tried."""

from dataclasses import asdict

import streamlit as st

from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.selection import BEFORE, moves, moves_in_words
from qaviz.model.columns import DIAGNOSIS
from qaviz.model.records import Thresholds
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import select_responses
from qaviz.ui.widgets.filters import Filters
from qaviz.ui.widgets.page_setup import OpenRun
from qaviz.ui.widgets.responses import Beside, show_responses

_BEFORE = Beside(column=BEFORE, heading="Before", caption="Responses that change their diagnosis")


def pick_thresholds(shown: OpenRun, *names: str) -> Thresholds:
    """Draw the named thresholds, all of them without names; returns what the reader tries, else the run's own."""
    tried = tried_thresholds(shown)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for name, value in asdict(tried).items():
            if name in (names or url_state.THRESHOLDS):
                _draw(name, value)
        if tried != shown.run.thresholds:
            st.button("As in the run", icon=":material/undo:", on_click=_forget)
    return tried


def show_moves(shown: OpenRun, tried: Thresholds) -> None:
    """Say how many responses change their diagnosis by the thresholds that the reader tries, if they differ.

    Which ones is a list to open.
    """
    if tried == shown.run.thresholds:
        return
    before, after = select_responses(shown, Filters()), select_responses(shown, Filters(), tried)
    moved = moves(before.classes[DIAGNOSIS], after.classes[DIAGNOSIS])
    st.markdown(f"{moves_in_words(moved, shown.rows.height)} This is a trial: the saved run stays as it is.")
    if moved.is_empty():
        return
    panel = st.expander("Responses that change", icon=":material/swap_horiz:", on_change="rerun", key="moved")
    if panel.open:
        with panel:
            show_responses(after.changed(before), tried, "moved_responses", _BEFORE)


def tried_thresholds(shown: OpenRun) -> Thresholds:
    """What the URL says is tried, else the run's own."""
    own = asdict(shown.run.thresholds)
    return Thresholds(**{name: _read_tried(name, value) for name, value in own.items()})


def _read_tried(name: str, own: float) -> float:
    """What the URL says of a threshold, if it is a number from 0 to 1."""
    try:
        said = float(url_state.value(name) or own)
    except ValueError:
        return own
    return said if 0 <= said <= 1 else own


def _draw(name: str, value: float) -> None:
    key = f"threshold_{name}"
    st.session_state[key] = value
    st.number_input(
        THRESHOLD_WORDS[name].label,
        min_value=0.0,
        max_value=1.0,
        step=0.05,
        format="%.2f",
        key=key,
        help=THRESHOLD_WORDS[name].help,
        on_change=lambda: url_state.write(name, f"{st.session_state[key]:g}"),
    )


def _forget() -> None:
    for name in url_state.THRESHOLDS:
        url_state.write(name)
