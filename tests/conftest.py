"""What many tests start from."""

from pathlib import Path

import pytest

from qaviz.store import Workspace, open_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty workspace."""
    return open_workspace(tmp_path / "workspace")
