"""A workspace's Parquet files, in its folder."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store.files import ROWS_A_GROUP, UNFINISHED, checksum, read_columns, replacing

RUNS_FOLDER = "runs"
GOLDEN_FOLDER = "golden"

STORAGE_VARIABLE = "QAVIZ_STORAGE_URL"
"""The environment variable by which earlier versions named a bucket for the files."""


@dataclass(frozen=True, kw_only=True)
class StoredFile:
    """A file that the index names."""

    name: str
    """`runs/ID.parquet`."""
    holds: str
    """In words: `the rows of the run "June"`."""
    checksum: str
    """SHA-256 of its bytes, in hexadecimal."""


def golden_name(version: str) -> str:
    """The name of a golden dataset version's file."""
    return f"{GOLDEN_FOLDER}/{version}.parquet"


def run_names(run_id: str) -> tuple[str, str]:
    """The names of a run's files: its rows, and what was listed for it."""
    return f"{RUNS_FOLDER}/{run_id}.parquet", f"{RUNS_FOLDER}/{run_id}.listed.parquet"


def golden_file(version: str, expected: str) -> StoredFile:
    """A golden dataset version's file, with the checksum that the index has."""
    return StoredFile(name=golden_name(version), holds=f'the golden dataset version "{version}"', checksum=expected)


def run_files(run_id: str, run: str, rows: str, listed: str) -> tuple[StoredFile, StoredFile]:
    """The files of the run of this name, with the checksums that the index has: its rows, and what was listed."""
    holds = f'the rows of the run "{run}"', f'what was listed for the run "{run}"'
    names, checksums = run_names(run_id), (rows, listed)
    first, second = (StoredFile(name=names[at], holds=holds[at], checksum=checksums[at]) for at in (0, 1))
    return first, second


class DamagedError(QavizError):
    """A file is missing, or is not what was written."""


def prepare(folder: Path) -> None:
    """Make the folders of a workspace, where they are not there. Raises OSError as the disk does."""
    for name in (RUNS_FOLDER, GOLDEN_FOLDER):
        (folder / name).mkdir(parents=True, exist_ok=True)


def find_damage(folder: Path, file: StoredFile) -> Problem | None:
    """What is wrong with the file."""
    path = folder / file.name
    there = path.is_file()
    if there and checksum(path) == file.checksum:
        return None
    fault = "other bytes than were written" if there else "no such file"
    fix = "Restore the file from a backup, or import the golden dataset and responses again."
    return Problem(where=str(path), found=fault, expected=f"{file.holds}, as it was saved", fix=fix)


def find_whole(folder: Path, file: StoredFile) -> Path:
    """The path of the file. Raises DamagedError if its bytes are not as written."""
    if problem := find_damage(folder, file):
        raise DamagedError(problem)
    return folder / file.name


def list_unfinished(folder: Path) -> list[Path]:
    """Files that are being written, or that a killed process left."""
    return [file for name in (RUNS_FOLDER, GOLDEN_FOLDER) for file in (folder / name).glob(f"*{UNFINISHED}")]


def list_others(folder: Path, named: Iterable[StoredFile]) -> list[str]:
    """What is there beside these files, in order."""
    files = (file for name in (GOLDEN_FOLDER, RUNS_FOLDER) for file in sorted((folder / name).iterdir()))
    known = {file.name for file in named}
    return [name for file in files if (name := f"{file.parent.name}/{file.name}") not in known]


def write_table(file: Path, frame: pl.DataFrame) -> str:
    """Keep the table as a Parquet file, whole or not at all. Returns its checksum."""
    with replacing(file) as unfinished:
        frame.write_parquet(unfinished, row_group_size=ROWS_A_GROUP)
        return checksum(unfinished)


def take_table(file: Path, written: Path) -> str:
    """Keep the Parquet file `written`, which moves away from the workspace's folder. Returns its checksum."""
    with replacing(file) as unfinished:
        os.replace(written, unfinished)
        return checksum(unfinished)


def read_table(folder: Path, file: StoredFile, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """The table that `write_table` wrote, or these columns of it; those of LATER are null in a file that lacks them.
    Raises DamagedError if its bytes are others: a damaged file is never decoded."""
    return read_columns(find_whole(folder, file), columns)


def refuse_bucket() -> None:
    """Raise QavizError where the environment names a bucket, as earlier versions kept files in one."""
    if os.environ.get(STORAGE_VARIABLE):
        fault = "files of a workspace in a bucket, which is gone"
        fix = "With qaviz 0.2.0, `qaviz workspace copy --to FOLDER`; then unset it: docs/team.md."
        raise stop(STORAGE_VARIABLE, fault, "files in the workspace's folder, which every server has mounted", fix)
