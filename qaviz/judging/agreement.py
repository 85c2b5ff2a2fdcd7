"""How far two graders agree: two people, a judge and a person, two judges.

Grades are integers, and a near miss counts as one, or labels, which have no order. The same response is known by
QUESTION_ID and PIPELINE.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.diagnosis import agreement as measures
from qaviz.diagnosis.agreement import Figure, cohen_kappa, gwet_ac, weigh_agreement
from qaviz.model.classes import Verdict
from qaviz.model.columns import GRADE, JUDGE, LABEL, PIPELINE, QUESTION_ID
from qaviz.model.errors import stop
from qaviz.stats import round_down

Numbers = NDArray[np.float64]
Weights = NDArray[np.float64]
"""How far each pair of grades agrees, from 0 to 1: [first, second]."""


@dataclass(frozen=True, kw_only=True)
class GraderAgreement:
    """Two graders of the same responses, compared."""

    compared: int
    """Responses that both graded."""
    questions: int
    only_first: int
    only_second: int
    grades: tuple[str, ...]
    """Grades or labels that occur, in their order."""
    exact: Figure
    """Share of the responses with the same grade."""
    within_one: Figure | None
    """Share of the responses whose grades differ by one at most; None for labels."""
    kappa: Figure
    """Cohen's kappa (1960): 0 is what chance gives with these margins, 1 is full agreement."""
    weighted_kappa: Figure | None
    """Cohen's kappa with quadratic weights (1968); None for labels."""
    ac1: Figure
    """Gwet's AC1 (2008), which stays near the agreement where one grade is rare and kappa falls."""
    ac2: Figure | None
    """AC1 with quadratic weights; None for labels."""
    constant_guess: float
    """Share that agrees with the second grader who always gives their most frequent grade: what no skill reaches."""
    confusion: pl.DataFrame
    """first, second, responses: every pair of grades."""


def compare_graders(first: pl.DataFrame, second: pl.DataFrame) -> GraderAgreement:
    """Compare two tables of QUESTION_ID, PIPELINE and GRADE (text), one row a response; null grades are left out. The
    second grader is the one that counts as true, such as people. Raises QavizError where a table has a response twice,
    or the two have none in common."""
    left, right = _read_known_grades(first, "the first grader"), _read_known_grades(second, "the second grader")
    both = left.join(right, on=[QUESTION_ID, PIPELINE], suffix=" of the second", maintain_order="left")
    if both.is_empty():
        words = f"{left.height:,} and {right.height:,} grades, none of the same response"
        expected = "the same question_id and pipeline in both files"
        raise stop("agreement", words, expected, "Check that both belong to the same run.")
    seen = both.rename({GRADE: "first", f"{GRADE} of the second": "second"})
    grades = tuple(sorted({*seen["first"], *seen["second"]}))
    ordered = all(re.fullmatch(r"-?[0-9]{1,9}", grade) for grade in grades)
    grades = tuple(sorted(grades, key=int)) if ordered else grades
    counts = measures.count_by_question(seen, {"first": grades, "second": grades})
    drawn, whole = measures.resample_questions(counts), counts.sum(axis=0)
    same = np.eye(len(grades))
    values = np.array([int(grade) for grade in grades], np.float64) if ordered else None
    apart = None if values is None else np.asarray(np.abs(values[:, None] - values))
    near = None if apart is None else 1 - (apart / max(apart.max(), 1.0)) ** 2

    def figure(value: Callable[[Numbers, Weights], Numbers], weights: Weights) -> Figure:
        agreed = None if value is weigh_agreement else float(weigh_agreement(whole, weights))
        return measures.widen_certain(
            measures.estimate(value(whole, weights), value(drawn, weights)), len(counts), agreed
        )

    pairs = [(*pair, int(number)) for pair, number in zip(product(grades, repeat=2), whole.flat, strict=True)]
    return GraderAgreement(
        compared=both.height,
        questions=both[QUESTION_ID].n_unique(),
        only_first=left.height - both.height,
        only_second=right.height - both.height,
        grades=grades,
        exact=figure(weigh_agreement, same),
        within_one=None if apart is None else figure(weigh_agreement, np.asarray(apart <= 1, np.float64)),
        kappa=figure(cohen_kappa, same),
        weighted_kappa=None if near is None else figure(cohen_kappa, near),
        ac1=figure(gwet_ac, same),
        ac2=None if near is None else figure(gwet_ac, near),
        constant_guess=float(whole.sum(axis=0).max() / whole.sum()),
        confusion=pl.DataFrame(pairs, {"first": pl.String, "second": pl.String, "responses": pl.Int64}, orient="row"),
    )


def _read_known_grades(grades: pl.DataFrame, who: str) -> pl.DataFrame:
    graded = grades.select(QUESTION_ID, PIPELINE, pl.col(GRADE).cast(pl.String))
    graded = graded.drop_nulls().unique(maintain_order=True)
    twice = graded.filter(graded.select(QUESTION_ID, PIPELINE).is_duplicated())
    if not twice.is_empty():
        question, pipeline, _ = twice.row(0)
        words = f"several grades of question {question} and pipeline {pipeline}"
        fix = "Keep one of them, or name one grader of a file that has several."
        raise stop(who, words, "one grade a response", fix)
    return graded


FEWEST_LABELS, FEWEST_OF_RARER, FEWEST_QUESTIONS = 200, 30, 30
"""Labels, labels of the rarer of right and not right, and labelled questions below which nothing is calibrated."""
EXACT_TARGET = 0.80
"""Share of exact agreement that the lower bound of a judge's interval is to reach."""


@dataclass(frozen=True, kw_only=True)
class JudgeCalibration:
    """How far a judge's verdicts agree with people, and whether that is enough."""

    agreement: GraderAgreement
    """Of verdicts: the judge first, people second."""
    lacking: tuple[str, ...]
    """What keeps the judge from being called calibrated, in words; empty where it is."""

    @property
    def calibrated(self) -> bool:
        """Whether there are enough labels and the lower bounds reach the targets."""
        return not self.lacking


def calibrate(people: pl.DataFrame, labels: pl.DataFrame) -> JudgeCalibration:
    """Compare what a judge says (JUDGE, null where unscored) with people's labels (LABEL), response by response. Where
    no label is `declined`, a declined response counts as incorrect. Raises QavizError as `compare_graders`."""
    wrong = {} if (labels[LABEL] == Verdict.DECLINED.value).any() else {Verdict.DECLINED.value: "incorrect"}
    first = people.select(QUESTION_ID, PIPELINE, pl.col(JUDGE).replace(wrong).alias(GRADE))
    both = compare_graders(first, labels.select(QUESTION_ID, PIPELINE, pl.col(LABEL).alias(GRADE)))
    right = int(both.confusion.filter(pl.col("second") == Verdict.CORRECT.value)["responses"].sum())
    rarer = min(right, both.compared - right)
    counts = (
        (FEWEST_LABELS, both.compared, "labels"),
        (FEWEST_QUESTIONS, both.questions, "labelled questions"),
        (FEWEST_OF_RARER, rarer, "labels of the rarer class"),
    )
    lacking = [f"{needed:,} {name} (there are {there:,})" for needed, there, name in counts if there < needed]
    low = both.exact.low or 0.0
    if low < EXACT_TARGET:
        lacking.append(f"a lower bound of exact agreement of {EXACT_TARGET:.0%} (it is {round_down(low):.1%})")
    return JudgeCalibration(agreement=both, lacking=tuple(lacking))
