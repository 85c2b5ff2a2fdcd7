"""What every reader returns: columns of the right kind, and the line or row in which each value stands; and where a
spreadsheet's table ends, below which notes, totals and other tables may stand."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain, islice
from statistics import median
from typing import TypeVar

import polars as pl
import polars.selectors as cs

from qaviz.loading.column_senses import names_columns, read_column_name
from qaviz.loading.column_values import Cells, read_texts
from qaviz.loading.load_log import LINE as LINE
from qaviz.loading.load_log import Problems, name_lines, quote_text
from qaviz.model.columns import QUESTION
from qaviz.model.errors import QavizError, stop

CELL_LIMIT = 1_000_000
"""Most characters of one cell. No answer is longer, and scoring and the screen stay quick below it."""

COLUMN_LIMIT = 20_000
"""Most columns of a file. A spreadsheet ends at 16,384, and a run has at most a thousand pipelines."""

HEAD_CELL = 500
"""Characters of a cell that a first look shows."""


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

Plan = Callable[[Sequence[str], Cells], Mapping[str, Kind]]
"""Told a file's columns and their first cells, says which to read, and as what. Raises QavizError if they will not
do."""

SAMPLED_ROWS = 300
"""Rows whose cells count where columns are recognised."""

_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class Table:
    """The columns of a file that were asked for.

    `frame` has LINE and those of the columns that the file has, each with the dtype of its kind, null where missing.
    """

    place: str
    """What a person calls it: the file's name, and the sheet's."""
    unit: str
    """What LINE counts: `line` or `row`."""
    frame: pl.DataFrame
    unread: tuple[str, ...]
    """Columns of the file that were not asked for."""
    knows_missing: bool
    """Whether a missing cell can be told from an empty one: in JSON and Parquet it can."""
    numbers: pl.DataFrame = field(default_factory=lambda: name_lines(()))
    """Numbers and dates of a spreadsheet or of JSON that were read as texts: LINE, and what happened in words."""
    other_sheets: tuple[str, ...] = ()
    """Sheets of the workbook that were not read."""
    tool: str = ""
    """What wrote the file, where its content told: `Ragas results`."""
    skipped: pl.DataFrame = field(default_factory=lambda: name_lines(()))
    """Rows that were left out because they will not do: LINE, and why in words."""
    below: pl.DataFrame = field(default_factory=lambda: name_lines(()))
    """What stands below the table and is left out: LINE of its first row, and what it is in words."""
    header: int = 0
    """The line or row of the header, where something else stands above it; else 0."""


@dataclass(frozen=True)
class Head:
    """The first rows of a file, before its columns are mapped."""

    columns: tuple[str, ...]
    frame: pl.DataFrame
    """The first rows, every cell as text."""
    rows: int
    """Rows in the whole file; for Parquet, and XLSX where it can, what the file declares."""
    cells: Cells = field(default_factory=dict)
    """The cells of the first SAMPLED_ROWS rows."""
    sheet: str = ""
    """The sheet of a workbook."""
    sheets: tuple[str, ...] = ()
    """All sheets of the workbook."""


def named_columns(header: Sequence[str | None]) -> list[str]:
    """The header with a name for each column: one without is named by its place (`column 3`)."""
    return [name or f"column {place}" for place, name in enumerate(header, 1)]


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


def refuse_many_columns(count: int, problems: Problems, among: str = "") -> None:
    """Raise QavizError for more columns than COLUMN_LIMIT; `among` says which part of the file has them."""
    if count > COLUMN_LIMIT:
        fix = "Leave out those that are no questions, answers, facts or responses."
        problems.include(stop(problems.name, f"{count:,} columns{among}", f"at most {COLUMN_LIMIT:,}", fix))
        problems.stop_if_any()


def plan_columns(plan: Plan, columns: Sequence[str], cells: Cells, problems: Problems) -> Mapping[str, Kind]:
    """What `plan` says. If it refuses, that is noted, and the file is read on only to find its other problems."""
    try:
        return plan(columns, cells)
    except QavizError as error:
        problems.include(error)
        return {}


def join_parts(parts: Sequence[pl.DataFrame], place: str) -> pl.DataFrame:
    """The parts as one frame; a column that a part lacks is null there. Raises QavizError if there are no rows."""
    if not any(part.height for part in parts):
        raise no_rows(place)
    return pl.concat(parts, how="diagonal")


def no_rows(place: str) -> QavizError:
    """The error for a file that has none, to be raised."""
    return stop(place, "no rows", "at least one", "Fill it in, or export it again.")


def join_tables(place: str, parts: Iterable[Table]) -> Table:
    """The parts of one file as one table. Raises QavizError if there are no rows."""
    tables = list(parts)
    frame = join_parts([table.frame for table in tables], place)
    unread = tuple(dict.fromkeys(name for table in tables for name in table.unread))
    skipped, numbers = (
        pl.concat(getattr(table, field_name) for table in tables) for field_name in ("skipped", "numbers")
    )
    return replace(tables[0], frame=frame, unread=unread, skipped=skipped, numbers=numbers)


def convert_columns(frame: pl.DataFrame, kinds: Mapping[str, Kind], problems: Problems) -> pl.DataFrame:
    """The frame (LINE and columns of `kinds`) with the dtypes of their kinds; cells that do not fit become problems."""
    columns = [name for name in frame.columns if name != LINE]
    cells = frame.select(LINE, *[_convert_cells(frame.select(LINE, name), kinds[name], problems) for name in columns])
    return problems.without_skipped(cells)


def _convert_cells(cells: pl.DataFrame, kind: Kind, problems: Problems) -> pl.Series:
    """The second column of `cells` (LINE is the first) as what its kind is."""
    match kind:
        case Kind.TEXT | Kind.ID:
            texts = cells.with_columns(cs.integer().exclude(LINE).cast(pl.String))
            _refuse_hostile(texts, problems)
            return texts.to_series(1)
        case Kind.TEXTS:
            given = cells.to_series(1)
            if given.dtype == pl.String:
                lists = pl.Series(given.name, list(map(read_texts, given)), dtype=DTYPES[kind])
            else:
                lists = given.list.eval(_FILLED)
            _refuse_hostile(cells.with_columns(lists).explode(lists.name), problems)
            return lists
        case Kind.SCORES:
            given = cells.to_series(1)
            if given.dtype == pl.String:
                scores = pl.Series(given.name, list(map(_scores_of, given)), dtype=DTYPES[kind])
            else:
                scores = given.list.eval(_SCORE)
            complete = scores.list.eval(_COMPLETE).list.all()
            _refuse_unfit(cells, ~complete.fill_null(value=False), kind, problems)
            errors = scores.list.eval(pl.element().struct.field("error"))
            _refuse_hostile(cells.with_columns(errors).explode(errors.name), problems)
            return scores
        case Kind.NUMBER:
            given = cells.to_series(1)
            numbers = (given if given.dtype.is_numeric() else _with_points(_trim_cells(cells))).cast(
                pl.Float64, strict=False
            )
            _refuse_unfit(cells, ~numbers.is_finite().fill_null(value=False), kind, problems)
            return numbers
        case Kind.FLAG:
            flags = _trim_cells(cells).str.to_lowercase().replace_strict(_FLAGS, default=None, return_dtype=pl.Boolean)
            _refuse_unfit(cells, flags.is_null(), kind, problems)
            return flags


def _with_points(cells: pl.Series) -> pl.Series:
    """Numbers with decimal commas as numbers with points, where the column leaves no doubt: `12,5` and `1.234,5`, but
    not `1,234`, which may be twelve hundred."""
    filled = cells.filter((cells != "").fill_null(value=False))
    is_written_so = filled.str.contains(r"^[-+]?(\d+|\d{1,3}(\.\d{3})+),\d+$") | filled.str.contains(r"^[-+]?\d+$")
    is_decimal = filled.str.contains(r",\d{1,2}$|,\d{4,}$|\..*,")
    if is_decimal.any() and is_written_so.all():
        return cells.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
    return cells


def _trim_cells(cells: pl.DataFrame) -> pl.Series:
    return cells.to_series(1).cast(pl.String).str.strip_chars()


_FILLED = pl.element().filter(pl.element().str.len_bytes() > 0)
"""The texts of a list without null and empty ones, which say nothing."""
_SCORE = pl.struct(pl.element().struct.field(name) for name in SCORE_FIELDS)
_COMPLETE = pl.element().struct.field("name").is_not_null() & (
    pl.element().struct.field("value").is_finite() | pl.element().struct.field("error").is_not_null()
)


def _scores_of(cell: str | None) -> list[dict[str, object]] | None:
    """The scores of a JSON list, or None if the cell holds anything else. Too large a number is infinite."""
    try:
        values = json.loads(cell or "null", parse_int=float)
        json.dumps(values, ensure_ascii=False).encode()  # refuses halves of characters
    except (ValueError, RecursionError):
        return None
    if not (isinstance(values, list) and all(map(_is_score, values))):
        return None
    return [{field: value.get(field) for field in SCORE_FIELDS} for value in values]


def _is_score(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    texts = (value.get("name"), value.get("error"))
    return all(isinstance(text, str | None) for text in texts) and isinstance(value.get("value"), float | None)


def _refuse_unfit(cells: pl.DataFrame, bad: pl.Series, kind: Kind, problems: Problems) -> None:
    """Note the cells that are `bad`, unless they are missing or blank."""
    given = cells.to_series(1)
    filled = given.is_not_null() if given.dtype != pl.String else given.str.strip_chars() != ""
    rows = cells.filter(bad & filled).with_columns(pl.nth(1).map_elements(str, pl.String))
    fix = "Correct the cell, or leave it empty."
    problems.add_rows(rows, lambda text: f"{quote_text(text)} in {quote_text(given.name)}", kind, fix)


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


AHEAD = 30
"""Rows that are looked at below an empty one, and at a file's end."""

_SAMPLED = 50
"""Rows of the table that those below an empty one are compared with."""

_ENOUGH = 3
_MOST_TEXTS = 0.6

_ASKS = re.compile(r"[?？؟]\W*$")
_FIGURE = re.compile(r"[-+\d.,%/:\s()xX]*")
_TOTALS = re.compile(
    r"\W*(totals?|sum|average|avg|mean|median|overall|accuracy|count|gesamt|summe|durchschnitt|mittelwert|schnitt"
    r"|moyenne|somme|promedio|suma|media|m[ée]dia|totale|soma|gemiddelde|totaal|tổng|trung bình|合計|平均|总计|總計"
    r"|합계|평균)\b.{0,40}",
    re.IGNORECASE,
)

HEADER_AGAIN = "the header again"
OTHER_TABLE = "another table, which is not read"
NOTES = "notes or totals below the table"

R = TypeVar("R")
Row = Sequence[str | None]


def read_until_end(
    rows: Iterator[R], header: Row, cells_of: Callable[[R], Row], left_out: list[tuple[R, str]]
) -> Iterator[R]:
    """The rows of the table, of all rows below its header, empty ones among them.

    What follows an empty row is the table's unless it is unlike the rows above; then nothing more is read. What is left
    out is added to `left_out`: the first row of it, and what it is.
    """
    above: list[Row] = []
    waiting: Iterator[R] = rows
    while (row := next(waiting, None)) is not None:
        if any(cells_of(row)):
            if len(above) < _SAMPLED:
                above.append(cells_of(row))
            yield row
            continue
        ahead = [row, *islice(waiting, AHEAD)]
        start = next((place for place, row in enumerate(ahead) if any(cells_of(row))), len(ahead))
        yield from ahead[:start]
        below = ahead[start:]
        block = name_block(header, above, [cells_of(row) for row in below])
        if block:
            left_out.append((below[0], block))
        if block not in ("", HEADER_AGAIN):
            return
        waiting = chain(below[bool(block) :], waiting)


def name_block(header: Row, above: Sequence[Row], below: Sequence[Row]) -> str:
    """What the rows below an empty one are, up to the next empty one; empty if they belong to the table."""
    end = next((place for place, cells in enumerate(below) if not any(cells)), len(below))
    block = below[:end]
    if not block or len(above) < 2:
        return ""
    if _plain(block[0]) == _plain(header):
        return HEADER_AGAIN
    if names_columns(block[0]):
        return OTHER_TABLE
    place = next((n for n, name in enumerate(header) if name and read_column_name(name).word == QUESTION), None)
    if place is not None and any(place < len(cells) and _ASKS.search(cells[place] or "") for cells in block):
        return ""
    return NOTES if median(map(_count_texts, block)) <= _MOST_TEXTS * median(map(_count_texts, above)) else ""


def _plain(cells: Row) -> list[str]:
    return [cell.strip().casefold() for cell in cells if cell and cell.strip()]


def _count_texts(cells: Row) -> int:
    return sum(1 for cell in cells if cell and not _FIGURE.fullmatch(cell))


def find_trailing(questions: Sequence[str | None], texts: Sequence[Row], *, alone: bool) -> list[bool]:
    """For each of a table's last rows that are notes, totals or empty whether it is more than empty; nothing if no such
    row is. `asked` are its questions, `said` the golden answers, facts and responses of each row, and `alone` whether a
    text that asks nothing is a note where nothing stands beside it."""
    rows = list(zip(questions, texts, strict=True))
    count = next(
        (n for n, row in enumerate(reversed(rows[-AHEAD:])) if not _is_note(*row, alone=alone)), min(AHEAD, len(rows))
    )
    above, last = rows[: len(rows) - count], rows[len(rows) - count :]
    whole = sum(bool(question and any(cells)) for question, cells in above)
    filled = [bool(question and question.strip()) or any(cells) for question, cells in last]
    return filled if any(filled) and len(above) >= _ENOUGH and whole >= _MOST_TEXTS * len(above) else []


def _is_note(question: str | None, cells: Row, *, alone: bool) -> bool:
    filled = [cell for cell in cells if cell and cell.strip()]
    if not question or not question.strip() or _TOTALS.fullmatch(question.strip()):
        return all(_FIGURE.fullmatch(cell) for cell in filled)
    return alone and not filled and not _ASKS.search(question)
