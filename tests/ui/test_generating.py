"""The Generate page: the sample's recorded generation, triplets beside passages, mending, keeping."""

import json
import time
from pathlib import Path

import polars as pl
from streamlit.testing.v1 import AppTest

from qaviz.generation.pipeline import journal_of, read_collection, read_corrections
from qaviz.generation.settings import Generation
from qaviz.generation.triplets import measure_coverage, read_kept
from qaviz.llm import Settings
from qaviz.loading import silent
from qaviz.store.golden_versions import Correction, keep_corrections, named_datasets, passages
from qaviz.store.workspace import Workspace
from qaviz.ui.generating import Order, generate_order
from qaviz.ui.widgets.components import marked_parts
from tests.generation.model import OTHER, author, form_of
from tests.llm_server import Answer, Call, complete, serve
from tests.screen import drawn, open_page, texts


def button(page: AppTest, label: str):
    return next(each for each in page.button if each.label == label)


def generated(page: AppTest) -> AppTest:
    """The page once the recorded generation is done."""
    button(page, "Generate").click().run()
    for _ in range(100):
        if any(metric.label == "Accepted" for metric in page.metric):
            return page
        time.sleep(0.2)
        page.run()
    raise AssertionError(texts(page))


def test_the_recorded_generation_becomes_a_golden_dataset(served: Workspace):
    """Without a key the page shows the sample's triplets as recorded, names what has no triplet, and keeps them under a
    name with passages and a map of documents."""
    page = generated(open_page("golden?tab=Generate"))
    assert not page.exception
    assert "Recorded" in page.info[0].value
    assert {metric.label: metric.value for metric in page.metric}["Accepted"] == "16"
    assert any("without a triplet" in text.value for text in page.text)
    rows = [
        [cell["text"] if isinstance(cell, dict) else cell for cell in row["cells"]]
        for row in drawn(page, "coverage_table")["rows"]
    ]
    assert ["document", "harbour-line.md", "16"] in [row[:3] for row in rows]
    page.text_input(key="person_name").input("Ada").run()
    button(page, "Use as golden dataset").click().run()
    line = named_datasets(served)["harbour-line"]
    assert passages(served, line).height == served.golden(line).height == 16
    coverage = measure_coverage(*read_kept(served, line))
    assert coverage.filter(pl.col("dimension") == "document")["triplets"].to_list() == [16]
    assert coverage.filter(pl.col("dimension") == "section")["triplets"].sum() == 16


def order_of(workspace: Workspace, tmp_path: Path, url: str) -> Order:
    """An order for one document of one chunk."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "00.md").write_text(OTHER.replace("Baykal", "StoreA0"))
    made = Generation()
    collection = read_collection([str(folder)], made, silent)
    settings = Settings(model="openai:stub", journal=journal_of(workspace, "d"), base_url=url)
    return Order(name="d", collection=collection, made=made, settings=settings, prover="openai:stub")


def test_what_people_correct_and_confirm_is_kept_in_the_index(workspace: Workspace, tmp_path: Path):
    """A corrected triplet is checked and read again, a confirmed one is accepted; a file of before goes into the index
    and is removed, and what the index has already stays."""

    def silent_reader(call: Call) -> Answer:
        return complete("nothing") if form_of(call) else author(call)

    with serve(silent_reader) as server:
        order = order_of(workspace, tmp_path, server.url)
        first = generate_order(workspace, order, silent, lambda: False).generated
        one, other = first.produced.iter_rows(named=True)
        texts = {name: other[name] for name in ("question", "answer", "fact")}
        keep_corrections(workspace, "d", {other["question_id"]: Correction(**texts, confirmed=True)}, "Ada")
        file = journal_of(workspace, "d").with_suffix(".mended.json")
        wrong = {"question": one["question"], "answer": "It grew by 9% in 2023.", "fact": "9%"}
        file.write_text(json.dumps({one["question_id"]: wrong, other["question_id"]: wrong}))
        again = generate_order(workspace, order, silent, lambda: True).generated
    assert [row["status"] for row in (one, other)] == ["to review", "to review"]
    assert again.produced["status"].to_list() == ["refuted", "accepted"]
    assert read_corrections(workspace, "d")[other["question_id"]].confirmed
    assert not file.exists()


def test_words_are_marked_wherever_they_stand():
    """Every place of each marked word is marked, in whatever case, but no piece of a longer number; the parts make the
    text."""
    text = "Twelve percent: 12% of 12%, not 112% or 1.12%."
    parts = marked_parts(text, ["12%", "twelve"])
    assert [part for part, mark in parts if mark] == ["Twelve", "12%", "12%"]
    assert "".join(part for part, _ in parts) == text
