"""Small files as other tools write them, made from the fields that those tools document."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import polars as pl

from qaviz.loading import Source
from tests.loading.files import upload


def document(name: str, value: object, *, indent: int | None = 2) -> Source:
    """A JSON document, over several lines unless `indent` is None."""
    return upload(name, json.dumps(value, indent=indent))


def theirs(rows: pl.DataFrame) -> list[dict[str, Any]]:
    """For each row the tool's scores by name: the value, or why there is none."""
    return [
        {each["name"]: each["error"] if each["value"] is None else each["value"] for each in row["their_scores"] or ()}
        for row in rows.iter_rows(named=True)
    ]


WRITTEN = Path(__file__).with_name("written")
"""Files that the tools themselves wrote; `README.md` there says how."""
MADE: dict[str, Any] = json.loads(Path(__file__).with_name("made.json").read_text("utf-8"))
"""By a tool's name the content of a file of it."""

(RAGAS_ROW,) = MADE["Ragas results"]
INSPECT_HEAD = {name: value for name, value in MADE["an Inspect log"].items() if name != "samples"}
(INSPECT_SAMPLE,) = MADE["an Inspect log"]["samples"]


def inspect_zip(*samples: dict[str, Any], head: str = "header.json") -> Source:
    """An Inspect log as a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(head, json.dumps(INSPECT_HEAD))
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
    return upload("log.eval", buffer.getvalue())
