"""What pip-audit's answer in JSON, on standard input, says of a lock: how many packages it audited, and what it found.

`read_audit.py LOCK`: exit code 1 for a known vulnerability, and on GitHub, which has a network, for a package that
could not be audited.
"""

import json
import os
import re
import sys
from pathlib import Path

NAMED = 5
"""Packages that are named of those that could not be audited."""


def count_packages(lock: Path) -> int:
    """How many packages the lock pins; pip-audit leaves out those of another Python or system."""
    return len(re.findall(r"^[A-Za-z0-9][A-Za-z0-9._-]*==", lock.read_text("utf-8"), re.MULTILINE))


def describe_audit(answer: str, pinned: int) -> tuple[list[str], bool, bool]:
    """Lines that say what was audited and found, whether something is vulnerable, and whether all was audited."""
    try:
        packages = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return [f"not scanned: the vulnerability service did not answer for any of {pinned} packages"], False, False
    skipped = [package["name"] for package in packages if "vulns" not in package]
    audited = len(packages) - len(skipped)
    found = [
        f"{package['name']} {package['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'none'}"
        for package in packages
        for hole in package.get("vulns", ())
    ]
    if not audited:
        return [f"not scanned: 0 of {len(packages)} packages audited, {len(skipped)} could not be"], False, False
    line = f"{audited} of {len(packages)} packages audited, {len(skipped)} could not be"
    if skipped:
        more = ", ..." if len(skipped) > NAMED else ""
        line = f"scanned in part: {line} ({', '.join(skipped[:NAMED])}{more})"
    known = f"{len(found)} known vulnerabilities" if found or skipped else "no known vulnerability"
    return [f"{line}; {known}{' in those audited' if skipped else ''}", *found], bool(found), not skipped


def main(lock: str) -> int:
    """Print the lines of this lock. Returns the exit code."""
    lines, vulnerable, whole = describe_audit(sys.stdin.read(), count_packages(Path(lock)))
    print(f"ci: {lock}: {lines[0]}", *lines[1:], sep="\n  ")
    strict = os.environ.get("GITHUB_ACTIONS") == "true"
    return int(vulnerable or (strict and not whole))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
