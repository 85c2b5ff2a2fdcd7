"""What happened over runs, in sentences and figures. Plain text, never markdown: names come from files."""

from collections.abc import Mapping, Sequence

import polars as pl

from qaviz.analysis.comparison_words import metric_label
from qaviz.analysis.history import (
    BEFORE,
    PLACE,
    RUN,
    SINCE,
    STEP,
    Change,
    HistoryRow,
    MeasurementChange,
    drift_of,
    step_of,
)
from qaviz.analysis.numbers import MISSING, count, day, join, percent, plural, score
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import FACTUAL_KNOWLEDGE, PIPELINE, PRECISION, RECALL, VERDICT, typed_rows
from qaviz.model.records import Run

MOST_SAID = 5
"""Changes, and changes of measurement, that are said in words; the table has all."""

BAD = (
    Diagnosis.HALLUCINATION,
    Diagnosis.ACCIDENTAL,
    Diagnosis.OFF_TARGET,
    Diagnosis.DECLINED,
    Diagnosis.UNSCORED,
)
"""Diagnoses of which less is better."""

_SCORES = (RECALL, PRECISION)
_POINTS = " points"
_FINER = 0.01
"""Differences of scores below which two decimals would say nothing."""

_TESTED = (Change.ROSE.value, Change.FELL.value, Change.NONE.value, Change.TOO_FEW.value)


def followed_label(metric: str) -> str:
    """What people see of a metric of `history.FOLLOWED`: `Closeness`, `Hallucination rate`."""
    return metric_label(metric) if metric in (FACTUAL_KNOWLEDGE, VERDICT, *_SCORES) else f"{metric.capitalize()} rate"


def figure(metric: str, value: float | None) -> str:
    """A value of the metric: `0.71` for scores, `71%` for shares."""
    return score(value) if metric in _SCORES else percent(value)


def difference(metric: str, value: float | None) -> str:
    """A difference with its sign: `−0.04` for scores, `+4.2 points` of a hundred for shares; `–` for none."""
    if value is None:
        return MISSING
    size = _word_amount(metric, value)
    sign = "−" if value < 0 else "+"
    return f"{sign if size.strip('0. points') else '±'}{size}"


def bounds(metric: str, low: float | None, high: float | None) -> str:
    """The ends of a difference's interval: `−0.08 to −0.01`, `−7.5 to +1.0 points`."""
    return f"{difference(metric, low).removesuffix(_POINTS)} to {difference(metric, high)}"


def better(metric: str, change: str) -> bool | None:
    """Whether a change is one for the better; None where it is no change, or where more is neither good nor bad."""
    if change not in (Change.ROSE, Change.FELL) or metric in (Diagnosis.VERBOSE, Diagnosis.REPHRASED):
        return None
    return (change == Change.ROSE) != (metric in BAD)


def name_with_date(run: Run) -> str:
    """`June release (12 Jun 2026)`."""
    return f"{run.name} ({day(run.created_at)})"


def changes_said(
    changes: pl.DataFrame,
    runs: Sequence[Run],
    metric: str,
    measurement_changes: Mapping[int, MeasurementChange],
    baseline: str | None,
) -> list[str]:
    """What the rows of `history.history` come to: the newest change first, or that there is none.

    Then the other changes, the changes of measurement, and for each pipeline how far it is from the baseline.
    """
    by_id = {run.run_id: run for run in runs}
    moved = changes.filter(pl.col(STEP).is_in([Change.ROSE.value, Change.FELL.value])).sort(PLACE, descending=True)
    sentences = [_describe_step(row, by_id, metric) for row in typed_rows(moved.head(MOST_SAID), HistoryRow)]
    if moved.height > MOST_SAID:
        sentences.append(f"{plural(moved.height - MOST_SAID, 'earlier change')} beyond noise in the table below.")
    sentences = sentences or [_word_no_change(changes, metric)]
    for place in sorted(measurement_changes, reverse=True)[:MOST_SAID]:
        between, change = " and ".join(map(name_with_date, runs[place - 1 : place + 1])), measurement_changes[place]
        consequence = "This step is not attributed to a pipeline; the Flywheel page splits it."
        if not change.touches(metric):
            consequence = f"{followed_label(metric)} does not depend on it."
        sentences.append(f"The measurement changed between {between}: {change}. {consequence}")
    if baseline in by_id:
        last = changes.filter(pl.col(SINCE).is_not_null()).unique(PIPELINE, keep="last", maintain_order=True)
        sentences += [
            _describe_drift(row, by_id, metric, by_id[baseline]) for row in typed_rows(last.head(MOST_SAID), HistoryRow)
        ]
    return sentences


def _describe_step(row: HistoryRow, runs: Mapping[str, Run], metric: str) -> str:
    step, before = step_of(row), row[BEFORE]
    between = f"between {name_with_date(runs[before or ''])} and {name_with_date(runs[row[RUN]])}"
    size, ends = _word_amount(metric, step.difference), bounds(metric, step.low, step.high)
    return (
        f"{followed_label(metric)} of {row[PIPELINE]} {step.change} by {size} ({ends}) {between}: "
        f"beyond noise, on {plural(step.paired or 0, 'question')} in both runs."
    )


def _word_no_change(changes: pl.DataFrame, metric: str) -> str:
    label = followed_label(metric)
    tested = changes.filter(pl.col(STEP).is_in(_TESTED))
    if tested.is_empty():
        return (
            f"{label}: nothing to compare yet. A comparison needs two runs with shared questions and the same "
            "golden dataset version, thresholds and engine."
        )
    names = join(tested[PIPELINE].unique(maintain_order=True).to_list())
    few = tested.filter(pl.col(STEP) == Change.TOO_FEW.value).height
    says = f"{label} of {names}: no change beyond noise in {plural(tested.height, 'step')}."
    if few == tested.height:
        return f"{says} All had too few questions to show one." if few > 1 else f"{says} It had too few questions."
    return f"{says} {count(few)} of them had too few questions to show one." if few else says


def _describe_drift(row: HistoryRow, runs: Mapping[str, Run], metric: str, baseline: Run) -> str:
    whose, drift = f"{followed_label(metric)} of {row[PIPELINE]}", drift_of(row)
    if drift.change == Change.UNPAIRED:
        return f"{whose}: {name_with_date(runs[row[RUN]])} shares no scored question with {baseline.name}."
    ends = bounds(metric, drift.low, drift.high)
    where = f"since {baseline.name}, on {plural(drift.paired or 0, 'question')}"
    if drift.change in (Change.ROSE, Change.FELL):
        return f"{whose} {drift.change} by {_word_amount(metric, drift.difference)} ({ends}) {where}: beyond noise."
    says = f"{whose} differs by {difference(metric, drift.difference)} ({ends}) {where}"
    if drift.change == Change.MEASUREMENT:
        why = "the measurement changed in between, so the difference is not attributed to the pipeline"
        return f"{says}; {why}."
    return f"{says}: {drift.change}."


def _word_amount(metric: str, value: float | None) -> str:
    if value is None:
        return MISSING
    size = abs(value)
    if metric not in _SCORES:
        return f"{100 * size:.1f}{_POINTS}"
    return f"{size:.3f}" if 0 < size < _FINER else f"{size:.2f}"
