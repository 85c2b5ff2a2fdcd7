"""How long a workspace of many runs takes to open and to list, in a terminal and in Chromium.

    python -m benchmarks.workspace --runs 1000 --responses 10000

Prints a table: the workspace, beside one of a single run. The runs are copies of one that is generated, scored and
saved: each has its own files and its own rows in the index, under other ids. The workspaces are made once, in FOLDER;
1,000 runs of 10,000 responses take 0.7 GB.
"""

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from statistics import median

import sqlalchemy as sa
from playwright.sync_api import Browser, sync_playwright

from benchmarks.screens import bytes_of, cold_start, scored_run, seconds, visit
from qaviz.model.records import Run
from qaviz.store.audit_log import Deed, note
from qaviz.store.run_records import run_table
from qaviz.store.tables import RUN_RECORDS_TABLE, RUNS_TABLE
from qaviz.store.workspace import Workspace, open_workspace
from tests.browser.conftest import CHROMIUM_FLAGS, CHROMIUM_NAMES, DESKTOP
from tests.browser.served import ROOT, Screen, served

REPEATS = 5
APART = timedelta(minutes=1)

PAGES = {"Board": "", "Responses": "responses", "Runs": "runs", "Compare": "compare"}
"""Heading and path: a page of one run, all of it, the list of runs, and what reads many of them."""


def workspace_of(runs: int, responses: int, folder: Path) -> Workspace:
    """A workspace of so many runs of so many responses, made once."""
    workspace = open_workspace(folder / f"workspace-{runs}x{responses}")
    there = workspace.runs()
    first = there[-1] if there else scored_run(responses, folder, workspace)
    for number in range(max(len(there), 1), runs):
        _keep_copy(workspace, first, number)
    return workspace


def _keep_copy(workspace: Workspace, run: Run, number: int) -> None:
    at = (run.created_at + APART * number).isoformat()
    own = {"run_id": f"copy-{number:06}", "name": f"Release {number}", "created_at": at}
    for kind in ("", ".listed"):
        folder = workspace.folder / "runs"
        shutil.copyfile(folder / f"{run.run_id}{kind}.parquet", folder / f"{own['run_id']}{kind}.parquet")
    with workspace.locking() as transaction:
        deed = note(transaction, Deed.IMPORT, own["run_id"], own["name"], None)
        for table in (RUNS_TABLE, RUN_RECORDS_TABLE):
            kept = transaction.execute(sa.select(table).where(table.c.run_id == run.run_id)).one()._asdict()
            others = {name: said for name, said in (own | {"deed": deed}).items() if name in table.c}
            transaction.execute(sa.insert(table).values(**kept | others))


def often(act: Callable[[], object]) -> float:
    """The median of the seconds that it takes."""

    def once() -> float:
        start = time.perf_counter()
        act()
        return time.perf_counter() - start

    return median(once() for _ in range(REPEATS))


def in_a_terminal(workspace: Workspace) -> Iterator[tuple[str, float]]:
    """What a process of its own, and one that has the workspace open, take to list."""
    listing = [sys.executable, "-m", "qaviz", "runs", "list", "--workspace", str(workspace.folder)]
    yield "qaviz runs list", often(lambda: subprocess.run(listing, check=True, capture_output=True, cwd=ROOT))
    yield "open", often(lambda: open_workspace(workspace.folder))
    yield "list all runs", often(workspace.runs)
    yield "the table of the page Runs", often(lambda: run_table(workspace))
    newest = workspace.runs()[0].name
    yield "find one by its name", often(lambda: workspace.find(newest))


def in_a_browser(browser: Browser, workspace: Workspace) -> Iterator[tuple[str, float]]:
    """The first page from the server's start, each page when it has been open before, and the bytes it brings."""
    yield "app: from its start to Board", cold_start(browser, lambda: served(workspace.folder), "Board")
    with served(workspace.folder) as app:
        with Screen.of(browser, app.url, viewport=DESKTOP) as screen:
            for title, path in PAGES.items():
                start = time.perf_counter()
                visit(screen, path, title)
                yield f"{title}, the first time", time.perf_counter() - start
            links = {title: screen.page.get_by_test_id("stSidebarNavLink").filter(has_text=title) for title in PAGES}
            for title, link in links.items():
                if screen.page.locator("h1").inner_text() == title:
                    seconds(screen, links["Board"].click, "Board")
                yield f"{title}, page change", seconds(screen, link.click, title)
        for title, path in PAGES.items():
            yield f"{title}, MB sent", bytes_of(browser, f"{app.url}/{path}", title).data / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--responses", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, default=ROOT / "artefacts" / "benchmark")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    alone, full = (workspace_of(runs, options.responses, options.folder) for runs in (1, options.runs))
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)))
    print(f"| s, or MB; runs of {options.responses:,} responses | 1 run | {options.runs:,} runs |\n|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        for measured in (in_a_terminal, lambda workspace: in_a_browser(browser, workspace)):
            for (what, one), (_, many) in zip(measured(alone), measured(full), strict=True):
                print(f"| {what} | {one:.3f} | {many:.3f} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
