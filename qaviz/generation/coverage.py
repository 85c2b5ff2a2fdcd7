"""How accepted triplets spread over the documents, and where there are none."""

from dataclasses import dataclass

import polars as pl

from qaviz.generation.gate.checking import ACCEPTED


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Where triplets come from, and what they are like."""

    by_heading: pl.DataFrame
    """One row a document and heading: `document`, `heading`, `chunks`, `triplets`."""
    without: pl.DataFrame
    """Chunks without an accepted triplet: `document`, `heading`, `number`, `text` (its beginning)."""
    by_kind: pl.DataFrame
    """One row a kind of question: `kind`, `triplets`, and the mean number of words of `question` and `answer`."""


def coverage(produced: pl.DataFrame, chunks: pl.DataFrame) -> Coverage:
    """How PRODUCED triplets that are accepted spread over CHUNKS."""
    accepted = produced.filter(pl.col("status") == ACCEPTED)
    counted = accepted.group_by("chunk").agg(pl.len().cast(pl.Int64).alias("triplets"))
    joined = chunks.join(counted, on="chunk", how="left", maintain_order="left").with_columns(
        pl.col("triplets").fill_null(0)
    )
    words = [pl.col(name).str.count_matches(r"\S+").mean().round(1) for name in ("question", "answer")]
    return Coverage(
        by_heading=joined.group_by("document", "heading", maintain_order=True).agg(
            pl.len().alias("chunks"), pl.sum("triplets")
        ),
        without=joined.filter(pl.col("triplets") == 0).select(
            "document", "heading", "number", pl.col("text").str.slice(0, 120)
        ),
        by_kind=accepted.group_by("kind", maintain_order=True).agg(pl.len().alias("triplets"), *words),
    )
