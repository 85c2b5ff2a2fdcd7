"""Rows of a run as diagnosis leaves them, for tests of what is made of them."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import polars as pl

from qaviz.analysis.estimates import compare
from qaviz.analysis.outcomes import tabulate
from qaviz.analysis.selection import Passing, classes_of
from qaviz.analysis.tables import pipeline_means
from qaviz.charts import Figure
from qaviz.charts.scatter_chart import closeness_conciseness
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Diagnosis, Fault
from qaviz.model.records import Thresholds
from tests.builders import golden_table

SCHEMA = {
    c.QUESTION_ID: pl.String,
    c.QUESTION: pl.String,
    c.CATEGORY: pl.String,
    c.PIPELINE: pl.String,
    c.RESPONSE: pl.String,
    c.FACTUAL_KNOWLEDGE: pl.Float64,
    c.FACTUAL_KNOWLEDGE_QUASI_EXACT: pl.Float64,
    c.UNSCORED_FACT: pl.String,
    c.RECALL: pl.Float64,
    c.PRECISION: pl.Float64,
    c.F1: pl.Float64,
    c.DIAGNOSIS: pl.String,
    c.VERDICT: pl.String,
    c.FAULT: pl.String,
    c.ANSWERABLE: pl.Boolean,
}

USUAL = Thresholds()
FAULTS = {Diagnosis.REPHRASED: Fault.GOLDEN.value, Diagnosis.ACCIDENTAL: Fault.METRIC.value}


def golden_of(questions: int, **columns: Sequence[str | None]) -> pl.DataFrame:
    """A golden dataset of so many triplets with a fact and an answer; columns have a text a triplet."""
    triplets = [{c.QUESTION: f"Q{place}", c.FACT: "x", c.ANSWER: "x"} for place in range(1, questions + 1)]
    golden = golden_table(triplets)
    return golden.with_columns(pl.Series(name, values, pl.String) for name, values in columns.items())


def figures_in(text: str) -> list[str]:
    """The numbers of a sentence in their order, with sign and percent: `80%`, `−81.4`, `1,200`."""
    return re.findall(r"[−+±]?\d(?:[\d.,]*\d)?%?", text)


def response_row(question_id: str, pipeline: str, stated: float | None = 1.0, **other: object) -> dict[str, object]:
    """One response; its diagnosis follows the fact unless it is given."""
    diagnosis = Diagnosis(other.pop(c.DIAGNOSIS, Diagnosis.CORRECT if stated else Diagnosis.HALLUCINATION))
    return {
        c.QUESTION_ID: question_id,
        c.PIPELINE: pipeline,
        c.RESPONSE: f"{diagnosis} response of {pipeline}",
        c.FACTUAL_KNOWLEDGE: stated,
        c.FACTUAL_KNOWLEDGE_QUASI_EXACT: stated,
        c.UNSCORED_FACT: "The golden dataset has no fact." if stated is None else None,
        c.RECALL: 0.5,
        c.PRECISION: 0.5,
        c.F1: 0.5,
        c.DIAGNOSIS: diagnosis.value,
        c.VERDICT: VERDICT_OF[diagnosis].value,
        c.FAULT: FAULTS.get(diagnosis),
        c.ANSWERABLE: None,
        **other,
    }


def response_rows(rows: Iterable[dict[str, object]]) -> pl.DataFrame:
    """These responses as the rows of a run."""
    return pl.DataFrame(list(rows), schema=SCHEMA)


def settled_rows(rows: pl.DataFrame, questions: int | None = None, **other: Any) -> pl.DataFrame:
    """The rows as decisions count them, of a golden dataset of so many questions, or of those that have a response."""
    return tabulate(rows, asked_of(rows, questions), **other)


def asked_of(rows: pl.DataFrame, questions: int | None = None) -> pl.Series:
    """The ids of so many questions from 1 on, or of those that have a response."""
    if questions is None:
        return rows[c.QUESTION_ID].unique(maintain_order=True)
    return pl.Series(c.QUESTION_ID, [str(number) for number in range(1, questions + 1)], pl.String)


def compared(rows: pl.DataFrame, pipelines: Sequence[str], **other: Any) -> pl.DataFrame:
    """Every two of the pipelines by every metric, on the questions that have a response."""
    return compare(settled_rows(rows), list(combinations(pipelines, 2)), **other)


def listed_all(rows: pl.DataFrame) -> Passing:
    """All of these rows, as a run has them."""
    classes = classes_of(rows, rows, rows[c.PIPELINE].unique(maintain_order=True).to_list())
    return Passing(rows=rows, classes=classes)


def scatter_of(rows: pl.DataFrame, pipelines: Sequence[str], thresholds: Thresholds = USUAL) -> Figure:
    """The chart of these rows, with their means."""
    return closeness_conciseness(rows, pipeline_means(rows, pipelines), pipelines, thresholds)


def matrix_rows(stated: dict[str, str]) -> pl.DataFrame:
    """Rows from a picture: for each pipeline its questions in turn, `1`, `0`, `-` (not scored) or ` ` (no response)."""
    values = {"1": 1.0, "0": 0.0, "-": None}
    return response_rows(
        response_row(str(place), pipeline, values[mark])
        for pipeline, marks in stated.items()
        for place, mark in enumerate(marks, start=1)
        if mark != " "
    )
