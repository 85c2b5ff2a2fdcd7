"""Rules on what FMEval's string match makes of the letters of a fact."""

import polars as pl

from qaviz.curation.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.curation.subject import COUNT, NORMAL, NUMBER, Subject, rejoined
from qaviz.curation.texts import quoted
from qaviz.model import FACT, QUESTION_ID


def empty_variant(subject: Subject) -> pl.DataFrame:
    """A variant of the fact is empty, or nothing but punctuation and articles. FMEval finds it in every response, so
    every response scores 1."""
    empty = subject.variants.filter(pl.col(NORMAL) == "").unique(QUESTION_ID, keep="first", maintain_order=True)
    mended = rejoined(subject.variants.filter(pl.col(NORMAL) != "")).rename({FACT: PROPOSED})
    return empty.join(mended, on=QUESTION_ID, how="left", maintain_order="left").select(
        QUESTION_ID,
        pl.format("Variant {} of {} is empty: every response has it.", NUMBER, COUNT).alias(MESSAGE),
        quoted(FACT).alias(EVIDENCE),
        pl.lit("Remove the empty variant.").alias(SUGGESTION),
        pl.when(pl.col(PROPOSED).is_not_null()).then(pl.lit(FACT)).alias(FIELD),
        PROPOSED,
    )
