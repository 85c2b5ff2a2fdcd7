"""The output of Amazon Bedrock's evaluation jobs."""

from dataclasses import replace

from qaviz.loading import load
from tests.loading.adapters.files import BEDROCK_ROW, shown, theirs
from tests.loading.files import entries, jsonl

SCORES = {"Accuracy": 1.0, "Builtin.Correctness": 0.5}


def test_a_line_is_a_response():
    """Prompt, reference and category come from the input record, the model and its response from the model's part."""
    loaded = load(jsonl("x_output.jsonl", BEDROCK_ROW), [])
    assert shown(loaded) == [("How many?", "158 in all", None, "amazon.nova", "158")]
    assert shown(loaded, "category") == [("people",)]


def test_scores_have_their_metrics_names():
    """Automatic metrics and a judge's stand side by side; a result without a metric's name is no score."""
    assert theirs(load(jsonl("x_output.jsonl", BEDROCK_ROW), [])) == [SCORES]


def test_a_metric_without_a_result_is_missing():
    """A null result is a score that is missing, with the reason, and none of 0."""
    failed = {"scores": [{"metricName": "Accuracy", "result": None}]}
    rows = [BEDROCK_ROW, BEDROCK_ROW | {"automatedEvaluationResult": failed, "inputRecord": {"prompt": "Who?"}}]
    loaded = load(jsonl("x_output.jsonl", *rows), [])
    assert theirs(loaded) == [SCORES, {"Accuracy": "the file has no value"}]


def test_what_a_judge_explained_can_be_mapped():
    """The judge's explanation is left out and listed, and is the judge's reason once it is mapped."""
    source = jsonl("x_output.jsonl", BEDROCK_ROW)
    assert entries(load(source, []), "ignored column")[0][-1] == '"explanation" is left out'
    mapped = load(source, [replace(source, mapping={"explanation": "judge_reason"})])
    assert shown(mapped, "judge_reason") == [("Partly.",)]
