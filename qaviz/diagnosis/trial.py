"""Other thresholds on rows that are judged already: only those are judged again that a moved threshold can reach."""

from functools import reduce
from operator import or_

import numpy as np
import polars as pl

from qaviz.diagnosis.rules import RULES, close_without_fact, close_without_golden_fact, judge, off_target
from qaviz.model import (
    BERTSCORE,
    CONFIDENCE,
    CONTEXT_RECALL,
    DIAGNOSIS,
    FAULT,
    PRECISION,
    REASON,
    RECALL,
    VERDICT,
    Thresholds,
)

JUDGED = (DIAGNOSIS, VERDICT, FAULT, CONFIDENCE, REASON)

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
    reached = _reached(judged.columns, before, after)
    place = judged.select(pl.arg_where(reached)).to_series()
    if place.is_empty():
        return judged
    anew = judge(judged[place], after).select(JUDGED)
    row_of = np.arange(judged.height)
    row_of[place.to_numpy()] = np.arange(judged.height, judged.height + place.len())
    return judged.with_columns(pl.concat([judged.select(JUDGED), anew])[row_of])


def _reached(columns: list[str], before: Thresholds, after: Thresholds) -> pl.Expr:
    """Whether a row's diagnosis, confidence or reason may differ between the two."""
    bounds = (
        (RECALL, before.high_closeness, after.high_closeness),
        (PRECISION, before.low_conciseness, after.low_conciseness),
        (CONTEXT_RECALL, before.accidental_context, after.accidental_context),
    )
    reached = [pl.col(column).is_between(min(a, b), max(a, b)) for column, a, b in bounds if a != b]
    if before.high_closeness != after.high_closeness:
        reached.append(pl.col(DIAGNOSIS).is_in(_BY_CLOSENESS))
    if before.same_meaning != after.same_meaning and BERTSCORE in columns:
        reached.append(pl.col(BERTSCORE).is_not_null())
    return reduce(or_, reached, pl.lit(False)).fill_null(False)
