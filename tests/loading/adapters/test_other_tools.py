"""MLflow, DeepEval, Langfuse and Ragas: files with a record for each response."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from qaviz.loading import load, preview
from tests.loading.adapters.files import (
    DEEPEVAL_GOLDEN,
    LANGFUSE_ROW,
    LLM_COMPARATOR_FILE,
    MLFLOW_RECORD,
    document,
    shown,
    theirs,
)
from tests.loading.files import jsonl, problems, upload


def as_csv(name, row):
    cells = {key: "|".join(value) if isinstance(value, list) else value for key, value in row.items()}
    return upload(name, pl.DataFrame([cells]).write_csv())


def test_a_row_of_langfuse_is_a_response():
    """JSON in cells is question, golden answer and response; seconds are milliseconds; scores stand beside by name."""
    loaded = load(as_csv("f.csv", LANGFUSE_ROW), [])
    assert shown(loaded) == [("How many?", "158 in all", None, "f", "158")]
    assert shown(loaded, "question_id", "latency_ms") == [("l1", 1500.0)]
    assert theirs(loaded) == [{"accuracy": 0.75}]


def test_a_record_of_mlflow_is_a_response():
    """Expectations are golden answer and fact; an assessment without a value says why."""
    toned = {"inputs": {"question": "Who?"}, "assessments": [{"name": "tone", "feedback": {"value": 1}}]}
    loaded = load(jsonl("f.jsonl", MLFLOW_RECORD, MLFLOW_RECORD | toned), [])
    assert shown(loaded)[0] == ("How many?", "158 in all", "158", "f", "158")
    assert theirs(loaded)[0] == {"correctness": 1.0, "tone": "timeout"}


@pytest.mark.parametrize("row", [MLFLOW_RECORD, DEEPEVAL_GOLDEN, LANGFUSE_ROW], ids=["MLflow", "DeepEval", "Langfuse"])
def test_columns_by_ordinary_names_stay(row):
    """People add columns to a tool's file: those by ordinary names are read as in any other file."""
    own = {"pipeline": "P", "question_id": "7", "response": "159"}
    loaded = load(jsonl("f.jsonl", row | own), [])
    assert shown(loaded, "pipeline", "question_id") == [("P", "7")]


def test_a_column_beside_those_of_ragas_names_the_pipelines():
    """What tells rows of one question apart is read by its name, or can be mapped; scores are none of it."""
    rows = [
        {"strategy": strategy, "n_chunks": size, "user_input": f"How many in {n}?", "response": f"{n}, {strategy}"}
        | {"reference": f"{n} pieces", "faithfulness": 0.5}
        for strategy, size in (("plain", 6), ("hybrid", 9)) for n in (1, 2)
    ]  # fmt: skip
    assert {row[0] for row in shown(load(jsonl("f.jsonl", *rows), []), "pipeline")} == {"plain", "hybrid"}
    by_size = replace(jsonl("f.jsonl", *rows), mapping={"n_chunks": "pipeline", "strategy": ""})
    assert {row[0] for row in shown(load(by_size, []), "pipeline")} == {"6", "9"}
    assert "faithfulness" not in preview(None, [by_size])[0].columns


def test_contexts_and_sources_come_along():
    """DeepEval's retrieval context is the contexts, in JSON and in the one cell that CSV has for it."""
    for source in (document("f.json", [DEEPEVAL_GOLDEN]), as_csv("f.csv", DEEPEVAL_GOLDEN)):
        assert shown(load(source, []), "contexts", "source") == [(["There are 158."], "a.pdf")]


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv"])
def test_a_dataset_that_deepeval_wrote(suffix):
    """What deepeval 4.3.1 itself saves, in each of its formats, is one response with both its contexts."""
    content = Path(__file__).with_name("written").joinpath(f"deepeval-4.3.1{suffix}").read_bytes()
    loaded = load(upload(f"f{suffix}", content), [])
    assert shown(loaded) == [("How many?", "158 in all", None, "f", "158")]
    assert shown(loaded, "contexts") == [(["There are 158.", "x"],)]


@pytest.mark.parametrize(
    ("inputs", "question"),
    [
        ({"messages": [{"role": "user", "content": "Hello"}, {"role": "user", "content": "How many?"}]}, "How many?"),
        ({"prompt_text": "How many?"}, "How many?"),
        ({"city": "Seattle", "year": 2023}, '{"city":"Seattle","year":2023}'),
    ],
    ids=["the last message", "the only field", "fields without a question"],
)
def test_the_question_of_mlflow_inputs(inputs, question):
    """The question is the last message of a chat, or the only field; fields that hold none are kept together."""
    loaded = load(jsonl("f.jsonl", MLFLOW_RECORD | {"inputs": inputs}), [])

    assert loaded.rows["question"].to_list() == [question]


def test_a_comparison_is_two_pipelines():
    """Each model is a pipeline; tags are tags."""
    loaded = load(document("f.json", LLM_COMPARATOR_FILE), [])
    assert shown(loaded, "pipeline", "response", "tags") == [
        ("A", "158", "people; critical"),
        ("B", "159", "people; critical"),
    ]


def test_a_comparison_without_golden_answers_asks_for_them():
    """A file that has no golden answer says what it lacks; beside a golden dataset it is responses."""
    examples = [LLM_COMPARATOR_FILE["examples"][0] | {"custom_fields": {}}]
    source = document("f.json", LLM_COMPARATOR_FILE | {"examples": examples})
    assert 'expected a column "answer" or "fact"' in problems(source, source)[0]
    golden = jsonl("g.jsonl", {"question": "How many?", "answer": "158 in all"})
    assert shown(load(golden, [source]), "pipeline") == [("A",), ("B",)]
