"""Middleware that lets in only people whom the identity proxy names: to pages, files, uploads and web sockets."""

import hmac
import logging
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from qaviz.access.identity import IDENTITY_HEADER, SECRET_HEADER, SignInSettings, seal_identity
from qaviz.model.errors import QavizError
from qaviz.serving.control import send_refusal, without_headers
from qaviz.store.members import checked_subject
from qaviz.store.roles import Actor

log = logging.getLogger("qaviz.sign_in")

_PAGE = Path(__file__).with_name("sign_in.html").read_text("utf-8")
_PROTOCOLS = b"sec-websocket-protocol"
_SIGN_IN_FIRST = PlainTextResponse("Sign in first.\n", 401, headers={"Cache-Control": "no-store"})


class SignInGate:
    """ASGI middleware: whom the proxy names passes, under a sealed header that says who; nobody else does.

    Each web socket begins a session: nobody resumes one whose id they know.
    """

    def __init__(self, app: ASGIApp, settings: SignInSettings) -> None:
        self.app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        identity = self._identify(scope)
        scope = without_headers(scope, IDENTITY_HEADER.encode(), SECRET_HEADER.encode())
        if identity is None:
            await self._refuse(scope, receive, send)
            return
        if scope["type"] == "websocket":
            scope = _without_session(scope)
        scope["headers"].append((IDENTITY_HEADER.encode(), seal_identity(identity).encode()))
        await self.app(scope, receive, send)

    def _identify(self, scope: Scope) -> Actor | None:
        """Whom the proxy names; `AccessControl` has dropped the header unless a configured proxy sent it."""
        headers, settings = Headers(scope=scope), self._settings
        if settings.secret and not _is_secret(headers.getlist(SECRET_HEADER), settings.secret):
            log.warning("an identity was refused: the proxy's secret is missing or wrong")
            return None
        named = headers.getlist(settings.header)
        try:
            subject = checked_subject(named[0] if len(named) == 1 else "")
        except QavizError as error:
            log.warning("a subject was refused: %s", error.problems[0].found)
            return None
        return Actor(subject, subject)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A person reads where to sign in, on a page without a script and without a word about the workspace."""
        reads = scope["type"] == "http" and scope["method"] == "GET"
        if reads and "text/html" in Headers(scope=scope).get("accept", ""):
            page = HTMLResponse(_PAGE, 401, headers={"Cache-Control": "no-store"})
            await page(scope, receive, send)
            return
        await send_refusal(_SIGN_IN_FIRST, scope, receive, send)


def _is_secret(given: list[str], secret: str) -> bool:
    return len(given) == 1 and hmac.compare_digest(given[0].encode(errors="replace"), secret.encode())


def _without_session(scope: Scope) -> Scope:
    """The web socket without the id of a session, which is the third of its protocols."""
    names = [name.strip() for name in ",".join(Headers(scope=scope).getlist(_PROTOCOLS.decode())).split(",")]
    if len(names) < 3:
        return scope
    kept = without_headers(scope, _PROTOCOLS)
    kept["headers"].append((_PROTOCOLS, ", ".join(names[:2]).encode("latin-1")))
    return dict(kept) | ({"subprotocols": names[:2]} if "subprotocols" in scope else {})
