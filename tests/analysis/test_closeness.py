"""Closeness against conciseness: where responses lie."""

import polars as pl
import pytest

from qaviz.analysis.closeness import pipeline_means
from qaviz.model.columns import PIPELINE, PRECISION, RECALL
from tests.analysis.builders import response_row, response_rows


def rows_at(*places, pipeline="P1"):
    """A response at each (closeness, conciseness), with its place in the list as question id."""
    return response_rows(
        response_row(str(number), pipeline, **{RECALL: recall, PRECISION: precision})
        for number, (recall, precision) in enumerate(places)
    )


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
