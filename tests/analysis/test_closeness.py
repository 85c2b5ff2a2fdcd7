"""Closeness against conciseness: where responses lie, what is selected, and every one of them on the chart."""

import numpy as np
import polars as pl
import pytest

from qaviz.analysis import closeness
from qaviz.analysis.closeness import (
    CLOSE_BUT_WORDY,
    OTHER_WORDS,
    PARTIAL,
    REGIONS,
    SHORT_AND_CLOSE,
    density,
    pipeline_means,
    region_counts,
    select_placed,
)
from qaviz.charts import pipeline_marks
from qaviz.charts.scatter_chart import CURVE_STEPS, EQUAL_F1, TEXT_HOVER_UP_TO
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import DIAGNOSIS, PIPELINE, PRECISION, QUESTION, QUESTION_ID, RECALL, RESPONSE
from qaviz.model.records import Thresholds
from tests.analysis.builders import response_row, response_rows, scatter_of

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
    (counts,) = region_counts(rows_at((closeness, conciseness)), LIMITS, ["P1"]).select(*REGIONS).to_dicts()
    assert [name for name, inside in counts.items() if inside] == ([region] if region else [])


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


def test_placed_needs_both_scores():
    """A response with one of the two scores missing has no place on the chart."""
    assert select_placed(rows_at((None, 0.5), (0.5, None), (0.5, 0.5)))[QUESTION_ID].to_list() == ["2"]


BOUNDS = Thresholds(high_closeness=0.65, low_conciseness=0.35)
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
    drawn = [trace for trace in figure.data if trace.type in ("scatter", "scattergl")]
    return [trace for trace in drawn if trace.mode == "markers" and trace.name is None]


def means_of(figure):
    """The traces that draw a mean, without the entries of a legend that draw nothing."""
    return [trace for trace in figure.data if trace.name is not None and trace.x[0] is not None]


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


def test_means_have_their_intervals():
    """A pipeline's mean stands where its mean scores are, with whiskers from end to end of their intervals."""
    rows = response_rows(
        response_row(str(n), "P1", **{RECALL: recall, PRECISION: 0.5}) for n, recall in enumerate((0.2, 0.4, 0.6, 0.8))
    )

    (mean,) = means_of(scatter_of(rows, ["P1"]))

    assert (mean.x[0], mean.y[0]) == pytest.approx((0.5, 0.5))
    # t(0.975, 3) = 3.1824; 3.1824 * 0.2582 / sqrt(4) = 0.4109
    assert (mean.error_x.arrayminus[0], mean.error_x.array[0]) == pytest.approx((0.4109, 0.4109), abs=1e-3)
    assert (mean.error_y.arrayminus[0], mean.error_y.array[0]) == (0, 0)
    assert "mean of 4 responses" in mean.hovertext


def test_a_single_response_has_no_interval():
    """One response makes a mean, but nothing to say how sure it is."""
    (mean,) = means_of(scatter_of(many_rows(1), ["P1"]))

    assert mean.error_x.visible is False


def test_curves_of_equal_f1():
    """On each curve the harmonic mean of its closeness and conciseness is the F1 that its label names."""
    figure = scatter_of(many_rows(5), ["P1", "P2"])
    labels = {note.text: note.y for note in figure.layout.annotations if note.text.startswith("F1 ")}
    (lines,) = [trace for trace in figure.data if trace.mode == "lines"]
    curves = np.stack([lines.x, lines.y], axis=1).reshape(len(EQUAL_F1), CURVE_STEPS + 1, 2)

    assert np.isnan(curves[:, -1]).all(), "a gap ends each curve"
    for (recall, precision), (label, at) in zip(curves[:, :-1].transpose(0, 2, 1), labels.items(), strict=True):
        assert 2 * recall * precision / (recall + precision) == pytest.approx(float(label[3:]), abs=1e-3)
        assert (recall[-1], precision[-1]) == pytest.approx((1, at), abs=1e-3)


def test_thresholds_are_lines():
    """The two thresholds that bound the regions are lines through the whole chart."""
    vertical, horizontal = scatter_of(many_rows(5), ["P1", "P2"], BOUNDS).layout.shapes

    assert (vertical.x0, vertical.x1, vertical.yref) == (0.65, 0.65, "y domain")
    assert (horizontal.y0, horizontal.y1, horizontal.xref) == (0.35, 0.35, "x domain")


def test_a_place_with_many_responses_says_how_many():
    """Marks that hide one another are counted under the pointer."""
    alike = [response_row(str(n), "P1", **{RECALL: 0.0, PRECISION: 0.0}) for n in range(3)]
    rows = response_rows([*alike, response_row("far", "P1", **{RECALL: 1.0, PRECISION: 1.0})])

    figure = scatter_of(rows, ["P1"])

    assert "3 responses here" in points_of(figure)[0].hovertext[0]


@pytest.mark.parametrize(
    ("responses", "draws", "texts"),
    [
        pytest.param(TEXT_HOVER_UP_TO, "scatter", True, id="few: texts under the pointer"),
        pytest.param(TEXT_HOVER_UP_TO + 1, "scatter", False, id="more: scores only"),
        pytest.param(closeness.DENSITY_FROM - 1, "scatter", False, id="as many as are still points"),
        pytest.param(closeness.DENSITY_FROM, "heatmap", False, id="density"),
        pytest.param(300_000, "heatmap", False, id="density of very many"),
    ],
)
def test_a_figure_stays_small(responses, draws, texts):
    """However many responses there are, a figure is no larger than a page may send; texts come only with few points."""
    figure = scatter_of(many_rows(responses), ["P1", "P2"])

    assert draws in {trace.type for trace in figure.data}
    assert any("question-" in str(trace.hovertext) for trace in figure.data) is texts
    assert len(figure.to_json()) < LARGEST_FIGURE_BYTES


def test_density_counts_every_response_once():
    """A tile counts what lies on it, its lower edges included; a score of 1 lies on the last tile."""
    tile = 1 / 40
    rows = response_rows(
        response_row(str(n), "P", **{RECALL: recall, PRECISION: precision})
        for n, (recall, precision) in enumerate([(0, 0), (tile, 0), (tile * 1.9, 0), (1, 1), (1, 0)])
    )

    counts = density(rows, 40)

    assert counts.sum() == 5
    assert (counts[0, 0], counts[0, 1], counts[-1, -1], counts[0, -1]) == (1, 2, 1, 1)


def test_density_is_drawn_where_responses_are():
    """Tiles show the logarithm of their count, empty ones nothing."""
    rows = many_rows(closeness.DENSITY_FROM).with_columns(pl.col(RECALL) / 2)
    counts = density(rows, 40)

    figure = scatter_of(rows, ["P1", "P2"])
    (heat,) = [trace for trace in figure.data if trace.type == "heatmap"]

    shades = np.array(heat.z, dtype=float)
    assert np.isnan(shades[counts == 0]).all()
    assert 10 ** shades[counts > 0] == pytest.approx(counts[counts > 0], rel=0.01)


def test_means_are_numbered():
    """Each mean's mark holds the number that the legend gives its pipeline."""
    many = [f"P{number}" for number in range(1, 7)]
    within = means_of(scatter_of(many_rows(30, many), many))

    assert [(mean.text[0], mean.name) for mean in within] == [(str(n), f"{n} · P{n}") for n in range(1, 7)]
