"""A list of responses, a page at a time: what each got, why, and what to change. A row opens its question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import NotRequired, TypedDict

import polars as pl
import streamlit as st

from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import count, figure, score
from qaviz.analysis.selection import Listed, Passing, ResponseOrder, class_counts, in_response_order
from qaviz.charts import DIAGNOSIS_SYMBOLS, diagnosis_mix, mix_counts
from qaviz.diagnosis import RULES, deciding
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Fault, Verdict
from qaviz.model.metrics import METRICS
from qaviz.model.records import Run, Thresholds
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import worst_of
from qaviz.ui.widgets.chart import about_run, show_chart
from qaviz.ui.widgets.components import variants_on_lines
from qaviz.ui.widgets.filters import Filters, pick_several, seed_several
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.table import (
    LONGEST_TEXT,
    Cell,
    Column,
    Row,
    Tone,
    mark_cell,
    show_pages,
    text_cell,
)

_QUESTION = Column("Question", head=True, wide=True)
_CHOICES = (
    Column("Response", wide=True),
    Column("Diagnosis", title=f"{explain('verdict')} Hover over one to see it."),
    Column("Closeness, conciseness", title=f"{METRICS[c.RECALL].help} {METRICS[c.PRECISION].help}"),
    Column("Why, and what to change", wide=True),
    Column("Confidence", title=explain("confidence")),
    Column("Fact", wide=True, title=explain("fact")),
    Column("Golden answer", wide=True, title=explain("golden answer")),
    Column("Category"),
    Column("Cost"),
    Column("Time"),
)
"""The columns that a reader may choose; the first USUAL of them are the usual ones."""
USUAL = 4
_VERDICTS = ("Diagnosis", "Why, and what to change", "Confidence")
"""Columns that tell the verdict of a response, or let it be guessed."""
VERDICT_TONES: Mapping[str, Tone] = {Verdict.CORRECT.value: "good", Verdict.INCORRECT.value: "bad"}


ORDERS = tuple(ResponseOrder)


def pick_classes(rows: Passing) -> Passing:
    """Draw the verdicts and fault sides, each with its number of rows; returns the rows of those picked."""
    picked = {
        c.VERDICT: _pick_class(rows, c.VERDICT, Verdict, "All verdicts"),
        c.FAULT: _pick_class(rows, c.FAULT, Fault, "All faults"),
    }
    for column, values in picked.items():
        rows = rows.where(column, values) if values else rows
    return rows


def pick_diagnoses(rows: Passing) -> Passing:
    """Draw the diagnoses, each with its number of rows; returns the rows of those picked."""
    picked = _pick_diagnoses(rows)
    return rows.where(c.DIAGNOSIS, picked) if picked else rows


def pick_order(shown: OpenRun, rows: Passing) -> Passing:
    """Draw the orders of a list; returns the rows in the one picked, which the URL keeps."""
    order = st.selectbox("Order", ORDERS, key="order", bind="query-params", width=190, label_visibility="collapsed")
    if order == ResponseOrder.WORST:
        return rows.ordered(worst_of(shown))
    return in_response_order(rows, order)


def _pick_diagnoses(rows: Passing) -> list[str]:
    counts = class_counts(rows.select([c.DIAGNOSIS]), c.DIAGNOSIS)
    values = [diagnosis.value for diagnosis in Diagnosis]
    key = seed_several(c.DIAGNOSIS, values, "class_diagnosis")
    return st.pills(
        "Diagnosis",
        values,
        selection_mode="multi",
        format_func=lambda value: f"{DIAGNOSIS_SYMBOLS[Diagnosis(value)]} {_label_count(value, counts)}",
        key=key,
        on_change=lambda: url_state.write(c.DIAGNOSIS, *st.session_state[key]),
        label_visibility="collapsed",
    )


def _pick_class(rows: Passing, column: str, classes: type[StrEnum], all_of_them: str) -> list[str]:
    counts = class_counts(rows.select([column]), column)
    values = [diagnosis_class.value for diagnosis_class in classes]
    return pick_several(column, values, f"class_{column}", lambda value: _label_count(value, counts), all_of_them)


def _label_count(value: str, counts: Mapping[str, int]) -> str:
    return f"{value} · {count(counts.get(value, 0))}"


def show_mix(run: Run, filters: Filters, rows: Passing, thresholds: Thresholds) -> None:
    """Draw each pipeline's mix of diagnoses among these responses, which pass the filters."""
    pipelines = filters.pipelines or run.pipelines
    drawn = rows.select([c.PIPELINE, c.DIAGNOSIS])
    with st.container(border=True):
        show_chart(
            diagnosis_mix(drawn, pipelines),
            key="mix_chart",
            name="Diagnoses by pipeline",
            alt="Share of each diagnosis among a pipeline's responses",
            data=lambda: mix_counts(drawn, pipelines),
            about=about_run(run, filters, thresholds),
            caption="A bar is all responses of a pipeline; the figures count the responses of each diagnosis.",
        )


@dataclass(frozen=True, kw_only=True)
class Beside:
    """What a list of responses shows beside the diagnosis."""

    column: str
    """Of the rows that are listed."""
    heading: str
    caption: str
    """What the list is called, for those who do not see it."""
    lines: bool = False
    """It is short lines, none of which is broken."""


def pick_columns(*, blind: bool = False) -> list[Column]:
    """Draw the choice of columns, which the URL says; returns them in their order, the usual ones for none.

    With `blind`, those that tell verdicts are left out.
    """
    labels = [column.label for column in _CHOICES]
    picked = [label for label in url_state.values(url_state.COLUMNS) if label in labels] or labels[:USUAL]
    st.session_state[_COLUMNS_KEY] = picked
    with st.popover("Columns", icon=":material/view_column:", type="tertiary"):
        st.pills("Columns of the list", labels, selection_mode="multi", key=_COLUMNS_KEY, on_change=_write_columns)
    left_out = _VERDICTS if blind else ()
    return [column for column in _CHOICES if column.label in picked and column.label not in left_out]


_COLUMNS_KEY = "responses_columns"
NO_DIAGNOSES = ". No diagnoses in this list while you label without seeing verdicts."


def _write_columns() -> None:
    picked = st.session_state[_COLUMNS_KEY]
    usual = set(picked) == {column.label for column in _CHOICES[:USUAL]}
    url_state.write(url_state.COLUMNS, *([] if usual else picked))


def show_responses(
    rows: Listed,
    thresholds: Thresholds,
    key: str,
    beside: Beside | None = None,
    columns: Sequence[Column] = _CHOICES[:USUAL],
) -> None:
    """Draw these diagnosed rows with these columns of `pick_columns`, a page at a time."""
    if not rows.height:
        st.text("No response passes these filters. Remove a filter to see more.")
        return
    between = [Column(beside.heading, lines=beside.lines)] if beside else []
    own = [_QUESTION, *columns[:_BESIDE], *between, *columns[_BESIDE:]]
    caption = beside.caption if beside else "Responses with their diagnosis"
    show_pages(key, caption, own, rows, lambda page: _rows(page, thresholds, columns, beside))


_BESIDE = 2
"""How many columns stand before the one that is shown beside them."""


class _Listed(TypedDict):
    """A diagnosed row of a list."""

    question_id: str
    question: str | None
    answer: str | None
    fact: str | None
    category: str | None
    pipeline: str
    response: str | None
    recall_over_words: float | None
    precision_over_words: float | None
    diagnosis: str
    verdict: str
    fault: str | None
    fault_reason: NotRequired[str | None]
    reason: str
    confidence: NotRequired[float | None]
    cost: NotRequired[float | None]
    latency_ms: NotRequired[float | None]


def _rows(page: pl.DataFrame, thresholds: Thresholds, columns: Sequence[Column], beside: Beside | None) -> list[Row]:
    suggestions = [RULES[rule].advice for rule in deciding(page, thresholds)]
    between = [[opinion] for opinion in page[beside.column]] if beside else [[]] * page.height
    return list(map(partial(_row, columns), c.typed_rows(page, _Listed), suggestions, between))


def _row(columns: Sequence[Column], row: _Listed, suggestion: str, between: Sequence[str | None]) -> Row:
    cells = [_cell(column.label, row, suggestion) for column in columns]
    question = text_cell(row[c.QUESTION], missing=row[c.QUESTION_ID])
    return Row(
        href=url_state.response_href(row[c.QUESTION_ID], row[c.PIPELINE]),
        note=row[c.PIPELINE],
        cells=[question, *cells[:_BESIDE], *between, *cells[_BESIDE:]],
    )


def _cell(label: str, row: _Listed, suggestion: str) -> Cell:
    """What a row says in the column with this label."""
    match label:
        case "Response":
            return text_cell(_on_one_line(row[c.RESPONSE]), missing="the response is empty")
        case "Diagnosis":
            return _diagnosis(row)
        case "Closeness, conciseness":
            return f"{score(row[c.RECALL])}, {score(row[c.PRECISION])}"
        case "Why, and what to change":
            return text_cell(row[c.REASON], note=f"→ {suggestion}" if suggestion else "")
        case "Confidence":
            return _amount(row.get(c.CONFIDENCE))
        case "Fact":
            return variants_on_lines(row[c.FACT])
        case "Golden answer":
            return variants_on_lines(row[c.ANSWER])
        case "Category":
            return row[c.CATEGORY]
        case "Cost":
            return _amount(row.get(c.COST))
        case _:
            return _amount(row.get(c.LATENCY_MS), " ms")


def _amount(value: float | None, unit: str = "") -> str | None:
    return None if value is None else f"{figure(value)}{unit}"


def _on_one_line(text: str | None) -> str:
    # One more than a cell shows, so that the cell knows that there is more.
    return " ".join((text or "").split(maxsplit=LONGEST_TEXT))[: LONGEST_TEXT + 1]


def _diagnosis(row: _Listed) -> Cell:
    symbol = DIAGNOSIS_SYMBOLS[Diagnosis(row[c.DIAGNOSIS])]
    tone = VERDICT_TONES.get(row[c.VERDICT], "none")
    fault = " ".join(filter(None, (f" Fault: {row[c.FAULT]}." if row[c.FAULT] else "", row.get(c.FAULT_REASON))))
    return mark_cell(f"{symbol} {row[c.DIAGNOSIS]}", tone, f"Verdict: {row[c.VERDICT]}.{fault}")
