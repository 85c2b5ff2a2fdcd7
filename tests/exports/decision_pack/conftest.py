"""Packs that several tests read and none changes."""

import pytest

from qaviz.report import Report
from qaviz.store.workspace import open_workspace
from tests.exports.decision_pack.packs import hostile_pack, sample_pack


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The pack of the sample data."""
    return sample_pack(open_workspace(tmp_path_factory.mktemp("sample")))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A pack of hostile pipelines, questions, facts and responses."""
    return hostile_pack(open_workspace(tmp_path_factory.mktemp("hostile")))
