"""Armour around the pages, whatever they show: what browsers are told to refuse, and which names are answered to."""

import base64
import hashlib
import re
from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


def _hash_source(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def armour(index_html: str, allowed_hosts: Sequence[str]) -> list[Middleware]:
    """The middleware for an app whose page is `index_html`: safety headers on every answer, none to other names.

    A web page elsewhere can make its own name mean 127.0.0.1 (DNS rebinding); its requests arrive under that name. No
    names at all mean that every name is answered to, as in Streamlit.
    """
    return [
        Middleware(SafetyHeaders, policy=content_security_policy(index_html)),
        Middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts) or ["*"], www_redirect=False),
    ]


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
