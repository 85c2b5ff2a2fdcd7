"""Judging again only what can change with moved thresholds."""

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from operator import or_

import polars as pl

from qaviz.diagnosis.judging import JUDGED, classes, columns_judged, columns_of_classes, judgements
from qaviz.diagnosis.rules import RULES
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.records import Thresholds

_BY_CLOSENESS = sorted(
    {
        rule.diagnosis.value
        for rule in RULES
        if rule.name in ("close_without_fact", "close_without_golden_fact", "off_target")
    }
)
"""Diagnoses whose confidence says how far the closeness is from its threshold."""

_PLACE = "place in the table"


def judge_again(judged: pl.DataFrame, before: Thresholds, after: Thresholds) -> pl.DataFrame:
    """What `judge` returns for `after`, given a table that it returned for `before`; the rows keep their order.

    Most rows are far from a threshold that moves a little: at a million responses this is what makes a trial quick.
    """
    place, rows = _select_reached(
        judged, columns_judged(judged.columns), _moved_expression(judged.columns, before, after)
    )
    if place.is_empty():
        return judged
    anew = judgements(rows, after)
    # Runs of earlier versions lack what came later.
    judged = judged.with_columns(pl.lit(None, anew[name].dtype).alias(name) for name in JUDGED if name not in judged)
    # Written over a copy of the columns: to gather all rows of them takes four times as long.
    written = (judged[column].clone().rechunk().scatter(place, anew[column]) for column in JUDGED)
    lengths = judged[c.DIAGNOSIS].chunk_lengths()
    return judged.with_columns(_in_chunks(column, lengths) for column in written)


def _in_chunks(column: pl.Series, lengths: list[int]) -> pl.Series:
    """The column in chunks of these lengths: beside columns in other chunks, polars would copy all of them."""
    starts = accumulate(lengths, initial=0)
    return pl.concat([column.slice(start, length) for start, length in zip(starts, lengths, strict=False)])


def moved_classes(judged: pl.DataFrame, before: Thresholds, after: Thresholds) -> tuple[pl.Series, pl.DataFrame]:
    """Where the rows stand whose diagnosis may differ between the two; their DIAGNOSIS, VERDICT and FAULT by `after`.

    A fraction of the work of `judge_again`: no words are made, and the texts of the responses are not read.
    """
    moved = _crossed_expression(judged.columns, before, after) & (pl.col(c.DIAGNOSIS) != Diagnosis.UNSCORED.value)
    place, rows = _select_reached(judged, columns_of_classes(judged.columns), moved)
    return place, classes(rows, after)


def _select_reached(judged: pl.DataFrame, columns: Sequence[str], reached: pl.Expr) -> tuple[pl.Series, pl.DataFrame]:
    """Where the rows stand that are reached, and these columns of them, in one chunk."""
    read = {*columns, *reached.meta.root_names()}
    # Filtered, not gathered: that would first copy columns of many chunks whole. In one chunk, because polars 2.1 fails
    # over some rules in several.
    rows = judged.lazy().select(read).with_row_index(_PLACE).filter(reached.fill_null(False)).collect().rechunk()
    return rows[_PLACE], rows.drop(_PLACE)


def _moved_expression(columns: Sequence[str], before: Thresholds, after: Thresholds) -> pl.Expr:
    """Whether diagnosis, confidence or reason of a row may differ between the two."""
    moved = [_crossed_expression(columns, before, after)]
    if before.high_closeness != after.high_closeness:
        moved.append(pl.col(c.DIAGNOSIS).is_in(_BY_CLOSENESS))
    if before.same_meaning != after.same_meaning and c.BERTSCORE in columns:
        moved.append(pl.col(c.BERTSCORE).is_not_null())
    return reduce(or_, moved)


def _crossed_expression(columns: Sequence[str], before: Thresholds, after: Thresholds) -> pl.Expr:
    """Whether a threshold passes over what it is compared with in a row."""
    bounds = (
        (c.RECALL, before.high_closeness, after.high_closeness),
        (c.PRECISION, before.low_conciseness, after.low_conciseness),
        (c.RECALL_BESIDE_FACT, before.accidental_context, after.accidental_context),
        (c.BERTSCORE, before.same_meaning, after.same_meaning),
        (c.CONFIDENCE, before.unsure_below, after.unsure_below),
    )
    # Where others were heard, CONFIDENCE is not the probability that these two are compared with.
    doubt = (before.unsure_below, before.open_below) != (after.unsure_below, after.open_below)
    heard = [pl.col(opinion).is_not_null() for opinion in (c.REVIEW, c.JUDGE) if doubt and opinion in columns]
    crossed = [pl.col(name).is_between(min(a, b), max(a, b)) for name, a, b in bounds if a != b and name in columns]
    return reduce(or_, crossed + heard, pl.lit(False))
