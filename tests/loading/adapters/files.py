"""Small files as other tools write them, made from the fields that those tools document."""

import io
import json
import zipfile
from pathlib import Path
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


MADE: dict[str, Any] = json.loads(Path(__file__).with_name("made.json").read_text("utf-8"))
"""By a tool's name the content of a file of it."""

RAGAS_ROW, MLFLOW_RECORD, LANGFUSE_ROW, SQUAD_ROW = (
    MADE[name][0] for name in ("Ragas results", "MLflow results", "a Langfuse CSV", "rows of a SQuAD dataset")
)
PROMPTFOO_RESULT = MADE["promptfoo results"]["results"]["results"][0]
BEDROCK_ROW, LLM_COMPARATOR_FILE, DEEPEVAL_GOLDEN = (
    MADE[name] for name in ("Bedrock evaluation output", "an LLM Comparator file", "DeepEval golden")
)
SQUAD_FILE = document("dev.json", MADE["a SQuAD dataset"])
INSPECT_HEAD = {name: value for name, value in MADE["an Inspect log"].items() if name != "samples"}
(INSPECT_SAMPLE,) = MADE["an Inspect log"]["samples"]


def promptfoo_file(*results: dict[str, Any]) -> Source:
    """A results.json of version 3."""
    body = {"version": 3, "timestamp": "2026-01-01T00:00:00Z", "prompts": [], "results": list(results), "stats": {}}
    return document("results.json", {"evalId": "e", "results": body, "config": {}, "shareableUrl": None})


def inspect_zip(*samples: dict[str, Any], head: str = "header.json") -> Source:
    """An Inspect log as a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(head, json.dumps(INSPECT_HEAD))
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
    return upload("log.eval", buffer.getvalue())
