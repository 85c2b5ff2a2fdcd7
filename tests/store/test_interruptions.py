import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

from qaviz.model import PIPELINE, RESPONSE, QavizError
from qaviz.store import Workspace, open_workspace
from tests.builders import golden_table
from tests.store.kept import LISTED, contents, keep

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


WRITER = """
import os, signal, sys, time
from itertools import count
from pathlib import Path
import polars as pl
from qaviz.model import Thresholds
from qaviz.store import open_workspace

folder, name, steps = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
golden, rows, listed = [pl.read_parquet(file) for file in sys.argv[4:]]
settings = {"thresholds": Thresholds(), "engine": "qaviz 0", "sources": [], "listed_counts": {}, "listed": listed}
workspace = open_workspace(folder)

def die_after_steps(event, arguments):
    global steps
    if event in ("open", "os.rename", "os.remove", "sqlite3.connect"):
        steps -= 1
        if steps < 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(die_after_steps)
for number in count():
    print(workspace.save(f"{name}-{number}", golden, rows, **settings).name, flush=True)
    time.sleep(0.01)
"""

NEVER = 1_000_000


def big_run() -> tuple[pl.DataFrame, pl.DataFrame]:
    """A run that takes some milliseconds to write."""
    golden = golden_table({"question": f"Question {number}?", "fact": f"{number}"} for number in range(500))
    words = random.Random(1)
    texts = [words.randbytes(100).hex() for _ in range(golden.height)]
    return golden, golden.with_columns(pl.lit("P").alias(PIPELINE), pl.Series(RESPONSE, texts))


@pytest.fixture
def start_writer(tmp_path: Path) -> Callable[[Path, str, int], subprocess.Popen[str]]:
    """Starts a process that saves runs until it has taken so many steps on the file system, or is killed."""
    tables = [tmp_path / f"{name}.parquet" for name in ("golden", "rows", "listed")]
    for table, file in zip((*big_run(), LISTED), tables, strict=True):
        table.write_parquet(file)

    def start(folder: Path, name: str, steps: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", WRITER, str(folder), name, str(steps), *map(str, tables)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    return start


def assert_sound(folder: Path, confirmed: set[str]) -> Workspace:
    """Every run that the index knows opens whole, every run that a writer confirmed is known, nothing half is left."""
    workspace = open_workspace(folder)
    runs = workspace.runs()
    _, rows = big_run()
    assert confirmed <= {run.name for run in runs}
    assert all(workspace.rows(run).equals(rows.select(workspace.rows(run).columns)) for run in runs)
    assert all(workspace.listed(run).equals(LISTED) for run in runs)
    assert not list(folder.rglob("*.tmp"))
    with workspace.index.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    return workspace


def test_writers_killed_at_random_moments_leave_old_or_new(tmp_path: Path, start_writer):
    """Two writers of one workspace are killed at random moments: all that they confirmed is there, and nothing half."""
    moments = random.Random(20231120)
    confirmed: set[str] = set()
    for number in range(6):
        writers = [start_writer(tmp_path / "workspace", f"{number}{name}", NEVER) for name in "ab"]
        first = [writer.stdout.readline() for writer in writers]
        time.sleep(moments.uniform(0, 0.05))
        for writer, line in zip(writers, first, strict=True):
            writer.kill()
            rest, _ = writer.communicate()
            assert writer.returncode == -signal.SIGKILL
            confirmed |= set((line + rest).split())
        assert_sound(tmp_path / "workspace", confirmed)
    assert len(confirmed) >= 12


def test_a_writer_killed_at_every_step_leaves_old_or_new(tmp_path: Path, start_writer):
    """A process is killed before each single step on the file system that saving takes: no run, or the whole run."""

    def runs_left(steps: int) -> int:
        folder = tmp_path / str(steps)
        writer = start_writer(folder, "run", steps)
        confirmed = set(writer.communicate()[0].split())
        assert writer.returncode == -signal.SIGKILL
        return len(assert_sound(folder, confirmed).runs())

    with ThreadPoolExecutor(2) as pool:
        left = list(pool.map(runs_left, range(2 * STEPS_OF_A_SAVE)))
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
