"""`python -m qaviz`, and the command `qaviz`."""

import sys

INTERRUPTED = 130


def run() -> int:
    """Run one command and return its exit code: 130 after Ctrl+C, also where that comes while libraries still load."""
    try:
        from qaviz.cli import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(run())
