"""What lm-evaluation-harness writes with `--log_samples`: a task that generates and one that compares likelihoods.

Run with lm-eval installed. Its dummy model answers, no network is asked.
"""

import json
import tempfile
from importlib.metadata import version
from pathlib import Path

import lm_eval
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

RELEASE = version("lm-eval")
BESIDE = Path(__file__).parent
ROWS = [
    {"question": "How many?", "answer": "158 in all", "choices": ["158 in all", "12"], "right": 0},
    {"question": "Who?", "answer": "Ann", "choices": ["Bob", "Ann"], "right": 1},
]
GENERATED = """
task: asked
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "Question: {{{{question}}}}\\nAnswer:"
doc_to_target: "{{{{answer}}}}"
metric_list: [{{metric: exact_match, aggregation: mean, higher_is_better: true}}]
"""
CHOSEN = """
task: chosen
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "Question: {{{{question}}}}\\nAnswer:"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: right
metric_list: [{{metric: acc, aggregation: mean, higher_is_better: true}}]
"""

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
        for task, text in (("asked", GENERATED), ("chosen", CHOSEN)):
            (folder / f"{task}.yaml").write_text(text.format(data=folder / "data.jsonl"), encoding="utf-8")
        tasks = TaskManager(include_path=name, include_defaults=False)
        results = lm_eval.simple_evaluate("dummy", tasks=["asked", "chosen"], task_manager=tasks, log_samples=True)
        tracker = EvaluationTracker(output_path=name)
        samples = results.pop("samples")
        tracker.save_results_aggregated(results=results, samples=samples)
        for task in ("asked", "chosen"):
            tracker.save_results_samples(task, samples[task])
            (written,) = folder.rglob(f"samples_{task}_*.jsonl")
            (BESIDE / f"lm_eval-{RELEASE}.{task}.jsonl").write_bytes(written.read_bytes())
