"""Who is answered at all: host names, origins, forwarded headers, the one-time token."""

import hmac
import logging
import re
import secrets
from typing import NamedTuple

from starlette.datastructures import Headers, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from qaviz.access import LOOPBACK_NAMES, Access, is_loopback

log = logging.getLogger("qaviz.sign_in")

_CLOSED = re.compile(r"/_stcore/(metrics|agent|script-health-check)(/|$)|/auth/(login|logout)/?$|/oauth2callback/?$")
"""Streamlit's addresses that no page of qaviz asks for: figures about the server, a remote control, its own sign-in."""
_READING = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_FORWARDED = re.compile(r"forwarded$|x-forwarded-|x-real-ip$")


class _Host(NamedTuple):
    name: str
    """In lower case."""
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
        if host is None or not self.access.answers_to(host.name):
            return PlainTextResponse("Unknown host name: see docs/team.md, --server.allowedHosts.\n", 400)
        if server[1] is not None and not is_loopback(server[0]) and not self.access.hosts:
            return PlainTextResponse("No public host name is configured: see docs/team.md.\n", 403)
        if _CLOSED.search(scope["path"]):
            return PlainTextResponse("Not found.\n", 404)
        changes_something = scope["type"] == "websocket" or scope["method"] not in _READING
        if changes_something and not self._is_own_origin(scope, host):
            return PlainTextResponse("Refused: the request does not come from a page of this app.\n", 403)
        return None

    def _is_own_origin(self, scope: Scope, host: _Host) -> bool:
        given = Headers(scope=scope).getlist("origin")
        if len(given) != 1:
            return False
        origin = given[0]
        if origin in self.access.origins:
            return True
        scheme, served = _find_scheme(scope), (scope.get("server") or ("", None))[1]
        port = "" if served == _DEFAULT_PORTS[scheme] else f":{served}"
        if origin == f"{scheme}://{host.name}{port}" and (host.port or _DEFAULT_PORTS[scheme]) == served:
            return True
        # A proxy with TLS in front, which passes the Host header on.
        return origin == f"https://{host.name}" and host.port in (None, 443) and host.name not in LOOPBACK_NAMES

    def _without_untrusted_headers(self, scope: Scope) -> Scope:
        """The scope as the network shows it, unless a configured proxy forwarded the request. uvicorn believes
        X-Forwarded-* of every client on this machine; port 0 is how it marks an address that it took from there."""
        host, port = scope.get("client") or ("", None)
        if self.access.proxies and (port == 0 or self.access.from_proxy(host)):
            return scope
        names = [name.decode("latin-1").lower() for name, _ in scope["headers"]]
        untrusted = [bool(_FORWARDED.match(name)) or name == self.access.identity_header for name in names]
        if not any(untrusted):
            return scope
        if self.access.identity_header in names:
            log.warning("an identity header from %s was ignored: it is not a trusted proxy", host)
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


def _read_host(scope: Scope) -> _Host | None:
    """The request's host; None where there is none, more than one, or what is there is no host."""
    given = Headers(scope=scope).getlist("host")
    match = _HOST.fullmatch(given[0].lower()) if len(given) == 1 else None
    return _Host(match["name"], int(match["port"]) if match["port"] else None) if match else None


def _find_scheme(scope: Scope) -> str:
    return "https" if scope.get("scheme") in ("https", "wss") else "http"


def _with_host_of_origin(scope: Scope) -> Scope:
    """The scope of an allowed web socket with the Host that its Origin names: where they differ, behind a proxy,
    Streamlit would ask other servers for this machine's address, and everybody would wait."""
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
