"""How close each response is to its golden answer, and how concise: word for word, whatever the facts say."""

import streamlit as st

from qaviz.ui.closeness import pick_split, show_closeness, show_normalised_gain, show_regions
from qaviz.ui.diagnostics import pick_thresholds
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import select_responses
from qaviz.ui.widgets.filters import pick_filters
from qaviz.ui.widgets.page_setup import open_page

shown = open_page("Closeness vs conciseness")
filters = pick_filters(shown, *url_state.FILTERS)
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    thresholds = pick_thresholds(shown, "high_closeness", "low_conciseness")
    split = pick_split()
rows = select_responses(shown, filters, thresholds)
show_closeness(shown.run, filters, rows, thresholds, split)
show_regions(shown.run, filters, rows, thresholds)
show_normalised_gain(shown)
