"""What the tests of pipelines start from: small golden datasets, and one way to ask."""

import json

import pytest

from qaviz.llm import sending
from qaviz.pipelines import AskSettings, ask_pipelines, parse_pipelines
from tests.builders import golden_table


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Retries wait a hundredth of a second, and no key of whoever runs the tests is there."""
    monkeypatch.setattr(sending, "LONGEST_WAIT_S", 0.01)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "QAVIZ_PRICES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def golden():
    """Twelve questions with ids 1 to 12."""
    return golden_table({"question": f"question {number}?"} for number in range(1, 13))


@pytest.fixture
def ask(golden, tmp_path):
    """Ask pipelines by their specs; returns what came of it and the rows by question_id."""

    def run(*specs, golden=golden, out=tmp_path / "responses.jsonl", cancelled=None, **settings):
        found = ask_pipelines(golden, parse_pipelines(specs), out, AskSettings(**settings), cancelled=cancelled)
        rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        return found, {row["question_id"]: row for row in rows}

    return run
