"""The one way to run work in another process: how it starts, what it may take, how it is followed, how its end is said.

Three ways of starting, one set of limits, reports and ends:

- `start` and `run` do a function of qaviz in a fresh interpreter, over a folder that both sides share: FMEval,
  BERTScore, diagnosing in parallel.
- `loading.sandbox` forks a process that has loaded its libraries, in milliseconds: reading files and documents, scoring
  and diagnosing what is imported. It applies `Limits` in the fork and hears it by the same `Channel`.
- `pipelines.processes` starts programs of users, which know nothing of qaviz and speak their own lines. Its loop is
  asyncio's, because one thread talks to many of them beside HTTP. It takes `limits` and `signal_group`
  from here.

Ray starts the workers of `scoring.ray_engine` itself, also on other machines, and starts them again when they die.

A process tells its asker JSON objects, one a line, over a socket: its number as `process`, `progress`, `problems`
(those of a QavizError), `memory` (it had too little), and what its asker alone knows. Each leads a group of processes,
so that all that it started ends with it, and it ends when its asker is gone.
"""

import faulthandler
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA, RUSAGE_SELF, getrlimit, getrusage, setrlimit
from typing import Any, Concatenate

from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.model.visible import in_one_line, is_secret, redact

MACHINE_MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
"""Bytes that this machine has: a process that needs more is told so, before the system kills one of its choice."""
CORES = os.cpu_count() or 1
"""To count seconds of computing by; asking polars would start its threads, and whoever forks must have none."""

_OUT_OF_MEMORY = ("memory allocation of", "MemoryError", "bad_alloc", "failed to allocate")
_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")


class Why(Enum):
    """Why a process did not get to the end of its work."""

    MEMORY = "out of memory"
    TIME = "out of time"
    KILLED = "killed"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class End:
    """How a process ended before its work was done."""

    why: Why
    words: str
    """In words, to follow what ended: `ended with code 3; it wrote: ...`. On one line and without secrets."""


class StoppedError(QavizError):
    """A process went over its memory or its time, was killed, or crashed."""

    def __init__(self, end: End, about: Problem) -> None:
        super().__init__(replace(about, found=f"{about.found} {end.words}"))
        self.end = end


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a process may take; None is no limit."""

    memory: int | None = None
    """Bytes of data: RLIMIT_DATA, what it can write to. RLIMIT_AS would count what allocators only reserve."""
    silence_s: float | None = None
    """Seconds on the clock from one report to the next or to its end; its asker looks."""
    cpu_s: int | None = None
    """Seconds of computing, all threads together, from one report to the next: RLIMIT_CPU, so the system ends it also
    where its asker is busy or gone. What it starts has as many seconds in all."""

    def apply(self) -> None:
        """Put this process under the limits, which it cannot raise; it leaves no core dump, but a crash's traceback."""
        faulthandler.enable()
        setrlimit(RLIMIT_CORE, (0, 0))
        if self.memory is not None:
            most = getrlimit(RLIMIT_DATA)[1]
            memory = self.memory if most == RLIM_INFINITY else min(self.memory, most)
            setrlimit(RLIMIT_DATA, (memory, memory))
        self.renew()

    def renew(self) -> None:
        """Let this process compute for `cpu_s` from now on."""
        if self.cpu_s is not None:
            used = getrusage(RUSAGE_SELF)
            setrlimit(RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + self.cpu_s, getrlimit(RLIMIT_CPU)[1]))


def limit_command(command: Sequence[str], limits: Limits) -> list[str]:
    """The command of a program that does not limit its own memory, under the limit."""
    if limits.memory is None:
        return list(command)
    return ["/bin/sh", "-c", f'ulimit -c 0; ulimit -d {limits.memory // 1024}; exec "$@"', "sh", *command]


def explain_end(code: int | None, words: str, limits: Limits) -> End:
    """Why a process is gone, by its exit code, negative for a signal and None if unknown, and what it wrote last."""
    name = signal.Signals(-code).name if code is not None and -code in set(signal.Signals) else ""
    if code != 0 and any(mark in words for mark in _OUT_OF_MEMORY):
        return out_of_memory(limits)
    if name == "SIGXCPU":
        return out_of_time(limits)
    if name in _CRASHES:
        return End(Why.CRASHED, f"crashed ({name})")
    if name or (code is None and not words):
        return End(Why.KILLED, f"was killed ({name})" if name else "was killed")
    return End(Why.CRASHED, f"ended {'early' if code is None else f'with code {code}'}{quote_last_words(words)}")


def out_of_memory(limits: Limits) -> End:
    """The end of a process that needed more than its limit."""
    most = "there is" if limits.memory is None else f"{limits.memory / 1024**3:,.1f} GB"
    return End(Why.MEMORY, f"needed more memory than {most}")


def out_of_time(limits: Limits) -> End:
    """The end of a process of which one step took longer than its limit."""
    most = "" if limits.silence_s is None else f" than {limits.silence_s:,g} s"
    return End(Why.TIME, f"took more time{most} for one step")


def quote_last_words(words: str) -> str:
    """`; it wrote: ...` with the last line that a program wrote, short and without secrets; empty if it wrote none."""
    line = redact(words).strip().rpartition("\n")[2]  # Before the last line is taken: a private key has several.
    return f"; it wrote: {in_one_line(line)}" if line else ""


Cancelled = Callable[[], bool]
"""Asked several times a second; True ends the work."""
Message = Mapping[str, Any]
"""A JSON object that a process tells its asker, or is asked by it."""
Work = Callable[Concatenate[Path, Progress, ...], None]
"""A function at the top of a module: it gets the folder, says how far it is, and gets the texts it was started with."""

TICK_S = 0.1
"""Seconds between two looks at whether the work is still wanted."""
ERRORS = "errors.txt"
"""The file in a process's folder with what it and its libraries wrote to stdout and stderr."""

_PACKAGES = Path(__file__).parents[2]
_BEGIN_WITHIN_S = 60.0
"""An interpreter starts and says its number."""
_END_WITHIN_S = 2.0
_MESSAGE_LIMIT = 64 * 1024**2
_LAST_WORDS = 10_000
"""Characters of what a process wrote last that are read when it failed."""
_CLEAN = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "POLARS_MAX_THREADS")


class CancelledError(Exception):
    """The work was cancelled; nothing was changed."""


def module_command(module: str, *arguments: str) -> list[str]:
    """What runs a module in a fresh interpreter; `-P` keeps the current folder, whatever it holds, off its path."""
    return [sys.executable, "-P", "-m", module, *arguments]


def clean_environment(more: Mapping[str, str]) -> dict[str, str]:
    """What a process of ours needs of this environment, and `more`: no key, no password, no address of a database."""
    return _with_packages({**{name: os.environ[name] for name in _CLEAN if name in os.environ}, **more})


def library_environment(more: Mapping[str, str]) -> dict[str, str]:
    """This environment without secrets, and `more`: for libraries that read many variables of their own."""
    known = {name: value for name, value in os.environ.items() if not is_secret(name, value)}
    return _with_packages({**known, **more})


def _with_packages(environment: dict[str, str]) -> dict[str, str]:
    """With qaviz's own packages first on the import path: it may run from a checkout."""
    path = filter(None, (str(_PACKAGES), os.environ.get("PYTHONPATH")))
    return environment | {"PYTHONPATH": os.pathsep.join(path)}


def run(
    work: Work,
    folder: Path,
    *arguments: str,
    about: Problem,
    environment: Mapping[str, str],
    home: Path | None = None,
    limits: Limits,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> None:
    """Do the work in another process, to its end. Parameters and errors as `start` and `Running.finish` have them."""
    with start(work, folder, *arguments, about=about, environment=environment, home=home, limits=limits) as running:
        running.finish(progress, cancelled)


@contextmanager
def start(
    work: Work,
    folder: Path,
    *arguments: str,
    about: Problem,
    environment: Mapping[str, str],
    home: Path | None = None,
    limits: Limits,
) -> "Iterator[Running]":
    """Start `work(folder, progress, *arguments)` in a fresh interpreter, in the folder `home`.

    It and all that it started are gone when the context ends. What libraries leave in TMPDIR goes with `folder`, which
    the process removes itself where its asker is gone. `about` is how its end is told, what ended in `found`.

    A fresh interpreter, not a fork, which the threads of polars would lock up, and not a child of multiprocessing,
    which would run the main module again: under Streamlit that is a page.
    """
    name = f"{work.__module__}:{work.__qualname__}"
    ours, theirs = socket.socketpair()
    with ours:
        with theirs, (folder / ERRORS).open("wb") as errors:
            process = subprocess.Popen(
                module_command("qaviz.processes.worker", name, str(folder), json.dumps(asdict(limits)), *arguments),
                env={**environment, "TMPDIR": str(folder)},
                cwd=home,
                stdin=theirs.fileno(),
                stdout=errors,
                stderr=errors,
                start_new_session=True,
            )
        try:
            yield Running(process, Channel(ours, about, folder / ERRORS, limits, process))
        finally:
            end_group(process)


@dataclass(frozen=True, slots=True)
class Running:
    """A process that `start` started."""

    process: subprocess.Popen[bytes]
    channel: "Channel"

    def finish(self, progress: Progress | None = None, cancelled: Cancelled | None = None) -> None:
        """Wait for the end of the work.

        Raises CancelledError when `cancelled` said so, QavizError with the problems that the work raised, and
        StoppedError if it ended otherwise.
        """
        self.channel.progress, self.channel.cancelled = progress, cancelled
        while self.channel.hear():
            pass
        if self.process.wait():
            raise self.channel.explain_early_end()


@dataclass
class Channel:
    """What a process tells its asker."""

    connection: socket.socket
    about: Problem
    """How its end is told: `found` names what ended."""
    errors: Path
    limits: Limits
    process: subprocess.Popen[bytes] | None = None
    """None if somebody else is its parent, who tells its end as `ended`."""
    progress: Progress | None = None
    """Told several times a second, with nothing new where there is nothing; it may raise."""
    cancelled: Cancelled | None = None
    told: tuple[float, str] | None = None
    ended: bool = field(default=False, init=False)
    """Whether the process is gone, or about to leave."""
    _begun: bool = field(default=False, init=False)
    _heard: bytes = field(default=b"", init=False)
    _code: int | None = field(default=None, init=False)

    def send(self, message: bytes) -> None:
        """Send a line to the process, which may not be there to hear: its silence will say so."""
        with suppress(OSError):
            self.connection.sendall(message)

    def hear(self) -> Message | None:
        """The next message but progress; None where the process is gone.

        Raises CancelledError, QavizError with the problems that it told, and StoppedError where it told that it is out
        of memory, or nothing for too long.
        """
        while line := self._read_line():
            self._begun, message = True, _parse(line)
            self.ended = not message.keys().isdisjoint(("end", "ended", "problems", "memory"))
            if "progress" in message:
                fraction, words = message["progress"]
                self.told = float(fraction), str(words)
                self._tell()
            elif "ended" in message:
                self._code = int(message["ended"])
            elif "problems" in message:
                raise QavizError(*(Problem(**fields) for fields in message["problems"]))
            elif "memory" in message:
                raise StoppedError(out_of_memory(self.limits), self.about)
            elif message:
                return message
        self.ended = True
        return None

    def explain_early_end(self) -> StoppedError:
        """Why the process is gone. What it wrote before it crashed goes to our stderr."""
        code = self.process.wait() if self.process else self._code
        end = explain_end(code, words := _read_end(self.errors), self.limits)
        if end.why is Why.CRASHED:
            sys.stderr.write(redact(words))
        return StoppedError(end, self.about)

    def _tell(self) -> None:
        if self.cancelled and self.cancelled():
            raise CancelledError
        if self.progress and self.told:
            self.progress(*self.told)

    def _read_line(self) -> bytes:
        """The next line; empty where the process is gone. Raises as `hear` does."""
        self.connection.settimeout(TICK_S)
        began, gone = time.monotonic(), False
        while b"\n" not in self._heard and len(self._heard) < _MESSAGE_LIMIT:
            try:
                heard = self.connection.recv(1 << 16)
            except TimeoutError:
                self._tell()
                if gone:  # What it started may hold the connection still.
                    return b""
                gone = self.process is not None and self.process.poll() is not None
                if self._is_late(time.monotonic() - began):
                    raise StoppedError(out_of_time(self.limits), self.about) from None
            except ConnectionError:
                return b""
            else:
                if not heard:
                    return b""
                self._heard += heard
        line, _, self._heard = self._heard.partition(b"\n")
        return line + b"\n"

    def _is_late(self, silent_s: float) -> bool:
        limit = self.limits.silence_s
        return limit is not None and silent_s > (limit if self._begun else max(limit, _BEGIN_WITHIN_S))


def _parse(line: bytes) -> Message:
    """The message of a line; an empty one where it is none, such as half a line of a process that was killed."""
    with suppress(ValueError):
        message = json.loads(line)
        if isinstance(message, dict):
            return message
    return {}


def _read_end(file: Path) -> str:
    """The end of what was written to a file, from the beginning of a line; empty if there is no file."""
    with suppress(FileNotFoundError), file.open("rb") as stream:
        left = max(0, file.stat().st_size - _LAST_WORDS)
        stream.seek(left)
        words = stream.read().decode(errors="replace")
        return words.partition("\n")[2] or words if left else words
    return ""


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Make sure that a process that leads a session, and all that it started there, is gone; it may clear up first."""
    signal_group(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_END_WITHIN_S)
    signal_group(process.pid, signal.SIGKILL)
    process.wait()


def signal_group(leader: int, what: signal.Signals) -> None:
    """Send the signal to the process that leads a session and all that it started there, those that are left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, what)
