"""qaviz.analysis.tables: what a run comes to, by pipeline, by question, over the golden dataset and by other tools."""

import polars as pl
import pytest

from qaviz.analysis.tables import describe_scores, golden_sentences, matching, pipeline_summary, their_scores, with_text
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from tests.analysis.builders import matrix_rows, response_row, response_rows
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
    assert (summary["fact_hits"], summary[c.FACTUAL_KNOWLEDGE], summary[f"{c.FACTUAL_KNOWLEDGE}_n"]) == (1, 0.5, 2)
    assert (summary[c.RECALL], summary[f"{c.RECALL}_n"]) == (pytest.approx(0.6), 2)
    assert [summary[each.value] for each in (Diagnosis.CORRECT, Diagnosis.HALLUCINATION, Diagnosis.UNSCORED)] == [1] * 3


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


def test_what_a_run_says_of_its_golden_dataset():
    """Its gaps are counted in triplets, and a single scored pipeline says nothing of a question."""
    golden = golden_table([{c.FACT: "f", c.ANSWER: "a"}, {c.FACT: " "}, {c.ANSWER: "a", c.FACT: "f"}, {c.FACT: "f"}])
    never, always, *gaps = golden_sentences(golden, matrix_rows({"P1": "1-00", "P2": "1-0 "}), PIPELINES)

    assert never == "1 of 3 facts is stated by no pipeline. Check those questions first."
    assert always == "1 of 3 facts is stated by every pipeline, so they tell no pipelines apart."
    assert gaps == [
        "1 of 4 triplets have no fact, so Factual Knowledge excludes them.",
        "2 of 4 triplets have no golden answer.",
    ]
    third = matrix_rows({"P1": "1-00", "P2": "1-0 ", "P3": " -  "})
    assert golden_sentences(golden, third, [*PIPELINES, "P3"]) == [never, *gaps]  # P3 has no response
    sound, silent = (
        golden_sentences(golden_of(2), matrix_rows({"P1": marks, "P2": "00"}), PIPELINES) for marks in ("11", "00")
    )
    assert sound == ["All 2 triplets have an answer and a fact."]
    assert silent == ["2 of 2 facts are stated by no pipeline. Check those questions first."]


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


def test_a_mean_says_how_many_it_counts():
    """Means leave missing scores out and say so."""
    assert list(describe_scores(their_scores(THEIR_ROWS))) == [
        'faith, pipeline "A": mean 0.625 over 2, 1 missing.',
        'tone, pipeline "A": mean 4 over 1.',
    ]
