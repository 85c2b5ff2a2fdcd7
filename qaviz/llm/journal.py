"""The journal: every raw reply, on the disk before it is read, found again by the hash of its request.

JSON Lines, only ever appended to. A line has `key`, `model`, `at` (ISO, UTC), `seconds`, `format` (how `raw` is to be
read), `raw`, and `usage` (tokens in and out, null where the server did not say). Prompts and keys are not in it.
"""

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from qaviz.model.errors import stop


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A raw reply as the journal keeps it."""

    key: str
    model: str
    at: str
    seconds: float
    format: str
    raw: str
    usage: tuple[int, int] | None

    def line(self) -> bytes:
        """The entry as a line of the file."""
        # Lone surrogates, which JSON escapes can spell, have no UTF-8.
        fields = asdict(self) | {
            "raw": self.raw.encode(errors="replace").decode(),
            "usage": self.usage and [*self.usage],
        }
        return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)


class Journal:
    """An open journal. Knows where each reply stands; reads one only when it is asked for."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path, self._descriptor = path, descriptor
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0
        """Where the next line begins, whatever else than entries stands in the file."""
        with open(descriptor, "rb", closefd=False) as file:
            for line in file:
                if entry := entry_of(line):
                    self._places.setdefault(entry.key, (self._end, len(line)))
                self._end += len(line)
        self._torn = self._end > 0
        """Whether the file may end within a line, which the next one must not be glued to."""

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def find(self, key: str) -> Entry | None:
        """The reply to the request with this key, None where there is none."""
        place = self._places.get(key)
        return place and entry_of(os.pread(self._descriptor, place[1], place[0]))

    def append(self, entries: Sequence[Entry]) -> None:
        """Keep these replies; they are on the disk when this returns. Raises QavizError if the disk refuses."""
        lines = [entry.line() for entry in entries]
        try:
            if self._torn:
                self._end = os.fstat(self._descriptor).st_size
                if os.pread(self._descriptor, 1, self._end - 1) != b"\n":
                    self._end += os.write(self._descriptor, b"\n")
                self._torn = False
            content = b"".join(lines)
            while content:
                content = content[os.write(self._descriptor, content) :]
            os.fsync(self._descriptor)
        except OSError as error:
            self._torn = True
            where = str(self.path)
            fix = "Make room, and start again: what was kept is not asked again."
            raise stop(where, error.strerror or type(error).__name__, "a disk that takes the replies", fix) from error
        for entry, line in zip(entries, lines, strict=True):
            self._places.setdefault(entry.key, (self._end, len(line)))
            self._end += len(line)


def entry_of(line: bytes) -> Entry | None:
    """Read a line of a journal; None if it is no entry."""
    try:
        content = orjson.loads(line)
        usage = content["usage"]
        return Entry(
            key=str(content["key"]),
            model=str(content["model"]),
            at=str(content["at"]),
            seconds=float(content["seconds"]),
            format=str(content["format"]),
            raw=str(content["raw"]),
            usage=None if usage is None else (int(usage[0]), int(usage[1])),
        )
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, IndexError):
        return None


@contextmanager
def open_journal(path: Path) -> Iterator[Journal]:
    """Open a journal to write into, for this process alone; made, with its folder, where there is none. Raises
    QavizError if another process has it open, or if the disk refuses."""
    with _open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            fault = "another session that is asking with this journal"
            fix = "Wait until it has ended, or end it: what it asked is kept."
            raise stop(str(path), fault, "one at a time, so that nothing is paid twice", fix) from error
        yield Journal(path, descriptor)


@contextmanager
def open_recording(path: Path) -> Iterator[Journal]:
    """Open a journal to read from, by any number of processes. Raises QavizError if it cannot be read."""
    with _open(path, os.O_RDONLY) as descriptor:
        yield Journal(path, descriptor)


@contextmanager
def _open(path: Path, flags: int) -> Iterator[int]:
    """The descriptor of the file, which is closed behind the context. Raises QavizError if the system refuses it."""
    try:
        if flags & os.O_CREAT:
            path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, flags | os.O_CLOEXEC, 0o600)
    except OSError as error:
        reason, fix = error.strerror or type(error).__name__, "Name another file, or allow reading and writing it."
        raise stop(str(path), reason, "a file for the journal of replies", fix) from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)
