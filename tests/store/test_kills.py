"""Processes killed at random moments of importing, scoring again, accepting, labelling: the workspace is old or new."""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from qaviz.store.workspace import open_workspace
from tests.store.killed import BEGUN, DEEDS, NEVER, STEP, WRITING
from tests.store.states import State, keep_june

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
KILLS = 3
TRIES = 3 * KILLS
BEFORE_WRITING = 1 / 5
"""How many of the kills come at any moment of the deed; the others come while it writes."""
LATE = 1.1
"""Up to how much of the time that a deed took the last time the moments are drawn."""
SEED = 20231120
LEAST_STEPS = 5
"""One file made, written, synced, renamed, its folder synced: before each the old version is the newest."""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the run June, its golden dataset's second version, and labels."""
    folder = tmp_path_factory.mktemp("before") / "workspace"
    keep_june(open_workspace(folder))
    return folder


@dataclass(frozen=True)
class Doer:
    """The process that does deeds in children."""

    process: subprocess.Popen[str]

    def do(self, deed: str, folder: Path, mark: bytes = BEGUN, after: float = NEVER) -> tuple[int, float, float]:
        print(deed, folder, mark.decode(), after, file=self.process.stdin, flush=True)
        code, writing, whole = self.process.stdout.readline().split()
        return int(code), float(writing), float(whole)


@pytest.fixture(scope="module")
def doer() -> Iterator[Doer]:
    command = [sys.executable, "-m", "tests.store.killed"]
    # One thread is enough for a small run, and sooner ready.
    environment = os.environ | {"POLARS_MAX_THREADS": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as process:
        yield Doer(process)
        process.stdin.close()


@pytest.mark.parametrize("deed", DEEDS)
def test_killed_at_random_moments_the_workspace_is_old_or_new(deed: str, before: Path, doer: Doer, tmp_path: Path):
    """A process is killed at random moments of the deed, most of them while it writes: every row of every table and
    every file is as before, or as the undisturbed deed leaves it; and then the deed can be done."""
    old = State.of(open_workspace(before))
    folder = shutil.copytree(before, tmp_path / "undisturbed")
    code, writing, whole = doer.do(deed, folder)
    assert code == 0
    new = State.of(open_workspace(folder)).added_to(old)
    assert new.rows

    moments = random.Random(f"{SEED} {deed}")
    ends: Counter[str] = Counter()
    for number in range(TRIES):
        early = moments.random() < BEFORE_WRITING
        mark, within = (BEGUN, whole) if early else (WRITING, writing)
        folder = shutil.copytree(before, tmp_path / str(number))
        code, *took = doer.do(deed, folder, mark, moments.uniform(0, LATE * within))
        added = State.of(open_workspace(folder)).added_to(old)
        is_new = bool(added.rows or added.files)
        assert not is_new or added == new, f"kill {number}, seed {SEED}"
        if code == -signal.SIGKILL:
            ends["killed, new" if is_new else "killed, old"] += 1
        else:
            assert (code, is_new) == (0, True)
            writing, whole = took
        if ends.total() == KILLS:
            break
        shutil.rmtree(folder)
    print(f"seed {SEED}, {deed}: {dict(ends)}, writes {writing:.3f} s of {whole:.3f} s")
    assert ends.total() == KILLS
    assert ends["killed, old"]

    if not is_new:
        assert doer.do(deed, folder)[0] == 0
        assert State.of(open_workspace(folder)).added_to(old) == new


def test_killed_before_each_step_of_a_version_the_workspace_is_old_or_new(before: Path, doer: Doer, tmp_path: Path):
    """An editor is killed before every single step on the file system that writing a version takes: the old version is
    the newest, or the whole new one; and where it is the old one the same edit can be made."""
    old, ends = State.of(open_workspace(before)), []
    whole, code = set[str](), -signal.SIGKILL
    while code == -signal.SIGKILL:
        folder = shutil.copytree(before, tmp_path / str(len(ends)))
        code, *_ = doer.do("accept", folder, STEP, len(ends))
        added = State.of(open_workspace(folder)).added_to(old)
        ends.append(bool(added.rows or added.files))
        if not ends[-1]:
            assert doer.do("accept", folder)[0] == 0
            added = State.of(open_workspace(folder)).added_to(old)
        whole.add(str(sorted(added.rows.items()) + sorted(added.files.items())))
    assert (code, len(whole)) == (0, 1)
    assert ends == sorted(ends)
    assert ends.count(False) >= LEAST_STEPS
