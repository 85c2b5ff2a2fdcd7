import threading

import pytest

from qaviz.store.workspace import Workspace, open_workspace

pytestmark = pytest.mark.slow


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
