"""The board: what to ship, how sure that is, the risk and the next steps; the matrix, the scatter, and the table."""

import streamlit as st

from qaviz.analysis import sentences
from qaviz.ui.board import show_board, try_thresholds
from qaviz.ui.labels import show_certificate
from qaviz.ui.panel import show_panel
from qaviz.ui.review import reviews_of
from qaviz.ui.verdict import offer_decision_pack, show_decision, show_funnel, show_metrics
from qaviz.ui.widgets.cached import decision_of, golden_state_of, over_repeats, view_run
from qaviz.ui.widgets.components import show_sentences
from qaviz.ui.widgets.page_setup import open_page
from qaviz.ui.widgets.responses import show_unread

shown = open_page("Board")
decision = decision_of(view_run(shown))

show_decision(shown, decision)
tried = try_thresholds(shown)
show_board(tried, decision_of(view_run(tried)))

st.subheader("Metrics by pipeline", anchor=False)
show_metrics(over_repeats(shown), decision.ranking)
offer_decision_pack(shown)
show_funnel(shown)
show_unread(shown)

st.subheader("Can the verdicts and the golden dataset be trusted?", anchor=False)
show_certificate(shown)
listed = sentences.listed_sentences(shown.run.listed_counts)
show_sentences("golden", [*golden_state_of(shown), *listed, *reviews_of(shown.run)])
show_panel(shown)
