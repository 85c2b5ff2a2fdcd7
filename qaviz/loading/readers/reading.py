"""A file of any format in our words, and a first look at it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import polars as pl

from qaviz.loading.adapters import find_tool, logs, map_columns, records
from qaviz.loading.adapters.json_document import JSON_DOCUMENT
from qaviz.loading.adapters.tool import RUBRIC, Tool
from qaviz.loading.column_guess import Guess, Reading
from qaviz.loading.column_mapping import (
    GOLDEN,
    RESPONSES,
    Layout,
    Role,
    add_later_words,
    find_later_words,
    kind_of,
    list_names,
)
from qaviz.loading.column_values import Cells
from qaviz.loading.load_log import (
    BAD_ROW,
    BELOW_TABLE,
    COLUMNS,
    FILE,
    FROM_TOOL,
    IGNORED_COLUMN,
    IGNORED_SHEET,
    NUMBER_AS_TEXT,
    WORDS,
    entries,
    entry,
    name_lines,
    quote_text,
)
from qaviz.loading.readers import delimited, jsonl, parquet, xlsx
from qaviz.loading.readers.table import (
    DTYPES,
    HEAD_CELL,
    LINE,
    NOTES,
    Head,
    Kind,
    Plan,
    Table,
    find_trailing,
    no_rows,
)
from qaviz.loading.source import Source
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

PREVIEWED_ROWS = 10

_LAST = 200
"""Rows at a table's end that say whether the last of them are notes."""

JOINED_NAMES = " · "
"""What stands between the cells of several columns that name a pipeline together."""

_DOUBTS = 5
"""Columns of which the list says that they may be a word of ours."""


@dataclass(frozen=True)
class Format:
    """How files of one format are read."""

    read: Callable[[Source, Plan, Progress], Table]
    head: Callable[[Source, int, Plan], Head]
    parts: Callable[[Source, Plan, Progress], Iterator[Table]] | None = None
    """What `read` returns, part by part; None where a file of the format is only read whole."""


_JSON_LINES = Format(jsonl.read, jsonl.head, jsonl.parts)
_DELIMITED = Format(delimited.read, delimited.head)
_PARQUET = Format(parquet.read, parquet.head, parquet.parts)
_WORKBOOK = Format(xlsx.read, xlsx.head)

FORMATS: Mapping[str, Format] = {
    ".jsonl": _JSON_LINES,
    ".ndjson": _JSON_LINES,
    ".json": _JSON_LINES,
    ".csv": _DELIMITED,
    ".tsv": _DELIMITED,
    ".parquet": _PARQUET,
    ".xlsx": _WORKBOOK,
}
"""By suffix."""

SUFFIXES = (*FORMATS, logs.SUFFIX)
"""Of all files that can be read, those of other tools too."""


@dataclass(frozen=True)
class InWords:
    """A file that was read, and which of its columns is which word of ours."""

    name: str
    """The file's."""
    table: Table
    layout: Layout

    def list_unused(self) -> list[tuple[str, str, str]]:
        """Columns and sheets that were not used, as kind, where and name."""
        used = {LINE, *self.layout.words, *self.layout.pipelines, *self.layout.choices.values()}
        columns = [*self.table.unread, *(name for name in self.table.frame.columns if name not in used)]
        sheets = [(IGNORED_SHEET, self.name, sheet) for sheet in self.table.other_sheets]
        return [*((IGNORED_COLUMN, self.table.place, column) for column in columns), *sheets]

    def columns(self, *words: str) -> list[pl.Expr]:
        """FILE, LINE and each of the words as a column of `table.frame`: null where the file lacks it."""
        file = pl.lit(f"{self.table.place} {self.table.unit}").alias(FILE)
        return [file, pl.col(LINE), *map(self._column, words)]

    def _column(self, word: str) -> pl.Expr:
        """The word as a column; of several columns, which only a pipeline's name may have, their texts joined."""
        names = [name for name, ours in self.layout.words.items() if ours == word and name in self.table.frame.columns]
        if not names:
            return pl.lit(None, DTYPES[kind_of(word)]).alias(word)
        if len(names) == 1:
            return pl.col(names[0]).alias(word)
        return pl.concat_str(names, separator=JOINED_NAMES, ignore_nulls=True).alias(word)

    def notes(self) -> list[pl.DataFrame]:
        """What is to be listed of the file, whatever it is read as."""
        numbers = self.table.numbers.with_columns(self.columns()[0])
        notes = [entries(numbers, NUMBER_AS_TEXT, pl.col("words"))]
        notes.append(self.bad_rows(self.table.skipped))
        notes.append(entries(self.table.below.with_columns(self.columns()[0]), BELOW_TABLE, pl.col(WORDS)))
        if self.table.tool and self.table.tool != JSON_DOCUMENT.name:
            note = f"{self.table.tool}; scores in it are kept beside qaviz's, which never use them"
            if RUBRIC in self.table.unread:
                note += "; targets that are rubrics are no golden answers: no words are compared with them"
            notes.append(entry(FROM_TOOL, self.table.place, note))
        recognised = self._list_recognised_columns()
        if recognised:
            notes.append(entry(COLUMNS, self.table.place, recognised))
        return notes

    def bad_rows(self, skipped: pl.DataFrame) -> pl.DataFrame:
        """An entry for each row (LINE, WORDS) that was left out because it will not do."""
        return entries(skipped.with_columns(self.columns()[0]), BAD_ROW, pl.col(WORDS))

    def _list_recognised_columns(self) -> str:
        """Which columns are which words, where their names are not ours; empty where all are."""
        if self.table.tool and self.table.tool != JSON_DOCUMENT.name:
            return ""
        read = {name: word for name, word in self.layout.words.items() if name != word}
        recognised = [f"{quote_text(name)} is {word}{self._why(name)}" for name, word in read.items()]
        doubts = [guess for guess in self.layout.guesses if not guess.certain and guess.column not in self.layout.words]
        recognised += [f"{quote_text(doubt.column)} may be {doubt.word}; map it if it is" for doubt in doubts[:_DOUBTS]]
        if recognised and self.layout.pipelines:
            recognised.append(f"pipelines are {list_names(self.layout.pipelines)}")
        if self.table.header:
            recognised.append(f"the header is {self.table.unit} {self.table.header}; what stands above is left out")
        return "; ".join(recognised)

    def _why(self, name: str) -> str:
        guess = next((guess for guess in self.layout.guesses if guess.column == name and guess.certain), None)
        example = f', as in "{guess.example}"' if guess and guess.example else ""
        return f" ({guess.why}{example})" if guess else ""

    def answers(self) -> tuple[str, ...]:
        """The columns that are read as golden answers, facts or responses."""
        answer_columns = (name for name, word in self.layout.words.items() if word in (ANSWER, FACT, RESPONSE))
        return (*answer_columns, *self.layout.pipelines)


@dataclass(frozen=True)
class Preview:
    """What a file looks like and how it would be read."""

    columns: tuple[str, ...]
    words: Mapping[str, str]
    """Their column -> our word, as far as it can be guessed."""
    pipelines: tuple[str, ...]
    """Columns that would each be read as one pipeline's responses; empty in long form."""
    lacking: tuple[Problem, ...]
    """What has to be mapped before the file can be loaded."""
    first: pl.DataFrame
    """The first rows, every cell as text, long ones cut."""
    rows: int
    """Rows in the file: in JSON Lines its lines, in a workbook the rows that the sheet declares."""
    tool: str = ""
    """What wrote the file, where its content told: `Ragas results`."""
    sheet: str = ""
    """The sheet of a workbook that is read."""
    sheets: tuple[str, ...] = ()
    """All sheets of a xlsx."""
    guesses: tuple[Guess, ...] = ()
    """Why columns are read so, or left out, and those that are doubtful."""
    separating: tuple[str, ...] = ()
    """Columns that tell apart rows of one question and pipeline; none where no rows are alike in both."""
    choices: tuple[str, ...] = ()
    """Columns of the options of a multiple-choice golden dataset."""
    readings: tuple[Reading, ...] = ()
    """What a person may choose from where something is lacking."""

    @property
    def form(self) -> str:
        """`wide`, `long` or `multiple choice`."""
        return "multiple choice" if self.choices else "wide" if self.pipelines else "long"


def preview(source: Source, role: Role) -> Preview:
    """A first look at a file. Raises QavizError if it cannot be read, or if the mapping names what is not there."""
    reading = _Reading(source, role)
    head = reading.format.head(
        source, PREVIEWED_ROWS, lambda columns, cells: reading.stop_at_lacking(columns, cells).kinds()
    )
    layout = reading.layout(head.columns, head.cells)
    first = head.frame.with_columns(pl.all().str.head(HEAD_CELL))
    lacking = layout.problems(source.name, head.columns)
    tool = reading.tool.name if reading.tool else ""
    return Preview(
        *(head.columns, layout.words, layout.pipelines, lacking, first, head.rows),
        *(tool, head.sheet, head.sheets, layout.guesses),
        *(layout.separating, tuple(layout.choices.values()), layout.readings),
    )


def read(source: Source, role: Role, progress: Progress) -> InWords:
    """The file's rows in our words. Raises QavizError with every problem of the file."""
    reading = _Reading(source, role)
    return reading.in_words(reading.format.read(source, reading.plan, progress))


def read_parts(source: Source, role: Role, progress: Progress) -> Iterator[InWords]:
    """What `read` returns, part by part where the format can be read so.

    Raises QavizError, after the last part, with every problem of the file; once one is found, no part follows.
    """
    reading = _Reading(source, role)
    if reading.format.parts is None:
        yield read(source, role, progress)
        return
    rows = 0
    for table in reading.format.parts(source, reading.plan, progress):
        rows += table.frame.height
        yield reading.in_words(table)
    if not rows:
        raise no_rows(source.name)


class _Reading:
    """One reading of a file, which remembers the header that its format found."""

    def __init__(self, source: Source, role: Role) -> None:
        self._source, self._role, self._mapping = source, role, source.mapping
        self._header: list[str] = []
        self._layout: Layout | None = None
        self.tool = find_tool(source)
        self.format = _format(source, self.tool)

    def layout(self, columns: Sequence[str], cells: Cells) -> Layout:
        mapping = (
            map_columns(self.tool, columns, self._role, self._mapping)
            if self.tool and self.tool.words
            else self._mapping
        )
        layout = self._role.layout(self._source.name, columns, mapping, cells)
        if layout.lacking and self.tool and self.tool.words and not self._mapping:
            return self._say_what_to_bring(layout, columns, cells)
        return layout

    def _say_what_to_bring(self, layout: Layout, columns: Sequence[str], cells: Cells) -> Layout:
        """The layout of a tool's file; where it is whole in the other role, what is lacking is another file."""
        other = RESPONSES if self._role is GOLDEN else GOLDEN
        words = map_columns(self.tool, columns, other, {}) if self.tool else {}
        if other.layout(self._source.name, columns, words, cells).lacking:
            return layout
        return replace(layout, no_golden=other is RESPONSES, no_responses=other is GOLDEN)

    def stop_at_lacking(self, columns: Sequence[str], cells: Cells) -> Layout:
        layout = self.layout(columns, cells)
        if layout.lacking:
            raise QavizError(*layout.problems(self._source.name, columns))
        return layout

    def plan(self, columns: Sequence[str], cells: Cells) -> Mapping[str, Kind]:
        layout = self.stop_at_lacking(columns, cells)
        self._header, self._layout = list(columns), layout
        return {name: kind_of(word) for name, word in self._later().items()} | layout.kinds()

    def _later(self) -> Mapping[str, str]:
        """What may come after the header, of a file that is in long form and of no tool."""
        if self._layout is None or self._layout.pipelines or self.tool is not None:
            return {}
        later = find_later_words(self._role.names, self._layout, self._mapping)
        return {name: word for name, word in later.items() if name not in self._header}

    def in_words(self, table: Table) -> InWords:
        later = [name for name in table.frame.columns if name not in self._header]
        # A reader that found no row has not asked for the plan.
        layout = add_later_words(self._layout or Layout({}), self._later(), later)
        if not table.knows_missing:
            # A question without an answer is no triplet, but a response that is blank is one.
            table = _without_notes(
                table, layout, alone=self._role is GOLDEN and ANSWERABLE not in layout.words.values()
            )
        return InWords(self._source.name, table, layout)


def _without_notes(table: Table, layout: Layout, *, alone: bool) -> Table:
    """The table of a spreadsheet without notes and totals in its last rows, which it lists."""
    words = {word: name for name, word in layout.words.items() if name in table.frame.columns}
    question_columns = [words[word] for word in (QUESTION, QUESTION_ID) if word in words]
    answer_columns = [*(words[word] for word in (ANSWER, FACT, RESPONSE) if word in words), *layout.pipelines]
    if not question_columns or not answer_columns:
        return table
    last = table.frame.tail(_LAST)
    # A question with an id is one, whatever it lacks; without a question the id's column may hold the note.
    texts = last.select(
        pl.coalesce(pl.when(pl.col(question_columns).str.strip_chars() != "").then(pl.col(question_columns)))
    ).to_series()
    beside = [
        pl.when(pl.col(question_columns[0]).is_not_null()).then(pl.col(name)).alias("id")
        for name in question_columns[1:]
    ]
    trailing = find_trailing(texts.to_list(), list(last.select(*answer_columns, *beside).iter_rows()), alone=alone)
    if not trailing:
        return table
    lines = zip(table.frame.get_column(LINE).tail(len(trailing)), trailing, strict=True)
    below = pl.concat([name_lines((line, NOTES) for line, filled in lines if filled), table.below])
    return replace(table, frame=table.frame.head(-len(trailing)), below=below)


def _format(source: Source, tool: Tool | None) -> Format:
    if tool:
        return Format(partial(records.read, tool), partial(records.head, tool))
    try:
        return FORMATS[source.suffix]
    except KeyError:
        fault = f"the suffix {quote_text(source.suffix)}" if source.suffix else "no suffix"
        raise stop(source.name, fault, f"one of {', '.join(FORMATS)}", "Save it in one of these formats.") from None
