"""Where responses state the fact, by column: the usual hits in bulk, the others by `hits.find_fact`."""

import polars as pl

from qaviz.model import FACT, FACT_END, FACT_INSIDE_TOKEN, FACT_START, FACT_VARIANT, RESPONSE
from qaviz.scoring.hits import find_fact
from qaviz.scoring.units import UNIT

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


def place_facts(looked: pl.DataFrame) -> pl.DataFrame:
    """Return unit, HIT_COLUMNS and `exact_hit` of the units that state their fact: what `hits.find_fact` finds.

    Takes what `facts.look_for` returned. Nearly all hits are the first exact one of a variant and stand alone.
    """
    usual = _usual(looked)
    hit = pl.col("exact") | pl.col("quasi_exact")
    others = (
        looked.filter(hit).unique(UNIT, maintain_order=True).join(usual, on=UNIT, how="anti", maintain_order="left")
    )
    return pl.concat([usual, _one_by_one(others.select(UNIT, FACT, RESPONSE))])


def _usual(looked: pl.DataFrame) -> pl.DataFrame:
    """Return the units of which the first `<OR>` variant that hits exactly does so, at its first place, on its own."""
    hits = looked.filter(
        "exact",
        ~pl.col("needs_all"),
        pl.col("variant") != "",
        ~pl.col(RESPONSE).str.contains(_LENGTHENED, literal=True),
    ).unique(UNIT, keep="first", maintain_order=True)
    start = pl.col("before").str.len_chars().cast(pl.Int64)
    return (
        _parted(hits)
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


def _parted(hits: pl.DataFrame) -> pl.DataFrame:
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
