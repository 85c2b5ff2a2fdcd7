"""Decisions on triplets that were made in another review tool: Label Studio's JSON export, Argilla's records.

By their published schemas (labelstud.io/guide/task_format, docs.argilla.io: Record); no file of theirs was at hand.
A task or record is known by `item` and `triplet`, which `qaviz review export` writes into its data or metadata.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from qaviz.loading.adapters.records import JSON_SUFFIXES, first_record, records
from qaviz.loading.adapters.tool import Record
from qaviz.loading.problems import Problems
from qaviz.loading.source import Source

ITEM, TRIPLET = "item", "triplet"
SINGLE, SEVERAL = ("action",), "findings"
WRITTEN = ("new_question", "new_answer", "new_fact", "note")
COLUMNS = (ITEM, TRIPLET, *SINGLE, SEVERAL, *WRITTEN)
_JOIN = "; "

_Row = dict[str, str | None]


def is_from_review_tool(source: Source) -> bool:
    """Whether the file is of Label Studio or Argilla. Raises QavizError for a JSON document that breaks."""
    if source.suffix not in JSON_SUFFIXES:
        return False
    record = first_record(source)
    return record is not None and _rows_of(record) is not None


def read_review_tool(source: Source) -> pl.DataFrame:
    """Return COLUMNS, one row a task or record with what was decided on it: of several people's, the last one's.

    Raises QavizError with every problem of the file.
    """
    problems = Problems(source.name, "record")
    rows: list[_Row] = []
    for _, record in records(source, problems):
        rows.extend(_rows_of(record) or ())
    problems.stop_if_any()
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String()))


def _rows_of(record: Record) -> list[_Row] | None:
    if isinstance(record.get("data"), dict) and isinstance(record.get("annotations", record.get("predictions")), list):
        return [*_of_task(record)]
    if isinstance(record.get("fields"), dict) and isinstance(record.get("responses"), dict):
        return [_of_record(record)]
    return None


def _of_task(task: Record) -> Iterator[_Row]:
    """Label Studio: what the controls of the last annotation that was not cancelled hold."""
    done = [each for each in _dicts(task.get("annotations")) if not each.get("was_cancelled")]
    row = _named(task["data"])
    for region in _dicts(done[-1].get("result")) if done else ():
        name, value = region.get("from_name"), region.get("value")
        if name in COLUMNS and isinstance(value, dict):
            row[str(name)] = _joined(value.get("choices", value.get("text")), str(name))
    yield row


def _of_record(record: Record) -> _Row:
    """Argilla: the last value of each question's responses."""
    row = _named(record.get("metadata"))
    for name, given in record["responses"].items():
        answers = _dicts(given)
        if name in COLUMNS and answers:
            row[name] = _joined(answers[-1].get("value"), name)
    return row


def _named(data: object) -> _Row:
    """A row that is known by its item and triplet."""
    known = data if isinstance(data, Mapping) else {}
    row: _Row = dict.fromkeys(COLUMNS)
    return row | {name: None if known.get(name) is None else str(known[name]) for name in (ITEM, TRIPLET)}


def _dicts(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _joined(value: object, name: str) -> str | None:
    """Several findings as one text; of any other column the last text."""
    texts = [str(each) for each in value] if isinstance(value, list) else [str(value)] if value is not None else []
    return (_JOIN.join(texts) if name == SEVERAL else texts[-1]) if texts else None
