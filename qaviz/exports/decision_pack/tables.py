"""The tables of a decision pack as people read them: numbers in words, one way in slides, pages and wikis."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from qaviz.analysis import comparison
from qaviz.analysis.closeness import GAIN, RESPONSES
from qaviz.analysis.comparison_words import format_signed, metric_label
from qaviz.analysis.criteria import Outcome, word_bound
from qaviz.analysis.numbers import MISSING, SMALLEST_P, count, interval, out_of, percent, score
from qaviz.exports.decision_pack.content import HOW_TO_COMPARE, HOW_TO_READ_CRITERIA, HOW_TO_READ_NORMALISED, Content
from qaviz.model.classes import Measure
from qaviz.model.columns import F1, PIPELINE, PRECISION, RECALL
from qaviz.model.metrics import METRICS
from qaviz.scoring.normalised import NORMALISED


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of texts, a heading a column."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int
    """How many columns, from the left, hold names and words; the others hold numbers."""
    note: str
    """How to read it, and what is not in it."""


def pipelines_table(content: Content) -> Table:
    """The pipelines in their ranking; each figure with how many responses it counts."""
    right = {row[PIPELINE]: row for row in content.decision.ranking.iter_rows(named=True)}
    return Table(
        title="Pipelines",
        heads=("Pipeline", "Right answers", "95% interval", "Answered", "Facts stated", *_MEANS),
        rows=tuple(_pipeline(row, right.get(row[PIPELINE])) for row in content.summary.iter_rows(named=True)),
        names=1,
        note="Right answers: responses whose verdict is correct. "
        "Answered: responses that are not blank, of all questions. Facts stated: of the responses whose question "
        "has a fact. The interval is where that share would likely lie over many questions like these. "
        "Closeness, conciseness and F1 are means; in brackets, over how many responses.",
    )


_MEANS = tuple(METRICS[metric].label for metric in (RECALL, PRECISION, F1))


def _pipeline(row: Mapping[str, Any], right: Mapping[str, Any] | None) -> tuple[str, ...]:
    judged = right is not None and right["share"] is not None
    return (
        row[PIPELINE],
        right["in_words"] if right and judged else MISSING,
        interval(right["low"], right["high"]) if right and judged else MISSING,
        out_of(row["answered"], row["expected"]),
        out_of(row["fact_hits"], row["fact_scored"]),
        _mean(row["closeness"], row["closeness_n"]),
        _mean(row["conciseness"], row["conciseness_n"]),
        _mean(row["f1"], row["closeness_n"]),
    )


def _mean(value: float | None, counted: int) -> str:
    return MISSING if value is None else f"{score(value)} ({count(counted)})"


def normalised_table(content: Content) -> Table:
    """Each pipeline's scores without the restated question and citations, beside FMEval's."""
    return Table(
        title="Without the restated question and citations",
        heads=("Pipeline", "Responses", *map(normalised_heading, NORMALISED_FIGURES)),
        rows=tuple(
            (row[PIPELINE], count(row[RESPONSES]), *(score(row[name]) for name in NORMALISED_FIGURES))
            for row in content.normalised.iter_rows(named=True)
        ),
        names=1,
        note=HOW_TO_READ_NORMALISED,
    )


NORMALISED_FIGURES = (PRECISION, NORMALISED[PRECISION], F1, NORMALISED[F1], GAIN)


def normalised_heading(name: str) -> str:
    """What stands above a figure of `closeness.normalised_gain`."""
    if name == GAIN:
        return "Gain in F1"
    own = next((own for own, again in NORMALISED.items() if again == name), None)
    return f"{METRICS[own].label}, normalised" if own else METRICS[name].label


def comparisons_table(content: Content, most: int) -> Table:
    """Differences with raw and Holm-adjusted p: all of them, or, where those are more than `most`, the ones with the
    pipeline ranked first, its right answers before its scores."""
    every = content.comparisons.filter(pl.col("paired") > 0)
    shown = every if every.height <= most else _with_first(every, content.summary[PIPELINE][0], most)
    left_out = (
        f" {count(shown.height)} of {count(every.height)} comparisons, those with the pipeline ranked first; the "
        "workbook (.xlsx) and the .json file have all."
        if shown.height < every.height
        else ""
    )
    return Table(
        title="Differences between pipelines",
        heads=_COMPARISON_HEADS,
        rows=tuple(_comparison(row) for row in shown.iter_rows(named=True)),
        names=3,
        note=f"{HOW_TO_COMPARE}{left_out}",
    )


_COMPARISON_HEADS = (
    *("By", "First", "Second", "Questions", "Difference", "95% interval"),
    *("Won, lost, tied", "p", "p (Holm)", "Decision"),
)


def _with_first(every: pl.DataFrame, first: str, most: int) -> pl.DataFrame:
    own = every.filter((pl.col(comparison.FIRST) == first) | (pl.col(comparison.SECOND) == first))
    if own.height <= most:
        return own
    first_metric = own.filter(pl.col(comparison.METRIC) == own[comparison.METRIC][0])
    return first_metric.head(most)


def _comparison(row: Mapping[str, Any]) -> tuple[str, ...]:
    metric = row[comparison.METRIC]
    low, high = format_signed(metric, row["low"]), format_signed(metric, row["high"])
    return (
        metric_label(metric),
        row[comparison.FIRST],
        row[comparison.SECOND],
        count(row["paired"]),
        format_signed(metric, row["difference"]),
        f"{low} to {high}",
        f"{count(row['wins'])}, {count(row['losses'])}, {count(row['ties'])}",
        _p(row["p"]),
        _p(row["p_holm"]),
        row["decision"],
    )


def _p(p: float | None) -> str:
    if p is None:
        return MISSING
    return f"<{SMALLEST_P}" if p < SMALLEST_P else f"{p:.3f}"


def criteria_table(content: Content) -> Table:
    """What the pipelines have to reach, and what is known of whether they do."""
    return Table(
        title="Acceptance criteria",
        heads=("Measure", "Of", "Wanted", "Pipeline", "Found", "95% interval", "Scored", "Outcome"),
        rows=tuple(_criterion(row) for row in content.criteria.iter_rows(named=True)),
        names=4,
        note=HOW_TO_READ_CRITERIA,
    )


def _criterion(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        row["measure"],
        row["scope"],
        word_bound(Measure(row["measure"]), row["bound"]),
        row[PIPELINE],
        MISSING if row["value"] is None else percent(row["value"]),
        MISSING if row["low"] is None else interval(row["low"], row["high"]),
        out_of(row["scored"], row["expected"]),
        _OUTCOMES[row["outcome"]],
    )


_OUTCOMES = {Outcome.MET.value: "met", Outcome.NOT_MET.value: "not met", Outcome.NOT_SHOWN.value: "not shown"}


def diagnoses_table(content: Content) -> Table:
    """How many responses of each pipeline have each diagnosis."""
    occurring = [part.diagnosis.value for part in content.diagnoses]
    rows = content.summary.select(PIPELINE, *occurring).iter_rows()
    return Table(
        title="Diagnoses by pipeline",
        heads=("Pipeline", *occurring),
        rows=tuple((name, *map(count, counts)) for name, *counts in rows),
        names=1,
        note="Numbers of responses. Correct, verbose and rephrased-correct responses are right.",
    )
