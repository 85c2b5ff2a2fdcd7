"""A workspace's Parquet files in an S3-compatible bucket, for a team whose index is in PostgreSQL.

An object's key has the file's checksum: `runs/ID.CHECKSUM.parquet`. So two servers never write different bytes to one
key, and what one of them kept is never overwritten by the other."""

import errno
import fcntl
import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from qaviz.model.errors import Problem, stop
from qaviz.store.files import checksum, disk_refusals, folder_lock, passing
from qaviz.store.postgresql import files_lock
from qaviz.store.s3 import Bucket
from qaviz.store.storage import (
    GOLDEN_FOLDER,
    RUNS_FOLDER,
    BucketAddress,
    DamagedError,
    StoredFile,
    damage_problem,
)

CACHE_FOLDER = "cache"
CACHE_VARIABLE = "QAVIZ_STORAGE_CACHE_MB"
"""The environment variable with the megabytes that copies of the bucket's files may take on this machine."""
CACHE_MB = 5_000

_KEY = re.compile(r"(.+)\.([0-9a-f]{64})\.parquet", re.DOTALL)

_TIMES = 3
"""How often a copy is fetched that is gone or damaged before it can be read."""


@dataclass(frozen=True, kw_only=True)
class ReadCache:
    """A folder of files by name and checksum, for any number of threads and processes.

    It keeps at most `most_bytes`, besides the newest file and those being read; the least recently read go first.
    """

    folder: Path
    most_bytes: int

    @contextmanager
    def reading(self, name: str, expected: str, fetch: Callable[[Path], object]) -> Iterator[Path]:
        """Give the file with the `expected` checksum until the block ends; `fetch` writes it where it is not here.

        Raises what `fetch` raises, which refuses other bytes, and OSError.
        """
        file = self._file(name, expected)
        with ExitStack() as held:
            for _ in range(_TIMES):
                if self._hold_whole(file, expected, held):
                    yield file
                    return
                with passing(self.scratch()) as unfinished:
                    fetch(unfinished)
                    self._take(unfinished, file)
            raise OSError(errno.EIO, "copies of a bucket's files do not stay as they are written")

    def add(self, name: str, expected: str, written: Path) -> None:
        """Take in the file `written`, in this folder, which is then gone from there. Raises OSError."""
        self._take(written, self._file(name, expected))

    def scratch(self) -> Path:
        """A path in the folder, beside which new files are written."""
        return self.folder / "file"

    def _file(self, name: str, expected: str) -> Path:
        """A name of hexadecimal digits, whatever `name` and `expected` hold."""
        known = hashlib.sha256(f"{name} {expected}".encode()).hexdigest()
        return self.folder / f"{known}.parquet"

    def _hold_whole(self, file: Path, expected: str, held: ExitStack) -> bool:
        """Hold the file, and return whether its bytes are as expected: a damaged copy is fetched again."""
        with folder_lock(self.folder, alone=False):
            _hold(file, held)
        return file.is_file() and checksum(file) == expected

    def _take(self, written: Path, file: Path) -> None:
        """Make `written` the file, and remove the least recently read others, unless somebody reads them."""
        with folder_lock(self.folder, alone=True):
            os.replace(written, file)
            self._make_room(file)

    def _make_room(self, newest: Path) -> None:
        files = [(file.stat(), file) for file in self.folder.glob("*.parquet") if file != newest]
        taken = newest.stat().st_size + sum(status.st_size for status, _ in files)
        for status, file in sorted(files, key=lambda entry: entry[0].st_mtime):
            if taken <= self.most_bytes:
                return
            with suppress(OSError):
                _remove_unheld(file)
                taken -= status.st_size


@dataclass(frozen=True, kw_only=True)
class BucketStorage:
    """Files in a bucket, and copies of them on this machine. See `qaviz.store.storage.Storage`."""

    bucket: Bucket
    cache: ReadCache
    index: sa.Engine

    def place(self) -> str:
        """See Storage."""
        return self.bucket.place()

    def prepare(self) -> None:
        """See Storage."""
        self.cache.folder.mkdir(parents=True, exist_ok=True)
        list(self.bucket.list_keys("", most=1))

    def ask(self) -> None:
        """See Storage."""
        self.bucket.ask()

    def keep(self, name: str, write: Callable[[Path], object]) -> str:
        """See Storage."""
        with disk_refusals(self.cache.folder), passing(self.cache.scratch()) as written:
            write(written)
            known = checksum(written)
            self.bucket.keep(_key(name, known), written, known)
            self.cache.add(self._find_place(name), known, written)
        return known

    @contextmanager
    def reading(self, file: StoredFile) -> Iterator[Path]:
        """See Storage."""

        def fetch(target: Path) -> None:
            content = self.bucket.read(_key(file.name, file.checksum), target)
            if not content or content.checksum != file.checksum:
                raise DamagedError(self._damage(file, there=content is not None))

        cached = self.cache.reading(self._find_place(file.name), file.checksum, fetch)
        with disk_refusals(self.cache.folder), cached as path:
            yield path

    def find_damage(self, file: StoredFile) -> Problem | None:
        """See Storage."""
        damage = self.bucket.read(_key(file.name, file.checksum))
        if damage and damage.checksum == file.checksum:
            return None
        return self._damage(file, there=damage is not None)

    def has_any(self, names: Collection[str]) -> bool:
        """See Storage."""
        folders = {name.partition("/")[0] for name in names}
        return any(_name(key) in names for folder in folders for key in self.bucket.list_keys(f"{folder}/"))

    def remove(self, name: str) -> None:
        """See Storage."""
        for key in self.bucket.list_keys(f"{name.removesuffix('.parquet')}."):
            if _name(key) == name:
                self.bucket.remove(key)

    def list_unfinished(self) -> list[Path]:
        """See Storage: an object is there whole or not at all."""
        return []

    def list_others(self, named: Iterable[StoredFile]) -> list[str]:
        """See Storage."""
        uploads = [f"{key} (an upload that was not finished)" for key, _ in self._uploads()]
        return self._other_keys(named) + uploads

    def remove_others(self, named: Iterable[StoredFile]) -> list[str]:
        """See Storage."""
        others, uploads = self._other_keys(named), list(self._uploads())
        for key in others:
            self.bucket.remove(key)
        for key, upload in uploads:
            self.bucket.end_upload(key, upload)
        return others + [key for key, _ in uploads]

    def lock(self, *, alone: bool) -> AbstractContextManager[None]:
        """See Storage: a lock of the index, since the servers share no folder."""
        return files_lock(self.index, alone=alone)

    def _other_keys(self, named: Iterable[StoredFile]) -> list[str]:
        known = {_key(file.name, file.checksum) for file in named}
        names = (key for folder in (GOLDEN_FOLDER, RUNS_FOLDER) for key in self.bucket.list_keys(f"{folder}/"))
        return [key for key in names if key not in known]

    def _uploads(self) -> Iterator[tuple[str, str]]:
        for folder in (GOLDEN_FOLDER, RUNS_FOLDER):
            yield from self.bucket.list_uploads(f"{folder}/")

    def _damage(self, file: StoredFile, *, there: bool) -> Problem:
        return damage_problem(self.bucket.place(_key(file.name, file.checksum)), file, there=there)

    def _find_place(self, name: str) -> str:
        return self.bucket.place(name)


def bucket_storage(address: BucketAddress, folder: Path, index: sa.Engine) -> BucketStorage:
    """The files in this bucket, copies of which are kept in the workspace's `folder` on this machine.

    Raises QavizError if a setting cannot be used. The bucket is not looked at yet.
    """
    cache = ReadCache(folder=folder / CACHE_FOLDER, most_bytes=_cache_mb() * 1_000_000)
    return BucketStorage(bucket=Bucket(address), cache=cache, index=index)


def _cache_mb() -> int:
    limit = os.environ.get(CACHE_VARIABLE) or str(CACHE_MB)
    if limit.isascii() and limit.isdigit() and 0 < int(limit) < 10**9:
        return int(limit)
    raise stop(
        where=CACHE_VARIABLE,
        found="no number of megabytes",
        expected=f"a whole number, such as {CACHE_MB}",
        fix="Correct it, or unset it.",
    )


def _key(name: str, known: str) -> str:
    return f"{name.removesuffix('.parquet')}.{known}.parquet"


def _name(key: str) -> str | None:
    match = _KEY.fullmatch(key)
    return f"{match[1]}.parquet" if match else None


def _hold(file: Path, held: ExitStack) -> None:
    """Keep the file from being removed until `held` ends, if it is there."""
    with suppress(FileNotFoundError):
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
        held.callback(os.close, descriptor)
        # Where the file system knows no locks, a file may go before it is read, and is fetched again.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            os.utime(file)


def _remove_unheld(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.unlink()
    finally:
        os.close(descriptor)
