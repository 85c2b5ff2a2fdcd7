"""Pipelines against each other: the seed table, coverage, repeats, categories, and the sentences."""

import polars as pl
import pytest

from qaviz.analysis.comparison import format_signed, rounded_up, seen_from
from qaviz.analysis.estimates import compare_categories, deciding
from qaviz.analysis.outcomes import average_by_question, score_questions
from qaviz.model.columns import CATEGORY, FACTUAL_KNOWLEDGE, PRECISION, QUESTION_ID, RECALL, VERDICT
from qaviz.stats import Compared
from tests.analysis.builders import asked_of, figures_in, matrix_rows, response_row, response_rows, settled_rows
from tests.analysis.builders import compared as compare

SEED_TABLE = {"Pipeline1": "1111111100", "Pipeline2": "1111000000", "Pipeline3": "1111100000"}


def facts(stated, pipelines=None):
    """The comparison by facts of rows drawn as a picture, one dict a pair."""
    compared = compare(matrix_rows(stated), pipelines or list(stated))
    return compared.filter(pl.col("metric") == FACTUAL_KNOWLEDGE).to_dicts()


def scored(rows, metric):
    """The scores of A and B by this metric."""
    return score_questions(settled_rows(rows), ("A", "B"), (metric,), asked_of(rows))


def graded_rows(scores):
    """Rows from closeness scores: for each pipeline its questions in turn."""
    return response_rows(
        response_row(str(place), pipeline, 1.0, **{RECALL: value})
        for pipeline, values in scores.items()
        for place, value in enumerate(values)
    )


def test_the_seed_table():
    """Pipelines that state 8, 4 and 5 of 10 facts differ with p = 0.125, 0.25 and 1: no difference is known."""
    pairs = facts(SEED_TABLE)

    assert [(row["first"], row["second"]) for row in pairs] == [
        ("Pipeline1", "Pipeline2"),
        ("Pipeline1", "Pipeline3"),
        ("Pipeline2", "Pipeline3"),
    ]
    assert [(row["mean_first"], row["mean_second"]) for row in pairs] == [(0.8, 0.4), (0.8, 0.5), (0.4, 0.5)]
    assert [(row["wins"], row["losses"], row["ties"]) for row in pairs] == [(4, 0, 6), (3, 0, 7), (0, 1, 9)]
    assert [row["p"] for row in pairs] == [0.125, 0.25, 1.0]
    assert [row["p_holm"] for row in pairs] == [0.375, 0.5, 1.0]
    assert {row["decision"] for row in pairs} == {Compared.TOO_FEW_QUESTIONS.value}
    assert pairs[0]["sentence"].startswith("Too few questions to tell Pipeline1 from Pipeline2")
    assert figures_in(pairs[0]["sentence"]) == ["1", "2", "8", "10", "4", "14"]


MANY, FEW = "1" * 30 + "0" * 10, "1" * 10 + "0" * 30
SENTENCES = {
    (MANY, FEW): "A is better than B: 30 of 40 facts stated against 10. Unlikely to be chance.",
    (FEW, MANY): "A is worse than B: 10 of 40 facts stated against 30. Unlikely to be chance.",
    ("1" * 150 + "0" * 50, "0" + "1" * 148 + "0" * 51): "No clear difference between A and B: 150 of 200 facts stated "
    "against 148. The test would probably have found a gap of 3.9 points or more.",
    ("1100", "1100"): "Too few questions to tell A from B: 2 of 4 facts stated against 2.",
    ("11--", "--11"): "A and B share no scored question, so they cannot be compared.",
}


@pytest.mark.parametrize(("pictures", "sentence"), SENTENCES.items())
def test_each_decision_has_its_sentence(pictures, sentence):
    """Each word of the vocabulary, or that there is none, is said in a sentence that needs no statistics."""
    (row,) = facts(dict(zip("AB", pictures, strict=True)))

    assert row["sentence"] == sentence


@pytest.mark.parametrize(("first", "labels"), [("1111100000", True), ("1111111110", False)])
def test_more_questions_alone_are_asked_only_beyond_the_error_of_words(first, labels):
    """A gap of a few points may be the verdicts' own error, which no number of questions takes away."""
    compared = compare(matrix_rows({"A": first, "B": "0111100000"}), ["A", "B"])
    (row,) = compared.filter(pl.col("metric") == VERDICT).to_dicts()

    assert (abs(row["difference"]) <= row["error"], "labels" in row["sentence"]) == (labels, labels)


def test_only_common_questions_are_compared():
    """Each pipeline's scored questions are counted, and the comparison is over those that both have."""
    (row,) = facts({"A": "1110--", "B": "10 111"})

    assert (row["n_first"], row["n_second"], row["paired"]) == (4, 5, 3)
    assert (row["mean_first"], row["mean_second"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))


def test_nothing_in_common_is_null():
    """Without a common question there is no figure, not a zero."""
    (row,) = facts({"A": "11--", "B": "--11"})

    nulls = {name for name, value in row.items() if value is None}
    assert nulls == {
        *("mean_first", "mean_second", "most_first", "most_second", "difference", "low", "high"),
        *("p", "p_holm", "detectable", "needed", "error", "labels_needed", "confidence"),
    }


def test_repeats_that_differ_are_averaged():
    """A question that is answered right once of two times counts half, and then no longer as a count of facts."""
    rows = response_rows(
        [response_row("1", "A", 1.0), response_row("1", "A", 0.0), response_row("1", "B", 0.0)]
        + [response_row(str(place), name, 1.0) for place in range(2, 9) for name in "AB"]
    )
    row = compare(rows, ["A", "B"]).row(1, named=True)

    assert average_by_question(rows, ["A"], (FACTUAL_KNOWLEDGE,), asked_of(rows)).of(FACTUAL_KNOWLEDGE, "A")[0] == 0.5
    assert (row["paired"], row["wins"], row["difference"]) == (8, 1, 0.5 / 8)
    assert {"94%", "88%", "8"} <= {*figures_in(row["sentence"])}


def test_categories_are_compared_apart():
    """Each category has its row, the largest first, and the correction is over the categories."""
    rows = response_rows(
        response_row(str(place), name, float(name == "A"), **{CATEGORY: "income" if place < 8 else "people"})
        for place in range(12)
        for name in "AB"
    )
    scores, categories = scored(rows, FACTUAL_KNOWLEDGE), rows.unique(QUESTION_ID, maintain_order=True)[CATEGORY]
    found = compare_categories(scores, FACTUAL_KNOWLEDGE, ("A", "B"), categories)

    assert found.select(CATEGORY, "paired", "wins").rows() == [("income", 8, 8), ("people", 4, 4)]
    assert found["p_holm"].to_list() == pytest.approx([2 * 2 / 2**8, 2 / 2**4])


def test_the_questions_that_decide():
    """Where two pipelines differ, and by how much, the widest first; ties and unscored questions are not among them."""
    rows = graded_rows({"A": [0.5, 0.9, 0.2, None], "B": [0.5, 0.8, 0.8, 0.1]})

    found = deciding(scored(rows, RECALL), RECALL, "A", "B")

    assert found[QUESTION_ID].to_list() == ["2", "1"]
    assert found["difference"].to_list() == pytest.approx([-0.6, 0.1])


@pytest.mark.parametrize(("number", "rounded"), [(1, 1), (99, 99), (101, 110), (1_234, 1_300), (20_000, 20_000)])
def test_numbers_of_questions_are_rounded_up(number, rounded):
    """A rough number reads as one, and promises no less than it is."""
    assert rounded_up(number) == rounded


@pytest.mark.parametrize(
    ("metric", "value", "text"),
    [
        (FACTUAL_KNOWLEDGE, 0.4, "+40.0"),
        (FACTUAL_KNOWLEDGE, -0.125, "−12.5"),
        (PRECISION, -0.05, "−0.05"),
        (PRECISION, 0.001, "0.00"),
        (VERDICT, 0.0, "0.0"),
        (RECALL, None, "–"),
    ],
)
def test_differences_have_a_sign(metric, value, text):
    """Shares differ in points of a hundred, with one decimal, scores in hundredths; what rounds to none has no sign."""
    assert format_signed(metric, value) == text


@pytest.mark.parametrize("metric", [FACTUAL_KNOWLEDGE, RECALL])
def test_seen_from_the_other_side(metric):
    """A pair seen from its second pipeline is the pair that the other order of the pipelines gives."""
    rows = matrix_rows({"A": "1" * 30 + "0-", "B": "1" * 10 + "0" * 22})
    ahead, behind = (
        compare(rows, names).row(by_predicate=pl.col("metric") == metric, named=True) for names in ("AB", "BA")
    )

    assert seen_from(ahead, "A") == ahead
    turned = seen_from(ahead, "B")
    assert {name: value for name, value in turned.items() if not isinstance(value, float)} == {
        name: value for name, value in behind.items() if not isinstance(value, float)
    }
    floats = [name for name, value in behind.items() if isinstance(value, float)]
    assert [turned[name] for name in floats] == pytest.approx([behind[name] for name in floats])
