"""The Factual Knowledge report, closeness against conciseness, and the funnel from documents to right answers."""

import streamlit as st

from qaviz.analysis.numbers import count
from qaviz.analysis.tables import Order, Stated, in_order, stated_by
from qaviz.model.columns import FACT_SCORES
from qaviz.model.metrics import METRICS
from qaviz.ui.diagnostics import pick_thresholds
from qaviz.ui.metrics import pick_split, show_closeness, show_funnel, show_matrix, show_normalised_gain, show_regions
from qaviz.ui.panel import show_panel
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import matrix_of, select_responses, with_passing
from qaviz.ui.widgets.components import metrics_help
from qaviz.ui.widgets.filters import pick, pick_filters, pick_listed
from qaviz.ui.widgets.page_setup import open_frame, open_run


def report_facts() -> None:
    """Draw which pipeline states which fact: every question, those that no pipeline gets first."""
    shown = open_run()
    filters = pick_filters(shown, *url_state.FILTERS)
    pipelines = filters.pipelines or shown.run.pipelines
    with st.container(horizontal=True, gap="small"):
        score = pick(
            url_state.MATCH, "Match", FACT_SCORES, lambda name: METRICS[name].label, metrics_help(*FACT_SCORES)
        )
        questions = with_passing(shown, filters, filters.of(matrix_of(shown, score)))
        counts = {choice: count(stated_by(questions, choice).height) for choice in Stated}
        stated = pick(url_state.STATED, "Stated by", list(Stated), lambda choice: f"{choice} {counts[choice]}")
        order = pick_listed(url_state.ORDER, "Order", list(Order))
    questions = in_order(stated_by(questions, stated), shown.golden, order)
    show_matrix(shown, questions, pipelines, grouped=order == Order.CATEGORY)
    show_panel(shown)


def chart_closeness() -> None:
    """Draw how close each response is to its golden answer, and how concise, word for word."""
    shown = open_run()
    filters = pick_filters(shown, *url_state.FILTERS)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        thresholds = pick_thresholds(shown, "high_closeness", "low_conciseness")
        split = pick_split()
    rows = select_responses(shown, filters, thresholds)
    show_closeness(shown.run, filters, rows, thresholds, split)
    show_regions(shown.run, filters, rows, thresholds)
    show_normalised_gain(shown)
    show_panel(shown)


match open_frame("Metrics"):
    case url_state.CLOSENESS:
        chart_closeness()
    case url_state.FUNNEL:
        show_funnel(open_run())
    case _:
        report_facts()
