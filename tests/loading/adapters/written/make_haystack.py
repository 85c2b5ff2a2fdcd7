"""What `EvaluationRunResult.detailed_report` of Haystack writes, as JSON and as CSV. Run with haystack-ai installed."""

import json
from importlib.metadata import version
from pathlib import Path

from haystack.evaluation import EvaluationRunResult

RELEASE = version("haystack-ai")
BESIDE = Path(__file__).parent

run = EvaluationRunResult(
    run_name="P",
    inputs={
        "question": ["How many?", "Who?"],
        "contexts": [["There are 158.", "x"], ['It\'s "Ann".']],
        "answer": ["158 in all", "Ann"],
        "predicted_answer": ["There are 158.", "Bob."],
    },
    results={"stated": {"score": 0.5, "individual_scores": [1.0, 0.0]}},
)
report = run.detailed_report(output_format="json")
(BESIDE / f"haystack-{RELEASE}.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
run.detailed_report(output_format="csv", csv_file=str(BESIDE / f"haystack-{RELEASE}.csv"))
