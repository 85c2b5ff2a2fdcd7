"""A watch over a deployed pipeline: whether the newest of its runs over a fixed anchor set fell beyond noise."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from qaviz.analysis.gate import Check, Gate, Result, Subject
from qaviz.analysis.history import BEFORE, RUN, SINCE, STEP, Change, history, outcomes_of, pipelines_of
from qaviz.analysis.history_words import bounds, difference
from qaviz.analysis.numbers import out_of, plural
from qaviz.model.columns import PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.records import Run

LATEST = 30
"""Runs that are looked at beside the first: a change has to stand out among so many steps."""
ANCHORS = 60
"""Questions of an anchor set, where nothing else is said."""
_RESULTS = {Change.FELL.value: Result.FAIL, Change.TOO_FEW.value: Result.UNKNOWN}


def draw_anchors(golden: pl.DataFrame, number: int, seed: int) -> pl.DataFrame:
    """So many triplets at random, by their ids: the same ones as long as the golden dataset is the same."""
    return golden.sample(min(number, golden.height), seed=seed).sort(QUESTION_ID)


def check_watch(runs: Sequence[Run], rows_of_runs: Sequence[pl.DataFrame]) -> Gate:
    """The newest run against the one before it and the first, by right answers; `runs` are oldest first, at least two.

    All have the same golden dataset. `rows_of_runs` hold `history.READ`. A drop counts where `history` says that it is
    beyond noise; a missing response counts each time.
    """
    outcomes = [outcomes_of(rows) for rows in rows_of_runs]
    newest, first = runs[-1], runs[0]
    pipelines = [each for each in pipelines_of(outcomes) if each in outcomes[-1][PIPELINE].cast(pl.String).unique()]
    versions = {run.golden_id: 1 for run in runs}
    found = history(runs, outcomes, versions, VERDICT, pipelines, baseline=first.run_id)
    names = {run.run_id: run.name for run in runs}
    rows = found.filter(pl.col(RUN) == newest.run_id).to_dicts()
    missing = [_missing_check(newest, rows_of_runs[-1], each) for each in newest.pipelines]
    return Gate(
        run=newest,
        baseline=first,
        checks=(*(check for row in rows for check in _drop_checks(row, names, first)), *missing),
        notes=(),
        compared=pl.DataFrame(),
        criteria=pl.DataFrame(),
    )


def _drop_checks(row: Mapping[str, Any], names: Mapping[str, str], first: Run) -> Iterator[Check]:
    for kind, since in ((STEP, row[BEFORE]), (SINCE, first.run_id)):
        if row[kind] is None or (kind == SINCE and since == row[BEFORE]):
            continue
        interval = (
            f" (95% interval {bounds(VERDICT, row[f'{kind}_low'], row[f'{kind}_high'])})" if _known(row, kind) else ""
        )
        moved = difference(VERDICT, row[f"{kind}_difference"])
        questions = plural(row[f"{kind}_paired"], "question")
        yield Check(
            subject=Subject.DROP,
            name=f"{row[PIPELINE]}, right answers since {'the run before' if kind == STEP else 'the first run'}",
            result=_RESULTS.get(row[kind], Result.PASS),
            sentence=f"{row[PIPELINE]}: {row[kind]} since {names[since]}: {moved}{interval} on {questions}.",
        )


def _known(row: Mapping[str, Any], kind: str) -> bool:
    return row[f"{kind}_low"] is not None and row[f"{kind}_high"] is not None


def _missing_check(run: Run, rows: pl.DataFrame, pipeline: str) -> Check:
    answered = rows.filter(pl.col(PIPELINE).cast(pl.String) == pipeline)[QUESTION_ID].n_unique()
    return Check(
        subject=Subject.MISSING,
        name=pipeline,
        result=Result.PASS if answered == run.questions else Result.FAIL,
        sentence=f"{pipeline}: a response to {out_of(answered, run.questions)} questions.",
    )
