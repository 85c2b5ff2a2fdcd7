"""qaviz.processes: for all who run work in another process, its limits, its end in words, and that nothing is left."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.processes import (
    CancelledError,
    Limits,
    StoppedError,
    clean_environment,
    explain_end,
    library_environment,
    start,
)
from tests import work

ROOT = Path(__file__).parents[1]
LIMITS = Limits(memory=500 * 1024**2, silence_s=4, cpu_s=60)
GONE_WITHIN_S = 10
ABOUT = Problem(where="work", found="a process that", expected="its end", fix="Try again.")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("fresh_processes"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="limits of memory hold on Linux"),
]


def run_faulty(fault: str, folder: Path, progress: Progress | None = None, limits: Limits = LIMITS) -> None:
    """Have a process go wrong in this way; its number and its child's stand in `started`."""
    environment = clean_environment({"FAULT": fault, "FAULT_FILE": str(folder / "started"), "PYTHONPATH": str(ROOT)})
    job = folder / "job"
    job.mkdir()
    with start(work.work, job, about=ABOUT, environment=environment, limits=limits) as running:
        running.finish(progress)


def are_gone(started: Path) -> bool:
    """Whether the processes whose numbers stand in the file are gone within seconds, or wait for their parent."""
    numbers = list(map(int, started.read_text().split()))
    until = time.monotonic() + GONE_WITHIN_S
    while (left := [number for number in numbers if is_running(number)]) and time.monotonic() < until:
        time.sleep(0.02)
    return len(numbers) == 2 and not left


def is_running(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


FAULTS = {
    "memory": "more memory than 0.5 GB",
    "time": "4 s",
    "killed": "SIGKILL",
    "segfault": "SIGSEGV",
    "crash": "code 1; it wrote: RuntimeError: the last words",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_process_that_goes_wrong(fault: str, tmp_path: Path):
    """Over its memory or its time, killed or crashed: the error says which, in one line without the secret that the
    process wrote, and the process and what it started are gone."""
    with pytest.raises(QavizError) as stopped:
        run_faulty(fault, tmp_path, limits=LIMITS if fault == "time" else replace(LIMITS, silence_s=60))

    (problem,) = stopped.value.problems
    assert FAULTS[fault] in problem.found
    assert "\n" not in problem.found
    assert work.SECRET not in problem.found
    assert len(problem.found) < 1_000
    assert are_gone(tmp_path / "started")


@pytest.mark.parametrize("fault", ["deaf", "time"])
def test_who_cancels_waits_for_nothing(fault: str, tmp_path: Path):
    """Progress that raises ends the process and what it started, also where it does not hear the signal to end."""

    def cancel(_fraction: float, words: str) -> None:
        if words == "begun":
            raise CancelledError

    with pytest.raises(CancelledError):
        run_faulty(fault, tmp_path, cancel)
    assert are_gone(tmp_path / "started")


ASK = """
from pathlib import Path
from qaviz.processes import clean_environment, start
from tests import test_processes, work
environment = clean_environment({"FAULT": "time", "FAULT_FILE": "started", "PYTHONPATH": "."})
Path("folder").mkdir()
how = {"about": test_processes.ABOUT, "environment": environment, "limits": test_processes.Limits()}
with start(work.work, Path("folder"), **how) as running:
    running.finish()
"""


def test_a_process_ends_with_its_asker(tmp_path: Path):
    """kill -9 of the asker ends the process and what it started, and their folder goes."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", ASK], cwd=tmp_path, env=environment) as asker:
        until = time.monotonic() + 60
        while not (tmp_path / "started").exists() or not (tmp_path / "started").read_text():
            assert time.monotonic() < until
            time.sleep(0.02)
        asker.send_signal(signal.SIGKILL)
    assert are_gone(tmp_path / "started")
    until = time.monotonic() + GONE_WITHIN_S
    while (tmp_path / "folder").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not (tmp_path / "folder").exists()


def test_cancelled_between_two_reports(tmp_path: Path):
    """Progress is told, and may end the work, while the process says nothing new."""
    told = []

    def progress(_fraction: float, _words: str) -> None:
        told.append(time.monotonic())
        if len(told) > 5:
            raise CancelledError

    with pytest.raises(CancelledError):
        run_faulty("time", tmp_path, progress, Limits())
    assert max(later - before for before, later in pairwise(told)) < 5


def test_a_crash_is_logged_with_its_traceback(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    """Whoever runs the server finds the traceback, without the key in it; the user has one line of it."""
    with pytest.raises(StoppedError):
        run_faulty("crash", tmp_path, limits=Limits())
    logged = capfd.readouterr().err
    assert re.search(r"Traceback .*work\.py.*RuntimeError: the last words", logged, re.DOTALL)
    assert work.SECRET not in logged


def test_the_system_counts_seconds_of_computing():
    """A process that computes for longer than its limit is out of time, also where nobody waits for it."""
    code = "from qaviz.processes import Limits\nLimits(cpu_s=1).apply()\nwhile True: pass"
    ended = subprocess.run([sys.executable, "-c", code], check=False, timeout=60, cwd=ROOT)
    assert ended.returncode == -signal.SIGXCPU
    assert explain_end(ended.returncode, "", Limits(silence_s=1)) == "took more time than 1 s for one step"


def test_no_secret_is_in_an_environment(monkeypatch: pytest.MonkeyPatch):
    """Keys, passwords and addresses with a password reach no process of ours; what libraries read does."""
    secrets = {"OPENAI_API_KEY": "k", "QAVIZ_DATABASE_URL": "postgresql://me:pass@host/db", "AWS_SESSION_TOKEN": "t"}
    for name, value in {**secrets, "HF_HOME": "/models"}.items():
        monkeypatch.setenv(name, value)
    assert clean_environment({}).keys().isdisjoint({*secrets, "HF_HOME"})
    assert library_environment({}).keys().isdisjoint(secrets)
    assert library_environment({"MORE": "1"}).items() >= {"HF_HOME": "/models", "MORE": "1"}.items()
