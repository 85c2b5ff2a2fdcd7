"""Repeats of a pipeline on the screen: how far they agree, and the questions on which they do not."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.consistency import IN_ALL, IN_NONE, IN_SOME, REPEATS, SAME, SPREAD
from qaviz.analysis.numbers import count, interval, percent, plural, score
from qaviz.model.classes import Verdict
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import repeats_of
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.paging import draw_pages, page_of
from qaviz.ui.widgets.table import Cell, Column, Row, interval_cell, show_table, text_cell
from qaviz.ui.widgets.text import show_problems

_COLUMNS = (
    Column(label="Pipeline", head=True),
    Column(label="Repeats"),
    Column(label="Same verdict", title="Questions with one verdict in all repeats"),
    Column(label="Fact every time", title="Questions whose fact all repeats state"),
    Column(label="Sometimes", title="Questions whose fact only some repeats state"),
    Column(label="Never", title="Questions whose fact no repeat states"),
    Column(label="Spread of closeness", title="The highest closeness less the lowest, averaged over questions"),
)


def show_consistency(run: Run) -> None:
    """Draw how far the repeats of each pipeline agree, and the questions on which they do not; nothing without repeats.

    Opening a question leads to its page.
    """
    try:
        agreement, flaky = repeats_of(run)
    except QavizError as error:
        show_problems(error)
        return
    if agreement.is_empty():
        return
    st.subheader("Repeats", anchor=False)
    st.caption(
        "On this page a pipeline is all its repeats, and a question counts once, as their mean. Here is how far they "
        "say the same, over the questions that every repeat has a score of; intervals are over questions."
    )
    rows = [Row(cells=_agreement_cells(each)) for each in agreement.iter_rows(named=True)]
    show_table("consistency", "How far repeats agree", list(_COLUMNS), rows, short=True)
    _show_flaky(run, flaky)


def _agreement_cells(row: Mapping[str, Any]) -> list[Cell]:
    figures = [_interval_cell(row, name) for name in (SAME, IN_ALL, IN_SOME, IN_NONE, SPREAD)]
    return [text_cell(row[PIPELINE]), text_cell(count(row[REPEATS])), *figures]


def _interval_cell(row: Mapping[str, Any], name: str) -> Cell:
    value, low, high, n = (row[f"{name}{end}"] for end in ("", "_low", "_high", "_n"))
    if not n:
        return text_cell(None, missing="no question scored every time")
    if name == SPREAD:
        return interval_cell(value, low, high, score(value), f"{score(low)}–{score(high)}; n = {count(n)}")
    return interval_cell(value, low, high, percent(value), f"{interval(low, high)}; n = {count(n)}")


def _show_flaky(run: Run, flaky: pl.DataFrame) -> None:
    if flaky.is_empty():
        st.text("Every question has the same verdict in all repeats.")
        return
    st.caption(f"{plural(flaky.height, 'question')} with more than one verdict, the most different first.")
    texts = workspace().golden(run.golden_id).select(QUESTION_ID, QUESTION)
    page = page_of(flaky, "flaky").join(texts, on=QUESTION_ID, how="left", maintain_order="left")
    rows = [
        Row(
            id=each[QUESTION_ID],
            href=url_state.href("question", question=each[QUESTION_ID], pipeline=""),
            cells=[
                text_cell(each[QUESTION], missing=each[QUESTION_ID]),
                text_cell(each[PIPELINE]),
                text_cell(", ".join(f"{count(each[v])} {v}" for v in Verdict if each.get(v))),
                text_cell(score(each[SPREAD])),
            ],
        )
        for each in page.iter_rows(named=True)
    ]
    columns = [
        Column(label="Question", head=True, wide=True),
        Column(label="Pipeline"),
        Column(label="Repeats"),
        Column(label="Spread of closeness"),
    ]
    opened = show_table("flaky", "Questions on which repeats differ", columns, rows)
    draw_pages(flaky, "flaky")
    if opened is not None:
        st.switch_page("pages/question.py", query_params=url_state.link(question=opened, pipeline=""))
