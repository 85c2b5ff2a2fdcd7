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
from typing import Any

import numpy as np
import polars as pl

from qaviz import stats
from qaviz.analysis.comparison import SEED, QuestionScores, compare_metric, question_scores
from qaviz.analysis.consistency import whole
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import (
    CATEGORY,
    DIAGNOSIS,
    FACTUAL_KNOWLEDGE,
    PIPELINE,
    PRECISION,
    QUESTION_ID,
    RECALL,
    REPEAT_OF,
    TAGS,
    VERDICT,
)
from qaviz.model.records import Run
from qaviz.store import GoldenVersion
from qaviz.store.golden_versions import FIELD, NUMBER

FOLLOWED = (VERDICT, FACTUAL_KNOWLEDGE, RECALL, PRECISION, *(each.value for each in Diagnosis))
"""What can be followed over runs: scores, whether the diagnosis is right, and the share of each diagnosis."""

READ = (QUESTION_ID, PIPELINE, REPEAT_OF, FACTUAL_KNOWLEDGE, RECALL, PRECISION, VERDICT, DIAGNOSIS)
"""The columns of a run's rows that history is made of."""

RUN, PLACE, BEFORE = "run_id", "place", "before"
STEP, SINCE = "step", "since"


class Change(StrEnum):
    """What is known of a pipeline's difference from an earlier run."""

    ROSE = "rose"
    FELL = "fell"
    NONE = "no change beyond noise"
    TOO_FEW = "too few questions"
    MEASUREMENT = "measurement changed"
    UNPAIRED = "no question in common"


_CHANGES = {
    stats.Decision.BETTER: Change.ROSE,
    stats.Decision.WORSE: Change.FELL,
    stats.Decision.NO_CLEAR_DIFFERENCE: Change.NONE,
    stats.Decision.TOO_FEW_QUESTIONS: Change.TOO_FEW,
}

_MEASURED = ("paired", "difference", "low", "high")

SCHEMA: dict[str, type[pl.DataType]] = {
    PIPELINE: pl.String,
    RUN: pl.String,
    PLACE: pl.Int64,
    "n": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    BEFORE: pl.String,
    **{
        f"{kind}{each}": dtype
        for kind in (STEP, SINCE)
        for each, dtype in {"": pl.String, "_paired": pl.Int64, "_difference": pl.Float64}.items()
    },
    **{f"{kind}_{end}": pl.Float64 for kind in (STEP, SINCE) for end in ("low", "high")},
}


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
        judged = metric not in (FACTUAL_KNOWLEDGE, RECALL, PRECISION)
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
    changed = set(edits.filter(~pl.col(FIELD).is_in([CATEGORY, TAGS]))[NUMBER])
    numbers: dict[str, int] = {}
    number = 1
    for each in line:
        number = each.number if each.number in changed else number
        number = numbers.setdefault(each.golden_id, number)
    return numbers


def find_measurement_changes(runs: Sequence[Run], versions: Mapping[str, int]) -> dict[int, MeasurementChange]:
    """Where the measurement is not that of the run before: the later run's place, and what differs."""
    found = {place: compare_measurements(*pair, versions) for place, pair in enumerate(pairwise(runs), 1)}
    return {place: change for place, change in found.items() if change}


def outcomes_of(rows: pl.DataFrame) -> pl.DataFrame:
    """What history keeps of a run's rows: READ in some 30 bytes a response, every repeat under its pipeline's name."""
    words = {VERDICT: Verdict, DIAGNOSIS: Diagnosis}
    return whole(rows.select(READ)).select(
        pl.col(QUESTION_ID, PIPELINE).cast(pl.Categorical),
        pl.col(FACTUAL_KNOWLEDGE, RECALL, PRECISION).cast(pl.Float32),
        *(pl.col(name).cast(pl.Enum([each.value for each in kinds])) for name, kinds in words.items()),
    )


def pipelines_of(outcomes: Sequence[pl.DataFrame]) -> list[str]:
    """The pipelines of these runs, those of the newest run first."""
    names = [name for each in reversed(outcomes) for name in each[PIPELINE].unique(maintain_order=True)]
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
    seed: int = SEED,
) -> pl.DataFrame:
    """A row a pipeline and run in which it answered, in that order: what the metric of FOLLOWED came to, and its steps.

    PIPELINE; RUN, its id; PLACE, the run's among `runs`; n, questions scored; mean, low, high (95 %, over questions);
    BEFORE, the run that the step is from. Then STEP, a word of Change, with the paired questions, the difference and
    its 95 % interval (`_paired`, `_difference`, `_low`, `_high`); and SINCE, the same from the run `baseline` on, null
    for runs up to it. Null where nothing is scored. `questions` are the ids to look at, all if None.

    A step is beyond noise if McNemar's exact test, for scores other than 0 and 1 the permutation test, says so after
    Holm's correction over the pipeline's steps (`comparison.compare`): where nothing changes, one series in twenty at
    most has any step marked. SINCE is tested in the same way, as a series of its own.
    """
    found = [
        row
        for pipeline in pipelines
        for row in _Series(_scores(runs, outcomes, metric, pipeline, questions), runs, versions, metric, seed).rows(
            pipeline, baseline
        )
    ]
    return pl.DataFrame(found, schema=SCHEMA)


def _scores(
    runs: Sequence[Run],
    outcomes: Sequence[pl.DataFrame],
    metric: str,
    pipeline: str,
    questions: Collection[str] | None,
) -> QuestionScores:
    """The pipeline's scores by question, a column a run in which it answered."""
    value = (pl.col(DIAGNOSIS) == metric).cast(pl.Float64).alias(metric) if metric in set(Diagnosis) else pl.col(metric)
    wanted = pl.col(PIPELINE) == pipeline
    if questions is not None:
        wanted &= pl.col(QUESTION_ID).cast(pl.String).is_in(list(questions))
    parts = {
        run.run_id: each.lazy().filter(wanted).select(QUESTION_ID, value, pl.lit(run.run_id).alias(PIPELINE))
        for run, each in zip(runs, outcomes, strict=True)
    }
    answered = [part for part in pl.collect_all(parts.values()) if part.height]
    if not answered:
        return QuestionScores(
            question_ids=pl.Series([], dtype=pl.String), pipelines=(), values={metric: np.empty((0, 0))}
        )
    return question_scores(pl.concat(answered), [part[PIPELINE][0] for part in answered], (metric,))


@dataclass(frozen=True)
class _Series:
    """One pipeline over runs, by one metric."""

    scores: QuestionScores
    runs: Sequence[Run]
    versions: Mapping[str, int]
    metric: str
    seed: int

    def rows(self, pipeline: str, baseline: str | None) -> Iterator[dict[str, Any]]:
        """Rows of SCHEMA."""
        points = {run_id: self._point(run_id) for run_id in self.scores.pipelines}
        scored = [run_id for run_id, point in points.items() if point["n"]]
        steps = {
            after: (before, each)
            for (after, before), each in self._changes([(after, before) for before, after in pairwise(scored)])
        }
        later = scored[scored.index(baseline) + 1 :] if baseline in scored else []
        since = {after: each for (after, _), each in self._changes([(each, baseline or "") for each in later])}
        places = {run.run_id: place for place, run in enumerate(self.runs)}
        for run_id, point in points.items():
            before, step = steps.get(run_id, (None, {}))
            yield {
                PIPELINE: pipeline,
                RUN: run_id,
                PLACE: places[run_id],
                **point,
                BEFORE: before,
                **_prefix_columns(STEP, step),
                **_prefix_columns(SINCE, since.get(run_id, {})),
            }

    def _point(self, run_id: str) -> dict[str, Any]:
        column = self.scores.of(self.metric, run_id)
        sample = column[~np.isnan(column)]
        if not len(sample):
            return {"n": 0}
        low, high = stats.interval_of(sample)
        return {"n": len(sample), "mean": float(sample.mean()), "low": low, "high": high}

    def _changes(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
        """For each pair of a later and an earlier run what changed; only pairs with one measurement are tested."""
        by_id = {run.run_id: run for run in self.runs}
        moved = {
            pair: compare_measurements(by_id[pair[1]], by_id[pair[0]], self.versions).touches(self.metric)
            for pair in pairs
        }
        for changed in (False, True):
            wanted = [pair for pair in pairs if moved[pair] == changed]
            measured = compare_metric(self.scores, self.metric, wanted, seed=self.seed)
            for pair, row in zip(wanted, measured.iter_rows(named=True), strict=True):
                yield pair, {"": _change(row, moved=changed).value, **{each: row[each] for each in _MEASURED}}


def _change(row: Mapping[str, Any], *, moved: bool) -> Change:
    if not row["paired"]:
        return Change.UNPAIRED
    return Change.MEASUREMENT if moved else _CHANGES[stats.decide(row["difference"], row["p_holm"], row["detectable"])]


def _prefix_columns(kind: str, change: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{kind}_{name}" if name else kind: value for name, value in change.items()}
