"""What stands beside the title: what a search finds, and acts that a browser may say."""

from pathlib import Path

import orjson
import polars as pl
import pytest
from py_mini_racer import MiniRacer

from qaviz.analysis.glossary import terms
from qaviz.model.columns import QUESTION, QUESTION_ID
from qaviz.ui.widgets import page_setup
from qaviz.ui.widgets.page_setup import Act, find_targets, read_act
from tests.screen import drawn, open_page
from tests.store.kept import keep

SCRIPT = (Path(page_setup.__file__).parent / "page_tools.js").read_text("utf-8")
GOLDEN = pl.DataFrame({QUESTION_ID: ["q1", "q2", "rivian"], QUESTION: ["How many *shares*?", None, "Which (stake)?"]})


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", []),
        ("  ", []),
        ("SHARES", ["question:q1"]),
        ("*", ["question:q1"]),
        ("(stake", ["question:rivian"]),
        ("rivian", ["question:rivian"]),
        ("q2", ["question:q2"]),
        ("no such", []),
    ],
)
def test_questions_are_found_by_text_and_id(asked: str, found: list[str]):
    """What is asked is a text, never a pattern; case does not matter; blanks find nothing."""
    assert [target.id for target in find_targets(asked, [], GOLDEN)] == found


def test_runs_are_found_by_name(workspace):
    """A run is found by a part of its name, also where its golden dataset cannot be read."""
    run, _ = keep(workspace, "Release 12"), keep(workspace, "other")

    (target,) = find_targets("release", workspace.runs(), None)
    assert (target.id, target.text) == (f"run:{run.run_id}", "Release 12")


@pytest.mark.parametrize("said", [None, "x", 7, {"kind": "save"}, {"kind": 1, "id": "a"}, {"kind": "save", "id": None}])
def test_what_a_browser_says_is_checked(said: object):
    """Only an act with a kind and an id is done; anything else is nothing."""
    assert read_act(said) is None


def test_an_act_is_read():
    """An act of the browser comes as it was said."""
    assert read_act({"kind": "save", "id": "mine", "more": 1}) == Act(kind="save", id="mine")


@pytest.mark.usefixtures("sample")
def test_every_page_and_word_can_be_gone_to():
    """The search knows the pages of the menu with their tabs, and says what the words of the glossary mean."""
    targets = drawn(open_page(), page_setup.KEY)["targets"]
    assert {"page:Overview", "page:Diagnostics", "page:History"} <= {target["id"] for target in targets}
    (meaning,) = [target["kind"] for target in targets if target["text"] == "hallucination"]
    assert meaning == next(term.meaning for term in terms() if term.name == "hallucination")


@pytest.mark.parametrize(
    ("asked", "order"),
    [
        ("", ["History", "Load data", "Closeness"]),
        ("lo", ["Load data", "Closeness"]),
        ("da", ["Load data"]),
        (" HIST ", ["History"]),
        ("x", []),
    ],
)
def test_the_script_ranks_names(asked: str, order: list[str]):
    """Names that begin with what is typed come first, then those with a word that does, then others that have it."""
    engine = MiniRacer()
    engine.eval("const document = {}; " + SCRIPT.replace("export default function", "function main"))
    targets = [{"text": name} for name in ("History", "Load data", "Closeness")]
    call = f"JSON.stringify(rankTargets({orjson.dumps(targets).decode()}, {orjson.dumps(asked).decode()}))"
    assert [each["text"] for each in orjson.loads(engine.eval(call))] == order
