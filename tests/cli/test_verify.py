import importlib.util
import re

import pytest
from polars.testing import assert_frame_equal

from qaviz import __version__
from qaviz.bulk.chunks import SCORERS
from qaviz.cli import main
from qaviz.scoring import bridge
from qaviz.store.workspace import Workspace
from tests.builders import OFF_BY, SAMPLE, save_off, save_sample

pytestmark = [
    pytest.mark.fmeval,
    pytest.mark.skipif(importlib.util.find_spec("fmeval") is None, reason="FMEval has no release for this Python"),
]


@pytest.fixture(autouse=True)
def _scored_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """FMEval scores in this process, which has loaded it; that it has one of its own is held by
    tests/scoring/test_bridge.py."""
    monkeypatch.setattr(bridge, "score_in_process", lambda rows, *_: bridge.score_with_fmeval(rows))
    monkeypatch.setitem(SCORERS, "fmeval", bridge.score_with_fmeval)


def verify(workspace: Workspace, *arguments: str) -> int:
    return main(["verify", *arguments, "--workspace", str(workspace.folder)])


def test_a_run_is_verified(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """`verify` says how many responses FMEval scored again and that nothing differs, exits with 0, and notes that in
    the workspace."""
    run = save_sample(workspace)
    assert verify(workspace, run.run_id) == 0
    assert "compared: 30\ndifferences: none\n" in capsys.readouterr().out
    noted = workspace.find_verification(run)
    assert (noted.version, noted.compared, noted.differences) == ("1.2.3", 30, 0)


def test_every_difference_is_named(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """A score of a sample that differs in its last bits is named with both numbers, and the exit code is 1."""
    run = save_off(workspace)
    assert verify(workspace, "off", "--sample", "7", "--seed", "1") == 1
    differences = re.findall(r"f1_score +(\S+) +(\S+)\n", capsys.readouterr().out)
    assert len(differences) == 7
    for here, fmeval in differences:
        assert float(here) - float(fmeval) == pytest.approx(OFF_BY, rel=0.3)
    noted = workspace.find_verification(run)
    assert (noted.compared, noted.differences) == (7, 7)


def test_a_run_says_which_engine_scored_it(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """`import --engine fmeval` keeps FMEval's scores, which are qaviz's, and the run names FMEval and its version."""
    files = [str(SAMPLE / name) for name in ("golden.jsonl", "responses.jsonl")]
    for engine in ("qaviz", "fmeval"):
        asked = ["import", *files, "--name", engine, "--engine", engine, "--workspace", str(workspace.folder)]
        assert main(asked) == 0
    own, theirs = (workspace.find(name) for name in ("qaviz", "fmeval"))
    assert (own.engine, theirs.engine) == (f"qaviz {__version__}", "FMEval 1.2.3")
    assert_frame_equal(workspace.rows(own), workspace.rows(theirs), check_exact=True)
    assert "saved as the run" in capsys.readouterr().out
