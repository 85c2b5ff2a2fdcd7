"""What the pages say of a run's verification."""

import importlib.util
import time
from datetime import UTC, datetime

import pytest

from qaviz.model.columns import F1
from qaviz.model.records import WORKSPACE_VARIABLE, Run, Verified
from qaviz.store.workspace import Workspace
from tests.builders import OFF_BY, save_off
from tests.screen import open_page, texts

DAY = datetime(2026, 11, 20, 9, tzinfo=UTC)


def said(workspace: Workspace, run: Run, compared: int, differences: int) -> str:
    workspace.keep_verified(run, Verified(verified_at=DAY, version="1.2.3", compared=compared, differences=differences))
    return open_page().sidebar.caption[-1].value.replace("\\", "")


@pytest.mark.parametrize(
    ("compared", "differences", "facts"),
    [
        (30, 0, ["30 responses", "no difference"]),
        (7, 0, ["7 of 30", "no difference"]),
        (30, 1, ["30 responses", "1 score differs"]),
        (30, 2, ["30 responses", "2 scores differ"]),
    ],
)
def test_the_sidebar_says_how_the_run_was_verified(
    workspace: Workspace, sample: Run, compared: int, differences: int, facts: list[str]
):
    """Under the run's name stands with which FMEval, when, over how many responses, and what came of it."""
    shown = said(workspace, sample, compared, differences)
    assert [each for each in ("1.2.3", "20 Nov 2026", *facts) if each not in shown] == []


@pytest.mark.usefixtures("sample")
def test_the_page_offers_the_whole_run_or_a_sample():
    """The Verify page asks for as many responses as the run has, and takes from 1 up to all of them."""
    (number,) = open_page("runs?tab=Verify").number_input
    assert (number.value, number.min, number.max) == (30, 1, 30)


@pytest.mark.fmeval
@pytest.mark.skipif(importlib.util.find_spec("fmeval") is None, reason="FMEval has no release for this Python")
def test_the_page_shows_every_difference(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    """The page starts FMEval, shows how far it is with a way to cancel instead of the start, and in the end a row for
    each score that differs; the sidebar says how many."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    run = save_off(workspace)
    app = open_page("runs?tab=Verify")
    next(button for button in app.button if button.label.startswith("Verify with FMEval")).click().run()
    assert "Cancel" in [button.label for button in app.button]
    give_up = time.monotonic() + 120
    while not app.dataframe:
        assert time.monotonic() < give_up
        time.sleep(0.2)
        app.run()
    assert "30 responses compared. These scores differ:" in texts(app)
    shown = app.dataframe[0].value
    assert list(shown.columns) == ["question_id", "pipeline", "score", "here", "fmeval"]
    assert set(shown["score"]) == {F1}
    assert (shown["here"] - shown["fmeval"]).tolist() == pytest.approx([OFF_BY] * run.responses, rel=0.3)
    # FMEval may end between the sidebar and the page of the run that first shows the table.
    app.run()
    assert "30 responses, 30 scores differ." in app.sidebar.caption[-1].value.replace("\\", "")
