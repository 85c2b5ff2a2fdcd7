"""Asking a model many things at once, each thing once: within caps and limits, retried where it may help."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from qaviz.llm import costs, providers
from qaviz.llm import requests as r
from qaviz.llm.journal import Entry, Journal, open_journal, open_recording
from qaviz.llm.sending import Cancelled, Limits, Pace, Way, send_all
from qaviz.model.errors import stop
from qaviz.model.records import Progress

_COUNTED = {r.Failure.SERVER_ERROR, r.Failure.TIMED_OUT, r.Failure.NOT_A_REPLY, r.Failure.REJECTED}
"""So many of these in a row: the server is not there."""


def read_entry(entry: Entry, request: r.Request, price: costs.Price | None, *, recorded: bool) -> r.Reply:
    """The reply that an entry of the journal holds, with its failure, usage and cost."""
    reply = providers.read_raw(entry.format, entry.raw)
    if reply is None:
        failure = r.Failure.TOO_LARGE if entry.format == r.TOO_LARGE else r.Failure.NOT_A_REPLY
        reply = r.Reply(failure=failure, usage=r.Usage(0, request.max_tokens))
    elif not (reply.failure or reply.text.strip()):
        reply = replace(reply, failure=r.Failure.EMPTY)
    # A server that did not say it: by the sizes of request and reply.
    output_tokens = round(len(reply.text.encode(errors="replace")) / r.BYTES_PER_TOKEN)
    usage = reply.usage or r.Usage(round(request.input_tokens), output_tokens)
    cost = price.of(*usage) if price else None
    return replace(reply, key=entry.key, usage=usage, cost=cost, seconds=entry.seconds, recorded=recorded)


PRICES_VARIABLE = "QAVIZ_PRICES"

Connect = Callable[[], providers.Transport]
Heard = Callable[[int, r.Reply], None]
"""Called with a request's place in the list and its reply, as replies come in."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Which model a session asks, how fast, and for how much."""

    model: str
    """`openai:NAME`, `ollama:NAME`, `llamacpp:NAME` or `bedrock:NAME`."""
    journal: Path
    """JSON Lines file that keeps every reply; made where there is none."""
    caps: costs.Caps = field(default_factory=costs.Caps)
    limits: Limits = field(default_factory=Limits)
    prices: Path | None = None
    """The user's file of prices. None: the file that QAVIZ_PRICES names, if it does. A model on this machine that the
    file does not name is free."""
    base_url: str | None = None
    """Of the OpenAI-compatible server. None: OPENAI_BASE_URL, or OpenAI's own."""
    replay: Path | None = None
    """Journal to answer from: no server is asked, no key is needed, nothing is written."""


class Session:
    """Answers requests from the journal, and asks the model for the rest. Made by `open_session`."""

    def __init__(self, settings: Settings, journal: Journal, budget: costs.Budget, plan: "_Plan") -> None:
        self._settings, self._journal, self._budget = settings, journal, budget
        self._connect, self._price = plan.connect, plan.price
        self.model = str(r.parse_model(settings.model))
        self._pace = Pace(settings.limits)
        self.stopped: str | None = None
        """Which cap stopped the asking, in words; None where none did."""

    def for_model(self, model: str) -> "Session":
        """A session that asks another model, or this one other things: with the same journal, budget and caps. Raises
        QavizError as `open_session`. It is open as long as this one."""
        settings = replace(self._settings, model=model)
        return Session(settings, self._journal, self._budget, _plan(settings))

    @property
    def spend(self) -> costs.Spend:
        """What this session has spent so far. May be read from another thread while `ask` runs."""
        return self._budget.spend

    @property
    def recorded(self) -> bool:
        """Whether this session answers from a recording (`Settings.replay`): screens have to say so."""
        return self._connect is None

    def ask(
        self,
        requests: Sequence[r.Request],
        *,
        heard: Heard | None = None,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> list[r.Reply]:
        """One reply to each request, in the order of the requests. Each paid reply is in the journal, and on the disk,
        before it is returned or `heard` is called. A request that fails, or is not asked because of a cap or because it
        was cancelled, has a Reply with its `failure`; asking again asks only for those. Works in any thread, in
        notebooks too. Raises QavizError when no request can succeed: the key is refused, the model or the server is not
        there; replies that came before stay in the journal."""
        places: dict[str, list[int]] = {}
        for place, request in enumerate(requests):
            places.setdefault(request.key(self.model), []).append(place)
        replies = dict[str, r.Reply]()

        def hear(reply: r.Reply) -> None:
            replies[reply.key] = reply
            if progress:
                progress(len(replies) / len(places), f"{len(replies):,} of {len(places):,} replies")
            if heard:
                for place in places[reply.key]:
                    heard(place, reply)

        pending = list[tuple[str, r.Request]]()
        for key, (first, *_) in places.items():
            if entry := self._journal.find(key):
                hear(read_entry(entry, requests[first], self._price, recorded=True))
            else:
                pending.append((key, requests[first]))
        if pending and self._connect:
            self._ask_pending(self._connect, pending, hear, cancelled or (lambda: False))
        unanswered = r.Failure.CANCELLED if self._connect else r.Failure.NOT_RECORDED
        for key in [key for key, _ in pending if key not in replies]:
            hear(r.Reply(key=key, failure=unanswered))
        return [replies[request.key(self.model)] for request in requests]

    def _ask_pending(
        self,
        connect: Connect,
        pending: Sequence[tuple[str, r.Request]],
        hear: Callable[[r.Reply], None],
        cancelled: Cancelled,
    ) -> None:
        """Hear each reply once it is on the disk. Raises QavizError where no request can succeed."""

        def take(outcomes: Sequence[tuple[tuple[str, r.Request], Entry | r.RejectedError]]) -> None:
            if entries := [outcome for _, outcome in outcomes if isinstance(outcome, Entry)]:
                self._journal.append(entries)
            for (key, request), outcome in outcomes:
                if isinstance(outcome, Entry):
                    reply = read_entry(outcome, request, self._price, recorded=False)
                    if reply.usage:
                        self._budget.add_usage(reply.usage, self._price)
                else:
                    reply = r.Reply(key=key, failure=outcome.failure, detail=outcome.detail)
                    if outcome.failure is r.Failure.CAP:
                        self.stopped = outcome.detail
                hear(reply)

        with closing(connect()) as transport:
            way = Way[tuple[str, r.Request], Entry](
                send=lambda item: _send(transport, self.model, *item),
                limits=self._settings.limits,
                pace=self._pace,
                about="language model",
                counted=_COUNTED,
                admit=lambda: self._budget.admit(self._price),
            )
            send_all(pending, way, take, cancelled)

    def estimate(self, requests: Iterable[r.Request]) -> costs.Estimate:
        """What asking these would take, less what the journal has."""
        by_key = {request.key(self.model): request for request in requests}
        pending = [request for key, request in by_key.items() if key not in self._journal]
        input_tokens = sum(request.input_tokens for request in pending)
        most, price = sum(request.max_tokens for request in pending), self._price
        return costs.Estimate(
            requests=len(by_key),
            recorded=len(by_key) - len(pending),
            calls=len(pending),
            input_tokens=round(input_tokens),
            output_tokens=round(most * costs.REPLY_SHARE),
            cost=price.of(input_tokens, most * costs.REPLY_SHARE) if price else None,
            cost_most=price.of(input_tokens, most) if price else None,
            currency=self.spend.currency,
        )


def _send(transport: providers.Transport, model: str, key: str, request: r.Request) -> Entry:
    """Send it once; what comes back as the journal keeps it. Raises as the transport's `send`."""
    began, format = monotonic(), transport.format
    try:
        raw = transport.send(request)
    except r.TooLargeError:
        raw, format = "", r.TOO_LARGE
    reply = providers.read_raw(format, raw)
    if reply is None and format != r.TOO_LARGE:
        raise r.PassingError(r.Failure.NOT_A_REPLY, f"no chat completion: {raw[:100]!r}")
    return Entry(
        key=key,
        model=model,
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        seconds=round(monotonic() - began, 3),
        format=format,
        raw=raw,
        usage=reply.usage if reply else None,
    )


@contextmanager
def open_session(settings: Settings) -> Iterator[Session]:
    """Open a session; its journal is this process's alone until the end of the `with`. Raises QavizError with every
    problem of the settings: a model that cannot be read, a key that is missing, a journal in use by another process, a
    money cap without a price for the model."""
    plan, caps = _plan(settings), costs.Caps() if settings.replay else settings.caps
    with open_recording(settings.replay) if settings.replay else open_journal(settings.journal) as journal:
        yield Session(settings, journal, costs.Budget(caps, plan.price, plan.currency), plan)


def knows_price(settings: Settings) -> bool:
    """Whether calls of the settings' model can be counted in money: its price is in the file, or it is on this machine.
    Raises QavizError as `open_session` does."""
    return bool(settings.replay) or _plan(replace(settings, caps=costs.Caps())).price is not None


class _Plan(NamedTuple):
    """How the model of some settings is asked, and at what price."""

    connect: Connect | None
    """None where a recording answers."""
    price: costs.Price | None
    currency: str


def _plan(settings: Settings) -> _Plan:
    """Raises QavizError as `open_session`."""
    model, caps = r.parse_model(settings.model), settings.caps
    named = settings.prices or os.environ.get(PRICES_VARIABLE)
    prices = costs.read_prices(Path(named)) if named else costs.Prices(currency=caps.currency)
    price = prices.by_model.get(str(model))
    if settings.replay:
        return _Plan(None, price, prices.currency)
    limits, is_local = settings.limits, False
    if model.provider == "bedrock":
        connect: Connect = partial(providers.BedrockTransport, model.name, limits.timeout_s, limits.in_flight)
    else:
        url = providers.find_base_url(settings.base_url, r.LOCAL.get(model.provider, providers.DEFAULT_URL))
        key, is_local = r.read_key(), providers.is_on_this_machine(url)
        if not key and not is_local:
            expected = "the key of the server that OPENAI_BASE_URL names"
            raise stop(r.KEY_VARIABLE, "no key", expected, f"Set {r.KEY_VARIABLE}.")
        of_server = (model.name, url, key, limits.timeout_s, limits.in_flight)
        connect = partial(providers.OpenAITransport, *of_server, binds_schemas=model.provider in r.LOCAL)
    if price is None and is_local:
        return _Plan(connect, costs.FREE, caps.currency)
    if caps.money is not None and price is None:
        fault = f"{caps.money:g} {caps.currency}, and no price of {model}"
        fix = "Name the file with --prices or QAVIZ_PRICES, or cap tokens or calls: 200000tokens, 100calls."
        raise stop("cap", fault, "a file of prices that has the model, so that money can be counted", fix)
    if caps.money is not None and caps.currency != prices.currency:
        words = f"{caps.currency}, and prices in {prices.currency}"
        raise stop("cap", words, "one currency", f"Write the cap in {prices.currency}.")
    return _Plan(connect, price, prices.currency)
