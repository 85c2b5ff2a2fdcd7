"""The report model: what is said of a run, once, for every renderer.

A report is sections of sentences, tables with typed columns, and scatters. Page, Markdown, workbook, slides and
terminal write these blocks and nothing else. Texts are as they came: a renderer makes them inert for its own format.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from pathlib import Path
from string import Formatter
from typing import Any, Literal

import polars as pl

from qaviz.analysis.board import Cell
from qaviz.analysis.comparison import format_signed
from qaviz.analysis.numbers import MISSING, count, day, figure, interval, moment, out_of, p_figure, percent, score
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
    """`80% (49–95%)`: from 0 to 1, with its interval where there is one."""
    SCORE = "score"
    """`0.73`, from 0 to 1, with its interval where there is one."""
    BAR = "bar"
    """As a score; a page draws it as a bar."""
    FIGURE = "figure"
    """`1,234`, `0.00042`: a cost, a time or another amount of any scale."""
    DIFFERENCE = "difference"
    """`+40.0 (−23.0 to +89.6)`: with its interval. Of the metric in the column `of`; of shares, in
    points of a hundred, without one."""
    P = "p"
    """`0.375`, `<0.001`."""
    CELL = "cell"
    """A `board.Cell`: what became of a response, by colour and sign."""
    MARK = "mark"
    """A word that LOOKS or `looks` give a sign and a tone: `✓ met`."""
    WORDS = "words"
    """A short text; the column `of` has the words under it, as structs of `text` and `change`, a `Change`."""


ENDS = ("low", "high")
"""The columns that analyses have the ends of an interval in."""

Tone = Literal["good", "bad", "warn", "none"]
"""What the colour of a mark says."""
Looks = Mapping[str, tuple[str, Tone]]
"""Sign and tone by word."""

_TONES: Mapping[Any, Mapping[str, list[str]]] = tomllib.loads(Path(__file__).with_name("looks.toml").read_text("utf-8"))
LOOKS: Looks = {word: (sign, tone) for tone, signs in _TONES.items() for sign, words in signs.items() for word in words}
"""Of the words that marks have; another word has no sign and no tone."""


@dataclass(frozen=True)
class Column:
    """A column of a table: which one of its frame, and what stands above it. What no file has a place for, pages alone
    draw. A column of structs holds its figure as `value`, and brings the fields of its own that `of`, `ends`, `by`,
    `href` and templates name. A template is a text with `{names}` of columns, and of the written `{interval}`: blank
    where one of them has no value."""

    name: str
    heading: str
    _: KW_ONLY
    kind: Kind = Kind.TEXT
    of: str = ""
    """The column that has the whole of a part, the metric of a difference, or the words of a text."""
    ends: tuple[str, str] | tuple[()] = ()
    """Of a share, score or difference: the columns that have the ends of its 95 % interval, often ENDS."""
    text: str = ""
    """The template of what is written in place of the figure."""
    note: str = ""
    """The template of what stands under each cell, in a quiet tone; of figures with an interval that one."""
    missing: str = MISSING
    """The template of what stands where there is no value."""
    by: str = ""
    """Of a mark: the column whose word it looks by, for its own. Of a difference: that of the word beside it."""
    looks: Looks = field(default_factory=lambda: LOOKS)
    title: str = ""
    """Of a mark: the template of why it is so."""
    href: str = ""
    """The column that says where the cell leads."""
    help: str = ""
    """Shown when the pointer rests on the heading."""
    total: str = ""
    """Shown under the heading: what the column comes to."""
    head: bool = False
    """Its cells name their rows and stay in sight when the table scrolls sideways."""
    wide: bool = False
    """Holds sentences."""
    lines: bool = False
    """Holds short lines that are not broken: `judge: correct`."""
    whole: bool = False
    """Long texts are not cut to a few lines."""
    short: str = ""
    """Stands in place of the heading, for many narrow columns; the heading is read on hover."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of a frame, as typed columns."""

    title: str
    frame: pl.DataFrame
    columns: tuple[Column, ...]
    note: str = ""
    """How to read it, and what is not in it."""


def table_of(frame: pl.DataFrame, *columns: str | Column, title: str = "") -> Table:
    """The table of some columns under their own names: whole numbers as counts, lists with commas."""
    kinds = {name: Kind.COUNT if kind.is_integer() else Kind.TEXT for name, kind in frame.schema.items()}
    plain = (
        Column(part, part.replace("_", " "), kind=kinds[part]) if isinstance(part, str) else part for part in columns
    )
    lists = [name for name, kind in frame.schema.items() if kind == pl.List(pl.String)]
    return Table(title=title, frame=frame.with_columns(pl.col(lists).list.join(", ")), columns=tuple(plain))


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
    """`tables.pipeline_means`: one row a pipeline that is drawn."""
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


Record = Mapping[str, Any]
"""A row of a frame."""


def word_left_out(table: Table, shown: int) -> str:
    """What a renderer says that shows so many rows only; blank where these are all."""
    left_out = table.frame.height - shown
    return f"{count(left_out)} more rows are in the workbook." if left_out > 0 else ""


def write_cells(table: Table, most: int | None = None) -> Iterator[tuple[str, ...]]:
    """The first rows as people read them, a text a column."""
    for row in table.frame.head(table.frame.height if most is None else most).iter_rows(named=True):
        cells = []
        for column in table.columns:
            value, ends = row[column.name], write_interval(column, row)
            written = MISSING if value is None else write_figure(column, value, row)
            cells.append(f"{written} ({ends})" if ends and value is not None else written)
        yield tuple(cells)


def write_figure(column: Column, value: float | str, record: Record) -> str:
    """What a column says of a value, without its interval; the `record` has the columns that it names."""
    if column.text:
        return fill_template(column.text, record)
    if isinstance(value, str):
        return CELL_LOOKS[Cell(value)][1] if column.kind is Kind.CELL else value
    match column.kind:
        case Kind.PART:
            return out_of(int(value), int(record[column.of]))
        case Kind.DIFFERENCE:
            return format_signed(record[column.of] if column.of else VERDICT, value)
        case kind:
            return _WRITERS.get(kind, count)(value)


def write_interval(column: Column, record: Record) -> str:
    """The interval of a share, score or difference; blank where there is none."""
    low, high = (record.get(name) for name in column.ends or ("", ""))
    if low is None or high is None:
        return ""
    match column.kind:
        case Kind.SHARE:
            return interval(low, high)
        case Kind.DIFFERENCE:
            metric = record[column.of] if column.of else VERDICT
            return f"{format_signed(metric, low)} to {format_signed(metric, high)}"
        case _:
            return f"{score(low)}–{score(high)}"


_WRITERS: Mapping[str, Callable[[Any], str]] = {
    Kind.SHARE: percent,
    Kind.SCORE: score,
    Kind.BAR: score,
    Kind.FIGURE: figure,
    Kind.P: p_figure,
    "day": day,
    "moment": moment,
}
"""By kind, and by what a template asks for: `{accuracy:share}`."""


class _Words(Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:  # noqa: ANN401 - as Formatter has it
        write = _WRITERS.get(format_spec)
        return write(value) if write else super().format_field(value, format_spec)


_WORDS = _Words()


def fill_template(template: str, record: Record) -> str:
    """The template with the record's values; blank where it names one that has none."""
    names = [name for _, name, _, _ in _WORDS.parse(template) if name]
    return "" if any(record.get(name) is None for name in names) else _WORDS.vformat(template, (), record)


def is_number(column: Column) -> bool:
    """Whether the column stands to the right, as figures do."""
    return column.kind not in (Kind.TEXT, Kind.CELL)
