"""Exports of evaluation tools, made by the fields that each documents: question, golden answer, pipeline, response."""

import json

import pytest

from qaviz.loading import load
from tests.loading.files import jsonl, upload

Q, A, R = "How many people live in Graz?", "290,000", "About 290,000 people."


def content(text: str) -> dict[str, object]:
    """A text as Bedrock writes messages and passages."""
    return {"content": [{"text": text}]}


WITH_ANSWERS = {
    "TruLens": [{"record_id": "r", "app_id": "P", "input": Q, "output": R, "ground_truth": A, "Relevance": 0.9}],
    "Phoenix": [
        {"example_id": "1", "repetition_number": 1, "input": {"question": Q}, "reference_output": {"answer": A},
         "output": {"response": R}, "error": None, "latency_ms": 12.5,
         "annotations": [{"name": "correct", "annotator_kind": "LLM", "score": 1.0}]}
    ],
    "LangSmith": [
        {"inputs": {"question": Q}, "outputs": {"answer": R}, "reference_outputs": {"answer": A}, "run_type": "chain",
         "session_name": "P", "feedback_stats": {"correct": {"n": 1, "avg": 1.0}}, "error": None}
    ],
    "Braintrust": [
        {"id": "1", "input": {"question": Q}, "expected": A, "output": R, "scores": {"Factuality": 1}, "metadata": {},
         "metrics": {"start": 1.0, "end": 1.5}}
    ],
    "Weave": [
        {"id": "c", "op_name": "weave:///t/p/op/Evaluation.predict_and_score:x",
         "inputs": {"example": {"question": Q, "expected": A}, "model": "weave:///t/p/object/P:v1"},
         "output": {"model_output": {"answer": R}, "scores": {"match": {"correct": True}}}}
    ],
    "RAGChecker": [
        {"results": [{"query_id": "1", "query": Q, "gt_answer": A, "response": R,
                      "retrieved_context": [{"doc_id": "d", "text": "Graz …"}], "metrics": {"precision": 1.0}}]}
    ],
    "Bedrock RAG": [
        {"conversationTurns": [{
            "inputRecord": {"prompt": content(Q), "referenceResponses": [content(A)]},
            "output": {"text": R, "modelIdentifier": "m", "knowledgeBaseIdentifier": "KB",
                       "retrievedPassages": {"retrievalResults": [{"content": {"text": "Graz …"}}]}},
            "results": [{"metricName": "Builtin.Correctness", "result": 1.0, "evaluatorDetails": []}]}]}
    ],
}  # fmt: skip
"""Records by tool, one question each."""


@pytest.mark.parametrize("tool", WITH_ANSWERS)
def test_golden_answers_and_responses_are_read(tool: str):
    """One file of the tool, as JSON Lines and as a JSON list, becomes a golden dataset and its responses, with the
    tool's own scores beside them."""
    records = WITH_ANSWERS[tool]
    documents = records[0] if tool == "RAGChecker" else records
    for file in (jsonl("export.jsonl", *records), upload("export.json", json.dumps(documents, indent=1))):
        loaded = load(file, [])

        assert loaded.rows.select("question", "answer", "response").rows() == [(Q, A, R)]
        (scores,) = loaded.rows["their_scores"].to_list()
        assert [each["value"] for each in scores] == [pytest.approx(scores[0]["value"])]
        assert not loaded.listed.filter(loaded.listed["kind"] == "from another tool").is_empty()


def test_prompts_of_promptfoo_ask_one_question():
    """Several prompts word one test in their own ways: what it asks is the test's variable, and each prompt a
    pipeline."""
    results = [
        {"promptIdx": prompt, "testIdx": 0, "vars": {"thema": Q}, "prompt": {"raw": f"{words} {Q}", "label": words},
         "provider": {"id": "m"}, "response": {"output": R}, "success": True, "score": 1,
         "testCase": {"assert": [{"type": "equals", "value": A}]}}
        for prompt, words in enumerate(("Answer briefly:", "Think first:"))
    ]  # fmt: skip
    file = upload("results.json", json.dumps({"results": {"version": 3, "results": results}}))
    loaded = load(file, [])

    assert loaded.golden.select("question", "answer").rows() == [(Q, A)]
    assert loaded.rows["pipeline"].to_list() == ["m, prompt 1", "m, prompt 2"]
