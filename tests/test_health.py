"""What the operator sees of a server: health, readiness, figures, limits, and how it stops."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import httpx
import pytest

from qaviz.access.identity import Identity, SignInSettings, Source
from qaviz.model.errors import Problem, QavizError
from qaviz.serving.limits import UPLOADS_PER_VISITOR, RateLimit, UploadLimit
from qaviz.serving.observed import Health, observe_request
from qaviz.serving.sign_in import MOST_SOCKETS, PAGES, Counted, Door, SignInGate
from qaviz.store import open_workspace
from tests.browser.served import free_port, started

pytestmark = pytest.mark.slow


@dataclass
class App:
    """An app that answers 200 to all, and the requests that reached it."""

    asked: list[dict] = field(default_factory=list)

    async def __call__(self, scope, _receive, send) -> None:
        self.asked.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def ask(app, path: str = "/", **scope) -> int:
    """The status of the answer."""
    sent: list[dict] = []

    async def send(message) -> None:
        sent.append(message)

    request = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [], "client": ("c", 1)}
    asyncio.run(app(request | scope, None, send))
    return sent[0]["status"]


def broken() -> None:
    raise QavizError(Problem(where="index", found="no connection", expected="one", fix="Mend it."))


def test_ready_means_that_the_index_answers_and_nothing_stops():
    """Alive is alive; ready is not where the index is gone, and not while the server stops."""
    stopping = Event()
    ready, lost = (Health(App(), each, stopping) for each in (lambda: None, broken))
    assert [ask(ready, "/readyz"), ask(lost, "/readyz"), ask(lost, "/healthz")] == [200, 503, 200]
    stopping.set()
    assert [ask(ready, "/readyz"), ask(ready, "/healthz")] == [503, 200]


def test_ready_means_that_the_files_can_be_reached(tmp_path: Path):
    """A workspace whose index answers is not ready while the folder of its files is gone."""
    home = open_workspace(tmp_path / "workspace")
    health = Health(App(), Door(settings=SignInSettings(), workspace=lambda: home).ask_workspace, Event())
    golden = home.folder / "golden"
    golden.rename(tmp_path / "unmounted")
    assert ask(health, "/readyz") == 503
    (tmp_path / "unmounted").rename(golden)
    assert ask(health, "/readyz") == 200


@pytest.fixture
def gate(tmp_path: Path) -> tuple[App, SignInGate]:
    """A gate where a proxy says who somebody is, with room for three requests."""
    home = open_workspace(tmp_path / "workspace")
    app, settings = App(), SignInSettings(source=Source.HEADER, header="who")
    limits = {each: RateLimit(3, 60) for each in Counted}
    return app, SignInGate(app, Door(settings=settings, workspace=lambda: home, limits=limits))


def test_one_person_cannot_ask_without_end(gate: tuple[App, SignInGate]):
    """After so many requests a person is told to wait, and others are not."""
    app, guarded = gate
    assert [ask(guarded, headers=[(b"who", b"ada")]) for _ in range(5)] == [200] * 3 + [429] * 2
    assert ask(guarded, headers=[(b"who", b"bo")]) == 200
    assert len(app.asked) == 4


def test_one_person_opens_so_many_pages(gate: tuple[App, SignInGate]):
    """A web socket over the limit is refused with a sentence; one that has closed makes room."""
    app, guarded = gate
    held = guarded.door.holdings
    assert all(held.take(PAGES, "ada", MOST_SOCKETS) for _ in range(MOST_SOCKETS))
    socket = {"type": "websocket", "headers": [(b"who", b"ada")], "extensions": {"websocket.http.response": {}}}
    assert ask(guarded, "/_stcore/stream", **socket) == 429
    held.give_back(PAGES, "ada")
    for _ in range(2):
        assert ask(guarded, "/_stcore/stream", **socket) == 200
    assert len(app.asked) == 2


def test_a_persons_uploads_count_together():
    """Two tabs of one person share one limit; another person has their own."""
    held = {"tab1": UPLOADS_PER_VISITOR - 10}
    limit = UploadLimit(App(), dict, lambda: held)

    def upload(subject: str, session: str, length: int) -> int:
        scope = {"method": "PUT", "headers": [(b"content-length", str(length).encode())]}
        observe_request(scope).subject = subject
        return ask(limit, f"/_stcore/upload_file/{session}/f", **scope)

    assert upload("ada", "tab1", 1) == 200
    assert upload("ada", "tab2", 100) == 413
    assert upload("bo", "tab3", 100) == 200


def test_a_sign_in_that_ends_closes_an_open_page(tmp_path: Path):
    """The first message of a web socket after the sign-in ended is not passed on: the web socket ends."""
    home = open_workspace(tmp_path / "workspace")
    guarded = SignInGate(App(), Door(settings=SignInSettings(source=Source.OIDC), workspace=lambda: home))

    async def message() -> dict:
        return {"type": "websocket.receive", "bytes": b"click"}

    received = asyncio.run(guarded._while_signed_in(message, Identity(subject="ada", name="Ada", key="ended"))())
    assert (received["type"], received["code"]) == ("websocket.disconnect", 1008)


@pytest.fixture
def metered(tmp_path: Path) -> Iterator[tuple[str, int, int]]:
    """A server with its figures on another port: its address, that port, and its process."""
    port, figures = free_port(), free_port()
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(tmp_path / "workspace")]
    with started(command, port, tmp_path, "/healthz", QAVIZ_METRICS_PORT=str(figures)) as running:
        yield running.url, figures, running.pid


def test_figures_are_on_a_port_of_their_own(metered: tuple[str, int, int]):
    """Prometheus reads requests, seconds and running work there, without a name or text; the pages' port has none.
    Told to stop, the server ends within seconds and by itself."""
    url, port, pid = metered
    assert httpx.get(f"{url}/compare").status_code == 200
    said = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    assert 'qaviz_requests_total{kind="file",status="200"}' in said
    assert "qaviz_running_jobs 0.0" in said
    assert "qaviz_open_sockets 0.0" in said
    assert httpx.get(f"{url}/_stcore/metrics").status_code == 404
    began = time.monotonic()
    os.kill(pid, signal.SIGTERM)
    while time.monotonic() < began + 15:
        try:
            httpx.get(f"{url}/healthz", timeout=1)
        except httpx.HTTPError:
            break
        time.sleep(0.1)
    assert time.monotonic() < began + 15
