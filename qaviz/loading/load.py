"""Files as a golden dataset and the responses of its pipelines, aligned and ready to be scored: at once, or in chunks
where memory has no room for all of them. The files stand in any order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.align import Alignment, Chunk
from qaviz.loading.fmeval_output import FMEVAL, join_outputs
from qaviz.loading.load_log import LINE, entry, quote_text
from qaviz.loading.looks import ENOUGH, EQUAL, SHORT, list_options
from qaviz.loading.melt import convert_part, empty_responses, melt_golden, melt_responses
from qaviz.loading.merge import Golden, join_answers, list_golden_flags, merge_golden
from qaviz.loading.roles import META, PIPELINE_LIMIT, WORDS, Layout, check_mapping, list_names, spell_flags
from qaviz.loading.source import Source, split_progress
from qaviz.loading.tables import Table, name_tables, open_tables, read_layout
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress

ROWS_A_CHUNK = 50_000
"""Responses that are scored and diagnosed together: enough to keep all cores busy, some hundred MB of memory."""

BYTES_A_CHUNK = 256 * 1024**2
"""Bytes from which responses make a chunk, however few they are."""

_THERE = "\0there"
_RESPONSE_ONLY = frozenset((c.PIPELINE, c.LATENCY_MS, c.COST, c.ERROR, c.JUDGE, c.THEIR_SCORES, c.REPEAT))
"""Words of which only responses have columns."""

_ALSO: Mapping[str, Sequence[str]] = {
    c.QUESTION: (c.QUESTION,),
    c.ANSWER: (c.ANSWER, c.FACT, c.RESPONSE, c.QUESTION_ID),
    c.RESPONSE: (c.RESPONSE, c.ANSWER),
}
"""What names of columns that may be a word may say."""


@dataclass(frozen=True, kw_only=True)
class Preview(Layout):
    """What a table looks like and how it would be read beside the others."""

    __pydantic_config__: ClassVar = {"arbitrary_types_allowed": True}

    file: str
    """The name of its file."""
    place: str
    """What a person calls it: the file's name, and the sheet's."""
    columns: tuple[str, ...]
    lacking: tuple[Problem, ...]
    """What has to be settled before the file can be loaded."""
    first: pl.DataFrame
    """The first rows, every cell as text, long ones cut."""
    rows: int
    """Rows in the table, where the file declares them; else those that were looked at."""
    tool: str
    """What wrote the file, where its content told: `Ragas results`."""
    pipelines_named: int
    """How many pipelines are named in the rows that were looked at."""

    @property
    def form(self) -> str:
        """`wide`, `long` or `multiple choice`."""
        return "multiple choice" if self.choices else "wide" if self.pipelines else "long"


def silent(_fraction: float, _words: str) -> None:
    """Report no progress."""


def load(golden: Source | None, responses: Sequence[Source]) -> Chunk:
    """All chunks of `stream` together, with the files' names. Raises QavizError as it does."""
    chunks = list(stream(golden, responses))
    names = tuple(dict.fromkeys(source.name for source in _list_files(golden, responses)))
    rows = pl.concat(chunk.rows for chunk in chunks).rechunk()
    listed = pl.concat(chunk.listed for chunk in chunks).unique(maintain_order=True).rechunk()
    return Chunk(rows, listed, chunks[-1].golden, sources=names)


def stream(
    golden: Source | None,
    responses: Sequence[Source],
    *,
    progress: Progress | None = None,
    keep_scores: bool = False,
) -> Iterator[Chunk]:
    """Yield in chunks what `load` returns for the same files: the same rows in the same order, the same list.

    `golden` is the file that counts where files give different golden answers. The last chunk has no rows: it lists
    what is known only at the end. With `keep_scores` FMEval's own output is one chunk that has its scores. Raises
    QavizError as `load` does, though after chunks were yielded: discard what was made of these.
    """
    opened = open_files(golden, responses, progress, keep_scores=keep_scores)
    if opened.outputs:
        yield join_outputs(opened)
        return
    alignment = opened.align()
    for frame in group_into_chunks(opened.parts()):
        if not opened.problems:
            yield alignment.add(frame)
    opened.stop_at_problems()
    listed = [*opened.list_unused(), *opened.notes, alignment.list_nulls(), alignment.list_unanswered()]
    last = alignment.add(empty_responses())
    yield replace(last, listed=pl.concat(listed).unique(maintain_order=True))


def load_golden(source: Source, progress: Progress) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The golden dataset of a file by itself, GOLDEN_COLUMNS with ids, and what reading listed (see `load_log`).

    Raises QavizError with every problem of the file.
    """
    opened = open_files(source, [], progress, alone=True)
    golden = opened.merge()
    opened.stop_at_problems()
    return golden.triplets.select(c.GOLDEN_COLUMNS).rechunk(), pl.concat([*opened.notes, *opened.list_unused()])


def preview(golden: Source | None, responses: Sequence[Source], *, aside: bool = False) -> list[Preview]:
    """A first look at all tables of the files; with `aside` golden answers stand elsewhere.

    What the files lack together stands with the first table. Raises QavizError if a file cannot be read, or a mapping
    does not fit.
    """
    opened = open_files(golden, responses, aside=aside)
    if not opened.settled:
        opened.stop_at_problems()
    lacking = [list(opened.doubt_table(table)) for table in opened.tables]
    lacking[0] += [problem for problem in opened.problems if problem not in set(chain.from_iterable(lacking))]
    return [
        Preview(
            **vars(table.layout),
            file=table.source.name,
            place=table.place,
            columns=tuple(table.columns),
            lacking=tuple(problems),
            first=table.head.frame.drop(LINE).head(10).with_columns(pl.all().str.head(500)),
            rows=table.head.rows or table.head.frame.height,
            tool=table.tool.name if table.tool else "",
            pipelines_named=table.head.frame.select(table.layout.find(c.PIPELINE)).unique().height,
        )
        for table, problems in zip(opened.tables, lacking, strict=True)
    ]


def _list_files(golden: Source | None, responses: Sequence[Source]) -> list[Source]:
    """The files, each once: one file may hold the golden dataset and the responses, and one that is read whole has the
    sheet that counts."""
    files: dict[tuple[object, ...], Source] = {}
    whole = {(source.name, source.data) for source in responses if not source.sheet}
    named = [golden] if golden and not (golden.sheet and (golden.name, golden.data) in whole) else []
    for source in (*named, *responses):
        key = (source.name, source.data, source.sheet)
        before = files.get(key)
        files[key] = replace(before, mapping={**before.mapping, **source.mapping}) if before else source
    return list(files.values())


def open_files(
    golden: Source | None,
    responses: Sequence[Source],
    progress: Progress | None = None,
    *,
    alone: bool = False,
    aside: bool = False,
    keep_scores: bool = False,
) -> "Opened":
    """The files' tables, what their columns are, and what each gives. With `alone` no responses are expected, with
    `aside` no golden answers: these stand elsewhere. With `keep_scores` FMEval's own output is set apart.

    What is wrong with them stands in its `problems`.
    """
    files = _list_files(golden, responses)
    steps = split_progress(files, progress or silent)
    counting = golden if len(files) > 1 or alone or (golden and golden.sheet) else None
    opened = Opened(files, counting, alone=alone, aside=aside)
    for source, step in zip(files, steps, strict=True):
        try:
            opened.add(source, list(open_tables(source, step)))
        except QavizError as error:
            opened.problems += error.problems
    outputs = [table for table in opened.tables if table.tool and table.tool.name == FMEVAL] if keep_scores else []
    if outputs:  # of the other files only golden answers are expected
        opened.outputs, opened.alone = outputs, True
        opened.tables = [table for table in opened.tables if table not in outputs]
        if len({table.source for table in opened.tables}) == 1:
            opened.golden = opened.tables[0].source
    if not opened.problems and (opened.tables or not opened.outputs):
        opened.settle()
    return opened


@dataclass
class Opened:
    """Files that were opened: their tables, and what became of these."""

    files: list[Source]
    golden: Source | None
    """The file that counts where files differ."""
    alone: bool = False
    """Whether no responses are expected."""
    aside: bool = False
    """Whether no golden answers are: they stand elsewhere."""
    tables: list[Table] = field(default_factory=list)
    outputs: list[Table] = field(default_factory=list)
    """FMEval's own output that was set apart: its scores are kept."""
    others: list[Table] = field(default_factory=list)
    """Sheets and members that say nothing of questions or pipelines."""
    settled: bool = False
    """Whether all files could be opened; then problems are what is still in doubt."""
    problems: list[Problem] = field(default_factory=list)
    notes: list[pl.DataFrame] = field(default_factory=list)
    """Entries for the list of `load_log`."""
    own_golden: list[int] = field(default_factory=list)
    """The places of the tables whose golden answers count."""
    _merged: Golden | None = None
    _kept: dict[int, list[pl.DataFrame]] = field(default_factory=dict)
    """Responses of tables that were read whole for their golden answers, by the tables' places."""

    def add(self, source: Source, tables: list[Table]) -> None:
        """The tables of a file; of several those that give something, if one does."""
        chosen = [table for table in tables if len(tables) == 1 or table.gives_something] or tables[:1]
        names = list(dict.fromkeys(name for table in tables for name in table.columns))
        check_mapping(names, source.mapping, source.name)
        self.tables += chosen
        self.others += [table for table in tables if table not in chosen]

    def settle(self) -> None:
        """Decide by all tables together what one alone leaves open, and name the pipelines of tables without names."""
        self.settled = True
        self._leave_out()
        self._settle_bare()
        self._settle_golden_file()
        name_tables(self.tables)
        if not self._lacks_what_no_reading_gives():
            for table in self.tables:
                self.problems += self.doubt_table(table)
        if not self.problems:
            self.problems += self._find_missing()

    def _leave_out(self) -> None:
        """Leave out tables that give nothing where others give both golden answers and responses, and that have no
        column that may give something."""
        for table in list(self.tables):
            layout = table.layout
            gives = layout.has_golden or layout.has_responses or layout.bare or layout.readings or self._may_ask(table)
            others = [other.layout for other in self.tables if other is not table and other.gives_something]
            golden = self.aside or any(other.has_golden or other.bare or other.readings for other in others)
            responses = any(other.has_responses or other.bare or other.readings for other in others)
            is_named = self.golden is not None and self._counts(table)
            may_give = gives or is_named or table.source.mapping or _list_flags([table], c.ANSWER, c.RESPONSE)
            if golden and responses and not may_give:
                self.tables.remove(table)
                self.others.append(table)

    def _settle_bare(self) -> None:
        """Whose the answers are of which a table does not say it."""
        undecided = [table for table in self.tables if table.layout.bare and not table.layout.readings]
        golden: list[Table] = []
        if self.golden is not None:
            golden = list(filter(self._counts, undecided))
        elif len(undecided) > 1:
            golden = [table for table in undecided if not table.layout.find(*_RESPONSE_ONLY)]
        elif any(table.layout.has_responses for table in self.tables):
            golden = undecided
        if self.aside or any(table.layout.has_golden for table in self.tables):
            golden = list(filter(self._repeats_golden, undecided))
        elif self.golden is None and len(golden) != 1:
            return
        for table in undecided:
            layout = table.layout
            # Lists of answers, where others are golden: options, or other golden answers.
            answers = table.head.frame[layout.bare].drop_nulls()
            lists = answers.str.contains(c.OR_DELIMITER, literal=True).sum()
            if table not in golden and lists * 2 > len(answers):
                table.layout = replace(layout, bare="", ignored=(*layout.ignored, layout.bare))
            else:
                word = c.ANSWER if table in golden else c.RESPONSE
                table.layout = replace(layout, words={**layout.words, layout.bare: word}, bare="")

    def _repeats_golden(self, table: Table) -> bool:
        """Whether an answered table has the same golden answers to the same questions, in a column of that name; or of
        any name, where the options stand here alone."""
        layout, bare = table.layout, table.layout.bare
        asking = layout.find(c.QUESTION)
        if not asking or layout.find(*_RESPONSE_ONLY):
            return False
        own = table.head.frame.select(asking[0], bare).drop_nulls()
        for other in self.tables:
            golden = other.layout.find(c.ANSWER)
            is_alike = golden[:1] == [bare] or (layout.choices and not other.layout.choices)
            if golden and is_alike and other.layout.has_responses and asking[0] in other.layout.find(c.QUESTION):
                there = other.head.frame.select(asking[0], pl.col(golden[0]).alias(_THERE)).unique()
                shared = own.join(there, on=asking[0])
                if not shared.is_empty() and (shared[bare] == shared[_THERE]).all():
                    return True
        return False

    def _counts(self, table: Table) -> bool:
        golden, source = self.golden, table.source
        is_file = golden is not None and (source.name, source.data) == (golden.name, golden.data)
        return golden is not None and is_file and golden.sheet in ("", table.part)

    def _settle_golden_file(self) -> None:
        """A file that was named as the golden one, of answers under a name of responses, is golden if no other is."""
        if self.alone or any(table.layout.has_golden for table in self.tables):
            return
        for table in filter(self._counts, self.tables):
            if (layout := table.layout).asks:
                golden = {**layout.words, **dict.fromkeys(layout.find(c.RESPONSE), c.ANSWER)}
                table.layout = replace(
                    layout, words={name: word for name, word in golden.items() if word != c.PIPELINE}
                )

    def doubt_table(self, table: Table) -> list[Problem]:
        """What has to be settled before a table can be read: by a choice of two readings, or by a mapping."""
        layout, where = table.layout, table.place
        if layout.readings and (self._knows_questions() or not layout.has_golden):
            ways = ", or ".join(f"{spell_flags(reading.mapping)} ({reading.label})" for reading in layout.readings)
            return [Problem(where=where, found=layout.doubt, expected="one reading", fix=f"Say which: {ways}.")]
        words = [c.QUESTION]
        if not layout.asks:
            expected = f'a column "{c.QUESTION}" or "{c.QUESTION_ID}"'
        elif not (layout.has_answers or self._may_ask(table)):
            expected = f'a column "{c.ANSWER}", "{c.FACT}" or "{c.RESPONSE}"'
            layouts = [other.layout for other in self.tables]
            lacks_golden = any(other.has_responses for other in layouts) and not any(
                other.has_golden for other in layouts
            )
            words = [c.ANSWER] if lacks_golden else [c.ANSWER, c.RESPONSE]
        elif (layout.has_golden or not layout.has_answers) and not self._knows_questions():
            expected = f'a column "{c.QUESTION}"'
        elif len(layout.pipelines) > PIPELINE_LIMIT:
            words, expected = [c.RESPONSE], f"at most {PIPELINE_LIMIT:,} columns that are pipelines"
        else:
            return []
        fault = f"the columns {list_names(table.columns)}"
        return [Problem(where=where, found=fault, expected=expected, fix=_offer_columns(table, words))]

    def _only_asks(self, table: Table) -> bool:
        """Whether a table has the questions to golden answers that another one knows by id."""
        return not table.layout.has_golden and self._asks_for(
            table, [other for other in self.tables if other.layout.has_golden]
        )

    def _may_ask(self, table: Table) -> bool:
        """Whether a table has nothing but questions by id, which others lack."""
        return self._asks_for(table, [other for other in self.tables if other.gives_something])

    @staticmethod
    def _asks_for(table: Table, others: Sequence[Table]) -> bool:
        is_asking = table.layout.find(c.QUESTION) and table.layout.find(c.QUESTION_ID)
        return bool(is_asking) and not all(other.layout.find(c.QUESTION) for other in others)

    def _knows_questions(self) -> bool:
        layouts = [table.layout for table in self.tables]
        may = any(c.QUESTION in reading.mapping.values() for layout in layouts for reading in layout.readings)
        return self.aside or may or any(layout.find(c.QUESTION) for layout in layouts)

    def _lacks_what_no_reading_gives(self) -> bool:
        """Whether tables that may be read in two ways give no golden answers, or no responses, in either."""
        ways = [
            read_layout(table.head, table.tool, {**table.source.mapping, **reading.mapping})
            for table in self.tables
            for reading in table.layout.readings
        ]
        layouts = [*ways, *(table.layout for table in self.tables)]
        if not ways or any(layout.bare or (layout in ways and layout.readings) for layout in layouts):
            return False
        golden = self.aside or any(layout.has_golden for layout in layouts)
        return not (golden and (self.alone or any(layout.has_responses for layout in layouts)))

    def _find_missing(self) -> list[Problem]:
        """What all tables together lack: golden answers, or responses; each with the columns that may be it."""
        undecided = [table for table in self.tables if table.layout.bare]
        golden = self.aside or any(table.layout.has_golden for table in self.tables)
        responses = any(table.layout.has_responses for table in self.tables)
        names = list_names(dict.fromkeys(name for table in self.tables for name in table.columns))
        expected, flags = "golden answers and responses", list[str]()
        if len(undecided) > 1:
            fault = f"answers in {list_names(table.place for table in undecided)}, and none says whose they are"
            fix = f"Say which has the golden answers: {list_golden_flags(undecided)}."
        elif undecided and not (golden or responses):
            fault = f"answers in {quote_text(undecided[0].layout.bare)}, and nothing beside them"
            fix = "If they are responses: bring a golden dataset. If they are golden answers: bring responses."
        elif not golden:
            fault, expected = f"no golden answers in the columns {names}", f'a column "{c.ANSWER}" or "{c.FACT}"'
            fix = "These responses have no golden answers: bring a golden dataset."
            responding = [table for table in self.tables if table.layout.find(c.RESPONSE)]
            flags = _list_flags(self.tables, c.ANSWER)
            flags += [list_golden_flags(responding)] if len(responding) > 1 else []
        elif not (responses or self.alone):
            fault = f"no responses in the columns {names}"
            expected = f'a column "{c.RESPONSE}", or a column for each pipeline'
            fix = "These golden answers have no responses: bring a file of responses."
            flags = _list_flags(self.tables, c.RESPONSE)
        else:
            return []
        fix += f" If they stand in one of these files: {' or '.join(flags)}." if flags else ""
        where = ", ".join(dict.fromkeys(table.source.name for table in self.tables))
        return [Problem(where=where, found=fault, expected=expected, fix=fix)]

    def merge(self) -> Golden:
        """The golden dataset of all tables. Raises QavizError with all problems of these."""
        if self._merged is not None:
            return self._merged
        self.stop_at_problems()
        tables = [table for table in self.tables if table.layout.has_golden]
        # A file that is named as the golden one is all of it.
        tables = list(filter(self._counts, tables)) or tables
        tables += [table for table in self.tables if table not in tables and self._only_asks(table)]
        parts = list(map(self._read_golden, tables))
        filled = [
            part[c.ANSWER].count() + part[c.FACT].count() + (~part[c.ANSWERABLE].fill_null(value=True)).sum()
            for part in parts
        ]
        giving = [place for place, count in enumerate(filled) if count or self._only_asks(tables[place])] or [0]
        self.stop_at_problems()
        golden = merge_golden([tables[place] for place in giving], [parts[place] for place in giving])
        self.notes += golden.notes
        self.own_golden = [self.tables.index(tables[place]) for place in giving]
        self._merged = replace(golden, own_ids={self.own_golden[place]: ids for place, ids in golden.own_ids.items()})
        return self._merged

    def _read_golden(self, table: Table) -> pl.DataFrame:
        golden, responses = list[pl.DataFrame](), list[pl.DataFrame]()
        for frame in self.read(table):
            golden.append(melt_golden(frame, table.layout))
            if table.layout.has_responses and not self.alone:
                responses.append(self.melt(frame, table))
        if responses:
            self._kept[self.tables.index(table)] = responses
        layout, rows = table.layout, pl.concat(golden)
        return join_answers(rows, layout.one_answer, are_own=layout.has_responses) if layout.one_answer else rows

    def read(self, table: Table) -> Iterator[pl.DataFrame]:
        """The table's rows, converted. Its problems are noted once it was read."""
        self.notes += list(_list_notes(table, keeps_scores=table in self.outputs))
        try:
            for part in table.parts:
                frame, note = convert_part(table, part)
                self.notes.append(note)
                yield frame
            table.head.problems.stop_if_any()
        except QavizError as error:
            self.problems += [problem for problem in error.problems if problem not in self.problems]

    def align(self) -> Alignment:
        """The golden dataset, ready for the responses."""
        golden = self.merge()
        first = self.tables[self.own_golden[0]].source
        others = [table.source for table in self.tables if table.layout.has_responses] or [first]
        return Alignment(golden.triplets, [first, *others])

    def parts(self, *, ids_given: bool = True) -> Iterator[pl.DataFrame]:
        """The responses of all tables, part by part: each known by its own triplet where it stands beside one.

        `ids_given` is whether golden answers that stand elsewhere have ids of their own.
        """
        golden = Golden(pl.DataFrame(), ids_given) if self.aside else self.merge()
        for place, table in enumerate(self.tables):
            if not table.layout.has_responses:
                continue
            streamed = (self.melt(frame, table) for frame in self.read(table))
            for frame in self._kept.pop(place, streamed):
                yield golden.name_triplets(frame, place).select(empty_responses().columns)

    def melt(self, frame: pl.DataFrame, table: Table) -> pl.DataFrame:
        """The responses in rows of the table."""
        responses, notes = melt_responses(frame, table)
        self.notes += notes
        return responses

    def stop_at_problems(self) -> None:
        """Raise QavizError with all problems of the files, if there are any."""
        if self.problems:
            raise QavizError(*self.problems)

    def list_unused(self) -> list[pl.DataFrame]:
        """Entries for the columns, sheets and members that were not read."""
        unused = []
        for place, table in enumerate([*self.tables, *self.outputs]):
            layout = table.layout
            counted = place in self.own_golden or self.aside or table in self.outputs
            used = {*layout.words, *layout.pipelines, *layout.choices.values()}
            used -= set() if counted else set(layout.find(c.ANSWER, c.FACT))
            left_out = [name for name in table.columns if name not in used]
            unused += [(load_log.IGNORED_COLUMN, table.place, name) for name in left_out]
        unused += [
            (load_log.IGNORED_SHEET, other.source.name, other.head.sheet or other.place) for other in self.others
        ]
        return [entry(kind, where, f"{quote_text(name)} is left out") for kind, where, name in unused]


def _offer_columns(table: Table, words: Sequence[str]) -> str:
    """What to do about a table that lacks all of these words."""
    layout = table.layout
    read = {*layout.words, *layout.pipelines, layout.bare, *table.source.mapping}
    others = [column for name, column in table.evidence.items() if name not in read]
    # Beside answers, texts under names that leave open what they are: those first that ask.
    texts = [column for column in others if column.is_text and column.words > 2 and not column.says_form]
    texts = [column for column in texts if column.named.word in (None, c.QUESTION, META if column.may_ask else None)]
    texts.sort(key=lambda column: -column.share("question"))
    if (
        others
        and not layout.has_answers
        and all(column.named.word == META or column.are("number") for column in others)
    ):
        fix = "This table has scores, not answers: bring the file with the responses."
    elif flags := _list_flags([table], *words):
        fix = f"Rename the column, or map it: {' or '.join(flags)}."
    elif texts and c.QUESTION in words and layout.has_answers:
        flags = [spell_flags({column.name: c.QUESTION}) for column in texts[:2]]
        fix = "None of them looks like that. If the texts of one are what the pipelines were asked, map it: "
        fix += f"{' or '.join(flags)}. Else bring the file that has it."
    else:
        fix = "None of them can be that: bring the file that has it."
    if table.head.frame.height == 1:
        fix += " If the records stand deeper in a JSON document: save their list as a file of its own."
    return fix


def _list_flags(tables: Sequence[Table], *words: str) -> list[str]:
    """The flags of the columns that may be one of the words, by their names and cells, but those that are read."""
    flags: dict[str, None] = {}
    for table in tables:
        layout, columns = table.layout, table.evidence
        systems = {name for name in layout.find(c.PIPELINE) if columns[name].is_one_system}
        read = {*layout.words, *layout.pipelines, *table.source.mapping} - systems
        read |= {name for reading in layout.readings for name in reading.mapping}
        read |= {column.name for column in list_options(columns.values())}
        golden = columns.of_word(layout.words, c.ANSWER)
        answered = [_list_fields(columns, name) for name in (*layout.pipelines, *layout.find(c.RESPONSE))]
        for name, column in columns.items():
            is_text = (column.is_text and (column.words > 1 or column.distinct > ENOUGH)) or column.words > SHORT
            if name in read or not is_text or column.is_identifier or not column.are_words:
                continue
            is_none = column.is_constant or bool(WORDS["traces"].intersection(column.terms()))
            # By a system; the fields of one system's object are those of another's.
            is_said = column.terms("PREDICTED", "BOT", "MODEL") != column.terms()
            fields = _list_fields(columns, name)
            is_said = is_said or (len(fields) > 1 and fields in answered)
            # Of several texts one may be the response.
            is_golden = column.are_variants or any(answer.share_inside(column) >= EQUAL for answer in golden)
            unfit = {c.QUESTION: not column.may_ask, c.ANSWER: is_none or is_said, c.RESPONSE: is_none or is_golden}
            named = None if column.is_one_system else column.named.word  # "model_a" may be its responses
            may_be = [word for word in words if named in (None, *_ALSO[word]) and not unfit[word]]
            flags |= dict.fromkeys(spell_flags({name: word}) for word in may_be)
    return list(flags)[: 3 * len(words)]


def _list_fields(names: Iterable[str], name: str) -> set[str]:
    """The fields of the object that a column stands in."""
    outer, point, _ = name.rpartition(".")
    return {other.removeprefix(f"{outer}.") for other in names if point and other.startswith(f"{outer}.")}


def _list_notes(table: Table, *, keeps_scores: bool) -> Iterator[pl.DataFrame]:
    """What is to be listed of a table: how the file was read, what wrote it, which of its columns are which words."""
    for kind, words in table.head.notes:
        yield entry(kind, table.source.name, words)
    layout = table.layout
    read = []
    if table.tool:
        beside = "scores in it are kept beside qaviz's, which never use them"
        taken = "its scores are taken as they stand; hits, context recall and diagnoses are qaviz's"
        yield entry(load_log.FROM_TOOL, table.place, f"{table.tool.name}; {taken if keeps_scores else beside}")
    elif renamed := {name: word for name, word in layout.words.items() if name != word}:
        why = {guess.column: f" ({guess.why})" for guess in layout.guesses if guess.certain}
        read = [f"{quote_text(name)} is {word}{why.get(name, '')}" for name, word in renamed.items()]
        read += [f"pipelines are {list_names(layout.pipelines)}"] if layout.pipelines else []
    read += [f"{list_names(layout.ignored)} left out, and like answers"] if layout.ignored else []
    if read:
        yield entry(load_log.COLUMNS, table.place, "; ".join(read))
    is_named = layout.pipelines or layout.find(c.PIPELINE) or keeps_scores
    if layout.has_responses and not is_named:
        words = f"no column names the pipeline: {quote_text(table.pipeline)}"
        yield entry(load_log.PIPELINE_FROM_FILE, table.place, words)


def group_into_chunks(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same rows, at least ROWS_A_CHUNK together and fewer than twice as many; the last ones as they come.

    Fewer together if they have BYTES_A_CHUNK.
    """
    waiting: list[pl.DataFrame] = []
    for frame in frames:
        for begin in range(0, max(frame.height, 1), ROWS_A_CHUNK):
            waiting.append(frame.slice(begin, ROWS_A_CHUNK))
            size = sum(frame.estimated_size() for frame in waiting)
            if sum(map(len, waiting)) >= ROWS_A_CHUNK or size >= BYTES_A_CHUNK:
                yield pl.concat(waiting)
                waiting = []
    if waiting:
        yield pl.concat(waiting)
