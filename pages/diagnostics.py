"""Every response with its diagnosis, why it got it, and what to change; and what other thresholds would say."""

import streamlit as st

from qaviz import ui
from qaviz.model import CATEGORY, PIPELINE

shown = ui.open_page("Diagnostics")
filters = ui.pick_filters(shown, PIPELINE, CATEGORY, ui.address.TEXT)
with st.expander("Thresholds", icon=":material/tune:", expanded=ui.tries_thresholds()):
    thresholds = ui.pick_thresholds(shown)
ui.show_moves(shown, thresholds)
passing = ui.passing(shown, filters, thresholds)
ui.show_mix(shown.run, filters, passing, thresholds)
panels = st.container()

listed = ui.pick_responses(passing)
with panels:
    ui.show_labels(shown, listed, thresholds)
ui.show_responses(listed, thresholds, "responses")
ui.show_bertscore(listed)
