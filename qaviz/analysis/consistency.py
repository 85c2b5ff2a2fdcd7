"""Repeats of one pipeline: how far it says the same each time, and which questions it is of two minds about.

A repeat answers the questions that the others answer: it is no new question. Every figure here is one number a
question, and every interval is over questions. `rows` is one row a response as `Workspace.rows` returns it.
"""

import polars as pl

from qaviz import stats
from qaviz.analysis.outcomes import whole
from qaviz.model.classes import Verdict
from qaviz.model.columns import FACTUAL_KNOWLEDGE, PIPELINE, QUESTION_ID, REPEAT_OF, VERDICT

REPEATS = "repeats"
SAME, IN_ALL = "same", "in_all"

READ = (QUESTION_ID, PIPELINE, REPEAT_OF, VERDICT, FACTUAL_KNOWLEDGE)
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

    PIPELINE; REPEATS; SAME, the share of questions with one verdict in all repeats; IN_ALL, the share whose fact is
    stated every time. Each with `_n`, over how many questions, and `_low` and `_high`, the ends of its 95 % interval
    (`stats.interval_of`). Null where no question counts.

    With k repeats, IN_ALL is the share of questions that go well k times in a row, which τ-bench calls pass^k (S. Yao
    et al., 2024).
    """
    repeated = find_repeated(rows)
    by_question = (
        whole(rows)
        .join(repeated.select(PIPELINE), on=PIPELINE, how="semi")
        .group_by(PIPELINE, QUESTION_ID, maintain_order=True)
        .agg(
            *((pl.col(VERDICT) == verdict).sum().cast(pl.Int64).alias(verdict) for verdict in _JUDGED),
            pl.col(FACTUAL_KNOWLEDGE).sum().alias("stated"),
            pl.col(FACTUAL_KNOWLEDGE).count().cast(pl.Int64).alias("facts"),
        )
    )
    agreements = list[dict[str, object]]()
    for name, repeats in repeated.iter_rows():
        questions = by_question.filter(pl.col(PIPELINE) == name)
        judged = questions.filter(pl.sum_horizontal(_JUDGED) == repeats).select(pl.max_horizontal(_JUDGED) == repeats)
        stated = questions.filter(pl.col("facts") == repeats).select(pl.col("stated") == repeats)
        agreement: dict[str, object] = {PIPELINE: name, REPEATS: repeats}
        for figure, values in ((SAME, judged), (IN_ALL, stated)):
            sample = values.to_series().cast(pl.Float64).to_numpy()
            agreement[f"{figure}_n"] = len(sample)
            if len(sample):
                low, high = stats.interval_of(sample)
                agreement |= {figure: float(sample.mean()), f"{figure}_low": low, f"{figure}_high": high}
        agreements.append(agreement)
    return pl.DataFrame(agreements, schema=_SCHEMA)


_SCHEMA: dict[str, type[pl.DataType]] = {
    PIPELINE: pl.String,
    REPEATS: pl.Int64,
    **{f"{figure}{end}": pl.Float64 for figure in (SAME, IN_ALL) for end in ("", "_low", "_high")},
    **{f"{figure}_n": pl.Int64 for figure in (SAME, IN_ALL)},
}
