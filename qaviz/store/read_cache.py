"""Copies of a bucket's files on this machine's disk: fetched once, and mapped from there."""

import errno
import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from qaviz.store.files import checksum, folder_lock, passing

_TIMES = 3
"""How often a copy is fetched that is gone or damaged before it can be read."""


@dataclass(frozen=True, kw_only=True)
class ReadCache:
    """A folder of files by name and checksum, for any number of threads and processes.

    No more than `most_bytes` stay, beside what is being read and the newest; those that were not read for longest go.
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
                self._fetch(file, fetch)
            raise OSError(errno.EIO, "copies of a bucket's files do not stay as they are written")

    def add(self, name: str, expected: str, written: Path) -> None:
        """Take in the file `written`, in this folder, which is then gone from there. Raises OSError."""
        self._take(written, self._file(name, expected))

    def scratch(self) -> Path:
        """Beside which files are made that become part of it."""
        return self.folder / "file"

    def _file(self, name: str, expected: str) -> Path:
        """A name of hexadecimal digits, whatever `name` and `expected` hold."""
        known = hashlib.sha256(f"{name} {expected}".encode()).hexdigest()
        return self.folder / f"{known}.parquet"

    def _hold_whole(self, file: Path, expected: str, held: ExitStack) -> bool:
        """Hold the file and return whether it is as expected: a bit that flipped on this disk is mended."""
        with folder_lock(self.folder, alone=False):
            _hold(file, held)
        return file.is_file() and checksum(file) == expected

    def _fetch(self, file: Path, fetch: Callable[[Path], object]) -> None:
        with passing(self.scratch()) as unfinished:
            fetch(unfinished)
            self._take(unfinished, file)

    def _take(self, written: Path, file: Path) -> None:
        """Make `written` the file, and remove others that were not read for longest. What somebody reads stays."""
        with folder_lock(self.folder, alone=True):
            os.replace(written, file)
            self._make_room(file)

    def _make_room(self, newest: Path) -> None:
        files = [(each.stat(), each) for each in self.folder.glob("*.parquet") if each != newest]
        taken = newest.stat().st_size + sum(status.st_size for status, _ in files)
        for size, file in [(status.st_size, file) for status, file in sorted(files, key=lambda each: each[0].st_mtime)]:
            if taken <= self.most_bytes:
                return
            with suppress(OSError):
                _remove_unheld(file)
                taken -= size


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
