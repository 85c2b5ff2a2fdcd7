"""The one way to run work in another process: a job folder, limits, progress, and an end in words.

`start` has a function of qaviz done by `work_in` in a fresh interpreter: reading files and documents, judging rows,
FMEval, BERTScore. The folder holds `job.json` (the function, its options, the limits), tables as Parquet in both
directions, and what the process wrote beside. The process says JSON objects, one a line, on its stdout (`progress`,
`answer`, `problems`, `end`) and hears such lines on its stdin, which ends with its asker. It leads a group of
processes, so that all that it started ends with it.

Programs of users speak lines of their own, in `pipelines.processes`, which takes groups and words from here.
Ray starts the workers of `bulk.shards` itself, also on other machines.
"""

import ctypes
import faulthandler
import gc
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from resource import RLIM_INFINITY, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA, RUSAGE_SELF, getrlimit, getrusage, setrlimit
from tempfile import TemporaryDirectory
from threading import Semaphore, Thread
from typing import IO, TYPE_CHECKING, Any

from qaviz.model.errors import Problem, QavizError, disk_refusals
from qaviz.model.records import Progress
from qaviz.model.visible import in_one_line, is_secret, redact

if TYPE_CHECKING:
    import polars as pl

MACHINE_MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
"""Bytes that this machine has: a process that needs more is told so, before the system kills one of its choice."""

_OUT_OF_MEMORY = ("memory allocation of", " bytes failed", "MemoryError", "bad_alloc", "failed to allocate")
_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")


class StoppedError(QavizError):
    """A process went over its memory or its time, was killed, or crashed."""

    def __init__(self, end: str, about: Problem) -> None:
        """`end` says which, in words that follow what ended; `about` names that in `found`."""
        super().__init__(replace(about, found=f"{about.found} {end}"))


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
    network: bool = True
    """Whether it may reach other machines; without, it has no network where the system lets a user give one up."""

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


@contextmanager
def within(cpu_s: float) -> Iterator[None]:
    """What is done here computes for at most so long, all threads together, else the system ends this process. Exact to
    some milliseconds, and inside a library too, which hears no exception of Python's."""
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def explain_end(code: int | None, words: str, limits: Limits) -> str:
    """Why a process is gone, by its exit code, negative for a signal and None if unknown, and what it wrote last: in
    words that follow what ended, on one line and without secrets, such as `ended with code 3; it wrote: ...`."""
    name = signal.Signals(-code).name if code is not None and -code in set(signal.Signals) else ""
    if code != 0 and any(mark in words for mark in _OUT_OF_MEMORY):
        most = "there is" if limits.memory is None else f"{limits.memory / 1024**3:,.1f} GB"
        return f"needed more memory than {most}"
    if name == "SIGXCPU":
        return out_of_time(limits)
    if name == "SIGPROF":  # of `within`
        return "took more time than it may for one part"
    if name in _CRASHES:
        return f"crashed ({name})"
    if name or (code is None and not words):
        return f"was killed ({name})" if name else "was killed"
    return f"ended {'early' if code is None else f'with code {code}'}{quote_last_words(words)}"


def out_of_time(limits: Limits) -> str:
    """The end of a process of which one step took longer than its limit."""
    most = "" if limits.silence_s is None else f" than {limits.silence_s:,g} s"
    return f"took more time{most} for one step"


def quote_last_words(words: str) -> str:
    """`; it wrote: ...` with the last line that a program wrote, short and without secrets; empty if it wrote none."""
    line = redact(words).strip().rpartition("\n")[2]  # Before the last line is taken: a private key has several.
    return f"; it wrote: {in_one_line(line)}" if line else ""


Cancelled = Callable[[], bool]
"""Asked several times a second; True ends the work."""
Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the things that work gives."""

    values: Message = field(default_factory=dict)
    tables: Mapping[str, "pl.DataFrame"] = field(default_factory=dict)


Work = Callable[["Job"], Iterator[Answer] | None]
"""A function at the top of a module: it gets the job, and may yield answers."""

TICK_S = 0.1
"""Seconds between two looks at whether the work is still wanted."""
JOB, ERRORS = "job.json", "errors.txt"
"""Files in a job's folder: what is to be done, and what the process and its libraries wrote to stdout and stderr."""

_PACKAGES = Path(__file__).parents[1]
_WORK = "from qaviz.processes import work_in; work_in()"
_BEGIN_WITHIN_S = 60.0
"""An interpreter starts and says that it has."""
_END_WITHIN_S = 2.0
_MESSAGE_LIMIT = 64 * 1024**2
_LAST_WORDS = 10_000
"""Characters of what a process wrote last that are read when it failed."""
_CLEAN = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "POLARS_MAX_THREADS")


class CancelledError(Exception):
    """The work was cancelled; nothing was changed."""


def clean_environment(more: Mapping[str, str]) -> dict[str, str]:
    """What a process of ours needs of this environment, and `more`: no key, no password, no address of a database."""
    return _with_packages({name: os.environ[name] for name in _CLEAN if name in os.environ}, more)


def library_environment(more: Mapping[str, str]) -> dict[str, str]:
    """This environment without secrets, and `more`: for libraries that read many variables of their own."""
    return _with_packages({name: value for name, value in os.environ.items() if not is_secret(name, value)}, more)


def _with_packages(environment: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """With qaviz's own packages first on the import path: it may run from a checkout."""
    path = filter(None, (str(_PACKAGES), os.environ.get("PYTHONPATH")))
    return {**environment, **more, "PYTHONPATH": os.pathsep.join(path)}


def room_refusals(folder: Path) -> AbstractContextManager[None]:
    """Turn what the disk refuses to write into `folder`, which is for temporary files, into a QavizError."""
    return disk_refusals(folder, "Make room there, or set TMPDIR to another folder.")


@contextmanager
def job_folder() -> Iterator[Path]:
    """A folder for one job, which only we may look into; it goes with the context."""
    with room_refusals(Path("TMPDIR")):
        folder = TemporaryDirectory(prefix="qaviz-", ignore_cleanup_errors=True)
    with folder as name:
        yield Path(name)


def write_tables(folder: Path, number: int | str, tables: Mapping[str, "pl.DataFrame"]) -> dict[str, str]:
    """Write the tables as Parquet into a job's folder. Returns the files' names. Raises QavizError for a full disk."""
    files = {name: f"{number}-{name}.parquet" for name in tables}
    with room_refusals(folder):
        for name, table in tables.items():
            table.write_parquet(folder / files[name], compression="uncompressed", statistics=False)
    return files


def take_tables(folder: Path, files: Mapping[str, str]) -> "dict[str, pl.DataFrame]":
    """The tables of these files in a job's folder, which are removed. Raises OSError or ValueError for a broken one."""
    import polars as pl  # not above: it starts threads, and a process gives up its network before it has any

    tables = {}
    for name, file in files.items():
        path = folder / Path(file).name  # whoever wrote this has read a file that nobody trusts
        try:
            tables[name] = pl.read_parquet(path.read_bytes())
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise ValueError(str(error)) from error
        path.unlink()
    return tables


@contextmanager
def start(
    work: Work,
    folder: Path,
    options: Message | None = None,
    *,
    about: Problem,
    environment: Mapping[str, str],
    home: Path | None = None,
    limits: Limits,
) -> "Iterator[Running]":
    """Start `work` in a fresh interpreter over the folder, in the folder `home`, with options that JSON can say. It and
    all that it started are gone when the context ends. What libraries leave in TMPDIR goes with `folder`, which the
    process removes itself where its asker is gone. `about` is how its end is told, what ended in `found`. A fresh
    interpreter, not a fork, which the threads of polars would lock up, and not a child of multiprocessing, which would
    run the main module again: under Streamlit that is a page."""
    name = f"{work.__module__}:{work.__qualname__}"
    job = {"work": name, "options": dict(options or {}), "limits": asdict(limits)}
    with room_refusals(folder):
        (folder / JOB).write_text(json.dumps(job), "utf-8")
        errors = (folder / ERRORS).open("wb")
    with errors:
        process = subprocess.Popen(
            # -P keeps the current folder, whatever it holds, off the import path.
            [sys.executable, "-P", "-c", _WORK, str(folder.absolute())],
            env={**environment, "TMPDIR": str(folder.absolute())},
            cwd=home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=0,
            start_new_session=True,
        )
    running = Running(process, folder, about, limits)
    try:
        yield running
    finally:
        end_group(process, at_once=not running.ended)
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                there(pipe).close()


@dataclass
class Running:
    """A process that `start` started, and what it says. For one thread."""

    process: subprocess.Popen[bytes]
    folder: Path
    about: Problem
    """How its end is told: `found` names what ended."""
    limits: Limits
    progress: Progress | None = None
    """Told several times a second, with nothing new where there is nothing; it may raise, which ends the work."""
    ended: bool = field(default=False, init=False)
    """Whether the work is done, or the process gone."""
    _told: tuple[float, str] | None = field(default=None, init=False)
    _given: int = field(default=0, init=False)
    _begun: bool = field(default=False, init=False)
    _heard: bytes = field(default=b"", init=False)

    def finish(self, progress: Progress | None = None) -> None:
        """Wait for the end of the work. Raises as `answers`."""
        for _ in self.answers(progress):
            pass

    def answers(self, progress: Progress | None = None) -> Iterator[Answer]:
        """Yield the answers up to the end of the work. Raises QavizError with the problems that the work raised, and
        StoppedError if it ended otherwise."""
        self.progress = progress
        while answer := self.hear():
            yield answer

    def give(self, tables: Mapping[str, "pl.DataFrame"], values: Message | None = None) -> None:
        """Give the work these tables, for its `Job.take_given`."""
        self._given += 1
        self._told = 0.0, ""
        files = write_tables(self.folder, f"given-{self._given}", tables)
        self._send({"given": dict(values or {}), "tables": files})

    def hear(self) -> Answer | None:
        """The next answer; None once the work is done. Raises as `answers`."""
        while line := self._read_line():
            self._begun, message = True, _parse(line)
            if "progress" in message:
                fraction, words = message["progress"]
                self._told = float(fraction), str(words)
                self._tell()
            elif "problems" in message:
                self.ended = True
                raise QavizError(*(Problem(**fields) for fields in message["problems"]))
            elif "end" in message:
                self.ended = True
                return None
            elif "answer" in message:
                try:
                    answer = Answer(message["answer"], take_tables(self.folder, message["tables"]))
                except (ValueError, OSError) as error:
                    raise StoppedError("handed over a table that cannot be read", self.about) from error
                self._send({"taken": True})
                return answer
        # What it wrote before goes to our stderr, with the traceback of a crash.
        words = read_end(self.folder / ERRORS)
        sys.stderr.write(redact(words))
        raise StoppedError(explain_end(self.process.wait(), words, self.limits), self.about)

    def _send(self, message: Message) -> None:
        """Send a line to the process, which may not be there to hear: its silence will say so."""
        with suppress(OSError):
            there(self.process.stdin).write(json.dumps(message).encode() + b"\n")

    def _tell(self) -> None:
        if self.progress and self._told:
            self.progress(*self._told)

    def _read_line(self) -> bytes:
        """The next line; empty where the process is gone. Raises as `hear` does."""
        began, gone = time.monotonic(), False
        while b"\n" not in self._heard and len(self._heard) < _MESSAGE_LIMIT:
            if select.select([there(self.process.stdout)], [], [], TICK_S)[0]:
                heard = os.read(there(self.process.stdout).fileno(), 1 << 16)
                if not heard:
                    return b""
                self._heard += heard
                continue
            self._tell()
            if gone:  # What it started may hold the pipe still.
                return b""
            gone = self.process.poll() is not None
            limit = self.limits.silence_s
            most = limit if limit is None or self._begun else max(limit, _BEGIN_WITHIN_S)
            if most is not None and time.monotonic() - began > most:
                raise StoppedError(out_of_time(self.limits), self.about) from None
        line, _, self._heard = self._heard.partition(b"\n")
        return line + b"\n"


def there(pipe: IO[bytes] | None) -> IO[bytes]:
    """A pipe that a process was started with."""
    assert pipe is not None  # it was asked for
    return pipe


def _parse(line: bytes) -> Message:
    """The message of a line; an empty one where it is none, such as half a line of a process that was killed."""
    with suppress(ValueError):
        message = json.loads(line)
        if isinstance(message, dict):
            return message
    return {}


def read_end(file: Path) -> str:
    """The end of what was written to a file, from the beginning of a line; empty if there is no file."""
    with suppress(FileNotFoundError), file.open("rb") as stream:
        left = max(0, file.stat().st_size - _LAST_WORDS)
        stream.seek(left)
        words = stream.read().decode(errors="replace")
        return words.partition("\n")[2] or words if left else words
    return ""


def end_group(process: subprocess.Popen[bytes], *, at_once: bool) -> None:
    """Make sure that a process that leads a session, and all that it started there, is gone; it may clear up first."""
    if at_once:
        signal_group(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_END_WITHIN_S)
    signal_group(process.pid, signal.SIGKILL)
    process.wait()


def signal_group(leader: int, what: signal.Signals) -> None:
    """Send the signal to the process that leads a session and all that it started there, those that are left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, what)


AHEAD = 2
"""Answers that wait for the asker: the next part of a file is read while this one is scored, and no more than that."""

_END_AND_REMOVE = 'kill -KILL -- "-$1"; sleep 1; rm -rf -- "$2"'

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
"""Flags of Linux's `unshare`."""


class Job:
    """In the process: what is to be done, in which folder, and how it is told."""

    def __init__(self, folder: Path, options: Message, limits: Limits) -> None:
        self.folder, self.options = folder, options
        self._limits = limits
        self._given: SimpleQueue[Message] = SimpleQueue()
        self._room = Semaphore(AHEAD)
        # What libraries print goes where errors go.
        self._asker = os.dup(sys.stdout.fileno())
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def progress(self, fraction: float, words: str) -> None:
        """Tell how far the work is, unless the asker is too busy to hear it; the next part has its time anew."""
        self._limits.renew()
        if select.select([], [self._asker], [], 0)[1]:
            self._say({"progress": [fraction, words]})

    def take_given(self) -> Iterator[Answer]:
        """Yield what the asker gives (`Running.give`), as it comes."""
        while True:
            message = self._given.get()
            yield Answer(message["given"], take_tables(self.folder, message["tables"]))

    def do(self, work: Work) -> None:
        """Do the work under the limits. What a user can mend is told; a bug is raised."""
        self._limits.apply()
        try:
            for number, answer in enumerate(work(self) or ()):
                self._room.acquire()
                files = write_tables(self.folder, number, answer.tables)
                self._say({"answer": dict(answer.values), "tables": files})
        except QavizError as error:
            self._say({"problems": [asdict(problem) for problem in error.problems]})
        else:
            self._say({"end": True})

    def listen(self) -> None:
        """Hear the asker, and end with it."""
        rest = b""
        while heard := os.read(0, 1 << 16):  # not sys.stdin, which would keep the interpreter from its end
            *lines, rest = (rest + heard).split(b"\n")
            for message in map(json.loads, lines):
                if "taken" in message:
                    self._room.release()
                else:
                    self._given.put(message)
        self._leave()

    def _say(self, message: Message) -> None:
        """Say the message. Where nobody hears it, this process ends."""
        left = memoryview(json.dumps(message).encode() + b"\n")
        try:
            while left:
                left = left[os.write(self._asker, left) :]
        except BrokenPipeError:
            self._leave()

    def _leave(self) -> None:
        """End this process and all that it started, and remove the folder."""
        # By a process of another group, which is there still when nobody writes into the folder any more.
        command = ["/bin/sh", "-c", _END_AND_REMOVE, "sh", str(os.getpgrp()), str(self.folder)]
        subprocess.Popen(command, start_new_session=True).wait()
        os.killpg(0, signal.SIGKILL)


def leave_network() -> None:
    """Give up the network for this process and what it starts, where Linux lets a user do so."""
    user, group = os.getuid(), os.getgid()
    with suppress(OSError, AttributeError):
        if ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER | _NEW_NETWORK) == 0:
            Path("/proc/self/setgroups").write_text("deny")
            # Without a map no file could be made.
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def work_in() -> None:
    """In the process: do the job in the folder that its argument names."""
    folder = Path(sys.argv[1])
    fields = json.loads((folder / JOB).read_text("utf-8"))
    limits = Limits(**fields["limits"])
    if not limits.network:
        leave_network()
    job = Job(folder, fields["options"], limits)
    Thread(target=job.listen, daemon=True).start()
    module, _, function = fields["work"].partition(":")
    job.progress(0.0, "starting")
    gc.disable()  # as in qaviz.__main__: importing makes no cycles
    work = getattr(import_module(module), function)
    gc.enable()
    job.do(work)
