"""What a rule says of every row, and the expressions that rules are written in."""

from dataclasses import dataclass

import polars as pl

from qaviz.diagnosis.columns import STANCE
from qaviz.diagnosis.evidence import Stance
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER

QUOTED = 120
"""Characters of a text that a reason quotes."""
CERTAIN = pl.lit(1.0)
UNKNOWN = pl.lit(None, pl.Float64)


@dataclass(frozen=True)
class Ruling:
    """What one rule says of every row, as expressions over the table."""

    when: pl.Expr
    """Whether the rule applies. Null counts as no."""
    reason: pl.Expr
    """Why, in words that quote the evidence."""
    margin: pl.Expr = CERTAIN
    """0 to 1: how far the evidence is from tipping over; null where nothing measures it. Confidence is computed from
    it, see `qaviz.diagnosis.calibration`."""


def says(stance: Stance) -> pl.Expr:
    """Whether that is what the leading evidence says."""
    return pl.col(STANCE) == stance.value


def blank(column: str) -> pl.Expr:
    """Whether a text is missing, or nothing but blanks and delimiters."""
    return pl.col(column).fill_null("").str.contains(rf"^(?:\s|{OR_DELIMITER}|{AND_DELIMITER})*$")


def quote_text(column: str) -> pl.Expr:
    """The text in quotation marks, shortened, its variants joined by words."""
    text = pl.col(column).fill_null("").str.replace_all(OR_DELIMITER, " or ").str.replace_all(AND_DELIMITER, " and ")
    shortened = pl.when(text.str.len_chars() > QUOTED).then(text.str.head(QUOTED - 1) + "…").otherwise(text)
    return pl.format("“{}”", shortened)


def percent(column: str) -> pl.Expr:
    """A share as `12%`."""
    return pl.format("{}%", (pl.col(column) * 100).round(0).cast(pl.Int64))
