"""A workspace's Parquet files, in its folder."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store.files import ROWS_A_GROUP, UNFINISHED, checksum, disk_refusals, folder_lock, read_columns, replacing

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


def rows_file(run_id: str, run: str, expected: str) -> StoredFile:
    """The file with the rows of the run of this name, with the checksum that the index has."""
    return StoredFile(name=run_names(run_id)[0], holds=f'the rows of the run "{run}"', checksum=expected)


def listed_file(run_id: str, run: str, expected: str) -> StoredFile:
    """The file with what was listed for the run of this name, with the checksum that the index has."""
    return StoredFile(name=run_names(run_id)[1], holds=f'what was listed for the run "{run}"', checksum=expected)


class DamagedError(QavizError):
    """A file is missing, or is not what was written."""


@dataclass(frozen=True, kw_only=True)
class Storage:
    """Keeps files that never change, in the workspace's folder, which everybody's machine has mounted."""

    folder: Path

    def place(self) -> str:
        """Where the files are, in words."""
        return str(self.folder)

    def prepare(self) -> None:
        """Make the folders, where they are not there. Raises OSError as the disk does."""
        for name in (RUNS_FOLDER, GOLDEN_FOLDER):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def ask(self) -> None:
        """Raise QavizError if the files cannot be reached now."""
        with disk_refusals(self.folder):
            (self.folder / GOLDEN_FOLDER).stat()

    def keep(self, name: str, write: Callable[[Path], object]) -> str:
        """Keep what `write` writes to the path that it gets, whole or not at all. Returns the file's checksum."""
        with replacing(self.folder / name) as unfinished:
            write(unfinished)
            return checksum(unfinished)

    @contextmanager
    def reading(self, file: StoredFile) -> Iterator[Path]:
        """Give a path with the file's bytes until the block ends. Raises DamagedError if they are not as written."""
        if problem := self.find_damage(file):
            raise DamagedError(problem)
        yield self.folder / file.name

    def find_damage(self, file: StoredFile) -> Problem | None:
        """What is wrong with the file."""
        path = self.folder / file.name
        there = path.is_file()
        if there and checksum(path) == file.checksum:
            return None
        return damage_problem(str(path), file, there=there)

    def has_any(self, names: Collection[str]) -> bool:
        """Whether a file of one of these names is there."""
        return any((self.folder / name).is_file() for name in names)

    def remove(self, name: str) -> None:
        """Remove the file, if it is there."""
        (self.folder / name).unlink(missing_ok=True)

    def list_unfinished(self) -> list[Path]:
        """Files that are being written, or that a killed process left."""
        return [
            file for folder in (RUNS_FOLDER, GOLDEN_FOLDER) for file in (self.folder / folder).glob(f"*{UNFINISHED}")
        ]

    def list_others(self, named: Iterable[StoredFile]) -> list[str]:
        """What is there beside these files, in order."""
        known = {file.name for file in named}
        folders = ((name, sorted((self.folder / name).iterdir())) for name in (GOLDEN_FOLDER, RUNS_FOLDER))
        names = (f"{folder}/{file.name}" for folder, files in folders for file in files)
        return [name for name in names if name not in known]

    def remove_others(self, named: Iterable[StoredFile]) -> list[str]:
        """Remove what is there beside these files, and return it; what is no file stays. Only while nobody writes."""
        others = [name for name in self.list_others(named) if (self.folder / name).is_file()]
        for name in others:
            self.remove(name)
        return others

    def lock(self, *, alone: bool) -> AbstractContextManager[None]:
        """Hold a lock on the files until the block ends: shared, or `alone` once nobody else holds one."""
        return folder_lock(self.folder, alone=alone)


def damage_problem(where: str, file: StoredFile, *, there: bool) -> Problem:
    """The problem of a file that is not `there`, or not as it was written."""
    return Problem(
        where=where,
        found="other bytes than were written" if there else "no such file",
        expected=f"{file.holds}, as it was saved",
        fix="Restore the file from a backup, or import the golden dataset and responses again.",
    )


def write_table(storage: Storage, name: str, frame: pl.DataFrame) -> str:
    """Keep the table as a Parquet file, whole or not at all. Returns its checksum."""
    return storage.keep(name, lambda file: frame.write_parquet(file, row_group_size=ROWS_A_GROUP))


def take_table(storage: Storage, name: str, written: Path) -> str:
    """Keep the Parquet file `written`, which moves away from the workspace's folder. Returns its checksum."""
    return storage.keep(name, lambda file: os.replace(written, file))


def read_table(storage: Storage, file: StoredFile, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """The table that `write_table` wrote, or these columns of it; those of LATER are null in a file that lacks them.

    Raises QavizError if its bytes are not those that were written: a damaged file is never decoded.
    """
    with storage.reading(file) as path:
        return read_columns(path, columns)


def refuse_bucket() -> None:
    """Raise QavizError where the environment names a bucket, as earlier versions kept files in one."""
    if os.environ.get(STORAGE_VARIABLE):
        raise stop(
            where=STORAGE_VARIABLE,
            found="files of a workspace in a bucket, which is gone",
            expected="files in the workspace's folder, which every server has mounted",
            fix="With qaviz 0.2.0, `qaviz workspace copy --to FOLDER`; then unset it: docs/team.md.",
        )
