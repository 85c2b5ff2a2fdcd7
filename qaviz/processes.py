"""Work in another process: an isolated interpreter that says how far it is, can be cancelled, and leaves nothing.

`run_module` runs a module of qaviz to its end over a folder that both sides share. What needs another way of talking
(a fork for each file, questions over a pipe, a table on standard input) takes the parts: `module_command`,
`module_environment`, `end_group`.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from qaviz.model.records import Progress

Cancelled = Callable[[], bool]
"""Asked several times a second; True ends the work."""

_PACKAGES = Path(__file__).parents[1]
_PROGRESS = "progress.txt"
_ERRORS = "errors.txt"
_ASKED_EVERY_S = 0.1
_END_WITHIN_S = 2.0
_LAST_WORDS = 100_000
"""Bytes of what a process wrote last that are read when it failed."""


class CancelledError(Exception):
    """The work was cancelled; nothing was changed."""


def module_command(module: str, *arguments: str) -> list[str]:
    """What runs a module in a fresh interpreter; `-P` keeps the current folder, whatever it holds, off its path."""
    return [sys.executable, "-P", "-m", module, *arguments]


def module_environment(known: Mapping[str, str]) -> dict[str, str]:
    """The environment `known` with qaviz's own packages first on the import path: it may run from a checkout."""
    return {**known, "PYTHONPATH": os.pathsep.join(filter(None, (str(_PACKAGES), os.environ.get("PYTHONPATH"))))}


def run_module(
    module: str,
    folder: Path,
    *arguments: str,
    environment: Mapping[str, str],
    home: Path | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> None:
    """Run `python -P -m module folder arguments` to its end in the folder `home`; tell what it says by `teller`.

    What libraries leave in TMPDIR goes with `folder`. Raises CancelledError when `cancelled` said so, RuntimeError with
    what the process wrote last if it failed; it and all that it started are gone in any case.
    """
    errors = folder / _ERRORS
    with errors.open("wb") as stream:
        process = subprocess.Popen(
            module_command(module, str(folder), *arguments),
            env=module_environment({**environment, "TMPDIR": str(folder)}),
            cwd=home,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    try:
        _await(process, folder / _PROGRESS, progress, cancelled)
    finally:
        end_group(process)
    if process.returncode:
        raise RuntimeError(f"{module} ended with {process.returncode}:\n{_read_end(errors)}")


def teller(folder: Path) -> Progress:
    """Progress as the process that `run_module` started tells it: fraction, blank, words in a file of the folder.

    It ends this process, and removes the folder, once whoever asked is gone: nobody would read what is computed.
    """
    parent = os.getppid()

    def tell(fraction: float, words: str) -> None:
        if os.getppid() != parent:
            shutil.rmtree(folder)
            raise SystemExit
        fresh = folder / f"{_PROGRESS}.new"
        fresh.write_text(f"{fraction} {words}", encoding="utf-8")
        fresh.replace(folder / _PROGRESS)

    return tell


def end_group(process: subprocess.Popen[bytes], within_s: float = _END_WITHIN_S) -> None:
    """Make sure that a process that leads a session, and all that it started there, is gone.

    It may clear up `within_s` seconds first; 0 kills it at once.
    """
    if within_s:
        signal_group(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(within_s)
    signal_group(process.pid, signal.SIGKILL)
    process.wait()


def signal_group(leader: int, what: signal.Signals) -> None:
    """Send the signal to the process that leads a session and all that it started there, those that are left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, what)


def _await(
    process: subprocess.Popen[bytes], said: Path, progress: Progress | None, cancelled: Cancelled | None
) -> None:
    """Wait for the process, passing on what it says. Raises CancelledError."""
    last = ""
    while process.poll() is None:
        if cancelled and cancelled():
            raise CancelledError
        now = said.read_text(encoding="utf-8") if said.exists() else ""
        if progress and now != last:
            fraction, words = now.split(" ", 1)
            progress(float(fraction), words)
            last = now
        time.sleep(_ASKED_EVERY_S)


def _read_end(file: Path) -> str:
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - _LAST_WORDS))
        return stream.read().decode(errors="replace")
