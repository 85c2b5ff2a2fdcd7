"""What the restated question and citations cost each pipeline, on the screen."""

import streamlit as st

from qaviz.analysis.normalised import GAIN, RESPONSES
from qaviz.analysis.numbers import count, score
from qaviz.model.columns import F1, PIPELINE, PRECISION
from qaviz.scoring.normalised import NORMALISED
from qaviz.ui.widgets.cached import normalised_gain_of
from qaviz.ui.widgets.page_setup import OpenRun
from qaviz.ui.widgets.table import Column, Row, show_table, text_cell

_COLUMNS = (
    Column(label="Pipeline", head=True),
    Column(label="Responses", title="Responses to questions with a golden answer"),
    Column(label="Conciseness"),
    Column(label="Normalised", title="Conciseness without the restated question and citations"),
    Column(label="F1"),
    Column(label="Normalised", title="F1 without the restated question and citations"),
    Column(label="Gain", title="Normalised F1 less F1"),
)


_FIGURES = (PRECISION, NORMALISED[PRECISION], F1, NORMALISED[F1], GAIN)


def show_normalised_gain(shown: OpenRun) -> None:
    """Draw a panel that, once opened, says what each pipeline loses by restating the question and by citations."""
    panel = st.expander("Without the restated question and citations", on_change="rerun", key="normalised")
    if not panel.open:
        return
    with panel:
        st.caption(
            "The scores again, over responses without citations such as [1] and without the words that only repeat the "
            "question. FMEval's own scores are the ones that count everywhere else."
        )
        rows = [
            Row(
                cells=[
                    text_cell(row[PIPELINE]),
                    text_cell(count(row[RESPONSES])),
                    *(text_cell(score(row[name])) for name in _FIGURES),
                ]
            )
            for row in normalised_gain_of(shown).iter_rows(named=True)
        ]
        show_table("normalised_gain", "Scores without the restated question and citations", list(_COLUMNS), rows)
