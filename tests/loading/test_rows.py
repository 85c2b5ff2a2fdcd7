"""Rows that will not do are left out on request, and error messages of a pipeline are no answers."""

from dataclasses import replace

import pytest

from qaviz.loading import Source, apart, load
from qaviz.model.errors import QavizError
from tests.loading.files import GOLDEN_FILE, RESPONSE, TRIPLET, entries, jsonl, upload
from tests.loading.formats.test_xlsx import rows, workbook

BAD = {
    "JSON Lines": upload("r.jsonl", '{"question_id": "q1", "pipeline": "A", "response": "x"}\n{broken\n'),
    "CSV": upload("r.csv", "question_id,pipeline,response\nq1,A,x\nq1,A,x,y\n"),
    "a cell": upload("r.csv", "question_id,pipeline,response,latency_ms\nq1,A,x,1\nq1,B,y,soon\n"),
    "no pipeline": upload("r.csv", "question_id,pipeline,response\nq1,A,x\nq1,,y\n"),
    "a workbook": workbook(
        "r.xlsx", s=rows(("question_id", "pipeline", "response"), ("q1", "A", "x"), ("q1", "", "y"))
    ),
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_good_rows_load_without_the_bad_ones(source: Source):
    """A file with one bad row is refused, said to be so in rows alone; asked to skip it, the other loads and it is
    listed with its place."""
    with pytest.raises(QavizError) as refused:
        load(GOLDEN_FILE, [source])
    loaded = load(GOLDEN_FILE, [replace(source, skip_bad=True)])

    assert refused.value.only_in_rows
    assert loaded.rows["response"].to_list() == ["x"]
    ((where, _, _, why),) = entries(loaded, "bad row")
    assert where is not None
    assert why is not None
    assert where in str(refused.value)
    assert why.startswith("left out: found ")


def test_bad_rows_of_the_golden_dataset_are_skipped_too():
    """A triplet without a question is left out, also by the process that reads."""
    golden = jsonl("g.jsonl", TRIPLET, TRIPLET | {"question_id": "q2", "question": ""})
    (chunk, last) = apart.stream(replace(golden, skip_bad=True), [jsonl("r.jsonl", RESPONSE)])

    assert chunk.golden["question_id"].to_list() == ["q1"]
    assert last.listed.filter(last.listed["kind"] == "bad row").height == 1


def test_blanks_around_ids_and_names_change_nothing():
    """A padded id meets its question, and a padded pipeline is the one without; zeros before it make another id, and
    the refusal names them."""
    padded = {"question_id": " q1\t", "pipeline": " A "}
    plain, spaced = (load(GOLDEN_FILE, [jsonl("r.jsonl", RESPONSE | changed)]) for changed in ({}, padded))
    assert spaced.rows.equals(plain.rows)
    golden = jsonl("g.jsonl", TRIPLET | {"question_id": "  q1 "})
    assert load(golden, [jsonl("r.jsonl", RESPONSE)]).rows.equals(plain.rows)
    with pytest.raises(QavizError, match='"001" is not "1"'):
        load(golden, [jsonl("r.jsonl", RESPONSE | {"question_id": "0q1"})])


def test_what_is_wrong_with_a_whole_file_is_not_skipped():
    """A quote that never closes, or a column that stands twice, is refused whatever is asked."""
    for content in ('question_id,pipeline,response\nq1,A,"x\n', "question_id,pipeline,pipeline,response\nq1,A,A,x\n"):
        with pytest.raises(QavizError) as refused:
            load(GOLDEN_FILE, [replace(upload("r.csv", content), skip_bad=True)])
        assert not refused.value.only_in_rows


ERRORS = (
    "ERROR: 404 Not Found",
    "Error code: 429 - {'error': {'message': 'Rate limit reached'}}",
    'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: x',
    '{"error": {"message": "overloaded", "type": "server_error"}}',
    '{"errorMessage": "Task timed out after 30.00 seconds"}',
    "Rate limit exceeded. Please try again later.",
    "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>",
    "An error occurred (ThrottlingException) when calling the InvokeModel operation: Too many requests",
    "openai.RateLimitError: Error code: 429",
    "Request timed out.",
    "500 Internal Server Error",
    "HTTP 503",
    "HTTPSConnectionPool(host='api', port=443): Max retries exceeded",
    "ReadTimeoutError('timeout')",
    "[RAG error: {'message': 'canceling statement due to statement timeout'}]",
    "nan",
    *("None", "<NA>", "null", "Error", "오류 발생", "エラーが発生しました。", "Fehler aufgetreten"),
)
ANSWERS = (
    "The error rate fell to 4.04% in 2023.",
    "An error occurred in the 2019 filing, which was restated.",
    "Errors in the count amounted to 404.",
    "The rate limit is 500 requests per minute.",
    "Timeouts are set to 30 seconds.",
    "Error: the first edition says 158, the second 160.",
    "404 people attended.",
    "Nan Goldin",
    *("none", "None of them.", "Errors occurred in 2019."),
    "500 employees, according to the report.",
    "The server returned in 2020 to its old role.",
    "Exceptions apply to 12 states.",
    "I could not find this in the documents.",
)


def test_error_messages_are_missing_responses():
    """What a pipeline says in place of an answer when it fails is missing, listed by its kind; to talk of errors
    is an answer."""
    for said in ERRORS:
        loaded = load(GOLDEN_FILE, [jsonl("r.jsonl", RESPONSE, RESPONSE | {"pipeline": "B", "response": said})])
        assert loaded.rows["pipeline"].to_list() == ["A"], said
        ((_, question, pipeline, _),) = entries(loaded, "pipeline error")
        assert (question, pipeline) == ("q1", "B")
        assert not entries(loaded, "unanswered")
    for said in ANSWERS:
        loaded = load(GOLDEN_FILE, [jsonl("r.jsonl", RESPONSE | {"response": said})])
        assert loaded.rows["response"].to_list() == [said]


def test_a_person_overrules_what_is_taken_for_an_error():
    """Where the question is about errors, or a golden answer says the same, such a message is an answer; and everywhere
    if a person says so."""
    golden = jsonl("g.jsonl", {"question": "Which error does the log show?", "answer": "A 404 error"})
    asked = jsonl("r.jsonl", {"question": "Which error does the log show?", "pipeline": "A", "response": ERRORS[0]})
    assert load(golden, [asked]).rows.height == 1

    number = jsonl("g.jsonl", {"question": "What is 0/0 in JavaScript?", "answer": "NaN"})
    given = jsonl("r.jsonl", {"question": "What is 0/0 in JavaScript?", "pipeline": "A", "response": "NaN"})
    assert load(number, [given]).rows.height == 1

    rows = [
        {"question": f"Which label has {n}?", "gold": gold, "response": "None"} for n, gold in enumerate(("A", "None"))
    ]
    assert load(None, [jsonl("r.jsonl", *rows)]).rows["response"].to_list() == ["None", "None"]

    failed = replace(jsonl("r.jsonl", RESPONSE | {"response": ERRORS[0]}), keep_errors=True)
    assert load(GOLDEN_FILE, [failed]).rows["response"].to_list() == [ERRORS[0]]


@pytest.mark.parametrize(("yes", "no"), [("true", "false"), ("Ja", "Nein"), ("oui", "non"), ("1", "0"), ("是", "否")])
def test_yes_and_no_are_read_in_one_list(yes: str, no: str):
    """What makes a column one of yes and no is read as yes and no."""
    rows = [f"q{n}?,a,{yes if n else no}" for n in range(4)]
    golden = upload("g.csv", "\n".join(["question,answer,answerable", *rows]))
    loaded = load(golden, [upload("P.csv", "question,response\nq1?,a\n")])
    assert loaded.golden["answerable"].to_list() == [False, True, True, True]
