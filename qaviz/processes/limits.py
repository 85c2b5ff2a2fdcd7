"""What a process of ours may take, and how its end before its time is told."""

import faulthandler
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from resource import RLIM_INFINITY, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA, RUSAGE_SELF, getrlimit, getrusage, setrlimit

from qaviz.model.errors import Problem, QavizError
from qaviz.model.secrets import in_one_line, redact

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
