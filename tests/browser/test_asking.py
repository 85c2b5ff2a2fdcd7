"""Asking a pipeline on Load data, in a real browser: only what the server's owner allows, and what comes of it."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from qaviz.cli import main
from tests.browser.served import DESKTOP, ROOT, Collector, Screen, free_port, started
from tests.browser.test_accessibility import findings

EXAMPLES = ROOT / "examples"


@pytest.fixture
def screen(chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """A visitor of an app that may ask the demonstration RAG and another pipeline, over a run of one sentence each."""
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setenv("TOP_K", "1")
    workspace, before = tmp_path / "workspace", tmp_path / "before.jsonl"
    assert main(["ask", "golden.jsonl", "--pipeline", "demo=python:demo_rag:answer", "--out", str(before)]) == 0
    main(["import", "golden.jsonl", str(before), "--name", "One sentence", "--workspace", str(workspace)])
    monkeypatch.delenv("TOP_K")
    allowed = tmp_path / "allowed.toml"
    (tmp_path / "rag_of_a_test.py").write_text(f"import sys\nsys.path.insert(0, {str(EXAMPLES)!r})\nimport demo_rag\n")
    allowed.write_text(
        '[pipelines.demo]\npython = "rag_of_a_test:demo_rag.answer"\n[pipelines.slow]\nurl = "http://127.0.0.1:9/ask"\n'
    )
    port = free_port()
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(workspace)]
    with (
        started([*command, "--pipelines", str(allowed)], port, tmp_path) as app,
        Screen.of(chromium, app.url, viewport=DESKTOP) as visitor,
    ):
        yield visitor
        visitor.refuse_problems()
        said = app.log.read_text("utf-8", errors="replace")
        assert "Traceback" not in said, said


def test_all_questions_are_asked_of_what_the_owner_allows(screen: Screen, collector: Collector):
    """A visitor is offered the two names of the owner's file; an address in the URL or typed into the list of pipelines
    is asked by nobody, and the page shows no address. All responses become a run."""
    screen.open(f"load?pipeline={collector.url}&url={collector.url}")
    box = screen.main().get_by_role("combobox", name="Pipeline")
    box.click()
    assert screen.page.get_by_role("option").all_inner_texts() == ["demo", "slow"]
    box.fill(f"{collector.url}/steal")
    expect(screen.page.get_by_role("option", name=re.compile("steal"))).to_have_count(0)
    box.press("Enter")
    box.press("Escape")
    screen.settle()
    assert "127.0.0.1" not in screen.main().inner_text()
    assert list(findings(screen)) == []
    screen.main().get_by_role("button", name="Ask all questions").click()
    expect(screen.main().get_by_text(re.compile("^Saved: demo .*18 responses"))).to_be_visible()
    assert collector.asked == []
