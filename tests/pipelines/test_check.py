"""`qaviz check` on the demonstration RAG: the three ways to ask agree, and a planted regression is found."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from qaviz.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CALLABLE = "demo=python:demo_rag:answer"


@pytest.fixture(autouse=True)
def _in_examples(monkeypatch):
    """Commands and callables of the demonstration are found."""
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.delenv("TOP_K", raising=False)


def _rows(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _responses(file: Path) -> dict[str, str]:
    return {row["question_id"]: row["response"] for row in _rows(file)}


@pytest.fixture
def endpoint():
    """The demonstration as a server; its address."""
    command = [sys.executable, "demo_rag.py", "serve", "0"]
    with subprocess.Popen(
        command, cwd=EXAMPLES, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}/ask"
        server.kill()


def test_three_ways_to_ask_give_the_same_responses(tmp_path, endpoint):
    """HTTP, callable and command answer alike, by the command line as a user types it."""
    found = []
    for number, spec in enumerate([f"demo={endpoint}", CALLABLE, f"demo=command:{sys.executable} demo_rag.py"]):
        out = tmp_path / f"{number}.jsonl"
        assert main(["ask", "golden.jsonl", "--pipeline", spec, "--out", str(out)]) == 0
        found.append(_responses(out))
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 18


def _check(capsys, tmp_path, *arguments):
    code = main(["check", "golden.jsonl", "--pipeline", CALLABLE, "--workspace", str(tmp_path / "w"), *arguments])
    return code, capsys.readouterr().out


def test_a_planted_regression_is_broken_with_the_right_questions(tmp_path, monkeypatch, capsys):
    """A retriever that finds one sentence in place of five breaks the questions whose fact only five hold; the gate
    fails by the critical one, and the comment strikes out what went."""
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    main(["ask", "golden.jsonl", "--pipeline", CALLABLE, "--out", str(before)])
    monkeypatch.setitem(os.environ, "TOP_K", "1")
    code, out = _check(capsys, tmp_path, "--baseline", str(before), "--format", "json", "--out", str(after))
    found = json.loads(out[out.index("{") :])
    broken = {each["question_id"] for each in found["changes"]["broken"]}
    facts = {row["question_id"]: row["fact"] for row in _rows(EXAMPLES / "golden.jsonl")}
    five, one = _responses(before), _responses(after)
    lost = {each for each, fact in facts.items() if fact in five[each] and fact not in one[each]}
    assert lost
    assert lost <= broken
    assert broken <= {each for each in facts if five[each] != one[each]}
    assert found["changes"]["fixed"] == []
    assert (code, found["result"]) == (1, "fail")
    code, comment = _check(capsys, tmp_path, "--baseline", str(before))
    assert code == 1
    assert "~~" in comment
    assert "leader" in comment


def test_no_change_passes(tmp_path, capsys):
    """The same pipeline against its own run passes, and nothing is fixed or broken."""
    before = tmp_path / "before.jsonl"
    main(["ask", "golden.jsonl", "--pipeline", CALLABLE, "--out", str(before)])
    _check(capsys, tmp_path, "--baseline", str(before), "--name", "first")
    code, out = _check(capsys, tmp_path, "--baseline", "first", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["changes"]["counts"] == {"fixed": 0, "broken": 0, "changed": 0, "same": 18}
    assert found["expenses"][0]["latency_ms"] is not None
