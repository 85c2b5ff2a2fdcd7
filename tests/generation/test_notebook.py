"""`qaviz.generate` does in Python what the command does."""

from pathlib import Path

import pytest

import qaviz
from qaviz.store.golden_versions import named_datasets
from qaviz.store.workspace import Workspace
from tests.generation.model import REPORT, author
from tests.llm_server import serve


def test_generate_returns_tables_and_keeps_the_dataset(
    tmp_path: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    """Accepted triplets, reasons and passages come back as tables; with a workspace and a name they are kept."""
    (tmp_path / "alder.md").write_text(REPORT)
    with serve(author) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        found = qaviz.generate(tmp_path / "alder.md", model="openai:stub", workspace=workspace, dataset="d", review=0.5)
        again = qaviz.generate(tmp_path / "alder.md", model="openai:stub", workspace=workspace, dataset="d")
    assert (found.counts["accepted"], found.counts["refuted"], found.counts["flagged"]) == (4, 1, 2)
    assert found.golden.height == found.passages.height == 4
    assert again.counts["calls"] == 0
    assert list(named_datasets(workspace)) == ["d"]
