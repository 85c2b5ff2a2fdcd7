"""How long the pages take in Chromium, as multiples of an empty Streamlit page in the same run.

    python -m benchmarks.screens --responses 100000 1000000

Prints a table: filters, page changes, memory of the server.
Runs above 100,000 responses are copies of that many generated ones, under other ids.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median

import polars as pl
from playwright.sync_api import Browser

from benchmarks.figures import make_parser
from benchmarks.generate import write_files
from qaviz.api import evaluate
from qaviz.model import columns as c
from qaviz.model.records import Run
from qaviz.store.workspace import Workspace, open_workspace
from qaviz.ui.widgets.url_state import QUESTION_TAB
from tests.browser.served import DESKTOP, ROOT, Screen, Served, free_port, opened_browser, served, started

SCORED_AT_MOST = 100_000
REPEATS = 5
LIMIT_MS = 60_000
REST_MS = 500

EMPTY_PAGE = """
from time import time

import streamlit as st

st.title("Empty")
st.button("Again")
st.text(time())
"""

WORDS = ("dividend", "auditor", "margin", "office", "freight", "leases")

MENU = {"Board": "", "Compare": "compare", "Responses": "responses", "Runs": "runs"}
"""Pages that show the run or runs: heading and path."""

WATCH = """() => {
    window.acted = window.changed = null;
    window.watching?.disconnect();
    window.watching = new MutationObserver((all) => {
        const head = (each) => each.target.parentElement?.closest("[data-testid=stHeader]");
        if (!all.every(head)) window.changed = performance.now();
    });
    const what = {subtree: true, childList: true, characterData: true, attributeFilter: ["data-stale"]};
    window.watching.observe(document.body, what);
    for (const kind of ["pointerdown", "keydown"])
        addEventListener(kind, () => { window.acted = performance.now(); }, {capture: true, once: true});
}"""
"""Notes when the reader acts, and when the page last changed."""

DRAWN = """(title) =>
    document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
    && document.querySelector("h1")?.textContent.endsWith(title)
    && !document.querySelector("[data-stale=true], [data-testid=stSkeleton]")
"""
AT_REST = f"([title, rest]) => window.changed && performance.now() > window.changed + rest && ({DRAWN})(title)"


def workspace_of(count: int, folder: Path) -> Workspace:
    """A workspace with a run of so many generated responses, made once."""
    workspace = open_workspace(folder / f"workspace-{count}")
    if not workspace.runs():
        part = min(count, SCORED_AT_MOST)
        write_files(folder, part)
        evaluated = evaluate(folder / "golden.jsonl", folder / "responses.jsonl")
        run = evaluated.save(f"{part:,} generated", workspace, accept_doubts=True)
        if count > part:
            _keep_copies(workspace, run, -(-count // part))
    return workspace


def _keep_copies(workspace: Workspace, run: Run, copies: int) -> None:
    """Keep the run again and again as one, with ids and questions of their own."""
    golden, rows = (
        pl.concat(
            table.with_columns(pl.format("{}-{}", column, pl.lit(copy)) for column in (c.QUESTION_ID, c.QUESTION))
            for copy in range(copies)
        )
        for table in (workspace.golden(run.golden_id), workspace.rows(run))
    )
    kept = {name: getattr(run, name) for name in ("thresholds", "engine", "sources")}
    listed = workspace.read_listed(run)
    workspace.save(f"{copies} copies of {run.name}", golden, rows, **kept, listed=listed)


def visit(screen: Screen, path: str, title: str) -> None:
    """Open a page by its address and let it come to rest: its scripts go on for a moment after it is drawn."""
    screen.page.goto(f"{screen.base}/{path}")
    screen.page.wait_for_function(DRAWN, arg=title, polling="raf", timeout=LIMIT_MS)
    screen.page.wait_for_timeout(REST_MS)


def seconds(screen: Screen, act: Callable[[], None], title: str) -> float:
    """From what the reader does until the last change of the page, after which it is at rest."""
    screen.page.evaluate(WATCH)
    act()
    screen.page.wait_for_function(AT_REST, arg=[title, REST_MS], polling="raf", timeout=LIMIT_MS)
    return float(screen.page.evaluate("() => window.changed - window.acted")) / 1000


def interactions(screen: Screen) -> Iterator[tuple[str, Callable[[], float]]]:
    """Filters, each with what does it once more and returns its seconds."""
    main = screen.main()

    def search(text: str) -> None:
        box = main.get_by_role("searchbox")
        box.fill(text)
        box.press("Enter")

    hallucination = re.compile("hallucination")
    chip = main.get_by_role("toolbar", name="Diagnoses").get_by_role("button", name=hallucination)
    pill, following = (main.get_by_role("button", name=name) for name in (hallucination, "Next"))
    for what, title, path, acts in (
        ("filter by diagnosis", "Responses", MENU["Responses"], [pill.click]),
        ("search the texts", "Responses", None, [partial(search, text) for text in WORDS]),
        ("select a class", "Board", MENU["Board"], [chip.click]),
        ("next question", "Responses", f"responses?tab={QUESTION_TAB}", [following.click]),
    ):
        if path is not None:
            visit(screen, path, title)
        turns = cycle(acts)
        seconds(screen, next(turns), title)  # Once unmeasured, as the empty page's button is.
        yield f"{what}, {title}", lambda turns=turns, title=title: seconds(screen, next(turns), title)


def page_changes(screen: Screen) -> Iterator[tuple[str, Callable[[], float]]]:
    """To each page by the menu, when each has been open before: as `interactions`."""
    to = {title: screen.page.get_by_test_id("stSidebarNavLink").filter(has_text=title) for title in MENU}
    for title in list(MENU)[1:]:
        seconds(screen, to[title].click, title)

    def change(title: str) -> float:
        elsewhere = "Board" if title != "Board" else "Runs"
        if screen.page.locator("h1").inner_text() == title:
            seconds(screen, to[elsewhere].click, elsewhere)
        return seconds(screen, to[title].click, title)

    for title in MENU:
        yield f"page change to {title}", partial(change, title)


def memory_of(app: Served, field: str) -> float:
    """GB that Linux says of the server: VmHWM is what it took at most, RssFile what the disk holds too, as of now."""
    status = Path(f"/proc/{app.pid}/status").read_text("ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith(field))) / 1e6


def measure(browser: Browser, app: Served, size: str, at_most: float, empty: Callable[[], float]) -> None:
    """Print the lines of one run: medians beside an empty rerun's, in turns, since other work on the machine slows
    both. A page change is to take 5 times an empty rerun, a filter `at_most`."""
    with Screen.of(browser, app.url, viewport=DESKTOP) as screen:
        visit(screen, "", "Board")
        for acts, times_at_most in ((page_changes, 5), (interactions, at_most)):
            for what, act in acts(screen):
                took, idle = map(median, zip(*((act(), empty()) for _ in range(REPEATS)), strict=True))
                met = "met" if took / idle <= times_at_most else "MISSED"
                figures = f"{took:,.2f} s | {took / idle:.1f} x | {times_at_most:g} x | {met}"
                print(f"| {size}: {what} | {figures} |", flush=True)
    memory, most = memory_of(app, "VmHWM"), 1.5
    met = "met" if memory <= most else "MISSED"
    print(f"| {size}: memory of the server, at most | {memory:,.2f} GB |  | {most:g} | {met} |", flush=True)


def main() -> None:
    """Print the table of each size, beside an empty Streamlit page with the same settings."""
    parser = make_parser(__doc__)
    parser.add_argument("--responses", type=int, nargs="+", default=[SCORED_AT_MOST, 1_000_000])
    parser.add_argument("--folder", type=Path, default=ROOT / "artefacts" / "benchmark")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "empty.py").write_text(EMPTY_PAGE, "utf-8")
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(options.folder / "empty.py"), f"--server.port={port}"]
    print("| what | took | of the empty page | target | |\n|---|---|---|---|---|")
    with (
        opened_browser() as browser,
        started(command, port, options.folder) as app,
        Screen.of(browser, app.url, viewport=DESKTOP) as screen,
    ):
        visit(screen, "", "Empty")
        again = screen.main().get_by_role("button", name="Again")
        for count in options.responses:
            at_most = 2 if count <= SCORED_AT_MOST else 3
            with served(workspace_of(count, options.folder).folder) as full:
                measure(browser, full, f"{count:,}", at_most, lambda: seconds(screen, again.click, "Empty"))


if __name__ == "__main__":
    main()
