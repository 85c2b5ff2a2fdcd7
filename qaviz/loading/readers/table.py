"""What every reader returns: columns of the right kind, and the line or row in which each value stands."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import polars as pl
import polars.selectors as cs

from qaviz.loading.column_values import Cells, read_texts
from qaviz.loading.load_log import LINE as LINE
from qaviz.loading.load_log import Problems, quote_text
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

NUMBERS_SCHEMA = {LINE: pl.UInt32, "words": pl.String}

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
    numbers: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=NUMBERS_SCHEMA))
    """Numbers and dates of a spreadsheet or of JSON that were read as texts: LINE, and what happened in words."""
    other_sheets: tuple[str, ...] = ()
    """Sheets of the workbook that were not read."""
    tool: str = ""
    """What wrote the file, where its content told: `Ragas results`."""
    skipped: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=NUMBERS_SCHEMA))
    """Rows that were left out because they will not do: LINE, and why in words."""
    below: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=NUMBERS_SCHEMA))
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


def name_lines(reasons: Iterable[tuple[int, str]]) -> pl.DataFrame:
    """Lines with what is to be said of each: LINE and words."""
    return pl.DataFrame(list(reasons), schema=NUMBERS_SCHEMA, orient="row")


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
            lists = _lists(given) if given.dtype == pl.String else given.list.eval(_FILLED)
            _refuse_hostile(cells.with_columns(lists).explode(lists.name), problems)
            return lists
        case Kind.SCORES:
            given = cells.to_series(1)
            scores = _scores(given) if given.dtype == pl.String else given.list.eval(_SCORE)
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


def _lists(cells: pl.Series) -> pl.Series:
    return pl.Series(cells.name, list(map(read_texts, cells)), dtype=DTYPES[Kind.TEXTS])


_FILLED = pl.element().filter(pl.element().str.len_bytes() > 0)
"""The texts of a list without null and empty ones, which say nothing."""
_SCORE = pl.struct(pl.element().struct.field(name) for name in SCORE_FIELDS)
_COMPLETE = pl.element().struct.field("name").is_not_null() & (
    pl.element().struct.field("value").is_finite() | pl.element().struct.field("error").is_not_null()
)


def _scores(cells: pl.Series) -> pl.Series:
    return pl.Series(cells.name, list(map(_scores_of, cells)), dtype=DTYPES[Kind.SCORES])


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
