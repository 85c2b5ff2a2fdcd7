"""Middleware in front of the pages: safety headers, the page with its styles, access, sign-in and health."""

import logging
import re
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qaviz.access import Access
from qaviz.access.identity import SignInSettings
from qaviz.exports.templates import hash_source
from qaviz.model.errors import QavizError
from qaviz.serving.control import AccessControl
from qaviz.serving.sign_in import SignInGate

log = logging.getLogger("qaviz.health")

_loading: list[Thread] = []
_NO_PAGE = re.compile(r"/(_stcore|media|static|component|auth|oauth2callback)(/|$)|\.\w+$")
"""Addresses of files, and those that Streamlit answers itself."""
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def load_beside(work: Callable[[], None]) -> None:
    """Import what pages need, in a thread: `wait_until_loaded` waits for it."""
    thread = Thread(target=work, daemon=True)
    _loading.append(thread)
    thread.start()


def wait_until_loaded() -> None:
    """Return when all that `load_beside` began has ended: two threads that import packages of ours from two ends see
    halves of them."""
    for thread in _loading:
        thread.join()


def content_security_policy(index_html: str) -> str:
    """The policy under which a browser runs Streamlit's page and nothing else: nothing from, or to, another origin.

    `index_html` is the page that Streamlit serves. Its own inline scripts run because the policy names their hashes;
    any other inline script is refused.
    """
    hashes = " ".join(map(hash_source, _INLINE_SCRIPT.findall(index_html)))
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
    """Streamlit's page with our styles and the script of the first paint in its head, from the folder of the widgets:
    as elements of a page, styles come after the first elements are drawn, and move them."""
    styles, first, script = (
        (widgets / name).read_text("utf-8") for name in ("page_setup.css", "first_paint.css", "first_paint.js")
    )
    head = f'<style>{styles}</style><style id="first-paint">{first}</style><script>{script}</script>'
    return index_html.replace("<head>", f"<head>{head}", 1)


class ServedPage:
    """ASGI middleware that sends `page` to a browser that asks for an address of Streamlit's page."""

    def __init__(self, app: ASGIApp, page: str) -> None:
        self.app = app
        self._page = HTMLResponse(page, headers={"Cache-Control": "no-cache"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and scope["method"] == "GET" and not _NO_PAGE.search(scope["path"])
        is_page = is_page and "text/html" in Headers(scope=scope).get("accept", "")
        await (self._page if is_page else self.app)(scope, receive, send)


class Health:
    """ASGI middleware that answers /healthz and /readyz to anybody.

    Ready means that `ask` raises no QavizError and the server is not about to stop. Neither says anything else.
    """

    def __init__(self, app: ASGIApp, ask: Callable[[], object], stopping: Event) -> None:
        self.app = app
        self._ask, self._stopping = ask, stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] in ("/healthz", "/readyz"):
            ready = scope["path"] == "/healthz" or await self._is_ready()
            answer = PlainTextResponse("ok\n" if ready else "not ready\n", 200 if ready else 503)
            answer.headers["Cache-Control"] = "no-store"
            await answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _is_ready(self) -> bool:
        if self._stopping.is_set():
            return False
        try:
            await run_in_threadpool(self._ask)
        except QavizError as error:
            log.warning("not ready: %s: found %s", error.problems[0].where, error.problems[0].found)
            return False
        return True


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
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, send_safely if scope["type"] == "http" else send)


def security_middleware(
    page: str, access: Access, settings: SignInSettings, ask: Callable[[], object], stopping: Event
) -> list[Middleware]:
    """The middleware for an app that serves `page` where Streamlit would serve its own, the outermost first.

    Where `settings` ask for it, only who has signed in passes. Health is answered by `ask` and until `stopping`, except
    with a one-time token, without which nothing is answered.
    """
    return [
        *([] if access.token else [Middleware(Health, ask=ask, stopping=stopping)]),
        Middleware(SafetyHeaders, policy=content_security_policy(page)),
        Middleware(AccessControl, access=access),
        *([Middleware(SignInGate, settings=settings)] if settings.required else []),
        Middleware(ServedPage, page=page),
    ]
