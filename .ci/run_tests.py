"""Run all tests: those of a browser after the others, because they wait for what is drawn."""

import subprocess
import sys
from pathlib import Path

PYTEST = [sys.executable, "-m", "pytest"]
PARALLEL = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")  # tests/conftest.py orders the files
BROWSER = "tests/browser"
NO_TESTS = 5


def run(*arguments: str) -> int:
    """Return pytest's exit code; that no test was selected is no failure."""
    code = subprocess.run([*PYTEST, *PARALLEL, *arguments], check=False).returncode
    return 0 if code == NO_TESTS else code


if __name__ == "__main__":
    given = sys.argv[1:]
    named = any(Path(argument.partition("::")[0]).exists() for argument in given)
    # Each of the three workers imports all files that it is shown: the browser's are shown apart.
    others = run("-m", "not browser", "--ignore", BROWSER, *given)
    sys.exit(max(others, run("-m", "browser", *given, *([] if named else [BROWSER]))))
