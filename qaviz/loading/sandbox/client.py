"""Files that nobody trusts are read in a process of their own, which may die without harm.

It has MEMORY_LIMIT, a share of the environment without keys or passwords, and has to say something every SILENCE_S
seconds. It asks nobody on any network. Whatever it does, the asker goes on: with its answers, or with a QavizError."""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp, mkstemp
from threading import Lock
from types import MappingProxyType
from typing import Any
from weakref import finalize

from qaviz.loading.sandbox.messages import ERRORS, Answer, options_of, room_refusals, source_to, taken_table
from qaviz.loading.source import Source
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.processes import module_command, module_environment

MEMORY_LIMIT = 4 * 1024**3
"""Bytes of data that the process may have: four times what a Parquet file may decode to. Polars and Arrow need 0.1 GB.

RLIMIT_DATA, which counts what can be written to. RLIMIT_AS would count what allocators only reserve.
"""

SILENCE_S = 120
"""Seconds in which the process has to read the next part of a file, or a file that is only read whole."""

TICK_S = 0.1
"""Seconds between two looks at whether the work is still wanted."""

_SECONDS_TO_END = 2.0
_MESSAGE_LIMIT = 64 * 1024**2
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "POLARS_MAX_THREADS")
_OUT_OF_MEMORY = ("memory allocation of", "MemoryError", "bad_alloc", "failed to allocate")
_FIX = "Check where the file comes from; if you trust it, split it, or save it as JSON Lines."

_sizes: dict[Path, tuple[str, int]] = {}
"""Whose each file is, and its bytes."""


class Stopped(Enum):
    """Why a process did not get to the end of its work."""

    TIME = "time"
    MEMORY = "memory"
    DIED = "died"


class StoppedError(QavizError):
    """The process was stopped by one of its limits, or died."""

    def __init__(self, why: Stopped, problem: Problem) -> None:
        super().__init__(problem)
        self.why = why


def ask(
    do: str,
    sources: Sequence[Source],
    options: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    reader: "Nursery | None" = None,
    memory: int | None = None,
) -> Iterator[Answer]:
    """Yield what a process of its own answers to the request (`worker` has what it can `do`, or `reader`).

    `memory` is the limit in bytes (default MEMORY_LIMIT), -1 for none. `progress` is told several times a
    second, with nothing new where there is nothing: one that raises ends the work at once, and so does closing the
    iterator. Raises QavizError with the problems of the files, and StoppedError if the process dies, or goes over its
    memory or its time.
    """
    where = ", ".join(dict.fromkeys(source.name for source in sources))
    connection, beneath = (reader or _nursery).connection()
    with connection, TemporaryDirectory(dir=beneath, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        request = {
            "do": do,
            "sources": _place_sources(sources, folder),
            "options": dict(options or {}),
            "folder": name,
            "memory": MEMORY_LIMIT if memory is None else memory,
        }
        with closing(_Reader(connection, where, folder, progress)) as reading:
            reading.say(json.dumps(request).encode() + b"\n")
            yield from reading.answers()


def _place_sources(sources: Sequence[Source], folder: Path) -> list[dict[str, Any]]:
    """The sources as requests name them; the same upload in two places is one file."""
    named: dict[Path | bytes, dict[str, Any]] = {}
    requests = []
    for number, source in enumerate(sources):
        if source.data not in named:
            named[source.data] = source_to(source, folder, number)
        requests.append(named[source.data] | options_of(source))
    return requests


class Nursery:
    """The process that forks to read: started when it is first needed, and again if it is gone."""

    def __init__(self, module: str, environment: Mapping[str, str] = MappingProxyType({})) -> None:
        """`module` is what the process runs: it calls `nursery.main` with what may be asked of it.

        `environment` is set there beside what is taken from here.
        """
        self._module = module
        self._environment = environment
        atexit.register(self.close)
        self._lock = Lock()
        self._control: socket.socket | None = None
        self._folder = ""
        self._process: subprocess.Popen[bytes] | None = None

    def connection(self) -> tuple[socket.socket, str]:
        """A connection to a process that waits for a request, and the folder in which requests have theirs.

        The first line over the connection is that process's number.
        """
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            control = self._running()
            if not _pass_connection(control, theirs):
                self._control = control = self._start()
                _pass_connection(control, theirs)
            return ours, self._folder

    def folder(self) -> str:
        """The folder alone."""
        with self._lock:
            self._running()
            return self._folder

    def _running(self) -> socket.socket:
        # A machine that clears old temporary files away may have taken the folder.
        if self._control is None or not os.path.isdir(self._folder):
            self._control = self._start()
        return self._control

    def close(self) -> None:
        """End it, if it is there."""
        if self._control and self._process:
            self._control.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_SECONDS_TO_END)

    def _start(self) -> socket.socket:
        self.close()
        # Only we may look into it; the nursery removes it when we are gone, however we went.
        self._folder = mkdtemp(prefix="qaviz-")
        known = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                module_command(self._module, str(theirs.fileno()), self._folder),
                env=module_environment({**known, "OPENBLAS_NUM_THREADS": "1", **self._environment}),
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        return ours


def _pass_connection(control: socket.socket, connection: socket.socket) -> bool:
    try:
        socket.send_fds(control, [b"."], [connection.fileno()])
    except OSError:
        return False
    return True


_nursery = Nursery("qaviz.loading.sandbox.fork_server")


def private_folder() -> str:
    """A folder that only we may look into. It goes with this process, however that ends."""
    return _nursery.folder()


class _Reader:
    """The process that reads, as its asker sees it."""

    def __init__(self, connection: socket.socket, where: str, folder: Path, progress: Progress | None) -> None:
        self._connection, self._where, self._folder, self._progress = connection, where, folder, progress
        self._connection.settimeout(TICK_S)
        self._heard = b""
        self._ended = False
        self._told = (0.0, f"reading {where}")
        named = self._line()
        if not named:
            raise self._explain_early_end()
        self._process = int(named)

    def say(self, message: bytes) -> None:
        """Send the message, which the process may not be there to hear: its silence will say so."""
        with suppress(OSError):
            self._connection.sendall(message)

    def answers(self) -> Iterator[Answer]:
        """Yield the answers to the request. Raises QavizError, as `ask` does."""
        while not (message := self._message()).get("end"):
            self._ended = "problems" in message or "memory" in message
            if "progress" in message:
                fraction, words = message["progress"]
                self._told = (float(fraction), str(words))
                self._tell()
            elif "problems" in message:
                raise QavizError(*(Problem(**fields) for fields in message["problems"]))
            elif "memory" in message:
                raise self._over_memory()
            else:
                yield Answer(message["said"], self._tables(message["tables"]))
                self.say(b"+")
        self._ended = True

    def close(self) -> None:
        """Make sure that the process is gone, or about to leave by itself."""
        if not self._ended:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)

    def _tell(self) -> None:
        if self._progress:
            self._progress(*self._told)

    def _message(self) -> Mapping[str, Any]:
        line = self._line()
        if not line:
            self._ended = True
            raise self._explain_early_end()
        message: Mapping[str, Any] = json.loads(line)
        return message

    def _line(self) -> bytes:
        """The next line; empty where the process is gone. Raises QavizError if it says nothing for too long."""
        until = time.monotonic() + SILENCE_S
        while b"\n" not in self._heard and len(self._heard) < _MESSAGE_LIMIT:
            try:
                heard = self._connection.recv(1 << 16)
            except TimeoutError:
                self._tell()
                if time.monotonic() > until:
                    found = f"a file of which the next part takes more than {SILENCE_S:,} s to read"
                    raise self._make_stopped_error(Stopped.TIME, found, "less") from None
            except ConnectionError:
                return b""
            else:
                if not heard:
                    return b""
                self._heard += heard
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _tables(self, files: Mapping[str, str]) -> dict[str, Any]:
        try:
            return {name: taken_table(self._folder / Path(file).name) for name, file in files.items()}
        except (ValueError, OSError) as error:
            raise self._explain_early_end() from error

    def _explain_early_end(self) -> QavizError:
        """Why the process ended before its time, as far as it can be told; a bug's traceback goes to our stderr."""
        errors = self._folder / ERRORS
        said = errors.read_text(encoding="utf-8", errors="replace") if errors.exists() else ""
        if any(mark in said for mark in _OUT_OF_MEMORY):
            return self._over_memory()
        sys.stderr.write(said)
        found = "a file at which the process that reads it ended before its time"
        return self._make_stopped_error(Stopped.DIED, found, "a file that can be read")

    def _over_memory(self) -> QavizError:
        found = f"a file that takes more than {MEMORY_LIMIT / 1024**3:,.1f} GB of memory to read"
        return self._make_stopped_error(Stopped.MEMORY, found, "less")

    def _make_stopped_error(self, why: Stopped, found: str, expected: str) -> StoppedError:
        return StoppedError(why, Problem(where=self._where, found=found, expected=expected, fix=_FIX))


class _Copy:
    """Who has this has the file; it is removed with the last."""

    def __init__(self, file: Path, owner: str, size: int) -> None:
        _sizes[file] = owner, size
        finalize(self, _remove, file)


def count_spooled() -> dict[str, int]:
    """Bytes of the uploads that are on the disk, by owner."""
    held: dict[str, int] = {}
    for owner, size in list(_sizes.values()):
        held[owner] = held.get(owner, 0) + size
    return held


def kept(name: str, content: bytes, owner: str = "") -> Source:
    """The upload as a file in a folder that only we may look into, and that goes with this process, however it ends.

    The file goes earlier, when neither the source nor a copy of it is there any more. `owner` is the visitor's session.
    Raises QavizError if the disk has no room for it.
    """
    folder = Path(private_folder())
    with room_refusals(folder):
        descriptor, file = mkstemp(suffix=".upload", dir=folder)
        copy = _Copy(Path(file), owner, len(content))
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
    return Source(name, Path(file), uploaded=True, copy=copy)


def _remove(file: Path) -> None:
    _sizes.pop(file, None)
    # The folder may have gone before it.
    with suppress(OSError):
        file.unlink()
