"""What every format gives: batches of rows with each cell as it is written; and cells as what a column has to be."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain
from math import isfinite
from typing import Any

import orjson
import polars as pl

from qaviz.loading.load_log import LINE, WORDS, Problems, name_lines, quote_text
from qaviz.model.errors import stop

JsonObject = dict[str, Any]
"""An object of JSON that somebody else wrote: anything may be missing, or of another kind."""

Records = list[tuple[int, JsonObject]]
"""Rows as objects, each with its line. Not every row has every column."""

COLUMN_LIMIT = 20_000
"""Most columns of a file. A spreadsheet ends at 16,384, and a run has at most a thousand pipelines."""

CELL_LIMIT = 1_000_000
"""Most characters of one cell. No answer is longer, and scoring and the screen stay quick below it."""

FIRST_ROWS = 1_000
"""Most rows of a table's first batch: what columns are recognised by, and what a preview shows."""

ROWS_AT_ONCE = 20_000
"""Most rows of the others."""

_FIX_CELL = "Correct the cell, or leave it empty."


class Kind(StrEnum):
    """What the cells of a column have to be."""

    TEXT = "text"
    ID = "text or a whole number"
    NUMBER = "a number"
    FLAG = "true or false"
    TEXTS = "a list of texts"
    SCORES = "a list of scores, each with its name and a value or an error"


SCORE_FIELDS: Mapping[str, pl.DataType] = {"name": pl.String(), "value": pl.Float64(), "error": pl.String()}
"""What FMEval's output says of one score."""

DTYPES: Mapping[Kind, pl.DataType] = {
    Kind.TEXT: pl.String(),
    Kind.ID: pl.String(),
    Kind.NUMBER: pl.Float64(),
    Kind.FLAG: pl.Boolean(),
    Kind.TEXTS: pl.List(pl.String()),
    Kind.SCORES: pl.List(pl.Struct(SCORE_FIELDS)),
}

FLAGS = dict.fromkeys(("true", "yes", "y", "1", "ja", "oui", "sí", "sim", "có", "是"), True) | dict.fromkeys(
    ("false", "no", "n", "0", "nein", "non", "não", "không", "否"), False
)
"""What cells of yes and no say, in lower case."""


@dataclass(kw_only=True, eq=False)
class Batch:
    """Some rows of one table, which is a file, or a sheet of a workbook: as records, and as columns of text."""

    name: str
    """The file's; in a zip `bundle.zip/answers.csv`."""
    unit: str
    """What LINE counts: `line`, `row` or `record`."""
    problems: Problems
    """What is wrong with the table. One for all its batches; the format raises it after the last."""
    given: Records | pl.DataFrame
    """The rows as their format has them: as records, or as LINE and columns of any kind."""
    sheet: str = ""
    """The sheet of a workbook."""
    knows_missing: bool = True
    """Whether a missing cell can be told from an empty one: in JSON and Parquet it can."""
    rows: int | None = None
    """Rows of the whole table, where the file declares them, which need not be true."""
    notes: tuple[tuple[str, str], ...] = ()
    """What is to be listed of the whole file: kind (of `load_log`) and words."""

    @property
    def place(self) -> str:
        """What a person calls the table: the file's name, and the sheet's."""
        return f"{self.name} sheet {quote_text(self.sheet)}" if self.sheet else self.name

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of these rows, in the order in which they are met."""
        return tuple(name for name in self.frame.columns if name != LINE)

    @cached_property
    def records(self) -> Records:
        """The rows as records."""
        if isinstance(self.given, list):
            return self.given
        return list(zip(self.given[LINE], self.given.drop(LINE).iter_rows(named=True), strict=True))

    @property
    def frame(self) -> pl.DataFrame:
        """LINE, and each column as text: numbers as they are written, lists and objects as JSON; null where missing."""
        return self._spelled[0]

    @cached_property
    def _spelled(self) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
        """The frame; and by column LINE and WORDS of cells that nobody may use: what they hold."""
        given = self.given
        cells: Iterable[tuple[str, pl.Series | list[object]]]
        if isinstance(given, list):
            lines = pl.Series(LINE, [line for line, _ in given], pl.UInt32)
            names = dict.fromkeys(chain.from_iterable(record for _, record in given))
            cells = ((name, [record.get(name) for _, record in given]) for name in names)
        else:
            lines, *columns = given
            cells = ((column.name, column) for column in columns)
        texts, bad = [lines], {}
        for name, values in cells:
            column, faults = _spell(values)
            texts.append(column.alias(name))
            if any(faults):
                bad[name] = name_lines((line, fault) for line, fault in zip(lines, faults, strict=True) if fault)
        return pl.DataFrame(texts), bad

    def convert(self, kinds: Mapping[str, Kind]) -> pl.DataFrame:
        """LINE and the columns of `kinds` that are there, each with the dtype of its kind.

        Cells that do not fit, and those that nobody may use, become problems.
        """
        frame, bad = self._spelled
        there = {name: kinds[name] for name in frame.columns if name in kinds}
        for name, rows in bad.items():
            if name in there:
                words = rows.with_columns(pl.col(WORDS) + f" in {quote_text(name)}")
                self.problems.add_rows(words, str, kinds[name], _FIX_CELL)
        columns = [_convert_column(frame.select(LINE, name), kind, self.problems) for name, kind in there.items()]
        return self.problems.without_skipped(frame.select(LINE, *columns))


class Written(float):
    """A number whose shortest spelling is another than the file's: 1.50, NaN, and what no float holds."""

    digits: str


class Failed(str):
    """What a cell shows whose formula failed: nobody knows what it should say."""


def _spell(cells: pl.Series | list[object]) -> tuple[pl.Series, Sequence[str]]:
    """A column as text; and of each cell why nobody may use it, which is null then, or empty words."""
    if isinstance(cells, pl.Series):
        if not (cells.dtype.is_nested() or cells.dtype in (pl.Binary, pl.Object)):
            return cells.cast(pl.String), ()
        cells = cells.to_list()
    texts = [cell if type(cell) is str else as_text(cell) for cell in cells]
    with suppress(UnicodeEncodeError):
        column = pl.Series(texts, dtype=pl.String)
        if not {float, Written, bytes, Failed}.intersection(map(type, cells)):
            return column, ()
    faults = list(map(_find_fault, cells, texts))
    usable = [None if fault else text for text, fault in zip(texts, faults, strict=True)]
    return pl.Series(usable, dtype=pl.String), faults


def _find_fault(value: object, text: str | None) -> str:
    """Why nobody may use a value, in words; empty for any other one."""
    if isinstance(value, bytes):
        return "bytes"
    if isinstance(value, Failed):
        return f"the error {quote_text(value)}"
    if isinstance(value, float) and not isfinite(value):
        return f"the number {json.dumps(value)}"
    return "" if text is None or is_whole(text) else "half a character (a lone surrogate)"


def refuse_header(columns: Sequence[str], line: int, problems: Problems) -> None:
    """Raise QavizError for a name that stands twice or holds a NUL, and for too many of them."""
    refuse_many_columns(len(columns), problems)
    for name, times in Counter(columns).items():
        if times > 1:
            fault = f"the column {quote_text(name)} more than once"
            problems.add(line, fault, "each column once", "Rename one of them.", in_row=False)
        if "\0" in name:
            fault = f"a NUL character in the column name {quote_text(name)}"
            problems.add(line, fault, "text", "Rename the column.", in_row=False)
    problems.stop_if_any()


def refuse_many_columns(count: int, problems: Problems) -> None:
    """Raise QavizError for more columns than COLUMN_LIMIT."""
    if count > COLUMN_LIMIT:
        fix = "Leave out those that are no questions, answers, facts or responses."
        problems.include(stop(problems.name, f"{count:,} columns", f"at most {COLUMN_LIMIT:,}", fix))
        problems.stop_if_any()


def _convert_column(cells: pl.DataFrame, kind: Kind, problems: Problems) -> pl.Series:
    given = cells.to_series(1)
    match kind:
        case Kind.TEXT | Kind.ID:
            _refuse_hostile(cells, problems)
            return given
        case Kind.TEXTS:
            lists = pl.Series(given.name, [*map(read_texts, given)], DTYPES[kind])
            _refuse_hostile(cells.with_columns(lists).explode(lists.name), problems)
            return lists
        case Kind.SCORES:
            scores = pl.Series(given.name, list(map(_read_scores, given)), dtype=DTYPES[kind])
            _refuse_unfit(cells, scores.is_null(), kind, problems)
            errors = scores.list.eval(pl.element().struct.field("error"))
            _refuse_hostile(cells.with_columns(errors).explode(errors.name), problems)
            return scores
        case Kind.NUMBER:
            numbers = given.str.strip_chars().cast(pl.Float64, strict=False)
            _refuse_unfit(cells, ~numbers.is_finite().fill_null(value=False), kind, problems)
            return numbers
        case Kind.FLAG:
            spelled = given.str.strip_chars().str.to_lowercase()
            flags = spelled.replace_strict(FLAGS, default=None, return_dtype=pl.Boolean)
            _refuse_unfit(cells, flags.is_null(), kind, problems)
            return flags


def _read_scores(cell: str | None) -> list[dict[str, object]] | None:
    """The scores of a JSON list, or None if the cell holds anything else. Too large a number is infinite."""
    try:
        values = json.loads(cell or "null", parse_int=float)
        json.dumps(values, ensure_ascii=False).encode()  # refuses halves of characters
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        return None
    scores = [{field: value.get(field) for field in SCORE_FIELDS} for value in values]
    return scores if all(_is_score(**score) for score in scores) else None


def _is_score(name: object, value: object, error: object) -> bool:
    """Whether it has a name, and a finite value or why there is none."""
    if not (isinstance(name, str) and isinstance(value, float | None) and isinstance(error, str | None)):
        return False
    return error is not None or (value is not None and isfinite(value))


def _refuse_unfit(cells: pl.DataFrame, bad: pl.Series, kind: Kind, problems: Problems) -> None:
    given = cells.to_series(1)
    rows = cells.filter(bad & (given.str.strip_chars() != ""))
    problems.add_rows(rows, lambda text: f"{quote_text(text)} in {quote_text(given.name)}", kind, _FIX_CELL)


def _refuse_hostile(cells: pl.DataFrame, problems: Problems) -> None:
    """Note texts over the limit, and NUL characters: databases and documents cannot hold them."""
    texts = cells.to_series(1)
    lengths = texts.str.len_chars()
    problems.add_rows(
        cells.select(LINE, lengths.cast(pl.String)).filter(lengths > CELL_LIMIT),
        lambda length: f"{int(length):,} characters in {quote_text(texts.name)}",
        f"at most {CELL_LIMIT:,} in a cell",
        "Shorten the text or remove the row.",
    )
    problems.add_rows(
        cells.filter(texts.str.contains("\0", literal=True)),
        lambda _: f"a NUL character in {quote_text(texts.name)}",
        "text",
        "Remove the character.",
    )


_PRINTED_TEXT = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(\s+(?=['"]))?""", re.DOTALL)
"""A text as Python prints it, and what stands between it and the next where that is no comma."""


def read_printed(value: object, kind: type[list[object]] | type[dict[str, object]]) -> object:
    """A list or an object of this kind that a cell holds as Python, or numpy, prints it; anything else as it is.

    numpy leaves no comma between texts: Python would make them one text. A cell over a million characters stays.
    """
    if not isinstance(value, str) or not value.startswith(("[", "{")) or len(value) > 1_000_000:
        return value
    try:
        printed = ast.literal_eval(_PRINTED_TEXT.sub(lambda text: f"{text[1]}, " if text[2] else text[1], value))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value
    return printed if isinstance(printed, kind) else value


def read_texts(cell: str | None) -> list[str] | None:
    """The texts of a list in a cell, whoever wrote it, without empty ones; a cell with no list is one text.

    What is no text in it (a passage with its id and score) stays as JSON. None where the cell is blank.
    """
    if cell is None or not cell.strip():
        return None
    value = read_list(cell)
    return [cell] if value is None else [text for element in value if (text := as_text(element))]


def read_list(cell: str) -> list[Any] | None:
    """The elements of a list in a cell, as JSON or Python writes it; None where it is none."""
    if not cell.lstrip().startswith("["):
        return None
    value = read_json(cell)
    value = read_printed(cell.strip(), list) if value is cell else value
    return value if isinstance(value, list) else None


def read_json(value: object, *, any_value: bool = False) -> Any:  # noqa: ANN401 - somebody's JSON
    """The list or object (or `any_value`) that a text holds as JSON; anything else as it is."""
    if not isinstance(value, str) or not (any_value or value.lstrip().startswith(("[", "{"))):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def read_object(value: object) -> object:
    """The list or object that a text holds, as JSON or as Python prints it; anything else as it is."""
    return read_printed(read_json(value), dict)


def as_text(value: object) -> str | None:
    """A JSON value as text, its numbers as they are written; lists and objects as JSON."""
    match value:
        case None | str():
            return value
        case Written():
            return value.digits
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case _:
            try:
                return orjson.dumps(value, default=_write_other).decode()
            except orjson.JSONEncodeError:  # numbers of 20 digits, halves of characters, or too deep
                return json.dumps(value, ensure_ascii=False, default=str)


def _write_other(value: object) -> orjson.Fragment | str:
    return orjson.Fragment(value.digits) if isinstance(value, Written) else str(value)


def is_whole(text: str) -> bool:
    """Whether no character is a lone surrogate."""
    return text.isascii() or text.encode(errors="ignore").decode() == text
