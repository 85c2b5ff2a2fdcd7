"""Responses as lists: counted by class, put in order, and moved from class to class by other thresholds."""

from enum import StrEnum
from typing import cast

import polars as pl

from qaviz.analysis import numbers
from qaviz.analysis.selection import Passing
from qaviz.model.columns import FACT_START, FACT_VARIANT, PRECISION, QUESTION_ID, RECALL

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
    ResponseOrder.CLOSENESS: RECALL,
    ResponseOrder.CONCISENESS: PRECISION,
}

SEED = 20230630
"""Of the random order, so that it is the same for every reader of the same list."""


def in_response_order(listed: Passing, order: ResponseOrder) -> Passing:
    """The responses in this order, those without a value last; where two are equal, as in the files."""
    if order == ResponseOrder.FILES:
        return listed
    if order == ResponseOrder.RANDOM:
        return listed.at(pl.int_range(listed.height, dtype=pl.UInt32, eager=True).shuffle(SEED))
    by = listed.confidence() if order == ResponseOrder.UNCERTAIN else listed.select([_SORTED_BY[order]])
    return listed.at(by.select(pl.arg_sort_by(by.columns, nulls_last=True, maintain_order=True)).to_series())


def hits_in_words(rows: pl.DataFrame) -> pl.Series:
    """Where each response states the fact: `“134.4 billion” at character 12`; null where nothing of it was found.

    An empty variant hits every response and stands nowhere.
    """
    variant = pl.col(FACT_VARIANT).str.strip_chars()
    stands = pl.when(pl.col(FACT_VARIANT) != "").then(variant)
    return rows.select(pl.format("“{}” at character {}", stands, pl.col(FACT_START) + 1)).to_series()


def class_counts(rows: pl.DataFrame, column: str) -> dict[str, int]:
    """How many rows have each value of DIAGNOSIS, VERDICT or FAULT, an Enum; a value of no row is not there."""
    # Compared with each of the few values: a tenth of the time that grouping takes.
    values = cast(pl.Enum, rows.schema[column]).categories
    counts = rows.select((pl.col(column) == value).sum().alias(value) for value in values).row(0, named=True)
    return {value: count for value, count in counts.items() if count}


def moves(before: pl.Series, after: pl.Series) -> pl.DataFrame:
    """Responses whose diagnosis differs: columns before, after, responses; the most frequent move first."""
    both = pl.DataFrame({"before": before, "after": after}).filter(pl.col("before") != pl.col("after"))
    counted = both.group_by("before", "after").agg(pl.len().alias("responses"))
    named = counted.cast({"before": pl.String, "after": pl.String})
    return named.sort("responses", "before", "after", descending=[True, False, False])


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
