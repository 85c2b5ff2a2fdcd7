"""Whether a judge may be relied on: its agreement with people, against targets; and few-shot examples from
disagreements.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.judging.agreement import GraderAgreement, compare_graders
from qaviz.judging.rubric import COMPOSITE, Example, Rubric
from qaviz.llm.requests import hash_of
from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWER, GRADE, JUDGE, LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.errors import stop
from qaviz.stats.intervals import round_down
from qaviz.store.grades import GRADES

FEWEST_LABELS, FEWEST_OF_RARER, FEWEST_QUESTIONS = 200, 30, 30
"""Labels, labels of the rarer of right and not right, and labelled questions below which nothing is calibrated."""
EXACT_TARGET, NEAR_TARGET = 0.80, 0.95
"""Shares of exact and within-one agreement that a judge is to reach, unless the user says otherwise."""

GradedExample = tuple[Example, dict[str, int]]
"""An example and its grade by criterion."""
LONGEST_EXAMPLE = 1_000
"""Characters of a response that is shown as an example."""


@dataclass(frozen=True, kw_only=True)
class Targets:
    """What a judge has to reach with the lower bound of its interval."""

    exact: float = EXACT_TARGET
    within_one: float = NEAR_TARGET
    labels: int = FEWEST_LABELS
    rarer: int = FEWEST_OF_RARER
    questions: int = FEWEST_QUESTIONS


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """How far a judge's verdicts agree with people, and whether that is enough."""

    agreement: GraderAgreement
    """Of verdicts: the judge first, people second."""
    rarer: int
    """Labels of the rarer of correct and not correct."""
    lacking: tuple[str, ...]
    """What keeps the judge from being called calibrated, in words; empty where it is."""

    @property
    def calibrated(self) -> bool:
        """Whether there are enough labels and the lower bounds reach the targets."""
        return not self.lacking


def calibrate(people: pl.DataFrame, labels: pl.DataFrame, targets: Targets | None = None) -> Calibration:
    """Compare what a judge says (JUDGE, null where unscored) with people's labels (LABEL), response by response.

    Where no label is `declined`, a declined response counts as incorrect. Raises QavizError as `compare_graders`.
    """
    wanted = targets or Targets()
    both = compare_graders(*_as_graders(people, labels))
    right = int(both.confusion.filter(pl.col("second") == Verdict.CORRECT.value)["responses"].sum())
    rarer = min(right, both.compared - right)
    return Calibration(agreement=both, rarer=rarer, lacking=tuple(_find_lacking(both, rarer, wanted)))


def _find_lacking(both: GraderAgreement, rarer: int, wanted: Targets) -> Iterator[str]:
    counts = (
        (wanted.labels, both.compared, "labels"),
        (wanted.questions, both.questions, "labelled questions"),
        (wanted.rarer, rarer, "labels of the rarer class"),
    )
    for needed, present, name in counts:
        if present < needed:
            yield f"{needed:,} {name} (there are {present:,})"
    low = both.exact.low or 0.0
    if low < wanted.exact:
        yield f"a lower bound of exact agreement of {wanted.exact:.0%} (it is {round_down(low):.1%})"


def _as_graders(people: pl.DataFrame, labels: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    wrong = {} if (labels[LABEL] == Verdict.DECLINED.value).any() else {Verdict.DECLINED.value: "incorrect"}
    first = people.select(QUESTION_ID, PIPELINE, pl.col(JUDGE).replace(wrong).alias(GRADE))
    return first, labels.select(QUESTION_ID, PIPELINE, pl.col(LABEL).alias(GRADE))


def calibrate_criteria(
    grades: pl.DataFrame, people: pl.DataFrame, targets: Targets | None = None
) -> dict[str, tuple[GraderAgreement, tuple[str, ...]]]:
    """Agreement by criterion with people's grades (QUESTION_ID, PIPELINE, `criterion`, `grade`), and what it lacks.

    A criterion passes where the lower bounds of exact and within-one agreement reach the targets.
    """
    wanted = targets or Targets()
    agreements: dict[str, tuple[GraderAgreement, tuple[str, ...]]] = {}
    long = criterion_grades(grades)
    for (criterion,), of_criterion in people.group_by("criterion", maintain_order=True):
        own = long.filter(pl.col("criterion") == criterion)
        if own.is_empty():
            continue
        both = compare_graders(own, of_criterion)
        counts = both.confusion.group_by("second").agg(pl.col("responses").sum())["responses"]
        used = counts.filter(counts > 0).sort().to_list()
        # Where people gave one grade alone, whoever gives no other agrees with them.
        lacking = [*_find_lacking(both, used[0] if len(used) > 1 else 0, wanted)]
        if both.within_one and (both.within_one.low or 0.0) < wanted.within_one:
            low = round_down(both.within_one.low or 0)
            lacking.append(f"a lower bound within one of {wanted.within_one:.0%} (it is {low:.1%})")
        agreements[str(criterion)] = both, tuple(lacking)
    return agreements


def criterion_grades(grades: pl.DataFrame) -> pl.DataFrame:
    """Kept grades one row a criterion: QUESTION_ID, PIPELINE, `criterion`, `grade`."""
    return grades.explode(GRADES).unnest(GRADES).select(QUESTION_ID, PIPELINE, "criterion", "grade").drop_nulls("grade")


def deciding_grades(grades: pl.DataFrame, decided_by: str) -> pl.DataFrame:
    """QUESTION_ID, PIPELINE and `value`: the grade, of this criterion or the composite, that says what is correct."""
    if decided_by == COMPOSITE:
        return grades.select(QUESTION_ID, PIPELINE, pl.col(COMPOSITE).alias("value")).drop_nulls("value")
    long = criterion_grades(grades).filter(pl.col("criterion") == decided_by)
    return long.select(QUESTION_ID, PIPELINE, pl.col("grade").cast(pl.Float64).alias("value"))


def fit_threshold(values: pl.DataFrame, labels: pl.DataFrame) -> tuple[float, float] | None:
    """The grade from which responses count as correct so that most labels agree, and the share of labels that agree.

    `values` has QUESTION_ID, PIPELINE and `value`. Measured on the labels that it was fitted on: tune on one half and
    measure on the other (`threshold_agreement`). None without a label of each class.
    """
    numbers, right = _values_and_labels(values, labels)
    if right.all() or not right.any():
        return None
    steps = np.unique(numbers)[1:] if len(np.unique(numbers)) > 1 else np.unique(numbers)
    shares = [float(((numbers >= step) == right).mean()) for step in steps]
    best = int(np.argmax(shares))
    return float(steps[best]), shares[best]


def threshold_agreement(values: pl.DataFrame, labels: pl.DataFrame, threshold: float) -> tuple[int, int]:
    """On how many labelled responses `value >= threshold` says the same as people, and how many there are."""
    numbers, right = _values_and_labels(values, labels)
    return int(((numbers >= threshold) == right).sum()), len(right)


def _values_and_labels(values: pl.DataFrame, labels: pl.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    both = values.join(labels, on=[QUESTION_ID, PIPELINE]).select("value", LABEL)
    return both["value"].to_numpy(), (both[LABEL] == Verdict.CORRECT.value).to_numpy()


def halves(labels: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Labels to tune on and labels to measure on: each question, with all of its labels, in one half by its hash."""
    tune = pl.Series([int(hash_of(question)[-1], 16) % 2 == 0 for question in labels[QUESTION_ID]], dtype=pl.Boolean)
    return labels.filter(tune), labels.filter(~tune)


def propose_examples(
    rows: pl.DataFrame, grades: pl.DataFrame, labels: pl.DataFrame, rubric: Rubric, number: int
) -> tuple[GradedExample, ...]:
    """Responses on which people and the judge differ, at most `number`, with the grade that people's label stands for:
    the highest for correct, else the lowest. Right and wrong ones take turns.

    Of the tuning half of the questions alone. Raises QavizError where there is no such disagreement.
    """
    tune, _ = halves(labels)
    judged = grades.select(QUESTION_ID, PIPELINE, JUDGE).drop_nulls()
    texts = rows.select(QUESTION_ID, pl.col(PIPELINE).cast(pl.String), QUESTION, ANSWER, RESPONSE)
    both = (
        tune.select(QUESTION_ID, PIPELINE, LABEL)
        .join(judged, on=[QUESTION_ID, PIPELINE])
        .join(texts, on=[QUESTION_ID, PIPELINE])
    )
    right = pl.col(LABEL) == Verdict.CORRECT.value
    wrong_about = both.filter(right != (pl.col(JUDGE) == Verdict.CORRECT.value)).unique(
        QUESTION_ID, maintain_order=True
    )
    turns = wrong_about.with_columns(pl.int_range(pl.len()).over(right).alias("turn")).sort("turn", maintain_order=True)
    if turns.is_empty():
        raise stop(
            "examples",
            "no labelled response on which this judge and people differ, in the half that is tuned on",
            "labels of the run, some of which differ from the judge",
            "Label responses on which rules and judge differ, or judge without examples of your own.",
        )
    return tuple(_make_example(row, rubric) for row in turns.head(number).iter_rows(named=True))


def _make_example(row: dict[str, str], rubric: Rubric) -> GradedExample:
    grade = rubric.highest if row[LABEL] == Verdict.CORRECT.value else rubric.lowest
    names = [criterion.name for criterion in rubric.criteria] if rubric.decided_by == COMPOSITE else [rubric.decided_by]
    example = Example(
        question=row[QUESTION] or "", golden_answer=row[ANSWER] or "", response=(row[RESPONSE] or "")[:LONGEST_EXAMPLE]
    )
    return example, dict.fromkeys(names, grade)
