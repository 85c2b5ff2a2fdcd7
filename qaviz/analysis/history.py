"""A metric over runs: what each pipeline came to in each, which steps are more than noise, and how far it has drifted.

`runs` are of one line of golden dataset versions, oldest first, and `outcomes` has for each what `outcomes_of` keeps of
its rows. Everything is one number a question (repeats are averaged) and paired by question, so that a step is measured
on the questions that both runs have. A step over a changed measurement is measured but never tested: what of it the
pipeline did, scores alone cannot say.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple, TypedDict, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.comparison import metric_label
from qaviz.analysis.estimates import Share, compare, compare_metric, estimate_right
from qaviz.analysis.numbers import MISSING, count, day, join, percent, plural, score
from qaviz.analysis.outcomes import (
    ANSWERED,
    LABELLED,
    NO_LABELS,
    POSSIBLE,
    PREDICTED,
    RIGHT,
    TEXT,
    QuestionScores,
    average_by_question,
    score_questions,
    tabulate,
)
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.records import Run
from qaviz.store.golden_versions import FIELD, NUMBER, GoldenVersion

FOLLOWED = (c.VERDICT, c.FACTUAL_KNOWLEDGE, c.RECALL, c.PRECISION, *(diagnosis.value for diagnosis in Diagnosis))
"""What can be followed over runs: scores, whether the diagnosis is right, and the share of each diagnosis."""

READ = (
    *(c.QUESTION_ID, c.ANSWERABLE, c.PIPELINE, c.REPEAT_OF, c.RESPONSE),
    *(c.FACTUAL_KNOWLEDGE, c.RECALL, c.PRECISION, c.VERDICT, c.DIAGNOSIS, c.CONFIDENCE),
)
"""The columns of a run's rows that history is made of."""

RUN: Final = "run_id"
PLACE: Final = "place"
BEFORE: Final = "before"
STEP: Final = "step"
SINCE: Final = "since"


class Change(StrEnum):
    """What is known of a pipeline's difference from an earlier run."""

    ROSE = "rose"
    FELL = "fell"
    NONE = "no change beyond noise"
    TOO_FEW = "too few questions"
    OPEN = "open responses decide"
    MEASUREMENT = "measurement changed"
    UNPAIRED = "no question in common"


_CHANGES = {
    stats.Decision.BETTER: Change.ROSE,
    stats.Decision.WORSE: Change.FELL,
    stats.Decision.LEVEL: Change.NONE,
    stats.Decision.NO_CLEAR_DIFFERENCE: Change.NONE,
    stats.Decision.TOO_FEW_QUESTIONS: Change.TOO_FEW,
    stats.Decision.OPEN: Change.OPEN,
}


class HistoryRow(TypedDict):
    """A row of `history`: one pipeline in one run. What is not known is None."""

    pipeline: str
    run_id: str
    place: int
    """The run's among `runs`."""
    n: int
    """Questions scored."""
    mean: float | None
    low: float | None
    """With `high`: the 95 % interval of the mean, over questions."""
    high: float | None
    before: str | None
    """The run before with a score, which `step` is the difference from."""
    step: str | None
    """A `Change`; None for the first run."""
    step_paired: int | None
    step_difference: float | None
    since: str | None
    """A `Change` from the baseline; None without one, and for runs before it."""
    since_paired: int | None
    since_difference: float | None
    step_low: float | None
    step_high: float | None
    since_low: float | None
    since_high: float | None


class Shift(NamedTuple):
    """A pipeline's difference from an earlier run, on the questions that both runs have."""

    change: str | None = None
    """A `Change`; None where there is no earlier run."""
    paired: int | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None


def shift_of(row: HistoryRow, since: Literal["step", "since"]) -> Shift:
    """The difference from the run before (STEP), or from the baseline (SINCE)."""
    fields = cast("Mapping[str, Any]", row)
    return Shift(*(fields[name] for name in _name_columns(since)))


def _name_columns(since: str) -> list[str]:
    return [since, *(f"{since}_{figure}" for figure in Shift._fields[1:])]


@dataclass(frozen=True, kw_only=True)
class MeasurementChange:
    """How the measurement differs between two runs."""

    golden: str = ""
    """`golden version 2 → 3`; empty where both have the same."""
    engine: str = ""
    judge: str = ""
    """`judge none → openai:NAME (its key)`; empty where both runs heard the same."""
    thresholds: bool = False

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __str__(self) -> str:
        return ", ".join(self.parts)

    @property
    def parts(self) -> list[str]:
        """What differs, a text each."""
        return [*filter(None, [self.golden, "thresholds" if self.thresholds else "", self.engine, self.judge])]

    def touches(self, metric: str) -> bool:
        """Whether it may move this metric: thresholds and judges move diagnoses and what is made of them, no score."""
        judged = metric not in (c.FACTUAL_KNOWLEDGE, c.RECALL, c.PRECISION)
        return bool(self.golden or self.engine) or (bool(self.thresholds or self.judge) and judged)


def compare_measurements(before: Run, after: Run, versions: Mapping[str, int]) -> MeasurementChange:
    """How the measurement differs from one run to a later one; `versions` is what `number_versions` returns."""
    golden = (versions[before.golden_id], versions[after.golden_id])
    return MeasurementChange(
        golden=f"golden version {golden[0]} → {golden[1]}" if golden[0] != golden[1] else "",
        engine=f"engine {before.scorer} → {after.scorer}" if before.scorer != after.scorer else "",
        judge=f"judge {before.judge or 'none'} → {after.judge or 'none'}" if before.judge != after.judge else "",
        thresholds=before.thresholds != after.thresholds,
    )


def number_versions(line: Sequence[GoldenVersion], edits: pl.DataFrame) -> dict[str, int]:
    """The numbers of a line's versions by content hash, as measurements: `edits` are those of `store.kept_edits`.

    A version that changes categories and tags alone measures what the one before does, and has its number. So has one
    that brings an earlier version's texts back.
    """
    changed = set(edits.filter(~pl.col(FIELD).is_in([c.CATEGORY, c.TAGS]))[NUMBER])
    numbers: dict[str, int] = {}
    number = 1
    for version in line:
        number = version.number if version.number in changed else number
        number = numbers.setdefault(version.golden_id, number)
    return numbers


def find_measurement_changes(runs: Sequence[Run], versions: Mapping[str, int]) -> dict[int, MeasurementChange]:
    """Where the measurement is not that of the run before: the later run's place, and what differs."""
    changes_by_run = {place: compare_measurements(*pair, versions) for place, pair in enumerate(pairwise(runs), 1)}
    return {place: change for place, change in changes_by_run.items() if change}


def outcomes_of(rows: pl.DataFrame, questions: pl.Series, labels: pl.DataFrame = NO_LABELS) -> pl.DataFrame:
    """What history keeps of a run's rows (READ): some 30 bytes a response, what is missing too, every repeat under its
    pipeline's name. `questions` and `labels` are as `outcomes.tabulate` takes them."""
    scores, flags = (c.FACTUAL_KNOWLEDGE, c.RECALL, c.PRECISION, PREDICTED), (RIGHT, POSSIBLE, ANSWERED, LABELLED)
    return tabulate(rows.select(name for name in READ if name in rows.columns), questions, labels).select(
        pl.col(c.QUESTION_ID, c.PIPELINE).cast(pl.Categorical),
        pl.col(scores).cast(pl.Float32),
        pl.col(flags).cast(pl.Boolean),
        pl.col(c.DIAGNOSIS).cast(pl.Enum([diagnosis.value for diagnosis in Diagnosis])),
        pl.col(c.LABEL).cast(pl.Categorical),
        TEXT,
        *(pl.col(name).cast(pl.Float32) for name in (c.CONFIDENCE,) if name in rows.columns),
    )


def pipelines_of(outcomes: Sequence[pl.DataFrame]) -> list[str]:
    """The pipelines of these runs, those of the newest run first."""
    names = [name for outcome in reversed(outcomes) for name in outcome[c.PIPELINE].unique(maintain_order=True)]
    return list(dict.fromkeys(names))


def history(
    runs: Sequence[Run],
    outcomes: Sequence[pl.DataFrame],
    versions: Mapping[str, int],
    metric: str,
    pipelines: Sequence[str],
    *,
    baseline: str | None = None,
    questions: Collection[str] | None = None,
) -> pl.DataFrame:
    """A row a pipeline and run in which it answered, in that order: what the metric of FOLLOWED came to, and its steps.

    Columns of HistoryRow; `baseline` is the id of the run that SINCE is measured from, `questions` are the ids to look
    at, all if None.

    A step is beyond noise if McNemar's exact test, for scores other than 0 and 1 the permutation test, says so at the
    level that `spend_level` leaves it: where nothing changes, one series in twenty at most ever has a step marked,
    however many runs are still to come. SINCE is tested in the same way, as a series of its own.
    """
    selected = [
        outcome if questions is None else outcome.filter(pl.col(c.QUESTION_ID).cast(pl.String).is_in(list(questions)))
        for outcome in outcomes
    ]
    # Of a whole run: one share has one interval, on the card and here.
    shares = [_estimate_run(outcome) if metric == c.VERDICT else {} for outcome in selected]
    by_run = {run.run_id: of_run for run, of_run in zip(runs, shares, strict=True)}
    steps = [
        row
        for pipeline in pipelines
        for row in _Series(*_scores(runs, selected, metric, pipeline), runs, versions, metric, by_run).rows(
            pipeline, baseline
        )
    ]
    return pl.DataFrame(steps, schema=HistoryRow.__annotations__)


def _estimate_run(outcomes: pl.DataFrame) -> dict[str, Share]:
    """The share of right answers of each pipeline of a run."""
    names = outcomes[c.PIPELINE].cast(pl.String).unique(maintain_order=True).to_list()
    return estimate_right(score_questions(outcomes, names, ()), outcomes)


def spend_level(step: int) -> float:
    """The level at which the step of this number, from 1 on, is tested: all of an endless series spend ALPHA.

    Alpha spending without end, by 1 / (k (k + 1)): D. P. Foster and R. A. Stine, Alpha-investing, Journal of the Royal
    Statistical Society B 70 (2008), pages 429-444, without its rewards.
    """
    return stats.ALPHA / (step * (step + 1))


def _scores(
    runs: Sequence[Run],
    outcomes: Sequence[pl.DataFrame],
    metric: str,
    pipeline: str,
) -> tuple[QuestionScores, pl.DataFrame]:
    """The pipeline's scores by question, a column a run in which it answered, and its outcomes."""
    of_class = {metric: (pl.col(c.DIAGNOSIS) == metric).cast(pl.Float64)} if metric in set(Diagnosis) else {}
    parts = [
        outcome.lazy()
        .filter(pl.col(c.PIPELINE) == pipeline)
        .with_columns(pl.lit(run.run_id).alias(c.PIPELINE), **of_class)
        for run, outcome in zip(runs, outcomes, strict=True)
    ]
    answered = [part for part in pl.collect_all(parts) if part.height]
    if not answered:
        nothing = QuestionScores(
            question_ids=pl.Series([], dtype=pl.String), pipelines=(), values={metric: np.empty((0, 0))}
        )
        return nothing, pl.DataFrame()
    together, names = pl.concat(answered), [part[c.PIPELINE][0] for part in answered]
    if metric != c.VERDICT:
        return average_by_question(together, names, (metric,)), together
    return score_questions(together, names, (c.VERDICT,)), together


@dataclass(frozen=True)
class _Series:
    """One pipeline over runs, by one metric."""

    scores: QuestionScores
    outcomes: pl.DataFrame
    runs: Sequence[Run]
    versions: Mapping[str, int]
    metric: str
    shares: Mapping[str, Mapping[str, Share]]
    """Of right answers, by run and pipeline."""

    def rows(self, pipeline: str, baseline: str | None) -> Iterator[dict[str, object]]:
        scored = [run_id for run_id in self.scores.pipelines if len(self._sample(run_id))]
        before = dict(zip(scored[1:], scored, strict=False))
        later = scored[scored.index(baseline) + 1 :] if baseline in scored else []
        steps, drifts = self._shifts(before), self._shifts(dict.fromkeys(later, baseline or ""))
        places = {run.run_id: place for place, run in enumerate(self.runs)}
        for run_id in self.scores.pipelines:
            sample = self._sample(run_id)
            mean, low, high = self._estimate(run_id, pipeline, sample)
            step, drift = steps.get(run_id, Shift()), drifts.get(run_id, Shift())
            yield {
                c.PIPELINE: pipeline,
                RUN: run_id,
                PLACE: places[run_id],
                "n": len(sample),
                "mean": mean,
                "low": low,
                "high": high,
                BEFORE: before.get(run_id),
            } | dict(zip(_name_columns(STEP) + _name_columns(SINCE), (*step, *drift), strict=True))

    def _sample(self, run_id: str) -> NDArray[np.float64]:
        column = self.scores.of(self.metric, run_id)
        return column[~np.isnan(column)]

    def _estimate(
        self, run_id: str, pipeline: str, sample: NDArray[np.float64]
    ) -> tuple[float, float, float] | tuple[None, None, None]:
        """The mean with its interval: of right answers as decisions have them."""
        if not len(sample):
            return None, None, None
        if self.metric == c.VERDICT:
            share = self.shares[run_id][pipeline]
            return share.value, share.low, share.high
        return float(sample.mean()), *stats.interval_of(sample)

    def _compare(self, pairs: Sequence[tuple[str, str]]) -> pl.DataFrame:
        if self.metric != c.VERDICT:
            return compare_metric(self.scores, self.metric, pairs)
        return compare(self.outcomes, pairs, (c.VERDICT,))

    def _shifts(self, earlier: Mapping[str, str]) -> dict[str, Shift]:
        """What changed in each run since an earlier one; only pairs with one measurement are tested."""
        by_id = {run.run_id: run for run in self.runs}
        moved = {
            after: compare_measurements(by_id[before], by_id[after], self.versions).touches(self.metric)
            for after, before in earlier.items()
        }
        levels = {after: spend_level(step) for step, after in enumerate(earlier, start=1)}
        shifts = dict[str, Shift]()
        for changed in (False, True):
            wanted = [pair for pair in earlier.items() if moved[pair[0]] == changed]
            measured = self._compare(wanted).select(_MEASURED)
            for (after, _), (p, detectable, opened, *figures) in zip(wanted, measured.iter_rows(), strict=True):
                spent = None if p is None else min(1.0, p * stats.ALPHA / levels[after])
                word = stats.decide(figures[1], spent, detectable, is_open=opened)
                change = Change.MEASUREMENT if changed else _CHANGES[word]
                shifts[after] = Shift((change if figures[0] else Change.UNPAIRED).value, *figures)
        return shifts


_MEASURED = ("p", "detectable", "open", "paired", "difference", "low", "high")


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

_SCORES = (c.RECALL, c.PRECISION)
_FINER = 0.01
"""Differences of scores below which two decimals would say nothing."""

_TESTED = (Change.ROSE.value, Change.FELL.value, Change.NONE.value, Change.TOO_FEW.value)


def followed_label(metric: str) -> str:
    """What people see of a metric of `history.FOLLOWED`: `Closeness`, `Hallucination rate`."""
    return (
        metric_label(metric) if metric in (c.FACTUAL_KNOWLEDGE, c.VERDICT, *_SCORES) else f"{metric.capitalize()} rate"
    )


def figure(metric: str, value: float | None) -> str:
    """A value of the metric: `0.71` for scores, `71%` for shares."""
    return score(value) if metric in _SCORES else percent(value)


def difference(metric: str, value: float | None) -> str:
    """A difference with its sign: `−0.04` for scores, `+4.2 points` of a hundred for shares; `–` for none."""
    return MISSING if value is None else _sign(metric, value) + _word_size(metric, value) + _unit(metric)


def bounds(metric: str, low: float | None, high: float | None) -> str:
    """The ends of a difference's interval: `−0.08 to −0.01`, `−7.5 to +1.0 points`."""
    if low is None or high is None:
        return MISSING
    ends = (_sign(metric, end) + _word_size(metric, end) for end in (low, high))
    return f"{' to '.join(ends)}{_unit(metric)}"


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
    sentences = [_describe_step(row, by_id, metric) for row in c.typed_rows(moved.head(MOST_SAID), HistoryRow)]
    if moved.height > MOST_SAID:
        sentences.append(f"{plural(moved.height - MOST_SAID, 'earlier change')} beyond noise in the table below.")
    sentences = sentences or [_word_no_change(changes, metric)]
    for place in sorted(measurement_changes, reverse=True)[:MOST_SAID]:
        between, change = " and ".join(map(name_with_date, runs[place - 1 : place + 1])), measurement_changes[place]
        consequence = "This step is not attributed to a pipeline; Compare splits it: pick the run before."
        if not change.touches(metric):
            consequence = f"{followed_label(metric)} does not depend on it."
        sentences.append(f"The measurement changed between {between}: {change}. {consequence}")
    if baseline in by_id:
        last = changes.filter(pl.col(SINCE).is_not_null()).unique(c.PIPELINE, keep="last", maintain_order=True)
        sentences += [
            _describe_drift(row, by_id, metric, by_id[baseline])
            for row in c.typed_rows(last.head(MOST_SAID), HistoryRow)
        ]
    return sentences


def _describe_step(row: HistoryRow, runs: Mapping[str, Run], metric: str) -> str:
    step, before = shift_of(row, STEP), row[BEFORE]
    between = f"between {name_with_date(runs[before or ''])} and {name_with_date(runs[row[RUN]])}"
    size, ends = _word_amount(metric, step.difference), bounds(metric, step.low, step.high)
    return (
        f"{followed_label(metric)} of {row[c.PIPELINE]} {step.change} by {size} ({ends}) {between}: "
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
    names = join(tested[c.PIPELINE].unique(maintain_order=True).to_list())
    few = tested.filter(pl.col(STEP) == Change.TOO_FEW.value).height
    says = f"{label} of {names}: no change beyond noise in {plural(tested.height, 'step')}."
    if few == tested.height:
        return f"{says} All had too few questions to show one." if few > 1 else f"{says} It had too few questions."
    return f"{says} {count(few)} of them had too few questions to show one." if few else says


def _describe_drift(row: HistoryRow, runs: Mapping[str, Run], metric: str, baseline: Run) -> str:
    whose, drift = f"{followed_label(metric)} of {row[c.PIPELINE]}", shift_of(row, SINCE)
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
    return MISSING if value is None else _word_size(metric, value) + _unit(metric)


def _word_size(metric: str, value: float) -> str:
    """Shares in points of a hundred, scores in hundredths, small ones in thousandths."""
    return f"{_round_size(metric, value):.{_digits(metric, value)}f}"


def _sign(metric: str, value: float) -> str:
    """What rounds to none has no direction."""
    return ("−" if value < 0 else "+") if _round_size(metric, value) else "±"


def _round_size(metric: str, value: float) -> float:
    size = abs(value) * (1 if metric in _SCORES else 100)
    return round(size, _digits(metric, value))


def _digits(metric: str, value: float) -> int:
    return 1 if metric not in _SCORES else 3 if 0 < abs(value) < _FINER else 2


def _unit(metric: str) -> str:
    return "" if metric in _SCORES else " points"
