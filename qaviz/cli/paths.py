"""Paths that a command was given: refused in a sentence where no file can have them, or the workspace has its own."""

import argparse
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from qaviz.model.errors import Problem, QavizError
from qaviz.store import INDEX_FILE
from qaviz.store.workspace import GOLDEN_FOLDER, RUNS_FOLDER

LONGEST_NAME = 255
"""Bytes of one name in a path, on the file systems of Linux and macOS."""


_FILES = ("golden", "responses", "paths")
"""Arguments that name files and may be something else, such as an address."""


def refuse_bad_paths(asked: argparse.Namespace) -> None:
    """Raise QavizError for a path with a NUL, with a name that is too long, without the right to read it, or of a place
    that is the workspace's own."""
    problems = [problem for path in dict.fromkeys(_paths(asked)) for problem in _wrong(path)]
    targets = [getattr(asked, name, None) for name in ("out", "folder")]
    if not problems and isinstance(getattr(asked, "workspace", None), Path):
        own = [Path(each) for each in targets if each and _is_own(Path(each), asked.workspace)]
        problems = [_own_place(each, asked.workspace) for each in own]
    if problems:
        raise QavizError(*problems)


def _paths(asked: argparse.Namespace) -> Iterator[Path]:
    for name, value in vars(asked).items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Path) or (isinstance(each, str) and name in _FILES):
                yield Path(each)


def _wrong(path: Path) -> Iterator[Problem]:
    fix = "Name another file or folder."
    if "\0" in str(path):
        yield Problem(where=str(path), found="a NUL in a path", expected="a path without one", fix=fix)
    long = max((len(name.encode(errors="surrogateescape")) for name in path.parts), default=0)
    if long > LONGEST_NAME:
        where = f"{str(path)[:LONGEST_NAME]}…"
        expected = f"at most {LONGEST_NAME}"
        yield Problem(where=where, found=f"a name of {long:,} bytes", expected=expected, fix=fix)
    elif _is_forbidden(path):
        yield forbidden_problem(path)


def _is_forbidden(path: Path) -> bool:
    """Whether the system refuses to read the file or folder, or to look into a folder above it."""
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except PermissionError:
        return True
    except (OSError, ValueError):  # not there, or no path at all: reported by what opens it
        return False
    return not os.access(path, os.R_OK | os.X_OK if is_folder else os.R_OK)


def forbidden_problem(path: str | Path) -> Problem:
    """The problem of a path that the system does not let this user read."""
    return Problem(
        where=str(path),
        found="that you have no right to read it (permission denied)",
        expected="a file or folder that you may read",
        fix="Ask its owner for the right, or name another one.",
    )


def _is_own(target: Path, workspace: Path) -> bool:
    try:
        inside = target.resolve().relative_to(workspace.resolve())
    except (ValueError, OSError):
        return False
    first = inside.parts[0] if inside.parts else ""
    return first in ("", RUNS_FOLDER, GOLDEN_FOLDER) or first.startswith(INDEX_FILE)


def _own_place(target: Path, workspace: Path) -> Problem:
    return Problem(
        where=str(target),
        found=f"a place where the workspace {workspace} keeps its own files",
        expected="a place outside",
        fix="Name another file or folder.",
    )
