"""Evidence for a table of scored responses: what each response says of its fact, before any threshold is applied."""

import polars as pl

from qaviz.diagnosis.columns import EVIDENCE_SCHEMA
from qaviz.diagnosis.languages.detection import may_be_foreign
from qaviz.diagnosis.model import add_probabilities
from qaviz.diagnosis.rules import add_traits
from qaviz.diagnosis.workers import weigh_table
from qaviz.model import columns as c
from qaviz.model.records import Progress

_TEXTS = (c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE)
_HIT = (c.FACT_VARIANT, c.FACT_START, c.FACT_END, c.FACT_INSIDE_TOKEN)
FOREIGN = "foreign"


def extract_evidence(scored: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the table with the leading evidence (LEADING_SCHEMA) and what the model makes of all of it
    (PROBABILITY_SCHEMA), and TRAITS of the texts. Row order is kept."""
    return add_traits(add_probabilities(read_evidence(scored, progress)), anew=True)


def read_evidence(scored: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the table with the columns of `EVIDENCE_SCHEMA`. Row order is kept; equal rows are read once."""
    key = [*_TEXTS, *_HIT, FOREIGN]
    rows = scored.select(
        pl.col(*_TEXTS).fill_null(""),
        c.FACT_VARIANT,
        pl.col(c.FACT_START, c.FACT_END).fill_null(0),
        pl.col(c.FACT_INSIDE_TOKEN).fill_null(False),
        may_be_foreign(c.QUESTION, c.RESPONSE).alias(FOREIGN),
    )
    # By question, so that each question and its golden texts are read once.
    unique = rows.unique().sort(c.QUESTION)
    read = unique.hstack(weigh_table(unique, progress))
    evidence = rows.join(read, on=key, how="left", nulls_equal=True, maintain_order="left")
    # One chunk: polars' own format(), with which reasons speak, panics on frames whose first chunk is empty (2.1.0).
    return scored.drop(EVIDENCE_SCHEMA.names(), strict=False).hstack(evidence.select(EVIDENCE_SCHEMA.names()).rechunk())
