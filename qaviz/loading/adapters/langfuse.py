"""Langfuse: CSV with `input`, `expectedOutput`, `output` and `metadata`, as datasets are brought in and out."""

import json
from collections.abc import Iterator

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import Record, Row, Tool, and_ordinary, is_number, ordinary, score, text
from qaviz.loading.column_mapping import GOLDEN_NAMES
from qaviz.model.columns import ANSWER, LATENCY_MS, QUESTION, RESPONSE, THEIR_SCORES

_NO_SCORES = ("expectedOutput", "metadata", "createdAt", "updatedAt")
_FIELDS = (*GOLDEN_NAMES[QUESTION], *GOLDEN_NAMES[ANSWER], "content", "text")
_MS = 1000


def _wrote(record: Record) -> bool:
    return {"input", "expectedOutput"} <= record.keys()


def _rows(record: Record) -> Iterator[Row]:
    beside = ordinary(record)
    numbers = [name for name, value in record.items() if name not in (*_NO_SCORES, *beside) and is_number(value)]
    seconds = record.get("latency")
    yield beside | {
        "input": _bare(record["input"]),
        "expectedOutput": _bare(record["expectedOutput"]),
        "output": _bare(record.get("output")),
        "latency": float(seconds) * _MS if seconds is not None and is_number(seconds) else None,
        SCORES: [score(name, record[name]) for name in numbers],
    }


def _bare(cell: object) -> str | None:
    """The text in a cell of JSON: of an object the field that is called like a question or an answer, or its only one.

    Any other cell is as it stands.
    """
    try:
        value = json.loads(cell) if isinstance(cell, str) else cell
    except (ValueError, RecursionError):
        return text(cell)
    if isinstance(value, dict) and value:
        name = next((each for each in _FIELDS if each in value), next(iter(value)) if len(value) == 1 else None)
        return text(value[name]) if name is not None else text(cell)
    return value if isinstance(value, str) else text(cell)


LANGFUSE = Tool(
    name="a Langfuse CSV",
    wrote=_wrote,
    rows=_rows,
    words=and_ordinary(
        {
            "input": QUESTION,
            "expectedOutput": ANSWER,
            "output": RESPONSE,
            "latency": LATENCY_MS,
            SCORES: THEIR_SCORES,
        }
    ),
)
