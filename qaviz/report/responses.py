"""Responses as lists: counted by class, put in order, and moved from class to class by other thresholds."""

from enum import StrEnum

import polars as pl

from qaviz.model import CONFIDENCE, DIAGNOSIS, FACT_START, FACT_VARIANT, PRECISION, QUESTION_ID, RECALL
from qaviz.report import numbers

MOVES_NAMED = 3
"""Moves from one diagnosis to another that the sentence about thresholds names."""


class ResponseOrder(StrEnum):
    """Orders of a list of responses."""

    FILES = "As in the files"
    QUESTION = "By question"
    UNCERTAIN = "Least certain first"
    CLOSENESS = "Least close first"
    CONCISENESS = "Least concise first"
    RANDOM = "In random order"


_SORTED_BY = {
    ResponseOrder.QUESTION: QUESTION_ID,
    ResponseOrder.UNCERTAIN: CONFIDENCE,
    ResponseOrder.CLOSENESS: RECALL,
    ResponseOrder.CONCISENESS: PRECISION,
}


BEFORE = "diagnosis_before"

SEED = 20230630
"""Of the random order, so that it is the same for every reader of the same list."""


def in_response_order(rows: pl.DataFrame, order: ResponseOrder) -> pl.DataFrame:
    """The rows in this order, those without a value last; where two are equal, as in the files."""
    if order == ResponseOrder.RANDOM:
        return rows.sample(fraction=1, shuffle=True, seed=SEED)
    column = _SORTED_BY.get(order)
    return rows.sort(column, nulls_last=True, maintain_order=True) if column else rows


def hits_in_words(rows: pl.DataFrame) -> pl.Series:
    """Where each response states the fact: `“134.4 billion” at character 12`; null where nothing of it was found.

    An empty variant hits every response and stands nowhere.
    """
    variant = pl.col(FACT_VARIANT).str.strip_chars()
    stands = pl.when(pl.col(FACT_VARIANT) != "").then(variant)
    return rows.select(pl.format("“{}” at character {}", stands, pl.col(FACT_START) + 1)).to_series()


def class_counts(rows: pl.DataFrame, column: str) -> dict[str, int]:
    """How many rows have each value of DIAGNOSIS, VERDICT or FAULT."""
    return dict(rows.group_by(column).len().iter_rows())


def moves(before: pl.Series, after: pl.Series) -> pl.DataFrame:
    """Responses whose diagnosis differs: columns before, after, responses; the most frequent move first."""
    both = pl.DataFrame({"before": before, "after": after})
    changed = (
        both.filter(pl.col("before") != pl.col("after")).group_by("before", "after").agg(pl.len().alias("responses"))
    )
    return changed.sort("responses", "before", "after", descending=[True, False, False])


def changed(before: pl.Series, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows whose diagnosis differs from the one before, which they have as BEFORE."""
    return rows.with_columns(before.alias(BEFORE)).filter(pl.col(BEFORE) != pl.col(DIAGNOSIS))


def moves_in_words(moved: pl.DataFrame, responses: int) -> str:
    """What other thresholds change, in a sentence: how many responses, and the most frequent moves."""
    total = int(moved["responses"].sum())
    if not total:
        return f"No response changes its diagnosis, of {numbers.count(responses)}."
    named = [f"{numbers.count(n)} from {a} to {b}" for a, b, n in moved.head(MOVES_NAMED).iter_rows()]
    rest = total - int(moved["responses"].head(MOVES_NAMED).sum())
    if rest:
        named.append(f"{numbers.count(rest)} otherwise")
    changes = "changes its" if total == 1 else "change their"
    return (
        f"{numbers.count(total)} of {numbers.plural(responses, 'response')} {changes} diagnosis: {numbers.join(named)}."
    )
