import threading

import pytest

from qaviz.store.workspace import Workspace, open_workspace
from tests.store.kept import contents, keep

pytestmark = pytest.mark.slow


def test_unfinished_files_are_cleared_away(workspace: Workspace):
    """Opening a workspace removes what a killed process left half written, and nothing else."""
    keep(workspace, "first")
    before = contents(workspace.folder)
    for folder in ("runs", "golden"):
        (workspace.folder / folder / "0123.tmp").write_bytes(b"half")
    open_workspace(workspace.folder)
    assert contents(workspace.folder) == before


def test_what_a_living_writer_writes_is_left_alone(workspace: Workspace):
    """Whoever opens the workspace while somebody saves waits with clearing away: the file may be the saver's."""
    unfinished = workspace.folder / "runs" / "0123.tmp"
    opening = threading.Thread(target=open_workspace, args=(workspace.folder,))
    with workspace.locking():
        unfinished.write_bytes(b"half")
        opening.start()
        opening.join(0.2)
        assert unfinished.exists()
    opening.join(30)
    assert not unfinished.exists()
