"""What the operator sees of a server: health, readiness, figures, limits, and how it stops."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import httpx
import pytest

from qaviz.access.identity import Identity, SignInSettings, Source
from qaviz.model.errors import Problem, QavizError
from qaviz.serving.limits import UPLOADS_PER_VISITOR, RateLimit, SocketsOfAddress, UploadLimit
from qaviz.serving.observed import Health, observe_request
from qaviz.serving.sign_in import MOST_SOCKETS, PAGES, Counted, Door, SignInGate
from qaviz.store.workspace import open_workspace
from tests.browser.served import free_port, started
from tests.protocol import Session

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


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


def test_one_address_opens_so_many_web_sockets():
    """Whoever is signed in or not: an address over its share is refused, others are not, and one that closes makes
    room."""

    async def visit() -> list[int]:
        released, statuses = asyncio.Event(), []

        async def page(_scope, _receive, send) -> None:
            await send({"type": "websocket.http.response.start", "status": 101, "headers": []})
            await released.wait()

        async def open_socket(address: str) -> None:
            async def send(message) -> None:
                if "status" in message:
                    statuses.append(message["status"])

            scope = {"type": "websocket", "client": (address, 1), "extensions": {"websocket.http.response": {}}}
            await capped(scope, None, send)

        capped = SocketsOfAddress(page, most=3)
        async with asyncio.TaskGroup() as group:
            for address in ("a", "a", "a", "a", "b"):
                group.create_task(open_socket(address))
            await asyncio.sleep(0.05)
            released.set()
        await open_socket("a")
        return statuses

    assert asyncio.run(visit()) == [101, 101, 101, 429, 101, 101]


SILENT = """
import asyncio, sys
from qaviz.serving.limits import end_silent_connections
import uvicorn

async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        return
    while (await receive()).get("more_body"):
        pass
    await asyncio.sleep(1.5)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})

end_silent_connections(0.5)
uvicorn.run(app, port=int(sys.argv[1]), http="h11", lifespan="off", log_level="warning")
"""


@pytest.mark.parametrize(
    ("sent", "drips", "answered"),
    [
        (b"", b"", False),
        (b"GET / HTT", b"", False),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"a", False),
        (b"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab", b"", False),
        (b"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab", b"x", True),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"", True),
    ],
    ids=["nothing", "half a line", "a head that drips", "half a body", "a slow body", "a slow answer"],
)
def test_half_open_connections_end(sent: bytes, drips: bytes, answered: bool):
    """A request whose head or body does not arrive is ended; one that goes on arriving, or is answered, is not."""
    port = free_port()
    server = subprocess.Popen([sys.executable, "-c", SILENT, str(port)], cwd=ROOT)
    try:
        for _ in range(300):
            with suppress(OSError):
                connection = socket.create_connection(("127.0.0.1", port))
                break
            time.sleep(0.1)
        with connection:
            connection.sendall(sent)
            for _ in range(3):
                time.sleep(0.3)
                with suppress(OSError):
                    connection.sendall(drips)
            connection.settimeout(20)
            with suppress(ConnectionResetError):
                assert connection.recv(4096).startswith(b"HTTP/1.1 200") == answered
    finally:
        server.kill()
        server.wait()


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
    Told to stop, the server ends by itself."""
    url, port, pid = metered
    assert httpx.get(f"{url}/compare").status_code == 200
    said = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    assert 'qaviz_requests_total{kind="file",status="200"}' in said
    assert "qaviz_running_jobs 0.0" in said
    assert "qaviz_open_sockets 0.0" in said
    assert httpx.get(f"{url}/_stcore/metrics").status_code == 404
    os.kill(pid, signal.SIGTERM)
    for _ in range(PATIENCE):
        try:
            httpx.get(f"{url}/healthz", timeout=1)
        except httpx.HTTPError:
            return
        time.sleep(0.1)
    pytest.fail("it still answers")


PATIENCE = 600

POLL = """
import http.client, sys, time
longest, end = 0.0, time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=60)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    longest = max(longest, time.monotonic() - began)
    time.sleep(0.05)
print(longest)
"""


def test_health_answers_while_sixty_pages_are_drawn(tmp_path: Path):
    """Pages take turns: the longest answer of /healthz, asked by another process, takes a small part of what all sixty
    take; the better of two tries counts, since tests share the machine."""

    async def draw(url: str) -> float:
        async with AsyncExitStack() as stack:
            tabs = [await stack.enter_async_context(Session.of(url)) for _ in range(60)]
            for tab in tabs:
                await tab.open("")
            port = url.rpartition(":")[2]
            poll = await asyncio.create_subprocess_exec(
                sys.executable, "-c", POLL, port, "6", stdout=asyncio.subprocess.PIPE
            )
            await asyncio.sleep(0.5)
            began = time.monotonic()
            await asyncio.gather(*(tab.open("compare") for tab in tabs))
            drawn = time.monotonic() - began
            longest, _ = await poll.communicate()
            return float(longest) / drawn

    port = free_port()
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(tmp_path / "w")]
    with started(command, port, tmp_path, "/healthz") as app:
        assert min(asyncio.run(draw(app.url)) for _ in range(2)) < 1 / 4
