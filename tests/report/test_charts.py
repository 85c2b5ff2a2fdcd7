"""qaviz.report.charts: figures that show what the rows say, and nothing that a text in them asks for."""

import json

import numpy as np
import polars as pl
import pytest

from qaviz.model import DIAGNOSIS, PIPELINE, PRECISION, QUESTION, QUESTION_ID, RECALL, RESPONSE, Diagnosis, Thresholds
from qaviz.report import charts
from qaviz.report.charts import chart_text, closeness_conciseness, density, diagnosis_mix
from qaviz.report.palette import pipeline_marks
from tests.report.builders import response_row, response_rows

LIMITS = Thresholds(high_closeness=0.65, low_conciseness=0.35)
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
    return [trace for trace in figure.data if trace.name is not None]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("plain", "plain", id="plain text stays"),
        pytest.param("<b>a</b> & <a href='x'>", "&lt;b&gt;a&lt;/b&gt; &amp; &lt;a href='x'&gt;", id="tags are text"),
        pytest.param("&lt;", "&amp;lt;", id="an entity is text"),
        pytest.param("#000001 #1", "&#35;000001 &#35;1", id="what Streamlit takes for a colour"),
        pytest.param(" two\nlines\tand \u202e a turn\x00 ", "two lines and a turn", id="one line, no controls"),
        pytest.param("0123456789ab", "012345678…", id="cut"),
        pytest.param("<<<<<<<<<<", "&lt;" * 10, id="what counts is what is seen"),
    ],
)
def test_chart_text(text, shown):
    """A text enters a figure on one line, cut, and as what it says."""
    longest = 10 if text.startswith(("0", "<<")) else 80

    assert pl.select(chart_text(pl.lit(text), longest)).item() == shown


def test_no_text_of_a_file_enters_raw():
    """Neither name, id, question nor response brings a tag or a colour of Streamlit's into a figure."""
    hostile = "<img src=x> #000001"
    rows = response_rows([response_row(hostile, hostile, **{QUESTION: hostile, RESPONSE: hostile})])

    for figure in (closeness_conciseness(rows, LIMITS, [hostile]), diagnosis_mix(rows, [hostile])):
        # Streamlit's own template, where it is imported, holds the colours that it replaces.
        written = figure.update_layout(template="none").to_json()
        assert "<img" not in written.encode().decode("unicode_escape")
        assert "#000001" not in written
        assert "&#35;000001" in written


def test_axes_are_closeness_and_conciseness():
    """The axes carry their titles and show the whole range of the scores."""
    layout = closeness_conciseness(many_rows(10), LIMITS, ["P1", "P2"]).layout

    assert layout.xaxis.title.text == "Closeness (recall)"
    assert layout.yaxis.title.text == "Conciseness (precision)"
    assert all(axis.range[0] < 0 and axis.range[1] > 1 for axis in (layout.xaxis, layout.yaxis))


def test_every_scored_response_is_a_point():
    """The points are the responses with both scores, each in the trace of its pipeline."""
    rows = pl.concat([many_rows(20), many_rows(2).with_columns(pl.lit(None, pl.Float64).alias(RECALL))])

    traces = points_of(closeness_conciseness(rows, LIMITS, ["P1", "P2"]))

    for trace, pipeline in zip(traces, ("P1", "P2"), strict=True):
        own = rows.filter(pl.col(PIPELINE) == pipeline, pl.col(RECALL).is_not_null())
        assert trace.x == pytest.approx(own[RECALL].to_numpy(), abs=1e-6)
        assert trace.y == pytest.approx(own[PRECISION].to_numpy(), abs=1e-6)


def test_a_pipeline_keeps_its_colour_and_symbol_when_others_are_filtered_away():
    """What a mark looks like depends on the run, not on what is shown of it."""
    rows = many_rows(30, ("P1", "P2", "P3"))
    expected = pipeline_marks(["P1", "P2", "P3"])["P3"]

    for shown in (rows, rows.filter(pl.col(PIPELINE) == "P3")):
        figure = closeness_conciseness(shown, LIMITS, ["P1", "P2", "P3"])
        for traces in (points_of(figure), means_of(figure)):
            assert (traces[-1].marker.color, traces[-1].marker.symbol) == expected


def test_means_have_their_intervals():
    """A pipeline's mean stands where its mean scores are, with whiskers from end to end of their intervals."""
    rows = response_rows(
        response_row(str(n), "P1", **{RECALL: recall, PRECISION: 0.5}) for n, recall in enumerate((0.2, 0.4, 0.6, 0.8))
    )

    (mean,) = means_of(closeness_conciseness(rows, LIMITS, ["P1"]))

    assert (mean.x[0], mean.y[0]) == pytest.approx((0.5, 0.5))
    # t(0.975, 3) = 3.1824; 3.1824 * 0.2582 / sqrt(4) = 0.4109
    assert (mean.error_x.arrayminus[0], mean.error_x.array[0]) == pytest.approx((0.4109, 0.4109), abs=1e-3)
    assert (mean.error_y.arrayminus[0], mean.error_y.array[0]) == (0, 0)
    assert "mean of 4 responses" in mean.hovertext


def test_a_single_response_has_no_interval():
    """One response makes a mean, but nothing to say how sure it is."""
    (mean,) = means_of(closeness_conciseness(many_rows(1), LIMITS, ["P1"]))

    assert mean.error_x.visible is False


def test_curves_of_equal_f1():
    """On each curve the harmonic mean of its closeness and conciseness is the F1 that its label names."""
    figure = closeness_conciseness(many_rows(5), LIMITS, ["P1", "P2"])
    labels = {note.text: note.y for note in figure.layout.annotations if note.text.startswith("F1 ")}
    curves = [trace for trace in figure.data if trace.mode == "lines"]

    assert len(curves) == len(labels) >= 3
    for curve, (label, at) in zip(curves, labels.items(), strict=True):
        recall, precision = np.array(curve.x), np.array(curve.y)
        assert 2 * recall * precision / (recall + precision) == pytest.approx(float(label[3:]), abs=1e-3)
        assert curve.y[-1] == pytest.approx(at, abs=1e-3)


def test_thresholds_are_lines():
    """The two thresholds that bound the regions stand where the reader put them."""
    vertical, horizontal = closeness_conciseness(many_rows(5), LIMITS, ["P1", "P2"]).layout.shapes

    assert (vertical.x0, vertical.x1) == (0.65, 0.65)
    assert (horizontal.y0, horizontal.y1) == (0.35, 0.35)


def test_a_place_with_many_responses_says_how_many():
    """Marks that hide one another are counted beside the place, and under the pointer."""
    rows = response_rows(response_row(str(n), "P1", **{RECALL: 0.0, PRECISION: 0.0}) for n in range(3))

    figure = closeness_conciseness(rows, LIMITS, ["P1"])

    assert "×3" in [note.text for note in figure.layout.annotations]
    assert "3 responses lie here" in points_of(figure)[0].hovertext[0]


@pytest.mark.parametrize(
    ("responses", "draws", "texts"),
    [
        pytest.param(charts.TEXT_HOVER_UP_TO, "scatter", True, id="few: texts under the pointer"),
        pytest.param(charts.TEXT_HOVER_UP_TO + 1, "scatter", False, id="more: scores only"),
        pytest.param(charts.VECTOR_UP_TO + 1, "scattergl", False, id="many: drawn by the graphics processor"),
        pytest.param(charts.DENSITY_ABOVE, "scattergl", False, id="as many as are still points"),
        pytest.param(charts.DENSITY_ABOVE + 1, "heatmap", False, id="density"),
        pytest.param(300_000, "heatmap", False, id="density of very many"),
    ],
)
def test_a_figure_stays_small(responses, draws, texts):
    """However many responses there are, a figure is no larger than a page may send; texts come only with few points."""
    figure = closeness_conciseness(many_rows(responses), LIMITS, ["P1", "P2"])

    assert draws in {trace.type for trace in figure.data}
    assert any("question-" in str(trace.hovertext) for trace in figure.data) is texts
    assert len(figure.to_json()) < LARGEST_FIGURE_BYTES


def test_density_counts_every_response_once():
    """A tile counts what lies on it, its lower edges included; a score of 1 lies on the last tile."""
    tile = charts.TILE
    rows = response_rows(
        response_row(str(n), "P", **{RECALL: recall, PRECISION: precision})
        for n, (recall, precision) in enumerate([(0, 0), (tile, 0), (tile * 1.9, 0), (1, 1), (1, 0)])
    )

    counts = density(rows)

    assert counts.sum() == 5
    assert (counts[0, 0], counts[0, 1], counts[-1, -1], counts[0, -1]) == (1, 2, 1, 1)


def test_density_is_drawn_where_responses_are():
    """Tiles show the logarithm of their count, empty ones nothing, and each full one can be clicked at its centre."""
    rows = many_rows(charts.DENSITY_ABOVE + 1).with_columns(pl.col(RECALL) / 2)
    counts = density(rows)

    figure = closeness_conciseness(rows, LIMITS, ["P1", "P2"])
    (heat,) = [trace for trace in figure.data if trace.type == "heatmap"]
    (spots,) = points_of(figure)

    shades = np.array(heat.z, dtype=float)
    assert np.isnan(shades[counts == 0]).all()
    assert 10 ** shades[counts > 0] == pytest.approx(counts[counts > 0], rel=0.01)
    assert len(spots.x) == (counts > 0).sum()
    assert max(spots.x) < 0.5


def test_diagnosis_mix():
    """Each pipeline's bar is whole, its parts are its shares of the diagnoses, and their numbers stand inside."""
    rows = response_rows(
        [
            *(response_row(str(n), "P1", 1.0) for n in range(3)),
            response_row("3", "P1", 0.0),
            response_row("0", "P2", 0.0, **{DIAGNOSIS: Diagnosis.DECLINED}),
        ]
    )

    figure = diagnosis_mix(rows, ["P2", "P1"])
    bars = {
        (bar.name, place): (share, text)
        for bar in figure.data
        for place, share, text in zip(bar.y, bar.x, bar.text, strict=True)
    }

    assert bars == {
        ("correct", 1): (0.75, "3"),
        ("hallucination", 1): (0.25, "1"),
        ("declined", 0): (1.0, "1"),
    }
    assert list(figure.layout.yaxis.ticktext) == ["P2", "P1"]


def test_pipelines_whose_names_are_cut_alike_stay_apart():
    """Two long names that are shown the same have two bars."""
    names = [f"gpt-4-1106-preview_{middle}_with_the_same_ending" for middle in ("first", "other")]
    rows = response_rows(response_row("1", name) for name in names)

    figure = diagnosis_mix(rows, names)

    assert len(set(figure.layout.yaxis.ticktext)) == 1
    assert sorted(place for bar in figure.data for place in bar.y) == [0, 1]


@pytest.mark.parametrize(
    "draw", [lambda rows: closeness_conciseness(rows, LIMITS, []), lambda rows: diagnosis_mix(rows, [])]
)
def test_nothing_to_show_is_no_error(draw):
    """A figure without a single response has its axes all the same."""
    figure = draw(response_rows([]))

    assert json.loads(figure.to_json())["layout"]["xaxis"]["title"]["text"]
