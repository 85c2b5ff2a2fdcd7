"""Files that nobody trusts are read in a process of their own, which may die without harm.

It has the memory and the time of LIMITS, and an environment without keys or passwords. It asks nobody on any network.
Whatever it does, the asker goes on: with its answers, or with a QavizError."""

import atexit
import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp, mkstemp
from threading import Lock
from typing import Any
from weakref import finalize

import polars as pl
import pyarrow as pa

from qaviz.loading.source import Source
from qaviz.model.errors import Problem, stop
from qaviz.model.records import Progress
from qaviz.processes import (
    CORES,
    ERRORS,
    Channel,
    End,
    Limits,
    Message,
    StoppedError,
    Why,
    clean_environment,
    module_command,
    signal_group,
)

Options = Message
"""What a request says beside its files; each operation knows its own."""

_OPTIONS = ("sheet", "skip_bad", "keep_errors")


@dataclass(frozen=True)
class Answer:
    """One of the answers to a request."""

    said: Message
    """What JSON can say."""
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)


Operation = Callable[[list[Source], Options, Progress], Iterator[Answer]]
"""Reads files, with options, and yields what it reads."""
Operations = Mapping[str, Operation]
"""What a request may ask for, by name."""


@contextmanager
def room_refusals(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses to write into `folder` into a QavizError."""
    try:
        yield
    except OSError as error:
        fault = f"a folder for temporary files that cannot be written to ({error.strerror or error})"
        fix = "Make room there, or set TMPDIR to another folder."
        raise stop(str(folder), fault, "free space", fix) from error


def source_to(source: Source, folder: Path, number: int) -> Message:
    """The source as a request names it. An upload goes to a file of `folder`. Raises QavizError if it is too large."""
    if isinstance(source.data, bytes):
        source.refuse_over_limit()
        path = folder / f"{number}.upload"
        with room_refusals(folder):
            path.write_bytes(source.data)
    else:
        path = source.data.absolute()
    return {"path": str(path), "uploaded": isinstance(source.data, bytes)} | options_of(source)


def options_of(source: Source) -> dict[str, Any]:
    """What the source says of itself beside its bytes, as JSON can say it."""
    return {name: getattr(source, name) for name in ("name", *_OPTIONS, "joined")} | {"mapping": dict(source.mapping)}


def source_from(request: Message) -> Source:
    """The source that `source_to` named."""
    options = {name: request[name] for name in ("uploaded", "mapping", *_OPTIONS)}
    joined = tuple((question, question_id) for question, question_id in request["joined"])
    return Source(request["name"], Path(request["path"]), joined=joined, **options)


def write_table(table: pl.DataFrame, file: Path) -> None:
    """Write the table as an Arrow file, for `taken_table`. Raises QavizError if there is no room for it."""
    arrow = table.to_arrow(compat_level=pl.CompatLevel.oldest())
    with room_refusals(file.parent), pa.OSFile(str(file), "wb") as stream, pa.ipc.new_file(stream, arrow.schema) as to:
        to.write_table(arrow)


def taken_table(file: Path) -> pl.DataFrame:
    """The table in an Arrow file, which is removed.

    Raises ValueError or OSError if it is none, or breaks Arrow's rules anywhere: whoever wrote it has read a file that
    nobody trusts.
    """
    with pa.OSFile(str(file)) as stream:
        table = pa.ipc.open_file(stream).read_all()
    file.unlink()
    table.validate(full=True)
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame


LIMITS = Limits(memory=4 * 1024**3, silence_s=120, cpu_s=120 * CORES)
"""Of a process that reads a file. The memory is four times what a Parquet file may decode to; polars and Arrow need
0.1 GB. One step is the next part of a file, or a file that is only read whole."""

_SECONDS_TO_END = 2.0
_FIX = "Check where the file comes from; if you trust it, split it, or save it as JSON Lines."

_sizes: dict[Path, tuple[str, int]] = {}
"""Whose each file is, and its bytes."""


class ForkServer:
    """The process that forks to answer: started when it is first needed, and again if it is gone."""

    def __init__(self, *modules: str, **environment: str) -> None:
        """What may be asked are the OPERATIONS of the first of the modules that it loads.

        `environment` is set there beside what every process of ours gets.
        """
        self._modules, self._environment = modules, environment
        atexit.register(self.close)
        self._lock = Lock()
        self._control: socket.socket | None = None
        self._folder = ""
        self._process: subprocess.Popen[bytes] | None = None

    def connection(self) -> tuple[socket.socket, str]:
        """A connection to a fork that waits for a request, and the folder in which requests have theirs.

        The first message over the connection is the fork's number, as `process`.
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
        # Only we may look into it; the server removes it when we are gone, however we went.
        self._folder = mkdtemp(prefix="qaviz-")
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                module_command("qaviz.loading.sandbox.fork_server", self._folder, *self._modules),
                env=clean_environment({"OPENBLAS_NUM_THREADS": "1", **self._environment}),
                stdin=theirs.fileno(),
                start_new_session=True,
            )
        return ours


def _pass_connection(control: socket.socket, connection: socket.socket) -> bool:
    try:
        socket.send_fds(control, [b"."], [connection.fileno()])
    except OSError:
        return False
    return True


_readers = ForkServer("qaviz.loading.sandbox.operations")


def private_folder() -> str:
    """A folder that only we may look into. It goes with this process, however that ends."""
    return _readers.folder()


def ask(
    do: str,
    sources: Sequence[Source],
    options: Options | None = None,
    progress: Progress | None = None,
    server: ForkServer | None = None,
    about: Problem | None = None,
    limits: Limits | None = None,
) -> Iterator[Answer]:
    """Yield what a process of its own answers to the request: what the server's operation `do` gives.

    `limits` are LIMITS if not given. `progress` is told several times a second, with nothing new where there is
    nothing: one that raises ends the work at once, and so does closing the iterator. Raises QavizError with the
    problems of the files, and StoppedError, of which `about` has the words, if the process ends before its time.
    """
    where = ", ".join(dict.fromkeys(source.name for source in sources))
    about = about or Problem(where=where, found="a file whose reader", expected="a file that can be read", fix=_FIX)
    limits = limits or LIMITS
    connection, beneath = (server or _readers).connection()
    with connection, TemporaryDirectory(dir=beneath, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        channel = Channel(connection, about, folder / ERRORS, limits, progress=progress, told=(0.0, f"reading {where}"))
        request = {
            "do": do,
            "sources": _place_sources(sources, folder),
            "options": dict(options or {}),
            "folder": name,
            "limits": asdict(limits),
        }
        fork = _hear(channel)["process"]
        try:
            channel.send(json.dumps(request).encode() + b"\n")
            while not (message := _hear(channel)).get("end"):
                yield Answer(message["said"], _tables(folder, message["tables"], channel))
                channel.send(b"+")
        finally:
            if not channel.ended:
                signal_group(fork, signal.SIGKILL)


def _hear(channel: Channel) -> Message:
    """The next message. Raises QavizError, as `ask` does."""
    message = channel.hear()
    if message is None:
        raise channel.explain_early_end()
    return message


def _tables(folder: Path, files: Mapping[str, str], channel: Channel) -> dict[str, pl.DataFrame]:
    try:
        return {name: taken_table(folder / Path(file).name) for name, file in files.items()}
    except (ValueError, OSError) as error:
        raise StoppedError(End(Why.CRASHED, "handed over a table that cannot be read"), channel.about) from error


def _place_sources(sources: Sequence[Source], folder: Path) -> list[Message]:
    """The sources as requests name them; the same upload in two places is one file."""
    named: dict[Path | bytes, Message] = {}
    requests = list[Message]()
    for number, source in enumerate(sources):
        if source.data not in named:
            named[source.data] = source_to(source, folder, number)
        requests.append({**named[source.data], **options_of(source)})
    return requests


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


def keep_upload(name: str, content: bytes, owner: str = "") -> Source:
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
