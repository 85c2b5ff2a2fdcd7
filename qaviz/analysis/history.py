"""A metric over runs: what each pipeline came to in each, and which steps are more than noise.

`runs` are of one line of golden dataset versions, oldest first, and `outcomes` has for each what `outcomes_of` keeps of
its rows. Everything is one number a question (repeats are averaged) and paired by question, so that a step is measured
on the questions that both runs have. A step over a changed measurement is measured but never tested: what of it the
pipeline did, scores alone cannot say.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final, TypedDict

import numpy as np
import polars as pl

from qaviz import stats
from qaviz.analysis import outcomes as o
from qaviz.analysis.comparison import FIRST, SECOND, Basis, ComparedRow, format_signed, is_share, metric_label
from qaviz.analysis.estimates import Share, compare, estimate_right
from qaviz.analysis.numbers import MISSING, day, join, out_of, plural
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Diagnosis, Verdict
from qaviz.model.records import Run
from qaviz.stats import Compared
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
Measurements = Mapping[int, Sequence[str]]
"""Where the measurement is not that of the run before: the later run's place, and what differs, a text each."""
MOST_SAID = 5
"""Changes that are said in words; the table has all."""


class Movement(StrEnum):
    """What is known of a pipeline's difference from the run before."""

    ROSE = "rose"
    FELL = "fell"
    NONE = "no change beyond noise"
    TOO_FEW = "too few questions"
    OPEN = "open responses decide"
    MEASUREMENT = "measurement changed"
    UNPAIRED = "no question in common"


_CHANGES = dict.fromkeys((Compared.LEVEL, Compared.NO_CLEAR_DIFFERENCE), Movement.NONE)
_CHANGES |= {Compared.BETTER: Movement.ROSE, Compared.WORSE: Movement.FELL}
_CHANGES |= {Compared.TOO_FEW_QUESTIONS: Movement.TOO_FEW, Compared.OPEN: Movement.OPEN}


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
    """A `Movement`; None for the first run."""
    paired: int | None
    """Questions that both runs have."""
    difference: float | None
    step_low: float | None
    """With `step_high`: the 95 % interval of the difference."""
    step_high: float | None


def find_measurement_changes(runs: Sequence[Run], versions: Mapping[str, int]) -> Measurements:
    """The changes of measurement between these runs; `versions` is what `number_versions` returns."""
    changes = {place: compare_measurements(*pair, versions) for place, pair in enumerate(pairwise(runs), 1)}
    return {place: change for place, change in changes.items() if change}


def compare_measurements(before: Run, after: Run, versions: Mapping[str, int]) -> list[str]:
    """How the measurement differs from one run to a later one: `golden version 2 → 3`; none where it does not."""
    parts = {
        "golden version": (versions[before.golden_id], versions[after.golden_id]),
        "engine": (before.scorer, after.scorer),
        "judge": (before.judge or "none", after.judge or "none"),
    }
    moved = [f"{name} {old} → {new}" for name, (old, new) in parts.items() if old != new]
    return moved + ["thresholds"] * (before.thresholds != after.thresholds)


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


def outcomes_of(rows: pl.DataFrame, questions: pl.Series, labels: pl.DataFrame = o.NO_LABELS) -> pl.DataFrame:
    """What history keeps of a run's rows (READ): some 30 bytes a response, what is missing too, every repeat under its
    pipeline's name. `questions` and `labels` are as `outcomes.tabulate` takes them."""
    scores = [c.FACTUAL_KNOWLEDGE, c.RECALL, c.PRECISION, o.PREDICTED, *({c.CONFIDENCE} & {*rows.columns})]
    return o.tabulate(rows.select(name for name in READ if name in rows.columns), questions, labels).select(
        pl.col(c.QUESTION_ID, c.PIPELINE, c.LABEL).cast(pl.Categorical),
        pl.col(scores).cast(pl.Float32),
        pl.col(o.RIGHT, o.POSSIBLE, o.ANSWERED, o.LABELLED).cast(pl.Boolean),
        pl.col(c.DIAGNOSIS).cast(pl.Enum([diagnosis.value for diagnosis in Diagnosis])),
        o.TEXT,
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
) -> pl.DataFrame:
    """A row a pipeline and run in which it answered, in that order: what the metric of FOLLOWED came to, and its steps.

    Columns of HistoryRow. A step is beyond noise if McNemar's exact test, for scores other than 0 and 1 the permutation
    test, says so at the level that `spend_level` leaves it: where nothing changes, one series in twenty at most ever
    has a step marked, however many runs are still to come.
    """
    # Of a whole run: one share has one interval, on the card and here.
    shares = list[Mapping[str, Share]]()
    for outcome in outcomes if metric == c.VERDICT else ():
        names = outcome[c.PIPELINE].cast(pl.String).unique(maintain_order=True).to_list()
        shares.append(estimate_right(o.score_questions(outcome, names, ()), outcome))
    rows = [
        row for pipeline in pipelines for row in _follow_pipeline(runs, outcomes, versions, metric, pipeline, shares)
    ]
    return pl.DataFrame(rows, schema=HistoryRow.__annotations__, orient="row")


def spend_level(step: int) -> float:
    """The level at which the step of this number, from 1 on, is tested: all of an endless series spend ALPHA.

    Alpha spending without end, by 1 / (k (k + 1)): D. P. Foster and R. A. Stine, Alpha-investing, Journal of the Royal
    Statistical Society B 70 (2008), pages 429-444, without its rewards.
    """
    return stats.ALPHA / (step * (step + 1))


def _follow_pipeline(
    runs: Sequence[Run],
    outcomes: Sequence[pl.DataFrame],
    versions: Mapping[str, int],
    metric: str,
    pipeline: str,
    shares: Sequence[Mapping[str, Share]],
) -> list[tuple[object, ...]]:
    own = [outcome.filter(pl.col(c.PIPELINE) == pipeline) for outcome in outcomes]
    answered = [place for place, part in enumerate(own) if part.height]
    if not answered:
        return []
    of_class = {metric: (pl.col(c.DIAGNOSIS) == metric).cast(pl.Float64)} if metric in set(Diagnosis) else {}
    by_run = pl.concat(own[at].with_columns(pl.lit(runs[at].run_id).alias(c.PIPELINE), **of_class) for at in answered)
    scores = o.score_questions(by_run, [runs[place].run_id for place in answered], (metric,))
    columns = {place: scores.of(metric, runs[place].run_id) for place in answered}
    samples = {place: column[~np.isnan(column)] for place, column in columns.items()}
    scored = [place for place in answered if len(samples[place])]
    steps = _measure_steps(by_run, [(runs[late], runs[early]) for early, late in pairwise(scored)], versions, metric)
    rows = list[tuple[object, ...]]()
    for place in answered:
        run_id, sample = runs[place].run_id, samples[place]
        estimate: tuple[float | None, ...] = (None,) * 3
        if len(sample):  # right answers as decisions have them
            own_mean = float(sample.mean()), *stats.interval_of(sample)
            estimate = shares[place][pipeline][:3] if metric == c.VERDICT else own_mean
        rows.append((pipeline, run_id, place, len(sample), *estimate, *steps.get(run_id, (None,) * 6)))
    return rows


def _measure_steps(
    by_run: pl.DataFrame, pairs: Sequence[tuple[Run, Run]], versions: Mapping[str, int], metric: str
) -> dict[str, tuple[object, ...]]:
    """Fields of HistoryRow from `before` on, by each pair's later run; only pairs of one measurement are tested."""
    steps = dict[str, tuple[object, ...]]()
    levels = {after.run_id: spend_level(step) for step, (after, _) in enumerate(pairs, start=1)}
    moved = {after.run_id for after, before in pairs if compare_measurements(before, after, versions)}
    for changed in (False, True):
        wanted = [(after.run_id, before.run_id) for after, before in pairs if (after.run_id in moved) is changed]
        for row in c.typed_rows(compare(by_run, wanted, (metric,)), ComparedRow):
            after, before = row[FIRST], row[SECOND]
            if row["basis"] == Basis.SAME and not changed:
                steps[after] = (before, Movement.NONE.value, row["paired"], 0.0, 0.0, 0.0)
                continue
            spent = None if row["p"] is None else min(1.0, row["p"] * stats.ALPHA / levels[after])
            word = stats.name_comparison(row["difference"], spent, row["detectable"], is_open=row["open"])
            change = Movement.MEASUREMENT if changed else _CHANGES[word]
            change = change if row["paired"] else Movement.UNPAIRED
            steps[after] = (before, change.value, row["paired"], row["difference"], row["low"], row["high"])
    return steps


_MOVED = (Movement.ROSE, Movement.FELL)


def followed_label(metric: str) -> str:
    """What people see of a metric of `history.FOLLOWED`: `Closeness`, `Hallucination rate`."""
    return f"{metric.capitalize()} rate" if metric in set(Diagnosis) else metric_label(metric)


def difference(metric: str, value: float | None) -> str:
    """A difference with its sign: `−0.04` for scores, `+4.2 points` of a hundred for shares; `–` for none."""
    return MISSING if value is None else format_signed(metric, value) + _unit(metric)


def bounds(metric: str, low: float | None, high: float | None) -> str:
    """The ends of a difference's interval: `−0.08 to −0.01`, `−7.5 to +1.0 points`."""
    if low is None or high is None:
        return MISSING
    return f"{format_signed(metric, low)} to {format_signed(metric, high)}{_unit(metric)}"


def _unit(metric: str) -> str:
    return " points" if is_share(metric) else ""


def better(metric: str, change: str) -> bool | None:
    """Whether a change is one for the better; None where it is no change, or where more is neither good nor bad."""
    if change not in _MOVED or metric in (Diagnosis.VERBOSE, Diagnosis.REPHRASED):
        return None
    less_is_better = metric in set(Diagnosis) and VERDICT_OF[Diagnosis(metric)] is not Verdict.CORRECT
    return (change == Movement.ROSE) != less_is_better


def word_steps(changes: pl.DataFrame, runs: Sequence[Run], metric: str) -> list[str]:
    """What the rows of `history.history` come to: the newest changes first, or that there is none."""
    by_id = {run.run_id: run for run in runs}
    label, sentences = followed_label(metric), list[str]()
    moved = changes.filter(pl.col(STEP).is_in([change.value for change in _MOVED])).sort(PLACE, descending=True)
    for row in c.typed_rows(moved.head(MOST_SAID), HistoryRow):
        ends = (by_id[row[BEFORE] or ""], by_id[row[RUN]])
        between = " and ".join(f"{run.name} ({day(run.created_at)})" for run in ends)
        size = difference(metric, row["difference"]).lstrip("+−")
        sentences.append(
            f"{label} of {row[c.PIPELINE]} {row[STEP]} by {size} "
            f"({bounds(metric, row['step_low'], row['step_high'])}) between {between}: "
            f"beyond noise, on {plural(row['paired'] or 0, 'question')} in both runs."
        )
    if sentences:
        return sentences
    unmoved = changes.filter(pl.col(STEP).is_in([Movement.NONE.value, Movement.TOO_FEW.value]))
    if unmoved.is_empty():
        return [
            f"{label}: nothing to compare yet. A comparison needs two runs with shared questions and the same "
            "golden dataset version, thresholds and engine."
        ]
    names = join(unmoved[c.PIPELINE].unique(maintain_order=True).to_list())
    says = f"{label} of {names}: no change beyond noise in {plural(unmoved.height, 'step')}."
    few = unmoved.filter(pl.col(STEP) == Movement.TOO_FEW.value).height
    return [f"{says} {out_of(few, unmoved.height)} had too few questions to show one." if few else says]
