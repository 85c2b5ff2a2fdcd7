"""JSON of no known tool: a document is told from broken lines, and its records are found wherever they stand."""

import json

import pytest

from qaviz.loading import load, preview
from tests.loading.files import problems, refusals, upload

ASKED = [{"question": f"How many in {year}?", "gold": f"{year} pieces", "output": f"It was {year}."} for year in (1, 2)]
DOCUMENTS = {
    "a list": ASKED,
    "a list inside": {"date": "2025-06-01", "data": {"model": "bot", "results": ASKED}},
    "beside a longer list": {"log": [{"time": 1}, {"time": 2}, {"time": 3}], "runs": {"items": ASKED}},
    "by id": {f"q{place}": record for place, record in enumerate(ASKED)},
    "columns": {name: [record[name] for record in ASKED] for name in ASKED[0]},
    "columns of pandas": {name: {str(at): each[name] for at, each in enumerate(ASKED)} for name in ASKED[0]},
    "lists in lists": {"runs": [{"items": ASKED}]},
    "objects inside": [
        {"input": {"question": each["question"]}, "gold": [each["gold"]], "output": {"text": each["output"]}}
        for each in ASKED
    ],
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_records_are_found_in_a_document(document: object, indent: int | None):
    """Questions, golden answers and responses are read from documents of several shapes, on one line or several."""
    file = upload("results.json", json.dumps(document, indent=indent))
    loaded = load(file, [])

    assert loaded.rows.select("question", "answer", "response").rows() == [
        (f"How many in {year}?", f"{year} pieces", f"It was {year}.") for year in (1, 2)
    ]


def test_counts_and_ids_above_records_are_no_record():
    """Objects that count questions, and one with an id beside its list of questions, hold the records."""
    systems = {name: {"successful_queries": 2, "metrics": {"f1": 0.5}, "raw": ASKED} for name in ("rag", "agents")}
    assert set(load(upload("r.json", json.dumps(systems)), []).rows["pipeline"]) == {"rag", "agents"}
    by_id = {"experiment": "e", "per_question": {f"q{n}": row for n, row in enumerate(ASKED)}}
    assert load(upload("r.json", json.dumps(by_id)), []).rows.height == len(ASKED)
    suite = {"id": "suite-1", "version": "1.0", "questions": ASKED}
    assert load(upload("r.json", json.dumps(suite)), []).rows.height == len(ASKED)


DEEPER = {
    "questions as keys": {each["question"]: {"answer": each["output"], "gold": each["gold"]} for each in ASKED},
    "far below": {"a": {"b": {"c": {"d": ASKED}}}},
}


@pytest.mark.parametrize("document", DEEPER.values(), ids=DEEPER)
def test_records_that_stand_deeper_are_refused(document: object):
    """Nothing is searched for below that: the file is refused, and what to do is to save the list alone."""
    (problem,) = refusals(upload("r.json", json.dumps(document)))
    assert "save their list as a file of its own" in problem.fix


def test_the_pipeline_may_stand_beside_the_records():
    """A model named once for all records names the pipeline of each."""
    document = {"model": "bot 2", "results": ASKED}

    assert set(load(upload("r.json", json.dumps(document)), []).rows["pipeline"]) == {"bot 2"}


def test_a_document_is_told_from_broken_lines():
    """A document that breaks off is one problem, not one a line; a list without questions is shown with its columns."""
    text = json.dumps(ASKED * 40, indent=2)
    (said, *others) = problems(upload("r.json", text[:-9]))
    assert "broken JSON at line" in said
    assert others == []

    seen = preview(None, [upload("r.json", json.dumps([{"a": 1, "b": "x"}], indent=1))])[0]
    assert seen.columns == ("a", "b")
    assert seen.lacking


def test_lists_of_golden_answers_are_variants():
    """In JSON Lines several golden answers of one question are its variants."""
    rows = [
        {"question": "Who?", "answers": ["Ann", "Anna"], "id": "1"},
        {"question": "Where?", "answers": ["Graz"], "id": "2"},
    ]
    seen = preview(None, [upload("g.jsonl", "\n".join(map(json.dumps, rows)))])[0]

    assert seen.first["answers"].to_list() == ["Ann<OR>Anna", "Graz"]
