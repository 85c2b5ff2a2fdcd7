"""What the operator's programs ask: is the process alive, can it take work, and its figures for Prometheus.

The figures are served on a port of their own, on this machine's loopback address alone.
"""

import logging
import time
from collections.abc import Callable
from threading import Event

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, start_http_server
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from qaviz.model.errors import QavizError
from qaviz.serving.observed import noting, observed

METRICS_VARIABLE = "QAVIZ_METRICS_PORT"
"""The environment variable with the port of the figures; without it there are none."""

REQUESTS = Counter("qaviz_requests", "Requests that have ended.", ["kind", "status"])
SECONDS = Histogram("qaviz_request_seconds", "Seconds that a request took.", ["kind"])
SOCKETS = Gauge("qaviz_open_sockets", "Web sockets that are open: one for each tab of a browser.")
JOBS = Gauge("qaviz_running_jobs", "Pieces of long work that are running beside the pages.")
SIGN_INS = Counter("qaviz_sign_ins", "Attempts to sign in.", ["outcome"])

_KINDS = (("/_stcore/upload_file", "upload"), ("/_stcore/", "page"), ("/media/", "download"), ("/auth/", "sign-in"))

log = logging.getLogger("qaviz.health")


class Health:
    """ASGI middleware that answers /healthz and /readyz to anybody, and counts all other requests.

    Ready means that the index answers and the server is not about to stop. Neither says anything else.
    """

    def __init__(self, app: ASGIApp, ask_index: Callable[[], object], stopping: Event) -> None:
        self.app = app
        self._ask_index, self._stopping = ask_index, stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on and count it."""
        if scope["type"] == "http" and scope["path"] in ("/healthz", "/readyz"):
            ready = scope["path"] == "/healthz" or await self._is_ready()
            answer = PlainTextResponse("ok\n" if ready else "not ready\n", 200 if ready else 503)
            answer.headers["Cache-Control"] = "no-store"
            await answer(scope, receive, send)
        elif scope["type"] in ("http", "websocket"):
            await self._count(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _is_ready(self) -> bool:
        if self._stopping.is_set():
            return False
        try:
            await run_in_threadpool(self._ask_index)
        except QavizError as error:
            log.warning("not ready: the index does not answer (%s)", error.problems[0].found)
            return False
        return True

    async def _count(self, scope: Scope, receive: Receive, send: Send) -> None:
        known, began, is_socket = observed(scope), time.monotonic(), scope["type"] == "websocket"
        kind = "socket" if is_socket else next((kind for start, kind in _KINDS if start in scope["path"]), "file")

        if is_socket:
            SOCKETS.inc()
        try:
            await self.app(scope, receive, noting(known, send))
        finally:
            REQUESTS.labels(kind, str(known.status)).inc()
            if not is_socket:
                SECONDS.labels(kind).observe(time.monotonic() - began)
            else:
                SOCKETS.dec()


def serve_metrics(port: int, running_jobs: Callable[[], int]) -> None:
    """Serve the figures on 127.0.0.1 and this port, in a thread of their own."""
    JOBS.set_function(running_jobs)
    start_http_server(port, addr="127.0.0.1", registry=REGISTRY)
