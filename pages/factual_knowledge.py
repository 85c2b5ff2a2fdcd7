"""Which pipeline states which fact: every question, those that no pipeline gets first."""

import streamlit as st

from qaviz import ui
from qaviz.metrics import METRICS
from qaviz.model import CATEGORY, FACT_SCORES, PIPELINE
from qaviz.report.numbers import count
from qaviz.report.tables import Order, Stated, in_order, stated_by

shown = ui.open_page("Factual Knowledge")
filters = ui.pick_filters(shown, PIPELINE, CATEGORY, ui.address.TEXT)
pipelines = filters.pipelines or shown.run.pipelines

with st.container(horizontal=True, gap="small"):
    score = ui.pick(
        ui.address.MATCH, "Match", FACT_SCORES, lambda name: METRICS[name].label, ui.metrics_help(*FACT_SCORES)
    )
    questions = filters.of(ui.matrix_of(shown, score))
    counts = {each: count(stated_by(questions, each).height) for each in Stated}
    stated = ui.pick(ui.address.STATED, "Stated by", list(Stated), lambda each: f"{each} {counts[each]}")
    order = ui.pick_listed(ui.address.ORDER, "Order", list(Order))

questions = in_order(stated_by(questions, stated), shown.golden, order)
ui.show_matrix(shown, questions, pipelines, grouped=order == Order.CATEGORY)
