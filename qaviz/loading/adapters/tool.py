"""How files of another tool are recognised and read: JMESPath for each column, Python where that says too little.

Beside JMESPath's own functions, expressions may call those of `_FUNCTIONS`.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypedDict

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions
from jmespath.parser import ParsedResult

from qaviz.loading.column_mapping import GOLDEN_NAMES, RESPONSE_NAMES
from qaviz.loading.column_senses import read_column_name
from qaviz.loading.column_values import read_json, read_object, read_printed
from qaviz.loading.readers.strict_json import JsonObject
from qaviz.model import columns
from qaviz.model import columns as c
from qaviz.model.errors import stop

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

    Those that are objects are given as JSON, which `qaviz.loading.response_columns` takes apart."""
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


AROUND = "_file"
"""The field under which a row has the record that it stands in."""


@dataclass(frozen=True)
class Column:
    """A column of a tool's files: our word for it (empty: left out and listed), its name there, and where it stands.

    `path` is a JMESPath expression on a row, or a function of the row. Without one it is the field of that name, or the
    field at that path (`instance.id`).
    """

    word: str
    name: str
    path: str | Callable[[Record], object] = ""

    def read(self, row: Record) -> object:
        """The cell, as our word has it: texts of contexts, variants of golden answers, `Score` objects, numbers."""
        if callable(self.path):
            value = self.path(row)
        elif self.path:
            value = search(self.path, row)
        else:
            value = row[self.name] if self.name in row else inside(row, *self.name.split("."))
        return _CONVERSIONS.get(self.word, text)(value)


@dataclass(frozen=True, kw_only=True)
class Tool:
    """How the files of one tool are recognised and read. Installed packages add theirs (`qaviz.readers`)."""

    name: str
    """As people say it: `Ragas results`."""
    wrote: str | Callable[[Record], bool]
    """Whether a file that begins with this record is the tool's: a JMESPath expression, or a function."""
    columns: Sequence[Column]
    """Of several columns for a word the first that a file has. Fields that none of them reads are not seen."""
    rows: str | Callable[[Record], Iterator[Row]] = ""
    """Where the rows of a record stand, by JMESPath; without it the record is the row. A function returns rows whose
    cells are read already, under the names of `columns`."""
    adds_ordinary: bool = False
    """Whether columns with ordinary names are read too: people add them to files with a record for each row."""
    gather: Callable[[Sequence[Numbered]], Iterator[Numbered]] | None = None
    """For a tool that writes several records of one response: from all of a file's, one record a response."""

    @property
    def words(self) -> Mapping[str, str]:
        """Its column -> our word, in the order of `columns`."""
        words = {column.name: column.word for column in self.columns if column.word}
        return add_ordinary(words) if self.adds_ordinary else words

    def recognises(self, record: Record) -> bool:
        """Whether the tool wrote a file that begins with this record."""
        return bool(self.wrote(record) if callable(self.wrote) else search(self.wrote, record))

    def read_rows(self, record: Record) -> Iterator[Row]:
        """The rows of a record. Anything may be missing or of another kind: then so is its cell."""
        if callable(self.rows):
            yield from self.rows(record)
            return
        rows = [record]
        if self.rows:
            rows = [fields(row) | {AROUND: record} for row in items(search(self.rows, record))]
        for row in rows:
            cells = {column.name: column.read(row) for column in self.columns}
            yield (ordinary(row) | cells) if self.adds_ordinary else cells


def search(expression: str, record: Record) -> Any:  # noqa: ANN401 - somebody's JSON
    """What stands there; None where there is nothing, or a value that the expression's functions do not take."""
    compiled = _compile_expression(expression)
    try:
        return compiled.search(record, _OPTIONS)
    except (JMESPathError, TypeError, ValueError, OverflowError):
        return None


@cache
def _compile_expression(expression: str) -> ParsedResult:
    """The expression. Raises QavizError for one that is none: a package of the user's may have it."""
    try:
        return jmespath.compile(expression)
    except JMESPathError as error:
        fix = "Mend or uninstall the package that has it."
        raise stop("a reader", f"{expression!r} ({error})", "a JMESPath expression", fix) from None


def _has(value: object, *names: str) -> bool:
    return isinstance(value, dict | list) and all(name in value for name in names)


def list_columns(record: object, prefix: str, suffix: str) -> Record:
    """The columns whose names begin and end so, under their names without that."""
    return {
        name[len(prefix) : len(name) - len(suffix)]: value
        for name, value in fields(record).items()
        if name.startswith(prefix) and name.endswith(suffix)
    }


def find_part(record: object, name: str) -> object:
    """The object of this name, or of CSV the columns that begin with it and a dot: `inputs.question`."""
    return inside(record, name) or list_columns(record, f"{name}.", "") or None


def find_word(record: object, word: str) -> object:
    """The first filled field whose name says that it is this word of ours."""
    named = (value for name, value in fields(record).items() if read_column_name(name).word == word)
    return next((value for value in named if value is not None), None)


def _multiply(value: object, factor: float) -> float | None:
    return float(str(value)) * factor if is_number(value) and not isinstance(value, bool) else None


_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "has": _has,  # an object has all these fields, or a list all these elements, whatever they hold
    "first": lambda *values: next((value for value in values if value is not None), None),
    "when": lambda condition, value: value if condition else None,
    "question": lambda value: None if value is None else find_question(value),  # wherever it stands in the value
    "answer": lambda value: None if value is None else find_answer(value),
    "contexts": find_contexts,  # in the first of the objects that has a field for them
    "content": read_content,  # of a message, which may come in parts
    "first_text": read_first_text,  # of nested lists
    "lines": lambda values: "\n".join(filter(None, map(text, items(values)))) or None,
    "list": lambda value: read_printed(value, list),  # also one that Python printed into a cell
    "columns": list_columns,  # those with this beginning and end, without them
    "part": find_part,  # the object of this name, or the columns that begin with it and a dot
    "word": find_word,  # the first filled field whose name says that it is this word of ours
    "numbers": list_numbers,  # the fields that are numbers, but those named and those with ordinary names
    "times": _multiply,
    "json": read_json,
    "plain": lambda value: {name: inner for name, inner in fields(value).items() if "." not in name},
    "last_names": lambda value: {
        name.rpartition(".")[2]: inner for name, inner in fields(value).items() if "." in name
    },
    "averages": lambda value: {name: inside(stats, "avg") for name, stats in fields(value).items()},
}
"""What expressions may call."""

_functions = Functions()
_functions.FUNCTION_TABLE = Functions.FUNCTION_TABLE | {
    name: {
        "function": lambda _, *values, function=function: function(*values),
        "signature": ({"types": [], "variadic": True},),
    }
    for name, function in _FUNCTIONS.items()
}
_OPTIONS = jmespath.Options(custom_functions=_functions)


def _read_scores(value: object) -> list[Score] | None:
    """Scores of `{"name": 0.5}`, of which only numbers count, or of `[{"name": …, "value": …, "error": …}]`."""
    if isinstance(value, dict):
        return scores_of(value) or None
    entries = [fields(entry) for entry in items(value)]
    scores = [
        score(text(entry["name"]) or "", entry.get("value"), entry.get("error"))
        for entry in entries
        if entry.get("name")
    ]
    return scores or None


def _read_variants(value: object) -> str | None:
    return variants(value, c.OR_DELIMITER) if isinstance(value, list) else text(value)


def _read_figure(value: object) -> object:
    return value if is_number(value) and not isinstance(value, bool) else None


def _keep(value: object) -> object:
    return value


_CONVERSIONS: Mapping[str, Callable[[object], object]] = {
    "": _keep,
    c.ANSWER: _read_variants,
    c.FACT: _read_variants,
    c.CONTEXTS: texts,
    c.CONTEXT_IDS: texts,
    c.PASSAGE_ID: texts,
    c.EVIDENCE: texts,
    c.LATENCY_MS: _read_figure,
    c.COST: _read_figure,
    c.ANSWERABLE: _keep,
    c.THEIR_SCORES: _read_scores,
}
"""How a value becomes a cell of our word; any other word is a text."""
