"""Limits of one server, so that nobody fills it: how large uploads are, and how many pages somebody has open."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from qaviz.serving.control import send_refusal
from qaviz.serving.observed import observe_request

Held = Callable[[], Mapping[str, int]]
"""Says how many bytes of uploads each session holds."""

GB = 1024**3

MEMORY_PER_VISITOR, MEMORY_IN_ALL = 1 * GB, 2 * GB
"""Most bytes of uploads that are on their way or in the server's memory, before a page moves them to the disk."""
UPLOADS_PER_VISITOR, UPLOADS_IN_ALL = 4 * GB, 16 * GB
"""Most bytes of uploads in memory and on the disk together."""

MOST_OWNERS = 10_000
"""Sessions whose owner is remembered."""

_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+/?$")


class UploadLimit:
    """ASGI middleware that refuses an upload before it is read where the visitor, or all together, hold too much.

    A visitor is who has signed in, else a session: a tab of a browser.
    """

    def __init__(self, app: ASGIApp, in_memory: Held, on_disk: Held) -> None:
        self.app = app
        self._in_memory, self._on_disk = in_memory, on_disk
        self._on_the_way: Counter[str] = Counter()
        self._owners: dict[str, str] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        upload = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if upload is None:
            await self.app(scope, receive, send)
            return
        # Who uploads: the person, whose sessions count together, else the session.
        session = self._owners[upload["session"]] = observe_request(scope).subject or upload["session"]
        while len(self._owners) > MOST_OWNERS:
            del self._owners[next(iter(self._owners))]
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

    def _by_owner(self, held: Mapping[str, int]) -> Counter[str]:
        counted: Counter[str] = Counter()
        for session, size in held.items():
            counted[self._owners.get(session, session)] += size
        return counted

    def _refusal(self, session: str, length: int) -> Response | None:
        memory = self._by_owner(self._in_memory()) + self._on_the_way
        everywhere = memory + self._by_owner(self._on_disk())
        limits = (
            (memory[session], MEMORY_PER_VISITOR, "Wait until your other uploads are there."),
            (memory.total(), MEMORY_IN_ALL, "Wait until other people's uploads are there."),
            (everywhere[session], UPLOADS_PER_VISITOR, "Remove files from the upload fields."),
            (everywhere.total(), UPLOADS_IN_ALL, "Wait until other people have finished theirs."),
        )
        for held, limit, fix in limits:
            if held + length > limit:
                return PlainTextResponse(f"Uploads hold {held / GB:.1f} GB of {limit / GB:.0f} GB. {fix}\n", 413)
        return None


_NO_LENGTH = PlainTextResponse("An upload has to say how long it is.\n", 411)


MOST_SOCKETS_OF_PERSON, MOST_SOCKETS_OF_ADDRESS = 30, 200
"""Web sockets, one for each open page, that one person may have open; and one address where nobody signs in: an office
behind one address, not a program that opens them all."""


class SocketLimit:
    """ASGI middleware that lets a person, or an address where nobody signs in, have so many web sockets open."""

    def __init__(
        self, app: ASGIApp, of_person: int = MOST_SOCKETS_OF_PERSON, of_address: int = MOST_SOCKETS_OF_ADDRESS
    ) -> None:
        self.app = app
        self._of_person, self._of_address = of_person, of_address
        self._open: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse a web socket too many."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        subject, client = observe_request(scope).subject, scope.get("client")
        holder = ("person", subject) if subject else ("address", str(client[0]) if client else "")
        most = self._of_person if subject else self._of_address
        if self._open[holder] >= most:
            words = f"{most} pages are open already. Close some of them.\n"
            await send_refusal(PlainTextResponse(words, 429), scope, receive, send)
            return
        self._open[holder] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[holder] -= 1
            self._open += Counter()  # forgets who holds none
