"""Texts in findings: quoted, shortened, and facts put together again."""

import polars as pl

from qaviz.model import AND_DELIMITER, FACT, OR_DELIMITER

QUOTED = 80
"""Characters of a text that a finding quotes at most."""


def quoted(column: str | pl.Expr) -> pl.Expr:
    """The text in quotation marks, on one line, shortened to QUOTED characters."""
    text = pl.col(column) if isinstance(column, str) else column
    line = text.str.replace_all(r"[\r\n\t]+", " ")
    return pl.format("“{}”", pl.when(line.str.len_chars() > QUOTED).then(line.str.head(QUOTED) + "…").otherwise(line))


def delimiter() -> pl.Expr:
    """What joins the variants of `fact`: `<AND>` in a fact that holds it, `<OR>` in any other."""
    needs_all = pl.col(FACT).str.contains(AND_DELIMITER, literal=True)
    return pl.when(needs_all).then(pl.lit(AND_DELIMITER)).otherwise(pl.lit(OR_DELIMITER))
