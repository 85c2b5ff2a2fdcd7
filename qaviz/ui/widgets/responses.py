"""A list of responses, a page at a time: what each got, why, and what to change. A row opens its question."""

from collections.abc import Mapping, Sequence
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.board import Cell
from qaviz.analysis.glossary import explain
from qaviz.analysis.labels import DIFFERS, PLACE
from qaviz.analysis.numbers import count, score
from qaviz.analysis.selection import Passing, ResponseOrder, class_counts, in_response_order
from qaviz.analysis.sentences import find_unread
from qaviz.charts import CELL_LOOKS
from qaviz.diagnosis import RULES, deciding
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.metrics import METRICS
from qaviz.model.records import Thresholds
from qaviz.report import Column, Kind
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import overruled_of, view_run, worst_of
from qaviz.ui.widgets.components import variants_on_lines
from qaviz.ui.widgets.filters import CLASSES, pick_several, pick_switch
from qaviz.ui.widgets.keeping import OpenRun, keep
from qaviz.ui.widgets.table import LONGEST_TEXT, show_frame

_QUESTION = Column(c.QUESTION, "Question", wide=True, note="{pipeline}", missing="{question_id}")
USUAL = (
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
)
"""The columns of a list of responses."""
BLIND = (USUAL[0], USUAL[2])
"""Those that tell no verdict."""
_SYMBOLS = {cell.value: CELL_LOOKS[cell][1] for cell in Cell}
_OPINIONS = Column("opinions", "Verdict, judge, people", lines=True)

ORDERS = tuple(ResponseOrder)
NO_DIAGNOSES = ". No diagnoses in this list while you label without seeing verdicts."


def pick_classes(rows: Passing) -> Passing:
    """Draw the verdicts and fault sides, each with its number of rows; returns the rows of those picked."""
    picked = {}
    for column in (c.VERDICT, c.FAULT):
        counts = class_counts(rows.select([column]), column)
        values = [member.value for member in CLASSES[column]]
        picked[column] = pick_several(column, values, partial(_label_count, counts))
    for column, values in picked.items():
        rows = rows.where(column, values) if values else rows
    return rows


def pick_diagnoses(rows: Passing) -> Passing:
    """Draw the diagnoses, each with its number of rows; returns the rows of those picked."""
    counts = class_counts(rows.select([c.DIAGNOSIS]), c.DIAGNOSIS)

    def label(value: str) -> str:
        return f"{_SYMBOLS[value]} {_label_count(counts, value)}"

    offered = [value for value in _SYMBOLS if value in counts or value in url_state.values(c.DIAGNOSIS)]
    picked = pick_several(c.DIAGNOSIS, offered, label, side_by_side=True)
    return rows.where(c.DIAGNOSIS, picked) if picked else rows


def _label_count(counts: Mapping[str, int], value: str) -> str:
    return f"{value} · {count(counts.get(value, 0))}"


@keep()
def _find_unread(shown: OpenRun) -> tuple[pl.Series, str | None]:
    return find_unread(shown.rows)


def show_unread(shown: OpenRun) -> None:
    """Draw how many responses are in a language that qaviz does not read, with a link to them; nothing for none."""
    _, sentence = _find_unread(shown)
    if not sentence:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="unread_languages"):
        st.text(sentence, width="content")
        url_state.draw_link("See these responses", "responses", **(url_state.WIDE | {url_state.UNREAD: "yes"}))


def pick_apart(shown: OpenRun, opinions: pl.DataFrame, listed: Passing) -> Passing:
    """Draw the switches to responses on which verdict and judge differ, and to those in a language that qaviz does not
    read, where there are any; returns those picked. `opinions` are as `labels.heard_opinions` returns them."""
    unread, _ = _find_unread(shown)
    switches = (
        (url_state.DIFFER, "Verdict and judge differ", opinions.filter(DIFFERS)[PLACE], not opinions.is_empty()),
        (url_state.UNREAD, "Language not read", unread, not unread.is_empty()),
    )
    for name, label, places, offered in switches:
        among = listed.among(places)
        if offered and pick_switch(name, f"{label} · {count(among.height)}"):
            listed = among
    return listed


def pick_order(shown: OpenRun, rows: Passing) -> Passing:
    """Draw the orders of a list, and the switch to its five worst wrong answers; returns the rows in the order picked,
    which the URL keeps."""
    order = st.selectbox("Order", ORDERS, key="order", bind="query-params", width=190, label_visibility="collapsed")
    ordered = rows.ordered(worst_of(shown)) if order == ORDERS[0] else in_response_order(rows, order)
    if not pick_switch(url_state.WORST, "Five worst"):
        return ordered
    return ordered.among(ordered.find_five_worst(worst_of(shown), overruled_of(view_run(shown))))


def show_responses(
    rows: Passing | pl.DataFrame,
    thresholds: Thresholds,
    key: str,
    columns: Sequence[Column] = USUAL,
    opinions: pl.DataFrame | None = None,
) -> None:
    """Draw these diagnosed rows with these columns, a page at a time; with what rules, judge and people say, where
    there are `opinions` (`labels.heard_opinions`)."""
    if not rows.height:
        st.text("No response passes these filters. Remove a filter to see more.")
        return
    if opinions is not None:
        columns = beside(columns, _OPINIONS)
    show_frame(
        key,
        "Responses with their diagnosis",
        rows,
        [_QUESTION, *columns],
        leads=url_state.lead_to_response,
        prepare=lambda page: _describe_page(_add_opinions(page, opinions), thresholds),
    )


def beside(columns: Sequence[Column], column: Column) -> list[Column]:
    """The columns with another one behind response and diagnosis."""
    return [*columns[:2], column, *columns[2:]]


def _add_opinions(page: pl.DataFrame, opinions: pl.DataFrame | None) -> pl.DataFrame:
    if opinions is None:
        return page
    people = pl.col(c.LABEL).fill_null("no label")
    words = pl.format("qaviz: {}\njudge: {}\npeople: {}", c.VERDICT, c.JUDGE, people).alias(_OPINIONS.name)
    key = [c.QUESTION_ID, c.PIPELINE]
    named = page.with_columns(pl.col(c.PIPELINE).cast(pl.String))
    return named.join(opinions.select(*key, words), on=key, how="left", maintain_order="left")


def _describe_page(page: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """The rows with what the columns draw; a null column for what the run does not have."""
    has = set(page.columns)
    lacking = [name for name in (c.CONFIDENCE, c.COST, c.LATENCY_MS, c.FAULT_REASON) if name not in has]
    page = page.with_columns(pl.lit(None).alias(name) for name in lacking)
    advice = [RULES[rule].advice or None for rule in deciding(page.drop(lacking), thresholds)]
    # The board's words: what has no diagnosis is empty, or open.
    blank = pl.col(c.RESPONSE).fill_null("").str.strip_chars() == ""
    bare = pl.when(blank).then(pl.lit(Cell.EMPTY.value)).otherwise(pl.lit(Cell.UNSURE.value))
    is_bare, diagnosis = pl.col(c.DIAGNOSIS) == Diagnosis.UNSCORED.value, pl.col(c.DIAGNOSIS).cast(pl.String)
    diagnosis = pl.when(is_bare).then(bare).otherwise(diagnosis).alias(c.DIAGNOSIS)
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
        diagnosis,
        diagnosis.replace_strict(_SYMBOLS).alias("symbol"),
        pl.Series("why_fault", faults, pl.String),
        pl.Series("closeness", closeness, pl.String),
        pl.Series(c.RESPONSE, map(_on_one_line, page[c.RESPONSE]), pl.String),
        *(pl.Series(name, values, pl.String) for name, values in texts.items()),
    )


def _on_one_line(text: str | None) -> str:
    # One more than a cell shows, so that the cell knows that there is more.
    return " ".join((text or "").split(maxsplit=LONGEST_TEXT))[: LONGEST_TEXT + 1]
