"""What every reader returns: columns of the right kind, and the line or row each value stands in."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from qaviz.loading.source import PROBLEM_LIMIT, Problems, Source
from qaviz.model import Problem

CELL_LIMIT = 1_000_000
"""Most characters of one cell. No answer is longer, and scoring and the screen stay quick below it."""

LINE = "\0line"
"""The column of physical line or row numbers. No file can name a column so: NUL is refused in every text."""

Progress = Callable[[float, str], None]
"""Called with the share done (0 to 1) and what is being done."""


class Kind(StrEnum):
    """What a column's cells have to be."""

    TEXT = "text"
    ID = "text or a whole number"
    NUMBER = "a number"
    FLAG = "true or false"
    TEXTS = "a list of texts"


Plan = Callable[[Sequence[str]], Mapping[str, Kind]]
"""Told a file's columns, says which to read as what. Raises QavizError if they will not do."""

DTYPES: Mapping[Kind, pl.DataType] = {
    Kind.TEXT: pl.String(),
    Kind.ID: pl.String(),
    Kind.NUMBER: pl.Float64(),
    Kind.FLAG: pl.Boolean(),
    Kind.TEXTS: pl.List(pl.String()),
}

_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_QUOTED = 40
"""Characters of a cell that a problem quotes."""


@dataclass(frozen=True)
class Table:
    """The columns of a file that were asked for.

    `frame` has LINE and those columns that the file has, each with the dtype of its kind, null where missing.
    """

    source: Source
    unit: str
    """What LINE counts: `line` or `row`."""
    frame: pl.DataFrame
    unread: tuple[str, ...]
    """Columns of the file that nobody asked for."""
    tells_empty_from_missing: bool
    """Whether an empty cell can be told from a missing one: in JSON and Parquet it can."""


@dataclass(frozen=True)
class FromFile:
    """What one file gave: its rows in our words, entries for the list, and the columns nobody asked for."""

    frame: pl.DataFrame
    notes: Sequence[pl.DataFrame]
    unread: tuple[str, ...]
    ids_made: bool = False
    """A golden dataset without ids was given its row numbers; they align nothing."""


def typed(frame: pl.DataFrame, kinds: Mapping[str, Kind], problems: Problems) -> pl.DataFrame:
    """The frame (LINE and columns of `kinds`) with the dtypes of their kinds. Cells that do not fit become problems."""
    for name in frame.columns:
        if name == LINE:
            continue
        cells = frame.get_column(name)
        if cells.dtype == pl.String:
            _refuse_hostile(frame, name, problems)
            frame = frame.with_columns(_from_text(frame, name, kinds[name], problems))
        elif kinds[name] == Kind.NUMBER:
            finite = cells.cast(pl.Float64)
            refuse_cells(frame, name, ~finite.is_finite(), kinds[name], problems)
            frame = frame.with_columns(finite)
    return frame.with_columns(pl.col(name).cast(DTYPES[kinds[name]]) for name in frame.columns if name != LINE)


def refuse_cells(frame: pl.DataFrame, name: str, bad: pl.Series, kind: Kind, problems: Problems) -> None:
    """Note each cell of column `name` where `bad` is true as not of `kind`."""
    cells = frame.filter(bad).select(LINE, pl.col(name).cast(pl.String))
    note_rows(
        cells, lambda text: f"{quoted(text)} in {name!r}", str(kind), "Mend the cell or leave it empty.", problems
    )


def note_rows(rows: pl.DataFrame, found: Callable[[str], str], expected: str, fix: str, problems: Problems) -> None:
    """Note one problem for each of `rows`: LINE, and a text that `found` puts into words."""
    for line, value in rows.head(PROBLEM_LIMIT).iter_rows():
        problems.add(Problem(where=problems.at(line), found=found(value), expected=expected, fix=fix))
    problems.count_more(max(0, rows.height - PROBLEM_LIMIT))


def quoted(text: str) -> str:
    """The text as a problem quotes it: one line, shortened."""
    return json.dumps(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…", ensure_ascii=False)


def _refuse_hostile(frame: pl.DataFrame, name: str, problems: Problems) -> None:
    """Cells over the limit and NUL characters, which databases and documents cannot hold."""
    lengths = frame.get_column(name).str.len_chars()
    note_rows(
        frame.select(LINE, lengths.cast(pl.String)).filter(lengths > CELL_LIMIT),
        lambda length: f"{int(length):,} characters in {name!r}",
        f"at most {CELL_LIMIT:,} in a cell",
        "Shorten the text or remove the row.",
        problems,
    )
    note_rows(
        frame.select(LINE, pl.col(name)).filter(pl.col(name).str.contains("\0", literal=True)),
        lambda _: f"a NUL character in {name!r}",
        "text",
        "Remove the character.",
        problems,
    )


def _from_text(frame: pl.DataFrame, name: str, kind: Kind, problems: Problems) -> pl.Series:
    cells = frame.get_column(name)
    match kind:
        case Kind.TEXT | Kind.ID:
            return cells
        case Kind.NUMBER:
            trimmed = cells.str.strip_chars()
            values = trimmed.cast(pl.Float64, strict=False)
            values = values.set(~values.is_finite(), None)
        case Kind.FLAG:
            trimmed = cells.str.strip_chars().str.to_lowercase()
            values = trimmed.replace_strict(_FLAGS, default=None, return_dtype=pl.Boolean)
        case Kind.TEXTS:
            trimmed = cells.str.strip_chars()
            values = pl.Series(name, list(map(_texts, trimmed)), dtype=pl.List(pl.String))
    refuse_cells(frame, name, values.is_null() & (trimmed != ""), kind, problems)
    return values


def _texts(cell: str | None) -> list[str] | None:
    """The texts of a JSON list, or None if the cell holds anything else."""
    if not cell:
        return None
    try:
        values = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, list) and all(isinstance(value, str) for value in values) else None
