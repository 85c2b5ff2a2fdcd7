"""How far readers of a review agree: on whether a triplet is right, and finding by finding."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import polars as pl

from qaviz.diagnosis.agreement import Estimate
from qaviz.judging.agreement import GraderAgreement, compare_graders
from qaviz.model.columns import GRADE, PIPELINE, QUESTION_ID
from qaviz.store.review_sessions import ACCEPT, ASK, SKIP


@dataclass(frozen=True, kw_only=True)
class ReaderAgreement:
    """How far two readers agree over the items that both decided on."""

    first: str
    second: str
    about: str
    """Empty: whether the triplet is right, wrong or open. Else the finding that both name or not."""
    compared: int
    observed: Estimate
    kappa: Estimate
    ac1: Estimate


def compare_readers(said: pl.DataFrame) -> Iterator[ReaderAgreement]:
    """Compare every two readers with items in common: by their call, then by each finding that one of them names.

    `said` has DECISIONS; repeats, skips and adjudications do not count.
    """
    own = said.filter(~pl.col("adjudicates"), pl.col("action") != SKIP, pl.col("repeat_of").is_null())
    right, asks = pl.col("action") == ACCEPT, pl.col("action") == ASK
    call = pl.when(right).then(pl.lit("right")).when(asks).then(pl.lit("asks")).otherwise(pl.lit("wrong"))
    for first, second in combinations(sorted(set(own["reader"])), 2):
        one, other = (own.filter(pl.col("reader") == each) for each in (first, second))
        if one.join(other, on=QUESTION_ID, how="semi").is_empty():
            continue
        yield _agreement(first, second, "", compare_graders(_graded(one, call), _graded(other, call)))
        for finding in sorted(set(pl.concat([one, other])["findings"].explode().drop_nulls())):
            names = pl.col("findings").list.contains(finding).replace_strict({True: "named", False: "not named"})
            yield _agreement(first, second, finding, compare_graders(_graded(one, names), _graded(other, names)))


def _graded(said: pl.DataFrame, grade: pl.Expr) -> pl.DataFrame:
    return said.select(QUESTION_ID, pl.lit("").alias(PIPELINE), grade.alias(GRADE))


def _agreement(first: str, second: str, about: str, found: GraderAgreement) -> ReaderAgreement:
    return ReaderAgreement(
        first=first,
        second=second,
        about=about,
        compared=found.compared,
        observed=found.exact,
        kappa=found.kappa,
        ac1=found.ac1,
    )
