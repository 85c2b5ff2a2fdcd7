"""qaviz.ui.widgets.components: what the Question page gives its component to draw."""

import pytest

from qaviz.charts.word_board import OPEN_UP_TO
from tests.screen import drawn, open_page


@pytest.mark.usefixtures("sample")
def test_the_golden_triplet_stands_above_the_responses():
    """Question, golden answer, the fact's variants, category and source are there, then a card a pipeline."""
    board = drawn(open_page("responses?tab=Question", question="net-sales"), "words")

    triplet = board["triplet"]
    assert triplet["variants"] == ["134.4 billion", "134,383 million", "134183 million", "134.383 billion"]
    assert triplet["labels"]["fact"] == "Fact: any of these is enough"
    assert [label for label, _ in triplet["notes"]] == ["Id", "Category", "Source"]
    assert [card["pipeline"] for card in board["cards"]] == ["Pipeline1", "Pipeline2", "Pipeline3"]
    assert all(card["open"] for card in board["cards"]) is (len(board["cards"]) <= OPEN_UP_TO)


@pytest.mark.usefixtures("sample")
def test_every_mark_is_explained():
    """Each mark that a card uses has a meaning in the legend."""
    board = drawn(open_page("responses?tab=Question", question="net-sales"), "words")

    explained = {entry["className"] for entry in board["legend"]}
    used = {stretch["mark"] for card in board["cards"] for stretch in (*card["response"], *card["golden"])}
    assert used - {"plain"} <= explained
