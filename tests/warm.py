"""Processes of `qaviz.processes` as forks of one that has imported the house: a fresh interpreter takes most of a
second, a fork a hundredth.

All else is theirs: a process of its own with its environment, folder, limits, session and end; the threads of polars,
with which it could not be forked, begin in the fork. What tests/test_processes.py says is tested with fresh ones.
"""

import os
import subprocess
import sys
import tempfile
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.reduction import DupFd
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).parents[1]
SERVER = get_context("forkserver")
SERVER.set_forkserver_preload(
    ["pytest", "tests.warm", "qaviz.processes.worker", "qaviz.bulk.chunks", "qaviz.documents"]
)


class Forked:
    """What `qaviz.processes` needs of a `subprocess.Popen`."""

    def __init__(self, command: list[str], *, env: dict[str, str], cwd: Path | None, stderr: Any, **_: Any) -> None:
        (hears, say), (hear, says) = os.pipe(), os.pipe()
        self.stdin, self.stdout = os.fdopen(say, "wb", 0), os.fdopen(hear, "rb", 0)
        job = Job(command[-1], env, cwd, (hears, says, stderr.fileno()))
        self.process = SERVER.Process(target=job, daemon=True)
        self.process.start()
        self.pid = self.process.pid
        for end in (hears, says):
            os.close(end)

    @property
    def returncode(self) -> int | None:
        return self.process.exitcode

    poll = returncode.fget

    def wait(self, timeout: float | None = None) -> int:
        """The exit code at the end."""
        self.process.join(timeout)
        if self.process.exitcode is None:
            raise subprocess.TimeoutExpired("a worker", timeout or 0)
        return self.process.exitcode


class Job:
    """What a fork does."""

    def __init__(self, folder: str, environment: dict[str, str], home: Path | None, pipes: tuple[int, ...]) -> None:
        self.folder, self.environment, self.home, self.pipes = folder, environment, home, pipes

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"pipes": [DupFd(pipe) for pipe in self.pipes]}

    def __call__(self) -> None:
        """Become the worker: with these pipes for standard input, output and errors."""
        os.setsid()
        for number, pipe in enumerate(self.pipes):
            os.dup2(pipe.detach(), number)
        os.environ.clear()
        os.environ.update(self.environment)
        os.chdir(self.home or ".")
        tempfile.tempdir = None
        sys.argv = ["qaviz.processes.worker", self.folder]
        import_module("qaviz.processes.worker").main()


def start(command: list[str], **options: Any) -> Any:
    """A worker: forked, unless it has an import path of its own."""
    usual = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return (Forked if options["env"]["PYTHONPATH"] == usual else subprocess.Popen)(command, **options)


WARM = SimpleNamespace(Popen=start, PIPE=subprocess.PIPE, TimeoutExpired=subprocess.TimeoutExpired)
"""In place of the module `subprocess`."""
