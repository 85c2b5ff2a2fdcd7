"""Responses in languages that qaviz does not read: said on Overview, picked on Diagnostics."""

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count
from qaviz.analysis.selection import Passing
from qaviz.analysis.unread_languages import unread_places, unread_sentence
from qaviz.model.columns import FAULT, VERDICT
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.page_setup import OPEN_RUNS, OpenRun

_NARROW = (*url_state.FILTERS, VERDICT, FAULT, url_state.DIFFER)
"""What would leave some of them out."""


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner=False, hash_funcs={OpenRun: lambda shown: shown.run.run_id})
def _unread(shown: OpenRun) -> tuple[pl.Series, str | None]:
    return unread_places(shown.rows), unread_sentence(shown.rows)


def show_unread(shown: OpenRun) -> None:
    """Draw how many responses are in a language that qaviz does not read, with a link to them; nothing for none."""
    _, sentence = _unread(shown)
    if not sentence:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="unread_languages"):
        st.text(sentence, width="content")
        st.page_link(
            "pages/diagnostics.py",
            label="See these responses",
            icon=":material/arrow_forward:",
            query_params=url_state.link(**dict.fromkeys(_NARROW, ""), **{url_state.UNREAD: "yes"}),
        )


def pick_unread(shown: OpenRun, listed: Passing) -> Passing:
    """Draw the switch to responses in a language that qaviz does not read, where there are any; return those picked."""
    places, _ = _unread(shown)
    if places.is_empty():
        return listed
    found = listed.among(places)
    said = url_state.value(url_state.UNREAD) is not None
    picked = st.toggle(f"Language not read · {count(found.height)}", value=said, key="language_not_read")
    if picked != said:
        url_state.write(url_state.UNREAD, *(["yes"] if picked else []))
    return found if picked else listed
