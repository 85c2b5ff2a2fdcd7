"""What an import through the browser takes: seconds, and the peak of memory of the server and what it starts.

    python -m benchmarks.uploading [--responses 1000000] [--folder DIR]

Uploads the files of `benchmarks.streaming` on Load data in Chromium, presses the button, waits for the run, and prints
a row of a Markdown table: the server before, once it has the files, and at most.
"""

import argparse
import re
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import psutil
from playwright.sync_api import expect, sync_playwright

from benchmarks.streaming import CHARACTERS, resident, write_files
from tests.browser.conftest import CHROMIUM_FLAGS, CHROMIUM_NAMES, DESKTOP
from tests.browser.served import Screen, Served, served

LOOKED_EVERY_SECONDS = 0.1
LIMIT_MS = 1_800_000
LOOKED_INTO = re.compile(r"^[\d,]+ rows, long form$")
GIB = 2**30


class Watched:
    """The memory of a process and those that it starts, looked at until `end`."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._ended = Event()
        self.peak = 0
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()

    def now(self) -> float:
        """GiB at this moment."""
        return resident(self._process) / GIB

    def end(self) -> float:
        """The most GiB that there were at once."""
        self._ended.set()
        self._thread.join()
        return self.peak / GIB

    def _look(self) -> None:
        while not self._ended.wait(LOOKED_EVERY_SECONDS):
            self.peak = max(self.peak, resident(self._process))


def upload(screen: Screen, folder: Path) -> None:
    """Bring both files, and wait until the page has looked into them."""
    choose = screen.main().locator("input[type=file]")
    for place, name in enumerate(("golden.jsonl", "responses.jsonl"), start=1):
        choose.nth(place - 1).set_input_files(folder / name)
        expect(screen.main().get_by_text(LOOKED_INTO)).to_have_count(place, timeout=LIMIT_MS)
        screen.settle()


def imported(screen: Screen) -> float:
    """Seconds from the button to the run."""
    screen.main().get_by_role("textbox", name="Name of the run").fill("large")
    begun = time.perf_counter()
    screen.main().get_by_role("button", name="Score and save").click()
    expect(screen.main().get_by_text("Saved:")).to_be_visible(timeout=LIMIT_MS)
    return time.perf_counter() - begun


def measured(app: Served, folder: Path) -> str:
    """A row of the table."""
    path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)))
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        with Screen.of(chromium, app.url, viewport=DESKTOP) as screen:
            screen.open("load")
            watched = Watched(app.pid)
            before = watched.now()
            upload(screen, folder)
            uploaded = watched.now(), watched.peak / GIB
            seconds = imported(screen)
            return f"{before:.2f} | {uploaded[0]:.2f} | {uploaded[1]:.2f} | {watched.end():.2f} | {seconds:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--responses", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "responses.jsonl").exists():
            write_files(folder, options.responses, CHARACTERS)
        with served(Path(name) / "workspace") as app:
            row = measured(app, folder)
    print("| responses | GiB before | with the files | at most until then | at most | seconds |")
    print(f"| {options.responses:,} | {row} |")


if __name__ == "__main__":
    main()
