"""Which pipeline is better, by how much, on which questions, and what changed from run to run."""

import streamlit as st

from qaviz.ui import compare
from qaviz.ui.history import show_past
from qaviz.ui.panel import show_panel
from qaviz.ui.widgets.cached import over_repeats
from qaviz.ui.widgets.page_setup import need_run, open_frame, open_run
from qaviz.ui.widgets.url_state import HISTORY


def compare_pipelines() -> None:
    """Draw the pipelines of the run against each other, and one pair in detail."""
    opened = open_run()
    shown = over_repeats(opened)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        metric = compare.pick_metric()
        other = compare.pick_other_run(opened.run)
    if other:
        compare.show_run_against_run(opened, other)
    pair = compare.pick_pair(shown, metric)
    if pair:
        compare.show_comparison(shown, pair)
        compare.show_figures(shown, pair)
        compare.show_transitions(shown, pair)
        compare.show_deciding(shown, pair)
        compare.show_categories(shown, pair)

    compare.show_consistency(opened.run)

    compare.show_policy(shown)
    show_panel(opened)


if open_frame("Compare") == HISTORY:
    show_past(need_run())
else:
    compare_pipelines()
