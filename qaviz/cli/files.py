"""The files of a command: their columns, rows that cannot be used, and the list of everything odd."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from qaviz.cli import BUG, DONE, FOUND_PROBLEMS
from qaviz.cli import options as o
from qaviz.cli.terminal import EXAMPLES, say
from qaviz.exports.table_files import as_csv, check_out
from qaviz.loading import Source, apart, listed_counts
from qaviz.loading import load_log as log
from qaviz.loading.roles import assign_pairs, spell_flags
from qaviz.loading.source import files_at
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.records import Progress

_MAPPING = o.Value(lambda text: text.rpartition("=")[::2], "THEIR=OUR", lambda pair: bool(pair[0]))

NOT_COVERED = (*log.NOT_SCORED, *log.NOT_TAKEN, *log.NOT_ANSWERED)
"""Kinds of listed rows that make the exit code 1: a response that was not scored, or one that is not there."""
SPELLED_OUT = (log.COLUMNS, *NOT_COVERED, log.NOT_DIAGNOSED, log.EMPTY_RESPONSE, log.FROM_TOOL)
"""Kinds of listed rows of which examples are named; of the others the number is said."""


class ReadOptions(o.Printed):
    """How the files of a command are read."""

    map: tuple[tuple[str, str], ...] = o.repeated("THEIR=OUR", "rename a column; notes= leaves it out", type=_MAPPING)
    skip_bad: bool = o.switch("load the good rows and list the bad ones, instead of refusing the file")
    keep_errors: bool = o.switch("keep responses that are error messages of the pipeline, which else count as missing")
    join: str | None = o.choice(
        ["near"], "also join responses by questions that are nearly golden ones, each pair listed"
    )
    list: Path | None = o.file("write everything that is listed, one row each: .csv")
    documents: tuple[str, ...] = o.repeated("FOLDER", "documents that pipelines retrieve from: what is in none is told")


class FileOptions(ReadOptions):
    """The files of a command that needs to be told which is the golden dataset."""

    golden: Path = o.argument("golden dataset, in any format of `qaviz import`", type=o.FILE)


def read_named_documents(options: ReadOptions, progress: Progress) -> pl.DataFrame | None:
    """The chunks of what --documents names; None without it. Raises QavizError with every problem."""
    if not options.documents:
        return None
    from qaviz.documents import read_folder

    return read_folder(options.documents, progress)


def with_mappings(options: ReadOptions, files: Sequence[Source]) -> list[Source]:
    """The files, each with the pairs THEIR=OUR of --map whose column THEIR it has; without OUR the column is left out.
    Raises QavizError for each pair that applies to no file."""
    if not options.map:
        return list(files)
    columns = [
        [name for table in apart.preview(None, [source], trusted=True) for name in table.columns] for source in files
    ]
    mappings = assign_pairs(dict(options.map), columns, "--map")
    return [replace(source, mapping=mapping) for source, mapping in zip(files, mappings, strict=True)]


def take_first_readings(golden: Source | None, files: Sequence[Source]) -> tuple[Source | None, list[Source]]:
    """The files, those that can be read in two ways with the first of them, which is said."""
    try:
        tables = apart.preview(golden, files, trusted=True)
    except QavizError:  # reading them says what lacks
        return golden, list(files)
    first = {table.file: table.readings[0] for table in tables if table.readings}
    for file, reading in first.items():
        say(f"{file}: read so that {reading.label}: {spell_flags(reading.mapping)}")

    def settle(source: Source) -> Source:
        reading = first.get(source.name)
        return replace(source, mapping={**reading.mapping, **source.mapping}) if reading else source

    return golden and settle(golden), [settle(source) for source in files]


def open_sources(options: ReadOptions, files: Sequence[Path | str]) -> list[Source]:
    """The files, to be read as the arguments say; in place of a folder or a pattern those that it holds, by name."""
    if options.list:
        check_out(options.list, list(map(Path, files)))
    listed = list[Path | str]()
    for file in files:
        if Path(file).is_dir() or (set("*?[") & set(str(file)) and not Path(file).exists()):
            listed += (shard.path for shard in files_at(str(file)))
        else:
            listed.append(file)
    sources = Source.each_of(listed)
    return [replace(source, skip_bad=options.skip_bad, keep_errors=options.keep_errors) for source in sources]


def accept_pairs(pairs: pl.DataFrame) -> tuple[tuple[str, str], ...]:
    """All pairs of nearly the same questions (NEAR_SCHEMA) as `Source.joined` takes them; each is said."""
    for pair in pairs.iter_rows(named=True):
        golden = f'"{pair["golden_question"]}" ({pair["question_id"]})'
        say(f'joined, {pair["similarity"]:.0%} alike: "{pair["question"]}" with the golden question {golden}')
    if pairs.is_empty():
        say("no other question is nearly a golden question")
    return tuple(pairs.select("question", "question_id").iter_rows())


def report_listed(listed: pl.DataFrame, out: Path | None) -> int:
    """Say what is listed by kind, the kinds that matter with examples, and write all of it to `out` as CSV, texts that
    a spreadsheet would run with an apostrophe in front. Returns the exit code: a bug, problems in the files, or none.
    """
    counts = listed_counts(listed)
    say_listed(listed.filter(listed[log.KIND].is_in(SPELLED_OUT)))
    if out:
        out.write_bytes(as_csv(listed))
        say(f"all {listed.height:,} listed are in {out}")
    if counts:
        say("listed: " + ", ".join(f"{number:,} {kind}" for kind, number in counts.items()))
    if log.NOT_DIAGNOSED in counts:
        return BUG
    return FOUND_PROBLEMS if any(kind in counts for kind in NOT_COVERED) else DONE


def say_listed(listed: pl.DataFrame) -> None:
    """One line for each listed row: what it is, where it stands, which question and pipeline, and why. Of many of a
    kind the first, and their number."""
    for kind in listed.partition_by(log.KIND, maintain_order=True):
        for row in (kind.head(EXAMPLES) if kind.height > EXAMPLES + 1 else kind).iter_rows(named=True):
            names = [f'{column} "{row[column]}"' for column in (QUESTION_ID, PIPELINE) if row[column] is not None]
            place = ", ".join(part for part in (row["where"], *names) if part)
            say(f"{place}: {row['kind']}: {row['detail']}")
        if kind.height > EXAMPLES + 1:
            say(f"and {kind.height - EXAMPLES:,} more: {kind[log.KIND][0]} (--list FILE names all)")
