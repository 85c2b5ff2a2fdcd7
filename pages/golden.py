"""The golden dataset: what is wrong with it, its versions, its review by people, and a new one."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from qaviz.store.audit_log import Deed
from qaviz.ui.curation import (
    CurationView,
    edit_by_hand,
    open_golden,
    pick_findings,
    show_act,
    show_findings,
    show_history,
    show_state,
)
from qaviz.ui.generating import offer_generation, pick_documents, show_collection, show_documents
from qaviz.ui.panel import show_panel
from qaviz.ui.review import ReviewView, pick_dataset, pick_session, reviews_of, show_review
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import show_sentences
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.page_setup import open_frame, open_run, pick_run
from qaviz.ui.widgets.person import person_for
from qaviz.ui.widgets.url_state import GENERATE, LOAD, REVIEW_TAB

SAMPLE = Path(__file__).parents[1] / "sample_data"


def curate() -> None:
    """Draw what is wrong with the golden dataset, what would mend it, what that changes, and who changed what."""
    shown = open_run()
    curating = open_golden(shown)
    show_state(curating)
    with st.container(horizontal=True, gap="medium"):
        view = pick(url_state.CURATE, "What to show", list(CurationView))
        person = person_for(Deed.ACCEPT, "accept, change or reject")
    show_sentences("reviews", reviews_of(shown.run))
    show_act()
    if view == CurationView.FINDINGS:
        show_findings(curating, pick_findings(curating), person)
    elif view == CurationView.TABLE:
        edit_by_hand(curating, person)
    elif view == CurationView.DOCUMENTS:
        show_documents(curating.version.line)
    else:
        show_history(curating, person)
    show_panel(shown)


def review() -> None:
    """Draw a review by people: the plan by risk, one triplet after the other, and what the review has shown."""
    run = pick_run()
    bar = st.container(horizontal=True, gap="medium", vertical_alignment="top")
    with bar:
        reviewed = pick_dataset(run)
    if reviewed is None:
        with st.container(border=True):
            st.markdown("No golden dataset yet. Load one with responses, or generate one from documents.")
            st.page_link(LOAD.file, label="Load a golden dataset and responses", icon=":material/upload_file:")
            url_state.draw_link("Generate from documents", "golden", "auto_awesome", tab=GENERATE)
        return
    with bar:
        session = pick_session(reviewed.sessions)
        person = person_for(Deed.REVIEW, "set risks or review")
    view = pick(url_state.REVIEW, "What to show", list(ReviewView))
    show_review(reviewed, view, session, person)


def generate() -> None:
    """Draw a golden dataset from documents: triplets by a model, each checked against its passage."""
    pick_run()
    st.markdown(
        "A golden dataset from documents: a model writes questions about each passage, and every answer is checked "
        "against its passage. What the passage does not support is rejected or left for you to review, with the reason."
    )
    collection, is_sample = pick_documents(SAMPLE)
    if collection:
        show_collection(collection)
        person = person_for(Deed.GENERATE, "keep triplets")
        offer_generation(collection, SAMPLE if is_sample else None, person)


TABS: dict[str, Callable[[], None]] = {REVIEW_TAB: review, GENERATE: generate}

TABS.get(open_frame("Golden dataset"), curate)()
