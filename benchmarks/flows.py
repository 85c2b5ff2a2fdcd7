"""Clicks and seconds of seven things that people do, over the sample run in Chromium.

    python -m benchmarks.flows

A click is one act of the reader: a click, a key, a field filled, files chosen. Seconds are from the first act until the
page stands still, without the time that a person thinks or types. The floor is how many acts the task itself has: which
files, which format, ten labels.
"""

import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Locator, expect

from benchmarks.screens import opened_browser
from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen, served

LABELS = 10
GOLDEN = "nr;User Prompt;Soll-Antwort\n1;Who audits the accounts?;Adler & Co.\n2;Where is the office?;In Lyon\n"
RESPONSES = "nr;P1;P2\n1;Adler & Co. audit them.;Nobody knows.\n2;It is in Lyon.;It is in Paris.\n"
"""Files whose columns have names of their own, one column a pipeline."""


@dataclass
class Reader:
    """Who acts on a screen, and how often they did."""

    screen: Screen
    folder: Path
    acts: int = 0

    def click(self, target: Locator) -> None:
        target.first.click()
        self._count()

    def press(self, key: str) -> None:
        self.screen.page.keyboard.press(key)
        self._count()

    def fill(self, target: Locator, text: str) -> None:
        target.fill(text)
        target.press("Enter")
        self._count()

    def choose(self, target: Locator, contents: Mapping[str, str]) -> None:
        paths = [self.folder / name for name in contents]
        for path in paths:
            path.write_text(contents[path.name], encoding="utf-8")
        target.set_input_files(paths)
        self._count()

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.screen.page.get_by_role("button", name=name)

    def open_place(self, name: str) -> None:
        self.click(self.screen.page.get_by_test_id("stSidebarNav").get_by_role("link", name=name))

    def _count(self) -> None:
        self.acts += 1
        self.screen.settle()


@dataclass(frozen=True, kw_only=True)
class Flow:
    """One thing that people do, from Board on."""

    what: str
    floor: int
    act: Callable[[Reader], None]


def load_odd_files(reader: Reader) -> None:
    reader.open_place("Runs")
    reader.click(reader.screen.main().get_by_role("link", name="Load a golden dataset"))
    reader.choose(reader.screen.page.locator("input[type=file]"), {"g.csv": GOLDEN, "r.csv": RESPONSES})
    reader.click(reader.button("Score and save"))
    expect(reader.screen.main()).to_contain_text("Saved: 4 responses to 2 questions scored.")


def open_worst_response(reader: Reader) -> None:
    reader.open_place("Responses")
    reader.click(reader.screen.rows_of("Responses"))
    expect(reader.screen.main().locator(".st-key-panel")).to_be_visible()


def compare_pipelines(reader: Reader) -> None:
    reader.open_place("Compare")
    expect(reader.screen.rows_of("Questions that decide the comparison").first).to_be_visible()


def accept_edit(reader: Reader) -> None:
    reader.open_place("Golden dataset")
    if reader.screen.main().get_by_label("Your name").count():
        reader.fill(reader.screen.main().get_by_label("Your name"), "Ana")
    reader.click(reader.screen.main().get_by_role("button", name="Accept", exact=True))
    expect(reader.screen.main().get_by_text("Saved as version 2.")).to_be_visible()


def export_slides(reader: Reader) -> None:
    reader.click(reader.button("Decision pack"))
    with reader.screen.page.expect_download(timeout=60_000):
        reader.click(reader.button(re.compile(r"\(\.pptx\)")))


def label_ten(reader: Reader) -> None:
    reader.click(reader.screen.main().get_by_role("link", name="Label the responses that decide"))
    field = reader.screen.main().get_by_role("textbox", name="Your name")
    if field.count():
        reader.fill(field, "Ana")
    for number in range(1, LABELS + 1):
        reader.press("1")
        expect(reader.screen.main().get_by_text(re.compile(rf"labelled {number} of"))).to_be_visible()


FLOWS: Sequence[Flow] = (
    Flow(what="worst response", floor=2, act=open_worst_response),
    Flow(what="compare", floor=1, act=compare_pipelines),
    Flow(what="accept an edit, with a name the first time", floor=3, act=accept_edit),
    Flow(what="export slides", floor=2, act=export_slides),
    Flow(what="label ten, with a name the first time", floor=2 + LABELS, act=label_ten),
    Flow(what="load odd files, from Runs", floor=4, act=load_odd_files),
)


def main() -> int:
    """Print the table; returns 1 where a flow takes more acts than its floor."""
    worse = 0
    print("| to do | clicks and keys | floor | seconds |\n|---|---|---|---|")
    with (
        TemporaryDirectory() as folder,
        served(Path(folder) / "workspace") as app,
        opened_browser() as browser,
    ):
        for flow in FLOWS:
            permissions = ["clipboard-read", "clipboard-write"]
            with Screen.of(browser, app.url, viewport=DESKTOP, permissions=permissions) as screen:
                screen.open("")
                reader, started = Reader(screen, Path(folder)), time.perf_counter()
                flow.act(reader)
                seconds = time.perf_counter() - started
                screen.refuse_problems()
            print(f"| {flow.what} | {reader.acts} | {flow.floor} | {seconds:.1f} |", flush=True)
            worse += reader.acts > flow.floor
    return int(worse > 0)


if __name__ == "__main__":
    sys.exit(main())
