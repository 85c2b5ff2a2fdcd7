"""Who reaches the served app: its own pages, and nobody without the token where one is asked for."""

import base64
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import DESKTOP
from tests.browser.served import ROOT, START_WITHIN_S, Screen, Served, free_port
from tests.browser.test_security import ask

STREAM = "/_stcore/stream"


def handshake(url: str, *headers: str, path: str = STREAM) -> int:
    """The status that a web socket's request is answered with; 101 opens it."""
    place = urlsplit(url)
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET {path} HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    lines += [f"Sec-WebSocket-Key: {key}", *headers]
    if not any(each.startswith("Host:") for each in headers):
        lines.append(f"Host: {place.netloc}")
    with socket.create_connection((place.hostname, place.port), timeout=10) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        return int(connection.recv(12).split()[1])


@pytest.mark.parametrize("origin", ["http://127.0.0.1:1", None])
def test_another_origin_is_refused(origin: str | None, sample_app: Served):
    """The served app asks for the origin: web sockets and uploads of any but the served one are refused, and that one's
    socket opens. tests/test_access.py has every way to write another origin."""
    given = {"Origin": origin} if origin else {}

    assert handshake(sample_app.url, *(f"{name}: {said}" for name, said in given.items())) == 403
    assert ask(sample_app.url, "/_stcore/upload_file/session/file", "PUT", **given).status == 403
    assert handshake(sample_app.url, f"Origin: {sample_app.url}") == 101


@contextmanager
def started_with_token(folder: Path) -> Iterator[str]:
    """The address that `qaviz app --token` prints, while the app runs."""
    command = [sys.executable, "-m", "qaviz", "app", "--token", "--port", str(free_port())]
    log = folder / "server.log"
    with log.open("wb") as written:
        server = subprocess.Popen(
            [*command, "--workspace", str(folder / "workspace")], cwd=ROOT, stdout=written, stderr=subprocess.STDOUT
        )
    try:
        until = time.monotonic() + START_WITHIN_S
        while not (found := re.search(r"http://\S+token=\S+", log.read_text("utf-8"))) or not _listens(found[0]):
            assert server.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < until, log.read_text("utf-8")
            time.sleep(0.1)
        yield found[0]
    finally:
        server.terminate()
        server.wait(timeout=START_WITHIN_S)


def _listens(url: str) -> bool:
    place = urlsplit(url)
    with socket.socket() as probe:
        return probe.connect_ex((place.hostname, place.port)) == 0


def test_with_a_token_one_browser_gets_in(chromium: Browser, tmp_path: Path):
    """`app --token`: nothing is answered to others, health and web socket included; the printed address opens the pages
    in one browser, and in no second one."""
    with started_with_token(tmp_path) as printed:
        base = printed.partition("/?")[0]
        for path in ("/", "/compare", "/_stcore/health", "/_stcore/host-config", "/static/index.html", "/favicon.png"):
            assert ask(base, path).status == 403
        assert handshake(base, f"Origin: {base}") == 403
        assert ask(base, "/?token=guessed").status == 403

        with Screen.of(chromium, base, viewport=DESKTOP) as screen:
            screen.page.goto(printed)
            screen.settle()
            expect(screen.page.locator("h1")).to_have_text("Board")
            assert "token" not in screen.page.url
            assert screen.page.evaluate("() => document.cookie.includes('qaviz-')") is False
            screen.open("compare")
            screen.refuse_problems()

        assert ask(base, printed.removeprefix(base)).status == 403


def test_uploads_that_have_begun_are_limited(screen: Screen):
    """A program with a visitor's rights that sends file after file is refused at the limit, though none has arrived."""
    screen.open("load")
    file = {"name": "golden.jsonl", "mimeType": "application/json", "buffer": b'{"question": "a", "answer": "b"}'}
    with screen.page.expect_request(lambda each: each.method == "PUT") as sent:
        screen.main().locator("input[type=file]").first.set_input_files(file)
    screen.settle()
    folder = urlsplit(sent.value.url).path.rpartition("/")[0]
    headers = {
        name: said for name, said in sent.value.all_headers().items() if name in ("cookie", "x-xsrftoken", "origin")
    }
    lines = [f"{name}: {said}" for name, said in headers.items()]
    place = urlsplit(screen.base)
    begun = [socket.create_connection((place.hostname, place.port), timeout=10) for _ in range(3)]
    for number, connection in enumerate(begun):
        start = [f"PUT {folder}/{number} HTTP/1.1", f"Host: {place.netloc}", f"Content-Length: {450 * 1024**2}", *lines]
        connection.sendall("\r\n".join([*start, "Content-Type: multipart/form-data; boundary=x", "", "--x"]).encode())
    answer = begun[2].recv(12)
    for connection in begun:
        connection.close()
    assert answer == b"HTTP/1.1 413"
