"""Responses find their questions by id or text; whatever does not is listed, and nothing is lost."""

import polars as pl
import pytest

from qaviz.loading import Source, listed_counts, load
from qaviz.loading.align import UNANSWERED_LIMIT
from qaviz.model.columns import GOLDEN_COLUMNS, PIPELINE, QUESTION, QUESTION_ID, RESPONSE, RESPONSE_COLUMNS
from tests.loading.files import entries, facts, jsonl, upload

GOLDEN = jsonl(
    "g.jsonl",
    {"question_id": "q1", "question": "How many shares?", "answer": "Ten.", "fact": "10", "category": "shares"},
    {"question_id": "q2", "question": "How much?", "answer": "Two.", "fact": "2"},
    {"question_id": "q3", "question": "How much?", "answer": "Three.", "fact": "3"},
)
WITHOUT_IDS = jsonl(
    "g.jsonl",
    {"question": "How many shares?", "answer": "Ten.", "fact": "10"},
    {"question": "How  much?", "answer": "Two.", "fact": "2"},
)


ASKED = {"question_id": "q1", "question": "Answer shortly: how many shares?", "pipeline": "A", "response": "x"}


def test_an_id_says_which_question_a_longer_prompt_asks():
    """A prompt with the question inside it aligns by its id; that is listed."""
    loaded = load(GOLDEN, [jsonl("r.jsonl", ASKED)])

    assert loaded.rows.select(QUESTION_ID, QUESTION, RESPONSE).rows() == [("q1", "How many shares?", "x")]
    assert [entry[:3] for entry in entries(loaded, "other question")] == [("r.jsonl line 1", "q1", "A")]


@pytest.mark.parametrize("question", ["How much?", "How many bonds?"])
def test_an_id_that_belongs_to_another_question_aligns_nothing(question: str):
    """A response under the id of a question that it does not answer is in no run; it is listed with its question."""
    loaded = load(GOLDEN, [jsonl("r.jsonl", ASKED, ASKED | {"question": question, "pipeline": "B"})])

    assert loaded.rows[PIPELINE].to_list() == ["A"]
    assert [entry[:3] for entry in entries(loaded, "unaligned")] == [("r.jsonl line 2", "q1", "B")]


ALIGNED_BY_TEXT = {"the exact text": "How many shares?", "other white space": " How  many\n shares? "}


@pytest.mark.parametrize("question", ALIGNED_BY_TEXT.values(), ids=ALIGNED_BY_TEXT)
@pytest.mark.parametrize("question_id", [None, "", "unknown"])
def test_texts_align_what_ids_do_not(question: str, question_id: str | None):
    """Without an id that the golden dataset knows, the question's text decides; evened white space is listed."""
    response = {"question_id": question_id, "question": question, "pipeline": "A", "response": "x"}
    loaded = load(GOLDEN, [jsonl("r.jsonl", response)])

    assert loaded.rows[QUESTION_ID].to_list() == ["q1"]
    assert len(entries(loaded, "white space")) == (question != "How many shares?")


UNALIGNED = {
    "unknown id": ({"question_id": "q9"}, "the golden dataset has no question with this id"),
    "unknown text": ({"question": "Why?"}, 'the golden dataset does not ask "Why?"'),
    "a text asked twice": (
        {"question": "How much?"},
        "the golden dataset asks this question more than once: question_id has to say which is meant",
    ),
    "a text asked twice, with other white space": (
        {"question": " How  much?"},
        "the golden dataset asks this question more than once: question_id has to say which is meant",
    ),
    "neither": ({}, "neither question_id nor question"),
}


@pytest.mark.parametrize(("asked", "why"), UNALIGNED.values(), ids=UNALIGNED)
def test_what_does_not_align_is_listed(asked: dict[str, str], why: str):
    """A response to no golden question is not scored, and is listed with its place and the reason."""
    known = {"question_id": "q1", "pipeline": "A", "response": "x"}
    loaded = load(GOLDEN, [jsonl("r.jsonl", known, {"pipeline": "A", "response": "y"} | asked)])

    assert loaded.rows[RESPONSE].to_list() == ["x"]
    assert entries(loaded, "unaligned") == [("r.jsonl line 2", asked.get("question_id"), "A", why)]


def test_rows_never_align_by_their_order():
    """Ids of responses do not match the numbers that a golden dataset without ids is given."""
    by_order = {"question_id": "1", "question": "How  much?", "pipeline": "A", "response": "x"}
    loaded = load(WITHOUT_IDS, [jsonl("r.jsonl", by_order)])

    assert loaded.rows.select(QUESTION_ID, QUESTION).rows() == [("2", "How  much?")]
    [(*place, said)] = entries(loaded, "ids made")
    assert place == ["g.jsonl", None, None]
    assert QUESTION_ID in str(said)


def test_a_repeated_response_is_listed_and_the_first_kept():
    """The same pipeline answering a question again, in any file and by id or text, does not count twice."""
    loaded = load(
        GOLDEN,
        [
            jsonl("a.jsonl", {"question_id": "q1", "pipeline": "A", "response": "first"}),
            jsonl("b.jsonl", {"question": "How many shares?", "pipeline": "A", "response": "second"}),
            jsonl("c.jsonl", {"question_id": "q1", "pipeline": "B", "response": "another pipeline's"}),
        ],
    )

    assert loaded.rows.select(PIPELINE, RESPONSE).rows() == [("A", "first"), ("B", "another pipeline's")]
    assert [entry[:3] for entry in entries(loaded, "duplicate")] == [("b.jsonl line 1", None, "A")]


def test_unanswered_questions_are_listed_for_each_pipeline():
    """What a pipeline did not answer is listed by question, once; a null beside a response repeats it."""
    loaded = load(
        GOLDEN,
        [
            jsonl(
                "r.jsonl",
                {"question_id": "q1", "pipeline": "A", "response": None},
                {"question_id": "q1", "pipeline": "A", "response": "x"},
                {"question_id": "q2", "pipeline": "A", "response": None},
                {"question_id": "q2", "pipeline": "A", "response": None},
                *({"question_id": f"q{place}", "pipeline": "B", "response": "y"} for place in (1, 2, 3)),
            )
        ],
    )

    assert entries(loaded, "unanswered") == [
        ("r.jsonl line 3", "q2", "A", "the file has a null in place of the response"),
        ("g.jsonl line 3", "q3", "A", "no response of this pipeline"),
    ]
    assert [where for where, *_ in entries(loaded, "duplicate")] == ["r.jsonl line 1", "r.jsonl line 4"]
    assert loaded.rows.filter(pl.col(PIPELINE) == "A")[RESPONSE].to_list() == ["x"]


def test_very_many_unanswered_questions_are_counted():
    """Of a pipeline that left more than a thousand questions, the first and their number are listed; others in full."""
    golden = jsonl(
        "g.jsonl", *({"question_id": f"q{n}", "question": f"{n}?", "answer": "a"} for n in range(UNANSWERED_LIMIT + 2))
    )
    responses = [{"question_id": "q0", "pipeline": name, "response": "x"} for name in "AB"]
    responses.append({"question_id": "q2", "pipeline": "B", "response": "x"})
    loaded = load(golden, [jsonl("r.jsonl", *responses)])

    [(*place, said)] = entries(loaded, "unanswered in bulk")
    assert (place, facts(said)) == (["g.jsonl line 2", "q1", "A"], {"1,001"})
    assert listed_counts(loaded.listed.filter(pl.col("pipeline") == "B")) == {"unanswered": UNANSWERED_LIMIT}


def test_a_repeated_triplet_is_listed_and_the_first_kept():
    """A triplet that stands there again, word for word, is one question; another fact makes it another."""
    golden = upload("g.csv", "question,answer,fact\nq,a,f\nr,b,g\nq,a,f\nq,a,other\n")
    loaded = load(golden, [upload("r.csv", "question,A\nr,x\n")])

    assert loaded.golden.select(QUESTION_ID, QUESTION, "fact").rows() == [
        ("1", "q", "f"),
        ("2", "r", "g"),
        ("3", "q", "other"),
    ]
    assert entries(loaded, "duplicate") == [("g.csv line 4", None, None, "the same triplet stands above")]


def test_empty_rows_are_left_out():
    """A row with nothing in it, in either file, is left out."""
    loaded = load(
        upload("g.csv", "question_id,question,answer\n1,q,a\n,,\n"),
        [
            upload("r.csv", "question_id,pipeline,response\n1,A,x\n,,\n"),
            upload("w.csv", "question_id,B,C\n1,x,y\n,,\n"),
        ],
    )

    assert loaded.golden.height == 1
    assert loaded.rows.height == 3


def test_missing_facts_and_answers_are_listed():
    """A triplet without a fact or an answer, or with a blank one, is kept with a null, and listed."""
    golden = jsonl(
        "g.jsonl",
        {"question_id": "q1", "question": "a?", "answer": "", "fact": "f"},
        {"question_id": "q2", "question": "b?", "answer": "a", "fact": " "},
    )
    loaded = load(golden, [jsonl("r.jsonl", {"question_id": "q1", "pipeline": "A", "response": "x"})])

    assert loaded.golden.select("answer", "fact").rows() == [(None, "f"), ("a", None)]
    assert entries(loaded, "no answer") == [("g.jsonl line 1", "q1", None, "cannot be scored for QA Accuracy")]
    assert entries(loaded, "no fact") == [("g.jsonl line 2", "q2", None, "cannot be scored for Factual Knowledge")]


def test_a_file_names_its_pipeline_if_nothing_else_does():
    """Responses without a pipeline are of the one that the file is named after, and that is listed."""
    loaded = load(GOLDEN, [Source("gpt small.csv", b"question_id,response\nq1,x\n")])

    assert loaded.rows[PIPELINE].to_list() == ["gpt small"]
    assert entries(loaded, "pipeline named after file") == [
        ("gpt small.csv", None, None, 'no column names the pipeline: "gpt small"')
    ]


def test_rows_are_ready_for_scoring():
    """Each row has the whole triplet beside the response, in the files' order, with all columns that scoring reads."""
    loaded = load(
        GOLDEN,
        [
            jsonl("b.jsonl", {"question_id": "q2", "pipeline": "B", "response": "2"}),
            jsonl("a.jsonl", {"question_id": "q1", "pipeline": "A", "response": "1"}),
        ],
    )

    assert tuple(loaded.rows.columns) == (*GOLDEN_COLUMNS, *RESPONSE_COLUMNS[1:])
    assert loaded.rows.select(QUESTION, "answer", "fact", "category", PIPELINE, RESPONSE).rows() == [
        ("How much?", "Two.", "2", None, "B", "2"),
        ("How many shares?", "Ten.", "10", "shares", "A", "1"),
    ]


def test_every_row_of_a_file_is_scored_or_listed():
    """However a file mixes what aligns, repeats, is null, empty or lost, each of its rows is in the run or listed."""
    kinds = [
        {"question_id": "q1"},
        {"question_id": "q9"},
        {"question": "How many shares?"},
        {"question": "How much?"},
        {},
    ]
    rows = [
        {"pipeline": pipeline, "response": response} | asked
        for asked in kinds
        for pipeline in ("A", "B")
        for response in ("x", "", None)
    ]
    loaded = load(GOLDEN, [jsonl("r.jsonl", *rows)])
    set_aside = loaded.listed.filter(
        pl.col("kind").is_in(["unaligned", "duplicate", "empty row"])
        | (pl.col("detail") == "the file has a null in place of the response")
    )

    assert loaded.rows.height + set_aside.height == len(rows)
