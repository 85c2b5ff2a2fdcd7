"""qaviz.golden.versions: a change of score, split into what pipelines and what the golden dataset did."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.golden.versions import END, GOLDEN_DATASET, PARTS, PIPELINES, QUESTIONS, START, attribute_change
from qaviz.model.columns import FACTUAL_KNOWLEDGE, PIPELINE, QUESTION, QUESTION_ID

SCORES = st.sampled_from([0.0, 1.0, None])


def rows(*scores: tuple[str, str, float | None]) -> pl.DataFrame:
    """Question, pipeline and Factual Knowledge of each response."""
    types = {QUESTION_ID: pl.String, PIPELINE: pl.String, FACTUAL_KNOWLEDGE: pl.Float64}
    return pl.DataFrame(list(scores), schema=types, orient="row").with_columns(pl.lit("Who?").alias(QUESTION))


def part_of(table: pl.DataFrame, pipeline: str | None) -> dict[str, float]:
    return table.filter(pl.col(PIPELINE).eq_missing(pl.lit(pipeline))).row(0, named=True)


def test_the_golden_dataset_is_measured_on_the_old_responses():
    """The golden dataset's part is what the new version makes of the old responses, the pipeline's what is left."""
    old = rows(("1", "P", 0), ("2", "P", 0), ("3", "P", 1), ("4", "P", 0))
    old_on_new = rows(("1", "P", 1), ("2", "P", 0), ("3", "P", 1), ("4", "P", 0))
    new = rows(("1", "P", 1), ("2", "P", 1), ("3", "P", 1), ("4", "P", 0))

    assert part_of(attribute_change(old, old_on_new, new), "P") == {
        PIPELINE: "P",
        START: 0.25,
        QUESTIONS: 0.0,
        GOLDEN_DATASET: 0.25,
        PIPELINES: 0.25,
        END: 0.75,
        "start_n": 4,
        "end_n": 4,
        "shared_n": 4,
    }


def test_questions_of_one_run_alone_are_a_part_of_their_own():
    """What questions that only one run has do to the means is neither the golden dataset's nor the pipeline's doing."""
    old = rows(("1", "P", 1), ("2", "P", 0))
    new = rows(("1", "P", 1), ("3", "P", 1), ("4", "P", 1))

    found = part_of(attribute_change(old, old, new), "P")
    assert (found[START], found[QUESTIONS], found[GOLDEN_DATASET], found[PIPELINES], found[END]) == (0.5, 0.5, 0, 0, 1)
    assert (found["start_n"], found["end_n"], found["shared_n"]) == (2, 3, 1)


@pytest.mark.parametrize("new", [(("1", "P", 1.0), ("2", "P", None)), (("1", "P", 1.0), ("2", "Q", 0.0))])
def test_what_was_not_answered_is_the_pipelines_part(new):
    """A time-out, or no row at all, raises the mean by what the pipeline did, not by other questions."""
    old = rows(("1", "P", 1), ("2", "P", 0), ("2", "Q", 0))
    found = part_of(attribute_change(old, old, rows(*new, ("1", "Q", 0))), "P")

    assert (found[START], found[QUESTIONS], found[GOLDEN_DATASET], found[PIPELINES]) == (0.5, 0, 0, 0.5)


def test_a_fact_that_was_missing_is_the_golden_datasets_part():
    """A question that only the new version can score moves the mean by the golden dataset, not by the questions."""
    old = rows(("1", "P", 1), ("2", "P", None))
    found = part_of(attribute_change(old, rows(("1", "P", 1), ("2", "P", 0)), rows(("1", "P", 1), ("2", "P", 0))), "P")

    assert (found[GOLDEN_DATASET], found[PIPELINES], found[QUESTIONS]) == (-0.5, 0, 0)
    assert (found["start_n"], found["end_n"]) == (1, 2)


def test_pipelines_of_both_runs_are_compared_and_all_of_them_together():
    """A pipeline that only one run has is left out; with several a last row has the mean over their responses."""
    old = rows(("1", "A", 0), ("1", "B", 0), ("1", "old", 1))
    new = rows(("1", "B", 0), ("1", "A", 1), ("1", "new", 1))
    table = attribute_change(old, old, new)

    assert table[PIPELINE].to_list() == ["A", "B", None]
    assert part_of(table, None)[PIPELINES] == 0.5
    assert attribute_change(rows(("1", "old", 1)), rows(("1", "old", 1)), new).is_empty()


def test_runs_without_a_common_question_have_no_parts():
    """Two means may be compared, but nothing says why they differ: the parts are missing, not 0."""
    found = part_of(attribute_change(rows(("1", "P", 1)), rows(("1", "P", 1)), rows(("2", "P", 0))), "P")

    assert (found[START], found[END], found["shared_n"]) == (1, 0, 0)
    assert [found[part] for part in PARTS] == [None, None, None]


def test_a_rewritten_question_is_another_question():
    """A pipeline that is right before and after one of five questions is rewritten changes by nothing in any part,
    though its old response is wrong to the new question."""
    old = rows(*((str(place), "P", 1.0) for place in range(5)))
    text = pl.when(pl.col(QUESTION_ID) == "0").then(pl.lit("Where?")).otherwise(QUESTION).alias(QUESTION)
    old_on_new = rows(*((str(place), "P", float(place > 0)) for place in range(5))).with_columns(text)
    found = part_of(attribute_change(old, old_on_new, old.with_columns(text)), "P")

    assert [found[name] for name in (START, *PARTS, END)] == [1, 0, 0, 0, 1]
    assert found["shared_n"] == 4


@given(st.lists(st.tuples(SCORES, SCORES, SCORES, st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_parts_add_up(drawn: list[tuple[float | None, float | None, float | None, bool, bool]]):
    """Whatever the scores and whichever run has a question: start and parts together are the end."""
    cases = [(f"{place}", f"P{place % 3}", *each) for place, each in enumerate(drawn)]
    old = rows(*((question, name, was) for question, name, was, _, _, here, _ in cases if here))
    old_on_new = rows(*((question, name, now) for question, name, _, now, _, here, _ in cases if here))
    new = rows(*((question, name, then) for question, name, _, _, then, _, here in cases if here))

    found = attribute_change(old, old_on_new, new)
    whole = found.drop_nulls([START, END, *PARTS])
    both = {name for _, name, was, now, then, here, there in cases if here and there and None not in (was, now, then)}

    assert both <= set(whole[PIPELINE])
    for row in whole.iter_rows(named=True):
        assert row[START] + sum(row[part] for part in PARTS) == pytest.approx(row[END], abs=1e-12)
