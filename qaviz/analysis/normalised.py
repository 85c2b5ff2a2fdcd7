"""What the restated question and citations cost each pipeline: normalised scores beside FMEval's own."""

from collections.abc import Iterator

import polars as pl

from qaviz.analysis.numbers import count, score
from qaviz.model.columns import F1, PIPELINE, PRECISION
from qaviz.scoring.normalised import NORMALISED, normalised_scores

SCORED_TWICE = (PRECISION, F1)
"""The scores that restating the question lowers: recall stays."""
RESPONSES, GAIN = "responses", "gain"


def with_normalised(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a run with the columns of NORMALISED."""
    return rows.hstack(normalised_scores(rows))


def normalised_gain(rows: pl.DataFrame) -> pl.DataFrame:
    """Return PIPELINE, RESPONSES, the means of SCORED_TWICE, their normalised means, and GAIN in F1.

    One row a pipeline, of `with_normalised` rows that have a golden answer.
    """
    scored = rows.filter(pl.col(F1).is_not_null())
    means = [pl.mean(name, NORMALISED[name]) for name in SCORED_TWICE]
    table = scored.group_by(PIPELINE, maintain_order=True).agg(pl.len().alias(RESPONSES), *means)
    return table.with_columns((pl.col(NORMALISED[F1]) - pl.col(F1)).alias(GAIN))


def gain_sentences(gains: pl.DataFrame) -> Iterator[str]:
    """Yield a sentence for each pipeline of `normalised_gain`."""
    for row in gains.iter_rows(named=True):
        yield (
            f"{row[PIPELINE]}: F1 {score(row[F1])}, and {score(row[NORMALISED[F1]])} without the restated question and "
            f"citations (gain {score(row[GAIN])}, {count(row[RESPONSES])} responses)"
        )
