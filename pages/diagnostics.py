"""Every response with its diagnosis, why it got it, and what to change; and what other thresholds would say."""

import streamlit as st

from qaviz.analysis.judges import DIFFERS, PLACE
from qaviz.model.columns import CATEGORY, PIPELINE
from qaviz.ui.agreement import labels_blind, show_labels
from qaviz.ui.diagnostics import (
    Panel,
    beside_judge,
    pick_differing,
    pick_panels,
    pick_thresholds,
    pick_unread,
    show_moves,
    tried_thresholds,
)
from qaviz.ui.scores_on_demand import show_bertscore
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import opinions_of, select_responses
from qaviz.ui.widgets.filters import pick_filters
from qaviz.ui.widgets.page_setup import open_page
from qaviz.ui.widgets.responses import pick_columns, pick_responses, show_mix, show_responses

shown = open_page("Diagnostics")
filters = pick_filters(shown, PIPELINE, CATEGORY, url_state.TEXT)
panels = pick_panels()
thresholds = pick_thresholds(shown) if Panel.THRESHOLDS in panels else tried_thresholds(shown)
show_moves(shown, thresholds)
passing = select_responses(shown, filters, thresholds)
if Panel.MIX in panels:
    show_mix(shown.run, filters, passing, thresholds)
labels, blind = st.container(), Panel.LABELS in panels and labels_blind()

opinions = opinions_of(shown)
listed = pick_unread(shown, pick_differing(opinions, pick_responses(passing)))
if Panel.LABELS in panels:
    with labels:
        show_labels(shown, listed, thresholds, opinions.filter(DIFFERS)[PLACE], blind=blind)
drawn, beside = (listed, None) if blind else beside_judge(opinions, listed)
show_responses(drawn, thresholds, "responses", beside, pick_columns(blind=blind))
show_bertscore(listed)
