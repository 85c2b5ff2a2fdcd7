"""`qaviz review plan` and `bound`: figures for scripts and sentences for people."""

import json
from pathlib import Path

import pytest

from qaviz.cli import main
from qaviz.runs import import_sample
from qaviz.store.workspace import open_workspace

SAMPLE = Path(__file__).parents[2] / "sample_data"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["review", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_bound_after_a_review(capsys):
    """10 of 100 reviewed, none wrong: at most 24 %."""
    assert printed(capsys, "bound", "--population", "100", "--reviewed", "10", "--wrong", "0")["at_most"] == 0.24


def test_a_dataset_is_counted_by_its_name(capsys, tmp_path: Path):
    """In place of the number stands the name of a run in the workspace, or of nothing, which is said."""
    name = import_sample(SAMPLE, open_workspace(tmp_path)).name
    home = ("--workspace", str(tmp_path))

    assert printed(capsys, "plan", "--population", name, *home, "--level", "low")["population"] == 10
    assert main(["review", "plan", "--population", "nothing", *home]) == 2
