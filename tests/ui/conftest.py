"""What tests of the pages' parts start from."""

from pathlib import Path

import pytest

from qaviz.model.records import WORKSPACE_VARIABLE, Run
from qaviz.store.workspace import Workspace
from tests.builders import save_sample


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder, so that `-m "not page"` leaves it out."""
    for test in items:
        if Path(__file__).parent in test.path.parents:
            test.add_marker(pytest.mark.page)


@pytest.fixture
def served(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The test's own workspace, which the app serves."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    return workspace


@pytest.fixture
def sample(served: Workspace) -> Run:
    """The sample data as the one run of the workspace that the app serves."""
    return save_sample(served)
