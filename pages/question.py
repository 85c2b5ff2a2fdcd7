"""One question, all pipelines: what each response has of the golden answer, and how its scores come about."""

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import join
from qaviz.analysis.response_card import response_cards
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.ui.question import pick_question, show_their_scores
from qaviz.ui.scores_on_demand import add_bertscore, show_bertscore
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import select_responses
from qaviz.ui.widgets.components import show_words
from qaviz.ui.widgets.filters import pick_filters
from qaviz.ui.widgets.page_setup import open_page

shown = open_page("Question")
filters = pick_filters(shown, *url_state.FILTERS)
picked = pick_question(shown, select_responses(shown, filters))
if picked is None:
    st.stop()

pipelines = list(filters.pipelines or shown.run.pipelines)
triplet = shown.golden.row(by_predicate=pl.col(QUESTION_ID) == picked, named=True)
rows = shown.rows.filter(pl.col(QUESTION_ID) == picked, pl.col(PIPELINE).is_in(pipelines))
cards = response_cards(add_bertscore(rows), pipelines, shown.run.thresholds)
show_words(triplet, cards, at=url_state.value(url_state.AT) or "")

silent = [name for name in pipelines if name not in set(rows[PIPELINE])]
if silent:
    st.text(f"No response from {join(silent)}.")
show_their_scores(rows, pipelines)
show_bertscore(rows)
