"""qaviz.model.metrics: the catalogue is complete and its bands can be relied on."""

import pytest

from qaviz.model.columns import (
    BERTSCORE,
    CONTEXT_SUPPORT,
    RECALL,
    RECALL_BESIDE_FACT,
    RETRIEVAL_HIT,
    RETRIEVAL_SCORES,
    SCORES,
)
from qaviz.model.metrics import METRICS

EVERY = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)


def test_every_score_is_described():
    """Each score that scoring adds has an entry, and no entry describes a score that does not exist."""
    assert set(METRICS) == {*SCORES, RECALL_BESIDE_FACT, BERTSCORE, RETRIEVAL_HIT, *RETRIEVAL_SCORES, CONTEXT_SUPPORT}


@EVERY
def test_help_is_whole(metric):
    """The help line asks a question, names the range and ends with the caveat."""
    assert metric.question.endswith("?")
    assert metric.caveat.endswith(".")
    assert metric.help == f"{metric.question} From 0 to 1. {metric.caveat}"


@EVERY
def test_bands_cover_the_range(metric):
    """Bands begin at the lowest value, rise, and stay in the range, so that every score has a reading."""
    lows = [band.low for band in metric.bands]

    assert lows[0] == metric.low
    assert lows == sorted(set(lows))
    assert lows[-1] <= metric.high


@pytest.mark.parametrize(
    ("value", "reading"),
    [
        pytest.param(0.0, "few of the golden words are there", id="lowest"),
        pytest.param(0.69, "about half of the golden words are there", id="just under a band"),
        pytest.param(0.7, "most of the golden words are there", id="where a band begins"),
        pytest.param(1.0, "most of the golden words are there", id="highest"),
    ],
)
def test_reading(value, reading):
    """A value reads as the highest band that begins at or below it."""
    assert METRICS[RECALL].reading(value) == reading
