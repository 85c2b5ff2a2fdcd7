"""Every response with its diagnosis, why it got it, and what to change; and what other thresholds would say."""

import streamlit as st

from qaviz import ui
from qaviz.model import CATEGORY, PIPELINE

shown = ui.open_page("Diagnostics")
filters = ui.pick_filters(shown, PIPELINE, CATEGORY, ui.address.TEXT)
panels = ui.pick_panels()
thresholds = ui.pick_thresholds(shown) if ui.Panel.THRESHOLDS in panels else ui.tried_thresholds(shown)
ui.show_moves(shown, thresholds)
passing = ui.passing(shown, filters, thresholds)
if ui.Panel.MIX in panels:
    ui.show_mix(shown.run, filters, passing, thresholds)
labels = st.container()

listed = ui.pick_responses(passing)
if ui.Panel.LABELS in panels:
    with labels:
        ui.show_labels(shown, listed, thresholds)
ui.show_responses(listed, thresholds, "responses")
ui.show_bertscore(listed)
