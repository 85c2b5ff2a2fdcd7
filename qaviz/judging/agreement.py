"""How far two graders agree: two people, a judge and a person, two judges. Intervals resample whole questions.

Grades are integers, and a near miss counts as one, or labels, which have no order. The same response is known by
QUESTION_ID and PIPELINE.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.diagnosis.agreement import Estimate, estimate, resample_questions, widen_certain
from qaviz.model.columns import GRADE, PIPELINE, QUESTION_ID
from qaviz.model.errors import stop

Numbers = NDArray[np.float64]
Weights = NDArray[np.float64]
"""How far each pair of categories agrees, from 0 to 1: [first, second]."""


@dataclass(frozen=True, kw_only=True)
class GraderAgreement:
    """Two graders of the same responses, compared."""

    compared: int
    """Responses that both graded."""
    questions: int
    only_first: int
    only_second: int
    categories: tuple[str, ...]
    """Grades or labels that occur, in their order."""
    ordered: bool
    """Whether they are integers, so that a near miss counts as one."""
    exact: Estimate
    """Share of the responses with the same grade."""
    within_one: Estimate | None
    """Share of the responses whose grades differ by one at most; None for labels."""
    kappa: Estimate
    """Cohen's kappa (1960): 0 is what chance gives with these margins, 1 is full agreement."""
    weighted_kappa: Estimate | None
    """Cohen's kappa with quadratic weights (1968); None for labels."""
    ac1: Estimate
    """Gwet's AC1 (2008), which stays near the agreement where one grade is rare and kappa falls."""
    ac2: Estimate | None
    """AC1 with quadratic weights; None for labels."""
    constant_guess: float
    """Share that agrees with the second grader who always gives their most frequent grade: what no skill reaches."""
    confusion: pl.DataFrame
    """first, second, responses: every pair of categories."""


def compare_graders(first: pl.DataFrame, second: pl.DataFrame) -> GraderAgreement:
    """Compare two tables of QUESTION_ID, PIPELINE and GRADE (text), one row a response; null grades are left out.

    The second grader is the one that counts as true, such as people. Raises QavizError where a table has a response
    twice, or the two have none in common.
    """
    one, other = _read_known_grades(first, "the first grader"), _read_known_grades(second, "the second grader")
    both = one.join(other, on=[QUESTION_ID, PIPELINE], suffix=" of the second", maintain_order="left")
    if both.is_empty():
        raise stop(
            "agreement",
            f"{one.height:,} and {other.height:,} grades, none of the same response",
            "the same question_id and pipeline in both files",
            "Check that both belong to the same run.",
        )
    seen = both.rename({GRADE: "first", f"{GRADE} of the second": "second"})
    categories, ordered = _find_categories(seen)
    counts = _count_by_question(seen, categories)
    drawn, whole = resample_questions(counts), counts.sum(axis=0)
    same, near = np.eye(len(categories)), _weigh_quadratic(categories) if ordered else None

    def figure(value: Callable[[Numbers, Weights], Numbers], weights: Weights) -> Estimate:
        agreed = None if value is weigh_agreement else float(weigh_agreement(whole, weights))
        return widen_certain(estimate(value(whole, weights), value(drawn, weights)), len(counts), agreed)

    return GraderAgreement(
        compared=both.height,
        questions=both[QUESTION_ID].n_unique(),
        only_first=one.height - both.height,
        only_second=other.height - both.height,
        categories=categories,
        ordered=ordered,
        exact=figure(weigh_agreement, same),
        within_one=figure(weigh_agreement, _weigh_near(categories)) if ordered else None,
        kappa=figure(cohen_kappa, same),
        weighted_kappa=None if near is None else figure(cohen_kappa, near),
        ac1=figure(gwet_ac, same),
        ac2=None if near is None else figure(gwet_ac, near),
        constant_guess=float(whole.sum(axis=0).max() / whole.sum()),
        confusion=_tabulate_confusion(whole, categories),
    )


def _read_known_grades(grades: pl.DataFrame, who: str) -> pl.DataFrame:
    known = grades.select(QUESTION_ID, PIPELINE, pl.col(GRADE).cast(pl.String)).drop_nulls().unique(maintain_order=True)
    twice = known.filter(known.select(QUESTION_ID, PIPELINE).is_duplicated())
    if not twice.is_empty():
        question, pipeline, _ = twice.row(0)
        raise stop(
            who,
            f"several grades of question {question} and pipeline {pipeline}",
            "one grade a response",
            "Keep one of them, or name one grader of a file that has several.",
        )
    return known


def _find_categories(seen: pl.DataFrame) -> tuple[tuple[str, ...], bool]:
    """The grades that occur, in their order, and whether all are integers."""
    categories = {str(category) for category in [*seen["first"], *seen["second"]]}
    ordered = all(
        category.removeprefix("-").isdigit() and category.isascii() and len(category) < 10 for category in categories
    )
    return tuple(sorted(categories, key=int if ordered else str)), ordered


def _count_by_question(seen: pl.DataFrame, categories: Sequence[str]) -> Numbers:
    """Confusion counts of each question: [question, first, second]."""
    place = {category: number for number, category in enumerate(categories)}
    coded = seen.select(
        pl.col(QUESTION_ID).rank("dense").cast(pl.Int64) - 1,
        pl.col("first").replace_strict(place, return_dtype=pl.Int64),
        pl.col("second").replace_strict(place, return_dtype=pl.Int64),
    ).to_numpy()
    counts = np.zeros((int(coded[:, 0].max()) + 1, len(categories), len(categories)))
    np.add.at(counts, tuple(coded.T), 1)
    return counts


def weigh_agreement(counts: Numbers, weights: Weights) -> Numbers:
    """The weighted share that agrees, of counts [..., first, second]."""
    return np.asarray((counts * weights).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1)), np.float64)


def cohen_kappa(counts: Numbers, weights: Weights) -> Numbers:
    """J. Cohen, Educational and Psychological Measurement 20 (1960) and, weighted, Psychological Bulletin 70 (1968)."""
    total = counts.sum(axis=(-2, -1))
    first, second = counts.sum(axis=-1), counts.sum(axis=-2)
    expected = np.einsum("...i,ij,...j->...", first, weights, second) / total**2
    return _beyond_chance(weigh_agreement(counts, weights), expected)


def gwet_ac(counts: Numbers, weights: Weights) -> Numbers:
    """AC1, and AC2 with weights: K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008)."""
    size = len(weights)
    if size == 1:
        return np.full(counts.shape[:-2], np.nan)
    total = counts.sum(axis=(-2, -1))[..., None]
    shares = (counts.sum(axis=-1) + counts.sum(axis=-2)) / (2 * total)
    expected = weights.sum() / (size * (size - 1)) * (shares * (1 - shares)).sum(axis=-1)
    return _beyond_chance(weigh_agreement(counts, weights), expected)


def _beyond_chance(agreed: Numbers, expected: Numbers) -> Numbers:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected < 1, (agreed - expected) / (1 - expected), np.nan)


def _weigh_near(categories: Sequence[str]) -> Weights:
    """1 for grades that differ by one at most, else 0."""
    values = np.array([int(category) for category in categories])
    return np.asarray(np.abs(values[:, None] - values) <= 1, np.float64)


def _weigh_quadratic(categories: Sequence[str]) -> Weights:
    values = np.array([int(category) for category in categories], np.float64)
    span = max(values.max() - values.min(), 1.0)
    return np.asarray(1 - ((values[:, None] - values) / span) ** 2, np.float64)


def _tabulate_confusion(whole: Numbers, categories: Sequence[str]) -> pl.DataFrame:
    pairs = [
        (first, second, int(whole[i, j])) for i, first in enumerate(categories) for j, second in enumerate(categories)
    ]
    return pl.DataFrame(pairs, schema={"first": pl.String, "second": pl.String, "responses": pl.Int64}, orient="row")
