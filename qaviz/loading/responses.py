"""Responses from one file: one row a response, whatever form the file has; several passes of one pipeline are kept
apart.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.column_mapping import RESPONSES
from qaviz.loading.load_log import FromFile, entries, entry
from qaviz.loading.problems import Problems, quote_text
from qaviz.loading.readers import reading
from qaviz.loading.readers.reading import InWords
from qaviz.loading.readers.table import LINE
from qaviz.loading.source import Source
from qaviz.model.columns import (
    CONTEXTS,
    COST,
    ERROR,
    JUDGE,
    JUDGE_REASON,
    LATENCY_MS,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REPEAT,
    REPEAT_OF,
    RESPONSE,
    THEIR_SCORES,
)
from qaviz.model.records import Progress

_OF_THE_ROW = (QUESTION_ID, QUESTION, LATENCY_MS, COST, CONTEXTS, JUDGE, JUDGE_REASON, THEIR_SCORES, REPEAT, ERROR)
"""What a row of a file says of all its responses."""

_NOTHING = "neither a question nor a response stands in this row"


def read_response_parts(source: Source, progress: Progress) -> Iterator[FromFile]:
    """The responses, part by part where the format can be read so, in file order.

    The columns are question_id, question, latency_ms, cost, contexts, judge, judge_reason, their_scores, repeat,
    repeat_of, pipeline, response, FILE, LINE. A repeat is a pipeline of its own. question_id and question are null
    where blank. A response is null where the file says that there is none: by a null, or by an empty cell of a wide
    form. Raises QavizError for a response without a pipeline, and, after the last part, with every problem of the file.
    """
    for part in reading.read_parts(source, RESPONSES, progress):
        yield _read_responses(source, part)


def _read_responses(source: Source, read: InWords) -> FromFile:
    frame = _wide(read) if read.layout.pipelines else _long(read)
    asked = pl.col(QUESTION_ID, QUESTION)
    frame = frame.with_columns(pl.when(asked.str.strip_chars() != "").then(asked))
    blank = frame.select(pl.all_horizontal(asked.is_null()) & pl.col(RESPONSE).fill_null("").eq("")).to_series()
    empty = frame.filter(blank).unique(LINE, maintain_order=True)
    notes = [*read.notes(), entries(empty, load_log.EMPTY_ROW, _NOTHING)]
    kept = frame.filter(~blank)
    if PIPELINE in read.layout.words.values() or read.layout.pipelines:
        problems = Problems(read.table.place, read.table.unit, skip_bad=source.skip_bad)
        _stop_at_nameless(kept, problems)
        kept = problems.without_skipped(kept)
        notes.append(read.bad_rows(problems.newly_skipped()))
    else:
        pipeline = source.name.removesuffix(Path(source.name).suffix)
        kept = kept.with_columns(pl.lit(pipeline).alias(PIPELINE))
        words = f"no column names the pipeline: {quote_text(pipeline)}"
        notes.append(entry(load_log.PIPELINE_FROM_FILE, source.name, words))
    kept = separate_repeats(kept)
    return FromFile(
        read.table.place, kept, [*notes, repeat_entries(kept, read.table.place)], read.list_unused(), read.answers()
    )


def _long(read: InWords) -> pl.DataFrame:
    frame = read.table.frame.select(read.columns(*_OF_THE_ROW, PIPELINE, RESPONSE))
    # Where empty and missing look the same, the row itself says that the pipeline was asked.
    return frame if read.table.knows_missing else frame.with_columns(pl.col(RESPONSE).fill_null(""))


def _wide(read: InWords) -> pl.DataFrame:
    frame = read.table.frame
    of_the_row = read.columns(*_OF_THE_ROW)
    there = [name for name in read.layout.pipelines if name in frame.columns]
    parts = [frame.select(*of_the_row, pl.lit(name).alias(PIPELINE), pl.col(name).alias(RESPONSE)) for name in there]
    return pl.concat(parts).sort(LINE, maintain_order=True)


def _stop_at_nameless(responses: pl.DataFrame, problems: Problems) -> None:
    nameless = responses.filter(pl.col(PIPELINE).str.strip_chars().fill_null("") == "")
    problems.add_rows(
        nameless.select(LINE, PIPELINE),
        lambda _: "a response without a pipeline",
        "the pipeline that gave it",
        "Fill in the cell, or remove the column to have the pipeline named after the file.",
    )
    problems.stop_if_any()


def separate_repeats(responses: pl.DataFrame) -> pl.DataFrame:
    """The responses, PIPELINE of those with a REPEAT as `RAG · repeat 2`, and in REPEAT_OF the pipeline they repeat.

    REPEAT is stripped, and null where blank.
    """
    name = pl.col(REPEAT).str.strip_chars()
    named = responses.with_columns(pl.when(name != "").then(name).alias(REPEAT))
    repeated = pl.col(REPEAT).is_not_null()
    return named.with_columns(
        pl.when(repeated).then(pl.col(PIPELINE)).alias(REPEAT_OF),
        pl.when(repeated).then(pl.col(PIPELINE) + " · repeat " + pl.col(REPEAT)).otherwise(PIPELINE).alias(PIPELINE),
    )


def repeat_entries(responses: pl.DataFrame, where: str) -> pl.DataFrame:
    """An entry for each repeat of a pipeline in the file that is called `where`."""
    repeats = responses.filter(pl.col(REPEAT_OF).is_not_null()).unique(PIPELINE, maintain_order=True)
    said = {
        load_log.KIND: pl.lit(load_log.REPEATED),
        load_log.WHERE: pl.lit(where),
        QUESTION_ID: pl.lit(None, pl.String),
        PIPELINE: pl.col(PIPELINE),
        load_log.DETAIL: pl.lit("a column of its own, beside the other repeats of ") + pl.col(REPEAT_OF),
    }
    return repeats.select(**said)
