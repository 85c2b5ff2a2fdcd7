"""qaviz.analysis.closeness: where responses lie, what the region says, what is selected."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.analysis.closeness import (
    CLOSE_BUT_WORDY,
    OTHER_WORDS,
    PARTIAL,
    REGION,
    REGIONS,
    SHORT_AND_CLOSE,
    Selection,
    pipeline_means,
    region_counts,
    select_marked,
    select_placed,
    with_region,
)
from qaviz.model.columns import PIPELINE, PRECISION, QUESTION_ID, RECALL
from qaviz.model.records import Thresholds
from tests.analysis.builders import response_row, response_rows

LIMITS = Thresholds(high_closeness=0.7, low_conciseness=0.3)


def rows_at(*places, pipeline="P1"):
    """A response at each (closeness, conciseness), with its place in the list as question id."""
    return response_rows(
        response_row(str(number), pipeline, **{RECALL: recall, PRECISION: precision})
        for number, (recall, precision) in enumerate(places)
    )


@pytest.mark.parametrize(
    ("closeness", "conciseness", "region"),
    [
        pytest.param(0.9, 0.9, SHORT_AND_CLOSE, id="both high"),
        pytest.param(0.7, 0.3, SHORT_AND_CLOSE, id="a threshold belongs to the better side"),
        pytest.param(0.9, 0.1, CLOSE_BUT_WORDY, id="close, long"),
        pytest.param(0.1, 0.9, PARTIAL, id="few words, part of the answer"),
        pytest.param(0.1, 0.1, OTHER_WORDS, id="both low"),
        pytest.param(0.0, 0.0, OTHER_WORDS, id="nothing shared"),
        pytest.param(None, None, None, id="not scored lies nowhere"),
    ],
)
def test_region(closeness, conciseness, region):
    """Each response lies in one region, which the two thresholds bound; what is not scored lies in none."""
    assert with_region(rows_at((closeness, conciseness)), LIMITS)[REGION].to_list() == [region]


def test_region_counts():
    """Each pipeline has its counts in its place in the run, 0 where it has none; what is not scored is not counted."""
    rows = pl.concat(
        [
            rows_at((1, 1), (1, 1), (0, 0), (None, None), pipeline="Partial"),
            rows_at((1, 0.1), pipeline="P1"),
        ]
    )

    counts = region_counts(rows, LIMITS, ["silent", "P1", "Partial"])

    assert counts[PIPELINE].to_list() == ["silent", "P1", "Partial"]
    assert counts.select(*REGIONS).rows() == [(0, 0, 0, 0), (0, 1, 0, 0), (2, 0, 0, 1)]


def test_means_and_their_intervals():
    """Means and Student's intervals of each pipeline over what is scored, in the run's order."""
    rows = pl.concat([rows_at((0.2, 0.5), (0.4, 0.7), (0.6, 0.9), (None, None)), rows_at((0.5, 0.5), pipeline="P2")])

    second, first = pipeline_means(rows, ["P2", "P1", "silent"]).to_dicts()

    assert (first[PIPELINE], first["responses"]) == ("P1", 3)
    assert (first["closeness"], first["conciseness"]) == pytest.approx((0.4, 0.7))
    # t(0.975, 2) = 4.3027; 4.3027 * 0.2 / sqrt(3) = 0.4968
    assert (first["closeness_low"], first["closeness_high"]) == pytest.approx((0.0, 0.8968), abs=1e-3)
    assert (first["conciseness_low"], first["conciseness_high"]) == pytest.approx((0.2032, 1.0), abs=1e-3)
    assert (second["closeness"], second["closeness_low"], second["closeness_high"]) == (0.5, None, None)


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        pytest.param(Selection(places=((0.5, 0.5),)), ["1", "2"], id="a place takes all that lie on one another"),
        pytest.param(Selection(places=((0.50001, 0.5),)), [], id="but not what lies beside it"),
        pytest.param(Selection(places=((0.45, 0.45),), reach=0.06), ["1", "2"], id="a tile reaches to its edges"),
        pytest.param(Selection(boxes=(((1.0, 0.9), (0.9, 1.0)),)), ["3"], id="a box drawn from any corner"),
        pytest.param(Selection(lassos=(((0, 0.6, 0), (0, 0, 0.6)),)), ["0"], id="a lasso takes what is inside"),
        pytest.param(
            Selection(lassos=(((-0.1, 0.7, 0.7, 0.6, 0.6, -0.1), (-0.1, -0.1, 0.7, 0.7, 0.1, 0.1)),)),
            ["0"],
            id="and leaves out what lies in its bay",
        ),
        pytest.param(Selection(places=((0.1, 0.05),), boxes=(((0.9, 1), (0.9, 1)),)), ["0", "3"], id="all count"),
        pytest.param(Selection(), [], id="nothing marked, nothing listed"),
    ],
)
def test_selected(selection, expected):
    """The responses that the reader marked, in the run's order; those that are not scored never are."""
    rows = rows_at((0.1, 0.05), (0.5, 0.5), (0.5, 0.5), (1.0, 1.0), (None, None))

    assert select_marked(rows, selection)[QUESTION_ID].to_list() == expected


@given(
    points=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=50),
    ends=st.tuples(*[st.floats(0, 1)] * 4),
)
def test_a_lasso_around_a_box_selects_what_the_box_selects(points, ends):
    """A rectangle drawn as a lasso takes the same responses as the box, but for those on its very edge."""
    x, y = sorted(ends[:2]), sorted(ends[2:])
    rows = rows_at(*(p for p in points if not {p[0]} & set(x) and not {p[1]} & set(y)))
    lasso = Selection(lassos=(((x[0], x[1], x[1], x[0]), (y[0], y[0], y[1], y[1])),))
    box = Selection(boxes=((tuple(x), tuple(y)),))

    assert select_marked(rows, lasso)[QUESTION_ID].to_list() == select_marked(rows, box)[QUESTION_ID].to_list()


def test_the_browser_returns_rounded_places():
    """A place that comes back as a 32-bit number still finds its responses."""
    rows = rows_at((1 / 3, 2 / 7))
    place = tuple(float(np.float32(score)) for score in rows.select(RECALL, PRECISION).row(0))

    assert select_marked(rows, Selection(places=(place,))).height == 1


def test_placed_needs_both_scores():
    """A response with one of the two scores missing has no place on the chart."""
    assert select_placed(rows_at((None, 0.5), (0.5, None), (0.5, 0.5)))[QUESTION_ID].to_list() == ["2"]
