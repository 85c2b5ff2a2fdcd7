"""Small files as other tools write them, made from the fields that those tools document."""

import io
import json
import zipfile
from typing import Any

from qaviz.loading import Loaded, Source
from tests.loading.files import upload

SHOWN = ("question", "answer", "fact", "pipeline", "response")


def document(name: str, value: object, *, indent: int | None = 2) -> Source:
    """A JSON document, over several lines unless `indent` is None."""
    return upload(name, json.dumps(value, indent=indent))


def shown(loaded: Loaded, *columns: str) -> list[tuple[object, ...]]:
    """These columns of the rows, SHOWN if none is named."""
    return loaded.rows.select(columns or SHOWN).rows()


def theirs(loaded: Loaded) -> list[dict[str, Any]]:
    """For each row the tool's scores by name: the value, or why there is none."""
    return [
        {each["name"]: each["error"] if each["value"] is None else each["value"] for each in row["their_scores"] or ()}
        for row in loaded.rows.iter_rows(named=True)
    ]


RAGAS_ROW = {
    "user_input": "How many?",
    "retrieved_contexts": ["There are 158."],
    "response": "158",
    "reference": "158 in all",
    "faithfulness": 1.0,
    "answer_relevancy": 0.75,
}

PROMPTFOO_RESULT = {
    "promptIdx": 0,
    "testIdx": 0,
    "testCase": {"vars": {"question": "How many?"}, "assert": [{"type": "icontains", "value": "158"}]},
    "promptId": "p",
    "provider": {"id": "openai:gpt", "label": "gpt"},
    "prompt": {"raw": "Answer: How many?", "label": "Answer: {{question}}"},
    "vars": {"question": "How many?", "expected": "158 in all", "context": "There are 158."},
    "response": {"output": "158", "tokenUsage": {"total": 3}},
    "success": True,
    "score": 1,
    "namedScores": {"tone": 0.5},
    "latencyMs": 120,
    "cost": 0.002,
    "gradingResult": {
        "pass": True,
        "score": 1,
        "reason": "All assertions passed",
        "componentResults": [{"pass": True, "score": 1, "assertion": {"type": "icontains", "value": "158"}}],
    },
    "failureReason": 0,
}


def promptfoo_file(*results: dict[str, Any], name: str = "results.json") -> Source:
    """A results.json of version 3."""
    body = {"version": 3, "timestamp": "2026-01-01T00:00:00Z", "prompts": [], "results": list(results), "stats": {}}
    return document(name, {"evalId": "e", "results": body, "config": {}, "shareableUrl": None})


SQUAD_FILE = document(
    "dev.json",
    {
        "version": "v2.0",
        "data": [
            {
                "title": "Normans",
                "paragraphs": [
                    {
                        "context": "The Normans came in 911.",
                        "qas": [
                            {
                                "id": "s1",
                                "question": "When did they come?",
                                "is_impossible": False,
                                "answers": [
                                    {"text": "911", "answer_start": 20},
                                    {"text": "in 911", "answer_start": 17},
                                    {"text": "911", "answer_start": 20},
                                ],
                            },
                            {
                                "id": "s2",
                                "question": "When did they leave?",
                                "is_impossible": True,
                                "answers": [],
                                "plausible_answers": [{"text": "911", "answer_start": 20}],
                            },
                        ],
                    }
                ],
            }
        ],
    },
)

SQUAD_ROW = {
    "id": "s1",
    "title": "Normans",
    "context": "There are 158.",
    "question": "How many?",
    "answers": {"text": ["158", "158 in all"], "answer_start": [10, 10]},
}

BEDROCK_ROW = {
    "automatedEvaluationResult": {
        "scores": [
            {"metricName": "Accuracy", "result": 1.0},
            {"result": 0.3},
            {
                "metricName": "Builtin.Correctness",
                "result": 0.5,
                "evaluatorDetails": [{"explanation": "Partly.", "modelIdentifier": "judge"}],
            },
        ]
    },
    "inputRecord": {"prompt": "How many?", "referenceResponse": "158 in all", "category": "people"},
    "modelResponses": [{"response": "158", "modelIdentifier": "amazon.nova"}],
}

INSPECT_SAMPLE = {
    "id": 7,
    "epoch": 1,
    "input": "How many?",
    "target": ["158", "158 in all"],
    "output": {
        "model": "m",
        "choices": [{"message": {"role": "assistant", "content": "158"}}],
        "completion": "158",
        "time": 1.5,
    },
    "scores": {"match": {"value": "C", "answer": "158"}, "parts": {"value": {"tone": 0.5, "length": True}}},
}
INSPECT_HEAD = {"version": 2, "status": "success", "eval": {"task": "count", "model": "openai/gpt"}, "results": {}}


def inspect_zip(*samples: dict[str, Any], name: str = "log.eval", head: str = "header.json") -> Source:
    """An Inspect log as a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(head, json.dumps(INSPECT_HEAD))
        for each in samples:
            archive.writestr(f"samples/{each['id']}_epoch_{each['epoch']}.json", json.dumps(each))
    return upload(name, buffer.getvalue())


MLFLOW_TABLE = {
    "columns": ["inputs", "ground_truth", "outputs", "toxicity/v1/score", "answer_similarity/v1/justification"],
    "data": [["How many?", "158 in all", "158", 0.25, "Close."]],
}
MLFLOW_RECORD = {
    "inputs": {"question": "How many?"},
    "outputs": {"response": "158"},
    "expectations": {"expected_response": "158 in all", "expected_facts": ["158"]},
    "assessments": [
        {"assessment_name": "correctness", "feedback": {"value": "yes"}},
        {"assessment_name": "tone", "feedback": {"value": None, "error": "timeout"}},
    ],
}

DEEPEVAL_RUN = {
    "testRunData": {
        "testCases": [
            {
                "name": "test_case_0",
                "input": "How many?",
                "actualOutput": "158",
                "expectedOutput": "158 in all",
                "retrievalContext": ["There are 158."],
                "metricsData": [
                    {"name": "Answer Relevancy", "score": 0.75, "success": True, "threshold": 0.5},
                    {"name": "Faithfulness", "score": None, "error": "timeout"},
                ],
            }
        ]
    }
}
DEEPEVAL_GOLDEN = {
    "input": "How many?",
    "actual_output": "158",
    "expected_output": "158 in all",
    "retrieval_context": ["There are 158."],
    "context": None,
    "source_file": "a.pdf",
}

LANGFUSE_ROW = {
    "id": "l1",
    "input": '{"question": "How many?"}',
    "expectedOutput": '"158 in all"',
    "output": "158",
    "metadata": "{}",
    "latency": "1.5",
    "accuracy": "0.75",
}

SMALL_RECORDS = {
    "samples of lm-evaluation-harness": {
        "doc_id": 1,
        "doc": {"question": "How many?"},
        "target": "158",
        "arguments": {"gen_args_0": {"arg_0": "Question: How many?", "arg_1": {"until": []}}},
        "resps": [["158"]],
        "filtered_resps": ["158"],
        "metrics": ["exact_match"],
        "exact_match": 1.0,
    },
    "an Azure AI evaluation": {
        "rows": [
            {
                "inputs.query": "How many?",
                "inputs.ground_truth": "158",
                "inputs.context": "There are 158.",
                "outputs.response": "158",
                "outputs.f1_score.f1_score": 1.0,
            }
        ],
        "metrics": {},
    },
    "LangSmith runs": {
        "inputs": {"question": "How many?"},
        "outputs": {"answer": "158"},
        "reference_outputs": {"answer": "158 in all"},
        "run_type": "chain",
        "session_name": "nova",
        "feedback_stats": {"correct": {"n": 1, "avg": 1.0}},
    },
    "TruLens records": {
        "record_id": "r",
        "app_id": "nova",
        "input": "How many?",
        "output": "158",
        "ground_truth": "158 in all",
        "Relevance": 0.9,
    },
    "TriviaQA questions": {
        "QuestionId": "q1",
        "Question": "How many?",
        "Answer": {"Value": "158", "Aliases": ["158", "158 in all"]},
    },
}
"""A record a tool whose exports are small records."""

LLM_COMPARATOR_FILE = {
    "metadata": {"source_path": "x", "custom_fields_schema": [{"name": "reference", "type": "text"}]},
    "models": [{"name": "A"}, {"name": "B"}],
    "examples": [
        {
            "input_text": "How many?",
            "tags": ["people", "critical"],
            "output_text_a": "158",
            "output_text_b": "159",
            "score": 1.25,
            "individual_rater_scores": [],
            "custom_fields": {"reference": "158 in all"},
        }
    ],
}
