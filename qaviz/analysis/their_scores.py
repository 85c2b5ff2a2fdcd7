"""Scores of other tools that came with a run's files, beside qaviz's verdicts. Nothing here is a score of qaviz's."""

from collections.abc import Iterator

import polars as pl

from qaviz.analysis.numbers import MISSING, count
from qaviz.model.classes import Verdict
from qaviz.model.columns import DIAGNOSIS, PIPELINE, QUESTION_ID, THEIR_SCORES, VERDICT

SCORE = "score"
VALUE = "value"
WHY_NOT = "why_not"
"""Why there is no value; null where there is one."""

COMPARED = (QUESTION_ID, PIPELINE, DIAGNOSIS, VERDICT, THEIR_SCORES)
"""Columns of diagnosed rows that are looked at."""

SCORED, MISSED, MEAN = "scored", "missed", "mean"
_SCHEMA = {
    **dict.fromkeys((QUESTION_ID, PIPELINE, DIAGNOSIS, VERDICT, SCORE), pl.String),
    VALUE: pl.Float64,
    WHY_NOT: pl.String,
}


def their_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a score of diagnosed rows: question_id, pipeline, diagnosis, verdict, score (its name), value, why_not.

    Empty where no file brought any, as in runs of earlier releases.
    """
    if THEIR_SCORES not in rows.columns:
        return pl.DataFrame(schema=_SCHEMA)
    each = rows.select(COMPARED).explode(THEIR_SCORES)
    field = pl.col(THEIR_SCORES).struct.field
    return each.drop_nulls(THEIR_SCORES).select(
        *(QUESTION_ID, PIPELINE, DIAGNOSIS, VERDICT),
        field("name").alias(SCORE),
        field("value").alias(VALUE),
        field("error").alias(WHY_NOT),
    )


def compare_scores(scores: pl.DataFrame) -> pl.DataFrame:
    """One row a score's name and pipeline of `their_scores`: how many are scored and missed, their mean, and the mean
    and number of those whose response has each of qaviz's verdicts (`correct`, `correct_scored`, and so on).

    A mean is null where there is nothing to count.
    """
    of_verdict = [
        part
        for verdict in Verdict
        for part in (
            pl.col(VALUE).filter(pl.col(VERDICT) == verdict).mean().alias(verdict),
            pl.col(VALUE).filter(pl.col(VERDICT) == verdict).count().alias(f"{verdict}_{SCORED}"),
        )
    ]
    whole = (
        pl.col(VALUE).count().alias(SCORED),
        pl.col(VALUE).null_count().alias(MISSED),
        pl.col(VALUE).mean().alias(MEAN),
    )
    return scores.group_by(SCORE, PIPELINE, maintain_order=True).agg(*whole, *of_verdict)


def describe_scores(rows: pl.DataFrame) -> Iterator[str]:
    """A sentence for each row of `compare_scores`."""
    for row in rows.iter_rows(named=True):
        missed = f", {count(row[MISSED])} missing" if row[MISSED] else ""
        parts = [
            f"{figure(row[verdict])} over {count(row[f'{verdict}_{SCORED}'])} with verdict {verdict}"
            for verdict in Verdict
            if row[f"{verdict}_{SCORED}"]
        ]
        said = f'{row[SCORE]}, pipeline "{row[PIPELINE]}": mean {figure(row[MEAN])} over {count(row[SCORED])}{missed}; '
        yield said + ", ".join(parts)


def figure(value: float | None) -> str:
    """A score of any scale in at most four figures: `0.75`, `1`, `4.5`."""
    return MISSING if value is None else f"{value:.4g}"
