"""`python -P -m qaviz.loading.sandbox.fork_server DESCRIPTOR FOLDER`: has loaded the readers, and forks to read.

A fresh interpreter takes half a second to load them, a fork some milliseconds. It never computes anything itself, so
no thread of a library is at work when it forks. It stands in a session of its own, so that Ctrl+C is the asker's to
hear. When the asker is gone it ends, with all its children and the folder of what they read and wrote.
"""

import os
import shutil
import signal
import socket
import sys
import warnings
from contextlib import suppress
from pathlib import Path

from qaviz.loading.sandbox.worker import OPERATIONS, Operations, answer


def main(control: socket.socket, folder: Path, operations: Operations) -> None:
    """Fork for each connection that is passed over `control`, and tell the asker over it who reads there.

    `operations` is what may be asked, by name.
    """
    # Python warns of forking beside threads: those of jemalloc and polars are asleep, and jemalloc expects a fork.
    warnings.simplefilter("ignore", DeprecationWarning)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # The system buries the children.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        asked, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not asked:
            os.killpg(0, signal.SIGTERM)
            shutil.rmtree(folder, ignore_errors=True)
            return
        with socket.socket(fileno=descriptors[0]) as connection:
            child = os.fork()
            if not child:
                control.close()
                answer(connection, operations)
                os._exit(0)
            with suppress(OSError):  # The asker may be gone.
                connection.sendall(f"{child}\n".encode())


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2]), OPERATIONS)
