"""Run all tests: those of a browser in one process, and beside it the others in two.

A browser waits for what is drawn and the others do not: together they keep two cores busy. The others step back, so
that a page is drawn as soon as on a quiet machine.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryFile

PYTEST = [sys.executable, "-m", "pytest"]
PARALLEL = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder")  # tests/conftest.py orders the files
STEP_BACK = ("nice", "-n", "5")
BROWSER = "tests/browser"
NO_TESTS = 5


def main(given: list[str]) -> int:
    """0 where both pass, else the exit code of one that fails, or -9 where it was killed; that no test was selected is
    no failure."""
    named = any(Path(argument.partition("::")[0]).exists() for argument in given)
    with TemporaryFile("w+") as output:
        browser = subprocess.Popen(
            [*PYTEST, "-m", "browser", *given, *([] if named else [BROWSER])], stdout=output, stderr=subprocess.STDOUT
        )
        # Each worker imports all files that it is shown: the browser's are not shown.
        others = subprocess.run([*STEP_BACK, *PYTEST, *PARALLEL, "-m", "not browser", "--ignore", BROWSER, *given])
        failed = {others.returncode, browser.wait()} - {0, NO_TESTS}
        output.seek(0)
        print(f"\nIn the browser:\n{output.read()}", flush=True)
    return max(failed, default=0)


if __name__ == "__main__":
    began = time.monotonic()
    code = main(sys.argv[1:])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"qaviz: {time.monotonic() - began:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of CPU")
    sys.exit(code)
