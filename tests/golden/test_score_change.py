"""qaviz.golden.versions: a change of facts stated, split into what pipelines and what the golden dataset did."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.golden.versions import END, GOLDEN_DATASET, PIPELINES, QUESTIONS, START, attribute_change
from qaviz.model.columns import FACTUAL_KNOWLEDGE, PIPELINE, QUESTION, QUESTION_ID

SCORES = st.sampled_from([0.0, 1.0, None])
PARTS = (QUESTIONS, GOLDEN_DATASET, PIPELINES)
Scores = tuple[tuple[str, str, float | None], ...]


def rows(*scores: tuple[str, str, float | None]) -> pl.DataFrame:
    """Question, pipeline and Factual Knowledge of each response."""
    types = {QUESTION_ID: pl.String, PIPELINE: pl.String, FACTUAL_KNOWLEDGE: pl.Float64}
    return pl.DataFrame(list(scores), schema=types, orient="row").with_columns(pl.lit("Who?").alias(QUESTION))


PQ = (("1", "P", 1.0), ("2", "P", 0.0), ("2", "Q", 0.0))
ONE, TWO, NEW = (("1", "P", 1.0), ("2", "P", 0.0)), (("1", "P", 1.0), ("2", "P", None)), (("2", "P", 0.0),)


@pytest.mark.parametrize(
    ("old", "old_on_new", "new", "expected"),
    [
        (ONE, (("1", "P", 1.0), ("2", "P", 1.0)), (("1", "P", 1.0), ("2", "P", 0.0)), (0.5, 0, 0.5, -0.5, 0.5)),
        (ONE, ONE, (("1", "P", 1.0), ("3", "P", 1.0), ("4", "P", 1.0)), (0.5, 0.5, 0, 0, 1)),
        (PQ, PQ, (("1", "P", 1.0), ("2", "P", None), ("1", "Q", 0.0)), (1 / 3, 0, 0, 1 / 6, 0.5)),
        (TWO, ONE, ONE, (1, 0, -0.5, 0, 0.5)),
        ((*ONE, ("1", "old", 1.0)), ONE, (*ONE, ("1", "new", 1.0)), (0.5, 0, 0, 0, 0.5)),
        (ONE[:1], ONE[:1], NEW, None),
        ((("1", "old", 1.0),), (("1", "old", 1.0),), ONE, None),
    ],
    ids=["golden dataset", "questions", "not answered", "fact was missing", "pipelines of both", "no question", "none"],
)
def test_each_part_is_what_it_says(old: Scores, old_on_new: Scores, new: Scores, expected: tuple[float, ...] | None):
    """The golden dataset's part is what the new version makes of the old responses; questions of one run alone are a
    part of their own; what was not answered is the pipeline's; without common questions or pipelines there is none."""
    parts = attribute_change(rows(*old), rows(*old_on_new), rows(*new))

    assert parts is None if expected is None else [*parts.values()] == pytest.approx(expected)


def test_a_rewritten_question_is_another_question():
    """A pipeline that is right before and after one of five questions is rewritten changes by nothing in any part,
    though its old response is wrong to the new question."""
    old = rows(*((str(place), "P", 1.0) for place in range(5)))
    text = pl.when(pl.col(QUESTION_ID) == "0").then(pl.lit("Where?")).otherwise(QUESTION).alias(QUESTION)
    old_on_new = rows(*((str(place), "P", float(place > 0)) for place in range(5))).with_columns(text)
    parts = attribute_change(old, old_on_new, old.with_columns(text))

    assert [parts[name] for name in (START, *PARTS, END)] == [1, 0, 0, 0, 1]


@given(st.lists(st.tuples(SCORES, SCORES, SCORES, st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_parts_add_up(drawn: list[tuple[float | None, float | None, float | None, bool, bool]]):
    """Whatever the scores and whichever run has a question: start and parts together are the end."""
    cases = [(f"{place}", f"P{place % 3}", *each) for place, each in enumerate(drawn)]
    old = rows(*((question, name, was) for question, name, was, _, _, here, _ in cases if here))
    old_on_new = rows(*((question, name, now) for question, name, _, now, _, here, _ in cases if here))
    new = rows(*((question, name, then) for question, name, _, _, then, _, here in cases if here))

    if parts := attribute_change(old, old_on_new, new):
        assert parts[START] + sum(parts[part] for part in PARTS) == pytest.approx(parts[END], abs=1e-12)
