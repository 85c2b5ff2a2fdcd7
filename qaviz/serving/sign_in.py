"""Middleware that lets in only people who have signed in: to pages, files, uploads, downloads and web sockets."""

import logging
import re
from asyncio import sleep
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import Request, cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qaviz.access.identity import IDENTITY_HEADER, Identity, SignInSettings, Source, seal_identity
from qaviz.exports.templates import render
from qaviz.model.errors import QavizError
from qaviz.serving.control import send_refusal, without_headers
from qaviz.serving.limits import Holdings, RateLimit
from qaviz.serving.observed import SIGN_INS, observe_request
from qaviz.store.members import begin_sign_in, checked_subject, end_sign_in, find_sign_in, hash_cookie, use_callback
from qaviz.store.workspace import Workspace

log = logging.getLogger("qaviz.sign_in")

COOKIE, THEN_COOKIE = "__Host-qaviz", "__Host-qaviz-then"
"""Of the sign-in, and of the path that is opened after the provider's. Browsers take cookies of this kind only with
Secure, for this host alone and for all of its paths."""
THEN_KEPT_S = 600

_OWN_PATH = re.compile(r"/auth/(sign-in|sign-out|login|logout)/?$|/oauth2callback/?$")
_PAGE = Path(__file__).parent / "sign_in.html"
_NOT_FOUND = PlainTextResponse("Not found.\n", 404)
_SIGN_IN_FIRST = PlainTextResponse("Sign in first.\n", 401, headers={"Cache-Control": "no-store"})
PAGES, MOST_SOCKETS = "pages", 30
"""Pages that one person may have open at once."""


class Counted(StrEnum):
    """What is limited by how often somebody does it."""

    REQUESTS = "requests"
    """Of one person."""
    MESSAGES = "messages"
    """Of one person's web sockets: what comes faster waits."""
    ADDRESSES = "addresses"
    """Steps of signing in at a provider, from one address."""


RATES = {
    Counted.REQUESTS: (600, 0.05),
    Counted.MESSAGES: (100, 0.1),
    Counted.ADDRESSES: (40, 5.0),
}
"""How many at once, and the seconds until there is one more. Each server counts in its memory alone, so that who is
refused writes nothing."""


@dataclass(frozen=True)
class Provider:
    """The OpenID Connect provider, as Streamlit speaks with it."""

    login_query: Callable[[], str]
    read_identity: Callable[[Sequence[str], str], Identity]


@dataclass(frozen=True, kw_only=True)
class Door:
    """What signing in needs: how, against which workspace, and under which path the app is served."""

    settings: SignInSettings
    workspace: Callable[[], Workspace]
    provider: Provider | None = None
    prefix: str = ""
    limits: Mapping[Counted, RateLimit] = field(
        default_factory=lambda: {what: RateLimit(*rate) for what, rate in RATES.items()}
    )
    holdings: Holdings = field(default_factory=Holdings)

    def take(self, what: Counted, key: str) -> float:
        """Take one of what is limited. Returns 0 if there was one, else the seconds until there is one."""
        return self.limits[what].take(key)

    def ask_workspace(self) -> None:
        """Ask the workspace's index and files for something small. Raises QavizError if one does not answer."""
        home = self.workspace()
        with home.reading():
            pass  # to connect is to ask
        home.storage.ask()


class SignInGate:
    """ASGI middleware: who has signed in passes, under a header that says who; everybody else may sign in."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self.door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on under the person's name, or answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope = without_headers(scope, IDENTITY_HEADER.encode())
        own = _OWN_PATH.search(scope["path"])
        if own and scope["type"] == "http":
            answer = await self._answer_own(own.group().strip("/"), scope, receive)
            await answer(scope, receive, send)
            return
        identity = await self._identify(scope)
        if identity is None:
            await self._refuse(scope, receive, send)
            return
        observe_request(scope).subject = identity.subject
        scope["headers"] = [*scope["headers"], (IDENTITY_HEADER.encode(), seal_identity(identity).encode())]
        wait = self.door.take(Counted.REQUESTS, identity.subject)
        if wait:
            log.warning("too many requests", extra={"subject": identity.subject})
            headers = {"Retry-After": str(ceil(wait))}
            refusal = PlainTextResponse("Too many requests. Wait a moment.\n", 429, headers=headers)
            await send_refusal(refusal, scope, receive, send)
        elif scope["type"] == "http":
            await self.app(scope, receive, _secure_cookies(send))
        else:
            await self._open_page(identity, scope, receive, send)

    async def _open_page(self, identity: Identity, scope: Scope, receive: Receive, send: Send) -> None:
        holdings, subject = self.door.holdings, identity.subject
        if not await run_in_threadpool(holdings.take, PAGES, subject, MOST_SOCKETS):
            refusal = PlainTextResponse(f"You have {MOST_SOCKETS} pages open. Close some of them.\n", 429)
            await send_refusal(refusal, scope, receive, send)
            return
        try:
            await self.app(scope, self._while_signed_in(receive, identity), send)
        finally:
            await run_in_threadpool(holdings.give_back, PAGES, subject)

    async def _identify(self, scope: Scope) -> Identity | None:
        if self.door.settings.source is Source.HEADER:
            return self._named_by_proxy(scope)
        cookie = _read_cookie(scope)
        return await run_in_threadpool(self._find, hash_cookie(cookie)) if cookie else None

    def _find(self, key: str) -> Identity | None:
        sign_in = find_sign_in(self.door.workspace(), key, self.door.settings.source)
        return Identity(subject=sign_in.subject, name=sign_in.name, key=key) if sign_in else None

    def _named_by_proxy(self, scope: Scope) -> Identity | None:
        # `AccessControl` has dropped the header unless a configured proxy sent it.
        named = Headers(scope=scope).getlist(self.door.settings.header)
        try:
            subject = checked_subject(named[0] if len(named) == 1 else "")
        except QavizError as error:
            log.warning("a subject was refused: %s", error.problems[0].found)
            return None
        return Identity(subject=subject, name=subject)

    def _while_signed_in(self, receive: Receive, identity: Identity) -> Receive:
        """Pass a web socket's messages on until the sign-in ends; the next one after that ends the web socket."""

        async def receive_checked() -> Message:
            message = await receive()
            await sleep(self.door.take(Counted.MESSAGES, identity.subject))
            ended = identity.key and not await run_in_threadpool(self._find, identity.key)
            if ended and message["type"] == "websocket.receive":
                log.info("web socket closed: the sign-in has ended", extra={"subject": identity.subject})
                return {"type": "websocket.disconnect", "code": 1008, "reason": "signed out"}
            return message

        return receive_checked

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        reads = scope["type"] == "http" and scope["method"] == "GET"
        navigates = reads and "text/html" in Headers(scope=scope).get("accept", "")
        answer = self._sign_in_page(_read_link(scope)) if navigates else _SIGN_IN_FIRST
        await send_refusal(answer, scope, receive, send)

    def _sign_in_page(self, then: str, problem: str = "", status: int = 401) -> Response:
        return self._show_page("Sign in", status, then=then, problem=problem)

    def _show_page(
        self, title: str, status: int, *, then: str = "", problem: str = "", signed_out: bool = False
    ) -> Response:
        """The page for people who are not signed in: without a script, and without a word about the workspace.

        `then` is the path that is opened afterwards; `problem` is what went wrong with the last attempt, if anything.
        """
        source, prefix = self.door.settings.source.value, self.door.prefix
        page = render(
            _PAGE, title=title, source=source, prefix=prefix, then=then, problem=problem, signed_out=signed_out
        )
        return HTMLResponse(page, status, headers={"Cache-Control": "no-store"})

    async def _answer_own(self, path: str, scope: Scope, receive: Receive) -> ASGIApp:
        request = Request(scope, receive)
        if path == "auth/sign-out":
            return await self._sign_out(request)
        if path == "auth/sign-in" and request.method == "GET":
            return self._sign_in_page(_safe_path(request.query_params.get("then", "/")), status=200)
        if self.door.provider and path == "auth/login":
            return await self._to_provider(_safe_path(request.query_params.get("then", "/")), scope, receive)
        if self.door.provider and path == "oauth2callback":
            return await self._from_provider(scope, receive)
        return _NOT_FOUND

    async def _welcome(self, identity: Identity, then: str, scope: Scope) -> Response:
        """Begin a new sign-in, whatever cookie was there before, and go on."""
        source = self.door.settings.source
        home = self.door.workspace()
        before = _read_cookie(scope)
        if before:
            await run_in_threadpool(end_sign_in, home, hash_cookie(before))
        cookie = await run_in_threadpool(begin_sign_in, home, identity.subject, identity.name, source)
        SIGN_INS.labels("signed in").inc()
        log.info("signed in", extra={"subject": identity.subject, "peer": _find_address(scope)})
        answer = RedirectResponse(then, 303, headers={"Cache-Control": "no-store"})
        answer.set_cookie(COOKIE, cookie, httponly=True, secure=True, samesite="lax", path="/")
        return answer

    async def _sign_out(self, request: Request) -> Response:
        cookie = _read_cookie(request.scope)
        if cookie:
            await run_in_threadpool(end_sign_in, self.door.workspace(), hash_cookie(cookie))
            log.info("signed out", extra={"peer": _find_address(request.scope)})
        answer = self._show_page("You are signed out", 200, signed_out=True)
        answer.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")
        return answer

    async def _to_provider(self, then: str, scope: Scope, receive: Receive) -> ASGIApp:
        wait = self.door.take(Counted.ADDRESSES, _find_address(scope))
        if wait:
            return self._ask_to_wait(then, wait)
        assert self.door.provider is not None
        answer = await self._ask_streamlit(
            dict(scope) | {"query_string": self.door.provider.login_query().encode()}, receive
        )
        if answer.status < 400:
            answer.set_cookie(THEN_COOKIE, quote(then, safe=""), THEN_KEPT_S)
            return answer.send_again
        SIGN_INS.labels("provider down").inc()
        log.error("the sign-in provider does not answer", extra={"peer": _find_address(scope)})
        problem = "The sign-in provider does not answer, so nobody can sign in now. Nothing is lost. Try again later."
        return self._sign_in_page(then, problem, 503)

    async def _from_provider(self, scope: Scope, receive: Receive) -> ASGIApp:
        assert self.door.provider is not None
        state = QueryParams(scope["query_string"]).get("state", "")
        then = _safe_path(unquote(_read_cookie(scope, THEN_COOKIE)) or f"{self.door.prefix}/")
        wait = self.door.take(Counted.ADDRESSES, _find_address(scope))
        if wait:
            return self._ask_to_wait(then, wait)
        answer = await self._ask_streamlit(scope, receive)
        try:
            identity = self.door.provider.read_identity(answer.cookies, self.door.settings.claim)
        except QavizError as error:
            SIGN_INS.labels("refused").inc()
            log.warning("sign-in refused: %s", error.problems[0].found, extra={"peer": _find_address(scope)})
            wrong = error.problems[0].found
            return self._sign_in_page(then, f"You are not signed in: the sign-in provider sent {wrong}. Try again.")
        # Only now, so that nobody fills the index with callbacks that no provider sent.
        if not await run_in_threadpool(use_callback, self.door.workspace(), state):
            log.warning("a sign-in was replayed", extra={"peer": _find_address(scope)})
            return self._sign_in_page(then, "This sign-in was used already. Sign in again.")
        welcome = await self._welcome(identity, then, scope)
        welcome.delete_cookie(THEN_COOKIE, path="/", secure=True, httponly=True, samesite="lax")
        return welcome

    def _ask_to_wait(self, then: str, wait: float) -> Response:
        answer = self._sign_in_page(then, f"Too many attempts. Try again in {wait:.0f} seconds.", 429)
        answer.headers["Retry-After"] = str(ceil(wait))
        return answer

    async def _ask_streamlit(self, scope: Scope, receive: Receive) -> "_Answer":
        answer = _Answer()
        await self.app(scope, receive, answer.keep)
        return answer


class _Answer:
    """What Streamlit answered, held back."""

    def __init__(self) -> None:
        self.status = 500
        self.cookies: list[str] = []
        self._messages: list[Message] = []

    def set_cookie(self, name: str, value: str, seconds: int) -> None:
        """Have the browser keep a cookie for so long, which no script reads."""
        headers = MutableHeaders(scope=self._messages[0])
        headers.append("set-cookie", f"{name}={value}; Max-Age={seconds}; Path=/; Secure; HttpOnly; SameSite=Lax")

    async def keep(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.cookies = MutableHeaders(scope=message).getlist("set-cookie")
        self._messages.append(message)

    async def send_again(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        for message in self._messages:
            await _secure_cookies(send)(message)


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


def _read_cookie(scope: Scope, name: str = COOKIE) -> str:
    cookies = Headers(scope=scope).getlist("cookie")
    return next(filter(None, (cookie_parser(cookie).get(name, "") for cookie in cookies)), "")


def _find_address(scope: Scope) -> str:
    client: Any = scope.get("client")
    return str(client[0]) if client else "unknown"


def _read_link(scope: Scope) -> str:
    query = scope["query_string"].decode("latin-1")
    return _safe_path(f"{scope['path']}?{query}" if query else scope["path"])


def _safe_path(text: str) -> str:
    """The text, if it is a path of this server and nothing else; the start page if it is not."""
    safe = re.fullmatch(r"/(?![/\\])[^\x00-\x20\x7f\\]{0,2000}", text)
    return text if safe and not _OWN_PATH.search(text.partition("?")[0]) else "/"
