"""Responses from one file, in long form whatever form the file has."""

from collections.abc import Mapping, Sequence

import polars as pl

from qaviz.loading import formats, listing
from qaviz.loading.listing import FILE, entries, entry
from qaviz.loading.names import RESPONSE_NAMES, Layout, kind_of, later_names, response_layout
from qaviz.loading.source import Problems, Source
from qaviz.loading.table import DTYPES, LINE, FromFile, Kind, Progress, Table, note_rows
from qaviz.model import CONTEXTS, COST, LATENCY_MS, PIPELINE, QUESTION, QUESTION_ID, RESPONSE

COLUMNS = (QUESTION_ID, QUESTION, PIPELINE, RESPONSE, LATENCY_MS, COST, CONTEXTS, FILE, LINE)


def read_responses(source: Source, mapping: Mapping[str, str] | None, progress: Progress) -> FromFile:
    """The responses: COLUMNS, one row a response.

    A response is null where the file says so, or a wide form leaves a cell out. Raises QavizError for a response
    without a pipeline and whatever the file's reader raises.
    """
    header: list[str] = []

    def plan(columns: Sequence[str]) -> Mapping[str, Kind]:
        header[:] = columns
        layout = response_layout(source.name, columns, mapping)
        return layout.kinds() if layout.pipelines else later_names(RESPONSE_NAMES, layout) | layout.kinds()

    table = formats.read(source, plan, progress)
    columns = [name for name in table.frame.columns if name != LINE]
    layout = response_layout(source.name, header, mapping)
    if not layout.pipelines:
        layout = response_layout(source.name, columns, mapping)
    frame, notes = _named(_long(table, layout), table, layout)
    blank = frame.select(pl.all_horizontal(pl.col(QUESTION_ID, QUESTION, RESPONSE).is_null())).to_series()
    notes.append(entries(frame.filter(blank), listing.EMPTY_ROW, "nothing stands in this row"))
    return FromFile(frame.filter(~blank), notes, table.unread)


def _long(table: Table, layout: Layout) -> pl.DataFrame:
    """One row a response, in file order, in our words."""
    frame = table.frame.rename({name: word for name, word in layout.words.items() if name in table.frame.columns})
    if layout.pipelines:
        index = [name for name in frame.columns if name not in layout.pipelines]
        there = [name for name in layout.pipelines if name in frame.columns]
        frame = frame.unpivot(there, index=index, variable_name=PIPELINE, value_name=RESPONSE)
        frame = frame.sort(LINE, maintain_order=True)
    elif not table.tells_empty_from_missing:
        frame = frame.with_columns(pl.col(RESPONSE).fill_null(""))
    missing = [pl.lit(None, DTYPES[kind_of(word)]).alias(word) for word in COLUMNS[:-2] if word not in frame.columns]
    file = pl.lit(f"{table.source.name} {table.unit}").alias(FILE)
    return frame.with_columns(
        *missing, file, pl.col(QUESTION_ID).replace("", None) if QUESTION_ID in frame.columns else file
    ).select(COLUMNS)


def _named(frame: pl.DataFrame, table: Table, layout: Layout) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """Every response with its pipeline: the file's name where the file has no such column."""
    if not layout.pipelines and PIPELINE not in layout.words.values():
        name = table.source.stem
        note = entry(listing.PIPELINE_FROM_FILE, table.source.name, f"no column pipeline: named {name!r}", name)
        return frame.with_columns(pl.lit(name).alias(PIPELINE)), [note]
    problems = Problems(table.source.name, table.unit)
    nameless = frame.filter(pl.col(PIPELINE).is_null() | (pl.col(PIPELINE) == ""), pl.col(RESPONSE) != "")
    note_rows(
        nameless.select(LINE, PIPELINE),
        lambda _: "a response without a pipeline",
        "the pipeline that gave it",
        "Fill in the column, or remove it to use the file's name.",
        problems,
    )
    problems.stop_if_any()
    return frame, []
