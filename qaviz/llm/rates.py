"""How fast a server is asked: token buckets for requests and tokens, and a pause where the server asks for one."""

import asyncio
import random
from collections.abc import Callable
from time import monotonic

BURST_S = 5.0
"""A bucket holds what comes in during so many seconds: that much may be asked at once."""
LONGEST_WAIT_S = 60.0
"""However long a server says to wait."""


class Bucket:
    """Lets a number of units a minute through."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = monotonic) -> None:
        self._per_second, self._clock = per_minute / 60, clock
        self._capacity = max(1.0, self._per_second * BURST_S)
        self._level, self._filled_at = self._capacity, clock()

    def take(self, units: float) -> float:
        """Take so many units; returns how many seconds to wait before they may be used."""
        now = self._clock()
        self._level = min(self._capacity, self._level + (now - self._filled_at) * self._per_second) - units
        self._filled_at = now
        return max(0.0, -self._level / self._per_second)

    def give_back(self, units: float) -> None:
        """Put back what was taken and not used; a negative number takes what was used beyond."""
        self._level = min(self._capacity, self._level + units)


class Pace:
    """When the next request may be sent."""

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        self._requests = Bucket(requests_per_minute) if requests_per_minute else None
        self._tokens = Bucket(tokens_per_minute) if tokens_per_minute else None
        self._paused_until = 0.0

    async def wait(self, tokens: float) -> None:
        """Come back when a request of about so many tokens may be sent."""
        waits = [self._requests.take(1) if self._requests else 0.0, self._tokens.take(tokens) if self._tokens else 0.0]
        if wait := max(waits):
            await asyncio.sleep(wait)
        while (left := self._paused_until - monotonic()) > 0:
            await asyncio.sleep(left)

    def correct(self, expected: float, used: float) -> None:
        """Say how many tokens a request used that was expected to use so many."""
        if self._tokens:
            self._tokens.give_back(expected - used)

    def pause(self, seconds: float) -> None:
        """Send nothing for so many seconds: the server asked for it."""
        self._paused_until = max(self._paused_until, monotonic() + min(seconds, LONGEST_WAIT_S))


def back_off(attempt: int, asked_for: float | None) -> float:
    """Seconds to wait before the attempt after this one (from 0): doubled each time, with jitter.

    Never less than the server asked for, within LONGEST_WAIT_S.
    """
    wait: float = 0.5 * 2**attempt * random.uniform(0.5, 1.5)
    return min(max(wait, (asked_for or 0.0) * random.uniform(1.0, 1.1)), LONGEST_WAIT_S)
