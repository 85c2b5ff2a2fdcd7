"""What every provider's transport does, and how it says that a request failed."""

from dataclasses import dataclass
from typing import Protocol

from qaviz.llm.replies import Failure, Usage
from qaviz.llm.requests import Request

OPENAI, BEDROCK, TOO_LARGE = "openai", "bedrock", "too large"
"""How a raw reply is to be read."""
LARGEST_REPLY = 500_000
"""Bytes of a reply's body: more than the longest text of any model, less than what hurts."""
LONGEST_DETAIL = 300


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


def in_one_line(text: str) -> str:
    """A server's words in one short line, to show as text."""
    words = " ".join(text.split())
    return "".join(sign for sign in words if sign.isprintable())[:LONGEST_DETAIL]


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
