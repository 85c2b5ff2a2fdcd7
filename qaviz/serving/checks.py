"""What a request passes on its way to the pages, one check after the other: who is answered at all (host names,
origins, forwarded headers, the one-time token, whom the identity proxy names), and what one visitor may hold (their own
sessions, so many open pages, and so large uploads).
"""

import hmac
import logging
import re
import secrets
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from starlette.datastructures import Headers, QueryParams
from starlette.requests import ClientDisconnect, cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
from qaviz.store.members import checked_subject

log, session_log = logging.getLogger("qaviz.sign_in"), logging.getLogger("qaviz.sessions")


@dataclass
class Visit:
    """A request, or a web socket, on its way through the checks."""

    scope: Scope
    """As the next check, and at last the pages, see it."""
    subject: str | None = None
    """Who asks, once that is known; None where nobody signs in."""
    status: int = 0
    """Of the answer, once there is one."""
    changes: list[Callable[[Message], Message]] = field(default_factory=list)
    """What each message of the answer goes through, the last first."""
    ending: ExitStack = field(default_factory=ExitStack)
    """What is done when it has ended."""

    @property
    def is_socket(self) -> bool:
        """Whether it is a web socket."""
        return bool(self.scope["type"] == "websocket")

    @property
    def headers(self) -> Headers:
        """The headers of the request."""
        return Headers(scope=self.scope)


Check = Callable[[Visit], Awaitable[Response | None]]
"""Answers or refuses a visit, or lets it pass: with None, perhaps with another scope."""


class Front:
    """ASGI middleware that asks the checks, in their order, and passes on what none of them answers."""

    def __init__(self, app: ASGIApp, checks: Sequence[Check]) -> None:
        self.app, self._checks = app, checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the visit, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        visit = Visit(scope)

        async def answer(message: Message) -> None:
            for change in reversed(visit.changes):
                message = change(message)
            await send(message)

        with visit.ending:
            for check in self._checks:
                if refusal := await check(visit):
                    # A web socket is refused in words where the server can send them.
                    if visit.is_socket and "websocket.http.response" not in scope.get("extensions", {}):
                        await answer({"type": "websocket.close", "code": 1008})
                    else:
                        await refusal(visit.scope, receive, answer)
                    return
            await self.app(visit.scope, receive, answer)


def without_headers(message: Scope, *names: str) -> Scope:
    """The request or answer without these headers."""
    kept = [(name, value) for name, value in message["headers"] if name.decode("latin-1").lower() not in names]
    return dict(message) | {"headers": kept}


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


MOST_SESSIONS, MOST_FILES = 50_000, 200_000
"""Sessions and files whose owner is remembered; the least recently seen is forgotten first, and is then nobody's."""
Key = TypeVar("Key")
Value = TypeVar("Value")

_PROTOCOLS = "sec-websocket-protocol"
_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/")
_MEDIA = re.compile(r"(?<!/static)/media/(?P<file>[^/.]+)[^/]*$")
"""Files that pages made; /static/media has Streamlit's own."""


class OwnSessions:
    """Behind the sign-in: a session is its subject's alone. A web socket that asks for another subject's session, or
    for one that nobody is known to have, gets a new one. An upload to such a session, or the removal of one there, is
    refused; a file that was made for another's is not found. In what the server sends to a page
    `read_session` finds the page's session, and `list_media` the ids of its files, downloads and pictures."""

    def __init__(
        self, read_session: Callable[[bytes], str | None], list_media: Callable[[str, bytes], Iterable[str]]
    ) -> None:
        self._read_session, self._list_media = read_session, list_media
        self.owners: OrderedDict[str, str] = OrderedDict()
        self._readers: OrderedDict[tuple[str, str], None] = OrderedDict()
        """File and subject of each file that a session of the subject was sent the address of."""

    async def __call__(self, visit: Visit) -> Response | None:
        """Pass the visit on, without the session that is not its subject's, or refuse it."""
        subject, path = visit.subject or "", visit.scope["path"]
        if visit.is_socket:
            self._drop_foreign_session(visit, subject)
            visit.changes.append(self._noting_owner(subject))
            return None
        upload, media = _UPLOAD.search(path), _MEDIA.search(path)
        if upload and not self._is_own(upload["session"], subject):
            session_log.warning("an upload to a session of somebody else was refused", extra={"subject": subject})
            return PlainTextResponse("Refused: this page is not yours.\n", 403)
        if media and (media["file"], subject) not in self._readers:
            session_log.warning("a file of somebody else, or of nobody, was refused", extra={"subject": subject})
            return PlainTextResponse("Not found.\n", 404)
        return None

    def _is_own(self, session: str, subject: str) -> bool:
        return bool(subject) and self.owners.get(session) == subject

    def _drop_foreign_session(self, visit: Visit, subject: str) -> None:
        """Drop the id of a session, which is the third of the protocols, unless it is the subject's."""
        entries = [entry.strip() for entry in ",".join(visit.headers.getlist(_PROTOCOLS)).split(",")]
        if len(entries) < 3 or self._is_own(entries[2], subject):
            return
        if entries[2]:
            session_log.warning("a session of somebody else, or of nobody, was not resumed", extra={"subject": subject})
        protocols = {"subprotocols": entries[:2]} if "subprotocols" in visit.scope else {}
        visit.scope = {**without_headers(visit.scope, _PROTOCOLS), **protocols}
        visit.scope["headers"].append((_PROTOCOLS.encode(), ", ".join(entries[:2]).encode("latin-1")))

    def _noting_owner(self, subject: str) -> Callable[[Message], Message]:
        """Remember whose session it is that the first messages name, and for whom files are there."""
        session: str | None = None

        def note_owner(message: Message) -> Message:
            nonlocal session
            sent = message.get("bytes") if message["type"] == "websocket.send" else None
            if sent and session is None:
                session = self._read_session(sent)
                if session:
                    # The first to have a session keeps it.
                    self.owners.setdefault(session, subject)
                    _keep_newest(self.owners, session, MOST_SESSIONS)
            # What files there are is asked of the server: a text of somebody's may have any address.
            if sent and session and self._is_own(session, subject) and b"/media/" in sent:
                for file in self._list_media(session, sent):
                    self._readers[file, subject] = None
                    _keep_newest(self._readers, (file, subject), MOST_FILES)
            return message

        return note_owner


def _keep_newest(remembered: OrderedDict[Key, Value], key: Key, most: int) -> None:
    """Make the key the newest, and forget the oldest over `most`."""
    remembered.move_to_end(key)
    while len(remembered) > most:
        remembered.popitem(last=False)


Held = Callable[[], Mapping[str, int]]
"""Says how many bytes of uploads each session holds."""

GB = 1024**3

MEMORY_PER_VISITOR, MEMORY_IN_ALL = 1 * GB, 2 * GB
"""Most bytes of uploads that are on their way or in the server's memory, before a page moves them to the disk."""
UPLOADS_PER_VISITOR, UPLOADS_IN_ALL = 4 * GB, 16 * GB
"""Most bytes of uploads in memory and on the disk together."""


def limit_uploads(in_memory: Held, on_disk: Held, owners: Mapping[str, str]) -> Check:
    """A check that refuses an upload before it is read where the visitor, or all together, hold too much. A visitor is
    who has signed in, by the `owners` of sessions, else a session: a tab of a browser."""
    on_the_way: Counter[str] = Counter()

    def by_owner(held: Mapping[str, int]) -> Counter[str]:
        counted: Counter[str] = Counter()
        for session, size in held.items():
            counted[owners.get(session, session)] += size
        return counted

    async def check(visit: Visit) -> Response | None:
        upload = None if visit.is_socket or visit.scope["method"] != "PUT" else _UPLOAD.search(visit.scope["path"])
        if upload is None:
            return None
        length = visit.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,15}", length):
            return PlainTextResponse("An upload has to say how long it is.\n", 411)
        visitor, size = visit.subject or upload["session"], int(length)
        memory = by_owner(in_memory()) + on_the_way
        everywhere = memory + by_owner(on_disk())
        limits = (
            (memory[visitor], MEMORY_PER_VISITOR, "Wait until your other uploads are there."),
            (memory.total(), MEMORY_IN_ALL, "Wait until other people's uploads are there."),
            (everywhere[visitor], UPLOADS_PER_VISITOR, "Remove files from the upload fields."),
            (everywhere.total(), UPLOADS_IN_ALL, "Wait until other people have finished theirs."),
        )
        for held, limit, fix in limits:
            if held + size > limit:
                return PlainTextResponse(f"Uploads hold {held / GB:.1f} GB of {limit / GB:.0f} GB. {fix}\n", 413)
        on_the_way[visitor] += size
        visit.ending.callback(_give_back, on_the_way, visitor, size)
        # Who goes away in the middle gets no answer, and the log no traceback.
        visit.ending.enter_context(suppress(ClientDisconnect))
        return None

    return check


MOST_SOCKETS_OF_PERSON, MOST_SOCKETS_OF_ADDRESS = 30, 200
"""Web sockets, one for each open page, that one person may have open; and one address where nobody signs in: an office
behind one address, not a program that opens them all."""


def limit_sockets(of_person: int = MOST_SOCKETS_OF_PERSON, of_address: int = MOST_SOCKETS_OF_ADDRESS) -> Check:
    """A check that lets a person, or an address where nobody signs in, have so many web sockets open."""
    opened: Counter[tuple[str, str]] = Counter()

    async def check(visit: Visit) -> Response | None:
        if not visit.is_socket:
            return None
        client = visit.scope.get("client") or ("",)
        holder = ("person", visit.subject) if visit.subject else ("address", str(client[0]))
        most = of_person if visit.subject else of_address
        if opened[holder] >= most:
            return PlainTextResponse(f"{most} pages are open already. Close some of them.\n", 429)
        opened[holder] += 1
        visit.ending.callback(_give_back, opened, holder, 1)
        return None

    return check


def _give_back(held: Counter[Key], holder: Key, number: int) -> None:
    held.subtract({holder: number})
    held += Counter()  # in place: forgets who holds none
