"""Sessions belong to the subject that opened them: nobody resumes another's page, nor uploads into it."""

import logging
import re
from collections import OrderedDict
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qaviz.serving.control import without_headers
from qaviz.serving.observed import observe_request

log = logging.getLogger("qaviz.sessions")

MOST_SESSIONS = 50_000
"""Sessions whose owner is remembered; the least recently seen is forgotten first, and is then nobody's."""

ReadSession = Callable[[bytes], str | None]
"""From what the server sends to a page: the id of the page's session, where the message has it."""

_PROTOCOLS = b"sec-websocket-protocol"
_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/")


class OwnSessions:
    """ASGI middleware behind the sign-in: a session is its subject's alone.

    A web socket that asks for another subject's session, or for one that nobody is known to have, gets a new one. An
    upload to such a session, or the removal of one there, is refused.
    """

    def __init__(self, app: ASGIApp, read_session: ReadSession) -> None:
        self.app = app
        self._read_session = read_session
        self._owners: OrderedDict[str, str] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, without the session that is not its subject's, or refuse it."""
        subject = observe_request(scope).subject or ""
        if scope["type"] == "websocket":
            await self.app(self._without_foreign_session(scope, subject), receive, self._noting_owner(subject, send))
            return
        upload = _UPLOAD.search(scope["path"]) if scope["type"] == "http" else None
        if upload and not self._is_own(upload["session"], subject):
            log.warning("an upload to a session of somebody else was refused", extra={"subject": subject})
            await PlainTextResponse("Refused: this page is not yours.\n", 403)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _is_own(self, session: str, subject: str) -> bool:
        return bool(subject) and self._owners.get(session) == subject

    def _without_foreign_session(self, scope: Scope, subject: str) -> Scope:
        """The scope; without the id of a session, which is the third of the protocols, unless it is the subject's."""
        entries = [entry.strip() for entry in ",".join(Headers(scope=scope).getlist(_PROTOCOLS.decode())).split(",")]
        if len(entries) < 3 or self._is_own(entries[2], subject):
            return scope
        if entries[2]:
            log.warning("a session of somebody else, or of nobody, was not resumed", extra={"subject": subject})
        kept = without_headers(scope, _PROTOCOLS)
        kept["headers"].append((_PROTOCOLS, ", ".join(entries[:2]).encode("latin-1")))
        protocols = {"subprotocols": entries[:2]} if "subprotocols" in scope else {}
        return dict(kept) | protocols

    def _noting_owner(self, subject: str, send: Send) -> Send:
        """Send on, and remember whose session it is that the first messages name."""
        known = False

        async def send_noted(message: Message) -> None:
            nonlocal known
            if not known and message["type"] == "websocket.send" and message.get("bytes"):
                session = self._read_session(message["bytes"])
                if session:
                    known = True
                    self._remember(session, subject)
            await send(message)

        return send_noted

    def _remember(self, session: str, subject: str) -> None:
        # The first to have a session keeps it.
        self._owners.setdefault(session, subject)
        self._owners.move_to_end(session)
        while len(self._owners) > MOST_SESSIONS:
            self._owners.popitem(last=False)
