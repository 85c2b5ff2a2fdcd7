"""What the operator sees: a line of JSON for each request, without queries, texts or secrets; health and readiness;
Prometheus figures.
"""

import json
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, start_http_server
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qaviz.model.errors import QavizError

_KEY = "qaviz.observed"
_LOGGED = ("subject", "peer", "method", "path", "status", "seconds", "protocol")

OPEN_SOCKET = 101
"""The status of a web socket that is open."""

_SECRET_PART = re.compile(r"(/_stcore/upload_file/|/media/).*", re.DOTALL)
_ID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12,}")

log = logging.getLogger("qaviz.access")

REQUESTS = Counter("qaviz_requests", "Requests that have ended.", ["kind", "status"])
SECONDS = Histogram("qaviz_request_seconds", "Seconds that a request took.", ["kind"])
SOCKETS = Gauge("qaviz_open_sockets", "Web sockets that are open: one for each tab of a browser.")
JOBS = Gauge("qaviz_running_jobs", "Pieces of long work that are running beside the pages.")

_KINDS = (("/_stcore/upload_file", "upload"), ("/_stcore/", "page"), ("/media/", "download"))

health_log = logging.getLogger("qaviz.health")


@dataclass
class Observed:
    """What is known of a request."""

    subject: str | None = None
    status: int = 0


def observe_request(scope: Scope) -> Observed:
    """What is known of this request; what is set there is in the log line."""
    observed: Observed = scope.setdefault(_KEY, Observed())
    return observed


def redact_path(path: str) -> str:
    """The path without what opens something to whoever knows it: ids of sessions, uploads and downloads."""
    return _ID.sub("…", _SECRET_PART.sub(r"\1…", path))


class JsonLines(logging.Formatter):
    """A log record as one line of JSON. An exception is its type and place alone: its text may quote a response."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line |= {name: value for name in _LOGGED if (value := getattr(record, name, None)) is not None}
        if record.exc_info and record.exc_info[0]:
            line["exception"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)


def log_as_json() -> None:
    """Write what qaviz logs to standard error, a line of JSON each."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    ours = logging.getLogger("qaviz")
    ours.handlers, ours.propagate = [handler], False
    ours.setLevel(logging.INFO)


class Watch:
    """ASGI middleware that answers /healthz and /readyz to anybody, and counts, and if it `logs` logs, all other
    requests when they have ended.

    Ready means that `ask` raises no QavizError and the server is not about to stop. Neither says anything else. Not
    `open_to_all` means that health is answered to nobody.
    """

    def __init__(
        self, app: ASGIApp, ask: Callable[[], object], stopping: Event, *, open_to_all: bool = True, logs: bool = False
    ) -> None:
        self.app = app
        self._ask, self._stopping = ask, stopping
        self._open, self._logs = open_to_all, logs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on and count it."""
        if self._open and scope["type"] == "http" and scope["path"] in ("/healthz", "/readyz"):
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
            await run_in_threadpool(self._ask)
        except QavizError as error:
            health_log.warning("not ready: %s: found %s", error.problems[0].where, error.problems[0].found)
            return False
        return True

    async def _count(self, scope: Scope, receive: Receive, send: Send) -> None:
        observed, began, is_socket = observe_request(scope), time.monotonic(), scope["type"] == "websocket"
        kind = "socket" if is_socket else next((kind for start, kind in _KINDS if start in scope["path"]), "file")

        async def send_noted(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                observed.status = message["status"]
            elif message["type"] == "websocket.accept":
                observed.status = OPEN_SOCKET
            await send(message)

        SOCKETS.inc(is_socket)
        try:
            await self.app(scope, receive, send_noted)
        finally:
            seconds = time.monotonic() - began
            REQUESTS.labels(kind, str(observed.status)).inc()
            SOCKETS.dec(is_socket)
            if not is_socket:
                SECONDS.labels(kind).observe(seconds)
            if self._logs:
                client = scope.get("client")
                request = {
                    "subject": observed.subject,
                    "peer": client[0] if client else None,
                    "protocol": scope["type"],
                    "method": scope.get("method"),
                    "path": redact_path(scope["path"]),
                    "status": observed.status,
                    "seconds": round(seconds, 4),
                }
                log.info("request", extra=request)


def serve_metrics(port: int, running_jobs: Callable[[], int]) -> None:
    """Serve the figures on 127.0.0.1 and this port, in a thread of their own."""
    JOBS.set_function(running_jobs)
    start_http_server(port, addr="127.0.0.1", registry=REGISTRY)
