"""The Generate page: the sample's recorded generation, triplets beside passages, mending, keeping, drafts by hand."""

from pathlib import Path

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from qaviz.generation.drafting import draft_facts, written_drafts
from qaviz.generation.pipeline import generate_triplets, read_collection
from qaviz.generation.settings import Generation
from qaviz.generation.triplets import check_produced
from qaviz.llm import Settings, open_session
from qaviz.loading import silent
from qaviz.store import WORKSPACE_VARIABLE, Workspace, named_datasets, passages
from qaviz.ui.generating import RECORDED_MODEL, SAMPLE_DOCUMENT, SAMPLE_REPLIES
from qaviz.ui.widgets.passage import marked_parts
from tests.builders import SAMPLE
from tests.screen import open_page, texts


@pytest.fixture
def served(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    return workspace


def button(page: AppTest, label: str):
    return next(each for each in page.button if each.label == label)


def generated(page: AppTest) -> AppTest:
    """The page once the recorded generation is done."""
    button(page, "Generate").click().run()
    for _ in range(100):
        if any(metric.label == "Accepted" for metric in page.metric):
            return page
        page.run()
    raise AssertionError(texts(page))


def test_the_sample_is_all_recorded(tmp_path: Path):
    """Every chunk of the sample has a recorded reply to today's prompt, and most of its triplets pass the gate."""
    made = Generation(chunking=SAMPLE_DOCUMENT.chunking)
    collection = read_collection([str(SAMPLE / SAMPLE_DOCUMENT.name)], made, silent)
    settings = Settings(model=RECORDED_MODEL, journal=tmp_path / "none", replay=SAMPLE / SAMPLE_REPLIES)
    with open_session(settings) as session:
        found = generate_triplets(session, collection, made, RECORDED_MODEL)
    assert (found.not_asked, found.recorded, found.count("failed")) == (0, True, 0)
    assert (found.count("accepted"), found.count("rejected")) == (14, 4)


def test_the_recorded_generation_becomes_a_golden_dataset(served: Workspace):
    """Without a key the page shows the sample's triplets as recorded, and keeps them under a name with passages."""
    page = generated(open_page("generate"))
    assert "Recorded" in page.info[0].value
    assert {metric.label: metric.value for metric in page.metric}["Accepted"] == "14"
    page.text_input(key="person_name").input("Ada").run()
    button(page, "Use as golden dataset").click().run()
    line = named_datasets(served)["harbour-line"]
    assert passages(served, line).height == served.golden(line).height == 14


def test_words_are_marked_wherever_they_stand():
    """Every place of each marked word is marked, in whatever case, and the parts make the text again."""
    parts = marked_parts("Twelve percent: 12% of 12%.", ["12%", "twelve"])
    assert [text for text, mark in parts if mark] == ["Twelve", "12%", "12%"]
    assert "".join(text for text, _ in parts) == "Twelve percent: 12% of 12%."


def test_questions_by_hand_pass_the_same_gate():
    """A person's question that names its subject is accepted; one with “it” is rejected with the reason."""
    made = Generation(chunking=SAMPLE_DOCUMENT.chunking)
    collection = read_collection([str(SAMPLE / SAMPLE_DOCUMENT.name)], made, silent)
    drafts = draft_facts(collection.chunks).filter(
        pl.col("fact").str.starts_with("14 euros") | (pl.col("fact") == "1,240")
    )
    wanted = {"14": "What does a day ticket of Harbour Line cost for adults?", "1,": "How many people does it employ?"}
    questions = [next(text for begin, text in wanted.items() if fact.startswith(begin)) for fact in drafts["fact"]]
    checked = check_produced(written_drafts(drafts, questions), collection.chunks, made)
    said = dict(zip(checked["question"], checked["status"], strict=True))
    assert said == {wanted["14"]: "accepted", wanted["1,"]: "rejected"}
