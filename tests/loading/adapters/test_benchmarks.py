"""The golden datasets of benchmarks."""

import json

import polars as pl
import pytest

from qaviz.loading import Source, load
from tests.loading.files import jsonl, parquet, upload

# Fields: run-llama/llama_index, llama_dataset/rag.py; mandarjoshi90/triviaqa, readme;
# google-research-datasets/natural-questions, nq_open.

Q, A, R = "How many people live in Graz?", "290,000", "About 290,000 people."

QUESTIONS = {
    "LlamaIndex": (
        upload(
            "rag_dataset.json",
            json.dumps(
                {
                    "examples": [
                        {
                            "query": Q,
                            "query_by": {"model_name": "gpt-4", "type": "ai"},
                            "reference_contexts": ["Graz …"],
                            "reference_answer": A,
                            "reference_answer_by": {"model_name": "gpt-4", "type": "ai"},
                        }
                    ]
                }
            ),
        ),
        A,
    ),
    "TriviaQA": (
        jsonl("t.jsonl", {"Question": Q, "QuestionId": "tc_1", "Answer": {"Value": A, "Aliases": [A, "290000"]}}),
        f"{A}<OR>290000",
    ),
    "TriviaQA's own file": (
        upload(
            "t.json", json.dumps({"Data": [{"Question": Q, "QuestionId": "1", "Answer": {"Value": A, "Aliases": []}}]})
        ),
        A,
    ),
    "Hugging Face's TriviaQA": (
        jsonl("t.jsonl", {"question": Q, "question_id": "tc_1", "answer": {"value": A, "aliases": ["290000"]}}),
        f"{A}<OR>290000",
    ),
    "NQ-open": (jsonl("nq.jsonl", {"question": Q, "answer": [A, "290000"]}), f"{A}<OR>290000"),
    "AutoRAG": (
        parquet("qa.parquet", pl.DataFrame({"qid": ["1"], "query": [Q], "generation_gt": [[A, "290000"]]})),
        f"{A}<OR>290000",
    ),
}


@pytest.mark.parametrize(("file", "answer"), QUESTIONS.values(), ids=QUESTIONS)
def test_golden_datasets_of_benchmarks(file: Source, answer: str):
    """Accepted answers are variants of one golden answer; a file of responses is joined by the question."""
    responses = jsonl("r.jsonl", {"question": Q, "response": R})
    rows = load(file, [responses]).rows
    assert rows.select("question", "answer", "response").rows() == [(Q, answer, R)]


def test_a_list_of_answers_beside_a_response_is_golden():
    """Where the file has a response too, the list of answers is still the golden one."""
    loaded = load(jsonl("P.jsonl", {"question": Q, "answer": [A, "290000"], "prediction": R}), [])
    assert loaded.rows.select("answer", "response").rows() == [(f"{A}<OR>290000", R)]
