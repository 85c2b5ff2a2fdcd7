"""Where a workspace's Parquet files are: in its folder, or in an S3-compatible bucket (`qaviz.store.bucket`)."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import polars as pl

from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store.files import ROWS_A_GROUP, UNFINISHED, checksum, disk_refusals, folder_lock, read_columns, replacing

RUNS_FOLDER = "runs"
GOLDEN_FOLDER = "golden"

STORAGE_VARIABLE = "QAVIZ_STORAGE_URL"
"""The environment variable that names the bucket; without it the files are in the workspace's folder."""

_BUCKET_URL = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/([A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*)?/?)?")


@dataclass(frozen=True, kw_only=True)
class StoredFile:
    """A file that the index names."""

    name: str
    """`runs/ID.parquet`, wherever the files are."""
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


class Storage(Protocol):
    """Keeps files that never change. Its functions raise QavizError where what they need cannot be reached."""

    def place(self) -> str:
        """Where the files are, in words and without a secret."""
        ...

    def prepare(self) -> None:
        """Make it ready to be written to, or refuse what cannot be."""
        ...

    def ask(self) -> None:
        """Raise QavizError if the files cannot be reached now. Cheap: the last answer counts for some seconds."""
        ...

    def keep(self, name: str, write: Callable[[Path], object]) -> str:
        """Keep what `write` writes to the path that it gets, whole or not at all. Returns the file's checksum."""
        ...

    def reading(self, file: StoredFile) -> AbstractContextManager[Path]:
        """Give a path with the file's bytes until the block ends. Raises DamagedError if they are not as written."""
        ...

    def find_damage(self, file: StoredFile) -> Problem | None:
        """What is wrong with the file, read from its place."""
        ...

    def has_any(self, names: Collection[str]) -> bool:
        """Whether a file of one of these names is there."""
        ...

    def remove(self, name: str) -> None:
        """Remove the file, if it is there."""
        ...

    def list_unfinished(self) -> list[Path]:
        """Files that are being written, or that a killed process left."""
        ...

    def list_others(self, named: Iterable[StoredFile]) -> list[str]:
        """What is there beside these files, in order."""
        ...

    def remove_others(self, named: Iterable[StoredFile]) -> list[str]:
        """Remove what is there beside these files, and return what it was. Only while nobody writes."""
        ...

    def lock(self, *, alone: bool) -> AbstractContextManager[None]:
        """Hold a lock on the files until the block ends: shared, or `alone` once nobody else holds one."""
        ...


@dataclass(frozen=True, kw_only=True)
class FolderStorage:
    """Files in the workspace's folder, which everybody's machine has mounted. See Storage."""

    folder: Path

    def place(self) -> str:
        """See Storage."""
        return str(self.folder)

    def prepare(self) -> None:
        """See Storage."""
        for name in (RUNS_FOLDER, GOLDEN_FOLDER):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def ask(self) -> None:
        """See Storage."""
        with disk_refusals(self.folder):
            (self.folder / GOLDEN_FOLDER).stat()

    def keep(self, name: str, write: Callable[[Path], object]) -> str:
        """See Storage."""
        with replacing(self.folder / name) as unfinished:
            write(unfinished)
            return checksum(unfinished)

    @contextmanager
    def reading(self, file: StoredFile) -> Iterator[Path]:
        """See Storage."""
        if problem := self.find_damage(file):
            raise DamagedError(problem)
        yield self.folder / file.name

    def find_damage(self, file: StoredFile) -> Problem | None:
        """See Storage."""
        path = self.folder / file.name
        there = path.is_file()
        if there and checksum(path) == file.checksum:
            return None
        return damage_problem(str(path), file, there=there)

    def has_any(self, names: Collection[str]) -> bool:
        """See Storage."""
        return any((self.folder / name).is_file() for name in names)

    def remove(self, name: str) -> None:
        """See Storage."""
        (self.folder / name).unlink(missing_ok=True)

    def list_unfinished(self) -> list[Path]:
        """See Storage."""
        return [
            file for folder in (RUNS_FOLDER, GOLDEN_FOLDER) for file in (self.folder / folder).glob(f"*{UNFINISHED}")
        ]

    def list_others(self, named: Iterable[StoredFile]) -> list[str]:
        """See Storage."""
        known = {file.name for file in named}
        folders = ((name, sorted((self.folder / name).iterdir())) for name in (GOLDEN_FOLDER, RUNS_FOLDER))
        names = (f"{folder}/{file.name}" for folder, files in folders for file in files)
        return [name for name in names if name not in known]

    def remove_others(self, named: Iterable[StoredFile]) -> list[str]:
        """See Storage. What is no file stays."""
        others = [name for name in self.list_others(named) if (self.folder / name).is_file()]
        for name in others:
            self.remove(name)
        return others

    def lock(self, *, alone: bool) -> AbstractContextManager[None]:
        """See Storage."""
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


@dataclass(frozen=True, kw_only=True)
class BucketAddress:
    """A bucket, and how the names in it begin: `prefix/`, or empty."""

    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")


def read_address(text: str) -> BucketAddress:
    """What QAVIZ_STORAGE_URL says. Raises QavizError, which does not repeat the text: it may hold a secret."""
    match = _BUCKET_URL.fullmatch(text)
    if match and not {".", ".."} & set((match[2] or "").split("/")):
        return BucketAddress(bucket=match[1], prefix=f"{match[2]}/" if match[2] else "")
    raise stop(
        where=STORAGE_VARIABLE,
        found="a text that names no bucket",
        expected="s3://bucket/prefix: letters, digits, dots and hyphens, without user, password or options",
        fix="Correct it. Endpoint, region and credentials are in AWS's own variables: docs/team.md.",
    )


def configured_address() -> BucketAddress | None:
    """The bucket that QAVIZ_STORAGE_URL names; None where it is not set. Raises QavizError as `read_address`."""
    text = os.environ.get(STORAGE_VARIABLE)
    return read_address(text) if text else None
