"""A golden dataset from one file."""

from collections.abc import Mapping

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.column_mapping import GOLDEN, kind_of
from qaviz.loading.column_values import read_list
from qaviz.loading.load_log import FromFile, Problems, entries, entry, quote_text
from qaviz.loading.readers import reading
from qaviz.loading.readers.table import LINE, Kind
from qaviz.loading.readings import name_option
from qaviz.loading.response_cells import read_object
from qaviz.loading.source import Source
from qaviz.model import columns as c
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
