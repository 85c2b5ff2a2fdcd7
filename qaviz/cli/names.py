"""Runs and golden datasets by the names that a command was given."""

from pathlib import Path

import polars as pl

from qaviz.cli import files, terminal
from qaviz.cli import options as o
from qaviz.golden.versions import newest_version
from qaviz.loading import Source, apart, load_log
from qaviz.model.errors import stop
from qaviz.store.golden_versions import GoldenVersion, line_of, named_datasets, versions
from qaviz.store.workspace import Workspace


def open_version(folder: Path, name: str) -> tuple[Workspace, GoldenVersion]:
    """The workspace and the version that `find_version` finds in it. Raises QavizError as `open_existing`, and if there
    is none."""
    home = o.open_existing(folder)
    return home, find_version(home, name)


def find_version(home: Workspace, name: str) -> GoldenVersion:
    """The version that is meant by a run's or a generated dataset's name, NAME@2, or a golden dataset's id. Raises
    QavizError if there is none."""
    goldens = named_datasets(home)
    for run in home.runs(archived=True):
        goldens |= {run.name: run.golden_id, run.run_id: run.golden_id}
    of, at, number = name.rpartition("@")
    if name not in goldens and at and number.isdecimal() and of in goldens:
        line = versions(home, line_of(home, goldens[of]))
        if 1 <= int(number) <= len(line):
            return line[int(number) - 1]
        raise stop(name, f"no version {number}", f"a number from 1 to {len(line)}", f'See: qaviz golden history "{of}"')
    if name in goldens:
        return newest_version(home, goldens[name])
    matching = [version for version in versions(home, line_of(home, name)) if version.golden_id == name]
    if matching:
        return matching[-1]
    fault = "no run, version or golden dataset of this name in the workspace"
    expected = "NAME, NAME@VERSION or the id of a golden dataset; a file where the command takes one"
    raise stop(name, fault, expected, "Check the name, or name the workspace with --workspace.")


def find_golden(folder: Path, name: str) -> pl.DataFrame:
    """The golden dataset that `find_version` finds in the workspace. Raises QavizError, also where there is none."""
    if not o.is_there(folder):
        fault = "no such file, and no workspace to look for a golden dataset in"
        expected = "a golden dataset: .jsonl, .csv, .parquet, .xlsx, or a name in the workspace"
        raise stop(name, fault, expected, "Check the path, or name the workspace with --workspace.")
    home, version = open_version(folder, name)
    return home.golden(version.golden_id)


def read_golden(file: Path | str) -> pl.DataFrame:
    """The golden dataset of a file; duplicates are said. Raises QavizError with every problem of the file."""
    with terminal.progress_line() as progress:
        triplets, listed = apart.load_golden(Source.of(file), progress)
    files.say_listed(listed.filter(pl.col(load_log.KIND) == load_log.DUPLICATE))
    return triplets
