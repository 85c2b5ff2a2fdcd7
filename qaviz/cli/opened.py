"""The workspace of a command that asks for what is kept: it has to be there, since opening makes what is missing."""

import os
from pathlib import Path

from qaviz.model.errors import Problem, QavizError
from qaviz.store import Workspace, index_of, open_workspace, version_of
from qaviz.store.tokens import find_token_actor

TOKEN_VARIABLE = "QAVIZ_TOKEN"
"""The environment variable with an API token: a command with it may do what the token may, and nothing else."""


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
    """The workspace in the folder. Raises QavizError as `require_workspace` and `open_home` do."""
    return open_home(require_workspace(folder))


def open_home(folder: Path) -> Workspace:
    """The workspace in the folder, made if missing, as the token in QAVIZ_TOKEN may see it, if there is one.

    Raises QavizError as `open_workspace` does, and if the token is not in force.
    """
    home, token = open_workspace(folder), os.environ.get(TOKEN_VARIABLE)
    return home.as_actor(find_token_actor(home, token)) if token else home
