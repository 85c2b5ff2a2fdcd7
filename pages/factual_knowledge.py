"""Which pipeline states which fact: every question, those that no pipeline gets first."""

import streamlit as st

from qaviz.analysis.numbers import count
from qaviz.analysis.tables import Order, Stated, in_order, stated_by
from qaviz.model.columns import CATEGORY, FACT_SCORES, PIPELINE
from qaviz.model.metrics import METRICS
from qaviz.ui.matrix import show_matrix
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import matrix_of
from qaviz.ui.widgets.filters import pick, pick_filters, pick_listed
from qaviz.ui.widgets.page_setup import open_page
from qaviz.ui.widgets.text import metrics_help

shown = open_page("Factual Knowledge")
filters = pick_filters(shown, PIPELINE, CATEGORY, url_state.TEXT)
pipelines = filters.pipelines or shown.run.pipelines

with st.container(horizontal=True, gap="small"):
    score = pick(url_state.MATCH, "Match", FACT_SCORES, lambda name: METRICS[name].label, metrics_help(*FACT_SCORES))
    questions = filters.of(matrix_of(shown, score))
    counts = {each: count(stated_by(questions, each).height) for each in Stated}
    stated = pick(url_state.STATED, "Stated by", list(Stated), lambda each: f"{each} {counts[each]}")
    order = pick_listed(url_state.ORDER, "Order", list(Order))

questions = in_order(stated_by(questions, stated), shown.golden, order)
show_matrix(shown, questions, pipelines, grouped=order == Order.CATEGORY)
