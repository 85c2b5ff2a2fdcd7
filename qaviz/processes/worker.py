"""`python -m qaviz.processes.worker FOLDER`: does the job in the folder, says how far it is, ends with its asker."""

import ctypes
import gc
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from threading import Semaphore, Thread

from qaviz.model.errors import QavizError
from qaviz.processes import JOB, Answer, Limits, Message, Work, take_tables, write_tables

AHEAD = 2
"""Answers that wait for the asker: the next part of a file is read while this one is scored, and no more than that."""

_END_AND_REMOVE = 'kill -KILL -- "-$1"; sleep 1; rm -rf -- "$2"'

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
"""Flags of Linux's `unshare`."""


class Job:
    """In the process: what is to be done, in which folder, and how it is told."""

    def __init__(self, folder: Path, options: Message, limits: Limits) -> None:
        self.folder, self.options = folder, options
        self._limits = limits
        self._given: SimpleQueue[Message] = SimpleQueue()
        self._room = Semaphore(AHEAD)
        # What libraries print goes where errors go.
        self._asker = os.dup(sys.stdout.fileno())
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def progress(self, fraction: float, words: str) -> None:
        """Tell how far the work is, unless the asker is too busy to hear it; the next part has its time anew."""
        self._limits.renew()
        if select.select([], [self._asker], [], 0)[1]:
            self._say({"progress": [fraction, words]})

    def take_given(self) -> Iterator[Answer]:
        """Yield what the asker gives (`Running.give`), as it comes."""
        while True:
            message = self._given.get()
            yield Answer(message["given"], take_tables(self.folder, message["tables"]))

    def do(self, work: Work) -> None:
        """Do the work under the limits. What a user can mend is told; a bug is raised."""
        self._limits.apply()
        try:
            for number, answer in enumerate(work(self) or ()):
                self._room.acquire()
                files = write_tables(self.folder, number, answer.tables)
                self._say({"answer": dict(answer.values), "tables": files})
        except QavizError as error:
            self._say({"problems": [asdict(problem) for problem in error.problems]})
        else:
            self._say({"end": True})

    def listen(self) -> None:
        """Hear the asker, and end with it."""
        rest = b""
        while heard := os.read(0, 1 << 16):  # not sys.stdin, which would keep the interpreter from its end
            *lines, rest = (rest + heard).split(b"\n")
            for message in map(json.loads, lines):
                if "taken" in message:
                    self._room.release()
                else:
                    self._given.put(message)
        self._leave()

    def _say(self, message: Message) -> None:
        """Say the message. Where nobody hears it, this process ends."""
        left = memoryview(json.dumps(message).encode() + b"\n")
        try:
            while left:
                left = left[os.write(self._asker, left) :]
        except BrokenPipeError:
            self._leave()

    def _leave(self) -> None:
        """End this process and all that it started, and remove the folder."""
        # By a process of another group, which is there still when nobody writes into the folder any more.
        command = ["/bin/sh", "-c", _END_AND_REMOVE, "sh", str(os.getpgrp()), str(self.folder)]
        subprocess.Popen(command, start_new_session=True).wait()
        os.killpg(0, signal.SIGKILL)


def leave_network() -> None:
    """Give up the network for this process and what it starts, where Linux lets a user do so."""
    user, group = os.getuid(), os.getgid()
    with suppress(OSError, AttributeError):
        if ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER | _NEW_NETWORK) == 0:
            Path("/proc/self/setgroups").write_text("deny")
            # Without a map no file could be made.
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def main() -> None:
    """Do the job that the folder names."""
    folder = Path(sys.argv[1])
    fields = json.loads((folder / JOB).read_text("utf-8"))
    limits = Limits(**fields["limits"])
    if not limits.network:
        leave_network()
    job = Job(folder, fields["options"], limits)
    Thread(target=job.listen, daemon=True).start()
    module, _, function = fields["work"].partition(":")
    job.progress(0.0, "starting")
    gc.disable()  # as in qaviz.__main__: importing makes no cycles
    work = getattr(import_module(module), function)
    gc.enable()
    job.do(work)


if __name__ == "__main__":
    main()
