"""What the run says, on one screen: who states more facts, whether that is more than chance, and what to do next."""

import streamlit as st

from qaviz import ui
from qaviz.model import FACTUAL_KNOWLEDGE
from qaviz.report import sentences, tables

shown = ui.open_page("Overview")
matrix = ui.matrix_of(shown, FACTUAL_KNOWLEDGE)

lead, *others = ui.said_of(shown)
ui.show_sentences("decision", others, lead=lead)
ui.show_pipelines(ui.summary_of(shown))

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
