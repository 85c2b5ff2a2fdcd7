"""qaviz.ui.panel: the question that the URL names, and the way to its neighbours."""

import pytest

from qaviz.charts.word_board import OPEN_UP_TO
from tests.screen import drawn, link_of, open_page, texts

pytestmark = pytest.mark.usefixtures("shown")


def question_of(app):
    return drawn(app, "words")["triplet"]["notes"][0][1]


def step(app, label):
    (button,) = [each for each in app.button if each.label == label]
    return button


def test_the_question_of_a_link_with_its_responses():
    """A link's question stands among the others: question, fact's variants, category and source, then a card a
    pipeline, each mark of which the legend explains."""
    app = open_page("responses?tab=Question", question="net-sales")
    assert question_of(app) == "net-sales"
    assert "Question 2 of 10" in texts(app)

    board = drawn(app, "words")
    triplet, cards = board["triplet"], board["cards"]
    assert triplet["variants"] == ["134.4 billion", "134,383 million", "134183 million", "134.383 billion"]
    assert triplet["labels"]["fact"] == "Fact: any of these is enough"
    assert [label for label, _ in triplet["notes"]] == ["Id", "Category", "Source"]
    assert [card["pipeline"] for card in cards] == ["Pipeline1", "Pipeline2", "Pipeline3"]
    assert all(card["open"] for card in cards) is (len(cards) <= OPEN_UP_TO)
    used = {stretch["mark"] for card in cards for stretch in (*card["response"], *card["golden"])}
    assert used - {"plain"} <= {entry["className"] for entry in board["legend"]}


def test_an_unknown_question_is_said_to_be_unknown():
    """A question that the run does not have is named as it was asked for, and the first one is shown, which has nothing
    before it; the list picks another one and writes it to the URL."""
    app = open_page("responses?tab=Question", question="*gone*")

    assert "no question “*gone*”" in texts(app)
    assert "Question 1 of 10" in texts(app)
    assert (step(app, "Previous").disabled, step(app, "Next").disabled) == (True, False)

    app.selectbox(key="pick_question").set_value("net-sales").run()
    assert question_of(app) == "net-sales"
    assert link_of(app)["question"] == ["net-sales"]


def test_steps_stay_within_the_filters():
    """Next goes to the next question that passes the filters, and the URL says so."""
    app = open_page("responses?tab=Question", diagnosis="declined")
    first = question_of(app)

    step(app, "Next").click().run()

    assert question_of(app) != first
    assert link_of(app)["question"] == [question_of(app)]
    assert "declined" in {card["diagnosis"] for card in drawn(app, "words")["cards"]}
    assert step(app, "Next").disabled


def test_a_question_outside_the_filters_is_shown_all_the_same():
    """A link to a question that the filters leave out shows it, says so, and Next leads back among the others. Only the
    pipelines that pass the filter have a card, in the run's order."""
    app = open_page("responses?tab=Question", question="net-sales", text="Rivian", pipeline=["Pipeline3", "Pipeline1"])
    assert question_of(app) == "net-sales"
    assert "does not pass the filters; 1 of 10 do" in texts(app)
    assert [card["pipeline"] for card in drawn(app, "words")["cards"]] == ["Pipeline1", "Pipeline3"]

    step(app, "Next").click().run()

    assert question_of(app) == "rivian-shares"


def test_the_panel_has_the_leader_beside_the_response_and_beside_the_leader_the_runner_up():
    """Two cards stand open, that of the opened response first; the others are a line each."""
    boards = [drawn(open_page(question="cash", at=name), "words") for name in ("Pipeline3", "Pipeline1")]

    assert [[card["pipeline"] for card in board["cards"]] for board in boards] == [
        ["Pipeline3", "Pipeline1", "Pipeline2"],
        ["Pipeline1", "Pipeline2", "Pipeline3"],
    ]
    assert [board["whole"] for board in boards] == [2, 2]
