"""What is not scored, by name: the questions that a pipeline lacks, and why."""

from collections.abc import Sequence

import polars as pl

from qaviz.analysis.comparison import outcome
from qaviz.analysis.tables import NO_RESPONSE
from qaviz.model.columns import (
    ANSWER,
    FACT,
    FACT_SCORES,
    PIPELINE,
    QUESTION_ID,
    REASON,
    UNSCORED_ANSWER,
    UNSCORED_FACT,
    VERDICT,
)

WHY = "why"
_SCORED = "scored"


def select_scorable(golden: pl.DataFrame, metric: str) -> pl.DataFrame:
    """The triplets of the golden dataset that this metric can score: those with a fact, or with an answer, or all."""
    if metric == VERDICT:
        return golden
    needed = FACT if metric in FACT_SCORES else ANSWER
    return golden.filter(pl.col(needed).fill_null("").str.strip_chars() != "")


def lacking(rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], metric: str) -> pl.DataFrame:
    """The expected questions without this score: QUESTION_ID, PIPELINE and WHY, in the order of both.

    A pipeline lacks a question that it did not answer, and one whose response is not scored. None of them counts as
    passed anywhere.
    """
    why = REASON if metric == VERDICT else UNSCORED_FACT if metric in FACT_SCORES else UNSCORED_ANSWER
    scored = rows.select(QUESTION_ID, PIPELINE, outcome(metric).is_not_null().alias(_SCORED))
    of_these = pl.col(PIPELINE).is_in(list(pipelines))
    columns = pl.DataFrame({PIPELINE: list(pipelines)}, schema={PIPELINE: pl.String})
    wanted = select_scorable(golden, metric).select(QUESTION_ID).join(columns, how="cross", maintain_order="left_right")
    known = scored.filter(of_these, _SCORED)
    absent = wanted.join(known, on=[QUESTION_ID, PIPELINE], how="anti", maintain_order="left")
    unscored = rows.select(QUESTION_ID, PIPELINE, pl.col(why).alias(WHY)).filter(scored[_SCORED].not_(), of_these)
    said = unscored.unique([QUESTION_ID, PIPELINE], keep="first")
    found = absent.join(said, on=[QUESTION_ID, PIPELINE], how="left", maintain_order="left")
    return found.with_columns(pl.col(WHY).fill_null(NO_RESPONSE))
