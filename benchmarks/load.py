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
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import polars as pl
import psutil

from benchmarks.figures import make_parser
from benchmarks.screens import workspace_of
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.store.labels import keep_labels
from qaviz.store.workspace import Workspace, open_workspace
from tests.browser.served import Served, free_port, started
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
        everything = [each for taken in self.taken.values() for each in taken]
        slowest = sorted(self.taken.items(), key=lambda each: -percentile(each[1], 95))
        print("| page | changes | p50 | p95 | longest, s |\n|---|---|---|---|---|")
        for path, taken in [*((f"/{path}", taken) for path, taken in slowest), ("all", everything)]:
            print(
                f"| {path} | {len(taken)} | {median(taken):.2f} | {percentile(taken, 95):.2f} | {max(taken):.2f} |",
                flush=True,
            )
        print(*(f"BROKEN {many} x {what}" for what, many in self.broken.items()), sep="\n")


def percentile(values: Sequence[float], which: int) -> float:
    """The percentile of at least one value."""
    return quantiles(values, n=100, method="inclusive")[which - 1] if len(values) > 1 else values[0]


@dataclass
class Cost:
    """What the server and its children took since then."""

    server: psutil.Process
    cpu: float = 0.0

    def __post_init__(self) -> None:
        self.cpu = self.cpu_seconds()

    def cpu_seconds(self) -> float:
        """CPU seconds since then, of the server and of its children, ended or not."""
        total = 0.0
        for each in (self.server, *self.server.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                total += sum(each.cpu_times()[:4])
        return total - self.cpu

    def resident(self) -> float:
        """VmRSS of the server in MB, apart from what it shares with files."""
        fields = dict(
            line.split(":", 1) for line in Path(f"/proc/{self.server.pid}/status").read_text("ascii").splitlines()
        )
        return sum(int(fields[name].split()[0]) for name in ("RssAnon", "RssShmem")) / 1024


@contextmanager
def serving(workspace: Path) -> Iterator[tuple[Served, Cost]]:
    """A server over the workspace, and what it costs."""
    port = free_port()
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(workspace)]
    with started(command, port, workspace.parent, "/healthz") as app:
        yield app, Cost(psutil.Process(app.pid))


async def live(session: Session, times: Times, until: float, think: float, chance: random.Random) -> None:
    """One person: a page, a pause, another page."""
    while time.monotonic() < until:
        await asyncio.sleep(chance.expovariate(1 / think) if think else 0)
        path = chance.choice(PAGES)
        await times.note(path, session.open(path, chance.choice(QUERIES.get(path, ("",)))))


async def label(workspace: Workspace, person: str, times: Times, until: float, chance: random.Random) -> None:
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
        await asyncio.gather(
            *(live(each, times, until, options.think, chance) for each, chance in zip(people, chances, strict=True)),
            *(
                label(workspace, f"reader {number}", times, until, chances[number])
                for number in range(options.labelling)
            ),
        )
    return times


def time_people(options: argparse.Namespace, folder: Path) -> None:
    """Print how long pages take with so many people at once, and what they cost."""
    with ExitStack() as stack:
        running = [stack.enter_context(serving(folder)) for _ in range(options.servers)]
        before = sum(cost.resident() for _, cost in running)
        times = asyncio.run(run_people([app for app, _ in running], options, open_workspace(folder)))
        times.print_table()
        changes = sum(map(len, times.taken.values()))
        cpu = sum(cost.cpu_seconds() for _, cost in running)
        after = sum(cost.resident() for _, cost in running)
        print(f"{changes / options.seconds:.1f} pages a second; CPU {1000 * cpu / max(changes, 1):.0f} ms a page")
        print(f"memory: {before:,.0f} MB at the start, {after:,.0f} MB at the end")


def main(arguments: list[str] | None = None) -> None:
    parser = make_parser(__doc__)
    parser.add_argument("what", choices=("people",))
    parser.add_argument("--responses", type=int, default=100_000)
    parser.add_argument("--sessions", type=int, default=50, help="at once")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=10)
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--labelling", type=int, default=0, help="people who label beside the sessions")
    parser.add_argument("--folder", type=Path, help="keeps the workspace for the next time")
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        time_people(options, workspace_of(options.responses, folder).folder)


if __name__ == "__main__":
    main()
