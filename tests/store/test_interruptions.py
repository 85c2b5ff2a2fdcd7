import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from qaviz.model.columns import PIPELINE, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.store import maintenance
from qaviz.store.index import in_postgresql
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import golden_table
from tests.store.kept import LISTED, contents, keep

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
STEPS_OF_A_SAVE = 3 * 4
"""Three files, each opened to check and to sync, renamed, its folder synced."""


def test_unfinished_files_are_cleared_away(workspace: Workspace):
    """Opening a workspace removes what a killed process left half written, and nothing else."""
    keep(workspace, "first")
    before = contents(workspace.folder)
    for folder in ("runs", "golden"):
        (workspace.folder / folder / "0123.tmp").write_bytes(b"half")
    open_workspace(workspace.folder)
    assert contents(workspace.folder) == before


def test_what_a_living_writer_writes_is_left_alone(workspace: Workspace):
    """Whoever opens the workspace while somebody saves waits with clearing away: the file may be the saver's."""
    unfinished = workspace.folder / "runs" / "0123.tmp"
    opening = threading.Thread(target=open_workspace, args=(workspace.folder,))
    with workspace.locking():
        unfinished.write_bytes(b"half")
        opening.start()
        opening.join(0.2)
        assert unfinished.exists()
    opening.join(30)
    assert not unfinished.exists()


WRITERS = """
import os, signal, sys, time
from itertools import count
from pathlib import Path
import polars as pl
from qaviz.model.records import Thresholds
from qaviz.store.workspace import open_workspace

def write(out, folder, name, steps, *tables):
    def die_after_steps(event, arguments):
        nonlocal left
        if event in ("open", "os.rename", "os.remove", "sqlite3.connect"):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    left = int(steps)
    golden, rows, listed = [pl.read_parquet(file) for file in tables]
    settings = {"thresholds": Thresholds(), "engine": "qaviz 0", "sources": [], "listed_counts": {}, "listed": listed}
    confirmed = os.open(out, os.O_WRONLY | os.O_CREAT)
    workspace = open_workspace(Path(folder))
    sys.addaudithook(die_after_steps)
    for number in count():
        saved = workspace.save(f"{name}-{number}", golden, rows, **settings)
        os.write(confirmed, f"{saved.name} ".encode())
        time.sleep(0.01)

for line in sys.stdin:
    what, *words = line.split()
    if what == "wait":
        print(os.waitstatus_to_exitcode(os.waitpid(int(words[0]), 0)[1]), flush=True)
        continue
    # Safe, since this process never computes anything: polars starts its threads in the child.
    child = os.fork()
    if child == 0:
        try:
            write(*words)
        finally:
            os._exit(1)
    print(child, flush=True)
"""

NEVER = 1_000_000
PATIENCE_S = 30
"""How long writers on a busy machine may take for their first run."""


def big_run() -> tuple[pl.DataFrame, pl.DataFrame]:
    """A run that takes some milliseconds to write."""
    golden = golden_table({"question": f"Question {number}?", "fact": f"{number}"} for number in range(500))
    words = random.Random(1)
    texts = [words.randbytes(100).hex() for _ in range(golden.height)]
    return golden, golden.with_columns(pl.lit("P").alias(PIPELINE), pl.Series(RESPONSE, texts))


@dataclass(frozen=True)
class Writer:
    """A process that saves runs until it has taken so many steps on the file system, or is killed."""

    parent: subprocess.Popen[str]
    pid: int
    out: Path

    def confirmed(self) -> set[str]:
        """The runs that it has said are saved."""
        return set(self.out.read_text().split()) if self.out.exists() else set()

    def wait(self) -> int:
        """Its exit code, when it has ended."""
        return int(_asked(self.parent, f"wait {self.pid}"))


def _asked(parent: subprocess.Popen[str], line: str) -> str:
    print(line, file=parent.stdin, flush=True)
    return parent.stdout.readline()


@pytest.fixture
def start_writer(tmp_path: Path) -> Iterator[Callable[[Path, str, int], Writer]]:
    """Starts writers in children of one process that has imported everything."""
    tables = [tmp_path / f"{name}.parquet" for name in ("golden", "rows", "listed")]
    for table, file in zip((*big_run(), LISTED), tables, strict=True):
        table.write_parquet(file)
    command = [sys.executable, "-c", WRITERS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:

        def start(folder: Path, name: str, steps: int) -> Writer:
            out = tmp_path / f"{folder.name}-{name}.txt"
            return Writer(
                parent, int(_asked(parent, f"write {out} {folder} {name} {steps} {' '.join(map(str, tables))}")), out
            )

        yield start
        parent.stdin.close()


def assert_sound(folder: Path, confirmed: set[str]) -> Workspace:
    """Every run that the index knows opens whole, every run that a writer confirmed is known, nothing half is left."""
    workspace = open_workspace(folder)
    runs = workspace.runs()
    _, rows = big_run()
    assert confirmed <= {run.name for run in runs}
    assert all(workspace.rows(run).equals(rows.select(workspace.rows(run).columns)) for run in runs)
    assert all(workspace.read_listed(run).equals(LISTED) for run in runs)
    assert not list(folder.rglob("*.tmp"))
    assert maintenance.check(workspace).problems == ()
    return workspace


def test_writers_killed_at_random_moments_leave_old_or_new(workspace: Workspace, start_writer):
    """Two writers of one workspace are killed at random moments: all that they confirmed is there, and nothing half."""
    moments = random.Random(20231120)
    confirmed: set[str] = set()
    rounds = 2 if in_postgresql(workspace.index) else 6
    for number in range(rounds):
        writers = [start_writer(workspace.folder, f"{number}{name}", NEVER) for name in "ab"]
        until = time.monotonic() + PATIENCE_S
        while not all(writer.confirmed() for writer in writers) and time.monotonic() < until:
            time.sleep(0.002)
        time.sleep(moments.uniform(0, 0.05))
        for writer in writers:
            os.kill(writer.pid, signal.SIGKILL)
            assert writer.wait() == -signal.SIGKILL
            assert writer.confirmed()
            confirmed |= writer.confirmed()
        assert_sound(workspace.folder, confirmed)


def test_a_writer_killed_at_every_step_leaves_old_or_new(tmp_path: Path, start_writer):
    """A process is killed before each single step on the file system that saving takes: no run, or the whole run."""

    def runs_left(steps: int) -> int:
        folder = tmp_path / str(steps)
        writer = start_writer(folder, "run", steps)
        assert writer.wait() == -signal.SIGKILL
        return len(assert_sound(folder, writer.confirmed()).runs())

    left = [runs_left(steps) for steps in range(2 * STEPS_OF_A_SAVE)]
    assert left == sorted(left)
    assert left.count(0) >= STEPS_OF_A_SAVE
    assert left[-1] == 1


def test_a_full_disk_is_said_and_changes_nothing(workspace: Workspace):
    """Where the disk takes no more, saving says so and keeps the old state; with room again, saving works."""
    golden, rows = big_run()
    keep(workspace, "before", golden, rows)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (0, 1_000, 20_000):
        before = {name: digest for name, digest in contents(workspace.folder).items() if name != "qaviz.db-shm"}
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            with pytest.raises(QavizError, match=r"(?i)file too large|disk"):
                keep(workspace, "full", golden.head(400), rows.head(400))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        after = contents(workspace.folder)
        assert {name for name in after if name.startswith("runs")} == {
            name for name in before if name.startswith("runs")
        }
        assert [run.name for run in open_workspace(workspace.folder).runs()] == ["before"]
    keep(workspace, "after", golden.head(400), rows.head(400))
    assert [run.name for run in workspace.runs()] == ["after", "before"]
