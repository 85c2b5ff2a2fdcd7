"""Repeats: several passes of one pipeline over the questions, kept apart.

A repeat is a column of the run, like a pipeline: it has its own scores, diagnoses and labels. Which pipeline it repeats
stays beside it, for what is said of the pipeline as a whole.
"""

import polars as pl

from qaviz.loading import load_log
from qaviz.model.columns import PIPELINE, QUESTION_ID, REPEAT, REPEAT_OF


def separate_repeats(responses: pl.DataFrame) -> pl.DataFrame:
    """The responses, PIPELINE of those with a REPEAT as `RAG · repeat 2`, and in REPEAT_OF the pipeline they repeat.

    REPEAT is stripped, and null where blank.
    """
    name = pl.col(REPEAT).str.strip_chars()
    named = responses.with_columns(pl.when(name != "").then(name).alias(REPEAT))
    repeated = pl.col(REPEAT).is_not_null()
    return named.with_columns(
        pl.when(repeated).then(pl.col(PIPELINE)).alias(REPEAT_OF),
        pl.when(repeated).then(pl.col(PIPELINE) + " · repeat " + pl.col(REPEAT)).otherwise(PIPELINE).alias(PIPELINE),
    )


def repeat_entries(responses: pl.DataFrame, where: str) -> pl.DataFrame:
    """An entry for each repeat of a pipeline in the file that is called `where`."""
    repeats = responses.filter(pl.col(REPEAT_OF).is_not_null()).unique(PIPELINE, maintain_order=True)
    said = {
        load_log.KIND: pl.lit(load_log.REPEATED),
        load_log.WHERE: pl.lit(where),
        QUESTION_ID: pl.lit(None, pl.String),
        PIPELINE: pl.col(PIPELINE),
        load_log.DETAIL: pl.lit("a column of its own, beside the other repeats of ") + pl.col(REPEAT_OF),
    }
    return repeats.select(**said)
