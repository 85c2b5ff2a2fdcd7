"""How quickly somebody reviews with keys alone, and how many interleavings of readers hold.

    python -m benchmarks.reviewing --decisions 100
    python -m benchmarks.reviewing --interleavings 10000

The first serves a review of made-up triplets to a real Chromium: every tenth decision is an edit that is typed. The
second runs the state machine of tests/store/test_reviews.py so often, on SQLite or, with --postgresql, on PostgreSQL.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from os import environ
from pathlib import Path

from playwright.sync_api import sync_playwright

from qaviz.store.workspace import open_workspace
from tests.browser.conftest import CHROMIUM_FLAGS, CHROMIUM_NAMES, DESKTOP
from tests.browser.reviewed import KeyboardReader, start_harbours
from tests.browser.served import ROOT, Screen, served

EDIT_EVERY = 10
KEYS = "aaaadaqaa"


def read(decisions: int) -> None:
    """Decide so often by keys, and print how long each next triplet took to come."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        workspace = open_workspace(Path(folder) / "workspace")
        line = start_harbours(workspace, decisions + 10).line
        path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)))
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        with served(workspace.folder) as app, Screen.of(browser, app.url, viewport=DESKTOP) as screen:
            reader = KeyboardReader(screen, line)
            reader.open("Kim")
            for place in range(decisions):
                if place % EDIT_EVERY == EDIT_EVERY - 1:
                    reader.edit(f"{place} ferries<OR>{place}")
                else:
                    reader.press(KEYS[place % len(KEYS)])
            median = sorted(reader.waits_ms)[decisions // 2]
            print(f"{decisions} decisions, {reader.edits} of them edits, {reader.per_minute():.0f} a minute")
            print(f"the next triplet is there after {median:.0f} ms (median), {reader.p95_ms():.0f} ms (95 %)")
        browser.close()


def interleave(examples: int, *, postgresql: bool) -> None:
    """Run the state machine so often, and print how long it took."""
    began = time.monotonic()
    chosen = "postgresql" if postgresql else "sqlite"
    command = [sys.executable, "-m", "pytest", "tests/store/test_reviews.py", "-q", "-k", f"any_order and {chosen}"]
    subprocess.run(command, cwd=ROOT, env=environ | {"QAVIZ_REVIEW_EXAMPLES": str(examples)}, check=True)
    print(f"{examples:,} interleavings on {chosen}: {time.monotonic() - began:,.0f} s")


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=0)
    parser.add_argument("--interleavings", type=int, default=0)
    parser.add_argument("--postgresql", action="store_true")
    options = parser.parse_args()
    if options.decisions:
        read(options.decisions)
    if options.interleavings:
        interleave(options.interleavings, postgresql=options.postgresql)


if __name__ == "__main__":
    main()
