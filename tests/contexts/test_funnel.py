"""The way of a question to a right answer, and where it ends."""

import polars as pl
import pytest

from qaviz.contexts.funnel import describe_funnel, explain_moves, measure_funnel, word_loss
from qaviz.model import columns as c

KINDS = {
    "right": ("correct", None, True, True, 1, True),
    "documents": ("declined", "documents", False, False, None, False),
    "retriever": ("incorrect", "retriever", True, False, None, False),
    "too low": ("incorrect", "retriever", True, True, 9, False),
    "not used": ("declined", "generator", True, True, 1, False),
    "misread": ("incorrect", "generator", True, True, 1, True),
    "unknown": ("incorrect", None, None, None, None, None),
}
"""Verdict, fault, in documents, hit, rank and used of a response."""
SCHEMA = {
    c.QUESTION_ID: pl.String,
    c.PIPELINE: pl.String,
    c.VERDICT: pl.String,
    c.FAULT: pl.String,
    c.IN_DOCUMENTS: pl.Boolean,
    c.RETRIEVAL_HIT: pl.Boolean,
    c.RETRIEVAL_RANK: pl.Int32,
    c.CONTEXT_USED: pl.Boolean,
}


def make_rows(*kinds: str, pipeline: str = "P") -> pl.DataFrame:
    """A response of each kind, to a question each."""
    return pl.DataFrame(
        [(str(place), pipeline, *KINDS[kind]) for place, kind in enumerate(kinds)], SCHEMA, orient="row"
    )


def test_a_funnel_counts_each_step_and_of_how_many_it_is_known():
    """Each step counts the responses that took it; what is not known counts nowhere, and null where nothing is."""
    (row,) = describe_funnel(make_rows(*KINDS))

    assert {name: row[name] for name in ("questions", "in_documents", "retrieved", "in_top_k", "used", "right")} == {
        "questions": 7,
        "in_documents": 5,
        "retrieved": 4,
        "in_top_k": 3,
        "used": 2,
        "right": 1,
    }
    assert row["known"] == {"in_documents": 6, "retrieved": 6, "in_top_k": 4, "used": 6, "right": 7}
    assert row["lost"] == {"in_documents": 1, "retrieved": 1, "in_top_k": 1, "used": 1, "right": 1}
    (unknown,) = describe_funnel(make_rows("unknown"))
    assert (unknown["in_documents"], unknown["retrieved"], unknown["used"], unknown["right"]) == (None, None, None, 0)


def test_runs_of_earlier_versions_have_a_funnel_of_right_answers_alone():
    """Without a column of contexts each step is null, and none loses."""
    row = measure_funnel(make_rows("right", "retriever").select([*SCHEMA][:4])).row(0, named=True)
    assert (row["retrieved"], row["right"]) == (None, 1)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("documents", "“fact in documents”: 2 of 4 responses"),
        ("retriever", "“retrieved”: 2 of 4 responses; 2 have no passage"),
        ("too low", "“retrieved”: 2 of 4 responses; 2 have that passage below the top 4"),
        ("not used", "“used”: 2 of 4 responses"),
        ("misread", "“right answers”: 2 of 4 responses"),
    ],
)
def test_a_sentence_names_the_step_that_loses_most(kind, words):
    """It names the step and how many it loses, and promises nothing of what mending it gains."""
    sentence = str(describe_funnel(make_rows("right", "right", kind, kind))[0]["sentence"])
    assert words in sentence
    assert "points" not in sentence


def test_retrieval_counts_once():
    """8 not retrieved and 3 at rank 9 are 11 of retrieval, more than 9 used wrongly; without documents their fault is
    open, and the sentence says what else it may be."""
    rows = make_rows(*["retriever"] * 8, *["too low"] * 3, *["not used"] * 9)
    assert "“retrieved”: 11 of 20 responses; 8 have no" in str(describe_funnel(rows)[0]["sentence"])
    unknown = rows.with_columns(pl.lit(None, pl.Boolean).alias(c.IN_DOCUMENTS))
    assert "retriever, golden dataset or documents" in word_loss(unknown, "P")


def test_steps_are_compared_by_question():
    """A step that one pipeline takes on ten questions and the other does not is fewer by more than chance."""
    now, before = make_rows(*["retriever"] * 10, "right"), make_rows(*["right"] * 11)
    ((fell, sentence), *_) = explain_moves(now, before)
    assert fell
    assert "“retrieved” fell: of 11 questions 10 lost it and 0 gained it (p = 0.010)" in sentence
    assert [fell for fell, _ in explain_moves(before, now)] == [False] * 2
    assert not list(explain_moves(now, now))
