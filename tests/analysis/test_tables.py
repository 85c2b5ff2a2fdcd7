"""qaviz.analysis.tables: what a run comes to, by pipeline, by question, over the golden dataset and by other tools."""

import polars as pl
import pytest

from qaviz.analysis.tables import (
    ALL_ZERO,
    ANSWERED,
    ANSWERED_WRONGLY,
    DECLINED_RIGHTLY,
    DECLINED_WRONGLY,
    PRECISION_OF_DECLINING,
    RECALL_OF_DECLINING,
    compare_scores,
    declining,
    describe_scores,
    fact_matrix,
    golden_state,
    has_unanswerable,
    matching,
    pipeline_summary,
    score_column,
    their_scores,
    with_text,
)
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import ANSWERABLE, PIPELINE, VERDICT
from tests.analysis.builders import figures_in, matrix_rows, response_row, response_rows
from tests.builders import golden_table

PIPELINES = ("P1", "P2")


def golden_of(questions, **columns):
    return golden_table({c.QUESTION: f"q{place}", c.ANSWER: "a", c.FACT: "f"} | columns for place in range(questions))


def test_summary_counts_what_it_measures():
    """Each share and mean comes with how many it counts; what is not scored is in neither."""
    rows = response_rows(
        [
            response_row("1", "P1", 1.0, **{c.RECALL: 0.8}),
            response_row("2", "P1", 0.0, **{c.RECALL: 0.4}),
            response_row("3", "P1", None, **{c.RECALL: None, c.RESPONSE: " ", c.DIAGNOSIS: Diagnosis.UNSCORED}),
        ]
    )

    (summary,) = pipeline_summary(rows, golden_of(4), ["P1"]).to_dicts()

    assert (summary["expected"], summary["answered"]) == (4, 2)
    assert (summary["fact_hits"], summary["fact_scored"], summary["facts_stated"]) == (1, 2, 0.5)
    assert (summary["closeness"], summary["closeness_n"]) == (pytest.approx(0.6), 2)
    assert (summary["low"], summary["high"]) == pytest.approx((0.0945, 0.9055), abs=1e-4)
    assert [summary[each.value] for each in (Diagnosis.CORRECT, Diagnosis.HALLUCINATION, Diagnosis.UNSCORED)] == [1] * 3


def test_summary_of_nothing_scored_is_null():
    """Where nothing is scored there is no share, no mean and no interval, rather than zero."""
    rows = response_rows([response_row("1", "P1", None, **{c.RECALL: None})])

    (summary,) = pipeline_summary(rows, golden_of(1), ["P1"]).to_dicts()

    assert [summary[name] for name in ("facts_stated", "low", "high", "closeness")] == [None] * 4
    assert (summary["fact_scored"], summary["closeness_n"]) == (0, 0)


def test_summary_keeps_the_runs_order_and_silent_pipelines():
    """Pipelines come in the run's order, and one without any response counts zero responses."""
    summary = pipeline_summary(matrix_rows({"B": "1"}), golden_of(1), ["Silent", "B"])

    assert summary[c.PIPELINE].to_list() == ["Silent", "B"]
    assert summary["answered"].to_list() == [0, 1]


def test_matrix_puts_all_zero_questions_first():
    """Questions whose fact no pipeline states are flagged and come first; the others keep their order."""
    matrix = fact_matrix(matrix_rows({"P1": "1010", "P2": "1000"}), golden_of(4), PIPELINES)

    assert matrix[c.QUESTION_ID].to_list() == ["2", "4", "1", "3"]
    assert matrix[ALL_ZERO].to_list() == [True, True, False, False]
    assert matrix[score_column("P1")].to_list() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("stated", "cells", "all_zero"),
    [
        pytest.param({"P1": "0", "P2": "-"}, [0.0, None], False, id="one zero beside a missing score flags nothing"),
        pytest.param({"P1": "0", "P2": " "}, [0.0, None], False, id="no response is no zero"),
        pytest.param({"P1": "0", "P2": "0"}, [0.0, 0.0], True, id="several zeros"),
        pytest.param({"P1": "-", "P2": "-"}, [None, None], False, id="nothing scored"),
    ],
)
def test_matrix_counts_only_what_is_scored(stated, cells, all_zero):
    """A missing score is null in its cell and counts neither as hit nor as zero."""
    (question,) = fact_matrix(matrix_rows(stated), golden_of(1), PIPELINES).to_dicts()

    assert [question[score_column(name)] for name in PIPELINES] == cells
    assert (question["hits"], question["scored"], question[ALL_ZERO]) == (0, 2 - cells.count(None), all_zero)


def test_matrix_survives_any_pipeline_name():
    """A pipeline may be called like a column of the table."""
    matrix = fact_matrix(matrix_rows({c.QUESTION: "1", "hits": "0"}), golden_of(1), [c.QUESTION, "hits"])

    assert matrix.row(0, named=True)[score_column(c.QUESTION)] == 1.0
    assert matrix.row(0, named=True)[c.QUESTION] == "q0"


def test_matrix_by_another_score():
    """The matrix shows the score it is asked for."""
    rows = response_rows([response_row("1", "P1", 0.0, **{c.FACTUAL_KNOWLEDGE_QUASI_EXACT: 1.0})])

    matrix = fact_matrix(rows, golden_of(1), ["P1"], c.FACTUAL_KNOWLEDGE_QUASI_EXACT)

    assert matrix[score_column("P1")].to_list() == [1.0]


@pytest.mark.parametrize(
    ("filters", "questions"),
    [
        pytest.param({"text": "", "categories": ["c"]}, ["2"], id="category"),
        pytest.param({"text": "NET sales"}, ["1"], id="text, upper or lower case"),
        pytest.param({"text": "12.5 (b"}, ["2"], id="text is no pattern"),
        pytest.param({"text": " "}, ["1", "2"], id="blank text"),
        pytest.param({"text": "net", "categories": ["c"]}, [], id="both filters have to pass"),
    ],
)
def test_matching(filters, questions):
    """A row passes when every filter that is set lets it pass."""
    rows = response_rows(
        [
            response_row("1", "P1", 1.0, **{c.QUESTION: "Which net sales?"}),
            response_row("2", "P2", 0.0, **{c.RESPONSE: "About 12.5 (billion)", c.CATEGORY: "c"}),
        ]
    )

    assert matching(rows, **filters)[c.QUESTION_ID].to_list() == questions


@pytest.mark.parametrize("text", ["net sales", " SALES ", "12.5 (b", "1", "q2", "f", "nowhere", "."])
def test_with_text_finds_what_matching_finds(text):
    """Searching triplets and responses apart finds the rows that searching whole rows finds, in questions, answers,
    facts, ids and responses."""
    golden = golden_table(
        [
            {c.QUESTION: "Which net sales?", c.ANSWER: "a", c.FACT: "134.4"},
            {c.QUESTION: "q2", c.ANSWER: "b", c.FACT: None},
        ]
    )
    responses = pl.DataFrame(
        {
            c.QUESTION_ID: [*golden[c.QUESTION_ID], *golden[c.QUESTION_ID]],
            c.RESPONSE: ["Net sales", None, "f", "About 12.5 (b)"],
        }
    )
    rows = responses.join(golden, on=c.QUESTION_ID, maintain_order="left")

    assert rows.filter(with_text(rows, golden, text)).equals(matching(rows, text))


def test_golden_state():
    """The golden dataset's gaps are counted in triplets, and a single scored pipeline says nothing of a question."""
    golden = golden_table([{c.FACT: "f", c.ANSWER: "a"}, {c.FACT: " "}, {c.ANSWER: "a", c.FACT: "f"}, {c.FACT: "f"}])
    matrix = fact_matrix(matrix_rows({"P1": "1-00", "P2": "1-0 "}), golden, PIPELINES)

    state = golden_state(golden, matrix)

    assert (state.triplets, state.without_fact, state.without_answer) == (4, 1, 2)
    assert (state.never_stated, state.always_stated) == (1, 1)
    third = fact_matrix(matrix_rows({"P1": "1-00", "P2": "1-0 ", "P3": " -  "}), golden, [*PIPELINES, "P3"])
    assert golden_state(golden, third).always_stated == 0  # P3 has no response


ROWS = [
    *[("A", None, "correct"), ("A", True, "incorrect"), ("A", True, "declined")],
    *[("A", False, "declined"), ("A", False, "declined"), ("A", False, "incorrect"), ("A", False, "unsure")],
    *[("B", True, "correct"), ("B", False, "incorrect")],
]


def test_counts_precision_and_recall():
    """The four counts of each pipeline, and the two shares; a pipeline that never declines has no precision."""
    table = declining(pl.DataFrame(ROWS, schema=[PIPELINE, ANSWERABLE, VERDICT], orient="row")).to_dicts()
    first, second = table

    assert [first[name] for name in (ANSWERED, DECLINED_WRONGLY, ANSWERED_WRONGLY, DECLINED_RIGHTLY)] == [2, 1, 2, 2]
    assert (first[PRECISION_OF_DECLINING], first[RECALL_OF_DECLINING]) == (2 / 3, 0.5)
    assert (second[PRECISION_OF_DECLINING], second[RECALL_OF_DECLINING]) == (None, 0)


def test_only_marked_questions_are_unanswerable():
    """A golden dataset without a mark, or with answerable questions alone, has no table."""
    assert has_unanswerable(golden_table([{ANSWERABLE: False}, {}]))
    assert not has_unanswerable(golden_table([{ANSWERABLE: True}, {}]))


SCORES = pl.List(pl.Struct({"name": pl.String, "value": pl.Float64, "error": pl.String}))
THEIR_ROWS = pl.DataFrame(
    {
        "question_id": ["1", "2", "3", "4"],
        "pipeline": ["A", "A", "A", "B"],
        "diagnosis": ["correct", "off target", "unscored", "correct"],
        "verdict": ["correct", "incorrect", "unsure", "correct"],
        "their_scores": [
            [{"name": "faith", "value": 1.0, "error": None}, {"name": "tone", "value": 4.0, "error": None}],
            [{"name": "faith", "value": 0.25, "error": None}],
            [{"name": "faith", "value": None, "error": "NaN"}],
            None,
        ],
    },
    schema_overrides={"their_scores": SCORES},
)


def test_each_score_has_its_row():
    """A score is a row with its response's verdict; one that is missing has its reason; no score, no row."""
    assert their_scores(THEIR_ROWS).select("question_id", "score", "value", "why_not", "verdict").rows() == [
        ("1", "faith", 1.0, None, "correct"),
        ("1", "tone", 4.0, None, "correct"),
        ("2", "faith", 0.25, None, "incorrect"),
        ("3", "faith", None, "NaN", "unsure"),
    ]


def test_rows_of_an_earlier_release_have_none():
    """Rows without the column have no such scores, in the same columns."""
    empty = their_scores(THEIR_ROWS.drop("their_scores"))
    assert empty.is_empty()
    assert empty.schema == their_scores(THEIR_ROWS).schema


def test_a_mean_says_how_many_it_counts():
    """Means leave missing scores out and say so; by verdict they count only responses with that verdict."""
    faith, tone = describe_scores(compare_scores(their_scores(THEIR_ROWS)))
    assert faith.startswith('faith, pipeline "A"')
    assert figures_in(faith) == ["0.625", "2", "1", "1", "1", "0.25", "1"]
    assert figures_in(tone) == ["4", "1", "4", "1"]
