"""What the operator sees of a server: health, readiness, figures, limits, and how it stops."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest

from qaviz.access import Access, SignInSettings
from qaviz.model.errors import Problem, QavizError
from qaviz.serving import security_middleware
from qaviz.serving.checks import UPLOADS_PER_VISITOR, Front, Visit, limit_sockets, limit_uploads
from qaviz.serving.observed import read_metrics_port, watch
from qaviz.store.workspace import open_workspace
from tests.browser.served import free_port, started
from tests.builders import save_sample
from tests.front import App, status
from tests.protocol import Session

pytestmark = pytest.mark.slow


def by(subject: str | None):
    """A check that knows who asks."""

    async def check(visit: Visit) -> None:
        visit.subject = subject

    return check


def broken() -> None:
    raise QavizError(Problem(where="index", found="no connection", expected="one", fix="Mend it."))


def test_ready_means_that_the_index_answers_and_nothing_stops():
    """Alive is alive; ready is not where the index is gone, and not while the server stops."""
    stopping = Event()
    ready, lost = (Front(App(), [watch(ask, stopping, open_to_all=True, logs=False)]) for ask in (lambda: None, broken))
    assert [status(ready, "/readyz"), status(lost, "/readyz"), status(lost, "/healthz")] == [200, 503, 200]
    stopping.set()
    assert [status(ready, "/readyz"), status(ready, "/healthz")] == [503, 200]


def test_ready_means_that_the_files_can_be_reached(tmp_path: Path):
    """A workspace whose index answers is not ready while the folder of its files is gone."""
    home = open_workspace(tmp_path / "workspace")
    health = Front(App(), [watch(home.ask, Event(), open_to_all=True, logs=False)])
    golden = home.folder / "golden"
    golden.rename(tmp_path / "unmounted")
    assert status(health, "/readyz") == 503
    (tmp_path / "unmounted").rename(golden)
    assert status(health, "/readyz") == 200


def test_a_port_of_figures_that_is_none_stops_the_start():
    """A port is read, blanks around it too; what is no port is refused by name, and not ignored, but for what
    Kubernetes sets for a service of that name."""
    given_ports = (" 9100 ", "65535", "", "tcp://10.0.0.1:9100")
    ports = [read_metrics_port({"QAVIZ_METRICS_PORT": given}) for given in given_ports]
    assert ports == [9100, 65_535, None, None]
    for given in ("abc", "0", "65536", "-1", "\u00b2", "9" * 5000):
        with pytest.raises(QavizError, match=r"^QAVIZ_METRICS_PORT: found .*expected a port from 1 to 65535"):
            read_metrics_port({"QAVIZ_METRICS_PORT": given})


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/_stcore/health", "/_stcore/stream"])
def test_with_a_token_nobody_else_is_answered(path: str):
    """`app --token`: neither pages nor health answer who has not opened the printed address, nor does a web socket."""
    access, app = Access(token="printed"), App()
    layer = security_middleware("<title>", access, SignInSettings(), lambda: None, Event(), Thread())
    headers = [(b"host", b"localhost:8501"), (b"origin", b"http://localhost:8501")]
    request = {"headers": headers, "server": ("127.0.0.1", 8501)}
    for kind in ({}, {"type": "websocket", "scheme": "ws"}):
        assert status(Front(app, **layer.kwargs), path, **request, **kind) == 403
    assert app.asked == []


def test_pages_wait_until_what_they_need_is_loaded():
    """A web socket is let in when loading has ended; a file is answered meanwhile."""
    loaded, app = Event(), App()
    loading = Thread(target=loaded.wait)
    loading.start()
    front = security_middleware("<title>", Access(), SignInSettings(), lambda: None, Event(), loading)
    served = Front(app, **front.kwargs)
    headers = [(b"host", b"localhost:8501"), (b"origin", b"http://localhost:8501")]
    request = {"path": "/_stcore/stream", "query_string": b"", "headers": headers, "server": ("127.0.0.1", 8501)}

    async def send(_message) -> None:
        pass

    async def visit() -> None:
        page = asyncio.create_task(served(request | {"type": "websocket", "scheme": "ws"}, None, send))
        await served(request | {"type": "http", "scheme": "http", "method": "GET"}, None, send)
        await asyncio.sleep(0.05)
        assert [scope["type"] for scope in app.asked] == ["http"]
        loaded.set()
        await page
        assert [scope["type"] for scope in app.asked] == ["http", "websocket"]

    asyncio.run(visit())


@pytest.mark.parametrize("signed_in", [False, True])
def test_somebody_opens_so_many_web_sockets(signed_in: bool):
    """An address, or a person from any address, over its share is refused, others are not; one that closes makes
    room."""

    async def visit() -> list[int]:
        released, statuses = asyncio.Event(), []

        async def page(_scope, _receive, send) -> None:
            await send({"type": "websocket.http.response.start", "status": 101, "headers": []})
            await released.wait()

        async def open_socket(name: str) -> None:
            async def send(message) -> None:
                if "status" in message:
                    statuses.append(message["status"])

            client = ("one" if signed_in else name, 1)
            scope = {"type": "websocket", "client": client, "extensions": {"websocket.http.response": {}}}
            await Front(page, [by(name if signed_in else None), capped])(scope, None, send)

        most = {"of_person": 3, "of_address": 1} if signed_in else {"of_person": 1, "of_address": 3}
        capped = limit_sockets(**most)
        async with asyncio.TaskGroup() as group:
            for name in ("a", "a", "a", "a", "b"):
                group.create_task(open_socket(name))
            await asyncio.sleep(0.05)
            released.set()
        await open_socket("a")
        return statuses

    assert asyncio.run(visit()) == [101, 101, 101, 429, 101, 101]


def test_a_persons_uploads_count_together():
    """Two tabs of one person share one limit; another person has their own."""
    held = {"tab1": UPLOADS_PER_VISITOR - 10}
    limit = limit_uploads(dict, lambda: held, {"tab1": "ada", "tab2": "ada", "tab3": "bo"})

    def upload(subject: str, session: str, length: int) -> int:
        scope = {"method": "PUT", "headers": [(b"content-length", str(length).encode())]}
        return status(Front(App(), [by(subject), limit]), f"/_stcore/upload_file/{session}/f", **scope)

    assert upload("ada", "tab1", 1) == 200
    assert upload("ada", "tab2", 100) == 413
    assert upload("bo", "tab3", 100) == 200


@pytest.fixture(scope="module")
def metered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int, int]]:
    """A server with its figures on another port: its address, that port, and its process."""
    port, figures, folder = free_port(), free_port(), tmp_path_factory.mktemp("metered")
    save_sample(open_workspace(folder / "workspace"))
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(folder / "workspace")]
    with started(command, port, folder, "/healthz", QAVIZ_METRICS_PORT=str(figures)) as running:
        yield running.url, figures, running.pid


PATIENCE = 600
PAGES = 10

POLL = """
import http.client, select, sys, time
longest = 0.0
while not select.select([sys.stdin], [], [], 0.05)[0]:
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=60)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    longest = max(longest, time.monotonic() - began)
print(longest)
"""


def test_health_answers_while_pages_are_drawn(metered: tuple[str, int, int]):
    """Pages take turns: the longest answer of /healthz, asked by another process, takes a small part of what all of
    them take; in one of two tries, since tests share the machine."""

    async def draw(url: str) -> float:
        async with AsyncExitStack() as stack:
            tabs = [await stack.enter_async_context(Session.of(url)) for _ in range(PAGES)]
            for tab in tabs:
                await tab.open("runs")
            port = url.rpartition(":")[2]
            poll = await asyncio.create_subprocess_exec(
                sys.executable, "-c", POLL, port, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
            await asyncio.sleep(0.5)
            began = time.monotonic()
            await asyncio.gather(*(tab.open("compare") for tab in tabs))
            drawn = time.monotonic() - began
            longest, _ = await poll.communicate(b"")  # which ends it
            return float(longest) / drawn

    assert any(asyncio.run(draw(metered[0])) < 1 / 4 for _ in range(2))


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
