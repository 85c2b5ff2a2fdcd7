"""The panel that certifies automatic verdicts by people's own labels: the promise, progress, labels by key."""

import polars as pl
import streamlit as st

from qaviz.analysis.certificate import Certificate, certificate_lead, certificate_points
from qaviz.analysis.numbers import out_of
from qaviz.stats.certify import PROMISE, Promise
from qaviz.ui.labelling import Queue, show_labelling
from qaviz.ui.widgets.cached import certificate_of, select_responses
from qaviz.ui.widgets.filters import Filters
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.text import show_sentences

OPEN = "certify_open"
"""Session key of whether labels are given on the panel."""

_WRONG_HELP = "Of the automatic verdicts, at most so many are wrong."
_SURE_HELP = "The probability that the promise holds, over the random samples that could have been drawn."


@st.fragment
def show_certificate(shown: OpenRun) -> None:
    """Draw what the labels of the run certify, and the panel that states a promise and labels the random sample."""
    with st.container(border=True, key="certificate_card", gap="small"):
        opened = bool(st.session_state.get(OPEN))
        promise = _pick_promise() if opened else _stated_promise()
        certificate = certificate_of(shown, promise)
        show_sentences("certificate", certificate_points(certificate), lead=certificate_lead(certificate))
        goal = _find_goal(certificate)
        if goal:
            text = f"{out_of(certificate.labels, goal)} labels of the random sample"
            st.progress(min(1.0, certificate.labels / goal), text=text)
        label = "Close" if opened else "Certify by your own labels"
        st.button(label, key="certify", icon=":material/verified:", on_click=_open, args=(not opened,))
        if opened:
            everything = select_responses(shown, Filters())
            show_labelling(shown, everything, pl.Series([], dtype=pl.UInt32), Queue.RANDOM)


def _open(opened: bool) -> None:
    st.session_state[OPEN] = opened


def _find_goal(certificate: Certificate) -> int | None:
    """Labels that would probably do; None where it is certified, or no number would."""
    return None if certificate.certified else certificate.labels_needed


def _stated_promise() -> Promise:
    """The promise that was stated last in this session."""
    return Promise(
        wrong=st.session_state.get("certify_wrong_kept", round(PROMISE.wrong * 100)) / 100,
        sure=st.session_state.get("certify_sure_kept", round(PROMISE.sure * 100)) / 100,
    )


def _pick_promise() -> Promise:
    """Draw the fields of the promise."""
    stated = _stated_promise()
    with st.container(horizontal=True, gap="medium"):
        wrong = st.number_input(
            "Wrong at most (%)", 1, 50, round(stated.wrong * 100), key="certify_wrong", help=_WRONG_HELP, width=180
        )
        sure = st.number_input(
            "Sure (%)", 50, 99, round(stated.sure * 100), key="certify_sure", help=_SURE_HELP, width=180
        )
    # A widget's own key is forgotten while the panel is closed.
    st.session_state["certify_wrong_kept"], st.session_state["certify_sure_kept"] = wrong, sure
    return Promise(wrong=wrong / 100, sure=sure / 100)
