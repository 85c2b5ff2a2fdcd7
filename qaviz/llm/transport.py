"""What the transports of all providers share: errors, keys and other secrets, and the pace of requests."""

import asyncio
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Protocol

from qaviz.llm.requests import Failure, Request, Usage
from qaviz.model.errors import QavizError, stop

OPENAI, BEDROCK, TOO_LARGE = "openai", "bedrock", "too large"
"""How a raw reply is to be read."""
LARGEST_REPLY = 500_000
"""Bytes of a reply's body: more than the longest text of any model, less than what hurts."""

KEY_VARIABLE = "OPENAI_API_KEY"
AWS_SECRETS = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID", "AWS_BEARER_TOKEN_BEDROCK")
_LARGEST_KEY = 10_000

BURST_S = 5.0
"""A bucket holds what comes in during so many seconds: that much may be asked at once."""
LONGEST_WAIT_S = 60.0
"""However long a server says to wait."""


class PassingError(Exception):
    """A request failed for a reason that may pass: it is worth sending again."""

    def __init__(self, failure: Failure, detail: str, wait: float | None = None) -> None:
        super().__init__(detail)
        self.failure, self.detail = failure, detail
        self.wait = wait
        """Seconds that the server asked to wait."""


class RejectedError(Exception):
    """A request failed for a reason of its own: the same would fail again."""

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(detail)
        self.failure, self.detail = failure, detail


class TooLargeError(Exception):
    """The reply has more than LARGEST_REPLY bytes: it was paid for, and the rest of it is not read."""


class Transport(Protocol):
    """Sends requests to one model of one provider."""

    format: str
    """How its raw replies are to be read: OPENAI or BEDROCK."""

    async def send(self, request: Request) -> str:
        """The raw body of the reply, without secrets.

        Raises PassingError, RejectedError or TooLargeError of this request, QavizError where no request can succeed.
        """

    async def close(self) -> None:
        """End its connections."""


@dataclass(frozen=True, kw_only=True)
class Content:
    """What a raw reply says."""

    text: str
    refused: bool = False
    cut: bool = False
    usage: Usage | None = None
    model: str = ""


def clean(text: str) -> str:
    """The text without lone surrogates, which JSON escapes can spell and no file can hold."""
    return text.encode(errors="replace").decode()


def plausible_usage(input_tokens: object, output_tokens: object) -> Usage | None:
    """Token counts as a server says them; None if they are no counts."""
    if _is_count(input_tokens) and _is_count(output_tokens):
        return Usage(input_tokens=int(str(input_tokens)), output_tokens=int(str(output_tokens)))
    return None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 100_000_000


def read_key(key_file: Path | None) -> str | None:
    """The key from the file, else from OPENAI_API_KEY; None where there is neither.

    Raises QavizError, which never says the key, if the file cannot be read or the key cannot stand in a header.
    """
    where = key_file.name if key_file else KEY_VARIABLE
    try:
        text = key_file.read_text(encoding="utf-8") if key_file else os.environ.get(KEY_VARIABLE, "")
    except (OSError, ValueError) as error:
        raise _refuse_key(where, f"a file that cannot be read ({type(error).__name__})") from None
    key = text.strip()
    if not key:
        if key_file:
            raise _refuse_key(where, "an empty file")
        return None
    if len(key) > _LARGEST_KEY or not (key.isascii() and key.isprintable()) or " " in key:
        raise _refuse_key(where, "text that cannot be a key: more than one line, blanks or special characters")
    return key


def _refuse_key(where: str, found: str) -> QavizError:
    return stop(where, found, "one key", "Write the key alone into it.")


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
        """Wait until a request of about so many tokens may be sent."""
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
