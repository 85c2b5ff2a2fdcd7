"""`--skip-bad`, `--keep-errors` and `--list FILE`: what becomes of rows that will not do, and where all are named."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from qaviz.exports.csv_injection import as_csv
from qaviz.exports.score_files import check_out
from qaviz.loading import Source


def add_row_arguments(parser: argparse.ArgumentParser) -> None:
    """--skip-bad, --keep-errors, --list."""
    parser.add_argument(
        "--skip-bad", action="store_true", help="load the good rows and list the bad ones, instead of refusing the file"
    )
    parser.add_argument(
        "--keep-errors",
        action="store_true",
        help="take responses that are error messages of the pipeline as answers; else they are missing",
    )
    parser.add_argument("--list", type=Path, metavar="FILE", help="write all that is listed, a row each: .csv")


def opened_sources(asked: argparse.Namespace, files: Sequence[Path | str]) -> list[Source]:
    """The files, to be read as the arguments say."""
    if asked.list:
        check_out(asked.list, list(map(Path, files)))
    options = {"skip_bad": asked.skip_bad, "keep_errors": asked.keep_errors}
    return [replace(source, **options) for source in Source.each_of(files)]


def write_list(listed: pl.DataFrame, out: Path) -> None:
    """Write the entries as CSV, texts that a spreadsheet would run with an apostrophe in front."""
    out.write_bytes(as_csv(listed))
