"""The funnel: how many questions of each pipeline reach a right answer by way of retrieval, and where others end."""

from collections.abc import Iterator
from itertools import combinations

import polars as pl
import streamlit as st

from qaviz import stats
from qaviz.analysis.numbers import count, out_of, p_value, plural
from qaviz.contexts.funnel import KNOWN, LOST, QUESTIONS, STEPS, compare_steps, measure_funnel, word_loss
from qaviz.model import columns as c
from qaviz.model.classes import Fault
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.places import FUNNEL
from qaviz.ui.widgets.table import Column, Columns, Row, show_table
from qaviz.ui.widgets.text import show_sentences

_FAULT_OF = {
    "in_documents": Fault.DOCUMENTS,
    "retrieved": Fault.RETRIEVER,
    "in_top_k": Fault.RETRIEVER,
    "used": Fault.GENERATOR,
    "right": Fault.GENERATOR,
}
_COLUMNS: Columns = (
    "Pipeline",
    Column("Questions", title="Responses of the pipeline."),
    *(Column(step.label, title="Of the responses of which it is known.") for step in STEPS),
)
_LOSSES: Columns = ("Pipeline", "Lost at", "Responses", Column("What to do", wide=True))
NO_CONTEXTS = (
    "No response of this run brought the passages that it was given. Import responses with a column `contexts`; with "
    "`--documents FOLDER` also the first step is known."
)


def show_funnel(shown: OpenRun) -> None:
    """Draw each pipeline's way from the documents to right answers, where it loses questions with links to these, and
    the steps at which two pipelines differ beyond chance."""
    funnel = measure_funnel(shown.rows)
    known = funnel.select(f"{KNOWN}_{step.name}" for step in STEPS[:-1])
    if not known.sum().sum_horizontal().item():
        st.info(NO_CONTEXTS, icon=":material/info:")
        return
    rows = [Row(cells=[row[c.PIPELINE], count(row[QUESTIONS]), *_list_cells(row)]) for row in funnel.to_dicts()]
    show_table("funnel", "From the documents to right answers", _COLUMNS, rows)
    show_sentences(
        "losses", [f"{name}: {sentence}" for name in funnel[c.PIPELINE] if (sentence := word_loss(shown.rows, name))]
    )
    losses = sorted(_list_losses(funnel), key=lambda loss: -loss[0])
    show_table("lost", "Where questions are lost", _LOSSES, [row for _, row in losses])
    show_sentences("steps", list(_list_differences(shown.rows, funnel[c.PIPELINE].to_list())))


def show_loss(shown: OpenRun, pipeline: str) -> None:
    """Write the step at which a pipeline loses most, with a link to the funnel; nothing where none is proved."""
    if loss := word_loss(shown.rows, pipeline):
        st.caption(loss)
        url_state.draw_link("See the funnel", "metrics", tab=FUNNEL)


def _list_cells(row: dict[str, int | None]) -> Iterator[str | None]:
    for step in STEPS:
        held, known = row[step.name], row[f"{KNOWN}_{step.name}"]
        yield None if held is None or known is None else out_of(held, known)


def _list_losses(funnel: pl.DataFrame) -> Iterator[tuple[int, Row]]:
    for row in funnel.iter_rows(named=True):
        for step in STEPS:
            if lost := row[f"{LOST}_{step.name}"]:
                link = url_state.href("responses", **{c.PIPELINE: row[c.PIPELINE], c.FAULT: _FAULT_OF[step.name].value})
                cells = [row[c.PIPELINE], step.label, count(lost), f"They {step.lost}. {step.advice}"]
                yield lost, Row(href=link, cells=cells)


def _list_differences(rows: pl.DataFrame, pipelines: list[str]) -> Iterator[str]:
    labels = {step.name: step.label.lower() for step in STEPS}
    for first, second in combinations(pipelines, 2):
        compared = compare_steps(*(rows.filter(pl.col(c.PIPELINE) == name) for name in (first, second)))
        for step, paired, wins, losses, p in compared.iter_rows():
            if p < stats.ALPHA:
                yield (
                    f"{first} against {second}, {labels[step]}: {plural(wins, 'question')} more, {count(losses)} fewer "
                    f"of {count(paired)} ({p_value(p)})."
                )
