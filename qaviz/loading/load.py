"""A golden dataset and the responses of its pipelines, aligned and ready to be scored: at once, or in chunks where
memory has no room for all of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.align import Alignment, Chunk
from qaviz.loading.column_guess import name_option
from qaviz.loading.column_mapping import GOLDEN, RESPONSES, kind_of, list_names
from qaviz.loading.column_values import read_list
from qaviz.loading.load_log import FromFile, Problems, entries, entry, quote_text
from qaviz.loading.readers import reading
from qaviz.loading.readers.reading import InWords
from qaviz.loading.readers.table import LINE, Kind
from qaviz.loading.response_columns import read_object, split_contexts
from qaviz.loading.source import Source
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

_TEXTS = tuple(word for word in c.GOLDEN_COLUMNS if kind_of(word) in (Kind.TEXT, Kind.ID))


def read_golden(source: Source, progress: Progress, *, shared: bool) -> FromFile:
    """The triplets: GOLDEN_COLUMNS (question_id all null if the file has none), FILE, LINE. Blank texts are null.

    A triplet that stands there again is left out, and listed unless the file is `shared`: holds responses too, so that
    each pipeline repeats it. Raises QavizError for a triplet without a question or (among others with ids) without an
    id, for an id that stands twice, for more than VARIANT_LIMIT variants, and with every problem of the file.
    """
    read = reading.read(source, GOLDEN, progress)
    blank_to_null = pl.when(pl.col(_TEXTS).str.strip_chars() != "").then(pl.col(_TEXTS))
    triplets = read.table.frame.select(read.columns(*c.GOLDEN_COLUMNS))
    triplets = triplets.with_columns(_join_passages(triplets[word]) for word in (c.PASSAGE_ID, c.EVIDENCE))
    triplets = triplets.with_columns(blank_to_null)
    if read.layout.choices:
        triplets = spell_choices(triplets, read.table.frame.select(read.layout.choices.values()), read.layout.choices)
    triplets = triplets.with_columns(join_listed(triplets.get_column(word)) for word in c.DELIMITERS)
    triplets = triplets.with_columns(list_tags(triplets.get_column(c.TAGS)))
    blank = triplets.select(pl.all_horizontal(pl.col(c.GOLDEN_COLUMNS).is_null())).to_series()
    filled = triplets.filter(~blank)
    first = filled.select(pl.struct(c.GOLDEN_COLUMNS).is_first_distinct()).to_series()
    kept = filled.filter(first)
    problems = Problems(read.table.place, read.table.unit, skip_bad=source.skip_bad)
    _stop_at_problems(kept, problems, has_ids=c.QUESTION_ID in read.layout.words.values())
    kept = problems.without_skipped(kept)
    # A question that is marked as unanswerable needs neither a fact nor an answer.
    answerable = kept.filter(kept.get_column(c.ANSWERABLE).fill_null(True)) if c.ANSWERABLE in kept.columns else kept
    notes = [
        *read.notes(),
        read.bad_rows(problems.newly_skipped()),
        entries(triplets.filter(blank), load_log.EMPTY_ROW, "nothing stands in this row"),
        entries(
            answerable.filter(pl.col(c.FACT).is_null()), load_log.NO_FACT, "cannot be scored for Factual Knowledge"
        ),
        entries(answerable.filter(pl.col(c.ANSWER).is_null()), load_log.NO_ANSWER, "cannot be scored for QA Accuracy"),
    ]
    if not shared:
        notes.append(entries(filled.filter(~first), load_log.DUPLICATE, "the same triplet stands above"))
    return FromFile(read.table.place, kept, notes, read.list_unused(), read.answers())


def join_listed(cells: pl.Series) -> pl.Series:
    """The golden answers or facts; where every cell is a list, as JSON or Python writes it, its texts as variants."""
    filled = cells.drop_nulls()
    if not len(filled) or not filled.str.strip_chars_start().str.starts_with("[").all():
        return cells
    listed = [None if cell is None else read_list(cell) for cell in cells]
    if listed.count(None) != cells.null_count():
        return cells
    variants = [dict.fromkeys(text for text in map(str, part or ()) if text.strip()) for part in listed]
    return pl.Series(cells.name, [c.OR_DELIMITER.join(part) or None for part in variants], pl.String)


def _join_passages(cells: pl.Series) -> pl.Series:
    """The lists of ids or texts of passages as variants; of FinanceBench's evidence, which are objects, the texts."""
    listed = [texts and [read_object(text).text for text in texts] for texts in cells.to_list()]
    return pl.Series(cells.name, [texts and c.OR_DELIMITER.join(texts) for texts in listed], pl.String)


def spell_choices(triplets: pl.DataFrame, options: pl.DataFrame, labels: Mapping[str, str]) -> pl.DataFrame:
    """The triplets of multiple-choice questions, the golden answer the text of the option that it names, or its label.

    `labels` are the columns of `options` by their labels.
    """
    answers = []
    for answer, row in zip(triplets.get_column(c.ANSWER), options.iter_rows(named=True), strict=True):
        label = name_option(answer, sorted(labels)) if answer else None
        spelled = row[labels[label]] if label else None
        answers.append(c.OR_DELIMITER.join([spelled, answer]) if spelled and spelled.strip() else answer)
    return triplets.with_columns(pl.Series(c.ANSWER, answers, pl.String))


def list_tags(cells: pl.Series) -> pl.Series:
    """The tags; those of a list, as JSON or Python writes it, with semicolons between them."""
    listed = [cell and read_list(cell) for cell in cells]
    texts = [cell if tags is None else "; ".join(map(str, tags)) for cell, tags in zip(cells, listed, strict=True)]
    return pl.Series(cells.name, texts, pl.String)


def load_golden(source: Source, progress: Progress) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The golden dataset of a file by itself, GOLDEN_COLUMNS with ids, and what reading listed (see `load_log`).

    Raises QavizError with every problem of the file.
    """
    read = read_golden(source, progress, shared=False)
    triplets, made = with_ids(source.name, read.frame)
    return triplets.select(c.GOLDEN_COLUMNS).rechunk(), pl.concat([*made, *read.notes])


def with_ids(name: str, triplets: pl.DataFrame) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """The triplets with ids, and an entry for the list if they had none: then they are numbered from 1."""
    if not triplets.get_column(c.QUESTION_ID).null_count():
        return triplets, []
    numbers = pl.int_range(1, pl.len() + 1).cast(pl.String).alias(c.QUESTION_ID)
    note = entry(load_log.IDS_MADE, name, "no column question_id: the questions are numbered, and align by their texts")
    return triplets.with_columns(numbers), [note]


def _stop_at_problems(triplets: pl.DataFrame, problems: Problems, *, has_ids: bool) -> None:
    for word in (c.QUESTION, c.QUESTION_ID) if has_ids else (c.QUESTION,):
        rows = triplets.filter(pl.col(word).is_null()).select(LINE, pl.lit(word))
        problems.add_rows(rows, lambda name: f"no {name}", "one in each row", "Fill it in or remove the row.")
    again = triplets.filter(pl.col(c.QUESTION_ID).is_not_null() & ~pl.col(c.QUESTION_ID).is_first_distinct())
    problems.add_rows(
        again.select(LINE, c.QUESTION_ID),
        lambda name: f"the question_id {quote_text(name)} again, with another triplet",
        "each id once",
        "Give the triplet a unique id, or remove it.",
    )
    add_variant_problems(triplets, problems)
    problems.stop_if_any()


def add_variant_problems(triplets: pl.DataFrame, problems: Problems) -> None:
    """Add each fact and answer with more than VARIANT_LIMIT variants."""
    for column in c.DELIMITERS:
        many = triplets.select(LINE, c.variant_count(column).alias("count")).filter(pl.col("count") > c.VARIANT_LIMIT)
        fault = pl.format(
            "{} variants in one {}", pl.col("count").map_elements("{:,}".format, pl.String), pl.lit(column)
        )
        fix = "Keep those that a response may use."
        problems.add_rows(many.select(LINE, fault), str, f"at most {c.VARIANT_LIMIT:,}", fix)


OF_RUN = ", a run.jsonl"
"""How the names of files end that were written from a run."""

ROWS_A_CHUNK = 50_000
"""Responses that are scored and diagnosed together: enough to keep all cores busy, some hundred MB of memory."""

BYTES_A_CHUNK = 256 * 1024**2
"""Bytes from which responses make a chunk, however few they are."""


@dataclass(frozen=True)
class Loaded:
    """What the files hold, ready to be scored."""

    golden: pl.DataFrame
    """One row a triplet: GOLDEN_COLUMNS, null where missing; question_id never null, and unique."""
    rows: pl.DataFrame
    """One row a response, in the files' order: GOLDEN_COLUMNS, then RESPONSE_COLUMNS."""
    listed: pl.DataFrame
    """One row for each thing worth knowing: kind (a constant of `load_log`), where, question_id, pipeline, detail."""
    sources: tuple[str, ...]
    """Names of the files."""


@dataclass
class Beside:
    """What reading collects beside the rows of responses."""

    problems: list[Problem] = field(default_factory=list)
    """Problems of the files. From the first one on, the files are only read to find the others."""
    notes: list[pl.DataFrame] = field(default_factory=list)
    """Entries for the list of `load_log`."""
    golden: FromFile | None = None
    """The golden dataset's file, once it was read; without its rows."""
    files: list[FromFile] = field(default_factory=list)
    """What was left out of each file; its rows have gone on."""
    asked: dict[str, pl.DataFrame] = field(default_factory=dict)
    """By pipeline what the first part of the file that named it first says: question_id, question, response."""


def load(golden: Source, responses: Sequence[Source], *, progress: Progress | None = None) -> Loaded:
    """All chunks of `stream` together. Raises QavizError as it does."""
    chunks = list(stream(golden, responses, progress=progress))
    names = tuple(dict.fromkeys(source.name for source in (golden, *responses)))
    rows = pl.concat(chunk.rows for chunk in chunks).rechunk()
    listed = pl.concat(chunk.listed for chunk in chunks).unique(maintain_order=True).rechunk()
    return Loaded(chunks[-1].golden, rows, listed, names)


def stream(
    golden: Source,
    responses: Sequence[Source],
    *,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """Yield in chunks what `load` returns for the same files: the same rows in the same order, the same list.

    The last chunk has no rows: it lists what is known only at the end. Raises QavizError as `load` does, though after
    chunks were yielded: discard what was made of these. JSON Lines and Parquet are read part by part, the other
    formats whole.
    """
    files = response_files(golden, responses)
    steps = split_progress([golden, *files], progress or silent)
    beside = Beside()
    alignment = open_golden(golden, files, beside, steps[0])
    parts = read_all(files, beside, steps[1:])
    for frame in group_into_chunks(parts):
        if alignment is not None and not beside.problems:
            yield alignment.add(frame)
    if alignment is None or beside.problems:
        raise QavizError(*beside.problems)
    listed = [
        *list_unused([golden, *files], beside.files),
        *beside.notes,
        alignment.list_nulls(),
        alignment.list_unanswered(),
    ]
    yield replace(alignment.add(frame.clear()), listed=pl.concat(listed).unique(maintain_order=True))


def response_files(golden: Source, responses: Sequence[Source]) -> list[Source]:
    """The files of responses; where there are none, the golden dataset's, which has to hold them too."""
    # A workbook may have the responses on another sheet than the golden dataset's.
    return list(responses) or [replace(golden, sheet="", mapping={})]


def open_golden(source: Source, responses: Sequence[Source], beside: Beside, progress: Progress) -> Alignment | None:
    """The golden dataset, ready for the responses; None if its file has problems."""
    shared = source.data in [response.data for response in responses]
    try:
        read = read_golden(source, progress, shared=shared)
    except QavizError as error:
        beside.problems += error.problems
        return None
    triplets, notes = with_ids(source.name, read.frame)
    beside.notes += [*notes, *read.notes]
    beside.golden = replace(read, frame=triplets.clear())
    beside.files.append(beside.golden)
    return Alignment(triplets, [source, *responses], by_id=not notes)


def read_all(files: Sequence[Source], beside: Beside, steps: Sequence[Progress]) -> Iterator[pl.DataFrame]:
    """The responses of the files, part by part, until a problem is found."""
    for source, step in zip(files, steps, strict=True):
        try:
            yield from _read(source, beside, step)
        except QavizError as error:
            beside.problems += error.problems


def _read(source: Source, beside: Beside, progress: Progress) -> Iterator[pl.DataFrame]:
    unused: dict[tuple[str, str, str], None] = {}
    again: list[str] | None = None
    for part in read_response_parts(source, progress):
        if again is None:
            again = _find_asked_again(part.frame, beside.asked) if not is_run_file(source.name) else []
        part = _tell_apart(part, again, source)
        if beside.golden:
            refuse_answers_to_themselves(beside.golden, part)
        beside.notes += part.notes
        unused |= dict.fromkeys(part.left_out)
        if not beside.problems:
            yield part.frame
    beside.files.append(FromFile(part.place, part.frame.clear(), [], tuple(unused)))


def is_run_file(name: str) -> bool:
    """Whether a file was written from a run, to be added to."""
    return name.endswith(OF_RUN)


_ASKED = [c.QUESTION_ID, c.QUESTION]


def _find_asked_again(first: pl.DataFrame, rows_by_pipeline: dict[str, pl.DataFrame]) -> list[str]:
    """The pipelines whose questions an earlier file has asked too, and answered otherwise: they are others of the same
    name. Notes in `asked` what this file's first rows ask."""
    again = []
    for (name,), rows in first.select(*_ASKED, c.PIPELINE, c.RESPONSE).group_by(c.PIPELINE, maintain_order=True):
        before = rows_by_pipeline.get(str(name))
        if before is None:
            rows_by_pipeline[str(name)] = rows.drop(c.PIPELINE)
            continue
        both = rows.join(before, on=_ASKED, how="inner", nulls_equal=True)
        other = both.filter(pl.col(c.RESPONSE).ne_missing(pl.col(f"{c.RESPONSE}_right"))).height
        if 2 * both.height >= rows.height and other:
            again.append(str(name))
    return again


def _tell_apart(part: FromFile, names: Sequence[str], source: Source) -> FromFile:
    """The part, these pipelines with the file's name after theirs."""
    if not names:
        return part
    own = pl.col(c.PIPELINE).is_in(names)
    renamed = part.frame.with_columns(
        pl.when(own).then(pl.col(c.PIPELINE) + f" · {source.stem}").otherwise(c.PIPELINE).alias(c.PIPELINE)
    )
    words = (
        f"another file has {list_names(names)} too, with other responses: here they end in {quote_text(source.stem)}"
    )
    return replace(part, frame=renamed, notes=[*part.notes, entry(load_log.PIPELINE_FROM_FILE, source.name, words)])


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


def refuse_answers_to_themselves(golden: FromFile, responses: FromFile) -> None:
    """Raise QavizError where one column of a file was read as the golden answer and as the response."""
    both = [name for name in golden.answers if name in responses.answers]
    if golden.place == responses.place and both:
        raise stop(
            golden.place,
            f"one column of answers, {', '.join(map(quote_text, both))}",
            "golden answers and responses",
            "If they are responses, bring a golden dataset: name it first, and this file after it. "
            "If they are the golden answers, add a file of responses.",
        )


def list_unused(files: Sequence[Source], read: Sequence[FromFile]) -> list[pl.DataFrame]:
    """Columns and sheets that no reading of their file used: one file can hold the golden dataset and responses."""
    readings = Counter((load_log.IGNORED_COLUMN, part.place) for part in read)
    readings += Counter((load_log.IGNORED_SHEET, source.name) for source in files)
    unused = Counter(name for part in read for name in dict.fromkeys(part.left_out))
    return [
        entry(kind, where, f"{quote_text(name)} is left out")
        for (kind, where, name), times in unused.items()
        if times == readings[kind, where]
    ]


def split_progress(files: Sequence[Source], progress: Progress) -> list[Progress]:
    """For each file its part of the whole progress, by its share of the bytes."""
    sizes = [source.size for source in files]
    whole = max(1, sum(sizes))
    return [_step(progress, sum(sizes[:place]) / whole, size / whole) for place, size in enumerate(sizes)]


def _step(progress: Progress, start: float, share: float) -> Progress:
    return lambda fraction, words: progress(start + fraction * share, words)


def silent(_fraction: float, _words: str) -> None:
    """Report no progress."""


_OF_THE_ROW = (
    c.QUESTION_ID,
    c.QUESTION,
    c.LATENCY_MS,
    c.COST,
    *(c.CONTEXTS, c.CONTEXT_IDS, c.CONTEXT_DOCUMENTS, c.CONTEXT_SCORES),
    c.JUDGE,
    c.JUDGE_REASON,
    c.THEIR_SCORES,
    c.REPEAT,
    c.ERROR,
)
"""What a row of a file says of all its responses."""

_NOTHING = "neither a question nor a response stands in this row"


def read_response_parts(source: Source, progress: Progress) -> Iterator[FromFile]:
    """The responses, part by part where the format can be read so, in file order.

    The columns are RESPONSE_COLUMNS, question, FILE, LINE. A repeat is a pipeline of its own. question_id and question
    are null where blank. A response is null where the file says that there is none: by a null, or by an empty cell of
    a wide form. Raises QavizError for a response without a pipeline, and, after the last part, with every
    problem of the file.
    """
    for part in reading.read_parts(source, RESPONSES, progress):
        yield _read_responses(source, part)


def _read_responses(source: Source, read: InWords) -> FromFile:
    frame = _wide(read) if read.layout.pipelines else _long(read)
    question = pl.col(c.QUESTION_ID, c.QUESTION)
    frame = frame.with_columns(pl.when(question.str.strip_chars() != "").then(question))
    blank = frame.select(pl.all_horizontal(question.is_null()) & pl.col(c.RESPONSE).fill_null("").eq("")).to_series()
    empty = frame.filter(blank).unique(LINE, maintain_order=True)
    notes = [*read.notes(), entries(empty, load_log.EMPTY_ROW, _NOTHING)]
    kept = frame.filter(~blank)
    if c.PIPELINE in read.layout.words.values() or read.layout.pipelines:
        problems = Problems(read.table.place, read.table.unit, skip_bad=source.skip_bad)
        _stop_at_nameless(kept, problems)
        kept = problems.without_skipped(kept)
        notes.append(read.bad_rows(problems.newly_skipped()))
    else:
        pipeline = source.name.removesuffix(Path(source.name).suffix)
        kept = kept.with_columns(pl.lit(pipeline).alias(c.PIPELINE))
        words = f"no column names the pipeline: {quote_text(pipeline)}"
        notes.append(entry(load_log.PIPELINE_FROM_FILE, source.name, words))
    kept = split_contexts(separate_repeats(kept))
    return FromFile(
        read.table.place, kept, [*notes, repeat_entries(kept, read.table.place)], read.list_unused(), read.answers()
    )


def _long(read: InWords) -> pl.DataFrame:
    frame = read.table.frame.select(read.columns(*_OF_THE_ROW, c.PIPELINE, c.RESPONSE))
    # Where empty and missing look the same, the row itself says that the pipeline was asked.
    return frame if read.table.knows_missing else frame.with_columns(pl.col(c.RESPONSE).fill_null(""))


def _wide(read: InWords) -> pl.DataFrame:
    frame = read.table.frame
    of_the_row = read.columns(*_OF_THE_ROW)
    there = [name for name in read.layout.pipelines if name in frame.columns]
    parts = [
        frame.select(*of_the_row, pl.lit(name).alias(c.PIPELINE), pl.col(name).alias(c.RESPONSE)) for name in there
    ]
    return pl.concat(parts).sort(LINE, maintain_order=True)


def _stop_at_nameless(responses: pl.DataFrame, problems: Problems) -> None:
    nameless = responses.filter(pl.col(c.PIPELINE).str.strip_chars().fill_null("") == "")
    problems.add_rows(
        nameless.select(LINE, c.PIPELINE),
        lambda _: "a response without a pipeline",
        "the pipeline that gave it",
        "Fill in the cell, or remove the column to have the pipeline named after the file.",
    )
    problems.stop_if_any()


def separate_repeats(responses: pl.DataFrame) -> pl.DataFrame:
    """The responses, PIPELINE of those with a REPEAT as `RAG · repeat 2`, and in REPEAT_OF the pipeline they repeat.

    REPEAT is stripped, and null where blank.
    """
    name = pl.col(c.REPEAT).str.strip_chars()
    named = responses.with_columns(pl.when(name != "").then(name).alias(c.REPEAT))
    repeated = pl.col(c.REPEAT).is_not_null()
    return named.with_columns(
        pl.when(repeated).then(pl.col(c.PIPELINE)).alias(c.REPEAT_OF),
        pl.when(repeated)
        .then(pl.col(c.PIPELINE) + " · repeat " + pl.col(c.REPEAT))
        .otherwise(c.PIPELINE)
        .alias(c.PIPELINE),
    )


def repeat_entries(responses: pl.DataFrame, where: str) -> pl.DataFrame:
    """An entry for each repeat of a pipeline in the file that is called `where`."""
    repeats = responses.filter(pl.col(c.REPEAT_OF).is_not_null()).unique(c.PIPELINE, maintain_order=True)
    columns = {
        load_log.KIND: pl.lit(load_log.REPEATED),
        load_log.WHERE: pl.lit(where),
        c.QUESTION_ID: pl.lit(None, pl.String),
        c.PIPELINE: pl.col(c.PIPELINE),
        load_log.DETAIL: pl.lit("a column of its own, beside the other repeats of ") + pl.col(c.REPEAT_OF),
    }
    return repeats.select(**columns)
