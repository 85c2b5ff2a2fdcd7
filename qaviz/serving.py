"""Middleware in front of the pages: the headers that browsers obey, who is answered at all, and where the server is."""

import base64
import hashlib
import hmac
import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qaviz.access import LOOPBACK_NAMES, Access, is_loopback

_CLOSED = re.compile(r"/_stcore/(metrics|agent|script-health-check)(/|$)")
"""Streamlit's addresses that no page of qaviz asks for: figures about the server, and a remote control."""
_SIGN_IN = re.compile(r"/auth/(login|logout)/?$")
"""Streamlit's addresses that change something although they are asked for by GET."""
_READING = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_FORWARDED = re.compile(r"forwarded$|x-forwarded-|x-real-ip$")

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def content_security_policy(index_html: str) -> str:
    """The policy under which a browser runs Streamlit's page and nothing else: nothing from, or to, another origin.

    `index_html` is the page that Streamlit serves. Its own inline scripts run because the policy names their hashes;
    any other inline script is refused.
    """
    hashes = " ".join(map(_hash_source, _INLINE_SCRIPT.findall(index_html)))
    return "; ".join(
        (
            "default-src 'self'",
            # blob: our components' scripts, as Streamlit loads them; wasm: how it unpacks tables.
            f"script-src 'self' 'wasm-unsafe-eval' blob: {hashes}".rstrip(),
            # Plotly and Streamlit's styling write style elements.
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            # The web socket is of the same origin, and so is 'self'.
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def page_to_serve(index_html: str, widgets: Path) -> str:
    """Streamlit's page with our styles and the script of the first paint in its head, from the folder of the widgets.

    As elements of a page, styles come after the first elements are drawn, and move them.
    """
    styles, first, script = (
        (widgets / name).read_text("utf-8") for name in ("page_setup.css", "first_paint.css", "first_paint.js")
    )
    head = f'<style>{styles}</style><style id="first-paint">{first}</style><script>{script}</script>'
    return index_html.replace("<head>", f"<head>{head}", 1)


def _hash_source(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


Held = Callable[[], Mapping[str, int]]
"""Says how many bytes of uploads each session holds."""


def security_middleware(index_html: str, page: str, access: Access, in_memory: Held, on_disk: Held) -> list[Middleware]:
    """The middleware for an app that serves `page` where Streamlit would serve `index_html`: safety headers on every
    answer, and none without access.

    `in_memory` and `on_disk` say what visitors' uploads hold, which is limited.
    """
    return [
        Middleware(SafetyHeaders, policy=content_security_policy(page)),
        Middleware(AccessControl, access=access),
        Middleware(UploadLimit, in_memory=in_memory, on_disk=on_disk),
        Middleware(ServedPage, index_html=index_html, page=page),
    ]


class ServedPage:
    """ASGI middleware that sends `page` wherever Streamlit answers with its `index_html`, and all else as it is."""

    def __init__(self, app: ASGIApp, index_html: str, page: str) -> None:
        self.app = app
        self._replaced, self._page = index_html.encode(), page.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the answer back."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        start: Message = {}
        body = b""

        async def send_page(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message if self._may_be_index(message) else {}
            if not start:
                await send(message)
                return
            body += message.get("body", b"")
            if message["type"] != "http.response.start" and not message.get("more_body"):
                await self._send_whole(start, body, send)

        await self.app(_without(scope, b"accept-encoding", b"if-none-match", b"if-modified-since"), receive, send_page)

    def _may_be_index(self, start: Message) -> bool:
        return Headers(raw=start["headers"]).get("content-length") == str(len(self._replaced))

    async def _send_whole(self, start: Message, body: bytes, send: Send) -> None:
        if body == self._replaced:
            body = self._page
            start = dict(_without(start, b"etag", b"last-modified", b"accept-ranges"))
            MutableHeaders(scope=start)["content-length"] = str(len(body))
        await send(start)
        await send({"type": "http.response.body", "body": body})


def _without(message: Scope, *names: bytes) -> Scope:
    """The request or answer without these headers."""
    return dict(message) | {"headers": [header for header in message["headers"] if header[0].lower() not in names]}


class SafetyHeaders:
    """ASGI middleware that adds the policy, and the headers that go with it, to every HTTP answer."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self.app = app
        self.headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-Frame-Options": "DENY",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the answer back with the headers."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, send_safely if scope["type"] == "http" else send)


@dataclass(frozen=True)
class _Host:
    """The Host header of a request: the name in lower case, and the port if one is given."""

    name: str
    port: int | None


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
        elif scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
            await refusal(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, scope: Scope) -> Response | None:
        host = _host_of(scope)
        if host is None or not self.access.answers_to(host.name):
            return PlainTextResponse("Unknown host name: see docs/serving.md, --server.allowedHosts.\n", 400)
        if _is_beyond_this_machine(scope) and not self.access.hosts:
            return PlainTextResponse("No public host name is configured: see docs/serving.md.\n", 403)
        if _CLOSED.search(scope["path"]):
            return PlainTextResponse("Not found.\n", 404)
        if _changes_something(scope) and not self._is_own_origin(scope, host):
            return PlainTextResponse("Refused: the request does not come from a page of this app.\n", 403)
        if _SIGN_IN.search(scope["path"]) and _sent_by_another_site(scope):
            return PlainTextResponse("Refused: open this address from a page of this app.\n", 403)
        return None

    def _is_own_origin(self, scope: Scope, host: _Host) -> bool:
        given = Headers(scope=scope).getlist("origin")
        if len(given) != 1:
            return False
        origin = given[0]
        if origin in self.access.origins:
            return True
        scheme, served = _scheme(scope), (scope.get("server") or ("", None))[1]
        if origin == _origin(scheme, host.name, served) and (host.port or _DEFAULT_PORTS[scheme]) == served:
            return True
        # A proxy with TLS in front, which passes the Host header on.
        return origin == f"https://{host.name}" and host.port in (None, 443) and host.name not in LOOPBACK_NAMES

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
        if any(_same(cookie_parser(each).get(name, ""), self._session) for each in cookies):
            return None
        given = QueryParams(scope["query_string"]).getlist("token")
        if scope["type"] == "http" and scope["method"] == "GET" and len(given) == 1 and self._spend(given[0]):
            return self._welcome(name, secure=_scheme(scope) == "https")
        found = "Open the address that `qaviz app --token` printed. It works once: start the app again for a new one.\n"
        return PlainTextResponse(found, 403, headers={"Cache-Control": "no-store"})

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


def _host_of(scope: Scope) -> _Host | None:
    """The request's host; None where there is none, more than one, or what is there is no host."""
    given = Headers(scope=scope).getlist("host")
    found = _HOST.fullmatch(given[0].lower()) if len(given) == 1 else None
    return _Host(found["name"], int(found["port"]) if found["port"] else None) if found else None


def _scheme(scope: Scope) -> str:
    return "https" if scope.get("scheme") in ("https", "wss") else "http"


def _origin(scheme: str, name: str, port: int | None) -> str:
    return f"{scheme}://{name}" if port == _DEFAULT_PORTS[scheme] else f"{scheme}://{name}:{port}"


def _changes_something(scope: Scope) -> bool:
    return scope["type"] == "websocket" or scope["method"] not in _READING


def _sent_by_another_site(scope: Scope) -> bool:
    return any(each in ("cross-site", "same-site") for each in Headers(scope=scope).getlist("sec-fetch-site"))


def _is_beyond_this_machine(scope: Scope) -> bool:
    server = scope.get("server")
    return server is not None and server[1] is not None and not is_loopback(server[0])


def _with_host_of_origin(scope: Scope) -> Scope:
    """The scope of an allowed web socket with the Host that its Origin names.

    Where the two differ, behind a proxy, Streamlit would ask other servers for this machine's address, and everybody
    would wait.
    """
    origin = Headers(scope=scope).get("origin") if scope["type"] == "websocket" else None
    if not origin:
        return scope
    host = (b"host", origin.partition("://")[2].encode("latin-1"))
    return dict(scope) | {"headers": [host, *_without(scope, b"host")["headers"]]}


GB = 1024**3

MEMORY_PER_VISITOR, MEMORY_IN_ALL = 1 * GB, 2 * GB
"""Most bytes of uploads that are on their way or in the server's memory, before a page moves them to the disk."""
UPLOADS_PER_VISITOR, UPLOADS_IN_ALL = 4 * GB, 16 * GB
"""Most bytes of uploads in memory and on the disk together."""

_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+/?$")


class UploadLimit:
    """ASGI middleware that refuses an upload before it is read where the visitor, or all together, hold too much.

    A visitor is a session: a tab of a browser.
    """

    def __init__(self, app: ASGIApp, in_memory: Held, on_disk: Held) -> None:
        self.app = app
        self._in_memory, self._on_disk = in_memory, on_disk
        self._on_the_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        upload = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if upload is None:
            await self.app(scope, receive, send)
            return
        session, length = upload["session"], Headers(scope=scope).get("content-length", "")
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

    def _refusal(self, session: str, length: int) -> Response | None:
        memory = Counter(self._in_memory())
        memory.update(self._on_the_way)
        everywhere = memory + Counter(self._on_disk())
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
