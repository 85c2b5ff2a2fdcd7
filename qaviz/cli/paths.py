"""Paths and workspaces that a command was given: refused in a sentence where they will not do."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from qaviz.model.errors import Problem, QavizError, stop

if TYPE_CHECKING:  # a command imports the store when it opens a workspace: `score` does without
    from qaviz.store.workspace import Workspace


def refuse_own_places(options: object) -> None:
    """Raise QavizError where a command is to write to a place that is the workspace's own."""
    targets, home = [getattr(options, name, None) for name in ("out", "folder")], getattr(options, "workspace", None)
    fault = f"a place where the workspace {home} keeps its own files"
    problems = [
        Problem(str(target), fault, "a place outside", "Name another file or folder.")
        for target in targets
        if target and isinstance(home, Path) and _is_own(Path(target), home)
    ]
    if problems:
        raise QavizError(*problems)


def _is_own(target: Path, workspace: Path) -> bool:
    try:
        inside = target.resolve().relative_to(workspace.resolve())
    except (ValueError, OSError):
        return False
    from qaviz.store.files import GOLDEN_FOLDER, RUNS_FOLDER
    from qaviz.store.index import INDEX_FILE

    first = inside.parts[0] if inside.parts else ""
    return first in ("", RUNS_FOLDER, GOLDEN_FOLDER) or first.startswith(INDEX_FILE)


TOKEN_VARIABLE = "QAVIZ_TOKEN"
"""The environment variable that had an API token of an earlier version: refused, since it would no longer narrow
anything."""


def is_there(folder: Path) -> bool:
    """Whether there is a workspace. Raises QavizError if its index cannot be read, or is a newer qaviz's."""
    from qaviz.store.index import index_of, version_of

    return version_of(index_of(folder)) is not None


def require_workspace(folder: Path) -> Path:
    """The folder, if it holds a workspace. Raises QavizError if it does not, and as `is_there`."""
    if not is_there(folder):
        fix = "Name it with --workspace, or import a run first."
        raise stop(str(folder), "no workspace", "a folder that holds one", fix)
    return folder


def open_existing(folder: Path) -> "Workspace":
    """The workspace in the folder. Raises QavizError as `require_workspace` and `open_home` do."""
    return open_home(require_workspace(folder))


def open_home(folder: Path) -> "Workspace":
    """The workspace in the folder, made if missing. Raises QavizError as `open_workspace` does, and if QAVIZ_TOKEN is
    set."""
    if os.environ.get(TOKEN_VARIABLE):
        expected = "no such variable: whoever has the database's password has what its role may see"
        fix = "Remove it, and use a role of the database: docs/team.md, Databases' own roles."
        raise stop(TOKEN_VARIABLE, "an API token, which qaviz has no more", expected, fix)
    from qaviz.store.workspace import open_workspace

    return open_workspace(folder)


def write_out(out: Path, content: bytes) -> None:
    """Write the file, all of it or nothing. Raises QavizError if the disk refuses."""
    from qaviz.store.files import disk_refusals, replacing

    with disk_refusals(out), replacing(out.resolve()) as unfinished:
        unfinished.write_bytes(content)
