"""The report model: what is said of a run, once, for every renderer.

A report is sections of sentences, tables with typed columns, and scatters. Page, Markdown, workbook, slides and
terminal write these blocks and nothing else. Texts are as they came: a renderer makes them inert for its own format.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from qaviz.analysis.board import Cell
from qaviz.analysis.comparison import format_signed
from qaviz.analysis.numbers import MISSING, SMALLEST_P, count, interval, out_of, percent, score
from qaviz.charts import CELL_LOOKS
from qaviz.model.columns import VERDICT
from qaviz.model.records import Run


class Kind(StrEnum):
    """What the cells of a column hold."""

    TEXT = "text"
    COUNT = "count"
    """`1,008`."""
    PART = "part"
    """`8 of 10`: a count, and in the column `of` what it is a part of."""
    SHARE = "share"
    """`80% (49.0–94.4%)`: from 0 to 1, with the interval from `low` to `high` where there is one."""
    SCORE = "score"
    """`0.73`, from 0 to 1."""
    DIFFERENCE = "difference"
    """`+40.0 (−23.0 to +89.6)`: of shares, in points of a hundred, with the interval from `low` to `high`."""
    P = "p"
    """`0.375`, `<0.001`."""
    MARK = "mark"
    """A `board.Cell`: what became of a response, by colour and sign."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of a table: which one of its frame, and what stands above it."""

    name: str
    heading: str
    kind: Kind = Kind.TEXT
    of: str = ""
    """Of a part: the column that has the whole."""
    low: str = ""
    """Of a share or difference: the columns that have the ends of its 95 % interval; empty for none."""
    high: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of a frame, as typed columns."""

    title: str
    frame: pl.DataFrame
    columns: tuple[Column, ...]
    note: str = ""
    """How to read it, and what is not in it."""


@dataclass(frozen=True, kw_only=True)
class Sentences:
    """Sentences in their order, under a heading if there is one."""

    sentences: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Scatter:
    """Closeness (to the right) against conciseness (upwards), a colour a pipeline."""

    title: str
    means: pl.DataFrame
    """`closeness.pipeline_means`: one row a pipeline that is drawn."""
    points: pl.DataFrame
    """The responses: pipeline, recall_over_words, precision_over_words; none where there are too many to draw."""
    colours: Mapping[str, str]
    """By pipeline, as `#rrggbb`."""
    note: str


Block = Sentences | Table | Scatter


@dataclass(frozen=True, kw_only=True)
class Section:
    """What is read together: a slide, or a part of a page."""

    title: str
    blocks: tuple[Block, ...]
    appendix: bool = False
    """Whether it is there to be looked up: slides and Markdown leave it out."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """A run as every renderer is given it."""

    run: Run
    title: str
    """The question that it answers."""
    sections: tuple[Section, ...]
    record: Mapping[str, object]
    """The same for programs: figures with all their digits, as JSON."""


def write_cells(table: Table, most: int | None = None) -> Iterator[tuple[str, ...]]:
    """The first rows as people read them, a text a column."""
    for row in table.frame.head(table.frame.height if most is None else most).iter_rows(named=True):
        yield tuple(_write_cell(column, row) for column in table.columns)


def _write_cell(column: Column, row: Mapping[str, object]) -> str:
    value: float | str | None = row[column.name]  # type: ignore[assignment] # a frame's cell
    ends = (row[column.low], row[column.high]) if column.low else (None, None)
    low, high = (end if isinstance(end, float) else None for end in ends)
    if value is None:
        return MISSING
    if isinstance(value, str):
        return CELL_LOOKS[Cell(value)][1] if column.kind is Kind.MARK else value
    match column.kind:
        case Kind.PART:
            return out_of(int(value), int(str(row[column.of])))
        case Kind.SHARE:
            return percent(value) if low is None else f"{percent(value)} ({interval(low, high)})"
        case Kind.SCORE:
            return score(value)
        case Kind.DIFFERENCE:
            both = "" if low is None else f" ({format_signed(VERDICT, low)} to {format_signed(VERDICT, high)})"
            return format_signed(VERDICT, value) + both
        case Kind.P:
            return f"<{SMALLEST_P}" if value < SMALLEST_P else f"{value:.3f}"
        case _:
            return count(int(value))


def is_number(column: Column) -> bool:
    """Whether the column stands to the right, as figures do."""
    return column.kind not in (Kind.TEXT, Kind.MARK)
