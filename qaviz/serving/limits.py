"""Limits for each person, so that nobody fills the server: how often they may ask, what they may hold, and how large
uploads are.

Each server counts requests. What people hold the servers of one workspace count in its index; while that does not
answer, each counts alone.
"""

import asyncio
import logging
import re
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from threading import Lock

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from qaviz.model.errors import QavizError
from qaviz.serving.control import send_refusal
from qaviz.serving.observed import observe_request
from qaviz.store.members import forget_server, hold, report_holdings
from qaviz.store.workspace import Workspace

log = logging.getLogger("qaviz.limits")

MOST_KEYS = 10_000
"""People or addresses that are remembered; the least recently seen is forgotten first."""

REPORTED_EVERY_S = 15.0
"""Seconds between a server's reports that it runs and what is held on it."""

Held = Callable[[], Mapping[str, int]]
"""Says how many bytes of uploads each session holds."""

GB = 1024**3

MEMORY_PER_VISITOR, MEMORY_IN_ALL = 1 * GB, 2 * GB
"""Most bytes of uploads that are on their way or in the server's memory, before a page moves them to the disk."""
UPLOADS_PER_VISITOR, UPLOADS_IN_ALL = 4 * GB, 16 * GB
"""Most bytes of uploads in memory and on the disk together."""

UPLOADS = "uploads"
MOST_OWNERS = 10_000
"""Sessions whose owner is remembered."""

_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+/?$")


class RateLimit:
    """A bucket for each key: `burst` at once, and one more each `every` seconds."""

    def __init__(self, burst: int, every: float) -> None:
        self._burst, self._every = burst, every
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, key: str, now: float | None = None) -> float:
        """Take one. Returns 0 if there was one, else the seconds until there is one."""
        moment = time.monotonic() if now is None else now
        with self._lock:
            left, since = self._left.get(key, (float(self._burst), moment))
            left = min(self._burst, left + (moment - since) / self._every)
            if left < 1:
                return (1 - left) * self._every
            self._left[key] = left - 1, moment
            self._left.move_to_end(key)
            while len(self._left) > MOST_KEYS:
                self._left.popitem(last=False)
            return 0


class Holdings:
    """What people hold on this server, counted together with the other servers of a workspace, if there is one."""

    def __init__(self, workspace: Callable[[], Workspace] | None = None) -> None:
        self._workspace, self._server = workspace, secrets.token_hex(8)
        self._here: Counter[tuple[str, str]] = Counter()
        self._lock = Lock()
        self._measured: dict[str, Callable[[], Mapping[str, int]]] = {}
        self._elsewhere: dict[str, dict[str, int]] = {}

    def take(self, kind: str, subject: str, most: int) -> bool:
        """Hold one more of this kind, unless the subject has `most`. Returns whether they hold it."""
        with self._lock:
            if self._here[kind, subject] >= most:
                return False
            self._here[kind, subject] += 1
        allowed = self._hold(kind, subject, 1, most)
        if not allowed:
            self._give_back_here(kind, subject)
        return allowed

    def give_back(self, kind: str, subject: str) -> None:
        """Hold one less."""
        self._give_back_here(kind, subject)
        self._hold(kind, subject, -1, 0)

    def _give_back_here(self, kind: str, subject: str) -> None:
        with self._lock:
            self._here[kind, subject] -= 1
            self._here += Counter()  # forgets who holds nothing

    def _hold(self, kind: str, subject: str, amount: int, most: int) -> bool:
        if self._workspace is None:
            return True
        try:
            return hold(self._workspace(), self._server, kind, subject, amount, most)
        except QavizError as error:
            log.warning("limits are counted by this server alone: %s", error.problems[0].found)
            return True

    def measure(self, kind: str, amounts: Callable[[], Mapping[str, int]]) -> None:
        """Have what people hold of this kind here, which somebody else counts, reported to the other servers."""
        self._measured[kind] = amounts

    def held_elsewhere(self, kind: str, subject: str) -> int:
        """What the subject held on the other servers when this one reported last."""
        return self._elsewhere.get(kind, {}).get(subject, 0)

    def report(self) -> None:
        """Report that this server runs and what is measured on it, and read what the others reported."""
        if self._workspace is None:
            return
        for kind, amounts in self._measured.items():
            self._elsewhere[kind] = report_holdings(self._workspace(), self._server, kind, dict(amounts()))

    def keep_reporting(self) -> None:
        """Report now and then, for ever. For a thread of its own."""
        while True:
            try:
                self.report()
            except QavizError as error:
                log.warning("limits are counted by this server alone: %s", error.problems[0].found)
            time.sleep(REPORTED_EVERY_S)

    def end(self) -> None:
        """Give back all that was held here: the server ends."""
        if self._workspace is not None:
            forget_server(self._workspace(), self._server)


class UploadLimit:
    """ASGI middleware that refuses an upload before it is read where the visitor, or all together, hold too much.

    A visitor is who has signed in, else a session: a tab of a browser.
    """

    def __init__(self, app: ASGIApp, in_memory: Held, on_disk: Held, holdings: Holdings | None = None) -> None:
        self.app = app
        self._holdings = holdings or Holdings()
        self._holdings.measure(UPLOADS, self._count_everywhere)
        self._in_memory, self._on_disk = in_memory, on_disk
        self._on_the_way: Counter[str] = Counter()
        self._owners: dict[str, str] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        upload = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if upload is None:
            await self.app(scope, receive, send)
            return
        session = self._remember_owner(scope, upload["session"])
        length = Headers(scope=scope).get("content-length", "")
        refusal = self._refusal(session, int(length)) if re.fullmatch(r"[0-9]{1,15}", length) else _NO_LENGTH
        if refusal:
            await refusal(scope, receive, send)
            return
        self._on_the_way[session] += int(length)
        try:
            # Who goes away in the middle gets no answer, and the log no traceback.
            with suppress(ClientDisconnect):
                await self.app(scope, receive, send)
        finally:
            self._on_the_way[session] -= int(length)
            self._on_the_way += Counter()  # forgets sessions that send nothing

    def _remember_owner(self, scope: Scope, session: str) -> str:
        """Who uploads: the person, whose sessions count together, else the session."""
        owner = self._owners[session] = observe_request(scope).subject or session
        while len(self._owners) > MOST_OWNERS:
            del self._owners[next(iter(self._owners))]
        return owner

    def _by_owner(self, held: Mapping[str, int]) -> Counter[str]:
        counted: Counter[str] = Counter()
        for session, size in held.items():
            counted[self._owners.get(session, session)] += size
        return counted

    def _count_in_memory(self) -> Counter[str]:
        memory = self._by_owner(self._in_memory())
        memory.update(self._on_the_way)
        return memory

    def _count_everywhere(self) -> Counter[str]:
        return self._count_in_memory() + self._by_owner(self._on_disk())

    def _refusal(self, session: str, length: int) -> Response | None:
        memory, everywhere = self._count_in_memory(), self._count_everywhere()
        elsewhere = self._holdings.held_elsewhere(UPLOADS, session)
        limits = (
            (memory[session], MEMORY_PER_VISITOR, "Wait until your other uploads are there."),
            (memory.total(), MEMORY_IN_ALL, "Wait until other people's uploads are there."),
            (everywhere[session] + elsewhere, UPLOADS_PER_VISITOR, "Remove files from the upload fields."),
            (everywhere.total(), UPLOADS_IN_ALL, "Wait until other people have finished theirs."),
        )
        for held, limit, fix in limits:
            if held + length > limit:
                return PlainTextResponse(f"Uploads hold {held / GB:.1f} GB of {limit / GB:.0f} GB. {fix}\n", 413)
        return None


_NO_LENGTH = PlainTextResponse("An upload has to say how long it is.\n", 411)


REQUEST_WITHIN_S = 30.0
"""Seconds for the head of a request, and between two parts of its body; pings end web sockets whose peer is gone."""
MOST_SOCKETS_OF_ADDRESS = 200
"""Web sockets that one address may have open: an office behind one address, not a program that opens them all."""


def end_silent_connections(seconds: float = REQUEST_WITHIN_S) -> None:
    """Have uvicorn close connections whose request does not arrive: it has no such limit of its own.

    Once a process, before it serves.
    """
    begin, receive = H11Protocol.connection_made, H11Protocol.data_received

    def connection_made(self: H11Protocol, transport: asyncio.Transport) -> None:
        begin(self, transport)
        self.loop.call_later(seconds, partial(_close_silent, self, None, -1, seconds))

    def data_received(self: H11Protocol, data: bytes) -> None:
        _received[self] = _received.get(self, 0) + len(data)
        receive(self, data)

    H11Protocol.connection_made = connection_made  # type: ignore[method-assign]  # uvicorn has no hook for it
    H11Protocol.data_received = data_received  # type: ignore[method-assign]


_received: dict[H11Protocol, int] = {}
"""Bytes that open connections have sent."""


def _close_silent(connection: H11Protocol, cycle: object, received: int, seconds: float) -> None:
    """Close the connection if it waits for the same request, or part of one, as `seconds` ago; else look again."""
    transport, now = connection.transport, connection.cycle
    if transport.is_closing() or transport.get_protocol() is not connection:  # closed, or a web socket by now
        _received.pop(connection, None)
        return
    idle = now is None or now.response_complete
    arrived = _received.get(connection, 0)
    if (idle and (received < 0 or now is cycle)) or (not idle and now.more_body and arrived == received):
        _received.pop(connection, None)
        transport.close()
        return
    connection.loop.call_later(seconds, partial(_close_silent, connection, now, arrived, seconds))


class SocketsOfAddress:
    """ASGI middleware that lets an address have so many web sockets open at once."""

    def __init__(self, app: ASGIApp, most: int = MOST_SOCKETS_OF_ADDRESS) -> None:
        self.app = app
        self._most = most
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse a web socket too many."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        address = str(client[0]) if client else ""
        if self._open[address] >= self._most:
            refusal = PlainTextResponse("Too many pages of one address are open.\n", 429)
            await send_refusal(refusal, scope, receive, send)
            return
        self._open[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[address] -= 1
            self._open += Counter()  # forgets addresses without web sockets
