"""Few-shot examples from labelled disagreements: proposed on one half of the questions, measured on the other."""

import polars as pl

from qaviz.judging.calibration import halves
from qaviz.judging.rubric import COMPOSITE, Example, Rubric
from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWER, JUDGE, LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.errors import Problem, QavizError

GradedExample = tuple[Example, dict[str, int]]
"""An example and its grade by criterion."""
LONGEST_EXAMPLE = 1_000
"""Characters of a response that is shown as an example."""


def propose_examples(
    rows: pl.DataFrame, grades: pl.DataFrame, labels: pl.DataFrame, rubric: Rubric, number: int
) -> tuple[GradedExample, ...]:
    """Responses that people judge otherwise than the judge does, at most `number`, with the grade that people's label
    stands for: the highest for correct, else the lowest. Right and wrong ones take turns.

    Of the tuning half of the questions alone. Raises QavizError where there is no such disagreement.
    """
    tune, _ = halves(labels)
    said = grades.select(QUESTION_ID, PIPELINE, JUDGE).drop_nulls()
    texts = rows.select(QUESTION_ID, pl.col(PIPELINE).cast(pl.String), QUESTION, ANSWER, RESPONSE)
    both = (
        tune.select(QUESTION_ID, PIPELINE, LABEL)
        .join(said, on=[QUESTION_ID, PIPELINE])
        .join(texts, on=[QUESTION_ID, PIPELINE])
    )
    right = pl.col(LABEL) == Verdict.CORRECT.value
    wrong_about = both.filter(right != (pl.col(JUDGE) == Verdict.CORRECT.value)).unique(
        QUESTION_ID, maintain_order=True
    )
    turns = wrong_about.with_columns(pl.int_range(pl.len()).over(right).alias("turn")).sort("turn", maintain_order=True)
    if turns.is_empty():
        raise QavizError(
            Problem(
                where="examples",
                found="no labelled response on which this judge and people differ, in the half that is tuned on",
                expected="labels of the run, some of which differ from the judge",
                fix="Label responses on which rules and judge differ, or judge without examples of your own.",
            )
        )
    return tuple(_example(row, rubric) for row in turns.head(number).iter_rows(named=True))


def _example(row: dict[str, str], rubric: Rubric) -> GradedExample:
    grade = rubric.highest if row[LABEL] == Verdict.CORRECT.value else rubric.lowest
    names = [each.name for each in rubric.criteria] if rubric.decided_by == COMPOSITE else [rubric.decided_by]
    example = Example(
        question=row[QUESTION] or "", golden_answer=row[ANSWER] or "", response=(row[RESPONSE] or "")[:LONGEST_EXAMPLE]
    )
    return example, dict.fromkeys(names, grade)


def measured_rows(rows: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """The labelled rows of the half that examples are not taken from: where a judge with examples is measured."""
    _, measure = halves(labels)
    return rows.join(measure.select(QUESTION_ID).unique(), on=QUESTION_ID, how="semi", maintain_order="left")
