"""`python -m qaviz`, and the command `qaviz`."""

import os
import sys
import traceback

INTERRUPTED = 130
READER_GONE = 141
BUG = 70
"""As `qaviz.cli.BUG`, which may be what could not be imported."""


def run() -> int:
    """Run one command and return its exit code: 130 after Ctrl+C, also where that comes while libraries still load.

    A bug ends in its traceback on stderr and exit code 70: Python's own 1 would read as "done, with problems listed".
    """
    try:
        from qaviz.cli import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # who reads the output has heard enough: `qaviz lint ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except Exception:
        traceback.print_exc()
        raise SystemExit(BUG) from None


if __name__ == "__main__":
    sys.exit(run())
