"""The app as it is served: it runs its own scripts alone, talks to its own server alone, and tells no secret."""

import http.client
import re
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from qaviz.loading import UPLOAD_LIMIT
from qaviz.runs import import_sample
from qaviz.store.workspace import open_workspace
from tests.browser.served import DESKTOP, ROOT, Collector, Screen, Served, free_port, started

ESCAPES = {
    "image": "(url) => { new Image().src = `${url}/image`; }",
    "request": "(url) => fetch(`${url}/request`, {mode: 'no-cors'}).catch(() => null)",
    "beacon": "(url) => navigator.sendBeacon(`${url}/beacon`, 'secret')",
    "socket": "(url) => { try { new WebSocket(url.replace('http', 'ws')); } catch { } }",
    "frame": "(url) => { document.body.append(Object.assign(document.createElement('iframe'), {src: url})); }",
    "script": "(url) => { document.body.append(Object.assign(document.createElement('script'), {src: url})); }",
    "style": """(url) => {
        const sheet = Object.assign(document.createElement('style'), {textContent: `body { background: url(${url}) }`});
        document.body.append(sheet);
    }""",
    "plugin": "(url) => { document.body.append(Object.assign(document.createElement('object'), {data: url})); }",
    "inline script": """() => {
        const script = document.createElement('script');
        script.textContent = 'window.ran = true';
        document.body.append(script);
    }""",
    "attribute": """() => {
        const image = document.createElement('img');
        image.setAttribute('onerror', 'window.ran = true');
        image.src = '/nothing.png';
        document.body.append(image);
    }""",
    "text as code": "() => { setTimeout(() => new Function('window.ran = true')(), 0); }",
    "form": """(url) => {
        const form = Object.assign(document.createElement('form'), {action: url, method: 'post'});
        document.body.append(form);
        form.submit();
    }""",
}
"""Ways to fetch or send something elsewhere, and to run text as a script."""


def ask(url: str, path: str = "/", method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    """What the server answers to one request, with these headers."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    connection.request(method, path, headers={name.replace("_", "-"): said for name, said in headers.items()})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_what_gets_into_a_page_gets_nothing_out(chromium: Browser, sample_app: Served, collector: Collector):
    """A script that runs in a page by some hole still cannot fetch from another origin, send to it, or run text."""
    with Screen.of(chromium, sample_app.url, viewport=DESKTOP) as screen:
        screen.open("runs")
        for way, script in ESCAPES.items():
            screen.problems.clear()
            ran = screen.page.evaluate("() => window.ran")
            screen.page.evaluate(script, collector.url)
            screen.page.wait_for_timeout(200)

            assert ran is None, way
            assert any("Content Security Policy" in each for each in screen.problems), way
        assert collector.asked == []


def test_no_other_page_frames_the_app(chromium: Browser, sample_app: Served, collector: Collector):
    """A page elsewhere that shows the app in a frame, to have its visitors click there, shows nothing."""
    with Screen.of(chromium, collector.url, viewport=DESKTOP) as screen:
        screen.page.goto(collector.url)
        screen.page.set_content(f"<iframe src='{sample_app.url}/'></iframe>")
        screen.page.wait_for_timeout(500)

        assert any("frame-ancestors" in each for each in screen.problems)
    collector.asked.clear()


@pytest.mark.parametrize("path", ["/", "/diagnostics", "/_stcore/health", "/_stcore/host-config", "/nothing"])
def test_every_answer_has_the_headers(path: str, sample_app: Served):
    """Pages, Streamlit's own addresses and what is not there are all answered with the safety headers."""
    answer = ask(sample_app.url, path)

    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_uploads_need_the_visitors_own_token(sample_app: Served):
    """A file that another site sends in a visitor's name is refused: it cannot know the token."""
    given = {"Cookie": "_streamlit_xsrf=x", "Origin": sample_app.url}
    for origin in (sample_app.url, "http://127.0.0.1:1"):
        answer = ask(sample_app.url, "/_stcore/upload_file/session/file", "PUT", **given | {"Origin": origin})
        assert answer.status == 403


def test_files_over_the_limit_are_refused_before_they_are_sent(screen: Screen):
    """With a visitor's own token an upload that says it is larger than the limit is answered with 413, and so is the
    third of a program that sends file after file, though none has arrived."""
    screen.open("load")
    file = {"name": "golden.jsonl", "mimeType": "application/json", "buffer": b'{"question": "a", "answer": "b"}'}
    with screen.page.expect_request(lambda each: each.method == "PUT") as sent:
        screen.main().locator("input[type=file]").first.set_input_files(file)
    screen.settle()
    upload, place = sent.value, urlsplit(sent.value.url)
    headers = {name: said for name, said in upload.all_headers().items() if name in ("cookie", "x-xsrftoken", "origin")}
    assert ask(screen.base, place.path, "PUT", **headers, Content_Length=str(UPLOAD_LIMIT + 1024**2)).status == 413

    lines = [f"{name}: {said}" for name, said in headers.items()]
    lines += [f"Host: {place.netloc}", f"Content-Length: {450 * 1024**2}"]
    lines += ["Content-Type: multipart/form-data; boundary=x", "", "--x"]
    begun = [socket.create_connection((place.hostname, place.port), timeout=10) for _ in range(3)]
    for number, connection in enumerate(begun):
        start = f"PUT {place.path.rpartition('/')[0]}/{number} HTTP/1.1"
        connection.sendall("\r\n".join([start, *lines]).encode())
    answer = begun[2].recv(12)
    for connection in begun:
        connection.close()
    assert answer == b"HTTP/1.1 413"


def test_plain_streamlit_serves_the_app_too(chromium: Browser, tmp_path: Path):
    """`streamlit run app.py` opens the same pages."""
    workspace = open_workspace(tmp_path / "workspace")
    import_sample(ROOT / "sample_data", workspace)
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    with (
        started(command, port, tmp_path, QAVIZ_WORKSPACE=str(workspace.folder)) as app,
        Screen.of(chromium, app.url, viewport=DESKTOP) as screen,
    ):
        for page, title in (("responses", "Responses"), ("", "Board")):
            screen.open(page)
            expect(screen.page.locator("h1")).to_have_text(title)
        expect(screen.rows_of("Metrics by pipeline")).to_have_count(3)
        # Only asgi.py tells the page where its server is: plain Streamlit looks under the page's path first.
        assert all(re.search(r"/_stcore/(health|host-config)\)$", each) for each in screen.problems), screen.problems
