"""Tables in our words: what each row says of a question, and what it says of one or more pipelines; contexts as tools
write them into cells, and error messages where responses belong.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, product
from typing import NamedTuple

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.formats.cells import DTYPES, Batch, Kind, read_list
from qaviz.loading.load_log import FILE, LINE, entries
from qaviz.loading.looks import name_option, read_label
from qaviz.loading.roles import JOINED_NAMES, NAMES, PHRASES, Layout, says_unanswerable
from qaviz.loading.tables import Table
from qaviz.model import columns as c

_PARTS = (c.CONTEXTS, c.CONTEXT_IDS, c.CONTEXT_DOCUMENTS, c.CONTEXT_SCORES)
_KINDS: Mapping[str, Kind] = {
    c.QUESTION_ID: Kind.ID,
    c.REPEAT: Kind.ID,
    c.ANSWERABLE: Kind.FLAG,
    c.LATENCY_MS: Kind.NUMBER,
    c.COST: Kind.NUMBER,
    **dict.fromkeys((*_PARTS, c.PASSAGE_ID, c.EVIDENCE), Kind.TEXTS),
    c.THEIR_SCORES: Kind.SCORES,
}

_OF_THE_ROW = (
    *(c.QUESTION_ID, c.QUESTION, c.LATENCY_MS, c.COST, *_PARTS),
    *(c.JUDGE, c.JUDGE_REASON, c.THEIR_SCORES, c.REPEAT, c.ERROR),
)
"""What a row of a table says of all its responses."""


def kind_of(word: str) -> Kind:
    """What the cells of one of our words are."""
    return _KINDS.get(word, Kind.TEXT)


def convert_part(table: Table, part: Batch) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The columns of a table's rows that are read, each as its kind; and entries for rows that were left out.

    What will not do is noted in the table's problems.
    """
    _add_later_columns(table, part.frame.columns)
    layout = table.layout
    kinds = {name: kind_of(word) for name, word in layout.words.items()}
    kinds |= dict.fromkeys((*layout.pipelines, *layout.choices.values()), Kind.TEXT)
    frame = part.convert(kinds)
    skipped = _in_file(table.head.problems.newly_skipped(), table)
    return _in_file(frame, table), entries(skipped, load_log.BAD_ROW, pl.col("words"))


def _add_later_columns(table: Table, columns: Sequence[str]) -> None:
    """Read columns that come after a table's first rows under a name for a word that it lacks: a tool's own names, else
    those that everybody knows."""
    for name in columns:
        words = table.layout.words
        if table.tool:
            word = table.tool.words.get(name)
        else:
            word = next((word for word, names in NAMES.items() if name in names), None)
            word = None if word in (c.RESPONSE, c.PIPELINE, c.ANSWER) else word
        if word and name not in (*table.columns, *words) and word not in words.values():
            table.layout = replace(table.layout, words={**words, name: word})


def _in_file(frame: pl.DataFrame, table: Table) -> pl.DataFrame:
    return frame.with_columns(pl.lit(f"{table.place} {table.head.unit}").alias(FILE))


def _word(frame: pl.DataFrame, layout: Layout, word: str) -> pl.Expr:
    """The word as a column; of several columns of a pipeline's name their texts joined."""
    names = [name for name, ours in layout.words.items() if ours == word and name in frame.columns]
    if not names:
        return pl.lit(None, DTYPES[kind_of(word)]).alias(word)
    if word == c.ANSWERABLE and says_unanswerable(names[0]):
        return (~pl.col(names[0])).alias(word)
    if word != c.PIPELINE or len(names) == 1:
        return pl.col(names[0]).alias(word)
    return pl.concat_str(names, separator=JOINED_NAMES, ignore_nulls=True).alias(word)


_TEXT_WORDS = tuple(word for word in c.GOLDEN_COLUMNS if kind_of(word) in (Kind.TEXT, Kind.ID))


WHO = "\0who"
"""The pipeline, and which repeat of it, that a row with a golden answer is about."""
SAID = "\0said there"
"""What tells its responses from those of other rows."""


def melt_golden(frame: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """What the rows say of questions: GOLDEN_COLUMNS, FILE, LINE, WHO, SAID.

    Ids have no blanks around them, blank texts are null, lists are variants, and of multiple choice the golden answer
    is the text of the option that it names, or its label.
    """
    who = pl.concat_str(
        _word(frame, layout, c.PIPELINE), _word(frame, layout, c.REPEAT), separator="\0", ignore_nulls=True
    )
    responses = pl.concat_str([_word(frame, layout, c.RESPONSE), *layout.pipelines], separator="\0", ignore_nulls=True)
    triplets = frame.select(
        FILE,
        LINE,
        who.alias(WHO),
        responses.hash().alias(SAID),
        *(_word(frame, layout, word) for word in c.GOLDEN_COLUMNS),
    )
    listed = [_join_passages(triplets[word]) for word in (c.PASSAGE_ID, c.EVIDENCE)]
    triplets = triplets.with_columns(listed)
    texts = pl.col(_TEXT_WORDS)
    is_missing = texts.str.strip_chars().is_in(["", "<NA>", "nan", "NaT"])  # what pandas writes for a gap
    triplets = triplets.with_columns(pl.when(~is_missing).then(texts))
    triplets = triplets.with_columns(pl.col(c.QUESTION_ID).str.strip_chars())
    if layout.choices:
        triplets = triplets.with_columns(
            _spell_choices(triplets[c.ANSWER], frame.select(layout.choices.values()), layout.choices)
        )
    joined = [_join_listed(triplets[word], c.OR_DELIMITER) for word in c.DELIMITERS]
    return triplets.with_columns(*joined, _join_listed(triplets[c.TAGS], "; "))


def _join_listed(cells: pl.Series, delimiter: str) -> pl.Series:
    """The golden answers, facts or tags; where every cell is a list, as JSON or Python writes it, its texts joined."""
    filled = cells.drop_nulls()
    if not len(filled) or not filled.str.strip_chars_start().str.starts_with("[").all():
        return cells
    listed = [None if cell is None else read_list(cell) for cell in cells]
    if listed.count(None) != cells.null_count():
        return cells
    texts = [dict.fromkeys(text for text in _list_variants(part or []) if text.strip()) for part in listed]
    return pl.Series(cells.name, [delimiter.join(part) or None for part in texts], pl.String)


def _list_variants(values: Sequence[object]) -> Iterable[str]:
    """The golden answers of a list. Lists in it are the spellings of parts that belong together: each way to write all
    of them is one."""
    parts = [[_read_variant(spelling) for spelling in value] for value in values if isinstance(value, list)]
    if parts and len(parts) == len(values):
        return [", ".join(way) for way in islice(product(*parts), 32)]  # of many parts not all ways are written
    return map(_read_variant, values)


_SAID = ("text", "value", "answer", "content", "output")
"""Fields of a golden answer that is an object."""


def _read_variant(value: object) -> str:
    """A golden answer; of an object its text, and nothing of a pattern, which no words can be compared with."""
    if not isinstance(value, dict):
        return str(value)
    if {"regex", "regexp", "pattern"} & {str(field).lower() for field in value.values()}:
        return ""
    return next((str(value[name]) for name in _SAID if value.get(name) is not None), json.dumps(value))


def _join_passages(cells: pl.Series) -> pl.Series:
    """The lists of ids or texts of passages as variants; of FinanceBench's evidence, which are objects, the texts."""
    listed = [texts and [read_passage(text).text for text in texts] for texts in cells.to_list()]
    return pl.Series(cells.name, [texts and c.OR_DELIMITER.join(texts) for texts in listed], pl.String)


def _spell_choices(answers: pl.Series, options: pl.DataFrame, labels: Mapping[str, str]) -> pl.Series:
    spelled = []
    for answer, row in zip(answers, options.iter_rows(named=True), strict=True):
        own = answer.strip() if answer else ""
        label = own if own in labels else name_option(own, sorted(labels))
        text = row[labels[label]] if label else None
        # Of a number the letter too, as responses have it; a place from 0 is no response's number.
        letter = read_label(labels[label]) if label and own.isdigit() else ""
        forms = [*([] if letter.isalpha() and "0" in labels else [answer]), *([letter] if letter.isalpha() else [])]
        spelled.append(c.OR_DELIMITER.join([text, *forms]) if text and text.strip() else answer)
    return pl.Series(c.ANSWER, spelled, pl.String)


def melt_responses(frame: pl.DataFrame, table: Table) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """What the rows say of pipelines: RESPONSE_COLUMNS, question, FILE, LINE; and what is to be listed of them.

    A repeat is a pipeline of its own. Ids and names of pipelines have no blanks around them; question_id and question
    are null where blank. A response is null where the table says that there is none: by a null, or by an empty cell of
    a wide form. A response without a pipeline's name is a problem of the table.
    """
    layout = table.layout
    of_the_row = [pl.col(FILE, LINE), *(_word(frame, layout, word) for word in _OF_THE_ROW)]
    if layout.pipelines:
        there = {name: pipeline for name, pipeline in layout.pipelines.items() if name in frame.columns}
        parts = [
            frame.select(*of_the_row, pl.lit(pipeline).alias(c.PIPELINE), pl.col(name).alias(c.RESPONSE))
            for name, pipeline in there.items()
        ]
        responses = pl.concat(parts).sort(LINE, maintain_order=True)
    else:
        responses = frame.select(*of_the_row, _word(frame, layout, c.PIPELINE), _word(frame, layout, c.RESPONSE))
        # Where empty and missing look the same, the row itself says that the pipeline was asked.
        responses = responses if table.head.knows_missing else responses.with_columns(pl.col(c.RESPONSE).fill_null(""))
    question = pl.col(c.QUESTION_ID, c.QUESTION)
    responses = responses.with_columns(pl.when(question.str.strip_chars() != "").then(question))
    responses = responses.with_columns(pl.col(c.QUESTION_ID, c.PIPELINE).str.strip_chars())
    says_nothing = pl.all_horizontal(question.is_null(), pl.col(c.RESPONSE).fill_null("") == "")
    blank = responses.select(says_nothing).to_series()
    empty = "neither a question nor a response stands in this row"
    notes = [entries(responses.filter(blank).unique(LINE, maintain_order=True), load_log.EMPTY_ROW, empty)]
    kept = responses.filter(~blank)
    if c.PIPELINE in layout.words.values():
        nameless = kept.filter(pl.col(c.PIPELINE).str.strip_chars().fill_null("") == "").select(LINE, c.PIPELINE)
        fault, expected = "a response without a pipeline", "the pipeline that gave it"
        fix = "Fill in the cell, or remove the column to have the pipeline named after the file."
        table.head.problems.add_rows(nameless, lambda _: fault, expected, fix)
        kept = table.head.problems.without_skipped(kept)
    elif not layout.pipelines:
        kept = kept.with_columns(pl.lit(table.pipeline).alias(c.PIPELINE))
    notes.append(entries(_in_file(table.head.problems.newly_skipped(), table), load_log.BAD_ROW, pl.col("words")))
    kept = split_contexts(_separate_repeats(kept))
    repeats = kept.filter(pl.col(c.REPEAT_OF).is_not_null()).unique(c.PIPELINE, maintain_order=True)
    detail = "a column of its own, beside the other repeats of " + pl.col(c.REPEAT_OF)
    where = pl.lit(table.place).alias(load_log.WHERE), pl.lit(None, pl.String).alias(c.QUESTION_ID)
    return kept, [*notes, entries(repeats, load_log.REPEATED, detail).with_columns(where)]


def _separate_repeats(responses: pl.DataFrame) -> pl.DataFrame:
    """The responses, PIPELINE of those with a REPEAT as `RAG · repeat 2`, and in REPEAT_OF the pipeline they repeat.

    REPEAT is stripped, and null where blank.
    """
    repeat = pl.col(c.REPEAT).str.strip_chars().replace("", None)
    return responses.with_columns(
        repeat.alias(c.REPEAT),
        pl.when(repeat.is_not_null()).then(c.PIPELINE).alias(c.REPEAT_OF),
        (pl.col(c.PIPELINE) + (" · repeat " + repeat).fill_null("")).alias(c.PIPELINE),
    )


class Context(NamedTuple):
    """One passage as a tool names it; "" for what it does not say."""

    text: str
    id: str = ""
    document: str = ""
    score: str = ""
    rank: int | None = None


def split_contexts(responses: pl.DataFrame) -> pl.DataFrame:
    """The responses, each context that is an object as text, id, document and score; those with ranks in their order.

    What a column of the file says of ids, documents and scores stays.
    """
    first = responses[c.CONTEXTS].list.first().str.strip_chars_start()
    if not first.str.starts_with("{").any():
        return responses
    rows = [texts and list(map(read_passage, texts)) for texts in responses[c.CONTEXTS].to_list()]
    for row in rows:
        if row and all(context.rank is not None for context in row):
            row.sort(key=lambda context: context.rank or 0)
    parts = {
        name: pl.Series(name, [row and [context[place] for context in row] for row in rows], pl.List(pl.String()))
        for place, name in enumerate(_PARTS)
    }
    of_objects = [
        pl.when(parts[name].list.eval(pl.element() != "").list.any()).then(parts[name]) for name in _PARTS[1:]
    ]
    given = [pl.coalesce(name, part).alias(name) for name, part in zip(_PARTS[1:], of_objects, strict=True)]
    return responses.with_columns(parts[c.CONTEXTS], *given)


def read_passage(text: str) -> Context:
    """The parts of a context that is a JSON object; the text as it stands if it is none, or has no such parts."""
    try:
        value = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return Context(text)
    fields = list(_list_fields(value, 4))  # Bedrock's `location.s3Location.uri` is the deepest
    by_name = dict(reversed(fields))
    # Of each part the field with the best of its names.
    named = (PHRASES["passages"][part] for part in Context._fields)
    words, identity, document, score, rank = (
        next((by_name[name] for name in names if by_name.get(name)), "") for names in named
    )
    if not (words or identity or document):
        return Context(text)
    return Context(words, identity, document, score, int(rank) if rank.isdigit() else None)


def _list_fields(value: Mapping[str, object], depth: int) -> Iterator[tuple[str, str]]:
    inner = []
    for name, field in value.items():
        if isinstance(field, dict) and depth:
            inner.append(field)
        elif isinstance(field, str | int | float) and not isinstance(field, bool):
            yield name.removeprefix("document."), str(field)
    yield from chain.from_iterable(_list_fields(field, depth - 1) for field in inner)


_ERRORS = PHRASES["errors"]
_MARKED = rf"(?i)^\s*(?:{'|'.join(_ERRORS['marked'])})"
_SHORT = rf"(?s)^\s*(?:{'|'.join(_ERRORS['short'])})"
_ABOUT_ERRORS = f"(?i){'|'.join(_ERRORS['about'])}"


def find_pipeline_errors(responses: pl.Series, rows: pl.Series, golden: pl.DataFrame) -> pl.Series:
    """Whether each response is an error message of its pipeline; `rows` are the places of their triplets in `golden`.

    Where the question, the golden answer or the fact speaks of errors it is none: it may be the answer.
    """
    response = pl.col(c.RESPONSE)
    short = response.str.len_chars() <= 400  # a longer text is an answer
    message = response.str.contains(_MARKED) | (short & response.str.contains(_SHORT))
    is_error = responses.to_frame(c.RESPONSE).select(message.fill_null(value=False)).to_series()
    places = is_error.arg_true()
    # The search for talk of errors is slow: only the triplets of what looks like a message are searched.
    triplets = golden.select(c.QUESTION, c.ANSWER, c.FACT)[rows.gather(places)]
    spoken = pl.concat_str(pl.all(), separator=" ", ignore_nulls=True).str.contains(_ABOUT_ERRORS)
    is_answer = triplets.select(spoken).to_series()
    if len(places):  # "None" may be the golden answer to another question
        answers = golden[c.ANSWER].drop_nulls().str.split(c.OR_DELIMITER).explode().str.strip_chars().unique()
        is_answer |= responses.gather(places).str.strip_chars().is_in(answers.implode())
    return is_error.scatter(places.filter(is_answer), False)


def empty_responses() -> pl.DataFrame:
    """No rows with the columns that responses have before they are aligned."""
    words = [*(word for word in c.RESPONSE_COLUMNS if word != c.REPEAT_OF), c.QUESTION, c.ERROR]
    schema: dict[str, type[pl.DataType] | pl.DataType] = {
        FILE: pl.String,
        LINE: pl.UInt32,
        **{word: DTYPES[kind_of(word)] for word in words},
        c.REPEAT_OF: pl.String,
    }
    return pl.DataFrame(schema=schema)
