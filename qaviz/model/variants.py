"""How many variants a golden text may hold."""

import polars as pl

from qaviz.model.columns import AND_DELIMITER, ANSWER, FACT, OR_DELIMITER

VARIANT_LIMIT = 1_000
"""Most variants of one fact or answer. Each is looked for in each response to the question."""

DELIMITERS = {FACT: (OR_DELIMITER, AND_DELIMITER), ANSWER: (OR_DELIMITER,)}
"""What joins the variants of a fact, and of an answer."""


def variant_count(field: str, column: str = "") -> pl.Expr:
    """How many variants stand in each text of `field`, `fact` or `answer`; 1 where there is no text.

    The texts stand in the column of that name, or in `column`.
    """
    texts = pl.col(column or field)
    marks = [texts.str.count_matches(mark, literal=True).fill_null(0) for mark in DELIMITERS[field]]
    return pl.max_horizontal(marks) + 1
