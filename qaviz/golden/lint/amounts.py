"""Variants that are a plain amount, read by columns: what most facts with a number are, thousands of times as fast."""

import polars as pl

from qaviz.golden.lint.subject import VARIANT

VALUE = "value"
"""The amount as a plain number: 134.4 billion is 134,400,000,000. Null where the variant is no plain amount."""
HALF = "half"
"""Half of its last digit, in the same unit."""
UNIT = "unit"
"""The currency sign or `%` that is written; empty where none is."""
STYLE = "style"
"""How it is written: by the name of its scale, with separators, as plain digits, in percent."""

_PLAIN = (
    r"^\s*(?P<sign>[$€£¥₹₫])?(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<decimals>\d+))?"
    r"\s?(?P<scale>thousand|million|billion|trillion|[kmbt]|[mbt]n|%|percent|per cent)?\s*$"
)
_LETTERS = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12, "tn": 1e12}
"""A scale only behind an amount of money: `5 m` is five metres."""
_SCALE_OF = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, **_LETTERS}
_PERCENT = ("%", "percent", "per cent")


def with_amounts(variants: pl.DataFrame) -> pl.DataFrame:
    """Return the variants with VALUE, HALF, UNIT and STYLE."""
    plain = pl.col(VARIANT).str.to_lowercase().str.extract_groups(_PLAIN)
    read = variants.with_columns(plain.alias("plain"))
    part = pl.col("plain").struct
    scale = part.field("scale").fill_null("")
    worth = scale.replace_strict(_SCALE_OF, default=1.0, return_dtype=pl.Float64)
    decimals = part.field("decimals").fill_null("")
    number = pl.concat_str(part.field("whole").str.replace_all(",", ""), pl.lit("."), decimals, pl.lit("0"))
    cents = part.field("sign").is_not_null() & (decimals == "00")
    digits = pl.when(cents).then(0).otherwise(decimals.str.len_chars().cast(pl.Int32))
    percent = scale.is_in(_PERCENT)
    metres = scale.is_in([*_LETTERS]) & part.field("sign").is_null()
    return read.with_columns(
        pl.when(~metres).then(number.cast(pl.Float64, strict=False) * worth).alias(VALUE),
        (0.5 * worth * (10.0 ** (-digits.cast(pl.Float64)))).alias(HALF),
        pl.when(percent).then(pl.lit("%")).otherwise(part.field("sign").fill_null("")).alias(UNIT),
        pl.when(scale != "")
        .then(scale)
        .when(part.field("whole").str.contains(",", literal=True))
        .then(pl.lit("separated"))
        .otherwise(pl.lit("digits"))
        .alias(STYLE),
    ).drop("plain")
