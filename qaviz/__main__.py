"""`python -m qaviz`, and the command `qaviz`."""

import gc
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress

INTERRUPTED = 130
READER_GONE = 141
BUG = 70
"""As `qaviz.cli.BUG`, which may be what could not be imported."""


def run() -> int:
    """Run one command and return its exit code: 130 after Ctrl+C, also where that comes while libraries still load.

    A bug ends in its traceback on stderr and exit code 70: Python's own 1 would read as "done, with problems listed".
    """
    try:
        with _interrupts_end_at_once():
            gc.disable()  # imports leave no garbage, and looking for it is a sixth of their time
            from qaviz.cli import COMMANDS, load_command, main

            with suppress(ModuleNotFoundError):  # main says which extra brings it
                for name in COMMANDS.keys() & set(sys.argv[1:2]):
                    load_command(name)
            gc.freeze()
            gc.enable()
        return main()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # who reads the output has heard enough: `qaviz lint ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except Exception:
        # A bug in a command: its traceback, and an exit code of its own.
        traceback.print_exc()
        raise SystemExit(BUG) from None


@contextmanager
def _interrupts_end_at_once() -> Iterator[None]:
    """Let Ctrl+C end the process without Python's handler, whose exception the import system may print and swallow."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # ignored (nohup), or the caller's own
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


if __name__ == "__main__":
    sys.exit(run())
