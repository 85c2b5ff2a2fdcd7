"""Who is answered at all: host names, origins, forwarded headers, the one-time token, whom the identity proxy names;
and whose a session is."""

import hmac
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from starlette.datastructures import Headers, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qaviz.access import LOOPBACK_NAMES, Access, is_loopback
from qaviz.access.identity import IDENTITY_HEADER, SECRET_HEADER, SignInSettings, seal_subject
from qaviz.model.errors import QavizError
from qaviz.serving.observed import observe_request
from qaviz.store.members import checked_subject

log, session_log = logging.getLogger("qaviz.sign_in"), logging.getLogger("qaviz.sessions")

_CLOSED = re.compile(r"/_stcore/(metrics|agent|script-health-check)(/|$)|/auth/(login|logout)/?$|/oauth2callback/?$")
"""Streamlit's addresses that no page of qaviz asks for: figures about the server, a remote control, its own sign-in."""
_READING = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_FORWARDED = re.compile(r"forwarded$|x-forwarded-|x-real-ip$")


class AccessControl:
    """ASGI middleware that refuses a request before Streamlit sees it, unless `Access` allows it.

    In this order: the host name, closed addresses, the origin of web sockets and of requests that change something, the
    token. A web page elsewhere can make its own name mean 127.0.0.1 (DNS rebinding), which the host name shows; a page
    on another port of this machine is another origin.
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access
        self.token = _Token(access.token) if access.token else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or refuse it with a sentence."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope = self._without_untrusted_headers(scope)
        refusal = self._refusal(scope) or (self.token.refusal(scope) if self.token else None)
        if refusal is None:
            await self.app(_with_host_of_origin(scope), receive, send)
        else:
            await send_refusal(refusal, scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        host, server = _read_host(scope), scope.get("server") or ("", None)
        if host is None or not self.access.answers_to(host[0]):
            return PlainTextResponse("Unknown host name: see docs/team.md, --server.allowedHosts.\n", 400)
        if server[1] is not None and not is_loopback(server[0]) and not self.access.hosts:
            return PlainTextResponse("No public host name is configured: see docs/team.md.\n", 403)
        if _CLOSED.search(scope["path"]):
            return PlainTextResponse("Not found.\n", 404)
        changes_something = scope["type"] == "websocket" or scope["method"] not in _READING
        if changes_something and not self._is_own_origin(scope, host):
            return PlainTextResponse("Refused: the request does not come from a page of this app.\n", 403)
        return None

    def _is_own_origin(self, scope: Scope, host: tuple[str, int | None]) -> bool:
        given = Headers(scope=scope).getlist("origin")
        if len(given) != 1:
            return False
        origin, (name, port) = given[0], host
        if origin in self.access.origins:
            return True
        scheme, served = _find_scheme(scope), (scope.get("server") or ("", None))[1]
        shown = "" if served == _DEFAULT_PORTS[scheme] else f":{served}"
        if origin == f"{scheme}://{name}{shown}" and (port or _DEFAULT_PORTS[scheme]) == served:
            return True
        # A proxy with TLS in front, which passes the Host header on.
        return origin == f"https://{name}" and port in (None, 443) and name not in LOOPBACK_NAMES

    def _without_untrusted_headers(self, scope: Scope) -> Scope:
        """The scope as the network shows it, unless a configured proxy forwarded the request.

        uvicorn believes X-Forwarded-* of every client on this machine if nothing else is configured; port 0 is how it
        marks a client's address that it took from there.
        """
        host, port = scope.get("client") or ("", None)
        if self.access.proxies and (port == 0 or self.access.from_proxy(host)):
            return scope
        names = [name.decode("latin-1").lower() for name, _ in scope["headers"]]
        untrusted = [bool(_FORWARDED.match(name)) or name in self.access.identity_headers for name in names]
        if not any(untrusted):
            return scope
        if self.access.identity_headers.intersection(names):
            log.warning("an identity header was ignored: it is not from a trusted proxy", extra={"peer": host})
        kept = [header for header, drop in zip(scope["headers"], untrusted, strict=True) if not drop]
        schemes = ("http", "https") if scope["type"] == "http" else ("ws", "wss")
        client = scope.get("client") if "x-forwarded-for" not in names else None
        return dict(scope) | {"headers": kept, "scheme": schemes[self.access.tls], "client": client}


class _Token:
    """A one-time token in the address becomes a cookie, and nothing is answered without that cookie."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._session = secrets.token_urlsafe(32)

    def refusal(self, scope: Scope) -> Response | None:
        """None for a visitor with the cookie; else an answer that sets it, or a refusal."""
        name = f"qaviz-{(scope.get('server') or ('', 0))[1]}"
        cookies = Headers(scope=scope).getlist("cookie")
        if any(_same(cookie_parser(cookie).get(name, ""), self._session) for cookie in cookies):
            return None
        given = QueryParams(scope["query_string"]).getlist("token")
        if scope["type"] == "http" and scope["method"] == "GET" and len(given) == 1 and self._spend(given[0]):
            return self._welcome(name, secure=_find_scheme(scope) == "https")
        words = "Open the address that `qaviz app --token` printed. It works once: start the app again for a new one.\n"
        return PlainTextResponse(words, 403, headers={"Cache-Control": "no-store"})

    def _spend(self, given: str) -> bool:
        if not self._token or not _same(given, self._token):
            return False
        self._token = ""
        return True

    def _welcome(self, name: str, *, secure: bool) -> Response:
        # A redirect would be part of the click that led here, perhaps on another site, and the cookie would stay out.
        # "?" is this address without the token.
        page = '<!doctype html><meta http-equiv="refresh" content="0;url=?"><title>qaviz</title>'
        answer = HTMLResponse(page, headers={"Cache-Control": "no-store"})
        answer.set_cookie(name, self._session, httponly=True, samesite="strict", secure=secure)
        return answer


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(errors="replace"), expected.encode())


def _read_host(scope: Scope) -> tuple[str, int | None] | None:
    """The name in lower case and the port, if one is given, of the request's host; None where there is none, more than
    one, or what is there is no host."""
    given = Headers(scope=scope).getlist("host")
    match = _HOST.fullmatch(given[0].lower()) if len(given) == 1 else None
    return (match["name"], int(match["port"]) if match["port"] else None) if match else None


def _find_scheme(scope: Scope) -> str:
    return "https" if scope.get("scheme") in ("https", "wss") else "http"


def _with_host_of_origin(scope: Scope) -> Scope:
    """The scope of an allowed web socket with the Host that its Origin names.

    Where the two differ, behind a proxy, Streamlit would ask other servers for this machine's address, and everybody
    would wait.
    """
    origin = Headers(scope=scope).get("origin") if scope["type"] == "websocket" else None
    if not origin:
        return scope
    host = (b"host", origin.partition("://")[2].encode("latin-1"))
    return dict(scope) | {"headers": [host, *without_headers(scope, b"host")["headers"]]}


async def send_refusal(refusal: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request, or close a web socket: with the refusal's words where the server can send them."""
    if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
        await refusal(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1008})


def without_headers(message: Scope, *names: bytes) -> Scope:
    """The request or answer without these headers."""
    return dict(message) | {"headers": [header for header in message["headers"] if header[0].lower() not in names]}


_SIGN_IN_PAGE = Path(__file__).with_name("sign_in.html").read_text("utf-8")
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
        secrets_sent = headers.getlist(SECRET_HEADER)
        if settings.secret and not (len(secrets_sent) == 1 and _same(secrets_sent[0], settings.secret)):
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
            page = HTMLResponse(_SIGN_IN_PAGE, 401, headers={"Cache-Control": "no-store"})
            await page(scope, receive, send)
            return
        await send_refusal(_SIGN_IN_FIRST, scope, receive, send)


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


MOST_SESSIONS, MOST_FILES = 50_000, 200_000
"""Sessions and files whose owner is remembered; the least recently seen is forgotten first, and is then nobody's."""
Key = TypeVar("Key")
Value = TypeVar("Value")

ReadSession = Callable[[bytes], str | None]
"""From what the server sends to a page: the id of the page's session, where the message has it."""
ListMedia = Callable[[str, bytes], Iterable[str]]
"""From a session and what the server sends to its page: the ids of the session's files, downloads and pictures."""

_PROTOCOLS = b"sec-websocket-protocol"
_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/")
_MEDIA = re.compile(r"(?<!/static)/media/(?P<file>[^/.]+)[^/]*$")
"""Files that pages made; /static/media has Streamlit's own."""


class OwnSessions:
    """ASGI middleware behind the sign-in: a session is its subject's alone.

    A web socket that asks for another subject's session, or for one that nobody is known to have, gets a new one. An
    upload to such a session, or the removal of one there, is refused; a file that was made for another's is not found.
    """

    def __init__(self, app: ASGIApp, read_session: ReadSession, list_media: ListMedia) -> None:
        self.app = app
        self._read_session, self._list_media = read_session, list_media
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._readers: OrderedDict[tuple[str, str], None] = OrderedDict()
        """File and subject of each file that a session of the subject was sent the address of."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, without the session that is not its subject's, or refuse it."""
        subject = observe_request(scope).subject or ""
        if scope["type"] == "websocket":
            await self.app(self._without_foreign_session(scope, subject), receive, self._noting_owner(subject, send))
            return
        upload = _UPLOAD.search(scope["path"]) if scope["type"] == "http" else None
        if upload and not self._is_own(upload["session"], subject):
            session_log.warning("an upload to a session of somebody else was refused", extra={"subject": subject})
            await PlainTextResponse("Refused: this page is not yours.\n", 403)(scope, receive, send)
            return
        media = _MEDIA.search(scope["path"]) if scope["type"] == "http" else None
        if media and (media["file"], subject) not in self._readers:
            session_log.warning("a file of somebody else, or of nobody, was refused", extra={"subject": subject})
            await PlainTextResponse("Not found.\n", 404)(scope, receive, send)
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
            session_log.warning("a session of somebody else, or of nobody, was not resumed", extra={"subject": subject})
        kept = without_headers(scope, _PROTOCOLS)
        kept["headers"].append((_PROTOCOLS, ", ".join(entries[:2]).encode("latin-1")))
        protocols = {"subprotocols": entries[:2]} if "subprotocols" in scope else {}
        return dict(kept) | protocols

    def _noting_owner(self, subject: str, send: Send) -> Send:
        """Send on, and remember whose session it is that the first messages name, and for whom files are there."""
        session: str | None = None

        async def send_noted(message: Message) -> None:
            nonlocal session
            sent = message.get("bytes") if message["type"] == "websocket.send" else None
            if sent and session is None:
                session = self._read_session(sent)
                if session:
                    # The first to have a session keeps it.
                    self._owners.setdefault(session, subject)
                    _keep_newest(self._owners, session, MOST_SESSIONS)
            # What files there are is asked of the server: a text of somebody's may have any address.
            if sent and session and self._is_own(session, subject) and b"/media/" in sent:
                for file in self._list_media(session, sent):
                    self._readers[file, subject] = None
                    _keep_newest(self._readers, (file, subject), MOST_FILES)
            await send(message)

        return send_noted


def _keep_newest(remembered: OrderedDict[Key, Value], key: Key, most: int) -> None:
    """Make the key the newest, and forget the oldest over `most`."""
    remembered.move_to_end(key)
    while len(remembered) > most:
        remembered.popitem(last=False)
