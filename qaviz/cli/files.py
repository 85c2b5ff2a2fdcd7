"""The files of a command: their columns, rows that cannot be used, and the list of everything odd."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from qaviz.cli import BUG, DONE, FOUND_PROBLEMS
from qaviz.cli.options import FILE, Options, Value, argument, choice, option, switch
from qaviz.cli.paths import open_existing
from qaviz.cli.terminal import EXAMPLES, say
from qaviz.exports.table_files import as_csv, check_out
from qaviz.loading import GOLDEN, RESPONSES, Role, Source, listed_counts, sandbox
from qaviz.loading.column_mapping import assign_pairs
from qaviz.loading.load_log import (
    COLUMNS,
    EMPTY_RESPONSE,
    FMEVAL_SCORES,
    FROM_TOOL,
    KIND,
    MAYBE_SAMPLE,
    NOT_ANSWERED,
    NOT_DIAGNOSED,
    NOT_SCORED,
    NOT_TAKEN,
)
from qaviz.loading.shards import files_at
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

if TYPE_CHECKING:
    from qaviz.store.settings import Profile

RESPONSE_FILES = "responses; none if GOLDEN holds them"
_PREVIEWED = 60
"""Characters of a cell that a reading's preview shows."""


def _read_mapping(text: str) -> tuple[str, str]:
    theirs, equals, ours = text.rpartition("=")
    if not (theirs and equals):
        raise ValueError
    return theirs, ours


@dataclass(frozen=True, kw_only=True)
class FileOptions(Options):
    """The files of a command, and how they are read."""

    golden: Path = argument(
        "golden dataset: .jsonl, .json, .csv, .parquet, .xlsx (book.xlsx#Sheet names a sheet), .eval", type=FILE
    )
    map: tuple[tuple[str, str], ...] = option(
        "THEIR=OUR",
        "rename a column: --map prompt=question; --map notes= leaves it out; may be repeated",
        type=Value(_read_mapping, "THEIR=OUR"),
        multiple=True,
    )
    profile: tuple[str, ...] = option(
        "NAME", "a mapping saved in the workspace, for the files with its columns; may be repeated", multiple=True
    )
    skip_bad: bool = switch("load the good rows and list the bad ones, instead of refusing the file")
    keep_errors: bool = switch(
        "keep responses that are error messages of the pipeline; without it they count as missing"
    )
    join: str | None = choice(
        ["near"],
        "also join responses whose questions are nearly golden questions, and list each pair (default: by id, by text, "
        "and by text regardless of case and punctuation)",
    )
    list: Path | None = option("FILE", "write everything that is listed, one row each: .csv", type=FILE)
    documents: tuple[str, ...] = option(
        "FOLDER",
        "the documents that the pipelines retrieve from: tells what stands in none of them; may be repeated",
        multiple=True,
    )


def read_named_documents(options: FileOptions, progress: Progress) -> pl.DataFrame | None:
    """The chunks of what --documents names; None without it. Raises QavizError with every problem."""
    if not options.documents:
        return None
    from qaviz.contexts.documents import read_folder

    return read_folder(options.documents, progress)


def with_mappings(options: FileOptions, golden: Source, responses: Sequence[Source]) -> tuple[Source, list[Source]]:
    """The golden dataset's file and those of responses, each with what --profile and --map say of it.

    Without files of responses the golden dataset's file holds them too, and gets their mapping. A profile applies to
    files that have its columns. A pair THEIR=OUR applies to files that have the column THEIR and may have a column OUR;
    without OUR the column is left out. --map wins over --profile. Raises QavizError for each profile and pair that
    applies to no file.
    """
    files = list(responses) or [replace(golden, sheet="")]
    if not (options.map or options.profile):
        return golden, list(responses)
    mapped = _add_mappings(options, [(golden, GOLDEN), *((source, RESPONSES) for source in files)])
    return mapped[0], mapped[1:]


def with_response_mappings(options: FileOptions, responses: Sequence[Source]) -> list[Source]:
    """The files of responses, each with what --profile and --map say of it, where no golden dataset's was named."""
    return _add_mappings(options, [(source, RESPONSES) for source in responses])


def _add_mappings(options: FileOptions, files: Sequence[tuple[Source, Role]]) -> list[Source]:
    pairs = dict(options.map)
    if not (pairs or options.profile):
        return [source for source, _ in files]
    columns = [sandbox.preview(source, role).columns for source, role in files]
    roles = [role for _, role in files]
    saved = _apply_profiles(_find_profiles(options), columns, roles)
    pairs_given = assign_pairs(pairs, columns, roles, "--map")
    mappings = [of_profiles | of_pairs for of_profiles, of_pairs in zip(saved, pairs_given, strict=True)]
    return [replace(source, mapping=mapping) for (source, _), mapping in zip(files, mappings, strict=True)]


def _find_profiles(options: FileOptions) -> "list[Profile]":
    if not options.profile:
        return []
    from qaviz.store.settings import find_profile

    home = open_existing(options.workspace)
    return [find_profile(home, name) for name in options.profile]


def _apply_profiles(
    profiles: "Sequence[Profile]", columns: Sequence[Sequence[str]], roles: Sequence[Role]
) -> list[dict[str, str]]:
    """For each file the mappings of the profiles that apply to it. Raises QavizError for a profile without a file."""
    fitting = [
        [profile for profile in profiles if profile.fits("golden" if role is GOLDEN else "responses", present)]
        for role, present in zip(roles, columns, strict=True)
    ]
    idle = [profile for profile in profiles if not any(profile in profiles_of_role for profiles_of_role in fitting)]
    if idle:
        raise QavizError(*map(_describe_idle_profile, idle))
    return [
        {theirs: ours for profile in profiles_of_role for theirs, ours in profile.mapping.items()}
        for profiles_of_role in fitting
    ]


def _describe_idle_profile(profile: "Profile") -> Problem:
    return Problem(
        where=f"--profile {profile.name}",
        found="no file with its columns",
        expected=f"{profile.role} with {', '.join(map(repr, profile.mapping))}",
        fix="Remove it, or name the files that it was made for.",
    )


def settle_readings(
    golden: Source | None, responses: Sequence[Source], *, yes: bool
) -> tuple[Source | None, tuple[Source, ...]]:
    """The golden dataset's file and those of responses, those in doubt with the reading that a person chose.

    With `yes` it is the first, which is said. Files are unchanged where there is nobody to ask: reading them says what
    lacks.
    """
    shared = golden is not None and not responses
    files = [replace(golden, sheet="", mapping={})] if golden and shared else list(responses)
    settled = tuple(_settle(source, RESPONSES, yes=yes) for source in files)
    first = _settle(golden, GOLDEN, yes=yes) if golden else None
    return first, () if shared and settled == tuple(files) else settled


def _settle(source: Source, role: Role, *, yes: bool) -> Source:
    try:
        seen = sandbox.preview(source, role)
    except QavizError:
        return source
    if not seen.readings:
        return source
    say(f"{source.name}: the headings and cells leave {len(seen.readings)} readings open")
    for number, reading in enumerate(seen.readings, 1):
        say(f"{number}. {reading.label}")
        for row in seen.first.select(name for name in reading.mapping if name in seen.columns).head(3).iter_rows():
            say("   " + " | ".join((cell or "").strip()[:_PREVIEWED] for cell in row))
    chosen = 1 if yes else _choose(len(seen.readings))
    if not chosen:
        return source
    reading = seen.readings[chosen - 1]
    say(f"{source.name}: read so that {reading.label}")
    return replace(source, mapping={**reading.mapping, **source.mapping})


def _choose(most: int) -> int:
    """The number that a person types; 0 where nobody is there, or nothing that fits is typed."""
    if not sys.stdin.isatty():
        return 0
    typed = input(f"qaviz: which is right? 1 to {most}, anything else for none: ")
    return int(typed) if typed.strip().isdecimal() and 1 <= int(typed) <= most else 0


NOT_COVERED = (*NOT_SCORED, *NOT_TAKEN, *NOT_ANSWERED)
"""Kinds of listed rows that make the exit code 1: a response that was not scored, or one that is not there."""
SPELLED_OUT = (COLUMNS, *NOT_COVERED, NOT_DIAGNOSED, EMPTY_RESPONSE, FMEVAL_SCORES, FROM_TOOL, MAYBE_SAMPLE)
"""Kinds of listed rows of which examples are named; of the others the number is said."""


def open_sources(options: FileOptions, files: Sequence[Path | str]) -> list[Source]:
    """The files, to be read as the arguments say."""
    if options.list:
        check_out(options.list, list(map(Path, files)))
    first, *others = files
    if Path(first).is_dir():
        fix = "Name the golden dataset's file; folders and patterns are for responses."
        raise stop(str(first), "a folder", "one file", fix)
    sources = Source.each_of([first, *_list_files(others)])
    return [replace(source, skip_bad=options.skip_bad, keep_errors=options.keep_errors) for source in sources]


def _list_files(files: Sequence[Path | str]) -> Iterator[Path | str]:
    """The files, in place of a folder or a pattern those that it holds, in the order of their names."""
    for file in files:
        if Path(file).is_dir() or (set("*?[") & set(str(file)) and not Path(file).exists()):
            yield from (shard.path for shard in files_at(str(file)))
        else:
            yield file


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
    say_listed(listed.filter(listed[KIND].is_in(SPELLED_OUT)))
    if out:
        out.write_bytes(as_csv(listed))
        say(f"all {listed.height:,} listed are in {out}")
    if counts:
        say("listed: " + ", ".join(f"{number:,} {kind}" for kind, number in counts.items()))
    if NOT_DIAGNOSED in counts:
        return BUG
    return FOUND_PROBLEMS if any(kind in counts for kind in NOT_COVERED) else DONE


def say_listed(listed: pl.DataFrame) -> None:
    """One line for each listed row: what it is, where it stands, which question and pipeline, and why.

    Of many of a kind the first, and their number.
    """
    for kind in listed.partition_by(KIND, maintain_order=True):
        _say_entries(kind.head(EXAMPLES) if kind.height > EXAMPLES + 1 else kind)
        if kind.height > EXAMPLES + 1:
            say(f"and {kind.height - EXAMPLES:,} more: {kind[KIND][0]} (--list FILE names all)")


def _say_entries(listed: pl.DataFrame) -> None:
    for row in listed.iter_rows(named=True):
        names = [f'{column} "{row[column]}"' for column in (QUESTION_ID, PIPELINE) if row[column] is not None]
        place = ", ".join(part for part in (row["where"], *names) if part)
        say(f"{place}: {row['kind']}: {row['detail']}")
