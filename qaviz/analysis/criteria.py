"""Acceptance criteria against what is known: met, not met, or not shown with this many questions."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.comparison import outcome
from qaviz.analysis.coverage import select_scorable
from qaviz.analysis.numbers import out_of, percent
from qaviz.model.classes import Diagnosis, Measure, Verdict
from qaviz.model.columns import (
    CATEGORY,
    DIAGNOSIS,
    FACTUAL_KNOWLEDGE,
    PIPELINE,
    PRECISION,
    QUESTION_ID,
    RECALL,
    TAGS,
    VERDICT,
)
from qaviz.model.records import Criterion

SCHEMA: dict[str, type[pl.DataType]] = {
    "measure": pl.String,
    "scope": pl.String,
    "bound": pl.Float64,
    PIPELINE: pl.String,
    "scored": pl.Int64,
    "expected": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "outcome": pl.String,
    "sentence": pl.String,
}

_EVERY = "all questions"

CRITICAL = "critical"
"""The tag of questions that have to be right."""


class Outcome(StrEnum):
    """What is known of a criterion."""

    MET = "met"
    NOT_MET = "not met"
    NOT_SHOWN = "not shown with this many questions"


_METRICS = {Measure.FACTS_STATED: FACTUAL_KNOWLEDGE, Measure.CLOSENESS: RECALL, Measure.CONCISENESS: PRECISION}
"""Measures that are means of scores; the others count diagnoses."""


def has_tag(tag: str) -> pl.Expr:
    """Whether a triplet has this tag, upper or lower case."""
    words = pl.col(TAGS).fill_null("").str.to_lowercase().str.split(";")
    return words.list.eval(pl.element().str.strip_chars()).list.contains(tag.strip().lower())


def in_scope(golden: pl.DataFrame, criterion: Criterion) -> pl.DataFrame:
    """The triplets that a criterion is about."""
    wanted = [pl.col(CATEGORY) == criterion.category] if criterion.category else []
    wanted += [has_tag(criterion.tag)] if criterion.tag else []
    return golden.filter(*wanted) if wanted else golden


def evaluate(
    rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], criteria: Sequence[Criterion]
) -> pl.DataFrame:
    """One row a criterion and pipeline, in their order.

    Columns: measure, scope (in words), bound, pipeline; scored, of how many expected; value (over the scored, null
    where there is none); low and high, between which the value for many questions like these lies at 95 %, whatever
    the questions without a score would have come to; outcome (of Outcome), sentence.
    A criterion is met if all of the interval is, not met if none of it is. A bound of all or nothing is about these
    very questions: it is met if each of them meets it. What is missing is never met.
    """
    found = [row for each in criteria for row in _rows(rows, golden, pipelines, each)]
    return pl.DataFrame(found, schema=SCHEMA, orient="row")


def _rows(
    rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], criterion: Criterion
) -> Iterator[dict[str, Any]]:
    metric = _METRICS.get(criterion.measure, VERDICT)
    questions = select_scorable(in_scope(golden, criterion), metric).select(QUESTION_ID)
    scored = rows.select(QUESTION_ID, PIPELINE, _count_expression(criterion.measure).alias("score")).drop_nulls("score")
    by_question = scored.join(questions, on=QUESTION_ID).group_by(PIPELINE, QUESTION_ID).agg(pl.col("score").mean())
    scores = {name: own["score"].to_numpy() for (name,), own in by_question.group_by(PIPELINE)}
    for pipeline in pipelines:
        known = _known(scores.get(pipeline, np.empty(0)), questions.height, criterion)
        row = {"measure": criterion.measure.value, "scope": _scope(criterion), "bound": criterion.bound} | known
        yield row | {PIPELINE: pipeline, "sentence": _sentence(row, pipeline, criterion)}


def _count_expression(measure: Measure) -> pl.Expr:
    if measure in _METRICS:
        return outcome(_METRICS[measure])
    if measure is Measure.CORRECT:
        return outcome(VERDICT)
    wanted = Diagnosis.HALLUCINATION if measure is Measure.HALLUCINATIONS else Diagnosis.DECLINED
    judged = pl.col(VERDICT) != Verdict.UNSURE.value
    return pl.when(judged).then((pl.col(DIAGNOSIS) == wanted.value).cast(pl.Float64))


def _known(scores: NDArray[np.float64], questions: int, criterion: Criterion) -> dict[str, Any]:
    scored = len(scores)
    low, high = stats.interval_of(scores)
    share = scored / questions if questions else 0.0
    # The questions without a score may all fail, or all pass.
    low, high = low * share, high * share + 1 - share
    ends = {"low": low, "high": high} if questions else {"low": None, "high": None}
    value = float(scores.mean()) if scored else None
    known = {"scored": scored, "expected": questions, "value": value, **ends}
    return known | {"outcome": _outcome(scores, questions, low, high, criterion).value}


def _outcome(scores: NDArray[np.float64], questions: int, low: float, high: float, criterion: Criterion) -> Outcome:
    bound, more = criterion.bound, criterion.measure.more_is_better
    if not questions:
        return Outcome.NOT_SHOWN
    if bound == float(more):
        if (scores != bound).any():
            return Outcome.NOT_MET
        return Outcome.MET if len(scores) == questions else Outcome.NOT_SHOWN
    if (low >= bound) if more else (high <= bound):
        return Outcome.MET
    return Outcome.NOT_MET if ((high < bound) if more else (low > bound)) else Outcome.NOT_SHOWN


def _scope(criterion: Criterion) -> str:
    words = [f"category {criterion.category}"] if criterion.category else []
    words += [f"tagged {criterion.tag}"] if criterion.tag else []
    return ", ".join(words) or _EVERY


def criterion_in_words(criterion: Criterion) -> str:
    """`facts stated, at least 90%, tagged critical`."""
    return f"{criterion.measure.value}, {wanted(criterion.measure, criterion.bound)}, {_scope(criterion)}"


def in_words(row: Mapping[str, Any]) -> str:
    """A row of `evaluate` as what it asks: `hallucinations at most 5%, tagged critical`."""
    scope = "" if row["scope"] == _EVERY else f", {row['scope']}"
    return f"{row['measure']} {wanted(Measure(row['measure']), row['bound'])}{scope}"


def wanted(measure: Measure, bound: float) -> str:
    """`at least 90%`."""
    return f"{'at least' if measure.more_is_better else 'at most'} {percent(bound)}"


def _sentence(row: dict[str, Any], pipeline: str, criterion: Criterion) -> str:
    asked = f"{wanted(criterion.measure, criterion.bound)} required"
    subject = f"{pipeline}, {row['measure']}, {row['scope']}"
    if not row["expected"]:
        return f"{subject}: no question in scope, so {asked} is not shown."
    if row["value"] is None:
        return f"{subject}: none of {row['expected']:,} is scored, so {asked} is not shown."
    likely = f"likely {percent(row['low'])} to {percent(row['high'])}"
    coverage = f"{out_of(row['scored'], row['expected'])} scored"
    return f"{subject}: {percent(row['value'])} ({likely}; {coverage}), {asked}: {row['outcome']}."
