"""A team's server in a real browser: signing in, what each role sees, and signing out."""

import re
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread

import polars as pl
import pytest
from playwright.sync_api import Browser, expect

from qaviz.runs import import_sample
from qaviz.store.audit import whole_audit
from qaviz.store.members import give_role, take_role
from qaviz.store.roles import Role
from qaviz.store.workspace import Workspace, open_workspace
from tests.browser.charted import take
from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen, Served, free_port, started
from tests.builders import SAMPLE, save_sample

REFUSED_BEFORE_SIGN_IN = re.compile(r"status of 401")


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The sample run, and people with roles."""
    home = open_workspace(tmp_path_factory.mktemp("team") / "workspace")
    import_sample(SAMPLE, home)
    for name, role in (("ada", Role.OWNER), ("vi", Role.VIEWER), ("ed", Role.EDITOR)):
        give_role(home, name, role)
    return home


@pytest.fixture(scope="module")
def app(team: Workspace) -> Iterator[Served]:
    port, folder = free_port(), Path(team.folder)
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(folder)]
    settings = {"QAVIZ_SIGN_IN": "header", "FORWARDED_ALLOW_IPS": "127.0.0.1"}
    with started(command, port, folder.parent, "/healthz", **settings) as running:
        yield running


class Proxy:
    """What stands in front of the server and names who visits, in requests and WebSockets: Chromium itself sends no
    headers of ours with a WebSocket."""

    def __init__(self, port: int) -> None:
        self.name = ""
        self.port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):  # closed with the test
            while True:
                Thread(target=self._pass_on, args=self.listener.accept()[:1], daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with closing(client), socket.create_connection(("127.0.0.1", self.port)) as server, suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                part = client.recv(65_536)
                if not part:
                    return
                head += part
            # On a loopback another port is another origin. Each request has a connection of its own: each is named.
            head = head.replace(self.url.encode(), f"http://127.0.0.1:{self.port}".encode())
            head = re.sub(rb"(?i)\r\nhost: [^\r]*", f"\r\nHost: 127.0.0.1:{self.port}".encode(), head, count=1)
            head = re.sub(rb"(?i)\r\nconnection: keep-alive", b"\r\nConnection: close", head, count=1)
            named = f"\r\nX-Forwarded-Email: {self.name}\r\n" if self.name else "\r\n"
            server.sendall(head.replace(b"\r\n", named.encode(), 1))
            Thread(target=_copy, args=(client, server), daemon=True).start()
            _copy(server, client)


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while part := source.recv(65_536):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)


@pytest.fixture
def proxy(app: Served) -> Iterator[Proxy]:
    front = Proxy(int(app.url.rpartition(":")[2]))
    with closing(front.listener):
        yield front


def sign_in(screen: Screen, proxy: Proxy, name: str, path: str = "") -> None:
    """Open the page as somebody whom the proxy names."""
    proxy.name = name
    screen.open(path)


@pytest.fixture
def visitor(chromium: Browser, proxy: Proxy) -> Iterator[Screen]:
    with Screen.of(chromium, proxy.url, viewport=DESKTOP) as screen:
        yield screen
        screen.problems[:] = [each for each in screen.problems if not REFUSED_BEFORE_SIGN_IN.search(each)]
        screen.refuse_problems()


def test_a_viewer_reads_and_signs_out(visitor: Screen, proxy: Proxy):
    """A viewer gets to the page they asked for, and sees nothing to edit; who is named by nobody reads what to do,
    and sees nothing."""
    sign_in(visitor, proxy, "vi", "golden")
    page = visitor.page
    assert page.url.startswith(f"{visitor.base}/golden")
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text("Signed in as vi")).to_be_visible()
    expect(visitor.main().get_by_text("Your role is viewer")).to_be_visible()
    expect(visitor.main().get_by_label("Your name")).to_have_count(0)
    for name in ("Accept", "Reject"):
        for button in visitor.main().get_by_role("button", name=name, exact=False).all():
            expect(button).to_be_disabled()
    expect(visitor.main().get_by_role("radio", name="Generate")).to_have_count(0)
    visitor.open("runs")
    expect(visitor.main().get_by_role("link", name="Load a golden")).to_have_count(0)
    visitor.keep("team-viewer")

    expect(sidebar.get_by_role("link", name="Sign out")).to_have_attribute("href", "/oauth2/sign_out")
    proxy.name = ""
    page.goto(f"{visitor.base}/runs")
    expect(page.get_by_text("has not said who you are")).to_be_visible()
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
    visitor.keep("team-sign-in")


def test_what_is_taken_along_is_in_the_audit(visitor: Screen, proxy: Proxy, team: Workspace, tmp_path: Path):
    """A decision pack, a chart's data and a golden dataset version that a viewer downloads are noted under the subject
    that they signed in as; the audit on Runs shows it in a column."""
    save_sample(team, "again")  # a history starts at two runs
    sign_in(visitor, proxy, "vi")
    page, main = visitor.page, visitor.main()
    main.get_by_role("button", name="Decision pack").click()
    take(page, "JSON", tmp_path)
    visitor.open("compare?tab=History")
    main.locator(".js-plotly-plot .points path").first.wait_for()
    assert pl.read_csv(take(page, "Data (CSV)", tmp_path))["pipeline"].n_unique() == 3
    visitor.open("golden?curate=History")
    take(page, "Download", tmp_path)
    noted = whole_audit(team).filter(what="export").tail(3)
    assert noted["subject"].to_list() == ["vi"] * 3
    assert [each.partition(" ")[0] for each in noted["detail"]] == ["decision", "chart", "golden"]
    visitor.open("runs?view=Audit")
    expect(visitor.rows_of("Audit").first.locator("td").nth(2)).to_have_text("vi")


def test_a_role_taken_while_a_page_is_open_counts_at_once(visitor: Screen, proxy: Proxy, team: Workspace):
    """An editor whose role is taken reads that they have none, at the next click; nothing is changed any more."""
    sign_in(visitor, proxy, "ed", "runs")
    expect(visitor.main().get_by_role("link", name="Load a golden")).to_be_visible()
    take_role(team, "ed")
    visitor.page.get_by_test_id("stSidebarNav").get_by_text("Compare").click()
    expect(visitor.page.get_by_text("no role").first).to_be_visible()
    assert "Pipeline1" not in visitor.main().inner_text()
