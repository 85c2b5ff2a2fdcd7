"""A golden dataset from one file."""

from collections.abc import Mapping, Sequence

import polars as pl

from qaviz.loading import formats, listing
from qaviz.loading.listing import FILE, entries, entry
from qaviz.loading.names import GOLDEN_NAMES, golden_layout, kind_of, later_names
from qaviz.loading.source import Problems, Source
from qaviz.loading.table import DTYPES, LINE, FromFile, Kind, Progress, Table, note_rows, quoted
from qaviz.model import ANSWER, FACT, GOLDEN_COLUMNS, QUESTION, QUESTION_ID


def read_golden(source: Source, mapping: Mapping[str, str] | None, progress: Progress) -> FromFile:
    """The triplets: GOLDEN_COLUMNS, FILE, LINE.

    Raises QavizError for a triplet without a question, an id that stands twice, and whatever the file's reader raises.
    """

    def plan(columns: Sequence[str]) -> Mapping[str, Kind]:
        layout = golden_layout(source.name, columns, mapping)
        return later_names(GOLDEN_NAMES, layout) | layout.kinds()

    table = formats.read(source, plan, progress)
    triplets, has_ids = _in_our_words(table, mapping)
    blank = triplets.select(pl.all_horizontal(pl.col(GOLDEN_COLUMNS).is_null())).to_series()
    filled = triplets.filter(~blank)
    kept = filled.unique(GOLDEN_COLUMNS, keep="first", maintain_order=True) if has_ids else filled
    notes = [
        entries(triplets.filter(blank), listing.EMPTY_ROW, "nothing stands in this row"),
        entries(filled.join(kept, on=LINE, how="anti"), listing.DUPLICATE, "the same triplet stands above"),
    ]
    if not has_ids:
        kept = kept.with_columns(pl.int_range(1, pl.len() + 1).cast(pl.String).alias(QUESTION_ID))
        notes.append(entry(listing.MADE_IDS, source.name, "no column question_id: each question is named by its row"))
    _stop_at_problems(kept, table)
    notes.append(entries(kept.filter(pl.col(FACT).is_null()), listing.NO_FACT, "not scored for Factual Knowledge"))
    notes.append(entries(kept.filter(pl.col(ANSWER).is_null()), listing.NO_ANSWER, "not scored for QA Accuracy"))
    return FromFile(kept, notes, table.unread, ids_made=not has_ids)


def _in_our_words(table: Table, mapping: Mapping[str, str] | None) -> tuple[pl.DataFrame, bool]:
    """The table with GOLDEN_COLUMNS, FILE and LINE; blank texts are null. And whether it has ids."""
    columns = [name for name in table.frame.columns if name != LINE]
    words = golden_layout(table.source.name, columns, mapping).words
    frame = table.frame.rename(dict(words))
    given = set(words.values())
    texts = [pl.col(word).replace("", None) for word in given if kind_of(word) in (Kind.TEXT, Kind.ID)]
    missing = [pl.lit(None, DTYPES[kind_of(word)]).alias(word) for word in GOLDEN_COLUMNS if word not in given]
    file = pl.lit(f"{table.source.name} {table.unit}").alias(FILE)
    return frame.with_columns(*texts, *missing, file).select(*GOLDEN_COLUMNS, FILE, LINE), QUESTION_ID in given


def _stop_at_problems(triplets: pl.DataFrame, table: Table) -> None:
    problems = Problems(table.source.name, table.unit)
    for word in (QUESTION, QUESTION_ID):
        rows = triplets.filter(pl.col(word).is_null()).select(LINE, pl.lit(word))
        note_rows(rows, lambda name: f"no {name}", "one in each row", "Fill it in or remove the row.", problems)
    first = pl.col(LINE).first().over(QUESTION_ID)
    again = triplets.filter(pl.col(QUESTION_ID).is_not_null() & (pl.col(LINE) != first))
    note_rows(
        again.select(LINE, QUESTION_ID),
        lambda name: f"the question_id {quoted(name)} again, with another triplet",
        "each id once",
        "Give it an id of its own, or remove the row.",
        problems,
    )
    problems.stop_if_any()
