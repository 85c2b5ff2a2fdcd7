"""What many tests start from."""

from pathlib import Path

import pytest
from hypothesis import settings

from qaviz.store import Workspace, open_workspace

# A first call reads patterns and fills caches, and two cores are shared: the time of one example says nothing.
settings.register_profile("qaviz", deadline=None)
settings.load_profile("qaviz")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty workspace."""
    return open_workspace(tmp_path / "workspace")
