"""Who is answered at all: host names, origins, forwarded headers, the one-time token, whom the identity proxy names."""

import hmac
import logging
import re
import secrets
from pathlib import Path

from starlette.datastructures import QueryParams
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Message, Scope

from qaviz.access import (
    IDENTITY_HEADER,
    LOOPBACK_NAMES,
    SECRET_HEADER,
    Access,
    SignInSettings,
    is_loopback,
    seal_subject,
)
from qaviz.model.errors import QavizError
from qaviz.serving.front import Visit, without_headers
from qaviz.store.members import checked_subject

log = logging.getLogger("qaviz.sign_in")

_CLOSED = re.compile(r"/_stcore/(metrics|agent|script-health-check)(/|$)|/auth/(login|logout)/?$|/oauth2callback/?$")
"""Streamlit's addresses that no page of qaviz asks for: figures about the server, a remote control, its own sign-in."""
_READING = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_FORWARDED = re.compile(r"forwarded$|x-forwarded-|x-real-ip$")
_TOKEN_FIRST = "Open the address that `qaviz app --token` printed. It works once: start the app again for a new one.\n"
_NOT_KEPT = {"Cache-Control": "no-store"}
"""The header of an answer that nobody keeps."""


class AccessControl:
    """Refuses a visit unless `Access` allows it. In this order: the host name, closed addresses, the origin of web
    sockets and of requests that change something, the token. A web page elsewhere can make its own name mean 127.0.0.1
    (DNS rebinding), which the host name shows; a page on another port of this machine is another origin."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._token = _Token(access.token) if access.token else None

    async def __call__(self, visit: Visit) -> Response | None:
        """Refuse the visit with a sentence, or pass it on."""
        visit.scope = self._without_untrusted_headers(visit)
        refusal = self._refusal(visit) or (self._token.refusal(visit) if self._token else None)
        origin = visit.headers.get("origin") if visit.is_socket else None
        if refusal is None and origin:
            # Where the Host of a web socket is not what its Origin names, behind a proxy, Streamlit would ask other
            # servers for this machine's address, and everybody would wait.
            host = (b"host", origin.partition("://")[2].encode("latin-1"))
            visit.scope = without_headers(visit.scope, "host")
            visit.scope["headers"].insert(0, host)
        return refusal

    def _refusal(self, visit: Visit) -> Response | None:
        host, server = _read_host(visit), _find_server(visit)
        if host is None or not self._access.answers_to(host[0]):
            return PlainTextResponse("Unknown host name: see docs/team.md, --server.allowedHosts.\n", 400)
        if server[1] is not None and not is_loopback(server[0]) and not self._access.hosts:
            return PlainTextResponse("No public host name is configured: see docs/team.md.\n", 403)
        if _CLOSED.search(visit.scope["path"]):
            return PlainTextResponse("Not found.\n", 404)
        changes_something = visit.is_socket or visit.scope["method"] not in _READING
        if changes_something and not self._is_own_origin(visit, *host):
            return PlainTextResponse("Refused: the request does not come from a page of this app.\n", 403)
        return None

    def _is_own_origin(self, visit: Visit, name: str, port: int | None) -> bool:
        given = visit.headers.getlist("origin")
        if len(given) != 1:
            return False
        if given[0] in self._access.origins:
            return True
        scheme, served = _find_scheme(visit), _find_server(visit)[1]
        shown = "" if served == _DEFAULT_PORTS[scheme] else f":{served}"
        if given[0] == f"{scheme}://{name}{shown}" and (port or _DEFAULT_PORTS[scheme]) == served:
            return True
        # A proxy with TLS in front, which passes the Host header on.
        return given[0] == f"https://{name}" and port in (None, 443) and name not in LOOPBACK_NAMES

    def _without_untrusted_headers(self, visit: Visit) -> Scope:
        """The scope as the network shows it, unless a configured proxy forwarded the request. uvicorn believes
        X-Forwarded-* of every client on this machine if nothing else is configured; port 0 is how it marks a client's
        address that it took from there."""
        host, port = visit.scope.get("client") or ("", None)
        if self._access.proxies and (port == 0 or self._access.from_proxy(host)):
            return visit.scope
        names = {name.lower() for name in visit.headers}
        untrusted = {name for name in names if _FORWARDED.match(name)} | (names & self._access.identity_headers)
        if not untrusted:
            return visit.scope
        if untrusted & self._access.identity_headers:
            log.warning("an identity header was ignored: it is not from a trusted proxy", extra={"peer": host})
        scheme = ("ws" if visit.is_socket else "http") + ("s" if self._access.tls else "")
        client = visit.scope.get("client") if "x-forwarded-for" not in names else None
        return {**without_headers(visit.scope, *untrusted), "scheme": scheme, "client": client}


class _Token:
    """A one-time token in the address becomes a cookie, and nothing is answered without that cookie."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._session = secrets.token_urlsafe(32)

    def refusal(self, visit: Visit) -> Response | None:
        """None for a visitor with the cookie; else an answer that sets it, or a refusal."""
        name = f"qaviz-{_find_server(visit)[1]}"
        cookies = visit.headers.getlist("cookie")
        if any(_same(cookie_parser(cookie).get(name, ""), self._session) for cookie in cookies):
            return None
        given = QueryParams(visit.scope["query_string"]).getlist("token")
        is_get = not visit.is_socket and visit.scope["method"] == "GET"
        if not (is_get and len(given) == 1 and self._token and _same(given[0], self._token)):
            return PlainTextResponse(_TOKEN_FIRST, 403, headers=_NOT_KEPT)
        self._token = ""
        # A redirect would be part of the click that led here, perhaps on another site, and the cookie would stay out.
        # "?" is this address without the token.
        page = '<!doctype html><meta http-equiv="refresh" content="0;url=?"><title>qaviz</title>'
        answer = HTMLResponse(page, headers=_NOT_KEPT)
        is_secure = _find_scheme(visit) == "https"
        answer.set_cookie(name, self._session, httponly=True, samesite="strict", secure=is_secure)
        return answer


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(errors="replace"), expected.encode())


def _read_host(visit: Visit) -> tuple[str, int | None] | None:
    """The name in lower case and the port, if one is given, of the request's host; None where there is none, more than
    one, or something else."""
    given = visit.headers.getlist("host")
    match = _HOST.fullmatch(given[0].lower()) if len(given) == 1 else None
    return (match["name"], int(match["port"]) if match["port"] else None) if match else None


def _find_scheme(visit: Visit) -> str:
    return "https" if visit.scope.get("scheme") in ("https", "wss") else "http"


def _find_server(visit: Visit) -> tuple[str, int | None]:
    """Address and port of this server, as far as they are known."""
    return visit.scope.get("server") or ("", None)


_SIGN_IN_PAGE = Path(__file__).with_name("sign_in.html").read_text("utf-8")


class SignInGate:
    """Lets pass whom the proxy names, under a sealed header that says who, and nobody else."""

    def __init__(self, settings: SignInSettings) -> None:
        self._settings = settings

    async def __call__(self, visit: Visit) -> Response | None:
        """Pass the visit on under the person's name, or refuse it."""
        visit.subject = self._identify(visit)
        visit.scope = without_headers(visit.scope, IDENTITY_HEADER, SECRET_HEADER)
        if visit.subject is not None:
            visit.scope["headers"].append((IDENTITY_HEADER.encode(), seal_subject(visit.subject).encode()))
            visit.changes.append(_secure_cookies)
            return None
        # A person reads where to sign in, on a page without a script and without a word about the workspace.
        is_get = not visit.is_socket and visit.scope["method"] == "GET"
        if is_get and "text/html" in visit.headers.get("accept", ""):
            return HTMLResponse(_SIGN_IN_PAGE, 401, headers=_NOT_KEPT)
        return PlainTextResponse("Sign in first.\n", 401, headers=_NOT_KEPT)

    def _identify(self, visit: Visit) -> str | None:
        """Whom the proxy names; `AccessControl` has dropped the header unless a configured proxy sent it."""
        secrets_sent = visit.headers.getlist(SECRET_HEADER)
        if self._settings.secret and not (len(secrets_sent) == 1 and _same(secrets_sent[0], self._settings.secret)):
            log.warning("an identity was refused: the proxy's secret is missing or wrong")
            return None
        named = visit.headers.getlist(self._settings.header)
        try:
            return checked_subject(named[0] if len(named) == 1 else "")
        except QavizError as error:
            log.warning("a subject was refused: %s", error.problems[0].found)
            return None


def _secure_cookies(message: Message) -> Message:
    """The answer, whose cookies go over TLS alone (browsers take this machine's own name for it), to no other site."""
    if message["type"] != "http.response.start":
        return message
    headers = []
    for name, value in message.get("headers", ()):
        if name.lower() == b"set-cookie":
            attributes = value.lower()
            value += b"" if b"; secure" in attributes else b"; Secure"
            value += b"" if b"; samesite" in attributes else b"; SameSite=Lax"
        headers.append((name, value))
    return dict(message) | {"headers": headers}
