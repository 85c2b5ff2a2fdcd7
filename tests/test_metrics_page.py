"""docs/metrics.md says what the catalogue says, of responses as they score today."""

import pytest

from qaviz.model import columns as c
from qaviz.model.metrics import METRICS
from tests.metrics_page import PAGE, read_sample, write_page


@pytest.fixture(scope="module")
def rows():
    return read_sample()


def test_the_page_is_the_catalogue_with_the_sample_scored(rows):
    """`python -m tests.metrics_page` writes what stands there: no figure on it is typed."""
    assert PAGE.read_text("utf-8") == write_page(rows)


def test_each_of_fmevals_metrics_has_a_guide():
    """The seven scores and BERTScore say how they are computed, where they mislead, and what to do."""
    assert [name for name in (*c.SCORES, c.BERTSCORE) if METRICS[name].guide is None] == []
