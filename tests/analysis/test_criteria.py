"""Acceptance criteria: met, not met, or not shown; and what is missing never counts as met."""

import polars as pl
import pytest

from qaviz.analysis.criteria import in_scope, meets
from qaviz.analysis.outcomes import tabulate
from qaviz.analysis.policy import Outcome
from qaviz.model.classes import Diagnosis, Measure
from qaviz.model.columns import CATEGORY, FACT, RECALL, TAGS
from qaviz.model.records import Criterion
from qaviz.stats import wilson
from tests.analysis.builders import figures_in, golden_of, matrix_rows, response_row, response_rows


def evaluate_rows(rows, golden, pipelines, criteria):
    """`evaluate` of a run's rows without labels."""
    return meets(tabulate(rows, golden["question_id"]), golden, pipelines, criteria)


def of_facts(picture, bound, questions=None):
    """What is known of a share of facts."""
    golden = golden_of(questions or len(picture))
    criteria = [Criterion(measure=Measure.FACTS_STATED, bound=bound)]
    return evaluate_rows(matrix_rows({"A": picture}), golden, ["A"], criteria).row(0, named=True)


@pytest.mark.parametrize(
    ("picture", "bound", "outcome"),
    [
        pytest.param("1" * 100, 0.9, Outcome.MET, id="all of the interval is above"),
        pytest.param("1" * 10, 0.9, Outcome.NOT_SHOWN, id="ten of ten are too few to show 90 %"),
        pytest.param("1" * 8 + "0" * 2, 0.9, Outcome.NOT_SHOWN, id="eight of ten may still be 90 %"),
        pytest.param("1" * 3 + "0" * 7, 0.9, Outcome.NOT_MET, id="three of ten cannot"),
        pytest.param("1" * 3, 1.0, Outcome.MET, id="every one of these very questions"),
        pytest.param("110", 1.0, Outcome.NOT_MET, id="one of these very questions fails"),
        pytest.param("11-", 1.0, Outcome.NOT_SHOWN, id="one of these very questions is not scored"),
        pytest.param("11 ", 1.0, Outcome.NOT_SHOWN, id="one of these very questions has no response"),
        pytest.param("1" * 80 + " " * 20, 0.9, Outcome.NOT_SHOWN, id="what is missing could have failed"),
        pytest.param("0" * 80 + " " * 20, 0.3, Outcome.NOT_MET, id="even if what is missing had passed"),
    ],
)
def test_outcomes(picture, bound, outcome):
    """The interval decides, and the questions without a score are counted for and against."""
    assert of_facts(picture, bound)["outcome"] == outcome.value


def test_the_figures_of_a_criterion():
    """The interval is Wilson's, widened by what is missing; the sentence says it with the coverage."""
    row = of_facts("1" * 8 + "0" * 2, 0.9)
    missing = of_facts("1" * 8 + "  ", 0.9)

    assert (row["value"], row["scored"], row["expected"]) == (0.8, 10, 10)
    assert (row["low"], row["high"]) == pytest.approx(wilson(8, 10))
    assert (missing["low"], missing["high"]) == pytest.approx((wilson(8, 10)[0], 1.0))
    assert figures_in(row["sentence"]) == ["80%", "95%", "49", "95%", "10", "90%"]
    assert all(row[name] in row["sentence"] for name in ("pipeline", "measure", "scope", "outcome"))


@pytest.mark.parametrize(
    ("measure", "bound", "outcome"),
    [
        pytest.param(Measure.CLOSENESS, 0.4, Outcome.MET, id="a mean of scores"),
        pytest.param(Measure.CONCISENESS, 0.6, Outcome.NOT_MET, id="a mean below"),
    ],
)
def test_means_of_scores(measure, bound, outcome):
    """Measures that are means of scores go by their mean."""
    rows = response_rows(
        response_row(str(place), "A", diagnosis=Diagnosis.HALLUCINATION if place <= 10 else Diagnosis.CORRECT, **scores)
        for place in range(1, 101)
        for scores in [{RECALL: 0.4 + place / 500}]
    )
    criteria = [Criterion(measure=measure, bound=bound)]

    assert evaluate_rows(rows, golden_of(100), ["A"], criteria)["outcome"].to_list() == [outcome.value]


def test_a_criterion_is_about_its_category_and_tag():
    """Only the questions of the category and with the tag count, however the tag is written among others."""
    golden = golden_of(
        4, **{CATEGORY: ["income", "income", "people", None], TAGS: ["Critical", "x; critical ;y", "critical", None]}
    )
    criterion = Criterion(measure=Measure.FACTS_STATED, bound=1.0, category="income", tag="critical")

    assert in_scope(golden, criterion)["question_id"].to_list() == ["1", "2"]
    found = evaluate_rows(matrix_rows({"A": "1100", "B": "1011"}), golden, ["A", "B"], [criterion])
    assert found.select("pipeline", "expected", "outcome").rows() == [("A", 2, "met"), ("B", 2, "not met")]
    assert found["scope"].to_list() == ["category income, tagged critical"] * 2


def test_only_questions_that_can_be_scored_are_expected():
    """A triplet without a fact is no gap in the facts stated: the three that have one are all there is to reach. A
    verdict is expected of all four."""
    golden = golden_of(4).with_columns(pl.Series(FACT, ["x", "x", "x", " "]))
    criteria = [Criterion(measure=each, bound=1.0) for each in (Measure.FACTS_STATED, Measure.CORRECT)]
    rows = evaluate_rows(matrix_rows({"A": "111-"}), golden, ["A"], criteria)

    assert rows.select("scored", "expected", "outcome").rows()[0] == (3, 3, "met")
    assert rows["expected"].to_list() == [3, 4]


def test_a_scope_without_questions_shows_nothing():
    """A tag that no triplet has is not met by being empty."""
    criterion = Criterion(measure=Measure.FACTS_STATED, bound=0.5, tag="nobody")
    row = evaluate_rows(matrix_rows({"A": "11"}), golden_of(2), ["A"], [criterion]).row(0, named=True)

    assert (row["outcome"], row["value"], row["low"]) == (Outcome.NOT_SHOWN.value, None, None)
    assert "no question in scope" in row["sentence"]
    assert figures_in(row["sentence"]) == ["50%"]


@pytest.mark.parametrize(
    ("own", "base", "measure", "margin", "outcome"),
    [
        pytest.param("1" * 180 + "0" * 20, "1" * 180 + "0" * 20, Measure.FACTS_STATED, 0.05, Outcome.MET, id="same"),
        pytest.param("1" * 120 + "0" * 80, "1" * 180 + "0" * 20, Measure.FACTS_STATED, 0.05, Outcome.NOT_MET, id="far"),
        pytest.param("1" * 17 + "000", "1" * 18 + "00", Measure.FACTS_STATED, 0.05, Outcome.NOT_SHOWN, id="too few"),
        pytest.param("1" * 200, "0" * 200, Measure.HALLUCINATIONS, 0.01, Outcome.MET, id="less is better"),
        pytest.param("0" * 200, "1" * 200, Measure.HALLUCINATIONS, 0.01, Outcome.NOT_MET, id="more is worse"),
        pytest.param(
            "1" * 150 + "-" * 50, "1" * 180 + "0" * 20, Measure.FACTS_STATED, 0.1, Outcome.NOT_SHOWN, id="open"
        ),
    ],
)
def test_a_guardrail_is_not_worse_by_more_than_its_margin(own, base, measure, margin, outcome):
    """The low end of the paired difference decides, what is open at its worst; the other pipeline itself is met."""
    rows = matrix_rows({"A": own, "B": base})
    criterion = Criterion(measure=measure, bound=margin, than="B")
    found = evaluate_rows(rows, golden_of(len(own)), ["A", "B"], [criterion])

    assert found["outcome"].to_list() == [outcome.value, Outcome.MET.value]
    assert found["than"].to_list() == ["B", "B"]


def test_the_margin_of_a_guardrail_in_figures():
    """18 right against 20 of 200, 8 won and 10 lost: -1.0 points in Bonett and Price's interval, worked by hand."""
    own = "1" * 8 + "0" * 10 + "1" * 10 + "0" * 172
    base = "0" * 8 + "1" * 10 + "1" * 10 + "0" * 172
    criterion = Criterion(measure=Measure.FACTS_STATED, bound=0.05, than="B")
    row = evaluate_rows(matrix_rows({"A": own, "B": base}), golden_of(200), ["A"], [criterion]).row(0, named=True)
    gap, spread = (9 - 11) / 202, ((9 + 11) / 202 - (2 / 202) ** 2) / 202

    assert row["value"] == pytest.approx(-0.01)
    assert row["low"] == pytest.approx(gap - 1.959964 * spread**0.5)
    assert "-1.0 points" in row["sentence"]
    assert "at most 5 points worse than B" in row["sentence"]


def test_a_guardrail_without_its_pipeline_shows_nothing():
    """Where the run has no such pipeline, that is said, and nothing is shown."""
    criterion = Criterion(measure=Measure.FACTS_STATED, bound=0.05, than="gone")
    row = evaluate_rows(matrix_rows({"A": "1"}), golden_of(1), ["A"], [criterion]).row(0, named=True)

    assert row["outcome"] == Outcome.NOT_SHOWN.value
    assert "no pipeline gone" in row["sentence"]
