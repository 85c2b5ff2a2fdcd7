"""`qaviz watch`: a deployed pipeline is asked the same questions again and again, and a drop beyond noise is told."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from qaviz.cli import main
from qaviz.store import open_workspace
from tests.builders import write_jsonl
from tests.llm_server import Answer, serve

ROOT = Path(__file__).parents[2]
MODULE = """
import os
def answer(question):
    n = int(question.split()[-1].rstrip("?"))
    open("asked.txt", "a").write(f"{n}\\n")
    if os.environ.get("DOWN") == str(n):
        raise RuntimeError("not there")
    return f"It is {n + 5000 if n >= int(os.environ.get('LOST', '0')) else n + 7000}."
"""


@pytest.fixture
def watch(tmp_path, monkeypatch):
    """Run the command over 100 questions, of which a module answers those from $LOST on; returns the exit code."""
    rows = [
        {"question_id": str(n), "question": f"What is number {n}?", "answer": f"{n + 5000}", "fact": f"{n + 5000}"}
        for n in range(100)
    ]
    write_jsonl(tmp_path / "golden.jsonl", rows)
    (tmp_path / "watched_rag.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("QAVIZ_PIPELINES", raising=False)

    def run(*options: str) -> int:
        command = ["watch", "golden.jsonl", "--pipeline", "live=python:watched_rag:answer", "--anchors", "40"]
        return main([*command, "--workspace", str(tmp_path / "w"), *options])

    return run


def test_a_drop_beyond_noise_is_told_by_exit_code_junit_and_webhook(watch, tmp_path, monkeypatch, capsys):
    """The same 40 questions are asked each time; equal runs and one lost question are no alert, half of them lost is:
    exit code 1, a failure in JUnit, one call of the webhook that the owner's file names."""
    monkeypatch.setenv("HOOK_TOKEN", "token-of-the-hook")
    with serve(lambda _: Answer(body=b"{}")) as server:
        (tmp_path / "hooks.toml").write_text(
            f'[webhooks.team]\nurl = "{server.origin}/hook"\nheaders = {{Authorization = "Bearer ${{HOOK_TOKEN}}"}}\n'
        )
        options = ("--junit", "watch.xml", "--allowed", "hooks.toml", "--webhook", "team")
        assert watch(*options) == 0
        assert "first run" in capsys.readouterr().out
        assert watch(*options) == 0
        monkeypatch.setenv("LOST", "3")
        assert watch(*options) == 0
        assert server.calls == []
        monkeypatch.setenv("LOST", "60")
        assert watch(*options) == 1
        (call,) = server.calls
    asked = (tmp_path / "asked.txt").read_text().split()
    assert len(asked) == 160
    assert len(set(asked)) == 40
    assert call.headers["authorization"] == "Bearer token-of-the-hook"
    assert "fell" in call.body["text"]
    assert {each["result"] for each in call.body["checks"]} == {"fail"}
    suite = ElementTree.parse(tmp_path / "watch.xml").getroot()[0]
    assert suite.get("failures") == "2"
    runs = open_workspace(tmp_path / "w").runs()
    assert len(runs) == 4
    assert len({run.golden_id for run in runs}) == 1


def test_a_missing_response_is_told(watch, monkeypatch, capsys):
    """A question that fails makes exit code 1, although no score fell."""
    watch("--anchors", "100")
    monkeypatch.setenv("DOWN", "7")
    assert watch("--anchors", "100", "--attempts", "1") == 1
    assert "a response to 99 of 100" in capsys.readouterr().out


def test_a_webhook_outside_the_file_is_refused(watch, tmp_path):
    """A name that the file does not have, an address in place of a name, and no file are refused before anything is
    asked."""
    (tmp_path / "hooks.toml").write_text('[webhooks.team]\nurl = "http://127.0.0.1:9/hook"\n')
    assert watch("--webhook", "team") == 2
    assert watch("--webhook", "http://127.0.0.1:9/", "--allowed", "hooks.toml") == 2
    assert not (tmp_path / "asked.txt").exists()


def test_a_webhook_that_fails_is_said(watch, tmp_path, monkeypatch, capsys):
    """The alert stands by its exit code where the webhook answers 500, and the path of its address is not shown."""
    with serve(lambda _: Answer(body=b"no", status=500)) as server:
        (tmp_path / "hooks.toml").write_text(f'[webhooks.team]\nurl = "{server.origin}/T0/secret-path"\n')
        watch()
        monkeypatch.setenv("LOST", "90")
        assert watch("--allowed", "hooks.toml", "--webhook", "team") == 1
    said = capsys.readouterr().err
    assert "HTTP 500" in said
    assert "secret-path" not in said


@pytest.mark.slow
def test_every_repeats_until_interrupted(watch, tmp_path):
    """`--every 1s` asks again until Ctrl-C, which ends it with 130."""
    assert watch() == 0
    command = [sys.executable, "-m", "qaviz", "watch", "golden.jsonl", "--pipeline", "live=python:watched_rag:answer"]
    command += ["--anchors", "40", "--workspace", str(tmp_path / "w"), "--every", "1s"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    home = open_workspace(tmp_path / "w")
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 90
        while len(home.runs()) < 3 and time.monotonic() < until:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
    assert len(home.runs()) >= 3
