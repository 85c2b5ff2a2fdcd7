"""How close each response is to its golden answer, and how concise: word for word, whatever the facts say."""

import streamlit as st

from qaviz import ui

shown = ui.open_page("Closeness vs conciseness")
filters = ui.pick_filters(shown, *ui.address.FILTERS)
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    thresholds = ui.pick_thresholds(shown, "high_closeness", "low_conciseness")
    split = ui.pick_split()
rows = ui.passing(shown, filters, thresholds)
ui.show_closeness(shown.run, filters, rows, thresholds, split)
ui.show_regions(shown.run, filters, rows, thresholds)
