"""Values of any kind in other tools' files as cells: texts, variants, contexts, scores."""

import json
import math
from collections.abc import Mapping
from typing import Any, TypedDict

from qaviz.loading.column_mapping import GOLDEN_NAMES, RESPONSE_NAMES
from qaviz.loading.column_senses import read_column_name
from qaviz.loading.column_values import read_object, read_printed
from qaviz.loading.readers.strict_json import JsonObject
from qaviz.model import columns

MS = 1000
"""Milliseconds of a second."""

_CONTENT = ("content", "text", "message", "value", "parts")
"""Fields in which a message keeps its text."""

SCORES = "their scores"
"""The column of a tool's scores: a list of `Score`."""

RUBRIC = "rubric"
"""The column of what says how to grade a response, where a golden answer belongs. No word of ours."""

Record = JsonObject
"""What a tool writes at a time: a line of JSON Lines, an element of a JSON list, a row of CSV, or a whole document."""

Numbered = tuple[int, Record]
"""A record and its line, or its place in a document."""

Row = dict[str, object]
"""Cells of one response, or of one golden triplet, by the names that the tool gives its columns: texts, numbers, flags
and lists as JSON has them, and in SCORES a list of `Score`."""


class Score(TypedDict):
    """A tool's score of one response, as `Kind.SCORES` has it."""

    name: str
    value: float | None
    """None where there is none; then `error` says why."""
    error: str | None


ORDINARY: Mapping[str, str] = {
    alias: word
    for names in (RESPONSE_NAMES, GOLDEN_NAMES)
    for word, aliases in names.items()
    for alias in aliases
    if word != columns.THEIR_SCORES
}
"""The names that people use for columns of their own -> our word: what stands beside a tool's columns."""


def ordinary(record: Record) -> Row:
    """What stands under ordinary names, for tools whose records are flat: people add columns of their own."""
    return {name: record[name] for name in ORDINARY if name in record}


def add_ordinary(words: Mapping[str, str]) -> dict[str, str]:
    """The tool's words, and after them those of ordinary names."""
    return {**words, **{name: word for name, word in ORDINARY.items() if name not in words}}


def inside(value: object, *path: str | int) -> Any:  # noqa: ANN401 - a value of somebody's JSON
    """What stands there at the end of the path of keys and places; None if there is no such place."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def read_fields(value: object, *paths: str) -> Row:
    """The fields at these paths (`instance.id`) as texts, each under its path; None where there is none."""
    return {path: text(inside(value, *path.split("."))) for path in paths}


def items(value: object) -> list[Any]:
    """The elements of a list; none of anything else."""
    return value if isinstance(value, list) else []


def fields(value: object) -> JsonObject:
    """The fields of an object; none of anything else."""
    return value if isinstance(value, dict) else {}


def text(value: object) -> str | None:
    """A text as it is, anything else as JSON; None where it is missing."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def texts(value: object) -> list[str] | None:
    """The texts of a list, or the one that stands alone; None where there is none."""
    passages = value if isinstance(value, list) else [value]
    return [text(passage) or "" for passage in passages if passage is not None] or None


def find_contexts(*values: object) -> list[str] | None:
    """The passages in the first of the objects that has a field for them, such as `context` or `source_documents`.

    Those that are objects are given as JSON, which `qaviz.loading.response_cells` takes apart."""
    for value in map(read_object, values):
        for name, passages in fields(value).items():
            if passages and read_column_name(name).word == columns.CONTEXTS:
                return texts(read_printed(passages, list))
    return None


def find_text(value: object, *wanted: str) -> str | None:
    """The text of a question, an answer or a response: a text itself, the last of several messages, or the field of an
    object that is named as one of the `wanted` words, or its only one."""
    value = read_object(value)
    if isinstance(value, list):
        return find_text(value[-1], *wanted) if value else None
    if not isinstance(value, dict):
        return text(value)
    name = next((field for field in value if read_column_name(field).word in wanted), None)
    name = name or next((field for field in (*_CONTENT, "messages", "output", "choices") if field in value), None)
    name = name or (next(iter(value)) if len(value) == 1 else None)
    return find_text(value[name], *wanted) if name else text(value)


def find_question(value: object) -> str | None:
    """The text of a question, wherever it stands in the value (see `find_text`)."""
    return find_text(value, columns.QUESTION)


def find_answer(value: object) -> str | None:
    """The text of an answer or a response, wherever it stands in the value (see `find_text`)."""
    return find_text(value, columns.RESPONSE, columns.ANSWER)


def variants(values: object, delimiter: str) -> str | None:
    """The distinct filled texts of a list, joined; None where there is none."""
    return delimiter.join(dict.fromkeys(filter(str.strip, texts(values) or []))) or None


def score(name: str, value: object, why_not: object = None) -> Score:
    """A score by its name: true as 1, a number in a text as that number; why there is none, where it is none."""
    number = _number(value)
    if number is None:
        written = text(value) if value not in (None, "") else None
        return {"name": name, "value": None, "error": text(why_not) or written or "the file has no value"}
    return {"name": name, "value": number, "error": None}


def scores_of(values: Mapping[str, object]) -> list[Score]:
    """The scores among the values: those that are numbers."""
    return [score(name, value) for name, value in values.items() if is_number(value)]


def is_number(value: object) -> bool:
    """Whether it can be a score: a number, true or false, or a text that is a number; NaN is one that failed."""
    return isinstance(value, bool | int | float) or _number(value) is not None


def _number(value: object) -> float | None:
    if not isinstance(value, bool | int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def list_numbers(record: object, *others: str) -> Record:
    """The fields that can be scores, but those of these names and of ordinary ones."""
    values = fields(record).items()
    return {name: value for name, value in values if name not in others and name not in ORDINARY and is_number(value)}


def read_content(message: object) -> str | None:
    """The text of a message or a passage, whose content may come in parts."""
    content = inside(message, "content")
    if isinstance(content, str):
        return content or None
    parts = content if isinstance(content, list) else [content]
    return "\n".join(filter(None, (text(inside(part, "text")) for part in parts))) or None


def read_first_text(value: object) -> str | None:
    """The first text of nested lists of responses; None if they begin with something else."""
    while isinstance(value, list) and value:
        value = value[0]
    # A likelihood is a number, in later releases one that is written as a text.
    return value if isinstance(value, str) and not is_number(value) else None
