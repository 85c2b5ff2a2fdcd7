"""Where bytes come from: a path or an upload, opened as UTF-8 text whatever its byte order mark says."""

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from qaviz.model import Problem, QavizError

UPLOAD_LIMIT = 200 * 1024**2
"""Most bytes of a file that arrives through the browser. A path on this machine has no limit: it is streamed."""

PROBLEM_LIMIT = 50
"""Most problems of one file that are spelled out. The rest are counted."""

_SNIFFED = 64 * 1024
_UTF_16_SHARE_OF_NULS = 0.2


@dataclass(frozen=True)
class Source:
    """One file to load: its name as a person knows it, and where its bytes are."""

    name: str
    data: Path | bytes
    limit: int = UPLOAD_LIMIT
    """Most bytes an upload may have (a path has no limit)."""

    @classmethod
    def of(cls, path: Path | str) -> "Source":
        """The file at `path`, named as it was given."""
        return cls(str(path), Path(path))

    @property
    def suffix(self) -> str:
        """`.jsonl`, in lower case; empty if the name has none."""
        return Path(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        """The file's name without folder and suffix."""
        return Path(self.name).stem

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.data) if isinstance(self.data, bytes) else self.data.stat().st_size

    @property
    def exists(self) -> bool:
        """Whether there is anything to open."""
        return isinstance(self.data, bytes) or self.data.is_file()

    def open(self) -> BinaryIO:
        """The raw bytes. Raises QavizError if the file cannot be read, is empty, or is an upload over its limit."""
        if isinstance(self.data, bytes):
            if len(self.data) > self.limit:
                raise QavizError(self._too_big())
            stream: BinaryIO = io.BytesIO(self.data)
        else:
            stream = _open_path(self.name, self.data)
        if self.size == 0:
            stream.close()
            raise QavizError(Problem(where=self.name, found="an empty file", expected="rows", fix="Export it again."))
        return stream

    def _too_big(self) -> Problem:
        return Problem(
            where=self.name,
            found=f"{self.size / 1024**2:,.1f} MB",
            expected=f"at most {self.limit / 1024**2:,.0f} MB in an upload",
            fix="Load it with `python -m qaviz import`, which has no limit, or split it.",
        )


def _open_path(name: str, path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise QavizError(
            Problem(
                where=name,
                found=f"no file that can be read ({error.strerror})",
                expected="a file",
                fix="Check the path and its permissions.",
            )
        ) from None


class Problems:
    """The problems of one file, in order, spelled out up to PROBLEM_LIMIT and counted beyond."""

    def __init__(self, name: str, unit: str) -> None:
        self.name = name
        self.unit = unit
        self._spelled: list[Problem] = []
        self._more = 0

    def __bool__(self) -> bool:
        return bool(self._spelled)

    def at(self, line: int) -> str:
        """`golden.csv line 7`."""
        return f"{self.name} {self.unit} {line}"

    def add(self, problem: Problem) -> None:
        """Note one problem."""
        if len(self._spelled) < PROBLEM_LIMIT:
            self._spelled.append(problem)
        else:
            self._more += 1

    def count_more(self, number: int) -> None:
        """Note that there are `number` more problems that nobody needs to read."""
        self._more += number

    def listed(self) -> tuple[Problem, ...]:
        """All spelled problems, and one that counts the rest."""
        if not self._more:
            return tuple(self._spelled)
        rest = Problem(
            where=self.name,
            found=f"{self._more:,} more problems",
            expected="none",
            fix="Mend those above first; they may share one cause.",
        )
        return (*self._spelled, rest)

    def stop_if_any(self) -> None:
        """Raise QavizError with everything noted so far."""
        if self:
            raise QavizError(*self.listed())


@contextmanager
def open_text(source: Source) -> Iterator[BinaryIO]:
    """The file as UTF-8 bytes without byte order mark.

    UTF-16 with a byte order mark is converted. Raises QavizError for binary data and for UTF-16 without the mark.
    """
    with source.open() as stream:
        head = stream.read(_SNIFFED)
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            stream.seek(0)
            yield _from_utf_16(source, stream.read())
            return
        _stop_at_nul(source, head)
        stream.seek(len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0)
        yield stream


def _from_utf_16(source: Source, data: bytes) -> BinaryIO:
    try:
        return io.BytesIO(data.decode("utf-16").encode())
    except UnicodeDecodeError as error:
        raise QavizError(
            Problem(
                where=source.name,
                found=f"a UTF-16 file with a broken character at byte {error.start:,}",
                expected="whole characters",
                fix="Save it as UTF-8.",
            )
        ) from None


def _stop_at_nul(source: Source, head: bytes) -> None:
    nuls = head.count(0)
    if not nuls:
        return
    looks_utf_16 = nuls / len(head) > _UTF_16_SHARE_OF_NULS and nuls / len(head) < 1
    raise QavizError(
        Problem(
            where=source.name,
            found="what looks like UTF-16 text without a byte order mark"
            if looks_utf_16
            else f"binary data (a NUL byte at byte {head.index(0):,})",
            expected=f"text, as the name says (`{source.suffix}`)",
            fix="Save it as UTF-8." if looks_utf_16 else "Check the file's suffix, or export it again.",
        )
    )
