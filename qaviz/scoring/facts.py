"""Factual Knowledge by column."""

import polars as pl

from qaviz.model import AND_DELIMITER, FACT, FACTUAL_KNOWLEDGE, FACTUAL_KNOWLEDGE_QUASI_EXACT, OR_DELIMITER
from qaviz.scoring import forms
from qaviz.scoring.units import TRIPLET, UNIT


def split_facts(golden: pl.DataFrame) -> pl.DataFrame:
    """Return triplet, fact (one row a variant, blanks kept) and needs_all; null facts are left out."""
    needs_all = pl.col(FACT).str.contains(AND_DELIMITER, literal=True)
    variants = (
        pl.when(needs_all).then(pl.col(FACT).str.split(AND_DELIMITER)).otherwise(pl.col(FACT).str.split(OR_DELIMITER))
    )
    return golden.drop_nulls(FACT).select(TRIPLET, variants, needs_all.alias("needs_all")).explode(FACT)


def fact_variants(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of each fact, ready to look for in responses.

    Takes triplet and fact (null where unscored). Returns triplet, needs_all, variant, variant_number (from 1),
    variant_count, variant_lower and variant_normal (without the blanks around it).
    """
    variants = split_facts(golden)
    lowered = forms.lower(variants[FACT])
    number = pl.int_range(1, pl.len() + 1).over(TRIPLET)
    return variants.select(
        TRIPLET,
        "needs_all",
        pl.col(FACT).alias("variant"),
        number.alias("variant_number"),
        pl.len().over(TRIPLET).alias("variant_count"),
        variant_lower=lowered,
        variant_normal=forms.normal(lowered).str.strip_chars(" "),
    )


def look_for(responses: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Return one row a unit and variant, with Booleans `exact` and `quasi_exact`: whether the response holds it.

    Takes responses (unit, triplet, lower, normal, ...) and what `fact_variants` returned.
    """
    return responses.join(variants, on=TRIPLET, maintain_order="left").with_columns(
        exact=forms.holds(pl.col("lower"), pl.col("variant_lower")),
        quasi_exact=forms.holds(pl.col("normal"), pl.col("variant_normal")),
    )


def fact_scores(looked: pl.DataFrame) -> pl.DataFrame:
    """Return unit and the two Factual Knowledge scores, from what `look_for` returned."""
    enough = (
        pl.when(pl.col("needs_all").first()).then(pl.col(column).all()).otherwise(pl.col(column).any()).cast(pl.Float64)
        for column in ("exact", "quasi_exact")
    )
    names = FACTUAL_KNOWLEDGE, FACTUAL_KNOWLEDGE_QUASI_EXACT
    return looked.group_by(UNIT, maintain_order=True).agg(
        score.alias(name) for score, name in zip(enough, names, strict=True)
    )
