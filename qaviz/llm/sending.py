"""Sending many requests to one server: so many at once, at its pace, again where it may help, until it is cancelled."""

import random
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from math import inf
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Generic, TypeVar

from qaviz.llm.requests import Failure, PassingError, RejectedError
from qaviz.model.errors import QavizError, stop

LONGEST_WAIT_S = 60.0
"""However long a server says to wait."""
GRACE_S = 5.0
"""After a cancel, what is in flight may still come in for so long: it is paid for."""
FAILURES_IN_A_ROW = 10
"""So many requests that failed one after the other, each after all its attempts: the server is not there."""
_LOOK_S = 0.2
"""Between two looks at whether the work was cancelled."""

Cancelled = Callable[[], bool]
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How fast a server is asked, and how often again."""

    in_flight: int = 8
    requests_per_minute: float | None = None
    timeout_s: float = 120.0
    """Of one attempt, from its start to the end of the reply."""
    attempts: int = 5
    """How often a request is sent that fails for a passing reason (429, 5xx, no connection, timeout)."""


class Pace:
    """When the next request may be sent. For many threads."""

    def __init__(self, limits: Limits) -> None:
        self._gap = 60 / limits.requests_per_minute if limits.requests_per_minute else 0.0
        self._next = self._paused_until = 0.0
        self._lock = Lock()

    def reserve(self) -> float:
        """Seconds until the next request may be sent; it is then taken."""
        with self._lock:
            now = monotonic()
            begins = max(now, self._next)
            self._next = begins + self._gap
            return begins - now

    def wait(self, ending: Event) -> None:
        """Wait until a request may be sent, or all is to end."""
        ending.wait(self.reserve())
        while (left := self._paused_until - monotonic()) > 0 and not ending.wait(left):
            pass

    def pause(self, seconds: float) -> None:
        """Send nothing for so many seconds: the server asked for it."""
        self._paused_until = max(self._paused_until, monotonic() + min(seconds, LONGEST_WAIT_S))


@dataclass(frozen=True, kw_only=True)
class Way(Generic[Item, Result]):
    """How items are sent to one server."""

    send: Callable[[Item], Result]
    """Raises PassingError or RejectedError of this item, QavizError where no item can succeed."""
    limits: Limits
    pace: Pace
    about: str
    """What is asked, for the error where it is not there."""
    counted: Collection[Failure]
    """FAILURES_IN_A_ROW of these kinds say so."""
    admit: Callable[[], str | None] = lambda: None
    """Called before each attempt: the cap that forbids it."""

    def send_again(self, item: Item, ending: Event) -> Result:
        """Send it as often as it takes. Raises as `send`, but no PassingError."""
        failed = RejectedError(Failure.CANCELLED, "")
        for attempt in range(self.limits.attempts):
            self.pace.wait(ending)
            if ending.is_set():
                break
            if cap := self.admit():
                raise RejectedError(Failure.CAP, cap)
            try:
                return self.send(item)
            except PassingError as error:
                failed = error
                if error.wait:
                    self.pace.pause(error.wait)
                if attempt + 1 < self.limits.attempts:
                    # Seconds, doubled each time, with jitter.
                    ending.wait(min(0.5 * 2**attempt * random.uniform(0.5, 1.5), LONGEST_WAIT_S))
        raise failed

    def try_item(self, item: Item, ending: Event, fatal: list[Exception]) -> Result | RejectedError:
        """What the server sent, or why there is nothing of it; what ends all, joins `fatal`."""
        try:
            return self.send_again(item, ending)
        except RejectedError as error:
            return error
        except Exception as error:  # a bug, or no item can succeed: raised where it was asked
            fatal.append(error)
            return RejectedError(Failure.CANCELLED, "")


def send_all(
    items: Iterable[Item],
    way: Way[Item, Result],
    take: Callable[[Sequence[tuple[Item, Result | RejectedError]]], None],
    cancelled: Cancelled,
) -> None:
    """Send each item in a thread and `take` what comes of them in this one; only then another item is sent. Raises
    QavizError where no item can succeed, once what is in flight has come in. What is not taken was cancelled."""
    ending, fatal = Event(), list[Exception]()
    outcomes = SimpleQueue[tuple[Item, Result | RejectedError]]()

    def work(item: Item) -> None:
        outcomes.put((item, way.try_item(item, ending, fatal)))

    rest, in_flight, end, failures = iter(items), 0, inf, 0
    try:
        while monotonic() < end:
            for item in islice(rest, 0 if ending.is_set() else way.limits.in_flight - in_flight):
                Thread(target=work, args=(item,), daemon=True).start()
                in_flight += 1
            if not in_flight:
                break
            batch = _collect(outcomes)
            in_flight -= len(batch)
            take(batch)
            for _, outcome in batch:
                is_counted = isinstance(outcome, RejectedError) and outcome.failure in way.counted
                failures = failures + 1 if is_counted else 0
                if failures == FAILURES_IN_A_ROW:
                    fatal.append(refuse(way.about, outcome))
            if not ending.is_set() and (fatal or cancelled()):
                end = monotonic() + GRACE_S
                ending.set()
    finally:
        ending.set()
    if fatal:
        raise fatal[0]


def _collect(outcomes: SimpleQueue[Result]) -> list[Result]:
    """What has come, at the latest after _LOOK_S."""
    batch = list[Result]()
    with suppress(Empty):
        batch.append(outcomes.get(timeout=_LOOK_S))
        while True:
            batch.append(outcomes.get_nowait())
    return batch


def refuse(about: str, last: object) -> QavizError:
    """The error of a server or program that does not answer."""
    fault = f"{FAILURES_IN_A_ROW} requests or more in a row that failed; the last: {last}"
    return stop(about, fault, "one that replies", "Look at it, and start again: what was kept is not asked again.")
