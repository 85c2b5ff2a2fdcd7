"""Long work beside the pages, in a thread of its own: whoever asks learns how far it is, and anyone may cancel it."""

import time
from collections.abc import Callable, Hashable
from threading import Event, Lock, Thread
from typing import Any, Generic, Protocol, TypeVar

from qaviz.model.errors import QavizError, stop
from qaviz.model.records import Progress
from qaviz.processes import Cancelled, CancelledError

Result = TypeVar("Result")

Work = Callable[[Progress, Cancelled], Result]
"""Says how far it is, and raises CancelledError soon after it was told to end."""


MOST_JOBS = 3
"""Pieces of long work that one person may have running at once."""

_running: "set[Job[Any]]" = set()
_lock = Lock()


def count_running() -> int:
    """How many jobs are running in this process."""
    with _lock:
        return len(_running)


def end_all(seconds: float) -> None:
    """Tell all jobs to end, and wait so long for them: before the server stops."""
    with _lock:
        jobs = list(_running)
    for job in jobs:
        job.cancel()
    until = time.monotonic() + seconds
    for job in jobs:
        job.wait(max(0, until - time.monotonic()))


class Counting(Protocol):
    """Counts what people hold, perhaps together with other servers."""

    def take(self, kind: str, subject: str, most: int) -> bool:
        """Hold one more, unless the subject has `most`. Returns whether they hold it."""

    def give_back(self, kind: str, subject: str) -> None:
        """Hold one less."""


class _CountHere:
    """Counts the jobs of this process."""

    def take(self, _kind: str, subject: str, most: int) -> bool:
        with _lock:
            return sum(job.owner == subject for job in _running) < most

    def give_back(self, _kind: str, _subject: str) -> None:
        """The job is no longer among those that run."""


_counting: Counting = _CountHere()


def count_jobs_by(counting: Counting) -> None:
    """Count everybody's jobs by this from now on: for a server that is one of several."""
    global _counting
    _counting = counting


def _refuse_many(owner: str | None) -> None:
    if owner is not None and not _counting.take("jobs", owner, MOST_JOBS):
        raise stop(
            where="long work",
            found=f"{MOST_JOBS} pieces of yours that are running",
            expected=f"fewer than {MOST_JOBS}",
            fix="Wait until one has ended, or cancel it.",
        )


class Job(Generic[Result]):
    """One piece of work. It ends with a result, a refusal, or neither: cancelled, or broken by a bug that is logged.

    Raises QavizError if its owner has as many running as one person may.
    """

    def __init__(self, work: Work[Result], owner: str | None = None) -> None:
        _refuse_many(owner)
        self.owner = owner
        """The subject of who started it; None where nobody signs in."""
        self.fraction, self.words = 0.0, "starting"
        self.result: Result | None = None
        self.refusal: QavizError | None = None
        self.cancelled = False
        self._told_to_end = Event()
        # A daemon: the server must not wait for it when it ends.
        self._thread = Thread(target=self._do, args=(work,), daemon=True)
        with _lock:
            _running.add(self)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is still at work."""
        return self._thread.is_alive()

    def may_end(self, subject: str | None) -> bool:
        """Whether this person may cancel it: whoever started it, and anybody where nobody signs in."""
        return self.owner is None or self.owner == subject

    def cancel(self) -> None:
        """Tell it to end. It goes on running for the moment that this takes."""
        self._told_to_end.set()

    def wait(self, seconds: float | None = None) -> None:
        """Come back when it has ended, or after so many seconds."""
        self._thread.join(seconds)

    def _do(self, work: Work[Result]) -> None:
        try:
            self.result = work(self._tell, self._told_to_end.is_set)
        except QavizError as error:
            self.refusal = error
        except CancelledError:
            self.cancelled = True
        finally:
            with _lock:
                _running.discard(self)
            if self.owner is not None:
                _counting.give_back("jobs", self.owner)

    def _tell(self, fraction: float, words: str) -> None:
        self.fraction, self.words = fraction, words


class Jobs(Generic[Result]):
    """The newest job under each key. For any number of threads."""

    def __init__(self) -> None:
        self._newest: dict[Hashable, Job[Result]] = {}
        self._lock = Lock()

    def start(self, key: Hashable, work: Work[Result], owner: str | None = None) -> Job[Result]:
        """Start the work, unless a job under this key is still running. Returns the job that runs.

        Raises QavizError if the owner has as many jobs running as one person may.
        """
        with self._lock:
            newest = self._newest.get(key)
            if newest is None or not newest.running:
                newest = self._newest[key] = Job(work, owner)
            return newest

    def newest(self, key: Hashable) -> Job[Result] | None:
        """The job that was started last under this key, running or not; None where there was none."""
        return self._newest.get(key)
