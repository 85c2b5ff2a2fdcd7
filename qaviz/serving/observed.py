"""What the operator sees: a line of JSON for each request, without queries, texts or secrets; health and readiness;
Prometheus figures."""

import json
import logging
import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from threading import Event

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, start_http_server
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message

from qaviz.access import HIGHEST_PORT
from qaviz.model.errors import QavizError, stop
from qaviz.model.records import SERVER_HEADER
from qaviz.serving.checks import Check, Visit

METRICS_VARIABLE = "QAVIZ_METRICS_PORT"
"""Environment variable with the port of the figures for the operator; without it there are none."""
_LOGGED = ("subject", "peer", "method", "path", "status", "seconds", "protocol")

_SECRET_PART = re.compile(r"(/_stcore/upload_file/|/media/).*", re.DOTALL)
_ID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12,}")

log, health_log = logging.getLogger("qaviz.access"), logging.getLogger("qaviz.health")

REQUESTS = Counter("qaviz_requests", "Requests that have ended.", ["kind", "status"])
SECONDS = Histogram("qaviz_request_seconds", "Seconds that a request took.", ["kind"])
SOCKETS = Gauge("qaviz_open_sockets", "Web sockets that are open: one for each tab of a browser.")
JOBS = Gauge("qaviz_running_jobs", "Pieces of long work that are running beside the pages.")

_KINDS = (("/_stcore/upload_file", "upload"), ("/_stcore/", "page"), ("/media/", "download"))


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


def watch(ask: Callable[[], object], stopping: Event, *, open_to_all: bool, logs: bool, name: str = "") -> Check:
    """The first check: it answers /healthz and /readyz to anybody, and counts, and if it `logs` logs, all other visits
    when they have ended. Ready means that `ask` raises no QavizError and the server is not about to stop. Neither says
    anything else but the server's `name`. Not `open_to_all` means that health is answered to nobody."""
    headers = {"Cache-Control": "no-store", SERVER_HEADER: name}

    async def check(visit: Visit) -> Response | None:
        path = visit.scope["path"]
        if open_to_all and not visit.is_socket and path in ("/healthz", "/readyz"):
            ready = path == "/healthz" or (not stopping.is_set() and await run_in_threadpool(_answers, ask))
            words, status = ("ok\n", 200) if ready else ("not ready\n", 503)
            return PlainTextResponse(words, status, headers)
        began, scope = time.monotonic(), visit.scope

        def note_status(message: Message) -> Message:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                visit.status = message["status"]
            elif message["type"] == "websocket.accept":
                visit.status = 101  # an open socket: switching protocols
            return message

        def count() -> None:
            seconds = time.monotonic() - began
            kind = "socket" if visit.is_socket else next((kind for start, kind in _KINDS if start in path), "file")
            REQUESTS.labels(kind, str(visit.status)).inc()
            SOCKETS.dec(visit.is_socket)
            if not visit.is_socket:
                SECONDS.labels(kind).observe(seconds)
            if logs:
                request = {"subject": visit.subject, "status": visit.status, "seconds": round(seconds, 4)}
                request |= {"peer": scope["client"][0] if scope.get("client") else None, "protocol": scope["type"]}
                log.info("request", extra=request | {"method": scope.get("method"), "path": redact_path(path)})

        SOCKETS.inc(visit.is_socket)
        visit.changes.append(note_status)
        visit.ending.callback(count)
        return None

    return check


def _answers(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except QavizError as error:
        health_log.warning("not ready: %s: found %s", error.problems[0].where, error.problems[0].found)
        return False
    return True


def read_metrics_port(environment: Mapping[str, str]) -> int | None:
    """The port that METRICS_VARIABLE names, None where it is not set. Raises QavizError where it is no port."""
    given = environment.get(METRICS_VARIABLE, "").strip()
    if given.startswith("tcp://"):  # what Kubernetes sets beside a service that is called qaviz-metrics
        return None
    if given and not (re.fullmatch("[0-9]{1,5}", given) and 0 < int(given) <= HIGHEST_PORT):
        raise stop(METRICS_VARIABLE, f"{given!a}", f"a port from 1 to {HIGHEST_PORT}", "Correct it, or unset it.")
    return int(given) if given else None


def serve_metrics(port: int, running_jobs: Callable[[], int]) -> None:
    """Serve the figures on 127.0.0.1 and this port, in a thread of their own."""
    JOBS.set_function(running_jobs)
    start_http_server(port, addr="127.0.0.1", registry=REGISTRY)
