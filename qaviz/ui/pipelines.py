"""The pipelines of a run side by side and the steps to take next, as the overview shows them."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import NO_BREAK_SPACE, count, interval, out_of, score
from qaviz.analysis.sentences import Step
from qaviz.analysis.tables import ranked
from qaviz.charts.palette import DIAGNOSIS_COLOURS, DIAGNOSIS_SYMBOLS
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import DIAGNOSIS, FACTUAL_KNOWLEDGE, PIPELINE, PRECISION, RECALL
from qaviz.model.metrics import METRICS
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.table import Column, Part, Row, bar_cell, interval_cell, parts_cell, show_table, text_cell

_COLUMNS = (
    Column(label="Pipeline", head=True),
    Column(label="Facts stated", title=METRICS[FACTUAL_KNOWLEDGE].help),
    Column(label=METRICS[RECALL].label, title=METRICS[RECALL].help),
    Column(label=METRICS[PRECISION].label, title=METRICS[PRECISION].help),
    Column(label="Diagnoses", title="What each response is, read from its scores and its evidence.", wide=True),
)


WHOLE_UP_TO = 3
"""Pipelines that the overview has room for on one screen; a table of more scrolls."""


def show_pipelines(summary: pl.DataFrame) -> None:
    """Draw `tables.pipeline_summary`: a row a pipeline, the one that states most facts first."""
    rows = [_row(pipeline) for pipeline in ranked(summary).iter_rows(named=True)]
    caption = "Pipelines: facts stated, closeness, conciseness and diagnoses"
    show_table("pipelines", caption, _COLUMNS, rows, short=len(rows) > WHOLE_UP_TO)


def _row(pipeline: dict[str, Any]) -> Row:
    cells = (
        text_cell(pipeline[PIPELINE]),
        _facts(pipeline),
        bar_cell(pipeline["closeness"], score(pipeline["closeness"]), _over(pipeline, "closeness_n")),
        bar_cell(pipeline["conciseness"], score(pipeline["conciseness"]), _over(pipeline, "conciseness_n")),
        parts_cell([_part(each, pipeline[each.value]) for each in Diagnosis if pipeline[each.value]]),
    )
    return Row(cells=cells)


def _facts(pipeline: dict[str, Any]) -> dict[str, Any]:
    low, high = pipeline["low"], pipeline["high"]
    text = out_of(pipeline["fact_hits"], pipeline["fact_scored"])
    note = f"likely {interval(low, high)}" if pipeline["fact_scored"] else "no fact scored"
    return interval_cell(pipeline["facts_stated"], low, high, text, note)


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
    Column(label="Fault", title="Where the cause is looked for."),
)


def show_steps(steps: Sequence[Step]) -> None:
    """Draw the steps; opening one shows its responses on the Diagnostics page."""
    if not steps:
        st.text("Every response is diagnosed as correct.")
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
