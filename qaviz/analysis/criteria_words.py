"""Acceptance criteria in words: what each asks, and what came of it."""

from enum import StrEnum
from typing import TypedDict

from qaviz.analysis.numbers import out_of, percent, plural
from qaviz.model import columns as c
from qaviz.model.classes import Measure
from qaviz.model.records import Criterion


class CriterionRow(TypedDict):
    """A row of `evaluate`: one criterion and pipeline."""

    measure: str
    """A `Measure`."""
    scope: str
    """The questions it is about, in words."""
    bound: float
    """Of a guardrail: the most that it may be worse."""
    than: str | None
    """Of a guardrail: the pipeline that it is compared with; value, low and high are then the difference, above 0 for
    better."""
    pipeline: str
    scored: int
    """Questions without an open response, of how many `expected`."""
    expected: int
    value: float | None
    """Open responses count as 0, missing scores not at all; None where nothing is scored."""
    low: float | None
    """With `high`: between which the value for many questions like these lies at 95 %, however what is open turns out;
    None without a question."""
    high: float | None
    deviation: float | None
    """Of the questions' values where they are means; None for shares."""
    outcome: str
    """An `Outcome`."""
    at_worst: str
    """The outcome if all unsure responses failed, and `at_best`, if all of them passed."""
    at_best: str
    sentence: str


EVERY = "all questions"


class Outcome(StrEnum):
    """What is known of a criterion."""

    MET = "met"
    NOT_MET = "not met"
    NOT_SHOWN = "not shown with this many questions"


def word_scope(criterion: Criterion) -> str:
    """`category income, tagged critical`; `all questions`."""
    words = [f"category {criterion.category}"] if criterion.category else []
    words += [f"tagged {criterion.tag}"] if criterion.tag else []
    return ", ".join(words) or EVERY


def criterion_in_words(criterion: Criterion) -> str:
    """`facts stated, at least 90%, tagged critical`."""
    bound = word_bound(criterion.measure, criterion.bound, criterion.than)
    return f"{criterion.measure.value}, {bound}, {word_scope(criterion)}"


def in_words(row: CriterionRow) -> str:
    """A row of `evaluate` as what it asks: `hallucinations at most 5%, tagged critical`."""
    scope = "" if row["scope"] == EVERY else f", {row['scope']}"
    return f"{row['measure']} {word_bound(Measure(row['measure']), row['bound'], row['than'])}{scope}"


def word_bound(measure: Measure, bound: float, than: str | None = None) -> str:
    """`at least 90%`; of a guardrail `at most 2 points worse than A`."""
    if than is not None:
        return f"at most {bound * 100:.3g} points worse than {than}"
    return f"{'at least' if measure.more_is_better else 'at most'} {percent(bound)}"


def word_value(row: CriterionRow, share: float | None) -> str:
    """A value of a row or an end of its interval: `80%`; of a guardrail the difference, `−2.0 points`."""
    return percent(share) if row["than"] is None or share is None else f"{share * 100:+.1f} points"


def word_row(row: CriterionRow) -> str:
    """What came of a criterion, in a sentence."""
    asked = f"{word_bound(Measure(row['measure']), row['bound'], row['than'])} required"
    subject = f"{row[c.PIPELINE]}, {row['measure']}, {row['scope']}"
    if not row["expected"]:
        return f"{subject}: no question in scope, so {asked} is not shown."
    if row["value"] is None:
        return f"{subject}: none of {row['expected']:,} is scored, so {asked} is not shown."
    value, low, high = (word_value(row, row[end]) for end in ("value", "low", "high"))
    likely = f"95% interval {low} to {high}"
    coverage = plural(row["expected"], "question")
    if row["scored"] < row["expected"]:
        coverage = f"{out_of(row['scored'], row['expected'])} questions known"
    return f"{subject}: {value} ({likely}; {coverage}), {asked}: {row['outcome']}."
