"""Clicks and seconds of five things that people do, over the sample run in Chromium.

    python -m benchmarks.flows

A click is one act of the reader: a click, a key, a field filled, files chosen. Seconds are from the first act until the
page stands still, without the time that a person thinks or types. The floor is how many acts the task itself has: which
files, which format, ten labels.
"""

import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Locator, expect

from tests.browser.served import DESKTOP, Screen, opened_browser, served

LABELS = 10


@dataclass
class Reader:
    """Who acts on a screen, and how often they did."""

    screen: Screen
    acts: int = 0

    def click(self, target: Locator) -> None:
        self._count(target.first.click)

    def press(self, key: str) -> None:
        self._count(lambda: self.screen.page.keyboard.press(key))

    def shown(self, text: str | re.Pattern[str]) -> None:
        expect(self.screen.main().get_by_text(text)).to_be_visible()

    def give_name(self) -> None:
        self._count(lambda: self.screen.give_name("Ana"))

    def open_place(self, name: str) -> None:
        self.click(self.screen.page.get_by_test_id("stSidebarNav").get_by_role("link", name=name))

    def _count(self, act: Callable[[], None]) -> None:
        act()
        self.acts += 1
        self.screen.settle()


def open_worst_response(reader: Reader) -> None:
    reader.open_place("Responses")
    reader.click(reader.screen.rows_of("Responses"))
    expect(reader.screen.main().locator(".st-key-panel")).to_be_visible()


def compare_pipelines(reader: Reader) -> None:
    reader.open_place("Compare")
    expect(reader.screen.rows_of("Questions that decide the comparison").first).to_be_visible()


def accept_edit(reader: Reader) -> None:
    reader.open_place("Golden dataset")
    reader.give_name()
    reader.click(reader.screen.main().get_by_role("button", name="Accept", exact=True))
    reader.shown("Saved as version 2.")


def export_slides(reader: Reader) -> None:
    page = reader.screen.page
    reader.click(page.get_by_role("button", name="Decision pack"))
    with page.expect_download(timeout=60_000):
        reader.click(page.get_by_role("button", name=re.compile(r"\(\.pptx\)")))


def label_ten(reader: Reader) -> None:
    reader.click(reader.screen.main().get_by_role("link", name="Label the responses that decide"))
    reader.give_name()
    for number in range(1, LABELS + 1):
        reader.press("1")
        reader.shown(re.compile(rf"labelled {number} of"))


FLOWS: dict[str, tuple[int, Callable[[Reader], None]]] = {
    "worst response": (2, open_worst_response),
    "compare": (1, compare_pipelines),
    "accept an edit, with a name the first time": (3, accept_edit),
    "export slides": (2, export_slides),
    "label ten, with a name the first time": (2 + LABELS, label_ten),
}
"""What people do, from Board on: with its floor."""


def main() -> int:
    """Print the table; returns 1 where a flow takes more acts than its floor."""
    worse = 0
    print("| to do | clicks and keys | floor | seconds |\n|---|---|---|---|")
    with (
        TemporaryDirectory() as folder,
        served(Path(folder) / "workspace") as app,
        opened_browser() as browser,
    ):
        for what, (floor, act) in FLOWS.items():
            with Screen.of(browser, app.url, viewport=DESKTOP) as screen:
                screen.open("")
                reader, started = Reader(screen), time.perf_counter()
                act(reader)
                seconds = time.perf_counter() - started
                screen.refuse_problems()
            print(f"| {what} | {reader.acts} | {floor} | {seconds:.1f} |", flush=True)
            worse += reader.acts > floor
    return int(worse > 0)


if __name__ == "__main__":
    sys.exit(main())
