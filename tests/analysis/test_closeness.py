"""Closeness against conciseness: where responses lie, what is selected, and every one of them on the chart."""

import numpy as np
import polars as pl
import pytest

from qaviz.analysis.tables import pipeline_means
from qaviz.charts import pipeline_marks
from qaviz.charts.scatter_chart import POINTS_UP_TO
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import DIAGNOSIS, PIPELINE, PRECISION, QUESTION, QUESTION_ID, RECALL, RESPONSE
from tests.analysis.builders import response_row, response_rows, scatter_of


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


LARGEST_FIGURE_BYTES = 500_000
"""What one page may send to a browser."""


def many_rows(responses, pipelines=("P1", "P2")):
    """So many responses, scattered over the whole chart."""
    scattered = np.random.default_rng(1).random((responses, 2))
    return pl.DataFrame(
        {
            QUESTION_ID: [f"question-{number:06}" for number in range(responses)],
            QUESTION: "What were the net sales of the second quarter, and how much of it came from subscriptions? " * 2,
            PIPELINE: [pipelines[number % len(pipelines)] for number in range(responses)],
            RESPONSE: "According to the report for that quarter, the company had net sales of 134.4 billion. " * 5,
            RECALL: scattered[:, 0],
            PRECISION: scattered[:, 1],
            DIAGNOSIS: Diagnosis.CORRECT.value,
        }
    )


def points_of(figure):
    """The traces that hold one mark a response."""
    return [trace for trace in figure.data if trace.mode == "markers"]


def means_of(figure):
    """The traces that draw a mean."""
    return [trace for trace in figure.data if trace.mode == "markers+text"]


def test_every_scored_response_is_a_point():
    """The points are the responses with both scores, each in the trace of its pipeline."""
    rows = pl.concat([many_rows(20), many_rows(2).with_columns(pl.lit(None, pl.Float64).alias(RECALL))])

    traces = points_of(scatter_of(rows, ["P1", "P2"]))

    for trace, pipeline in zip(traces, ("P1", "P2"), strict=True):
        own = rows.filter(pl.col(PIPELINE) == pipeline, pl.col(RECALL).is_not_null())
        assert trace.x == pytest.approx(own[RECALL].to_numpy(), abs=1e-6)
        assert trace.y == pytest.approx(own[PRECISION].to_numpy(), abs=1e-6)


def test_a_pipeline_keeps_its_colour_and_symbol_when_others_are_filtered_away():
    """What a mark looks like depends on the run, not on what is shown of it."""
    rows = many_rows(30, ("P1", "P2", "P3"))
    expected = pipeline_marks(["P1", "P2", "P3"])["P3"]

    for shown in (rows, rows.filter(pl.col(PIPELINE) == "P3")):
        figure = scatter_of(shown, ["P1", "P2", "P3"])
        assert (points_of(figure)[-1].marker.color, points_of(figure)[-1].marker.symbol) == expected
        assert means_of(figure)[-1].marker.color == expected[0]


@pytest.mark.parametrize(("responses", "traces"), [(POINTS_UP_TO, 2), (300_000, 0)])
def test_a_figure_stays_small(responses, traces):
    """However many responses there are, a figure is no larger than a page may send: of very many it has the means."""
    figure = scatter_of(many_rows(responses), ["P1", "P2"])

    assert (len(points_of(figure)), len(means_of(figure))) == (traces, 2)
    assert len(figure.to_json()) < LARGEST_FIGURE_BYTES
