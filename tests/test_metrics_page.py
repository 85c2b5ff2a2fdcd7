"""docs/metrics.md says what the catalogue says, of responses as they score today."""

import pytest

from qaviz.model import columns as c
from qaviz.model.metrics import METRICS, QUADRANTS
from qaviz.model.records import Thresholds
from tests.metrics_page import PAGE, find_response, read_sample, write_page


@pytest.fixture(scope="module")
def rows():
    return read_sample()


def test_the_page_is_the_catalogue_with_the_sample_scored(rows):
    """`python -m tests.metrics_page` writes what stands there: no figure on it is typed."""
    assert PAGE.read_text("utf-8") == write_page(rows)


def test_each_of_fmevals_metrics_has_a_guide():
    """The seven scores and BERTScore say how they are computed, where they mislead, and what to do."""
    assert [name for name in (*c.SCORES, c.BERTSCORE) if METRICS[name].guide is None] == []


@pytest.mark.parametrize("corner", QUADRANTS, ids=lambda corner: corner.name)
def test_an_example_lies_in_its_corner(corner, rows):
    """Each corner of closeness against conciseness shows a response that is there by the default thresholds."""
    limits, row = Thresholds(), find_response(rows, *corner.example)

    assert (row[c.RECALL] >= limits.high_closeness, row[c.PRECISION] >= limits.low_conciseness) == (
        corner.close,
        corner.concise,
    )
