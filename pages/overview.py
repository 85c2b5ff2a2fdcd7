"""What the run says, on one screen: who states more facts, whether that is more than chance, and what to do next."""

import streamlit as st

from qaviz import ui
from qaviz.model import FACTUAL_KNOWLEDGE
from qaviz.report import sentences, tables

shown = ui.open_page("Overview")
summary = ui.summary_of(shown)
matrix = ui.matrix_of(shown, FACTUAL_KNOWLEDGE)

lead, *others = ui.facts_said_of(shown)
judged, trust = sentences.verdict_sentence(shown.rows, shown.run.pipelines), sentences.trust_sentence(shown.rows)
style = sentences.style_sentence(summary)
ui.show_sentences("decision", [*others, judged, *filter(None, [trust, style])], lead=lead)
ui.show_pipelines(summary)

steps, golden = st.columns([3, 2], gap="medium")
with steps:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("Most useful next", anchor=False, width="content")
        ui.offer_decision_pack(shown)
    ui.show_steps(ui.steps_of(shown))
with golden:
    st.subheader("Golden dataset", anchor=False)
    state = tables.golden_state(shown.golden, matrix)
    ui.show_sentences(
        "golden", [*sentences.golden_sentences(state), *sentences.listed_sentences(shown.run.listed_counts)]
    )
    if state.never_stated:
        st.page_link(
            "pages/factual_knowledge.py",
            label="See what no pipeline states",
            icon=":material/arrow_forward:",
            query_params=ui.address.link(stated=tables.Stated.NONE),
        )
