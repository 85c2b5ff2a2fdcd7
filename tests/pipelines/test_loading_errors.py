"""What asking writes, loading reads: an error is a missing response with its reason."""

from qaviz.loading import Source, load
from qaviz.loading.load_log import DETAIL, KIND, PIPELINE_ERROR
from tests.builders import write_jsonl


def test_an_error_row_is_a_missing_response_with_its_reason(tmp_path):
    """A null response with `error` is listed as a pipeline error that says why, and is no row of the run."""
    golden = [{"question_id": each, "question": f"q {each}?", "answer": "a", "fact": "f"} for each in ("1", "2")]
    rows = [
        {"question_id": "1", "question": "q 1?", "pipeline": "P", "response": "f", "latency_ms": 5.0, "cost": None},
        {"question_id": "2", "question": "q 2?", "pipeline": "P", "response": None, "error": "HTTP 500: oops"},
    ]
    files = [write_jsonl(tmp_path / "g.jsonl", golden), write_jsonl(tmp_path / "r.jsonl", rows)]
    loaded = load(Source.of(files[0]), [Source.of(files[1])])
    assert loaded.rows.height == 1
    assert loaded.rows["latency_ms"].to_list() == [5.0]
    (listed,) = loaded.listed.filter(loaded.listed[KIND] == PIPELINE_ERROR).to_dicts()
    assert (listed["question_id"], listed["pipeline"]) == ("2", "P")
    assert "HTTP 500: oops" in listed[DETAIL]
