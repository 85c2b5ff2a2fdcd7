"""Whether pipelines decline where they should, on the screen."""

import streamlit as st

from qaviz.analysis.declining import (
    ANSWERED,
    ANSWERED_WRONGLY,
    DECLINED_RIGHTLY,
    DECLINED_WRONGLY,
    PRECISION_OF_DECLINING,
    RECALL_OF_DECLINING,
    declining,
    has_unanswerable,
)
from qaviz.analysis.numbers import count, percent
from qaviz.model.columns import PIPELINE
from qaviz.ui.widgets.page_setup import OpenRun
from qaviz.ui.widgets.table import Column, Row, show_table, text_cell

_COLUMNS = (
    Column(label="Pipeline", head=True),
    Column(label="Answerable: answered"),
    Column(label="Answerable: declined", title="Declined although the question has an answer"),
    Column(label="Unanswerable: answered", title="Answered although the question has no answer"),
    Column(label="Unanswerable: declined"),
    Column(label="Precision of declining", title="Share of declining responses whose question has no answer"),
    Column(label="Recall of declining", title="Share of questions without an answer that are declined"),
)


def show_declining(shown: OpenRun) -> None:
    """Draw answered and declined by answerable and not, a row a pipeline; nothing where all are."""
    if not has_unanswerable(shown.golden):
        return
    st.subheader("Questions without an answer", anchor=False)
    rows = [
        Row(
            cells=[
                text_cell(row[PIPELINE]),
                *(
                    text_cell(count(row[name]))
                    for name in (ANSWERED, DECLINED_WRONGLY, ANSWERED_WRONGLY, DECLINED_RIGHTLY)
                ),
                *(text_cell(percent(row[name])) for name in (PRECISION_OF_DECLINING, RECALL_OF_DECLINING)),
            ]
        )
        for row in declining(shown.rows).iter_rows(named=True)
    ]
    show_table("declining", "Answered and declined, by answerable and not", list(_COLUMNS), rows)
