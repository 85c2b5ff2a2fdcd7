"""A served app, and a visitor's screen: what all browser tests drive."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / "artefacts" / "screens"

START_WITHIN_S = 60
DRAWN_WITHIN_MS = 20_000
DESKTOP = {"width": 1280, "height": 800}

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is installed. The headless shell is Chromium without windows: a page takes 40% less CPU in it."""
CHROMIUM = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

WATCH_SHIFTS = """() => {
    window.shifts = [];
    const watch = new PerformanceObserver((list) => {
        for (const { value, startTime, hadRecentInput } of list.getEntries())
            if (!hadRecentInput) window.shifts.push([startTime, value]);
    });
    watch.observe({ type: "layout-shift", buffered: true });
}"""
"""Notes from the first paint on how far what is in sight moves without the visitor's doing."""

WINDOW_MS, PAUSE_MS = 5_000, 1_000
"""As https://web.dev/articles/cls cuts shifts into windows; the worst one is a page's cumulative layout shift."""


ALL_FADED = """() => Promise.race([
    new Promise((done) => setTimeout(done, 1000)),
    Promise.allSettled(document.getAnimations()
        .filter((each) => each.effect.getComputedTiming().endTime !== Infinity).map((each) => each.finished)),
])"""
"""Waits until what fades in has done so, a second at most (a paused animation never has): until then its colours are
not those that are read."""

NOT_DRAWN = "[data-stale=true], [data-testid=stSkeleton], [data-testid=stBidiComponentIsolated]:not([data-drawn])"


@dataclass(frozen=True)
class Served:
    """A running app."""

    url: str
    log: Path
    pid: int


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """This machine's Chromium."""
    expect.set_options(timeout=DRAWN_WITHIN_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@contextmanager
def served(workspace: Path) -> Iterator[Served]:
    """The app as `python -m qaviz app` serves it, over this workspace; a traceback in its log fails the test."""
    port = free_port()
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(workspace)]
    with started(command, port, workspace.parent) as app:
        yield app
    said = app.log.read_text("utf-8", errors="replace")
    assert "Traceback" not in said, said


@contextmanager
def started(
    command: Sequence[str],
    port: int,
    logs: Path,
    health: str = "/_stcore/health",
    folder: Path = ROOT,
    **environment: str,
) -> Iterator[Served]:
    """What this command, given in the folder, serves on the port; its log stands in the folder `logs`."""
    log = logs / f"server-{port}.log"
    with log.open("wb") as written:
        server = subprocess.Popen(
            command, cwd=folder, stdout=written, stderr=subprocess.STDOUT, env=os.environ | environment
        )
        try:
            _wait_until_healthy(f"http://127.0.0.1:{port}{health}", server, log)
            yield Served(f"http://127.0.0.1:{port}", log, server.pid)
        finally:
            server.terminate()
            server.wait(timeout=START_WITHIN_S)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_WITHIN_S
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except HTTPError as refused:
            if refused.code == HTTPStatus.FORBIDDEN:  # it asks for a token
                return
            time.sleep(0.1)
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
    raise AssertionError(f"the app did not start: {log.read_text('utf-8')}")


@dataclass
class Collector:
    """A server on this machine that remembers who asked for what."""

    url: str
    asked: list[str] = field(default_factory=list)


@dataclass
class Screen:
    """One visitor: a page of the browser with its own session, and what went wrong on it."""

    page: Page
    base: str
    problems: list[str] = field(default_factory=list)
    """Errors of the console, of scripts, of the security policy, and every request that left the app's origin."""

    @classmethod
    @contextmanager
    def of(cls, browser: Browser, base: str, **context: object) -> "Iterator[Screen]":
        visit = browser.new_context(**context)
        visit.set_default_timeout(DRAWN_WITHIN_MS)
        visit.add_init_script(f"({WATCH_SHIFTS})()")
        screen = cls(visit.new_page(), base)
        screen.page.on("console", screen._note_console)
        screen.page.on("pageerror", lambda error: screen.problems.append(f"script error: {error}"))
        visit.on("request", lambda request: screen._note_request(request.url))
        screen.page.on("websocket", lambda socket: screen._note_request(socket.url))
        try:
            yield screen
        finally:
            visit.close()

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text} ({message.location['url']})")

    def _note_request(self, url: str) -> None:
        own = (f"{self.base}/", f"{self.base.replace('http', 'ws', 1)}/", "data:", f"blob:{self.base}/")
        if not url.startswith(own):
            self.problems.append(f"request to another origin: {url}")

    def refuse_problems(self) -> None:
        assert not self.problems, "\n".join(self.problems)

    def open(self, path: str) -> None:
        """Open a page of the app and wait until it stands still."""
        self.page.goto(f"{self.base}/{path}")
        self.settle()

    def settle(self) -> None:
        """Wait until the app has run and drawn: no script, no placeholder, no element of an earlier run."""
        app = self.page.get_by_test_id("stApp")
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=DRAWN_WITHIN_MS)
        expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=DRAWN_WITHIN_MS)
        expect(self.page.locator("h1")).to_be_visible(timeout=DRAWN_WITHIN_MS)
        expect(self.page.locator(NOT_DRAWN)).to_have_count(0, timeout=DRAWN_WITHIN_MS)
        self.page.evaluate(ALL_FADED)

    def give_name(self, name: str) -> None:
        """Say who the visitor is."""
        field = self.page.get_by_test_id("stSidebar").get_by_role("textbox", name="Your name")
        if not field.is_visible():  # a phone's menu is closed
            self.page.get_by_test_id("stExpandSidebarButton").click()
        field.fill(name)
        field.press("Enter")
        self.settle()

    def main(self) -> Locator:
        return self.page.get_by_test_id("stMain")

    def open_panels(self) -> None:
        """Open all that the page has folded away, by its keys: a panel over the page covers some of it."""
        for switch in self.main().get_by_text("People's labels", exact=True).all():
            switch.click()
            self.settle()
        for panel in self.main().get_by_test_id("stExpander").locator("summary").all():
            panel.press("Enter")
            self.settle()

    def rows_of(self, caption: str) -> Locator:
        """The rows of the table with this caption."""
        return self.page.get_by_role("table", name=caption).locator("tbody tr")

    def sideways(self) -> int:
        """Pixels by which the page is wider than the window."""
        return self.page.evaluate("""() => {
            const main = document.querySelector('[data-testid=stMain]');
            return Math.max(document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth);
        }""")

    def shifted(self) -> float:
        """The cumulative layout shift of the page since it was opened."""
        worst = shift = 0.0
        began = last = float("-inf")
        for at, value in self.page.evaluate("() => window.shifts"):
            if at - last > PAUSE_MS or at - began > WINDOW_MS:
                began, shift = at, 0.0
            last, shift = at, shift + value
            worst = max(worst, shift)
        return worst

    def keep(self, name: str) -> None:
        """Keep a picture of the whole page among the artefacts."""
        self.page.screenshot(path=ARTEFACTS / f"{name}.png")
