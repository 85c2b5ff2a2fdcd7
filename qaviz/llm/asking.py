"""Sending requests: many in flight, retried where it may help, each reply on the disk before it is read."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic

from qaviz.llm.bedrock import read_converse
from qaviz.llm.costs import Budget, Learner, Price
from qaviz.llm.journal import Entry, Journal
from qaviz.llm.requests import Failure, Reply, Request, Usage
from qaviz.llm.transport import (
    BEDROCK,
    OPENAI,
    TOO_LARGE,
    Content,
    Pace,
    PassingError,
    RejectedError,
    TooLargeError,
    Transport,
    back_off,
)
from qaviz.model.errors import QavizError, stop

GRACE_S = 5.0
"""After a cancel, what is in flight may still come in for so long: it is paid for."""
FAILURES_IN_A_ROW = 10
"""So many requests that failed one after the other, each after all its attempts: the server is not there."""

Cancelled = Callable[[], bool]
"""Says whether the work was told to end."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How fast a server is asked, and how often again."""

    in_flight: int = 8
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout_s: float = 120.0
    """Of one attempt, from its start to the end of the reply."""
    attempts: int = 5
    """How often a request is sent that fails for a passing reason (429, 5xx, no connection, timeout)."""


class Asker:
    """Asks for replies that the journal does not have, once each."""

    def __init__(
        self,
        transport: Transport,
        journal: Journal,
        budget: Budget,
        learner: Learner,
        pace: Pace,
        *,
        limits: Limits,
        model: str,
    ) -> None:
        self._transport, self._journal, self._budget = transport, journal, budget
        self._learner, self._pace, self._limits, self._model = learner, pace, limits, model
        self.stopped: str | None = None
        """Which cap stopped the asking, in words."""
        self._hopeless: QavizError | None = None
        self._failed_in_a_row = 0

    async def ask_all(
        self, pending: Sequence[tuple[str, Request]], hear: Callable[[Reply], None], cancelled: Cancelled
    ) -> None:
        """Call `hear` with one reply to each request. Raises QavizError where no request can succeed."""
        heard: set[str] = set()

        def hear_once(reply: Reply) -> None:
            heard.add(reply.key)
            self._learn_of_failure(reply)
            hear(reply)

        queue = iter(pending)
        workers = [
            asyncio.create_task(self._work(queue, hear_once, cancelled))
            for _ in range(min(self._limits.in_flight, len(pending)))
        ]
        await wait_for_workers(workers, cancelled)
        if self._hopeless:
            raise self._hopeless
        for worker in workers:
            if not worker.cancelled() and (error := worker.exception()):
                raise error
        for key, _ in pending:
            if key not in heard:
                hear(Reply(key=key, text="", failure=Failure.CANCELLED))

    async def _work(
        self, queue: Iterator[tuple[str, Request]], hear: Callable[[Reply], None], cancelled: Cancelled
    ) -> None:
        for key, request in queue:
            if self._hopeless or cancelled():
                return
            try:
                hear(await self._ask(key, request, cancelled))
            except QavizError as error:
                self._hopeless = self._hopeless or error

    def _learn_of_failure(self, reply: Reply) -> None:
        """Stop where one request after the other fails for the server's reasons."""
        if reply.failure in (Failure.SERVER_ERROR, Failure.TIMED_OUT, Failure.NOT_A_REPLY, Failure.REJECTED):
            self._failed_in_a_row += 1
        elif reply.failure not in (Failure.CAP, Failure.CANCELLED):
            self._failed_in_a_row = 0
        if self._failed_in_a_row >= FAILURES_IN_A_ROW and not self._hopeless:
            self._hopeless = stop(
                "language model",
                f"{self._failed_in_a_row} requests in a row that failed; the last: {reply.detail}",
                "a server that replies",
                "Look at the server, and start again: what was kept is not asked again.",
            )

    async def _ask(self, key: str, request: Request, cancelled: Cancelled) -> Reply:
        """The reply to one request, after as many attempts as it takes."""
        failed = Reply(key=key, text="", failure=Failure.CANCELLED)
        for attempt in range(self._limits.attempts):
            tokens = sum(self._learner.expect(request))
            await self._pace.wait(tokens)
            if self._hopeless or cancelled():
                return failed
            if reached := self._budget.find_reached_cap():
                self.stopped = reached
                return Reply(key=key, text="", failure=Failure.CAP, detail=reached)
            self._budget.start_call()
            try:
                reply = await self._call(key, request)
            except PassingError as error:
                failed = Reply(key=key, text="", failure=error.failure, detail=error.detail)
                wait = back_off(attempt, error.wait)
                if error.wait:
                    self._pace.pause(error.wait)
            except RejectedError as error:
                return Reply(key=key, text="", failure=error.failure, detail=error.detail)
            else:
                self._pace.correct(tokens, _tokens(reply.usage))
                return reply
            if attempt + 1 < self._limits.attempts:
                await asyncio.sleep(wait)
        return failed

    async def _call(self, key: str, request: Request) -> Reply:
        """Send it once, and keep the reply on the disk before it is read."""
        began, format = monotonic(), self._transport.format
        try:
            raw = await self._transport.send(request)
        except TooLargeError:
            raw, format = "", TOO_LARGE
        content = read_raw(format, raw)
        if content is None and format != TOO_LARGE:
            raise PassingError(Failure.NOT_A_REPLY, f"no chat completion: {raw[:100]!r}")
        usage = content and content.usage
        entry = Entry(
            key=key,
            model=self._model,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            seconds=round(monotonic() - began, 3),
            format=format,
            raw=raw,
            usage=(usage.input_tokens, usage.output_tokens) if usage else None,
        )
        await self._journal.keep(entry)
        reply = read_entry(entry, request, self._learner, self._budget.price, recorded=False)
        if reply.usage:
            self._budget.add_usage(reply.usage)
            self._learner.learn(key, request, reply.usage)
        return reply


async def wait_for_workers(workers: Sequence[asyncio.Task[None]], cancelled: Cancelled) -> None:
    """Wait until all have ended; after a cancel, for GRACE_S at most."""
    end: float | None = None
    left: set[asyncio.Task[None]] = set(workers)
    while left:
        _, left = await asyncio.wait(left, timeout=0.2)
        if cancelled():
            end = end or monotonic() + GRACE_S
        if end and monotonic() > end:
            for worker in left:
                worker.cancel()


def _tokens(usage: Usage | None) -> int:
    return usage.input_tokens + usage.output_tokens if usage else 0


def read_raw(format: str, raw: str) -> Content | None:
    """What a raw reply of this format says; None if it is no reply."""
    if format == BEDROCK:
        return read_converse(raw)
    if format == OPENAI:
        # HTTP is imported where a model is asked, not when the app starts.
        from qaviz.llm.openai_compatible import read_completion

        return read_completion(raw)
    return None


def read_entry(entry: Entry, request: Request, learner: Learner, price: Price | None, *, recorded: bool) -> Reply:
    """The reply that an entry of the journal holds, with its failure, usage and cost."""
    content = read_raw(entry.format, entry.raw)
    failure: Failure | None
    if content is None:
        failure = Failure.TOO_LARGE if entry.format == TOO_LARGE else Failure.NOT_A_REPLY
        content = Content(text="", usage=Usage(input_tokens=0, output_tokens=request.max_tokens, estimated=True))
    elif content.refused:
        failure = Failure.REFUSED
    else:
        failure = None if content.text.strip() else Failure.EMPTY
    usage = content.usage or learner.usage_by_size(request, content.text)
    return Reply(
        key=entry.key,
        text=content.text,
        failure=failure,
        cut=content.cut,
        usage=usage,
        cost=price.of(usage) if price else None,
        seconds=entry.seconds,
        model=content.model,
        recorded=recorded,
    )
