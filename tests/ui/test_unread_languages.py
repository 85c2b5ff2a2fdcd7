"""Responses in languages that qaviz does not read: said on Overview, one step from there on Diagnostics."""

import pytest

from qaviz.loading import Source, load
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.runs import draft, save
from tests.builders import save_sample, write_jsonl
from tests.screen import drawn, leads_to, mentions, open_page, texts

GOLDEN = [
    {"question_id": "pl", "question": "Jaka jest stolica Polski?", "answer": "Warszawa", "fact": "Warszawa"},
    {"question_id": "en", "question": "What is the capital of Italy?", "answer": "Rome", "fact": "Rome"},
]
RESPONSES = [
    {"question_id": "pl", "pipeline": "A", "response": "Nie jest to Kraków, ale inne miasto, które leży nad rzeką."},
    {"question_id": "en", "pipeline": "A", "response": "The capital is Rome."},
]


@pytest.fixture
def served(workspace, monkeypatch):
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    return workspace


@pytest.fixture
def run(served, tmp_path):
    """A run with one response in Polish."""
    golden, responses = (
        write_jsonl(tmp_path / name, rows) for name, rows in (("g.jsonl", GOLDEN), ("r.jsonl", RESPONSES))
    )
    return save(draft(load(Source.of(golden), [Source.of(responses)])), served, "run")


@pytest.mark.usefixtures("run")
def test_overview_counts_them_and_leads_to_them():
    """One sentence names the language and its number; its link shows exactly these responses."""
    app = open_page()
    link = next(link for link in app.get("page_link") if link.proto.label == "See these responses")

    assert mentions(texts(app), 1, "response", "Polish", 1)
    assert link.proto.page == "responses"
    assert "unread=yes" in link.proto.query_string

    rows = drawn(open_page("responses", unread="yes"), "responses")["rows"]
    assert [(leads_to(row)["question"], leads_to(row)["at"]) for row in rows] == [("pl", "A")]
    assert len(drawn(open_page("responses"), "responses")["rows"]) == 2


def test_nothing_is_said_where_all_are_read(served):
    """A run in English has neither the sentence nor the switch."""
    save_sample(served)

    assert "does not read" not in texts(open_page())
    assert not [each for each in open_page("responses").toggle if each.key == "language_not_read"]
