"""Run all tests, those of a browser apart: what they wait for should not wait for all others."""

import subprocess
import sys

PYTEST = [sys.executable, "-m", "pytest", "-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"]
"""tests/conftest.py orders the files."""
NO_TESTS = 5


def main(given: list[str]) -> int:
    """Return 0 if every test passes at its one try; that no test was selected is no failure."""
    codes = [
        subprocess.run([*PYTEST, "-m", tests, *given], check=False).returncode for tests in ("not browser", "browser")
    ]
    return next((code for code in codes if code not in (0, NO_TESTS)), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
