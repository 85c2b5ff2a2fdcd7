"""How files of another tool are recognised and read: JMESPath for each column, Python where that says too little.

Beside JMESPath's own functions, expressions may call those of `_FUNCTIONS`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions
from jmespath.parser import ParsedResult

from qaviz.loading.adapters.values import (
    Numbered,
    Record,
    Row,
    Score,
    add_ordinary,
    fields,
    find_answer,
    find_contexts,
    find_question,
    inside,
    is_number,
    items,
    list_numbers,
    ordinary,
    read_content,
    read_first_text,
    score,
    scores_of,
    text,
    texts,
    variants,
)
from qaviz.loading.column_senses import read_column_name
from qaviz.loading.column_values import read_json, read_printed
from qaviz.model import columns as c
from qaviz.model.errors import stop

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
