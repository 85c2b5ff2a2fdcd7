"""The real app, served to a real Chromium."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import polars as pl
import pytest
from playwright.sync_api import Browser

from qaviz.loading import Source
from tests.browser.served import CHROMIUM, DESKTOP, Collector, Screen, Served, opened_browser, served
from tests.builders import SAMPLE, draft_files


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder, so that `-m "not browser"` leaves it out."""
    for test in items:
        if Path(__file__).parent in test.path.parents:
            test.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is missing: apt-get install chromium")
    with opened_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def sample_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over a workspace that was empty at its start: it holds the sample run."""
    with served(tmp_path_factory.mktemp("sample") / "workspace") as app:
        yield app


@pytest.fixture(scope="session")
def rows() -> pl.DataFrame:
    """The rows that the sample run shows."""
    return draft_files(Source.of(SAMPLE / "golden.jsonl"), [Source.of(SAMPLE / "responses.jsonl")]).rows


@pytest.fixture(scope="module")
def app(sample_app: Served) -> Served:
    """What `screen` visits; a file of tests that needs another one has an `app` of its own."""
    return sample_app


@pytest.fixture
def screen(chromium: Browser, app: Served) -> Iterator[Screen]:
    """A new visitor of the app; whatever went wrong on the screen fails the test."""
    with Screen.of(chromium, app.url, viewport=DESKTOP) as visitor:
        yield visitor
        visitor.refuse_problems()


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    """Another origin, which keeps what it is asked for."""

    class Remember(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Remember) as server:
        heard = Collector(f"http://127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, daemon=True).start()
        yield heard
        server.shutdown()
