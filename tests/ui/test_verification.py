"""What the pages say of a run's verification."""

from datetime import UTC, datetime

import pytest

from qaviz.model import Run, Verified
from qaviz.store import Workspace
from tests.screen import PAGES, open_page

DAY = datetime(2026, 11, 20, 9, tzinfo=UTC)


def said(workspace: Workspace, run: Run, compared: int, differences: int) -> str:
    workspace.keep_verified(run, Verified(verified_at=DAY, version="1.2.3", compared=compared, differences=differences))
    return open_page().sidebar.caption[-1].value.replace("\\", "")


@pytest.mark.parametrize(
    ("compared", "differences", "sentence"),
    [
        (30, 0, "Scores verified with FMEval 1.2.3 on 20 Nov 2026: 30 responses, no difference."),
        (7, 0, "Scores verified with FMEval 1.2.3 on 20 Nov 2026: a sample of 7 of 30 responses, no difference."),
        (30, 1, "Scores verified with FMEval 1.2.3 on 20 Nov 2026: 30 responses, 1 score differs."),
        (30, 2, "Scores verified with FMEval 1.2.3 on 20 Nov 2026: 30 responses, 2 scores differ."),
    ],
)
def test_the_sidebar_says_how_the_run_was_verified(
    workspace: Workspace, sample: Run, compared: int, differences: int, sentence: str
):
    """Under the run's name stands with which FMEval, when, over how many responses, and what came of it."""
    assert said(workspace, sample, compared, differences) == sentence


@pytest.mark.parametrize("page", PAGES)
def test_a_run_that_was_not_verified_claims_nothing(sample: Run, page: str):
    """No page speaks of a verification that has not been."""
    captions = [caption.value for caption in open_page(page, run=sample.run_id).sidebar.caption]
    assert captions
    assert not any("verified" in caption for caption in captions)


@pytest.mark.usefixtures("sample")
def test_the_page_offers_the_whole_run_or_a_sample():
    """The Verify page asks for as many responses as the run has, and takes from 1 up to all of them."""
    (number,) = open_page("verify").number_input
    assert (number.value, number.min, number.max) == (30, 1, 30)
