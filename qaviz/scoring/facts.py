"""Factual Knowledge by column."""

import polars as pl

from qaviz.model import AND_DELIMITER, FACT, FACTUAL_KNOWLEDGE, FACTUAL_KNOWLEDGE_QUASI_EXACT, OR_DELIMITER
from qaviz.scoring import forms
from qaviz.scoring.units import TRIPLET, UNIT


def split_facts(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of facts, blanks kept: triplet, fact, needs_all, variant_number (from 1), variant_count.

    Takes triplet and fact; null facts are left out.
    """
    needs_all = pl.col(FACT).str.contains(AND_DELIMITER, literal=True)
    by_or, by_and = (pl.col(FACT).str.split(mark) for mark in (OR_DELIMITER, AND_DELIMITER))
    split = golden.drop_nulls(FACT).select(
        TRIPLET, pl.when(needs_all).then(by_and).otherwise(by_or), needs_all=needs_all
    )
    count = pl.col(FACT).list.len()
    numbered = split.with_columns(variant_number=pl.int_ranges(1, count + 1), variant_count=count)
    return numbered.explode(FACT, "variant_number")


def fact_variants(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of each fact, ready to look for in responses.

    Takes triplet and fact (null where unscored). Returns what `split_facts` does, fact being called variant, and
    variant_lower and variant_normal (without the blanks around it).
    """
    variants = split_facts(golden).rename({FACT: "variant"})
    lowered = forms.lower(variants["variant"])
    return variants.with_columns(variant_lower=lowered, variant_normal=forms.normal(lowered).str.strip_chars(" "))


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
