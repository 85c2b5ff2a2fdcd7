"""The benchmark of agreement, called as README says."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOLDEN = """
{"question_id": "sales", "question": "What were sales?", "answer": "They were $134.4 billion.", "fact": "134.4 billion"}
{"question_id": "who", "question": "Who leads it?", "answer": "Jane Doe", "fact": "Jane Doe"}
"""
RESPONSES = """
{"question_id": "sales", "pipeline": "A", "response": "134,383 million dollars."}
{"question_id": "sales", "pipeline": "B", "response": "134,383 million dollars."}
{"question_id": "who", "pipeline": "A", "response": "Ms Doe leads it."}
{"question_id": "who", "pipeline": "B", "response": "I do not know."}
"""
LABELS = """
{"question_id": "sales", "pipeline": "A", "label": "correct"}
{"question_id": "sales", "pipeline": "B", "label": "incorrect"}
{"question_id": "who", "pipeline": "A", "label": "correct"}
{"question_id": "who", "pipeline": "B", "label": "declined"}
"""


@pytest.mark.parametrize("how", [["benchmarks/diagnosis.py"], ["-m", "benchmarks.diagnosis"]])
def test_the_benchmark_runs_as_a_script_and_as_a_module(how, tmp_path):
    """It prints all three judges, agreement by diagnosis, and the response that people labelled in two ways."""
    files = {"golden": GOLDEN, "responses": RESPONSES, "labels": LABELS}
    for name, text in files.items():
        (tmp_path / f"{name}.jsonl").write_text(text.lstrip(), encoding="utf-8")
    asked = [sys.executable, *how, *(str(tmp_path / f"{name}.jsonl") for name in files)]
    printed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    for words in ("Factual Knowledge and recall", "qaviz", "rephrased-correct", "One response, different labels: 1"):
        assert words in printed
    assert "accuracy 0.750" in printed
