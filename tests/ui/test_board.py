"""The board: the verdict line and its facts, what goes to the canvases, and the selection that the address holds."""

import json
from datetime import UTC, datetime

import pytest

from qaviz.analysis.board import Cell, Group
from qaviz.analysis.decision import decide, word_impact, word_verdict
from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT
from qaviz.model.records import Run, Verified
from qaviz.store.workspace import Workspace
from tests.builders import save_rows
from tests.screen import drawn, leads_to, link_of, mentions, open_page, texts

BEDS = "The hospital in Basel has 240 beds and 12 wards."
CASTLE = "The castle hotel near Bern has 120 beds and a golf course."


def board_of(app) -> dict:
    """What the canvases are given, but for the columns of numbers."""
    (component,) = [each for each in app.get("bidi_component") if each.key == "board"]
    return json.loads(component.proto.mixed.json)


def listed(app) -> list[dict]:
    """The rows of the diagnostics table."""
    return drawn(app, "diagnostics")["rows"]


@pytest.mark.usefixtures("shown")
def test_the_canvases_are_given_the_matrix():
    """Columns stand in the order of right answers, each with these, with what FMEval credits and with the gap; groups
    hold all questions; texts have question, golden answer and fact. Over them stand the verdict and its facts; below, a
    row a pipeline with its means, and one more column for who asks for scores without the restated question."""
    app = open_page()
    board = board_of(app)

    heads = [(each["name"], each["right"], each["facts"], each["gap"]) for each in board["pipelines"]]
    assert heads == [
        ("Pipeline1", "9 of 10", "8 of 10", 1),
        ("Pipeline2", "5 of 10", "4 of 10", 3),
        ("Pipeline3", "5 of 10", "5 of 10", 0),
    ]
    assert [(each["name"], each["questions"]) for each in board["groups"]] == [
        (Group.NOT_CREDITED, 4),
        (Group.NONE, 1),
        (Group.ALONE, 1),
        (Group.SOME, 2),
        (Group.ALL, 2),
    ]
    assert [look["name"] for look in board["looks"]] == list(Cell)
    assert (board["questions"], len(board["texts"])) == (10, 10)
    assert any("Rivian" in question and "158 million" in fact for question, _, fact in board["texts"])
    assert mentions(drawn(app, "decision")["lead"], "Leading, not settled", "Pipeline1", 9, 10)
    facts = ("How sure", "What it gains", "The risk", "Next", "Low confidence", "more right answers than Pipeline")
    assert [fact for fact in facts if fact not in texts(app)] == []
    table = drawn(app, "metrics")
    assert table["rows"][0]["cells"][1]["note"] == "likely 34–100%"
    app.toggle(key="normalised").set_value(True).run()
    labels = [[column["label"] for column in each["columns"]] for each in (table, drawn(app, "metrics"))]
    assert labels[1] == [*labels[0], "F1, without"]


@pytest.mark.parametrize(
    ("link", "rows"),
    [
        pytest.param({"cell": "declined"}, 2, id="a class"),
        pytest.param({"cell": "hallucination", "pipeline": "Pipeline3"}, 2, id="a class of a pipeline"),
        pytest.param({"group": "right, not credited"}, 12, id="a group"),
        pytest.param({"rows": "0-1"}, 6, id="rows of the matrix"),
        pytest.param({"closeness": "0-0.7", "conciseness": "0.3-1"}, 5, id="a quadrant"),
        pytest.param({"cell": "no such", "rows": "9-2", "group": "x"}, 29, id="what is no selection"),
    ],
)
@pytest.mark.usefixtures("shown")
def test_a_link_selects(link: dict, rows: int):
    """The address holds the selection: the table has its responses, and the canvases are given the same."""
    app = open_page("board", **link)
    assert not app.exception
    total = 30 if rows == 29 else rows
    assert len(listed(app)) == min(total, 25)
    if rows < 29:
        assert "of 30 cells: " in texts(app)
    picked = board_of(app)["picked"]
    assert bool([values for values in picked.values() if values]) is (rows < 29)


@pytest.mark.usefixtures("shown")
def test_what_suggested_edits_would_change_stands_in_the_heads():
    """Where right answers are selected that are not credited, each head has the gap that the suggested edits of these
    questions would leave; nothing is saved, and elsewhere nothing is tried."""
    app = open_page("board", group="right, not credited")
    heads = {each["name"]: (each["gap"], each["gapAfter"], each["gapTried"]) for each in board_of(app)["pipelines"]}
    assert heads == {"Pipeline1": (1, None, 0), "Pipeline2": (3, None, 0), "Pipeline3": (0, None, 0)}
    assert "4 suggested edits" in texts(app)
    assert "4 → 0" in texts(app)

    one_row = board_of(open_page("board", group="right, not credited", rows="0-0"))["pipelines"]
    assert sum(each["gap"] - each["gapTried"] for each in one_row) == 1
    elsewhere = board_of(open_page("board", group="all right"))["pipelines"]
    assert [each["gapTried"] for each in elsewhere] == [None, None, None]


@pytest.mark.usefixtures("shown")
def test_a_step_selects_its_responses_and_a_button_clears_them():
    """The button of a step selects the cells that it is about, of whatever was selected before; another takes the
    whole selection out of the address."""
    app = open_page("board", group="all right", closeness="0-0.5")
    app.button(key="step_2").click().run()

    assert link_of(app)["cell"] == [Cell.REPHRASED]
    assert {"group", "closeness"} & set(link_of(app)) == set()
    assert len(listed(app)) == 4
    next(button for button in app.button if button.label == "Clear selection").click().run()
    assert "cell" not in link_of(app)


@pytest.mark.parametrize(
    ("view", "parts"), [("all", (1, 1)), ("matrix", (1, 0)), ("scatter", (1, 0)), ("table", (0, 1))]
)
@pytest.mark.usefixtures("shown")
def test_each_part_can_fill_the_page(view: str, parts: tuple[int, int]):
    """`view` says what of canvases and table is drawn."""
    components = [each.key for each in open_page("board", view=view).get("bidi_component")]
    assert (components.count("board"), components.count("diagnostics")) == parts


def test_an_accepted_edit_moves_the_gap_over_its_column(sample, served):
    """Once the fact has the words of a right response, the head of the column says what the gap comes to. The sidebar
    has what a verification came to."""
    assert [column["gapAfter"] for column in board_of(open_page())["pipelines"]] == [None] * 3
    newest = newest_version(served, sample.golden_id)
    accept(served, newest, edit("office", FACT, "410 Terry Avenue North<OR>410 Terry Ave. N"), "Ana", "as written")

    served.keep_verified(sample, Verified(verified_at=datetime.now(UTC), version="1.2.3", compared=30, differences=0))
    app = open_page()
    first = board_of(app)["pipelines"][0]
    assert (first["gap"], first["gapAfter"]) == (1, 0)
    assert "no difference" in app.sidebar.caption[-1].value


def test_a_trial_of_thresholds_moves_cells_of_the_board_alone(sample, served):
    """Other thresholds diagnose anew: what was verbose is correct in the matrix; the saved run stays as it was."""
    before = served.rows(sample)
    app = open_page("board", cell="verbose", low_conciseness="0.0")

    assert board_of(app)["thresholds"]["concise"] == 0
    assert "0 of 30 cells" in texts(app)
    assert "A trial of the board" in texts(app)
    assert served.rows(sample).equals(before)


def test_a_stakeholder_knows_in_thirty_seconds(sample: Run, served: Workspace):
    """What to ship, how sure that is, what the risk is, and what comes next stand in the decision's words on the first
    page, with a way to an example."""
    decision = decide(served.rows(sample), served.golden(sample.golden_id))
    app = open_page()
    page = texts(app)

    assert drawn(app, "decision")["lead"] == word_verdict(decision)
    assert decision.risk
    for words in (
        decision.confidence_reason,
        decision.risk.sentence,
        f"1. {decision.next_step}",
        decision.status_reason,
    ):
        assert words in page
    assert (word_impact(decision.subject, decision.impact) or "Nothing to compare with.") in page
    assert "See an example" in [button.label for button in app.button]


def test_deciding_otherwise_stands_on_the_card(sample: Run):
    """A name and a reason are asked for; with both the decision stands on the card, and can be taken back."""
    app = open_page("board", run=sample.run_id)
    app.session_state["override"] = True
    assert "Enter your name" in texts(app.run())
    next(field for field in app.text_input if field.label == "Your name").set_value("Ada").run()
    next(button for button in app.button if button.label == "Decide").click().run()
    assert "Write the reason" in str(app.error) + texts(app)

    app.text_area[0].set_value("It is cheaper.")
    next(box for box in app.selectbox if box.label == "Ship").set_value("Pipeline2")
    next(button for button in app.button if button.label == "Decide").click().run()
    assert "Overridden by Ada" in app.warning[0].value
    assert "ship Pipeline2" in app.warning[0].value
    next(button for button in app.button if button.label == "Follow the recommendation again").click().run()
    assert len(app.warning) == 0


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
