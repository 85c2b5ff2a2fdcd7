"""Pipelines of other makers: FMEval's model runners."""

import pytest

RUNNER = """
from fmeval.model_runners.model_runner import ModelRunner

class Stub(ModelRunner):
    def __init__(self):
        super().__init__('{"q": $prompt}', output="said.text")

    def predict(self, prompt):
        asked = self._composer.compose(prompt)
        return self._extractor.extract_output({"said": {"text": "ran " + asked["q"]}}, 1), None

runner = Stub()
"""


@pytest.mark.fmeval
def test_a_model_runner_of_the_installed_fmeval(ask, golden, tmp_path, monkeypatch):
    """A ModelRunner of FMEval itself, with its own composer and extractor, is asked by its `predict`."""
    pytest.importorskip("fmeval", reason="FMEval is not installed")
    (tmp_path / "runner_of_fmeval.py").write_text(RUNNER)
    monkeypatch.chdir(tmp_path)
    found, rows = ask("P=python:runner_of_fmeval:runner", golden=golden.head(2))
    assert found.errors == 0
    assert rows["1"]["response"] == "ran question 1?"
