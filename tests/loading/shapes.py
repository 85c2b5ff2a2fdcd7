"""Shapes of files in public repositories, rewritten small in `shapes.json`: columns, nesting and kinds of cells."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qaviz.loading import Source
from tests.loading.files import A, Q, R, S, fill, jsonl, upload


@dataclass(frozen=True)
class Shape:
    """Files, and what becomes of them."""

    files: list[Source]
    read: Mapping[str, Sequence[str]] | None
    """By pipeline the responses to Q; None where a person is asked."""
    ask: Sequence[str]
    """What stands in the question."""
    never: Sequence[str]
    """What does not."""


def _fill_in(value: Any) -> Any:
    """The value with `{"each": row}` as the row of each question, also among other rows."""
    if isinstance(value, dict):
        return (
            fill(value["each"]) if value.keys() == {"each"} else {name: _fill_in(cell) for name, cell in value.items()}
        )
    if not isinstance(value, list):
        return value
    filled: list[Any] = []
    for row in value:
        filled += fill(row["each"]) if isinstance(row, dict) and row.keys() == {"each"} else [_fill_in(row)]
    return filled


def _make_file(name: str, given: Mapping[str, Any]) -> Source:
    """A JSON document, or a table: its header, if it has one, and its rows."""
    if "json" in given:
        return upload(name, json.dumps(_fill_in(given["json"]), ensure_ascii=False, indent=1))
    rows = _fill_in(given["rows"] if "rows" in given else [{"each": given["each"]}])
    if "header" not in given:
        return jsonl(name, *rows)
    delimiter = next(sign for sign in "\t;," if sign in given["header"])
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([given["header"].split(delimiter), *rows])
    return upload(name, text.getvalue())


def _make_shape(case: Mapping[str, Any]) -> Shape:
    texts = {"a": A, "r": R, "s": S}
    read = case.get("read")
    said = read and {name: texts[text] if isinstance(text, str) else text for name, text in read.items()}
    files = [_make_file(name, given) for name, given in case["files"].items()]
    return Shape(files, said, case.get("ask", ()), case.get("never", ()))


_CASES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
SHAPES = {name: _make_shape(case) for name, case in _CASES.items()}
assert len(Q) == len(A) == len(R) == len(S)
