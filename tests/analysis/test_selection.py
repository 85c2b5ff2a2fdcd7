"""Lists of responses: what passes is what filtering whole tables gives, and their order."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from benchmarks.generate import table
from qaviz.analysis.selection import (
    MOST_CATEGORIES,
    RANGED,
    Passing,
    ResponseOrder,
    classes_of,
    find_worst,
    groups_of,
    in_response_order,
)
from qaviz.diagnosis import diagnose
from qaviz.loading import Source, load
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Diagnosis, Fault, Verdict
from qaviz.scoring import score
from tests.analysis.builders import listed_all, response_row, response_rows

SAMPLE = Path(__file__).parents[2] / "sample_data"
CLASSES = (c.DIAGNOSIS, c.VERDICT, c.FAULT)

picks = st.fixed_dictionaries(
    {},
    optional={
        c.DIAGNOSIS: st.lists(st.sampled_from([each.value for each in Diagnosis]), min_size=1, max_size=3),
        c.VERDICT: st.lists(st.sampled_from([each.value for each in Verdict]), min_size=1, max_size=2),
        c.FAULT: st.lists(st.sampled_from([each.value for each in Fault]), min_size=1, max_size=2),
        c.PIPELINE: st.lists(st.sampled_from(["Pipeline1", "Pipeline2"]), min_size=1, max_size=2),
    },
)


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    """The sample's and generated responses, in chunks as an open run has them."""
    loaded = load(Source.of(SAMPLE / "golden.jsonl"), [Source.of(SAMPLE / "responses.jsonl")])
    generated = table(120, pipelines=2).with_columns(pl.col(c.PIPELINE).replace({"P0": "Pipeline1", "P1": "Pipeline2"}))
    both = diagnose(score(pl.concat([loaded.rows, generated], how="diagonal")))
    return pl.concat([both.slice(start, 40) for start in range(0, both.height, 40)], rechunk=False)


def passing(rows: pl.DataFrame) -> Passing:
    return Passing(rows=rows, classes=classes_of(rows, rows, rows[c.PIPELINE].unique(maintain_order=True).to_list()))


@settings(max_examples=30)
@given(picked=picks, start=st.integers(0, 60))
def test_what_passes_is_what_filtering_rows_gives(rows: pl.DataFrame, picked, start):
    """Whatever is picked: the page, the classes and their order are those of the whole table."""
    expected, found = rows, passing(rows)
    for column, values in picked.items():
        expected, found = expected.filter(pl.col(column).is_in(values)), found.where(column, values)

    page = found.slice(start, 25)
    assert found.height == expected.height
    assert_frame_equal(page, expected.slice(start, 25).select(page.columns))
    columns = [c.QUESTION_ID, c.PIPELINE, *CLASSES, c.PRECISION]
    assert_frame_equal(found.select(columns).cast(dict.fromkeys((c.PIPELINE, *CLASSES), pl.String)), expected[columns])


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.3), (0.3, 0.7), (0.7, 1.0), (0.25, 0.255)])
@pytest.mark.parametrize("name", RANGED)
def test_a_range_has_what_filtering_has(rows: pl.DataFrame, name: str, low: float, high: float):
    """A range goes from its lower end up to, without, its upper one, but for 1; of what has no figure, none is in."""
    narrowed = passing(rows).within({name: (low, high)})

    figure = pl.col(RANGED[name])
    expected = rows.filter(figure >= low, figure <= 1 if high == 1 else figure < high)
    assert narrowed.select([c.QUESTION_ID]).rows() == expected.select(c.QUESTION_ID).rows()


@pytest.mark.parametrize(("groups", "named"), [(3, 3), (MOST_CATEGORIES, MOST_CATEGORIES), (MOST_CATEGORIES + 1, 0)])
def test_too_many_categories_are_no_groups(groups: int, named: int):
    """A category for each question is another id: nobody picks one of thousands from a list."""
    golden = pl.DataFrame({c.CATEGORY: [None, *map(str, range(groups))]})

    assert len(groups_of(golden)) == named


def ids_of(listed):
    return listed.select([c.QUESTION_ID])[c.QUESTION_ID].to_list()


@pytest.mark.parametrize(
    ("order", "ids"),
    [
        (ResponseOrder.FILES, ["b", "a", "c", "a"]),
        (ResponseOrder.QUESTION, ["a", "a", "b", "c"]),
        (ResponseOrder.UNCERTAIN, ["a", "c", "b", "a"]),
        (ResponseOrder.CLOSENESS, ["c", "b", "a", "a"]),
        (ResponseOrder.CONCISENESS, ["a", "b", "c", "a"]),
    ],
)
def test_order(order, ids):
    """Lowest first, what has no value last, equals as in the files."""
    rows = response_rows(
        response_row(each, "P", **{c.RECALL: recall, c.PRECISION: precision})
        for each, recall, precision in (("b", 0.5, 0.2), ("a", 0.7, 0.1), ("c", 0.1, 0.2), ("a", None, None))
    ).with_columns(pl.Series(c.CONFIDENCE, [0.9, 0.3, 0.8, None]))

    assert ids_of(in_response_order(listed_all(rows), order)) == ids


def test_worst_first():
    """By what a response costs times how sure its verdict is, a critical question twice; right ones last, a right
    refusal too; in a part of a list as in all of it."""
    right, wrong, unsure, declined = Diagnosis.CORRECT, Diagnosis.HALLUCINATION, Diagnosis.UNSCORED, Diagnosis.DECLINED
    cases = (
        ("alone", "P", wrong, 0.6),
        ("both", "P", right, 0.99),
        ("both", "Q", wrong, 0.7),
        ("open", "P", unsure, 0.4),
        ("none", "P", declined, 0.9),
        ("sure", "P", wrong, 0.95),
        ("surer", "P", wrong, 0.97),
        ("refused", "P", declined, 0.98),
    )
    rows = response_rows(
        response_row(question, name, **{c.DIAGNOSIS: diagnosis}) for question, name, diagnosis, _ in cases
    )
    rows = rows.with_columns(
        pl.Series(c.TAGS, [None, "critical", "critical", None, None, None, None, None], pl.String),
        pl.Series(c.ANSWERABLE, [None] * 7 + [False], pl.Boolean),
        pl.Series(c.VERDICT, [VERDICT_OF[diagnosis].value for _, _, diagnosis, _ in cases], pl.String),
    )
    listed = listed_all(rows.with_columns(pl.Series(c.CONFIDENCE, [sure for *_, sure in cases])))
    order = ["both", "surer", "sure", "alone", "none", "open", "refused", "both"]

    assert ids_of(in_response_order(listed, ResponseOrder.WORST)) == order
    some = listed.at(pl.Series([0, 3, 6]))
    assert ids_of(in_response_order(some, ResponseOrder.WORST)) == ["surer", "alone", "open"]


def test_the_five_worst_are_wrong_answers_to_five_questions_that_nobody_overrules():
    """The surest first; of one question the worse one, none that a person calls right, none without an answer."""
    wrong, declined = Diagnosis.HALLUCINATION, Diagnosis.DECLINED
    cases = [(f"q{n}", "P", wrong, 0.9 - n / 100) for n in range(7)]
    cases += [("q0", "Q", wrong, 0.95), ("none", "P", declined, 0.99), ("right", "P", Diagnosis.CORRECT, 0.99)]
    rows = response_rows(response_row(question, name, **{c.DIAGNOSIS: kind}) for question, name, kind, _ in cases)
    rows = rows.with_columns(
        pl.Series(c.VERDICT, [VERDICT_OF[kind].value for _, _, kind, _ in cases], pl.String),
        pl.Series(c.CONFIDENCE, [sure for *_, sure in cases]),
    )
    listed = listed_all(rows)
    order, overruled = find_worst(listed.rows, listed.classes), rows[c.QUESTION_ID] == "q2"
    places = listed.find_five_worst(order, overruled)

    assert rows[places].select(c.QUESTION_ID, c.PIPELINE).rows() == [
        ("q0", "Q"),
        *((f"q{n}", "P") for n in (1, 3, 4, 5)),
    ]
    assert listed.at(pl.Series([6, 2, 8])).find_five_worst(order, overruled).to_list() == [6]
