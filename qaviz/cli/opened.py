"""The workspace of a command that asks for what is kept: it has to be there, since opening makes what is missing."""

from pathlib import Path

from qaviz.model.errors import Problem, QavizError
from qaviz.store import Workspace, index_of, open_workspace, version_of


def is_there(folder: Path) -> bool:
    """Whether there is a workspace. Raises QavizError if its index cannot be read, or is a newer qaviz's."""
    return version_of(index_of(folder)) is not None


def require_workspace(folder: Path) -> Path:
    """The folder, if it holds a workspace. Raises QavizError if it does not, and as `is_there`."""
    if not is_there(folder):
        raise QavizError(
            Problem(
                where=str(folder),
                found="no workspace",
                expected="a folder that holds one",
                fix="Name it with --workspace, or import a run first.",
            )
        )
    return folder


def open_existing(folder: Path) -> Workspace:
    """The workspace in the folder. Raises QavizError as `require_workspace` and `open_workspace` do."""
    return open_workspace(require_workspace(folder))
