"""Shapes of files (`shapes.json`), many of public repositories, rewritten small: columns, nesting, kinds of cells."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qaviz.loading import Source
from tests.loading.files import A, R, S, fill, fill_row, jsonl, upload

TOWNS = [(f"Where is town {n}?", f"Region {n}", f"in Region {n + n % 2}") for n in range(4)]
"""Questions, golden answers and responses of which a number is all that differs."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Files, and what becomes of them."""

    files: list[Source]
    read: Mapping[str, Sequence[str]] | None = None
    """By pipeline the responses to Q, of files that are read."""
    loads: Mapping[str, Any] | None = None
    """What is loaded: of `FACTS` those that tell."""
    golden: Sequence[str] | None = None
    """The columns of golden answers, of a file with one pipeline."""
    ignored: Sequence[str] = ()
    """The columns that are left out and look like answers."""
    ask: Sequence[str] = ()
    """What stands in the question about files that are not read."""
    never: Sequence[str] = ()
    """What does not."""

    @property
    def is_asked(self) -> bool:
        """Whether nothing may be read unasked."""
        return self.read is None and self.golden is None and self.loads is None


def _repeat(row: Any) -> list[Any]:
    """`{"each": row}` as the row of each question, `{"town": row}` of each town; another value as it stands."""
    if isinstance(row, dict) and row.keys() == {"each"}:
        return fill(row["each"])
    if isinstance(row, dict) and row.keys() == {"town"}:
        questions, golden, responses = zip(*TOWNS, strict=True)
        return fill_row(row["town"], q=questions, a=golden, r=responses)
    return [_fill_in(row)]


def _fill_in(value: Any) -> Any:
    """The value with rows that are repeated, also among other rows."""
    if isinstance(value, dict):
        repeated = value.keys() in ({"each"}, {"town"})
        return _repeat(value) if repeated else {name: _fill_in(cell) for name, cell in value.items()}
    return [cell for row in value for cell in _repeat(row)] if isinstance(value, list) else value


def _make_file(name: str, given: Mapping[str, Any]) -> Source:
    """A JSON document, or a table: its header, if it has one, and its rows."""
    if "json" in given:
        return upload(name, json.dumps(_fill_in(given["json"]), ensure_ascii=False, indent=1))
    repeated = {kind: given[kind] for kind in ("each", "town") if kind in given}
    rows = _fill_in(given.get("rows", repeated))
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
    return Shape(**{**case, "files": files, "read": said})


_CASES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
SHAPES = {name: _make_shape(case) for name, case in _CASES.items()}
