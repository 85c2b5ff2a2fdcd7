"""What `evaluate(output_path=...)` of azure-ai-evaluation writes, with evaluators that need no model.

Run with azure-ai-evaluation installed.
"""

import json
import tempfile
from importlib.metadata import version
from pathlib import Path

from azure.ai.evaluation import F1ScoreEvaluator, evaluate

RELEASE = version("azure-ai-evaluation")
BESIDE = Path(__file__).parent
ROWS = [
    {"query": "How many?", "response": "There are 158.", "ground_truth": "158 in all", "context": "There are 158."},
    {"query": "Who?", "response": "Bob.", "ground_truth": "Ann", "context": "x"},
]


def stated(*, response: str, ground_truth: str) -> dict[str, float]:
    return {"stated": float(ground_truth.split()[0] in response)}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.jsonl"
        data.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
        evaluate(
            data=str(data),
            evaluators={"f1_score": F1ScoreEvaluator(), "stated": stated},
            output_path=str(BESIDE / f"azure-{RELEASE}.json"),
        )
