"""In a process of ours: what it tells its asker, and how it begins."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from threading import Thread

from qaviz.model.errors import QavizError
from qaviz.processes import Limits, Message

_END_AND_REMOVE = 'kill -KILL -- "-$1"; sleep 1; rm -rf -- "$2"'


class Teller:
    """In a process of ours: what it tells its asker. `folder` is removed where the asker is gone."""

    def __init__(self, connection: socket.socket, limits: Limits, folder: Path | None = None) -> None:
        self._connection, self._limits, self._folder = connection, limits, folder

    def progress(self, fraction: float, words: str) -> None:
        """Tell how far the work is, unless the asker is too busy to hear it; the next part has its time anew."""
        self._limits.renew()
        if select.select([], [self._connection], [], 0)[1]:
            self.say({"progress": [fraction, words]})

    def say(self, message: Message) -> None:
        """Tell the message. Where nobody hears it, this process ends."""
        try:
            self._connection.sendall(json.dumps(message).encode() + b"\n")
        except ConnectionError:
            self.leave()

    def run(self, work: Callable[[], None]) -> None:
        """Do the work under the limits. What a user can mend is told; a bug is raised."""
        self._limits.apply()
        try:
            work()
        except QavizError as error:
            self.say({"problems": [asdict(problem) for problem in error.problems]})
        except MemoryError:
            self.say({"memory": True})

    def watch(self) -> None:
        """End with the asker, which says nothing more: an answer of no bytes is its end."""
        try:
            self._connection.recv(1)
        finally:
            self.leave()

    def leave(self) -> None:
        """End this process and all that it started."""
        if self._folder:
            # By a process of another group, which is there still when nobody writes into the folder any more.
            command = ["/bin/sh", "-c", _END_AND_REMOVE, "sh", str(os.getpgrp()), str(self._folder)]
            subprocess.Popen(command, start_new_session=True).wait()
        os.killpg(0, signal.SIGKILL)


def main() -> None:
    """In the process that `processes.start` started: do the work that the arguments name."""
    name, folder, limits, *arguments = sys.argv[1:]
    teller = Teller(socket.socket(fileno=os.dup(0)), Limits(**json.loads(limits)), Path(folder))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    Thread(target=teller.watch, daemon=True).start()
    teller.say({"process": os.getpid()})
    module, _, function = name.partition(":")
    teller.run(lambda: getattr(import_module(module), function)(Path(folder), teller.progress, *arguments))


if __name__ == "__main__":
    main()
