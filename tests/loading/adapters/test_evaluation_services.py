"""Exports of evaluation services, whose rows have dotted names."""

import csv
import io
import json

import pytest

from qaviz.loading import Source, load
from tests.loading.adapters.files import theirs
from tests.loading.files import jsonl, upload

# Fields: Azure/azure-sdk-for-python, azure-ai-evaluation (`evaluate`); googleapis/python-aiplatform,
# vertexai/evaluation/constants.py; comet-ml/opik, domain/export/ExperimentItemsExportSource.java; Arize-ai/phoenix,
# `get_spans_dataframe`.

Q, A, R = "How many people live in Graz?", "290,000", "About 290,000 people."


def table(name: str, *rows: dict[str, object]) -> Source:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return upload(name, file.getvalue())


VERTEX = {"prompt": Q, "reference": A, "response": R}
OPIK = {"dataset.input": json.dumps({"question": Q}), "dataset.expected_output": A}

FILES = {
    "Azure, a row a line": (
        jsonl(
            "P.jsonl",
            {"inputs.query": Q, "inputs.ground_truth": A, "outputs.response": R, "outputs.relevance.relevance": 4},
        ),
        {"P": R},
        {"relevance": 4.0},
    ),
    "Vertex": (
        table("P.csv", VERTEX | {"coherence/explanation": "so", "coherence/score": 4.0}),
        {"P": R},
        {"coherence": 4.0},
    ),
    "Vertex, instances": (
        jsonl("P.jsonl", {"instance": VERTEX, "exact_match/score": 0.0}),
        {"P": R},
        {"exact_match": 0.0},
    ),
    "Vertex, two models": (
        table("P.csv", VERTEX | {"baseline_model_response": "12", "pairwise/score": 1}),
        {"candidate": R, "baseline": "12"},
        {"pairwise": 1.0},
    ),
    "Opik": (
        table("P.csv", OPIK | {"output": json.dumps({"output": R}), "duration": 12, "feedback_scores.Equals": 0}),
        {"P": R},
        {"Equals": 0.0},
    ),
    "Opik, two experiments": (
        table(
            "P.csv",
            OPIK | {"base.output": json.dumps({"output": R}), "new.output": "12", "base.feedback_scores.Equals": 0},
        ),
        {"base": R, "new": "12"},
        {"Equals": 0.0},
    ),
}


@pytest.mark.parametrize(("file", "said", "scores"), FILES.values(), ids=FILES)
def test_an_export_is_a_run(file: Source, said: dict[str, str], scores: dict[str, float]):
    """Question, golden answer and each pipeline's response are read, and the service's scores stand beside."""
    loaded = load(file, [])
    assert loaded.golden.select("question", "answer").rows() == [(Q, A)]
    assert dict(loaded.rows.select("pipeline", "response").iter_rows()) == said
    assert theirs(loaded)[0] == scores


def test_only_the_outermost_span_of_a_trace_is_a_response():
    """A table of spans has what each step read and wrote: that of the whole trace answers the question."""
    spans = [
        {"parent_id": "", "attributes.input.value": Q, "attributes.output.value": R, "eval.Correct.score": 1},
        {"parent_id": "1", "attributes.input.value": Q, "attributes.output.value": "doc 1", "eval.Correct.score": ""},
    ]
    loaded = load(jsonl("g.jsonl", {"question": Q, "answer": A}), [table("P.csv", *spans)])
    assert loaded.rows["response"].to_list() == [R]
    assert theirs(loaded)[0] == {"Correct": 1.0}
