"""Writes what the MLflow that is installed says of two responses, without a model or a network.

    MLFLOW_DISABLE_TELEMETRY=true python make_mlflow.py

mlflow-VERSION.table.json is the table of `mlflow.evaluate` as its run keeps it, of responses that were there before;
mlflow-VERSION.asked.json the same of a function that was asked. From version 3 on, mlflow-VERSION.traces.json and .csv
are `mlflow.genai.evaluate(...).result_df`, without what takes pages: spans, tags, stack traces.
"""

import tempfile
from pathlib import Path

import mlflow
import pandas as pd

NAME = f"mlflow-{mlflow.__version__}"
ROWS = pd.DataFrame(
    {"inputs": ["How many?", "Who?"], "ground_truth": ["158 in all", "Ann"], "predictions": ["There are 158.", "Bob."]}
)
PAGES_LONG = ["trace", "spans", "trace_metadata", "tags"]


def stated(predictions: pd.Series, targets: pd.Series) -> mlflow.metrics.MetricValue:  # noqa: ARG001 - by MLflow's names
    """A metric that needs no model, and has no value for one row."""
    return mlflow.metrics.MetricValue(
        scores=[0.5 if "158" in text else None for text in predictions], justifications=["close", "no"]
    )


def asked(rows: pd.DataFrame) -> list[str]:
    """Stands in for a model."""
    return ROWS.set_index("inputs").loc[rows["inputs"], "predictions"].to_list()


def write_table(end: str, **what: object) -> None:
    """Evaluate, and copy the table that the run keeps."""
    metrics = [mlflow.metrics.make_metric(eval_fn=stated, greater_is_better=True, name="stated")]
    metrics += [mlflow.metrics.latency()] * ("model" in what)
    with mlflow.start_run() as run:
        mlflow.models.evaluate(targets="ground_truth", **what, extra_metrics=metrics)
    table = mlflow.artifacts.load_text(f"{run.info.artifact_uri}/eval_results_table.json")
    Path(f"{NAME}.{end}.json").write_text(table + "\n", encoding="utf-8")


def write_traces() -> None:
    """Evaluate as version 3 does, by a judge of yes and no, a number, and a scorer that breaks for one row."""

    @mlflow.genai.scorer
    def correctness(outputs: str) -> str:
        return "yes" if "158" in outputs else "no"

    @mlflow.genai.scorer
    def letters(outputs: str) -> int:
        return len(outputs)

    @mlflow.genai.scorer
    def broken(outputs: str) -> bool:
        if "Bob" in outputs:
            raise ValueError("out of order")
        return True

    expected = [{"expected_response": "158 in all", "expected_facts": ["158"]}, {"expected_response": "Ann"}]
    data = [
        {"inputs": {"question": question}, "outputs": output, "expectations": each}
        for question, output, each in zip(ROWS["inputs"], ROWS["predictions"], expected, strict=True)
    ]
    frame = mlflow.genai.evaluate(data=data, scorers=[correctness, letters, broken]).result_df
    for assessments in frame["assessments"]:
        for each in assessments:
            each.get("feedback", {}).get("error", {}).pop("stack_trace", None)
            each.pop("metadata")
    frame = frame.drop(columns=PAGES_LONG)
    frame.to_json(f"{NAME}.traces.json", orient="records", indent=2)
    frame.to_csv(f"{NAME}.traces.csv", index=False)


with tempfile.TemporaryDirectory() as folder:
    third = mlflow.__version__.startswith("3")
    mlflow.set_tracking_uri(f"sqlite:///{folder}/runs.db" if third else folder)
    mlflow.set_experiment(experiment_id=mlflow.create_experiment("qaviz", artifact_location=f"{folder}/artifacts"))
    write_table("table", data=ROWS, predictions="predictions")
    write_table("asked", model=asked, data=ROWS.drop(columns="predictions"))
    if third:
        write_traces()
