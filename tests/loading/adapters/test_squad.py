"""SQuAD datasets with predictions."""

import json

import pytest

from qaviz.loading import load
from tests.loading.adapters.files import SQUAD_FILE, document, shown
from tests.loading.files import jsonl, upload

PREDICTED = {"s1": "in the year 911", "s2": ""}
ROWS = [{"id": name, "prediction_text": said, "no_answer_probability": 0.0} for name, said in PREDICTED.items()]


@pytest.mark.parametrize(
    "predictions",
    [
        document("bert.json", PREDICTED),
        document("bert.json", PREDICTED, indent=None),
        document("bert.json", ROWS),
        jsonl("bert.jsonl", *ROWS),
    ],
)
def test_predictions_meet_their_questions(predictions):
    """A map from id to text, and a list with prediction_text, align by id; the pipeline is called as the file is."""
    loaded = load(SQUAD_FILE, [predictions])
    assert shown(loaded, "question_id", "pipeline", "response") == [
        ("s1", "bert", "in the year 911"),
        ("s2", "bert", ""),
    ]


def test_spans_are_variants():
    """What several people marked is one answer and one fact with variants, each distinct span once."""
    assert load(SQUAD_FILE, [document("p.json", PREDICTED)]).golden.select("answer", "fact", "source").row(0) == (
        "911<OR>in 911",
        "911<OR>in 911",
        "Normans",
    )


def test_an_impossible_question_is_not_answerable():
    """is_impossible becomes answerable = false, without an answer: a plausible one is none."""
    golden = load(SQUAD_FILE, [document("p.json", PREDICTED)]).golden
    assert golden.select("answerable", "answer", "fact").rows() == [
        (True, "911<OR>in 911", "911<OR>in 911"),
        (False, None, None),
    ]


def test_the_first_version_does_not_know_the_impossible():
    """SQuAD 1.1 says nothing of answerability: it stays missing."""
    content = json.loads(SQUAD_FILE.data)
    [asked, _] = content["data"][0]["paragraphs"][0]["qas"]
    del asked["is_impossible"]
    content["data"][0]["paragraphs"][0]["qas"] = [asked]
    loaded = load(upload("v1.json", json.dumps(content)), [document("p.json", PREDICTED)])
    assert loaded.golden.select("question_id", "answerable").rows() == [("s1", None)]
