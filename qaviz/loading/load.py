"""Files as a golden dataset and the responses of its pipelines, aligned and ready to be scored: at once, or in chunks
where memory has no room for all of them. The files stand in any order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.align import Alignment, Chunk
from qaviz.loading.fmeval_output import is_fmeval_output, join_outputs
from qaviz.loading.load_log import LINE, entry, quote_text
from qaviz.loading.melt import convert_part, empty_responses, melt_golden, melt_responses
from qaviz.loading.merge import Golden, join_answers, list_golden_flags, merge_golden
from qaviz.loading.offers import list_flags, offer_columns
from qaviz.loading.roles import PIPELINE_LIMIT, Layout, check_mapping, list_names, spell_flags
from qaviz.loading.source import Source, split_progress
from qaviz.loading.tables import Table, name_tables, open_tables, read_layout
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress

ROWS_A_CHUNK = 50_000
"""Responses that are scored and diagnosed together: enough to keep all cores busy, some hundred MB of memory."""

BYTES_A_CHUNK = 256 * 1024**2
"""Bytes from which responses make a chunk, however few they are."""

_RESPONSE_ONLY = frozenset((c.PIPELINE, c.LATENCY_MS, c.COST, c.ERROR, c.JUDGE, c.THEIR_SCORES, c.REPEAT))
"""Words of which only responses have columns."""


@dataclass(frozen=True, kw_only=True)
class Preview(Layout):
    """What a table looks like and how it would be read beside the others."""

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
    if keep_scores:
        opened.set_outputs_apart()
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

    def set_outputs_apart(self) -> None:
        """Set FMEval's own output apart, if there is any; of the other files only golden answers are expected then."""
        self.outputs = list(filter(is_fmeval_output, self.tables))
        self.tables = [table for table in self.tables if table not in self.outputs]
        self.alone = self.alone or bool(self.outputs)
        if self.outputs and len({table.source for table in self.tables}) == 1:
            self.golden = self.tables[0].source

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
            may_give = gives or is_named or table.source.mapping or list_flags([table], c.ANSWER, c.RESPONSE)
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
            golden = [table for table in undecided if not _RESPONSE_ONLY & set(table.layout.words.values())]
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
                table.layout = layout.settle_bare(c.ANSWER if table in golden else c.RESPONSE)

    def _repeats_golden(self, table: Table) -> bool:
        """Whether an answered table has the same golden answers to the same questions, in a column of that name; or of
        any name, where the options stand here alone."""
        words, bare, has_options = table.layout.words, table.layout.bare, bool(table.layout.choices)
        asking = [name for name, word in words.items() if word == c.QUESTION]
        if not asking or _RESPONSE_ONLY & set(words.values()):
            return False
        own = table.head.frame.select(asking[0], bare).drop_nulls()
        for other in self.tables:
            named = other.layout.words
            golden = [name for name, word in named.items() if word == c.ANSWER]
            is_alike = golden[:1] == [bare] or (has_options and not other.layout.choices)
            if golden and is_alike and other.layout.has_responses and named.get(asking[0]) == c.QUESTION:
                there = other.head.frame.select(asking[0], pl.col(golden[0]).alias(_THERE)).unique()
                shared = own.join(there, on=asking[0])
                if not shared.is_empty() and (shared[bare] == shared[_THERE]).all():
                    return True
        return False

    def _counts(self, table: Table) -> bool:
        golden = self.golden
        is_file = golden is not None and (table.source.name, table.source.data) == (golden.name, golden.data)
        return golden is not None and is_file and golden.sheet in ("", table.part)

    def _settle_golden_file(self) -> None:
        """A file that was named as the golden one, of answers under a name of responses, is golden if no other is."""
        is_open = not self.alone and not any(table.layout.has_golden for table in self.tables)
        for table in filter(self._counts, self.tables) if is_open else ():
            words = {name: word for name, word in table.layout.words.items() if word != c.PIPELINE}
            if table.layout.asks:
                golden = {name: c.ANSWER for name, word in words.items() if word == c.RESPONSE}
                table.layout = replace(table.layout, words=words | golden)

    def doubt_table(self, table: Table) -> list[Problem]:
        """What has to be settled before a table can be read: by a choice of two readings, or by a mapping."""
        layout, where = table.layout, table.place
        if layout.readings and (self._knows_questions() or not layout.has_golden):
            ways = ", or ".join(f"{spell_flags(reading.mapping)} ({reading.label})" for reading in layout.readings)
            return [Problem(where=where, found=layout.doubt, expected="one reading", fix=f"Say which: {ways}.")]
        words: tuple[str, ...] = ()
        expected = ""
        if not layout.asks:
            words, expected = (c.QUESTION,), f'a column "{c.QUESTION}" or "{c.QUESTION_ID}"'
        elif not (layout.has_golden or layout.has_responses or layout.bare or self._may_ask(table)):
            words, expected = (c.ANSWER, c.RESPONSE), f'a column "{c.ANSWER}", "{c.FACT}" or "{c.RESPONSE}"'
            others = [other.layout for other in self.tables if other is not table]
            if any(other.has_responses for other in others) and not any(other.has_golden for other in others):
                words = (c.ANSWER,)
        elif (layout.has_golden or not (layout.has_responses or layout.bare)) and not self._knows_questions():
            words, expected = (c.QUESTION,), f'a column "{c.QUESTION}"'
        elif len(layout.pipelines) > PIPELINE_LIMIT:
            words, expected = (c.RESPONSE,), f"at most {PIPELINE_LIMIT:,} columns that are pipelines"
        if not words:
            return []
        fault = f"the columns {list_names(table.columns)}"
        fix = offer_columns(table, words)
        return [Problem(where=where, found=fault, expected=expected, fix=fix)]

    def _only_asks(self, table: Table) -> bool:
        """Whether a table has the questions to golden answers that another one knows by id."""
        layouts = [other.layout for other in self.tables if c.QUESTION not in other.layout.words.values()]
        is_asking = {c.QUESTION, c.QUESTION_ID} <= set(table.layout.words.values())
        return is_asking and not table.layout.has_golden and any(layout.has_golden for layout in layouts)

    def _may_ask(self, table: Table) -> bool:
        """Whether a table has nothing but questions by id, which others lack."""
        is_asking = {c.QUESTION, c.QUESTION_ID} <= set(table.layout.words.values())
        others = [other for other in self.tables if other.gives_something]
        return is_asking and any(c.QUESTION not in other.layout.words.values() for other in others)

    def _knows_questions(self) -> bool:
        layouts = [table.layout for table in self.tables]
        may = any(c.QUESTION in reading.mapping.values() for layout in layouts for reading in layout.readings)
        return self.aside or may or any(c.QUESTION in layout.words.values() for layout in layouts)

    def _lacks_what_no_reading_gives(self) -> bool:
        """Whether tables that may be read in two ways give no golden answers, or no responses, in either."""
        ways = [
            read_layout(table.source, table.head, table.tool, {**table.source.mapping, **reading.mapping})
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
        expected = "golden answers and responses"
        if len(undecided) > 1:
            fault = f"answers in {list_names(table.place for table in undecided)}, and none says whose they are"
            fix = f"Say which has the golden answers: {list_golden_flags(undecided)}."
        elif undecided and not (golden or responses):
            fault = f"answers in {quote_text(undecided[0].layout.bare)}, and nothing beside them"
            fix = "If they are responses: bring a golden dataset. If they are golden answers: bring responses."
        elif golden and (responses or self.alone):
            return []
        else:
            names = list_names(dict.fromkeys(name for table in self.tables for name in table.columns))
            fault = f"no {'responses' if golden else 'golden answers'} in the columns {names}"
            expected = f'a column "{c.ANSWER}" or "{c.FACT}"'
            fix = "These responses have no golden answers: bring a golden dataset."
            if golden:
                expected = f'a column "{c.RESPONSE}", or a column for each pipeline'
                fix = "These golden answers have no responses: bring a file of responses."
            flags = list_flags(self.tables, c.RESPONSE if golden else c.ANSWER)
            responding = [table for table in self.tables if c.RESPONSE in table.layout.words.values()]
            flags += [list_golden_flags(responding)] if len(responding) > 1 and not golden else []
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
            words = [name for name, word in layout.words.items() if counted or word not in (c.ANSWER, c.FACT)]
            used = {*words, *layout.pipelines, *layout.choices.values()}
            unused += [
                entry(load_log.IGNORED_COLUMN, table.place, f"{quote_text(name)} is left out")
                for name in table.columns
                if name not in used
            ]
        for table in self.others:
            detail = f"{quote_text(table.head.sheet or table.place)} is left out"
            unused.append(entry(load_log.IGNORED_SHEET, table.source.name, detail))
        return unused


_THERE = "\0there"


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
    is_named = layout.pipelines or c.PIPELINE in layout.words.values() or keeps_scores
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
