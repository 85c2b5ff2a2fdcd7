"""Middleware that lets in only people whom the identity proxy names: to pages, files, uploads and web sockets."""

import hmac
import logging
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qaviz.access.identity import IDENTITY_HEADER, SECRET_HEADER, SignInSettings, seal_subject
from qaviz.model.errors import QavizError
from qaviz.serving.control import send_refusal, without_headers
from qaviz.serving.observed import observe_request
from qaviz.store.members import checked_subject

log = logging.getLogger("qaviz.sign_in")

_PAGE = Path(__file__).with_name("sign_in.html").read_text("utf-8")
_SIGN_IN_FIRST = PlainTextResponse("Sign in first.\n", 401, headers={"Cache-Control": "no-store"})


class SignInGate:
    """ASGI middleware: whom the proxy names passes, under a sealed header that says who; nobody else does."""

    def __init__(self, app: ASGIApp, settings: SignInSettings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on under the person's name, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        subject = self._identify(scope)
        scope = without_headers(scope, IDENTITY_HEADER.encode(), SECRET_HEADER.encode())
        if subject is None:
            await self._refuse(scope, receive, send)
            return
        observe_request(scope).subject = subject
        scope["headers"].append((IDENTITY_HEADER.encode(), seal_subject(subject).encode()))
        await self.app(scope, receive, _secure_cookies(send) if scope["type"] == "http" else send)

    def _identify(self, scope: Scope) -> str | None:
        """Whom the proxy names; `AccessControl` has dropped the header unless a configured proxy sent it."""
        headers, settings = Headers(scope=scope), self.settings
        if settings.secret and not _is_secret(headers.getlist(SECRET_HEADER), settings.secret):
            log.warning("an identity was refused: the proxy's secret is missing or wrong")
            return None
        named = headers.getlist(settings.header)
        try:
            return checked_subject(named[0] if len(named) == 1 else "")
        except QavizError as error:
            log.warning("a subject was refused: %s", error.problems[0].found)
            return None

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


def _secure_cookies(send: Send) -> Send:
    """Send answers whose cookies go over TLS alone (browsers take this machine's own name for it), to no other site."""

    async def send_secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [_secure_header(*header) for header in message.get("headers", ())]
            message = dict(message) | {"headers": headers}
        await send(message)

    return send_secured


def _secure_header(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    if name.lower() != b"set-cookie":
        return name, value
    attributes = value.lower()
    if b"; secure" not in attributes:
        value += b"; Secure"
    return name, value + (b"" if b"; samesite" in attributes else b"; SameSite=Lax")
