"""Middleware in front of the pages: safety headers, the page with its styles, access, sign-in, limits and health."""

import re
import tomllib
from asyncio import to_thread
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import Message

from qaviz import uploads
from qaviz.access import Access, SignInSettings
from qaviz.model.visible import hash_source
from qaviz.serving import checks, observed
from qaviz.serving.checks import Check, Front, Visit, without_headers

_SAFETY = tomllib.loads(Path(__file__).with_name("safety.toml").read_text("utf-8"))
_WIDGETS = Path(__file__).parents[1] / "ui" / "widgets"
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def wait_for(loading: Thread) -> Check:
    """A check that lets web sockets in when this thread, which imports what pages need, has ended. Two threads that
    import packages of ours from two ends see halves of them, and a first visitor's page, whichever it is, breaks."""

    async def check(visit: Visit) -> None:
        if visit.is_socket:
            await to_thread(loading.join)

    return check


def content_security_policy(index_html: str) -> str:
    """The policy under which a browser runs Streamlit's page and nothing else: nothing from, or to, another origin.
    `index_html` is the page that Streamlit serves. Its own inline scripts run because the policy names their hashes;
    any other inline script is refused."""
    hashes = " ".join(map(hash_source, _INLINE_SCRIPT.findall(index_html)))
    return "; ".join(f"{part} {sources.format(hashes=hashes)}".rstrip() for part, sources in _SAFETY["policy"].items())


def style_page(index_html: str) -> str:
    """Streamlit's page with our styles and the script of the first paint in its head. As elements of a page, styles
    come after the first elements are drawn, and move them."""
    styles, first, script = (
        (_WIDGETS / name).read_text("utf-8") for name in ("page_setup.css", "first_paint.css", "first_paint.js")
    )
    head = f'<style>{styles}</style><style id="first-paint">{first}</style><script>{script}</script>'
    return index_html.replace("<head>", f"<head>{head}", 1)


def serve_page(index_html: str, page: str) -> Check:
    """A check that sends `page` wherever Streamlit answers with its `index_html`, and all else as it is."""
    replaced, served = index_html.encode(), page.encode()

    def swap(message: Message) -> Message:
        if message["type"] == "http.response.start":
            headers = Headers(raw=message["headers"])
            length, kind = headers.get("content-length"), headers.get("content-type", "")
            if length == str(len(replaced)) and kind.startswith("text/html"):
                message = without_headers(message, "etag", "last-modified", "accept-ranges")
                MutableHeaders(scope=message)["content-length"] = str(len(served))
        elif message.get("body") == replaced:
            message = dict(message) | {"body": served}
        return message

    async def check(visit: Visit) -> None:
        if not visit.is_socket and "text/html" in visit.headers.get("accept", ""):
            conditions = ("accept-encoding", "if-none-match", "if-modified-since", "range")
            visit.scope = without_headers(visit.scope, *conditions)
            visit.changes.append(swap)

    return check


def add_safety_headers(policy: str) -> Check:
    """A check that adds the policy, and the headers that go with it, to every HTTP answer."""
    headers = {"Content-Security-Policy": policy, **_SAFETY["headers"]}

    def add(message: Message) -> Message:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(headers)
        return message

    async def check(visit: Visit) -> None:
        visit.changes.append(add)

    return check


def security_middleware(
    index_html: str,
    access: Access,
    sign_in: SignInSettings,
    ask: Callable[[], object],
    stopping: Event,
    loading: Thread,
    name: str = "",
) -> Middleware:
    """The middleware for an app that Streamlit serves with the page `index_html`, once `loading` has ended. If people
    `sign_in`, only those who have pass, each into sessions of their own, and each request is logged. Health is answered
    until `stopping`, under the server's `name`, except with a one-time token, without which nothing is answered; `ask`
    raises QavizError where the workspace does not answer."""
    page, own = style_page(index_html), checks.OwnSessions(uploads.read_session, uploads.list_media)
    in_order: list[Check] = [
        observed.watch(ask, stopping, open_to_all=not access.token, logs=sign_in.required, name=name),
        add_safety_headers(content_security_policy(page)),
        checks.AccessControl(access),
        *([checks.SignInGate(sign_in)] if sign_in.required else []),
        checks.limit_sockets(),
        *([own] if sign_in.required else []),
        checks.limit_uploads(uploads.held_in_memory, uploads.held_on_disk, own.owners),
        wait_for(loading),
        serve_page(index_html, page),
    ]
    return Middleware(Front, checks=in_order)
