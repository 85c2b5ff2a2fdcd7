"""Which pipeline is better, by how much, on which questions, and at what cost."""

import streamlit as st

from qaviz.ui.compare import (
    pick_metric,
    pick_pair,
    show_categories,
    show_comparison,
    show_figures,
    show_lacking,
    show_tradeoff,
)
from qaviz.ui.differing_questions import pick_other_run, show_consistency, show_deciding, show_run_against_run
from qaviz.ui.policy import show_policy
from qaviz.ui.widgets.cached import over_repeats
from qaviz.ui.widgets.page_setup import open_page

opened = open_page("Compare")
shown = over_repeats(opened)
with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
    metric = pick_metric()
    other = pick_other_run(opened.run)
if other:
    show_run_against_run(opened, other)
pair = pick_pair(shown, metric)
if pair:
    show_comparison(shown, pair)
    show_figures(shown, pair)
    show_deciding(shown, pair)
    show_categories(shown, pair)
    show_lacking(shown, pair)
show_consistency(opened.run)
show_tradeoff(shown, metric)
show_policy(shown)
