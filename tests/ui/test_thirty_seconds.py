"""The 30-second test: four questions of a stakeholder, answered from the text of the first page alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl
import pytest

from qaviz.analysis.policy import as_policy
from qaviz.loading import Source
from qaviz.model.classes import Measure
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.model.records import Criterion
from qaviz.runs import ImportRequest, import_files
from qaviz.store.labels import keep_labels
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace
from tests.builders import write_jsonl
from tests.screen import drawn, open_page, texts

RIGHT, WRONG, OPEN = "1", "0", "?"
REASON = "Customers ordered more often once prices had been lowered, which made up for the closed stores."
"""A golden answer that words cannot judge a response by."""


def respond(mark: str, place: int) -> str:
    """A response that states the fact, another amount, or nothing that words can judge."""
    if mark == OPEN:
        return "Lowered prices."
    return f"It was ${place + 3 if mark == RIGHT else place + 71}.{place % 9} billion."


@dataclass(frozen=True)
class Case:
    """A run, and for each of the four questions the words that have to answer it on the page."""

    marks: Mapping[str, str]
    what: Sequence[str]
    sure: Sequence[str]
    risk: Sequence[str]
    then: Sequence[str]
    labelled: bool = False
    costs: Mapping[str, float] = field(default_factory=dict)
    rows_lost: int = 0
    bound: float | None = None


GOOD, POOR = RIGHT * 54 + WRONG * 6, RIGHT * 12 + WRONG * 48
CASES = {
    "tie": Case(
        {"A": GOOD, "B": GOOD[::-1]},
        what=["Level: B: as good as A and cheaper."],
        sure=["A tie"],
        risk=["6 of 60 responses with a wrong value"],
        then=["may separate them"],
        costs={"A": 0.02, "B": 0.01},
    ),
    "too few": Case(
        {"A": "11111", "B": "11100"},
        what=["Leading, not settled: A leads with 5 of 5 right"],
        sure=["oo few questions."],
        risk=["Every response of A is right"],
        then=["more questions of this kind would probably decide"],
    ),
    "loading doubts": Case(
        {"A": GOOD, "B": POOR},
        what=["Ship A"],
        sure=["Ready for review", "Doubts of loading are open"],
        risk=["The first risk: how the files were read"],
        then=["Look at the doubts of loading, then sign off."],
        rows_lost=60,
    ),
    "mostly unsure": Case(
        {"A": OPEN * 50 + RIGHT * 10, "B": OPEN * 50 + WRONG * 10},
        what=["No decision: ", "verdicts are unsure"],
        sure=["could still turn it"],
        risk=["responses"],
        then=["A judge on the unsure responses, or labels"],
    ),
    "certified": Case(
        {"A": GOOD, "B": POOR},
        what=["Ship A"],
        sure=["by people's labels of each pipeline", "High confidence"],
        risk=["6 of 60 responses"],
        then=["Sign off, and ship A."],
        labelled=True,
        bound=0.7,
    ),
}


def save_case(workspace: Workspace, case: Case) -> None:
    """Save the case as the run that the app serves: criteria first, then the responses, then labels."""
    if case.bound:
        keep_policy(workspace, as_policy([Criterion(measure=Measure.CORRECT, bound=case.bound)]))
    many = len(next(iter(case.marks.values())))
    golden = [
        {QUESTION_ID: f"q{place}", "question": f"What were the net sales of region {place}?"}
        | {"answer": f"${place + 3}.{place % 9} billion", "fact": f"${place + 3}.{place % 9} billion"}
        if next(iter(case.marks.values()))[place] != OPEN
        else {QUESTION_ID: f"q{place}", "question": f"Why did the sales of region {place} grow?", "answer": REASON}
        for place in range(many)
    ]
    rows = [
        {QUESTION_ID: f"q{place}", PIPELINE: name, RESPONSE: respond(mark, place)}
        | ({"cost": case.costs[name]} if case.costs else {})
        for name, line in case.marks.items()
        for place, mark in enumerate(line)
    ]
    rows += [rows[0] | {QUESTION_ID: f"other {place}"} for place in range(case.rows_lost)]
    files = [write_jsonl(workspace.folder / f"{file}.jsonl", lines) for file, lines in (("g", golden), ("r", rows))]
    sources = list(map(Source.of, files))
    request = ImportRequest(name="the case", golden=sources[0], responses=(sources[1],), trusted=True)
    run = import_files(replace(request, accept_doubts=True), workspace)
    if case.labelled:
        words = {RIGHT: "correct", WRONG: "incorrect"}
        labels = [
            (f"q{place}", name, words[mark]) for name, line in case.marks.items() for place, mark in enumerate(line)
        ]
        schema = [QUESTION_ID, PIPELINE, LABEL]
        keep_labels(workspace, run, "Ada", pl.DataFrame(labels, schema=schema, orient="row"))


@pytest.mark.parametrize("name", CASES)
def test_a_stakeholder_knows_in_thirty_seconds(name: str, served: Workspace):
    """What to ship, how sure that is, what the risk is, and what comes next stand in words on the first page."""
    save_case(served, case := CASES[name])

    app = open_page()
    card = drawn(app, "decision")
    buttons = [popover.proto.popover.label for popover in app.get("popover")]
    page = "\n".join([card["lead"], texts(app), *buttons])
    answers = {"what": case.what, "sure": case.sure, "risk": case.risk, "then": case.then}
    assert {question: [words for words in wanted if words not in page] for question, wanted in answers.items()} == {
        question: [] for question in answers
    }, page


def test_deciding_otherwise_stands_on_the_card(served: Workspace):
    """A reason is asked for; with one the decision stands on the card, and can be taken back."""
    save_case(served, CASES["too few"])
    app = open_page()
    app.session_state["override"] = True
    app.run()
    decide = next(button for button in app.button if button.label == "Decide")
    app.text_input(key="person_name").set_value("Ada")
    decide.click().run()
    assert "Write the reason" in str(app.error) + texts(app)

    app.text_area[0].set_value("It is cheaper.")
    next(box for box in app.selectbox if box.label == "Ship").set_value("B")
    next(button for button in app.button if button.label == "Decide").click().run()
    assert "Overridden by Ada" in app.warning[0].value
    assert "ship B" in app.warning[0].value
    next(button for button in app.button if button.label == "Follow the recommendation again").click().run()
    assert len(app.warning) == 0
