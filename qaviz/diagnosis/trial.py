"""Other thresholds on rows that are judged already: only those are judged again that a moved threshold can reach."""

from functools import reduce
from itertools import accumulate
from operator import or_

import polars as pl

from qaviz.diagnosis.judging import JUDGED, columns_judged, judgements
from qaviz.diagnosis.rules import RULES, close_without_fact, close_without_golden_fact, off_target
from qaviz.model import (
    BERTSCORE,
    CONTEXT_RECALL,
    DIAGNOSIS,
    PRECISION,
    RECALL,
    Thresholds,
)

_BY_CLOSENESS = sorted(
    {
        rule.diagnosis.value
        for rule in RULES
        if rule.ruling in (close_without_fact, close_without_golden_fact, off_target)
    }
)
"""Diagnoses whose confidence says how far the closeness is from its threshold."""


def judge_again(judged: pl.DataFrame, before: Thresholds, after: Thresholds) -> pl.DataFrame:
    """What `judge` returns for `after`, given a table that it returned for `before`; the rows keep their order.

    Most rows are far from a threshold that moves a little: at a million responses this is what makes a trial quick.
    """
    place, rows = reached(judged, before, after)
    if place.is_empty():
        return judged
    anew = judgements(rows, after)
    # Written over a copy of the five columns: to gather all rows of them takes four times as long.
    written = (judged[column].clone().rechunk().scatter(place, anew[column]) for column in JUDGED)
    lengths = judged[DIAGNOSIS].chunk_lengths()
    return judged.with_columns(_in_chunks(column, lengths) for column in written)


def _in_chunks(column: pl.Series, lengths: list[int]) -> pl.Series:
    """The column in chunks of these lengths: beside columns in other chunks, polars would copy all of them."""
    starts = accumulate(lengths, initial=0)
    return pl.concat([column.slice(start, length) for start, length in zip(starts, lengths, strict=False)])


def reached(
    judged: pl.DataFrame, before: Thresholds, after: Thresholds, *, words: bool = True
) -> tuple[pl.Series, pl.DataFrame]:
    """Where the rows stand whose diagnosis, confidence or reason may differ between the two, and what rules read there.

    Without `words`: what says which rule decides them.
    """
    moved = _moved(judged.columns, before, after)
    read = {*columns_judged(judged.columns, words=words), *moved.meta.root_names()}
    # Filtered, not gathered: that would first copy columns of many chunks whole. In one chunk, because polars 2.1 fails
    # over some rules in several.
    return judged.select(pl.arg_where(moved)).to_series(), judged.select(read).filter(moved).rechunk()


def _moved(columns: list[str], before: Thresholds, after: Thresholds) -> pl.Expr:
    bounds = (
        (RECALL, before.high_closeness, after.high_closeness),
        (PRECISION, before.low_conciseness, after.low_conciseness),
        (CONTEXT_RECALL, before.accidental_context, after.accidental_context),
    )
    moved = [pl.col(column).is_between(min(a, b), max(a, b)) for column, a, b in bounds if a != b]
    if before.high_closeness != after.high_closeness:
        moved.append(pl.col(DIAGNOSIS).is_in(_BY_CLOSENESS))
    if before.same_meaning != after.same_meaning and BERTSCORE in columns:
        moved.append(pl.col(BERTSCORE).is_not_null())
    return reduce(or_, moved, pl.lit(False)).fill_null(False)
