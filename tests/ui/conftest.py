"""What tests of the pages' parts start from."""

import pytest

from qaviz.model.records import Run
from qaviz.store import WORKSPACE_VARIABLE, Workspace
from tests.builders import save_sample


@pytest.fixture
def sample(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The sample data as the one run of the workspace that the app serves."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    return save_sample(workspace)
