"""A list of responses, a page at a time: what each got, why, and what to change. A row opens its question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import polars as pl
import streamlit as st

from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import count, score
from qaviz.analysis.selection import Listed, Passing, ResponseOrder, class_counts, in_response_order
from qaviz.charts import DIAGNOSIS_SYMBOLS
from qaviz.diagnosis import RULES, deciding
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Fault, Verdict
from qaviz.model.metrics import METRICS
from qaviz.model.records import Thresholds
from qaviz.report import Column, Kind
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import worst_of
from qaviz.ui.widgets.components import variants_on_lines
from qaviz.ui.widgets.filters import pick_several, seed_several
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.table import LONGEST_TEXT, show_frame

_QUESTION = Column(c.QUESTION, "Question", wide=True, note="{pipeline}", missing="{question_id}")
_CHOICES = (
    Column(c.RESPONSE, "Response", wide=True, missing="the response is empty"),
    Column(
        c.DIAGNOSIS,
        "Diagnosis",
        kind=Kind.MARK,
        text="{symbol} {diagnosis}",
        by=c.VERDICT,
        title="Verdict: {verdict}.{why_fault}",
        help=f"{explain('verdict')} Hover over one to see it.",
    ),
    Column("closeness", "Closeness, conciseness", help=f"{METRICS[c.RECALL].help} {METRICS[c.PRECISION].help}"),
    Column(c.REASON, "Why, and what to change", wide=True, note="→ {advice}"),
    Column(c.CONFIDENCE, "Confidence", kind=Kind.FIGURE, help=explain("confidence")),
    Column(c.FACT, "Fact", wide=True, help=explain("fact")),
    Column(c.ANSWER, "Golden answer", wide=True, help=explain("golden answer")),
    Column(c.CATEGORY, "Category"),
    Column(c.COST, "Cost", kind=Kind.FIGURE),
    Column(c.LATENCY_MS, "Time", text="{latency_ms:figure} ms"),
)
"""The columns that a reader may choose; the first USUAL of them are the usual ones."""
USUAL = 4
_VERDICTS = ("Diagnosis", "Why, and what to change", "Confidence")
"""Columns that tell the verdict of a response, or let it be guessed."""


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
    labels = [column.heading for column in _CHOICES]
    picked = [label for label in url_state.values(url_state.COLUMNS) if label in labels] or labels[:USUAL]
    st.session_state[_COLUMNS_KEY] = picked
    with st.popover("Columns", icon=":material/view_column:", type="tertiary"):
        st.pills("Columns of the list", labels, selection_mode="multi", key=_COLUMNS_KEY, on_change=_write_columns)
    left_out = _VERDICTS if blind else ()
    return [column for column in _CHOICES if column.heading in picked and column.heading not in left_out]


_COLUMNS_KEY = "responses_columns"
NO_DIAGNOSES = ". No diagnoses in this list while you label without seeing verdicts."


def _write_columns() -> None:
    picked = st.session_state[_COLUMNS_KEY]
    usual = set(picked) == {column.heading for column in _CHOICES[:USUAL]}
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
    between = [Column(beside.column, beside.heading, lines=beside.lines)] if beside else []
    show_frame(
        key,
        beside.caption if beside else "Responses with their diagnosis",
        rows,
        [_QUESTION, *columns[:_BESIDE], *between, *columns[_BESIDE:]],
        leads=url_state.lead_to_response,
        prepare=lambda page: _describe_page(page, thresholds),
    )


_BESIDE = 2
"""How many columns stand before the one that is shown beside them."""


def _describe_page(page: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """The rows with what the columns draw; a null column for what the run does not have."""
    has = set(page.columns)
    lacking = [name for name in (c.CONFIDENCE, c.COST, c.LATENCY_MS, c.FAULT_REASON) if name not in has]
    page = page.with_columns(pl.lit(None).alias(name) for name in lacking)
    advice = [RULES[rule].advice or None for rule in deciding(page.drop(lacking), thresholds)]
    symbols = {diagnosis.value: symbol for diagnosis, symbol in DIAGNOSIS_SYMBOLS.items()}
    faults = [
        " ".join(filter(None, (fault and f" Fault: {fault}.", reason)))
        for fault, reason in page.select(c.FAULT, c.FAULT_REASON).iter_rows()
    ]
    closeness = [
        f"{score(recall)}, {score(precision)}" for recall, precision in page.select(c.RECALL, c.PRECISION).iter_rows()
    ]
    texts = {name: map(variants_on_lines, page[name]) for name in (c.FACT, c.ANSWER)}
    return page.with_columns(
        pl.Series("advice", advice, pl.String),
        pl.col(c.DIAGNOSIS).cast(pl.String).replace_strict(symbols).alias("symbol"),
        pl.Series("why_fault", faults, pl.String),
        pl.Series("closeness", closeness, pl.String),
        pl.Series(c.RESPONSE, map(_on_one_line, page[c.RESPONSE]), pl.String),
        *(pl.Series(name, values, pl.String) for name, values in texts.items()),
    )


def _on_one_line(text: str | None) -> str:
    # One more than a cell shows, so that the cell knows that there is more.
    return " ".join((text or "").split(maxsplit=LONGEST_TEXT))[: LONGEST_TEXT + 1]
