"""Work that goes wrong in each way that a process can: what tests of `qaviz.processes` have done in place of the real.

The environment's FAULT says how; its FAULT_FILE is written to. `python -m tests.work` is a pipeline's program.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it has to begin soon
    from qaviz.model.records import Progress
    from qaviz.processes import Answer, Job

SECRET = "sk-secret-of-a-worker-41"
FOR_EVER_S = 600


def go_wrong(progress: "Progress") -> None:
    """Do what FAULT says, after a first word of progress that has the number of a child, which sleeps."""
    child = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOR_EVER_S})"])
    Path(os.environ["FAULT_FILE"]).write_text(f"{os.getpid()} {child.pid}")
    progress(0.5, "begun")
    match os.environ["FAULT"]:
        case "memory":
            held = []
            while True:
                held.append(bytearray(2**24))
        case "deaf":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "crash":
            sys.stderr.write("x" * 1_000_000 + "\n")
            raise RuntimeError(f"the last words, api_key={SECRET}")
    time.sleep(FOR_EVER_S)


def work(job: "Job") -> "Iterator[Answer]":
    """As `processes.start` has it done."""
    go_wrong(job.progress)
    yield from ()


if __name__ == "__main__":
    go_wrong(lambda *_: None)
