"""How the server bears many people at once: sessions of Streamlit's protocol against a real server process.

    python -m benchmarks.load people [--sessions 50] [--seconds 60] [--think 10] [--servers 1] [--labelling 10]

It opens pages of one run of --responses generated responses, each session one page after another with a pause of
--think seconds on average between them, and prints percentiles by page, CPU seconds a page, and memory; beside them so
many people keep a label after each pause (`label`), in the same index. A session speaks Streamlit's protocol as a
browser does, over a web socket of its own, but draws nothing.
"""

import argparse
import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import psutil

from benchmarks.figures import make_parser
from benchmarks.screens import memory_of, workspace_of
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.store.labels import keep_labels
from qaviz.store.workspace import Workspace, open_workspace
from tests.browser.served import Served, served
from tests.protocol import BrokenPageError, Session

PAGES = ("", "compare", "responses", "golden", "judges", "runs")
QUERIES = {
    "responses": ("", "text=dividend", "diagnosis=hallucination", "text=margin&diagnosis=declined", "text=auditor"),
    "": ("", "cell=verbose", "closeness=0-0.5"),
}
"""What people ask of some pages: filters, searches, another question."""
LABEL_EVERY_S = 5.0
"""What a person takes for a response that words leave open."""
SEED = 20260101


@dataclass
class Times:
    """Seconds of page changes, by page."""

    taken: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    broken: Counter[str] = field(default_factory=Counter)

    async def note(self, path: str, change: Awaitable[float]) -> None:
        try:
            self.taken[path].append(await change)
        except (BrokenPageError, TimeoutError) as error:
            self.broken[str(error) or f"/{path}: no end"] += 1

    def print_table(self) -> None:
        """Print a line for each page, the slowest first, and one for all."""
        pages = {f"/{path}": taken for path, taken in self.taken.items()}
        by_slowness = sorted(pages.items(), key=lambda page: -np.percentile(page[1], 95))
        print("| page | changes | p50 | p95 | longest, s |\n|---|---|---|---|---|")
        for name, taken in [*by_slowness, ("all", [second for page in pages.values() for second in page])]:
            figures = f"{len(taken)} | {median(taken):.2f} | {np.percentile(taken, 95):.2f} | {max(taken):.2f}"
            print(f"| {name} | {figures} |", flush=True)
        print(*(f"BROKEN {many} x {what}" for what, many in self.broken.items()), sep="\n")


def count_cpu(app: Served) -> float:
    """CPU seconds of a server and of its children, ended or not."""
    total, server = 0.0, psutil.Process(app.pid)
    for process in (server, *server.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:4])
    return total


def resident(app: Served) -> float:
    """VmRSS of a server in MB, apart from what it shares with files."""
    return 1000 * sum(memory_of(app, field) for field in ("RssAnon", "RssShmem"))


async def live(session: Session, chance: random.Random, times: Times, until: float, think: float) -> None:
    """One person: a page, a pause, another page."""
    while time.monotonic() < until:
        await asyncio.sleep(chance.expovariate(1 / think) if think else 0)
        path = chance.choice(PAGES)
        await times.note(path, session.open(path, chance.choice(QUERIES.get(path, ("",)))))


async def label(workspace: Workspace, person: str, chance: random.Random, times: Times, until: float) -> None:
    """One person who labels: a response, a pause as between two pages of a reader, another response."""
    (run,) = workspace.runs()
    keys = workspace.rows(run, [QUESTION_ID, PIPELINE]).sample(1000, with_replacement=True, seed=chance.randrange(1000))
    for row in keys.iter_slices(1):
        await asyncio.sleep(chance.expovariate(1 / LABEL_EVERY_S))
        if time.monotonic() > until:
            return
        kept = row.with_columns(pl.lit(chance.choice(["correct", "incorrect"])).alias(LABEL))
        began = time.perf_counter()
        await asyncio.to_thread(keep_labels, workspace, run, person, kept)
        times.taken["label"].append(time.perf_counter() - began)


@asynccontextmanager
async def open_sessions(urls: Iterable[str]) -> AsyncIterator[list[Session]]:
    """A session on each of these servers."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Session.of(url)) for url in urls]


async def run_people(apps: Sequence[Served], options: argparse.Namespace, workspace: Workspace) -> Times:
    """So many people at once, for so many seconds, after each page was opened once."""
    async with open_sessions(app.url for app in apps) as first:
        for path in PAGES:
            for session in first:
                print(f"first /{path}: {await session.open(path):.2f} s", flush=True)
    times, until = Times(), time.monotonic() + options.seconds
    chances = [random.Random(SEED + number) for number in range(options.sessions)]
    async with open_sessions(apps[number % len(apps)].url for number in range(options.sessions)) as people:
        readers = [live(*person, times, until, options.think) for person in zip(people, chances, strict=True)]
        labelling = [label(workspace, f"reader {n}", chances[n], times, until) for n in range(options.labelling)]
        await asyncio.gather(*readers, *labelling)
    return times


def time_people(options: argparse.Namespace, folder: Path) -> None:
    """Print how long pages take with so many people at once, and what they cost."""
    with ExitStack() as stack:
        apps = [stack.enter_context(served(folder)) for _ in range(options.servers)]
        before, cpu = sum(map(resident, apps)), sum(map(count_cpu, apps))
        times = asyncio.run(run_people(apps, options, open_workspace(folder)))
        times.print_table()
        changes, cpu = sum(map(len, times.taken.values())), sum(map(count_cpu, apps)) - cpu
        print(f"{changes / options.seconds:.1f} pages a second; CPU {1000 * cpu / max(changes, 1):.0f} ms a page")
        print(f"memory: {before:,.0f} MB at the start, {sum(map(resident, apps)):,.0f} MB at the end")


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("what", choices=("people",))
    parser.add_argument("--responses", type=int, default=100_000)
    parser.add_argument("--sessions", type=int, default=50, help="at once")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=10)
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--labelling", type=int, default=0, help="people who label beside the sessions")
    parser.add_argument("--folder", type=Path, help="keeps the workspace for the next time")
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        time_people(options, workspace_of(options.responses, folder).folder)


if __name__ == "__main__":
    main()
