"""`python -m tests.work FOLDER HOW`: work that a test of `qaviz.processes` starts, and that does not end by itself."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from qaviz.processes import teller


def main(folder: Path, how: str) -> None:
    """Say the number of a child that sleeps, then be deaf to SIGTERM, fail with many words, or sleep."""
    if how == "fail":
        sys.stderr.write("x" * 1_000_000 + "the last words")
        raise SystemExit(3)
    if how == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    teller(folder)(0.5, f"{child.pid}")
    time.sleep(600)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
