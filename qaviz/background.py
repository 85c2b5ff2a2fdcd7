"""Long work beside the pages, in a thread of its own: whoever asks learns how far it is, and anyone may cancel it."""

from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

from qaviz.model.errors import QavizError
from qaviz.model.records import Progress
from qaviz.scoring.bridge import Cancelled, CancelledError

Result = TypeVar("Result")

Work = Callable[[Progress, Cancelled], Result]
"""Says how far it is, and raises CancelledError soon after it was told to end."""


class Job(Generic[Result]):
    """One piece of work. It ends with a result, a refusal, or neither: cancelled, or broken by a bug that is logged."""

    def __init__(self, work: Work[Result]) -> None:
        self.fraction, self.words = 0.0, "starting"
        self.result: Result | None = None
        self.refusal: QavizError | None = None
        self.cancelled = False
        self._told_to_end = Event()
        # A daemon: the server must not wait for it when it ends.
        self._thread = Thread(target=self._do, args=(work,), daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is still at work."""
        return self._thread.is_alive()

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

    def _tell(self, fraction: float, words: str) -> None:
        self.fraction, self.words = fraction, words


class Jobs(Generic[Result]):
    """The newest job under each key. For any number of threads."""

    def __init__(self) -> None:
        self._newest: dict[str, Job[Result]] = {}
        self._lock = Lock()

    def start(self, key: str, work: Work[Result]) -> Job[Result]:
        """Start the work, unless a job under this key is still running. Returns the job that runs."""
        with self._lock:
            newest = self._newest.get(key)
            if newest is None or not newest.running:
                newest = self._newest[key] = Job(work)
            return newest

    def newest(self, key: str) -> Job[Result] | None:
        """The job that was started last under this key, running or not; None where there was none."""
        return self._newest.get(key)
