"""Who reaches the served app: its own pages, and nobody without the token where one is asked for."""

import base64
import os
import re
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from qaviz.store.workspace import open_workspace
from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen, Served, free_port, started
from tests.browser.test_security import ask
from tests.builders import save_sample

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


def test_with_a_token_one_browser_gets_in(chromium: Browser, tmp_path: Path):
    """`app --token`: nothing is answered to others, health and web socket included; the printed address opens the pages
    in one browser, and in no second one."""
    port, workspace = free_port(), open_workspace(tmp_path / "workspace")
    save_sample(workspace)
    command = [sys.executable, "-m", "qaviz", "app", "--token", "--port", str(port)]
    with started([*command, "--workspace", str(workspace.folder)], port, tmp_path) as app:
        printed = re.findall(r"http://\S+token=\S+", app.log.read_text("utf-8"))[0]
        base = app.url
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
