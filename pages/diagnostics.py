"""Every response with its diagnosis, why it got it, and what to change; and what other thresholds would say."""

import streamlit as st

from qaviz import ui
from qaviz.model import CATEGORY, PIPELINE
from qaviz.report.numbers import plural
from qaviz.report.responses import ResponseOrder, in_response_order

shown = ui.open_page("Diagnostics")
filters = ui.pick_filters(shown, PIPELINE, CATEGORY, ui.address.TEXT)
with st.expander("Thresholds", icon=":material/tune:", expanded=ui.tries_thresholds()):
    thresholds = ui.pick_thresholds(shown)
ui.show_moves(shown, thresholds)
passing = filters.of(ui.judged_by(shown, thresholds))
ui.show_mix(shown.run, filters, passing, thresholds)
panels = st.container()

rows = ui.pick_classes(passing)
with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
    st.caption(plural(rows.height, "response"), width="content")
    order = st.selectbox(
        "Order", list(ResponseOrder), key="order", bind="query-params", width=220, label_visibility="collapsed"
    )
listed = in_response_order(rows, order)
with panels:
    ui.show_labels(shown, listed, thresholds)
    ui.show_bertscore(rows)
ui.show_responses(listed, thresholds, "responses")
