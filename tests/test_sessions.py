"""A real server behind a proxy on its machine: whom the proxy names gets in, and a session is its subject's alone, by
Streamlit's own protocol."""

import asyncio
import base64
import json
import sys
from collections.abc import Iterator

import httpx
import pytest
import sqlalchemy as sa

from qaviz.serving.checks import Front, OwnSessions, Visit
from qaviz.serving.observed import redact_path
from qaviz.store.members import give_role
from qaviz.store.roles import Role
from qaviz.store.tables import TABLES
from qaviz.store.workspace import Workspace, open_workspace
from tests.browser.served import Served, free_port, started
from tests.builders import save_sample
from tests.front import ask
from tests.protocol import Session

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with a run and two owners."""
    home = open_workspace(tmp_path_factory.mktemp("sessions") / "workspace")
    save_sample(home)
    for subject in ("ada", "bo"):
        give_role(home, subject, Role.OWNER)
    return home


@pytest.fixture(scope="module")
def app(home: Workspace) -> Iterator[Served]:
    """A server of it, behind a proxy that names people."""
    port = free_port()
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(home.folder)]
    settings = {"QAVIZ_SIGN_IN": "header", "FORWARDED_ALLOW_IPS": "127.0.0.1"}
    with started(command, port, home.folder.parent, "/healthz", **settings) as running:
        yield running


async def open_page(app: Served, person: str, resume: str = "") -> str:
    """The id of the session of a page that this person opens, and leaves."""
    async with Session.of(app.url, person=person, resume=resume) as tab:
        await tab.open("")
        return tab.session_id


def put(app: Served, person: str, session: str, method: str = "PUT") -> int:
    """The status of the answer to an upload, with the token that Streamlit gives to everybody who asks."""
    with httpx.Client(headers={"X-Forwarded-Email": person, "Origin": app.url}) as browser:
        token = browser.get(f"{app.url}/_stcore/health").headers["set-cookie"].partition(";")[0]
        headers = {"X-Xsrftoken": token.partition("=")[2], "Cookie": token}
        url = f"{app.url}/_stcore/upload_file/{session}/file"
        return browser.request(method, url, headers=headers, files={"file": ("a.txt", b"x")}).status_code


def socket_status(app: Served, **headers: str) -> int:
    """The status of the answer to the start of a web socket."""
    start = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(b"0123456789abcdef").decode(),
        "Origin": app.url,
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    # A socket waits until what pages need is loaded.
    with httpx.stream("GET", f"{app.url}/_stcore/stream", headers=start, timeout=60) as answer:
        return answer.status_code


def count_rows(home: Workspace) -> dict[str, int]:
    """How many rows each table of the workspace's index has."""
    with home.reading() as connection:
        return {
            name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for name, table in TABLES.tables.items()
        }


def test_a_proxy_on_this_machine_needs_no_secret(app: Served, home: Workspace):
    """Over loopback the name alone gets in; cookies that Streamlit sets go over TLS alone, to no other site; nobody
    who is refused makes the index grow, and the log is JSON with the person, without queries."""

    def status_of(person: str, path: str) -> int:
        return httpx.get(app.url + path, headers={"X-Forwarded-Email": person, "Accept": "text/html"}).status_code

    assert status_of("ada", "/runs?text=sss") == 200
    assert socket_status(app, X_Forwarded_Email="ada") == 101
    before = count_rows(home)
    assert {status_of("token:1", f"/runs?{n}") for n in range(5)} == {401}
    assert count_rows(home) == before
    answer = httpx.get(f"{app.url}/_stcore/health", headers={"X-Forwarded-Email": "ada"})
    cookies = answer.headers.get_list("set-cookie")
    assert cookies
    assert all("secure" in cookie.lower() and "samesite" in cookie.lower() for cookie in cookies)
    events = [json.loads(line) for line in app.log.read_text("utf-8").splitlines() if line.startswith("{")]
    (request, *_) = (event for event in events if event["event"] == "request" and event.get("subject") == "ada")
    assert {"at", "level", "path", "status", "seconds", "peer"} <= set(request)
    assert "?" not in request["path"]


def test_nobody_resumes_a_session_of_somebody_else(app: Served):
    """Whoever knows the id of a session gets a new one instead, while it is open and after; its owner resumes it."""

    async def visit() -> None:
        async with Session.of(app.url, person="ada") as tab:
            await tab.open("")
            mine = tab.session_id
            assert mine
            assert await open_page(app, "bo", resume=mine) != mine
        assert await open_page(app, "bo", resume=mine) != mine
        assert await open_page(app, "ada", resume=mine) == mine
        assert await open_page(app, "bo", resume="no-session-of-anybody") != "no-session-of-anybody"

    asyncio.run(visit())


def test_nobody_uploads_into_a_session_of_somebody_else(app: Served):
    """Neither an upload nor the removal of one reaches another subject's session, or one that nobody has."""

    async def visit() -> None:
        async with Session.of(app.url, person="ada") as tab:
            await tab.open("")
            for method in ("PUT", "DELETE", "POST"):
                for person, session in (("bo", tab.session_id), ("bo", "none"), ("ada", "none")):
                    assert await asyncio.to_thread(put, app, person, session, method) == 403, (method, person)
            assert await asyncio.to_thread(put, app, "ada", tab.session_id) != 403

    asyncio.run(visit())


def test_a_file_is_found_by_whose_page_it_was_made_for_alone():
    """A download or picture that the server holds for one subject's session is not found by another subject, nor by
    its owner before their page was sent its address; an address in a text opens nothing."""
    held = {"session of ada": ["0a1b"], "session of bo": ["2c3d"]}

    async def page(scope, _receive, send) -> None:
        if scope["type"] == "websocket":
            for words in scope["sends"]:
                await send({"type": "websocket.send", "bytes": words})
        else:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    own = OwnSessions(
        lambda words: words.decode() if b"session" in words else None, lambda session, _words: held[session]
    )

    def visit(subject: str, path: str = "/_stcore/stream", **scope) -> int | None:
        async def sign_in(visit: Visit) -> None:
            visit.subject = subject

        return ask(Front(page, [sign_in, own]), path, **scope).get("status")

    assert visit("ada", path="/media/0a1b.csv") == 404
    visit("ada", type="websocket", sends=[b"session of ada", b"page with /media/0a1b.csv"])
    visit("bo", type="websocket", sends=[b"session of bo", b"a text that says /media/0a1b.csv"])
    assert [visit(subject, path="/media/0a1b.csv") for subject in ("ada", "bo")] == [200, 404]
    assert [visit(subject, path="/media/2c3d.csv?title=x") for subject in ("ada", "bo")] == [404, 200]
    assert [visit("bo", path=path) for path in ("/runs", "/static/media/font.woff2")] == [200, 200]


def test_no_log_has_the_id_of_a_session(app: Served):
    """Neither the access log nor any other line of the server names what opens a page."""
    session = asyncio.run(open_page(app, "ada"))
    assert put(app, "bo", session) == 403
    assert put(app, "ada", session) != 403
    asyncio.run(open_page(app, "bo", resume=session))
    httpx.get(f"{app.url}/elsewhere/{session}", headers={"X-Forwarded-Email": "bo"})
    lines = app.log.read_text("utf-8")
    assert session not in lines
    assert "/_stcore/upload_file/…" in lines
    assert redact_path("/_stcore/stream") == "/_stcore/stream"
    assert redact_path("/media/0a1b2c.csv") == "/media/…"
