"""Asking a model many things at once, within caps and limits, each thing once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from qaviz.llm.budget import Caps, Spend
from qaviz.llm.estimates import Estimate
from qaviz.llm.replies import Reply
from qaviz.llm.requests import Request
from qaviz.model.records import Progress

Cancelled = Callable[[], bool]
"""Says whether the work was told to end."""
Heard = Callable[[int, Reply], None]
"""Called with a request's place in the list and its reply, as replies come in."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How fast and how patiently a server is asked."""

    in_flight: int = 8
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout_s: float = 120.0
    """Of one attempt, from its start to the end of the reply."""
    attempts: int = 6
    """How often a request is sent that fails for a passing reason (429, 5xx, no connection, timeout)."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Whom a session asks, how, and for how much."""

    model: str
    """`openai:NAME` or `bedrock:NAME`."""
    journal: Path
    """JSON Lines file that keeps every reply; made where there is none."""
    caps: Caps = field(default_factory=Caps)
    limits: Limits = field(default_factory=Limits)
    prices: Path | None = None
    """The user's file of prices. None: the file that QAVIZ_PRICES names, if it does."""
    key_file: Path | None = None
    """File that holds the key, where it is not in OPENAI_API_KEY."""
    base_url: str | None = None
    """Of the OpenAI-compatible server. None: OPENAI_BASE_URL, or OpenAI's own."""
    replay: Path | None = None
    """Journal to answer from: no server is asked, no key is needed, nothing is written."""


class Session:
    """Answers requests from the journal, and asks the model for the rest. Made by `open_session`."""

    @property
    def spend(self) -> Spend:
        """What this session has spent so far. May be read from another thread while `ask` runs."""
        raise NotImplementedError

    @property
    def stopped(self) -> str | None:
        """Which cap stopped the asking, in words; None where none did."""
        raise NotImplementedError

    @property
    def recorded(self) -> bool:
        """Whether this session answers from a recording (`Settings.replay`): screens have to say so."""
        raise NotImplementedError

    def ask(
        self,
        requests: Sequence[Request],
        *,
        heard: Heard | None = None,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> list[Reply]:
        """One reply to each request, in the order of the requests.

        Each paid reply is in the journal, and on the disk, before it is returned or `heard` is called. A request that
        fails, or is not asked because of a cap or because it was cancelled, has a Reply with its `failure`; asking
        again asks only for those. Works in any thread, in notebooks too. Raises QavizError when no request can succeed:
        the key is refused, the model or the server is not there; replies that came before stay in the journal.
        """
        raise NotImplementedError

    def estimate(self, requests: Iterable[Request]) -> Estimate:
        """What asking these would take, less what the journal has. Better after the first 20 replies."""
        raise NotImplementedError


@contextmanager
def open_session(settings: Settings) -> Iterator[Session]:
    """Open a session; its journal is this process's alone until the end of the `with`.

    Raises QavizError with every problem of the settings: a model that cannot be read, a key that is missing, a journal
    in use by another process, a money cap without a price for the model.
    """
    raise NotImplementedError
