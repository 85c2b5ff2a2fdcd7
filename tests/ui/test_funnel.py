"""What the contexts show: the funnel under the board, and the panel's passages."""

import pytest

from qaviz.store.workspace import Workspace
from tests.builders import save_rows
from tests.screen import drawn, leads_to, open_page, texts

BEDS = "The hospital in Basel has 240 beds and 12 wards."
CASTLE = "The castle hotel near Bern has 120 beds and a golf course."


@pytest.fixture
def with_contexts(served: Workspace) -> None:
    """A run of two pipelines: one does not retrieve what the other answers from."""
    questions = [f"How many beds has the hospital in Basel, building {place}?" for place in range(8)]
    golden = [{"question": question, "answer": "240 beds", "fact": "240 beds"} for question in questions]
    said = {"Good": ("It has 240 beds.", [CASTLE, BEDS]), "Poor": ("It has 120 beds.", [CASTLE])}
    responses = [
        {"question": question, "pipeline": name, "response": response, "contexts": contexts}
        for question in questions
        for name, (response, contexts) in said.items()
    ]
    save_rows(served, golden, responses, "with contexts")


@pytest.mark.usefixtures("with_contexts")
def test_the_funnel_says_where_questions_end():
    """Each pipeline's steps with their counts, and where most questions are lost, with a link to its responses."""
    app = open_page("board")

    assert [leads_to(row)["pipeline"] for row in drawn(app, "funnel")["rows"]] == ["Good", "Poor"]
    (lost,) = drawn(app, "lost")["points"]
    assert lost.startswith("Poor: Most is lost at ")


@pytest.mark.usefixtures("shown")
def test_without_contexts_the_funnel_says_what_to_import():
    """A run without contexts has no funnel, and the page says how to get one."""
    assert "--documents FOLDER" in texts(open_page("board"))
