"""One question, all pipelines: what each response has of the golden answer, and how its scores come about."""

import polars as pl
import streamlit as st

from qaviz import ui
from qaviz.model import PIPELINE, QUESTION_ID
from qaviz.report.numbers import join
from qaviz.report.response_card import response_cards

shown = ui.open_page("Question")
filters = ui.pick_filters(shown, *ui.address.FILTERS)
picked = ui.pick_question(shown, ui.passing(shown, filters))
if picked is None:
    st.stop()

pipelines = list(filters.pipelines or shown.run.pipelines)
triplet = shown.golden.row(by_predicate=pl.col(QUESTION_ID) == picked, named=True)
rows = shown.rows.filter(pl.col(QUESTION_ID) == picked, pl.col(PIPELINE).is_in(pipelines))
cards = response_cards(ui.add_bertscore(rows), pipelines, shown.run.thresholds)
ui.show_words(triplet, cards, at=ui.address.value(ui.address.AT) or "")

silent = [name for name in pipelines if name not in set(rows[PIPELINE])]
if silent:
    st.text(f"No response from {join(silent)}.")
ui.show_their_scores(rows, pipelines)
ui.show_bertscore(rows)
