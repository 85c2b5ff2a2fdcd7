"""Evidence for a table of scored responses: what each response says of its fact, before any threshold is applied."""

import polars as pl

from qaviz.diagnosis.columns import EVIDENCE_SCHEMA
from qaviz.diagnosis.languages.detection import may_be_foreign
from qaviz.diagnosis.model import add_probabilities
from qaviz.diagnosis.workers import weigh_table
from qaviz.model.columns import (
    ANSWER,
    FACT,
    FACT_END,
    FACT_INSIDE_TOKEN,
    FACT_START,
    FACT_VARIANT,
    QUESTION,
    RESPONSE,
)
from qaviz.model.records import Progress

_TEXTS = (QUESTION, ANSWER, FACT, RESPONSE)
_HIT = (FACT_VARIANT, FACT_START, FACT_END, FACT_INSIDE_TOKEN)
FOREIGN = "foreign"


def extract_evidence(scored: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the table with the leading evidence (LEADING_SCHEMA) and what the model makes of all of it
    (PROBABILITY_SCHEMA). Row order is kept."""
    return add_probabilities(read_evidence(scored, progress))


def read_evidence(scored: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the table with the columns of `EVIDENCE_SCHEMA`. Row order is kept; equal rows are read once."""
    key = [*_TEXTS, *_HIT, FOREIGN]
    rows = scored.select(
        pl.col(*_TEXTS).fill_null(""),
        FACT_VARIANT,
        pl.col(FACT_START, FACT_END).fill_null(0),
        pl.col(FACT_INSIDE_TOKEN).fill_null(False),
        may_be_foreign(QUESTION, RESPONSE).alias(FOREIGN),
    )
    # By question, so that each question and its golden texts are read once.
    unique = rows.unique().sort(QUESTION)
    read = unique.hstack(weigh_table(unique, progress))
    evidence = rows.join(read, on=key, how="left", nulls_equal=True, maintain_order="left")
    # One chunk: polars' own format(), with which reasons speak, panics on frames whose first chunk is empty (2.1.0).
    return scored.drop(EVIDENCE_SCHEMA.names(), strict=False).hstack(evidence.select(EVIDENCE_SCHEMA.names()).rechunk())
