"""Shapes of result files from public repositories: what loads is right, what is doubtful is asked, and what holds no
questions and answers is refused. None is read wrongly in silence."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from qaviz.loading import Chunk, Source, load, preview
from qaviz.model.errors import QavizError
from tests.loading.files import A, Q, R, Row, S, ask, entries, fill, jsonl, upload
from tests.loading.shapes import SHAPES

ROWS = list(zip(Q, A, R, strict=True))
GOLDEN = upload("golden.json", json.dumps(fill({"question": "{q}", "answer": "{a}"})))
READ = {name: shape for name, shape in SHAPES.items() if shape.read}
LOADED = {name: shape for name, shape in SHAPES.items() if shape.loads}
CLEAR = {name: shape for name, shape in SHAPES.items() if shape.golden}
ASKED = {name: shape for name, shape in SHAPES.items() if shape.is_asked}
ALONE = [name for name, shape in ASKED.items() if "golden dataset" in shape.ask]
"""Files of responses alone."""


def document(value: object) -> Source:
    return upload("P.json", json.dumps(value, ensure_ascii=False, indent=1))


def lines(*rows: Row) -> Source:
    return jsonl("P.jsonl", *rows)


def table(header: str, *rows: Iterable[object]) -> Source:
    text = io.StringIO()
    csv.writer(text).writerows([header.split(","), *rows])
    return upload("P.csv", text.getvalue())


@pytest.mark.parametrize("name", READ)
def test_shapes_with_both_load(name: str):
    """Each pipeline has its responses to its questions, and golden answers are those of the file."""
    loaded = load(None, READ[name].files)
    said = {
        pipeline: dict(rows.select("question", "response").iter_rows())
        for (pipeline,), rows in loaded.rows.group_by("pipeline")
    }
    assert said == {pipeline: dict(zip(Q, texts, strict=True)) for pipeline, texts in READ[name].read.items()}
    answers = [answer.partition("<OR>")[0] for answer in loaded.golden["answer"]]
    assert answers in (list(A), list("BDCA"))


FACTS: Mapping[str, Callable[[Chunk, Sequence[Source]], object]] = {
    "pipelines": lambda loaded, _: sorted(loaded.rows["pipeline"].unique()),
    "questions": lambda loaded, _: loaded.rows["question"].to_list(),
    "golden": lambda loaded, _: loaded.golden["answer"].to_list(),
    "ids": lambda loaded, _: loaded.golden["question_id"].to_list(),
    "responses": lambda loaded, _: loaded.rows["response"].to_list(),
    "said": lambda loaded, _: sorted(map(list, loaded.rows.select("pipeline", "response").rows())),
    "without": lambda loaded, _: [
        name
        for name in ("contexts", "cost", "latency_ms")
        if name not in loaded.rows.columns or loaded.rows[name].null_count() == loaded.rows.height
    ],
    "doubts": lambda _, files: ask(files),
}
"""What a shape may say of what is loaded."""


@pytest.mark.parametrize("name", LOADED)
def test_shapes_load_as_they_say(name: str):
    """The golden answers, pipelines and responses are those that the shape names, and so are columns left out."""
    shape = LOADED[name]
    loaded = load(None, shape.files)
    assert {fact: FACTS[fact](loaded, shape.files) for fact in shape.loads} == shape.loads
    assert set(shape.ignored) <= {column for seen in preview(None, shape.files) for column in seen.ignored}


@pytest.mark.parametrize("name", [name for name, shape in READ.items() if len(shape.files) > 1])
def test_the_order_of_files_changes_nothing(name: str):
    """Files in any order are read as before."""
    columns = ["pipeline", "question", "answer", "response"]
    first, last = (load(None, files).rows.select(columns) for files in (READ[name].files, READ[name].files[::-1]))
    assert first.sort(columns).equals(last.sort(columns))


@pytest.mark.parametrize("name", CLEAR)
def test_what_is_clear_is_read(name: str):
    """Whatever stands beside them, there is one pipeline and the golden answers; what looks like answers is named."""
    (source,) = CLEAR[name].files
    assert ask([source]) == []
    loaded = load(None, [source])
    assert loaded.rows["pipeline"].value_counts()["count"].to_list() == [4]
    said = " ".join(detail for *_, detail in entries(loaded, "recognised columns") if detail)
    assert [column for column in CLEAR[name].ignored if f'"{column}"' not in said] == []
    (seen,) = preview(None, [source])
    read = [column for column, word in seen.words.items() if word == "answer"] or [seen.bare]
    assert (read, list(seen.ignored)) == (CLEAR[name].golden, CLEAR[name].ignored)


@pytest.mark.parametrize("name", ASKED)
def test_shapes_with_two_readings_or_none_are_asked(name: str):
    """Nothing is read until a person says what is meant, or brings what is missing."""
    questions = " ".join(ask(ASKED[name].files))
    assert questions
    assert [words for words in ASKED[name].ask if words not in questions] == []
    assert [words for words in ASKED[name].never if words in questions] == []


@pytest.mark.parametrize("name", ALONE)
def test_files_of_responses_load_with_a_golden_dataset(name: str):
    """Beside golden answers their responses are read, and nothing else is a response."""
    assert load(GOLDEN, ASKED[name].files).rows["response"].to_list() == list(R)


IMAGES = [
    (f"{n // 3}.jpg", ("What is it?", "Is it red?", "How many?")[n % 3], "yn"[n % 2], "yn"[n // 2 % 2])
    for n in range(15)
]


@pytest.mark.parametrize("head", ["image,question,ground_truth,model_answer", "n,question,ground_truth,model_answer"])
@pytest.mark.parametrize("models", [("",), ("a", "b")])
def test_a_row_belongs_to_itself_whatever_repeats(head: str, models: tuple[str, ...]):
    """Of questions with several golden answers each row is a triplet of its own, which other pipelines share."""
    rows = [
        (n if head[0] == "n" else image, *cells, model) for model in models for n, (image, *cells) in enumerate(IMAGES)
    ]
    loaded = load(table(f"{head},model" if models[0] else f"{head},note", *rows), [])
    assert (loaded.golden.height, loaded.rows.height) == (15, 15 * len(models))
    assert loaded.rows["response"].to_list() == [response for _ in models for *_, response in IMAGES]
    assert loaded.rows["answer"].to_list() == [answer for _ in models for _, _, answer, _ in IMAGES]


def test_a_stack_of_responses_without_names_is_no_new_question():
    """Where questions have one golden answer each, their second response is a repeat, though one question differs."""
    rows = [(q, f"{a} {k}" if q == Q[0] else a, f"{r} {k}") for k in (0, 1) for q, a, r in ROWS]
    assert load(table("question,gold,response", *rows), []).rows.height == len(ROWS) + 1


def test_what_stands_in_a_models_object_is_not_said_of_the_row():
    """The latency in the object of one model is no latency of the others."""
    of = {"a": {"output": "x", "latency_ms": 812}, "b": {"output": "y", "latency_ms": 300}}
    loaded = load(document([{"question": q, "gold": a, "models": of} for q, a, _ in ROWS]), [])
    assert set(loaded.rows["pipeline"]) == {"a", "b"}
    assert loaded.rows["latency_ms"].null_count() == loaded.rows.height


def test_ids_and_answers_ask_for_the_questions():
    """Responses under ids, without questions, ask for a golden dataset that has them."""
    source = lines(*({"q_id": f"T{n}", "answer": r, "retrieved_doc_ids": ["D1"]} for n, r in enumerate(R)))
    with pytest.raises(QavizError) as caught:
        load(source, [])
    assert any("golden dataset" in problem.fix for problem in caught.value.problems)
    words = {"q_id": "question_id", "retrieved_doc_ids": "context_ids"}
    assert preview(None, [source])[0].words == words


def test_text_that_is_no_json_is_said_once():
    """A text of many lines in a file called .json is one problem, not one for each line."""
    with pytest.raises(QavizError) as caught:
        load(upload("x.json", "-----\nQUERY: who is the leader\nK: 5\nThe leader is 127.0.0.1.\n"), [])
    assert {problem.found for problem in caught.value.problems} == {"broken JSON at character 1 (Expecting value)"}


def test_a_message_of_openai_is_no_response():
    """What its library says of an old version stands in place of a response, however long it is."""
    said = "Error: \n\nYou tried to access openai.ChatCompletion, but this is no longer supported. " + "Run it. " * 60
    loaded = load(GOLDEN, [lines({"question": Q[0], "response": said}, {"question": Q[1], "response": R[1]})])
    assert loaded.listed.filter(loaded.listed["kind"] == "pipeline error").height == 1


@pytest.mark.parametrize("name", [name for name in ASKED if name.startswith(("arpitpaliwal007", "Xiaopeng03"))])
def test_a_choice_leads_to_the_reading(name: str):
    """The first command that is printed gives the golden answers and the responses as the file has them."""
    (source,) = ASKED[name].files
    (seen,) = preview(None, [source])
    loaded = load(None, [replace(source, mapping=seen.readings[0].mapping)])
    answers = [answer.rpartition("<OR>")[2] for answer in loaded.golden["answer"]]
    assert answers in (list(A), list("ADCBADCB"))
    assert set(loaded.rows["response"]) in ({*R, *S}, set("ABCD"))


def test_other_forms_of_answers_are_named_as_left_out():
    """Answers in other columns, numbers too, are named where they are not read."""
    row = {"question": "{q}", "gold": "{a} That is {n}9.", "prediction": "{r} So {n}9.", "pred_final": "{n}9"}
    row |= {"kg_answer": "{n}9", "incorrect_answers": "No, not at all as many.", "response_ms": 120}
    (seen,) = preview(None, [jsonl("P.jsonl", *fill(row), *fill(row))])
    if seen.readings:
        (seen,) = preview(None, [jsonl("P.jsonl", *fill({**row, "kg_answer": ""}))])
    assert "incorrect_answers" in seen.ignored
    assert "response_ms" not in seen.ignored
