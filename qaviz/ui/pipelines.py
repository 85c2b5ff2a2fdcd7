"""The pipelines of a run side by side and the steps to take next, as the overview shows them."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.comparison_words import metric_help
from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import NO_BREAK_SPACE, count, interval, out_of, score
from qaviz.analysis.sentences import Step
from qaviz.charts.palette import DIAGNOSIS_COLOURS, DIAGNOSIS_SYMBOLS
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import COST, DIAGNOSIS, F1, FACTUAL_KNOWLEDGE, LATENCY_MS, PIPELINE, PRECISION, RECALL, VERDICT
from qaviz.model.metrics import METRICS
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.table import Cell, Column, Part, Row, bar_cell, interval_cell, parts_cell, show_table, text_cell

_PIPELINE = Column(label="Pipeline", head=True, title=explain("pipeline"))
_RIGHT = Column(
    label="Right answers",
    title=f"{metric_help(VERDICT)} With its 95% interval.",
)
_FACTS = Column(label="Facts stated", title=f"{metric_help(FACTUAL_KNOWLEDGE)} {METRICS[FACTUAL_KNOWLEDGE].caveat}")
_REST = (
    Column(label=METRICS[RECALL].label, title=METRICS[RECALL].help),
    Column(label=METRICS[PRECISION].label, title=METRICS[PRECISION].help),
    Column(label="Diagnoses", title="The class of each response, from its scores and evidence.", wide=True),
)

FIRST_SHOWN = 5
"""Pipelines that the overview shows until the reader asks for all: a table that scrolls within the page hides some."""

_ORDERS: Mapping[str, str] = {
    FACTUAL_KNOWLEDGE: "facts_stated",
    RECALL: "closeness",
    PRECISION: "conciseness",
    F1: "f1",
}


def show_pipelines(summary: pl.DataFrame, ranking: pl.DataFrame, metric: str) -> None:
    """Draw a row a pipeline, the best by the metric first: right answers (`Decision.ranking`), beside them the rest of
    `tables.pipeline_summary`. Of many the first FIRST_SHOWN, until the reader asks for all."""
    both = ranking.join(summary, on=PIPELINE, how="left", maintain_order="left", suffix="_of_facts")
    if metric != VERDICT:
        both = both.sort(_ORDERS[metric], descending=True, nulls_last=True, maintain_order=True)
    whole = both.height <= FIRST_SHOWN + 1 or url_state.value(url_state.ALL) is not None
    drawn = both if whole else both.head(FIRST_SHOWN)
    efforts = [name for name in EFFORTS if both[name].count()]
    columns = (_PIPELINE, _RIGHT, _FACTS, *(EFFORTS[name] for name in efforts), *_REST)
    rows = [_row(pipeline, efforts) for pipeline in drawn.iter_rows(named=True)]
    show_table("pipelines", "Pipelines: right answers, facts stated and diagnoses", columns, rows, whole=True)
    if both.height > FIRST_SHOWN + 1:
        label = f"Show the first {FIRST_SHOWN}" if whole else f"Show all {count(both.height)}"
        st.button(label, key="all_pipelines", type="tertiary", on_click=_show_all, args=(not whole,))


EFFORTS: Mapping[str, Column] = {
    COST: Column(label="Cost", title="Mean cost of a response."),
    LATENCY_MS: Column(label="Time", title="Mean time of a response, in milliseconds."),
}


def _show_all(whole: bool) -> None:
    url_state.write(url_state.ALL, *(["pipelines"] if whole else []))


def _row(pipeline: dict[str, Any], efforts: Sequence[str]) -> Row:
    cells = (
        text_cell(pipeline[PIPELINE]),
        _right(pipeline),
        _facts(pipeline),
        *(text_cell(None if pipeline[name] is None else f"{pipeline[name]:,.3g}") for name in efforts),
        bar_cell(pipeline["closeness"], score(pipeline["closeness"]), _over(pipeline, "closeness_n")),
        bar_cell(pipeline["conciseness"], score(pipeline["conciseness"]), _over(pipeline, "conciseness_n")),
        parts_cell([_part(each, pipeline[each.value]) for each in Diagnosis if pipeline[each.value]]),
    )
    return Row(cells=cells)


def _right(pipeline: dict[str, Any]) -> Cell:
    if pipeline["share"] is None:
        return text_cell(None, missing="not judged")
    low, high = pipeline["low"], pipeline["high"]
    likely = f"likely {interval(low, high)}"
    note = f"{likely}, by labels" if pipeline["corrected_by_labels"] else likely
    return interval_cell(pipeline["share"], low, high, pipeline["in_words"], note)


def _facts(pipeline: dict[str, Any]) -> Cell:
    stated, scored = pipeline["fact_hits"], pipeline["fact_scored"]
    likely = f"likely {interval(pipeline['low_of_facts'], pipeline['high_of_facts'])}" if scored else "no fact scored"
    return bar_cell(pipeline["facts_stated"], out_of(stated, scored), likely)


def _over(pipeline: dict[str, Any], counted: str) -> str:
    scored, questions = pipeline[counted], pipeline["expected"]
    return f"mean of {count(scored) if scored == questions else out_of(scored, questions)}"


def _part(diagnosis: Diagnosis, responses: int) -> Part:
    return Part(
        count=responses,
        text=f"{diagnosis.value} · {count(responses)}",
        label="response" if responses == 1 else "responses",
        symbol=DIAGNOSIS_SYMBOLS[diagnosis],
        colour=DIAGNOSIS_COLOURS[diagnosis],
    )


_STEP_COLUMNS = (
    Column(label="Step", head=True, wide=True),
    Column(label="Fault", title=explain("fault")),
)


def show_steps(steps: Sequence[Step]) -> None:
    """Draw the steps; opening one shows its responses on the Diagnostics page."""
    if not steps:
        st.text("Nothing is left to do: responses are diagnosed as correct, or their triplets have been edited since.")
        return
    rows = [
        Row(
            id=str(i),
            href=url_state.href("diagnostics", **_filters(step)),
            cells=(text_cell(step.title), text_cell(step.fault.value.replace(" ", NO_BREAK_SPACE))),
        )
        for i, step in enumerate(steps)
    ]
    opened = show_table("steps", "Most useful next steps", _STEP_COLUMNS, rows)
    if opened is not None:
        st.switch_page("pages/diagnostics.py", query_params=url_state.link(**_filters(steps[int(opened)])))


def _filters(step: Step) -> dict[str, str]:
    return {DIAGNOSIS: step.diagnosis.value} | ({PIPELINE: step.pipeline} if step.pipeline else {})
