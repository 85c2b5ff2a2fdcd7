"""What came of a request: the model's text with its tokens, cost and time, or why there is none."""

from dataclasses import dataclass
from enum import StrEnum


class Failure(StrEnum):
    """Why a request has no text."""

    REFUSED = "the model refused"
    EMPTY = "the reply is empty"
    TOO_LARGE = "the reply is too large"
    NOT_A_REPLY = "the server sent something else than a reply"
    SERVER_ERROR = "the server failed"
    REJECTED = "the server rejected the request"
    TIMED_OUT = "no reply in time"
    CAP = "not asked: a cap is reached"
    CANCELLED = "not asked: cancelled"
    NOT_RECORDED = "not asked: the recording has no reply to it"


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of one call."""

    input_tokens: int
    output_tokens: int
    estimated: bool = False
    """Whether the server did not say, and they are computed from the number of characters."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came of one request."""

    key: str
    """Hash of the request and model: what the journal knows it by."""
    text: str
    """What the model wrote, or the arguments of its function call as JSON. Untrusted. Empty where there is a failure
    other than REFUSED."""
    failure: Failure | None = None
    detail: str = ""
    """Of a failure: what the server said, in one short line without secrets. Untrusted."""
    cut: bool = False
    """Whether the text ends because `max_tokens` were reached."""
    usage: Usage | None = None
    """None where nothing came back."""
    cost: float | None = None
    """What this reply cost when it was asked, in the currency of the prices; None where no price is known."""
    seconds: float = 0.0
    """How long the call took when it was asked."""
    model: str = ""
    """What the server calls the model that replied. Untrusted."""
    recorded: bool = False
    """Whether the reply was in the journal, so that nothing was asked now."""
