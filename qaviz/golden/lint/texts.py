"""Texts in findings: quoted and shortened, several of them as a list."""

import polars as pl

from qaviz.model.columns import AND_DELIMITER, FACT, OR_DELIMITER

QUOTED = 80
"""Characters of a text that a finding quotes at most."""
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
DATED = (
    rf"(?i)\b(?:{_MONTH})[a-z]*\.? \d|\d(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})|\d{{4}}-\d{{2}}-\d{{2}}"
    r"|\d{1,2}[/.]\d{1,2}[/.]\d{4}|tháng \d"
)
"""A text that holds a date, for polars."""
LISTED = 4
"""Texts that a finding lists at most."""


def quote_text(column: str | pl.Expr) -> pl.Expr:
    """The text in quotation marks, on one line, shortened to QUOTED characters."""
    text = pl.col(column) if isinstance(column, str) else column
    line = text.str.replace_all(r"[\r\n\t]+", " ")
    return pl.format("“{}”", pl.when(line.str.len_chars() > QUOTED).then(line.str.head(QUOTED) + "…").otherwise(line))


def list_texts(texts: pl.Expr) -> pl.Expr:
    """A group's texts, quoted: the first LISTED, and how many more there are."""
    more = pl.when(texts.len() > LISTED).then(pl.format(" and {} more", texts.len() - LISTED)).otherwise(pl.lit(""))
    return quote_text(texts).head(LISTED).str.join(", ") + more


def delimiter() -> pl.Expr:
    """What joins the variants of `fact`: `<AND>` in a fact that holds it, `<OR>` in any other."""
    needs_all = pl.col(FACT).str.contains(AND_DELIMITER, literal=True)
    return pl.when(needs_all).then(pl.lit(AND_DELIMITER)).otherwise(pl.lit(OR_DELIMITER))
