"""`python -P -m qaviz.loading.sandbox.fork_server FOLDER MODULE ...`: has loaded the modules, and forks to answer.

What may be asked are the first module's OPERATIONS. A fresh interpreter takes half a second to load them, a fork some
milliseconds. The server computes nothing itself, so no thread of a library is at work when it forks. It stands in a
session of its own, so that Ctrl+C is the asker's to hear. When the asker is gone it ends, with all its forks, what they
started, and the folder of what they read and wrote.
"""

import gc
import json
import os
import shutil
import signal
import socket
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from io import BufferedReader
from pathlib import Path

from qaviz.loading.sandbox.client import Operations, source_from, write_table
from qaviz.processes import ERRORS, Limits, Message, signal_group
from qaviz.processes.worker import Teller

AHEAD = 2
"""Answers that wait for the asker: the next chunk is read while this one is scored, and no more than that."""

_Forks = dict[int, socket.socket]
"""The forks that are at work, each with the connection to who asked it."""


def serve(control: socket.socket, folder: Path, operations: Operations) -> None:
    """Fork for each connection that is passed over `control`; tell the asker over it who reads there, and its end."""
    # Python warns of forking beside threads: those of jemalloc and polars are asleep, and jemalloc expects a fork.
    warnings.simplefilter("ignore", DeprecationWarning)
    forks: _Forks = {}
    signal.signal(signal.SIGCHLD, lambda *_: _tell_ends(forks))
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not request:
            for fork in list(forks):  # they end meanwhile
                signal_group(fork, signal.SIGKILL)
            shutil.rmtree(folder, ignore_errors=True)
            return
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        connection = socket.socket(fileno=descriptors[0])
        fork = os.fork()
        if not fork:
            for inherited in (control, *forks.values()):
                inherited.close()
            _begin_fork()
            answer(connection, operations)
            os._exit(0)
        # Here too: the asker may end the group before the fork has begun.
        with suppress(OSError):
            os.setpgid(fork, fork)
        forks[fork] = connection
        _send(connection, {"process": fork})
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


def _begin_fork() -> None:
    """Lead a group of its own, and take signals as any process does."""
    os.setpgid(0, 0)
    for heard in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(heard, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


def _tell_ends(forks: _Forks) -> None:
    """Tell the askers of forks that have ended their exit codes, and end what those forks started."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            signal_group(ended[0], signal.SIGKILL)
            with forks.pop(ended[0]) as connection:
                _send(connection, {"ended": os.waitstatus_to_exitcode(ended[1])})


def _send(connection: socket.socket, message: Message) -> None:
    """Send the message to an asker, who may be gone or busy. It may follow half a line of a fork that was killed."""
    with suppress(OSError):
        connection.send(b"\n" + json.dumps(message).encode() + b"\n", socket.MSG_DONTWAIT)


def answer(connection: socket.socket, operations: Operations) -> None:
    """In a fork: do what the request says, within its limits. A bug is raised, and its traceback stands in ERRORS."""
    with connection.makefile("rb") as wire:
        try:
            line = wire.readline()
        except ConnectionResetError:
            # The asker was killed.
            return
        if not line:
            return
        request = json.loads(line)
        _redirect_output(Path(request["folder"]) / ERRORS)
        teller = Teller(connection, Limits(**request["limits"]))
        teller.run(lambda: _answer(operations, request, wire, teller))


def _redirect_output(file: Path) -> None:
    errors = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    for descriptor in (sys.stdout.fileno(), sys.stderr.fileno()):
        os.dup2(errors, descriptor)


def _answer(operations: Operations, request: Message, wire: BufferedReader, teller: Teller) -> None:
    sources = [source_from(fields) for fields in request["sources"]]
    answers = operations[request["do"]](sources, request["options"], teller.progress)
    for number, given in enumerate(answers):
        if number >= AHEAD and not wire.read(1):
            return
        files = {name: f"{number}-{name}.arrow" for name in given.tables}
        for name, table in given.tables.items():
            write_table(table, Path(request["folder"]) / files[name])
        teller.say({"said": given.said, "tables": files})
    teller.say({"end": True})


def main() -> None:
    """Serve what the arguments name, over the socket that is stdin."""
    folder, *names = sys.argv[1:]
    gc.disable()  # as in qaviz.__main__; and what is frozen is not written to, so forks share it
    first, *_ = [import_module(name) for name in names]
    gc.freeze()
    gc.enable()
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    serve(control, Path(folder), first.OPERATIONS)


if __name__ == "__main__":
    main()
