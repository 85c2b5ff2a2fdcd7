"""Repeats of a pipeline: kept apart from each other, whatever form the file has, and known as repeats."""

from dataclasses import replace

import polars as pl
import pytest

from qaviz.loading import load
from qaviz.model.columns import PIPELINE, REPEAT, REPEAT_OF, RESPONSE
from qaviz.model.errors import QavizError
from tests.loading.adapters.files import INSPECT_HEAD, INSPECT_SAMPLE, document
from tests.loading.files import GOLDEN_FILE, entries, jsonl, load_responses, upload

ONCE = {"question_id": "q1", "pipeline": "RAG", "response": "158"}
ANSWERED = [("RAG · repeat 1", "1", "RAG", "158"), ("RAG · repeat 2", "2", "RAG", "about 150")]

FORMS = {
    "text": jsonl("r.jsonl", ONCE | {"repeat": "1"}, ONCE | {"repeat": " 2 ", "response": "about 150"}),
    "number": jsonl("r.jsonl", ONCE | {"epoch": 1}, ONCE | {"epoch": 2, "response": "about 150"}),
    "cells": upload("r.csv", "question_id,pipeline,Repeat ID,response\nq1,RAG,1,158\nq1,RAG,2,about 150\n"),
    "wide": upload("r.csv", "question_id,trial,RAG\nq1,1,158\nq1,2,about 150\n"),
    "named after the file": upload("RAG.csv", "question_id,repeat,response\nq1,1,158\nq1,2,about 150\n"),
}


def shown(rows: pl.DataFrame) -> list[tuple[object, ...]]:
    return rows.select(PIPELINE, REPEAT, REPEAT_OF, RESPONSE).rows()


@pytest.mark.parametrize("form", FORMS)
def test_repeats_are_kept_apart(form):
    """Two passes of one pipeline are two columns of the run, each listed; neither is a duplicate of the other."""
    loaded = load_responses(FORMS[form])
    assert shown(loaded.rows) == ANSWERED
    listed = entries(loaded, "repeat")
    assert [pipeline for _, _, pipeline, _ in listed] == ["RAG · repeat 1", "RAG · repeat 2"]
    assert all(str(said).endswith("repeats of RAG") for *_, said in listed)
    assert not entries(loaded, "duplicate")


def test_the_same_repeat_twice_is_a_duplicate():
    """Of two responses of one repeat to one question the first is kept, the other listed."""
    loaded = load_responses(jsonl("r.jsonl", ONCE | {"repeat": 1}, ONCE | {"repeat": 1, "response": "159"}))
    assert shown(loaded.rows) == ANSWERED[:1]
    assert [pipeline for _, _, pipeline, _ in entries(loaded, "duplicate")] == ["RAG · repeat 1"]


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_a_blank_repeat_is_none(blank):
    """A row that names no repeat keeps its pipeline's name, and repeats nothing."""
    assert shown(load_responses(jsonl("r.jsonl", ONCE | {"repeat": blank})).rows) == [("RAG", None, None, "158")]


def test_a_seed_is_a_repeat_only_when_it_is_said_to_be():
    """Files often carry one seed for all rows: it is left out unless somebody maps it."""
    file = jsonl("r.jsonl", ONCE | {"seed": 42})
    assert shown(load_responses(file).rows) == [("RAG", None, None, "158")]
    mapped = load(GOLDEN_FILE, [replace(file, mapping={"seed": "repeat"})])
    assert shown(mapped.rows) == [("RAG · repeat 42", "42", "RAG", "158")]


@pytest.mark.parametrize(("epochs", "names"), [(1, ["openai/gpt"]), (2, ["openai/gpt · repeat 1"])])
def test_inspect_counts_epochs_from_one(epochs, names):
    """A log that asks once has no repeats, though Inspect numbers its only epoch; one that asks twice has."""
    head = INSPECT_HEAD | {"eval": INSPECT_HEAD["eval"] | {"config": {"epochs": epochs}}}
    loaded = load(document("log.json", head | {"samples": [INSPECT_SAMPLE]}), [])
    assert loaded.rows[PIPELINE].to_list() == names


def test_a_list_that_is_left_out_repeats_nothing():
    """A list of other answers beside the response makes no repeats of it once a person has left the list out."""
    towns = ["the town of Bergen", "the town of Turku", "the town of Lund"]
    rows = [
        {
            "question": f"Where is house {n}?",
            "gold_answers": [town],
            "final_answer": f"In {town}.",
            "single_passage_answers": [f"in {n}", f"not in {town}"],
        }
        for n, town in enumerate(towns)
    ]
    file = jsonl("M.jsonl", *rows)
    with pytest.raises(QavizError, match="single_passage_answers"):
        load(None, [file])
    loaded = load(None, [replace(file, mapping={"single_passage_answers": ""})])
    assert shown(loaded.rows) == [("M", None, None, row["final_answer"]) for row in rows]
