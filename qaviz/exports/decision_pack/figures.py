"""The figures of a decision pack, as numbers: each writer draws them in its own format's charts."""

from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from qaviz.analysis.numbers import MISSING, count, out_of
from qaviz.charts.palette import DIAGNOSIS_COLOURS, PIPELINE_COLOURS
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import FACTUAL_KNOWLEDGE, PIPELINE, PRECISION, RECALL
from qaviz.model.metrics import METRICS

MOST_BARS = 16
"""Pipelines in one figure; more could not be told apart."""


class Unit(StrEnum):
    """What the values of a figure are."""

    PERCENT = "percent"
    """Shares from 0 to 1, shown in percent."""
    SCORE = "score"
    """Scores from 0 to 1."""
    COUNT = "count"
    """Numbers of responses, drawn as parts of a whole."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """The values of one colour, a value a pipeline; None where nothing is scored."""

    name: str
    colour: str
    values: tuple[float | None, ...]
    ends: tuple[tuple[float, float] | None, ...] = ()
    """The 95 % interval of each value; empty where the series has none."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Bars from left to right, a group a pipeline from top to bottom."""

    name: str
    """A word for sheets and files."""
    title: str
    reading: str
    """How to read it, in a sentence or two."""
    unit: Unit
    pipelines: tuple[str, ...]
    counted: tuple[str, ...]
    """What each pipeline's values count: `8 of 10`."""
    series: tuple[Series, ...]
    left_out: int
    """Pipelines beyond MOST_BARS."""


def figures_of(summary: pl.DataFrame, ranking: pl.DataFrame) -> tuple[Figure, ...]:
    """The figures of a decision's ranking and of `tables.pipeline_summary`, in their order. A figure without any
    value is left out."""
    bars, left_out = summary.head(MOST_BARS), max(summary.height - MOST_BARS, 0)
    drawn = (
        _draw_right(ranking),
        _draw_diagnoses(bars, left_out),
        _draw_facts(bars, left_out),
        _draw_words(bars, left_out),
    )
    return tuple(
        figure for figure in drawn if any(value is not None for series in figure.series for value in series.values)
    )


def _draw_right(ranking: pl.DataFrame) -> Figure:
    bars = ranking.head(MOST_BARS)
    return Figure(
        name="Right",
        title="Share of right answers of each pipeline",
        reading="Longer bar: more right answers; unsure ones are not counted. The thin line is the 95% interval, with "
        "unsure ones wrong at one end and right at the other.",
        unit=Unit.PERCENT,
        pipelines=tuple(bars[PIPELINE]),
        counted=tuple(bars["in_words"]),
        series=(_draw_shares("Right answers", bars, "share"),),
        left_out=max(ranking.height - MOST_BARS, 0),
    )


def _draw_shares(name: str, bars: pl.DataFrame, share: str) -> Series:
    """The values of a column with the interval from `low` to `high`."""
    ends = bars.select(share, "low", "high").iter_rows()
    intervals = tuple(None if value is None else (low, high) for value, low, high in ends)
    return Series(name=name, colour=PIPELINE_COLOURS[0], values=tuple(bars[share]), ends=intervals)


def _draw_facts(summary: pl.DataFrame, left_out: int) -> Figure:
    return Figure(
        name="Facts",
        title="Share of facts that each pipeline states",
        reading="Longer bar: more facts stated. The thin line is the 95% interval. "
        "Where lines overlap widely, the difference may be chance.",
        unit=Unit.PERCENT,
        pipelines=tuple(summary[PIPELINE]),
        counted=tuple(out_of(*counts) for counts in summary.select("fact_hits", "fact_scored").iter_rows()),
        series=(_draw_shares(METRICS[FACTUAL_KNOWLEDGE].label, summary, "facts_stated"),),
        left_out=left_out,
    )


def _draw_words(summary: pl.DataFrame, left_out: int) -> Figure:
    series = tuple(
        Series(name=METRICS[metric].label, colour=colour, values=tuple(summary[column]))
        for metric, column, colour in (
            (RECALL, "closeness", PIPELINE_COLOURS[0]),
            (PRECISION, "conciseness", PIPELINE_COLOURS[1]),
        )
    )
    return Figure(
        name="Words",
        title="Closeness to the golden answers, and conciseness",
        reading=f"{METRICS[RECALL].label}: {METRICS[RECALL].question} {METRICS[PRECISION].label}: "
        f"{METRICS[PRECISION].question} Means over the responses that are scored. Both count words, not meaning.",
        unit=Unit.SCORE,
        pipelines=tuple(summary[PIPELINE]),
        counted=tuple(f"mean of {count(scored)}" if scored else MISSING for scored in summary["closeness_n"]),
        series=series,
        left_out=left_out,
    )


def _draw_diagnoses(summary: pl.DataFrame, left_out: int) -> Figure:
    occurring = [diagnosis for diagnosis in Diagnosis if summary[diagnosis.value].sum()]
    return Figure(
        name="Diagnoses",
        title="Diagnoses of each pipeline's responses",
        reading="Each bar is all responses of a pipeline, divided by diagnosis; the numbers count responses. Correct, "
        "verbose and rephrased-correct responses are right.",
        unit=Unit.COUNT,
        pipelines=tuple(summary[PIPELINE]),
        counted=tuple(
            map(count, summary.select(pl.sum_horizontal(diagnosis.value for diagnosis in Diagnosis)).to_series())
        ),
        series=tuple(
            Series(name=diagnosis.value, colour=DIAGNOSIS_COLOURS[diagnosis], values=tuple(summary[diagnosis.value]))
            for diagnosis in occurring
        ),
        left_out=left_out,
    )
