"""What the operator sees: a line for each request, in JSON, without queries, texts or secrets."""

import json
import logging
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_KEY = "qaviz.observed"
_LOGGED = ("subject", "account", "peer", "method", "path", "status", "seconds", "protocol")

OPEN_SOCKET = 101

log = logging.getLogger("qaviz.access")


@dataclass
class Observed:
    """What is known of a request."""

    subject: str | None = None
    status: int = 0


def observed(scope: Scope) -> Observed:
    """What is known of this request; what is set there is in the log line."""
    found: Observed = scope.setdefault(_KEY, Observed())
    return found


def noting(known: Observed, send: Send) -> Send:
    """Send on, and note the status of the answer: 101 for a web socket that is open."""

    async def send_noted(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            known.status = message["status"]
        elif message["type"] == "websocket.accept":
            known.status = OPEN_SOCKET
        await send(message)

    return send_noted


class AccessLog:
    """ASGI middleware that logs each request when it has ended: who, what, with which outcome, how long."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and log it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        known, began = observed(scope), time.monotonic()
        try:
            await self.app(scope, receive, noting(known, send))
        finally:
            log.info("request", extra=_facts(scope, known, time.monotonic() - began))


def _facts(scope: Scope, known: Observed, seconds: float) -> dict[str, Any]:
    client = scope.get("client")
    return {
        "subject": known.subject,
        "peer": client[0] if client else None,
        "protocol": scope["type"],
        "method": scope.get("method"),
        "path": scope["path"],
        "status": known.status,
        "seconds": round(seconds, 4),
    }


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
