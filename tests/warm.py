"""Processes of `qaviz.processes` as forks of one that has imported the house: a fresh interpreter takes most of a
second, a fork a hundredth.

All else is theirs: a process of its own with its environment, folder, limits, session and end. Like a fresh one it has
one thread when it begins; polars starts its pool in it. tests/test_processes.py tries fresh ones.

Not by multiprocessing, whose children run the main module again: in tests of pages that is a page.
"""

import gc
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

ROOT = Path(__file__).parents[1]
HOUSE = ("qaviz.processes", "qaviz.bulk.chunks", "qaviz.loading.apart", "qaviz.documents")
"""What nearly all processes import."""
_WORD = 16
"""Bytes of a number that is told."""


class Forked:
    """What `qaviz.processes` needs of a `subprocess.Popen`."""

    def __init__(self, command: list[str], *, env: dict[str, str], cwd: Path | None, stderr: Any, **_: Any) -> None:
        (hears, say), (hear, says), (self._status, status) = os.pipe(), os.pipe(), os.pipe()
        job = json.dumps({"folder": command[-1], "environment": env, "home": str(cwd) if cwd else None})
        socket.send_fds(_template(), [job.encode()], [hears, says, stderr.fileno(), status])
        for end in (hears, says, status):
            os.close(end)
        self.stdin, self.stdout = os.fdopen(say, "wb", 0), os.fdopen(hear, "rb", 0)
        self.returncode: int | None = None
        self.pid = int(os.read(self._status, _WORD))

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code at the end."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("a worker", timeout or 0)
        return code

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], seconds)[0]:
            self.returncode = int(os.read(self._status, _WORD) or -signal.SIGKILL)
            os.close(self._status)
        return self.returncode


def start(command: list[str], **options: Any) -> Any:
    """A worker: forked, unless it has an import path of its own."""
    whole = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    forkable = sys.platform == "linux" and options["env"]["PYTHONPATH"] == whole
    return (Forked if forkable else subprocess.Popen)(command, **options)


WARM = SimpleNamespace(Popen=start, PIPE=subprocess.PIPE, TimeoutExpired=subprocess.TimeoutExpired)
"""In place of the module `subprocess`."""


_templates: list[tuple[socket.socket, subprocess.Popen[bytes]]] = []


def end() -> None:
    """End the process that is forked, if there is one."""
    for asker, template in _templates:
        asker.close()
        template.wait()
    _templates.clear()


def _template() -> socket.socket:
    """Where to ask the process that is forked."""
    if _templates:
        return _templates[0][0]
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-P", "-m", "tests.warm", str(theirs.fileno())]
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
    _templates.append((ours, subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment)))
    theirs.close()
    return ours


def serve(asker: socket.socket) -> None:
    """Fork for each job, and end where nobody asks any more."""
    for name in HOUSE:
        import_module(name)
    threads = {task.read_text().strip() for task in Path("/proc/self/task").glob("*/comm")}
    assert not any(re.match(r"polars-\d", name) for name in threads), (
        "a fork would wait for polars' pool, which it lacks"
    )
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        job, pipes, *_ = socket.recv_fds(asker, 1 << 20, 4)
        if not job:
            return
        if os.fork() == 0:
            asker.close()
            _watch(json.loads(job), *pipes)
        for pipe in pipes:
            os.close(pipe)


def _watch(job: dict[str, Any], *pipes: int) -> NoReturn:
    """Fork the worker, tell its number and, at its end, its exit code."""
    *own, status = pipes
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    worker = os.fork()
    if worker == 0:
        os.close(status)
        _work(job, own)
    for pipe in own:
        os.close(pipe)
    os.write(status, b"%*d" % (_WORD, worker))
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    os.write(status, b"%*d" % (_WORD, code))
    os._exit(0)


def _work(job: dict[str, Any], pipes: list[int]) -> NoReturn:
    os.setsid()
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
        os.close(pipe)
    os.environ.clear()
    os.environ.update(job["environment"])
    os.chdir(job["home"] or ".")
    tempfile.tempdir = None
    sys.argv = ["-c", job["folder"]]
    code = 1
    try:
        import_module("qaviz.processes").work_in()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
