"""qaviz.ui.widgets.responses: the list of responses, its filters with counts, its pages."""

import pytest

from qaviz.diagnosis import RULES
from qaviz.model.classes import Diagnosis
from qaviz.ui.widgets.table import ROWS_ON_A_PAGE
from tests.builders import save_rows
from tests.screen import drawn, leads_to, link_of, mentions, open_page, texts


def rows_of(app):
    return drawn(app, "responses")["rows"]


@pytest.mark.usefixtures("shown")
def test_counts_stand_on_the_filters_and_reasons_in_the_rows():
    """Each diagnosis says how many responses have it, so that the counts are those of the sample run. Each row has its
    reason; where something is wrong, also the suggestion of the rule that decided."""
    app = open_page("responses")

    diagnoses = next(each.proto for each in app.get("button_group") if each.proto.label == "Diagnosis")
    counts = [int(option.content.rsplit(" ", 1)[1]) for option in diagnoses.options]
    assert sum(counts) == 30
    assert min(counts) >= 1
    assert "30 responses" in texts(app)
    suggestions = {rule.advice for rule in RULES}
    for row in rows_of(app):
        assert row["cells"][4]["text"]
        suggested = row["cells"][4]["note"].removeprefix("→ ")
        assert suggested in suggestions
        assert suggested or "correct" in row["cells"][2]["title"]


@pytest.mark.parametrize(
    ("link", "passes"),
    [
        pytest.param({"diagnosis": "declined"}, lambda row: "declined" in row, id="diagnosis"),
        pytest.param({"fault": "golden dataset"}, lambda row: "Fault: golden dataset" in row, id="fault"),
        pytest.param({"pipeline": "Pipeline2"}, lambda row: "Pipeline2" in row, id="pipeline"),
        pytest.param({"text": "rivian"}, lambda row: "rivian" in row.lower(), id="text"),
    ],
)
@pytest.mark.usefixtures("shown")
def test_a_link_filters(link, passes):
    """What the URL picks is what is listed, and the count above the list says how many."""
    app = open_page("responses", **link)

    rows = rows_of(app)
    assert 0 < len(rows) < 30
    assert all(passes(str(row)) for row in rows)
    assert f"{len(rows)} response" in texts(app)


def test_a_pick_goes_into_the_url(sample):
    """Verdict and fault that are picked stand in the URL with the run."""
    app = open_page("responses")

    app.multiselect(key="filter_verdict").set_value(["declined"]).run()

    assert link_of(app) == {"run": [sample.run_id], "verdict": ["declined"]}
    assert {row["cells"][2]["title"] for row in rows_of(app)} == {"Verdict: declined."}


@pytest.mark.usefixtures("shown")
def test_the_list_comes_in_pages():
    """A page holds so many rows, the last one the rest; the order picked holds over all pages. Whoever filters while on
    a later page sees the first responses that pass, not the last."""
    app = open_page("responses", order="Least close first")
    first = [row["cells"][3]["text"] for row in rows_of(app)]

    app.session_state["responses_page_of_30"] = 2
    app.run()
    second = [row["cells"][3]["text"] for row in rows_of(app)]

    assert (len(first), len(second)) == (ROWS_ON_A_PAGE, 30 - ROWS_ON_A_PAGE)
    assert [*first, *second] == sorted([*first, *second], key=lambda text: float(text.split(",")[0]))

    app.query_params["diagnosis"] = [each for each in Diagnosis if each != Diagnosis.UNSCORED]
    app.run()

    assert "29 responses" in texts(app)
    assert len(rows_of(app)) == ROWS_ON_A_PAGE


@pytest.mark.usefixtures("shown")
def test_nothing_passes_the_filters():
    """An empty list says what to do."""
    for page in ("responses", "responses?tab=Question"):
        assert "No response passes these filters" in texts(open_page(page, text="no such text anywhere"))


def labels(app) -> list[str]:
    return [button.label for button in app.button]


@pytest.mark.usefixtures("shown")
def test_a_range_stands_on_every_tab():
    """A range of the URL narrows a tab, which has the button that takes it away."""
    app = open_page("responses?tab=Question", closeness="0-0.5")
    assert "Closeness 0.00 to 0.50" in labels(app)

    next(button for button in app.button if button.label.startswith("Closeness")).click().run()
    assert "closeness" not in app.query_params


GOLDEN = [
    {"question_id": "pl", "question": "Jaka jest stolica Polski?", "answer": "Warszawa", "fact": "Warszawa"},
    {"question_id": "en", "question": "What is the capital of Italy?", "answer": "Rome", "fact": "Rome"},
]
RESPONSES = [
    {"question_id": "pl", "pipeline": "A", "response": "Nie jest to Kraków, ale inne miasto, które leży nad rzeką."},
    {"question_id": "en", "pipeline": "A", "response": "The capital is Rome."},
]


@pytest.fixture
def run(served):
    """A run with one response in Polish."""
    return save_rows(served, GOLDEN, RESPONSES)


@pytest.mark.usefixtures("run")
def test_the_board_counts_them_and_leads_to_them():
    """One sentence names the language and its number; its link shows exactly these responses."""
    app = open_page()
    link = next(link for link in app.get("page_link") if link.proto.label == "See these responses")

    assert mentions(texts(app), 1, "response", "Polish", 1)
    assert link.proto.page == "responses"
    assert "unread=yes" in link.proto.query_string

    rows = drawn(open_page("responses", unread="yes"), "responses")["rows"]
    assert [(leads_to(row)["question"], leads_to(row)["at"]) for row in rows] == [("pl", "A")]
    assert len(drawn(open_page("responses"), "responses")["rows"]) == 2


@pytest.mark.usefixtures("shown")
def test_the_board_leads_to_the_five_worst_answers():
    """One click from the risk: wrong values in five questions, no other filter left. A run in English has no sentence
    about languages that are not read, and no switch for them."""
    board = open_page()
    link = next(link for link in board.get("page_link") if link.proto.label == "The five worst")
    assert "does not read" not in texts(board)

    page = open_page("responses", worst="yes")
    rows = drawn(page, "responses")["rows"]
    assert not [each for each in page.toggle if each.key == "switch_unread"]
    assert {"worst=yes"} == {part for part in link.proto.query_string.split("&") if not part.startswith("run=")}
    assert len({leads_to(row)["question"] for row in rows}) == len(rows) == 5
