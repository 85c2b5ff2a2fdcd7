"""What another tool's scores say of the responses to a question, beside qaviz's diagnoses."""

from collections.abc import Sequence

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import MISSING
from qaviz.analysis.their_scores import SCORE, VALUE, WHY_NOT, figure, their_scores
from qaviz.model.columns import DIAGNOSIS, PIPELINE
from qaviz.ui.widgets.table import Cell, Column, Row, show_table, text_cell


def show_their_scores(rows: pl.DataFrame, pipelines: Sequence[str]) -> None:
    """Draw the scores that came with the file, one row a score, one column a pipeline; nothing where there are none."""
    scores = their_scores(rows)
    if scores.is_empty():
        return
    st.subheader("Scores that came with the file", anchor=False)
    st.caption("As the other tool gave them. Nothing on these pages is computed from them.")
    diagnoses = dict(scores.select(PIPELINE, DIAGNOSIS).iter_rows())
    names = [name for name in pipelines if name in diagnoses]
    said = {(row[SCORE], row[PIPELINE]): _cell(row[VALUE], row[WHY_NOT]) for row in scores.iter_rows(named=True)}
    ours = Row(cells=[text_cell("Diagnosis, by qaviz"), *(text_cell(diagnoses[name]) for name in names)])
    theirs = [
        Row(cells=[text_cell(score), *(said.get((score, name), text_cell(None)) for name in names)])
        for score in scores[SCORE].unique(maintain_order=True)
    ]
    columns = [Column(label="Score", head=True), *(Column(label=name) for name in names)]
    show_table("their_scores", "Scores that came with the file", columns, [ours, *theirs])


def _cell(value: float | None, why_not: str | None) -> Cell:
    return text_cell(None, missing=why_not or MISSING) if value is None else text_cell(figure(value))
