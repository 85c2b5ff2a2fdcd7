"""Lists of runs: which of them a reader looks for, in which order, and where one of them comes from, in words."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import polars as pl

from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.numbers import count, score
from qaviz.store.run_records import RunRecord

NOT_RECORDED = "not recorded: this run is older than the record"
SEARCHED = (pl.col("name", "owner", "notes", "run_id"), pl.col("tags", "pipelines").list.join("\n"))


def rows_with(table: pl.DataFrame, search: str, searched: Sequence[pl.Expr] = SEARCHED) -> pl.DataFrame:
    """The rows with every word of the search in these columns: of `run_table` name, owner, tags, notes, pipelines, id.

    In whatever case, and however accents are encoded.
    """
    words = unicodedata.normalize("NFC", search).lower().split()
    text = pl.concat_str(*searched, separator="\n", ignore_nulls=True).str.normalize("NFC").str.to_lowercase()
    return table.filter(pl.all_horizontal(True, *(text.str.contains(word, literal=True) for word in words)))


def provenance_lines(record: RunRecord, golden_number: int) -> Iterator[tuple[str, str]]:
    """Yield what a run was made of and with what: a heading, and what there is to say."""
    run, made_of = record.run, record.provenance
    yield "Golden dataset", f"version {golden_number}, {run.golden_id}"
    yield "Scored by", run.engine
    thresholds = (f"{THRESHOLD_WORDS[name].label} {score(value)}" for name, value in asdict(run.thresholds).items())
    yield "Thresholds", ", ".join(thresholds)
    if made_of is None:
        yield "Files", f"{', '.join(run.sources)}. Their hashes, and who computed with what: {NOT_RECORDED}."
        return
    yield "Versions", ", ".join(f"{name} {version}" for name, version in made_of.versions.items())
    if made_of.rescored_from:
        yield "Responses", f"those of the run {made_of.rescored_from}, scored again"
    if made_of.added_to:
        yield "Responses", f"those of the run {made_of.added_to}, and those of files added to it"
    for file in made_of.files:
        yield "File", f"{file.name}\n{count(file.size)} bytes, SHA-256 {file.sha256}"
    if not made_of.files:
        yield "Files", f"{', '.join(run.sources)}. Their hashes: {NOT_RECORDED}."
    if made_of.skip_bad:
        yield "Bad rows", "skipped and listed, as requested"
    if made_of.keep_errors:
        yield "Error messages of pipelines", "scored as answers, as requested"
    for name, mapping in made_of.mappings.items():
        columns = (f'"{theirs}" {f"read as {ours}" if ours else "ignored"}' for theirs, ours in mapping.items())
        yield "Columns", f"{name}: {', '.join(columns)}"
