"""Factual Knowledge by column: whether a response states the fact, and where.

Where: the usual hits in bulk, the others one by one by `hits.find_fact`.
"""

import polars as pl

from qaviz.model.columns import (
    AND_DELIMITER,
    FACT,
    FACT_END,
    FACT_INSIDE_TOKEN,
    FACT_START,
    FACT_VARIANT,
    FACTUAL_KNOWLEDGE,
    FACTUAL_KNOWLEDGE_QUASI_EXACT,
    OR_DELIMITER,
    RESPONSE,
)
from qaviz.scoring import forms
from qaviz.scoring.forms import TRIPLET, UNIT
from qaviz.scoring.hits import find_fact

EXACT_HIT = "exact_hit"
"""Whether the hit is one of the texts in lower case, not only of the normalised ones."""

_SCHEMA = pl.Schema(
    {
        UNIT: pl.UInt32(),
        FACT_VARIANT: pl.String(),
        FACT_START: pl.Int64(),
        FACT_END: pl.Int64(),
        FACT_INSIDE_TOKEN: pl.Boolean(),
        EXACT_HIT: pl.Boolean(),
    }
)
_LENGTHENED = "İ"
"""The one character whose lower case is two, so that offsets in lower case are not those of the text."""
_CASED = r"[\p{Lu}\p{Ll}\p{Lt}]"


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


def place_facts(looked: pl.DataFrame) -> pl.DataFrame:
    """Return unit, HIT_COLUMNS and `exact_hit` of the units that state their fact: what `hits.find_fact` finds.

    Takes what `look_for` returned. Nearly all hits are the first exact one of a variant and stand alone.
    """
    usual = _usual(looked.lazy()).collect()
    others = looked.lazy().filter(pl.col("exact") | pl.col("quasi_exact")).join(usual.lazy(), on=UNIT, how="anti")
    units = others.unique(UNIT, maintain_order=True).select(UNIT, FACT, RESPONSE).collect()
    return pl.concat([usual, _one_by_one(units)])


def _usual(looked: pl.LazyFrame) -> pl.LazyFrame:
    """Return the units of which the first `<OR>` variant that hits exactly does so, at its first place, on its own."""
    hits = looked.filter(
        "exact",
        ~pl.col("needs_all"),
        pl.col("variant") != "",
        ~pl.col(RESPONSE).str.contains(_LENGTHENED, literal=True),
    ).unique(UNIT, keep="first", maintain_order=True)
    start = pl.col("before").str.len_chars().cast(pl.Int64)
    return (
        _split_around_hit(hits)
        .filter(~_inside_token())
        .select(
            UNIT,
            pl.col("variant").alias(FACT_VARIANT),
            start.alias(FACT_START),
            (start + pl.col("variant_lower").str.len_chars()).alias(FACT_END),
            pl.lit(False).alias(FACT_INSIDE_TOKEN),
            pl.lit(True).alias(EXACT_HIT),
        )
    )


def _split_around_hit(hits: pl.LazyFrame) -> pl.LazyFrame:
    """Add what stands before and after the first place of the variant, in lower case."""
    parted = pl.col("lower").str.splitn(pl.col("variant_lower"), 2)
    return hits.with_columns(parted.struct.rename_fields(["before", "after"]).alias("parted")).unnest("parted")


def _inside_token() -> pl.Expr:
    """Whether a word or number goes on across either end of the variant."""
    before, variant, after = pl.col("before"), pl.col("variant_lower"), pl.col("after")
    return _continues(before.str.tail(2), variant.str.head(2) + after.str.head(1)) | _continues(
        before.str.tail(1) + variant.str.tail(2), after.str.head(2)
    )


def _continues(before: pl.Expr, after: pl.Expr) -> pl.Expr:
    """As `hits.continues`, from the characters on either side."""
    return (
        (before.str.contains(r"\d$") & after.str.contains(r"^(?:\d|[.,]\d)"))
        | (before.str.contains(r"\d[.,]$") & after.str.contains(r"^\d"))
        | (before.str.contains(f"{_CASED}$") & after.str.contains(f"^{_CASED}"))
    )


def _one_by_one(units: pl.DataFrame) -> pl.DataFrame:
    found = ((unit, find_fact(fact, response)) for unit, fact, response in units.iter_rows())
    rows = [(unit, hit.variant, hit.start, hit.end, hit.inside_token, hit.exact) for unit, hit in found if hit]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")
