"""Every response with its diagnosis, why it got it, and what to change; and one question with all pipelines."""

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import join, plural
from qaviz.analysis.response_card import response_cards
from qaviz.model.columns import CATEGORY, PIPELINE, QUESTION_ID, Triplet, typed_rows
from qaviz.ui.labels import View, labels_blind, show_labels
from qaviz.ui.panel import pick_question, show_panel, show_their_scores, with_known_bertscore
from qaviz.ui.widgets import responses, url_state
from qaviz.ui.widgets.cached import opinions_of, select_responses, view_run
from qaviz.ui.widgets.components import show_words
from qaviz.ui.widgets.filters import pick_filters, pick_switch
from qaviz.ui.widgets.page_setup import open_frame, open_run
from qaviz.ui.widgets.url_state import QUESTION_TAB


def diagnose() -> None:
    """Draw the responses with their diagnoses, and people's labels."""
    shown = open_run()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        filters = pick_filters(shown, PIPELINE, CATEGORY, url_state.TEXT, fixed=())
        more = st.popover("More filters", icon=":material/filter_list:")
    diagnoses = st.container()
    bar = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with bar:
        labelling = pick_switch(url_state.LABELS, "People's labels", View.LABEL)
    passing = select_responses(shown, filters)
    labels, blind = st.container(), labelling and labels_blind()

    opinions = opinions_of(view_run(shown))
    with more:
        picked = responses.pick_apart(shown, opinions, responses.pick_classes(passing))
    with diagnoses:
        picked = responses.pick_diagnoses(picked)
    with bar:
        listed = responses.pick_order(shown, picked)
        st.caption(f"{plural(listed.height, 'response')}{responses.NO_DIAGNOSES * blind}", width="content")
    if labelling:
        with labels:
            show_labels(shown, listed, blind=blind)
    graded = None if blind or opinions.is_empty() else opinions
    columns = responses.BLIND if blind else responses.USUAL
    responses.show_responses(listed, shown.run.thresholds, "responses", columns, graded)
    show_panel(shown)


def compare_responses() -> None:
    """Draw one question and all responses to it: what each has of the golden answer, how its scores come about."""
    shown = open_run()
    filters = pick_filters(shown, *url_state.FILTERS)
    picked = pick_question(shown, select_responses(shown, filters))
    if picked is None:
        return
    pipelines = list(filters.classes.get(PIPELINE, shown.run.pipelines))
    triplet = next(typed_rows(shown.golden.filter(pl.col(QUESTION_ID) == picked), Triplet))
    rows = shown.rows.filter(pl.col(QUESTION_ID) == picked, pl.col(PIPELINE).is_in(pipelines))
    cards = response_cards(with_known_bertscore(rows), pipelines, shown.run.thresholds)
    show_words(triplet, cards, at=url_state.value(url_state.AT) or "")

    silent = [name for name in pipelines if name not in set(rows[PIPELINE])]
    if silent:
        st.text(f"No response from {join(silent)}.")
    show_their_scores(rows, pipelines)


if open_frame("Responses") == QUESTION_TAB:
    compare_responses()
else:
    diagnose()
