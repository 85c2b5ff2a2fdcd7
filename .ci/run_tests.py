"""Run all tests: those of a browser after the others, because they wait for what is drawn."""

import subprocess
import sys

PYTEST = [sys.executable, "-m", "pytest"]
PARALLEL = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")  # tests/conftest.py orders the files
NO_TESTS = 5


def run(*arguments: str) -> int:
    """Return pytest's exit code; that no test was selected is no failure."""
    code = subprocess.run([*PYTEST, *PARALLEL, *arguments], check=False).returncode
    return 0 if code == NO_TESTS else code


if __name__ == "__main__":
    codes = [run("-m", marker, *sys.argv[1:]) for marker in ("not browser", "browser")]
    sys.exit(max(codes))
