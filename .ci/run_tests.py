"""Run all tests, those of a browser apart: only these get a second try, and each that needed one is counted."""

import subprocess
import sys

PYTEST = [sys.executable, "-m", "pytest"]
PARALLEL = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")  # tests/conftest.py orders the files
FAILED, NO_TESTS = 1, 5


def run(*arguments: str) -> int:
    """Return pytest's exit code; that no test was selected is no failure."""
    code = subprocess.run([*PYTEST, *arguments], check=False).returncode
    return 0 if code == NO_TESTS else code


def main(given: list[str]) -> int:
    """Return 0 if every test passes, a browser's at the second try at the latest."""
    code = run(*PARALLEL, "-m", "not browser", *given)
    in_browser = run(*PARALLEL, "-m", "browser", *given)
    if in_browser == FAILED:
        print("qaviz: the browser's tests that failed once more, one by one", flush=True)
        in_browser = run("--last-failed", "--last-failed-no-failures", "none", "-m", "browser", "-q", *given)
        print(f"qaviz: a second try was needed; {'it failed too' if in_browser else 'it passed'}", flush=True)
    return code or in_browser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
