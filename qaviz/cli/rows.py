"""`--skip-bad`, `--keep-errors`, `--join near`, `--list FILE`: what becomes of odd rows, and where all are named."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from qaviz.cli.terminal import say, say_listed
from qaviz.exports.csv_injection import as_csv
from qaviz.exports.score_files import check_out
from qaviz.loading import Source, listed_counts
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

NOT_COVERED = (*NOT_SCORED, *NOT_TAKEN, *NOT_ANSWERED)
"""Kinds of listed rows that make the exit code 1: a response that was not scored, or one that is not there."""

SPELLED_OUT = (COLUMNS, *NOT_COVERED, NOT_DIAGNOSED, EMPTY_RESPONSE, FMEVAL_SCORES, FROM_TOOL, MAYBE_SAMPLE)
"""Kinds of listed rows of which examples are named; of the others the number is said."""


def add_row_arguments(parser: argparse.ArgumentParser) -> None:
    """--skip-bad, --keep-errors, --join, --list."""
    parser.add_argument(
        "--skip-bad", action="store_true", help="load the good rows and list the bad ones, instead of refusing the file"
    )
    parser.add_argument(
        "--keep-errors",
        action="store_true",
        help="take responses that are error messages of the pipeline as answers; else they are missing",
    )
    parser.add_argument(
        "--join",
        choices=["near"],
        help="also join responses whose questions nearly are golden questions, and name each pair (default: by id, "
        "text, and text with case and punctuation evened out)",
    )
    parser.add_argument("--list", type=Path, metavar="FILE", help="write all that is listed, a row each: .csv")


def opened_sources(asked: argparse.Namespace, files: Sequence[Path | str]) -> list[Source]:
    """The files, to be read as the arguments say."""
    if asked.list:
        check_out(asked.list, list(map(Path, files)))
    options = {"skip_bad": asked.skip_bad, "keep_errors": asked.keep_errors}
    return [replace(source, **options) for source in Source.each_of(files)]


def accept_pairs(pairs: pl.DataFrame) -> tuple[tuple[str, str], ...]:
    """All pairs of nearly the same questions (NEAR_SCHEMA) as `Source.joined` takes them; each is said."""
    for pair in pairs.iter_rows(named=True):
        alike = f"{pair['similarity']:.0%} alike"
        say(f'joined, {alike}: "{pair["question"]}" means "{pair["golden_question"]}" ({pair["question_id"]})')
    if pairs.is_empty():
        say("no question that is left nearly is a golden question")
    return tuple(pairs.select("question", "question_id").iter_rows())


def report_listed(listed: pl.DataFrame, out: Path | None) -> dict[str, int]:
    """Say what is listed by kind, the kinds that matter with examples, and write all of it to `out` as CSV, texts that
    a spreadsheet would run with an apostrophe in front. Returns how many there are of each kind."""
    counts = listed_counts(listed)
    say_listed(listed.filter(listed[KIND].is_in(SPELLED_OUT)))
    if out:
        out.write_bytes(as_csv(listed))
        say(f"all {listed.height:,} listed are in {out}")
    if counts:
        say("listed: " + ", ".join(f"{number:,} {kind}" for kind, number in counts.items()))
    return counts
