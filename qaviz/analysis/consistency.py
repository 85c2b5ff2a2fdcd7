"""Repeats of one pipeline: how far it says the same each time, and which questions it is of two minds about.

A repeat answers the questions that the others answer: it is no new question. Every figure here is one number a
question, and every interval is over questions. `rows` is one row a response as `Workspace.rows` returns it.
"""

from typing import TypeAlias

import polars as pl

from qaviz import stats
from qaviz.analysis.outcomes import whole
from qaviz.model.classes import Verdict
from qaviz.model.columns import FACTUAL_KNOWLEDGE, PIPELINE, QUESTION_ID, RECALL, REPEAT_OF, VERDICT

REPEATS = "repeats"
SAME, IN_ALL, IN_SOME, IN_NONE, SPREAD = "same", "in_all", "in_some", "in_none", "spread"

READ = (QUESTION_ID, PIPELINE, REPEAT_OF, VERDICT, FACTUAL_KNOWLEDGE, RECALL)
"""The columns of a run's rows that agreement is measured on."""

_JUDGED = [verdict.value for verdict in Verdict if verdict != Verdict.UNSURE]


def find_repeated(rows: pl.DataFrame) -> pl.DataFrame:
    """The pipelines that the rows hold several repeats of, in their order: PIPELINE, and REPEATS, how many."""
    if REPEAT_OF not in rows.columns:
        return pl.DataFrame(schema={PIPELINE: pl.String, REPEATS: pl.Int64})
    names = rows.select(pl.coalesce(REPEAT_OF, PIPELINE).alias("whole"), PIPELINE).unique(maintain_order=True)
    counted = names.group_by("whole", maintain_order=True).agg(pl.len().cast(pl.Int64).alias(REPEATS))
    return counted.filter(pl.col(REPEATS) > 1).rename({"whole": PIPELINE})


def consistency(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a pipeline with several repeats: how far they agree, over the questions that every repeat has a score of.

    PIPELINE; REPEATS; SAME, the share of questions with one verdict in all repeats; IN_ALL, IN_SOME and IN_NONE, the
    shares of questions whose fact is stated every time, sometimes, never; SPREAD, the mean over questions of the
    highest closeness less the lowest. Each with `_n`, over how many questions, and `_low` and `_high`, the ends of its
    95 % interval (`stats.interval_of`). Null where no question counts.

    With k repeats, IN_ALL is the share of questions that go well k times in a row, which τ-bench calls pass^k (S. Yao
    et al., 2024), and IN_ALL + IN_SOME the share that goes well at least once in k, pass@k (M. Chen et al., Evaluating
    large language models trained on code, 2021).
    """
    by_question = _count_by_question(rows)
    rows_of_pipelines = [
        {PIPELINE: name, REPEATS: repeats, **_measure_agreement(by_question.filter(pl.col(PIPELINE) == name), repeats)}
        for name, repeats in find_repeated(rows).iter_rows()
    ]
    return pl.DataFrame(rows_of_pipelines, schema=_SCHEMA)


_FIGURES = (SAME, IN_ALL, IN_SOME, IN_NONE, SPREAD)
_SCHEMA: dict[str, type[pl.DataType]] = {
    PIPELINE: pl.String,
    REPEATS: pl.Int64,
    **{f"{figure}{end}": pl.Float64 for figure in _FIGURES for end in ("", "_low", "_high")},
    **{f"{figure}_n": pl.Int64 for figure in _FIGURES},
}


_Figures: TypeAlias = dict[str, float | int]
"""Columns of _SCHEMA and their values; what is not known is left out."""


def _count_by_question(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a repeated pipeline and question: how often each verdict, how many facts, how wide its closeness."""
    return (
        whole(rows)
        .join(find_repeated(rows).select(PIPELINE), on=PIPELINE, how="semi")
        .group_by(PIPELINE, QUESTION_ID, maintain_order=True)
        .agg(
            *((pl.col(VERDICT) == verdict).sum().cast(pl.Int64).alias(verdict) for verdict in _JUDGED),
            pl.col(FACTUAL_KNOWLEDGE).sum().alias("stated"),
            pl.col(FACTUAL_KNOWLEDGE).count().cast(pl.Int64).alias("facts"),
            (pl.col(RECALL).max() - pl.col(RECALL).min()).alias(SPREAD),
            pl.col(RECALL).count().cast(pl.Int64).alias("scored"),
        )
    )


def _measure_agreement(questions: pl.DataFrame, repeats: int) -> _Figures:
    judged = questions.filter(pl.sum_horizontal(_JUDGED) == repeats)
    facts = questions.filter(pl.col("facts") == repeats)
    scored = questions.filter(pl.col("scored") == repeats)
    stated = pl.col("stated") / repeats
    return (
        _measure_mean(SAME, judged.select(pl.max_horizontal(_JUDGED) == repeats))
        | _measure_mean(IN_ALL, facts.select(stated == 1))
        | _measure_mean(IN_SOME, facts.select(stated.is_between(0, 1, closed="none")))
        | _measure_mean(IN_NONE, facts.select(stated == 0))
        | _measure_mean(SPREAD, scored.select(SPREAD))
    )


def _measure_mean(name: str, values: pl.DataFrame) -> _Figures:
    """The mean of one column of a value a question, with its interval, under names that begin with `name`."""
    sample = values.to_series().cast(pl.Float64).to_numpy()
    if not len(sample):
        return {f"{name}_n": 0}
    low, high = stats.interval_of(sample)
    return {name: float(sample.mean()), f"{name}_n": len(sample), f"{name}_low": low, f"{name}_high": high}


def flaky(rows: pl.DataFrame) -> pl.DataFrame:
    """The questions on which repeats of a pipeline have different verdicts, those nearest to half and half first.

    QUESTION_ID, PIPELINE; `correct`, `incorrect`, `declined`, how many repeats have the verdict; SPREAD of closeness,
    null where it is scored in none.
    """
    mixed = _count_by_question(rows).filter(pl.sum_horizontal(pl.col(verdict) > 0 for verdict in _JUDGED) > 1)
    most = pl.max_horizontal(_JUDGED) / pl.sum_horizontal(_JUDGED)
    return mixed.sort(most, maintain_order=True).select(QUESTION_ID, PIPELINE, *_JUDGED, SPREAD)
