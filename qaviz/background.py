"""Long work beside the pages, in a thread of its own: whoever asks learns how far it is, and anyone may cancel it."""

import time
from collections.abc import Callable, Hashable
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

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


class Job(Generic[Result]):
    """One piece of work. It ends with a result, a refusal, or neither: cancelled, or broken by a bug that is logged.
    Raises QavizError if its owner has as many running as one person may."""

    def __init__(self, work: Work[Result], owner: str | None = None) -> None:
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
            if owner is not None and sum(job.owner == owner for job in _running) >= MOST_JOBS:
                fault, fix = f"{MOST_JOBS} pieces of yours that are running", "Wait until one has ended, or cancel it."
                raise stop("long work", fault, f"fewer than {MOST_JOBS}", fix)
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

    def _tell(self, fraction: float, words: str) -> None:
        self.fraction, self.words = fraction, words


class Jobs(Generic[Result]):
    """The newest job under each key. For any number of threads."""

    def __init__(self) -> None:
        self._newest: dict[Hashable, Job[Result]] = {}
        self._lock = Lock()

    def start(self, key: Hashable, work: Work[Result], owner: str | None = None) -> Job[Result]:
        """Start the work, unless a job under this key is still running. Returns the job that runs. Raises QavizError if
        the owner has as many jobs running as one person may."""
        with self._lock:
            newest = self._newest.get(key)
            if newest is None or not newest.running:
                newest = self._newest[key] = Job(work, owner)
            return newest

    def newest(self, key: Hashable) -> Job[Result] | None:
        """The job that was started last under this key, running or not; None where there was none."""
        return self._newest.get(key)
