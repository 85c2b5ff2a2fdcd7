"""What the pages say of a run's verification."""

from datetime import UTC, datetime

import pytest

from qaviz.model.records import Run, Verified
from qaviz.store.workspace import Workspace
from tests.screen import open_page

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
