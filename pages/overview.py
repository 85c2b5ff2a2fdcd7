"""What the run says, on one screen: what to ship, how sure that is, the risk, and what to do next."""

import streamlit as st

from qaviz.analysis import sentences, tables
from qaviz.model.columns import FACTUAL_KNOWLEDGE
from qaviz.ui.compare import pick_metric
from qaviz.ui.diagnostics import show_unread
from qaviz.ui.labelling import show_certificate
from qaviz.ui.metrics import show_loss
from qaviz.ui.overview import offer_decision_pack, show_decision, show_declining, show_pipelines, show_steps
from qaviz.ui.panel import show_panel
from qaviz.ui.review_progress import reviews_of
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import decision_of, matrix_of, over_repeats, steps_of, summary_of
from qaviz.ui.widgets.components import show_sentences
from qaviz.ui.widgets.page_setup import open_page

shown = open_page("Overview")
matrix = matrix_of(shown, FACTUAL_KNOWLEDGE)
decision = decision_of(shown)

show_decision(shown, decision)
show_pipelines(summary_of(over_repeats(shown)), decision.ranking, pick_metric("Rank by"))
show_certificate(shown)
show_unread(shown)
show_declining(shown)

steps, golden = st.columns([3, 2], gap="medium")
with steps:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("Most useful next", anchor=False, width="content")
        offer_decision_pack(shown)
    show_loss(shown, decision.subject)
    show_steps(steps_of(shown, decision.subject))
with golden:
    st.subheader("Golden dataset", anchor=False)
    state = tables.golden_state(shown.golden, matrix)
    misread = filter(None, [sentences.trust_sentence(shown.rows)])
    golden_said = sentences.golden_sentences(state)
    listed = sentences.listed_sentences(shown.run.listed_counts)
    show_sentences("golden", [*golden_said, *misread, *listed, *reviews_of(shown.run)])
    if state.never_stated:
        url_state.draw_link("See facts stated by no pipeline", "metrics", stated=tables.Stated.NONE)
show_panel(shown)
