"""How files of another tool are recognised and read: JMESPath for each column, and the functions that it may call."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions
from jmespath.parser import ParsedResult

from qaviz.loading.formats.strict_json import as_text
from qaviz.loading.tool_functions import (
    FUNCTIONS,
    ORDINARY,
    Record,
    Row,
    Score,
    fields,
    inside,
    is_number,
    items,
    score,
    scores_of,
    texts,
    variants,
)
from qaviz.model import columns as c
from qaviz.model.errors import stop

AROUND = "_file"
"""The field under which a row has the record that it stands in."""


@dataclass(frozen=True)
class Column:
    """A column of a tool's files: our word for it (empty: left out and listed), its name there, and where it stands.

    `path` is a JMESPath expression on a row. Without one it is the field of that name, or the field at that path
    (`instance.id`).
    """

    word: str
    name: str
    path: str = ""

    def read(self, row: Record) -> object:
        """The cell, as our word has it: texts of contexts, variants of golden answers, `Score` objects, numbers."""
        if self.path:
            value = search(self.path, row)
        else:
            value = row[self.name] if self.name in row else inside(row, *self.name.split("."))
        return _CONVERSIONS.get(self.word, as_text)(value)


@dataclass(frozen=True, kw_only=True)
class Tool:
    """How the files of one tool are recognised and read. Installed packages add theirs (`qaviz.readers`)."""

    name: str
    """As people say it: `Ragas results`."""
    wrote: str
    """Whether a file that begins with this record is the tool's: a JMESPath expression."""
    columns: Sequence[Column] = ()
    """Of several columns for a word the first that a file has. Fields that none of them reads are not seen. Without
    columns the tool's files are refused."""
    rows: str | Callable[[Record], Iterator[Record]] = ""
    """Where the rows of a record stand, by JMESPath or a function; without it the record is the row."""
    adds_ordinary: bool = False
    """Whether columns with ordinary names are read too: people add them to files with a record for each row."""

    @property
    def words(self) -> Mapping[str, str]:
        """Its column -> our word, in the order of `columns`."""
        words = {column.name: column.word for column in self.columns if column.word}
        return words | {name: word for name, word in ORDINARY.items() if self.adds_ordinary and name not in words}

    def recognises(self, record: Record) -> bool:
        """Whether the tool wrote a file that begins with this record."""
        return bool(search(self.wrote, record))

    def read_rows(self, record: Record) -> Iterator[Row]:
        """The rows of a record. Anything may be missing or of another kind: then so is its cell."""
        if callable(self.rows):
            rows = list(self.rows(record))
        elif self.rows:
            rows = [fields(row) | {AROUND: record} for row in items(search(self.rows, record))]
        else:
            rows = [record]
        for row in rows:
            beside = {name: row[name] for name in ORDINARY if self.adds_ordinary and name in row}
            yield beside | {column.name: column.read(row) for column in self.columns}


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


_functions = Functions()
_functions.FUNCTION_TABLE = Functions.FUNCTION_TABLE | {
    name: {
        "function": lambda _, *values, function=function: function(*values),
        "signature": ({"types": [], "variadic": True},),
    }
    for name, function in FUNCTIONS.items()
}
_OPTIONS = jmespath.Options(custom_functions=_functions)


def _read_scores(value: object) -> list[Score] | None:
    """Scores of `{"name": 0.5}`, of which only numbers count, or of `[{"name": …, "value": …, "error": …}]`."""
    if isinstance(value, dict):
        return scores_of(value) or None
    named = [fields(entry) for entry in items(value) if inside(entry, "name")]
    return [score(as_text(entry["name"]) or "", entry.get("value"), entry.get("error")) for entry in named] or None


def _read_variants(value: object) -> str | None:
    return variants(value) if isinstance(value, list) else as_text(value)


def _read_figure(value: object) -> object:
    return value if is_number(value) and not isinstance(value, bool) else None


def _keep(value: object) -> object:
    return value


_CONVERSIONS: Mapping[str, Callable[[object], object]] = {
    "": _keep,
    **dict.fromkeys((c.ANSWER, c.FACT), _read_variants),
    **dict.fromkeys((c.CONTEXTS, c.CONTEXT_IDS, c.PASSAGE_ID, c.EVIDENCE), texts),
    **dict.fromkeys((c.LATENCY_MS, c.COST), _read_figure),
    c.ANSWERABLE: _keep,
    c.THEIR_SCORES: _read_scores,
}
"""How a value becomes a cell of our word; any other word is a text."""
