"""Charts over time: points with intervals, changes of score and measurement, no text of a file raw."""

import polars as pl
import pytest

from qaviz.analysis.history import find_measurement_changes, history
from qaviz.analysis.sentences import NOTHING_MOVES, effect_points, finding_counts
from qaviz.charts.history_chart import MOST_DATES, history_chart
from qaviz.model.columns import FACTUAL_KNOWLEDGE
from tests.analysis.past import VERSIONS, pictured, run_of

GOOD, BAD = "1" * 30, "1" * 10 + "0" * 20


def chart(stated, runs=None, pipelines=("A", "B")):
    outcomes = [pictured(each) for each in stated]
    runs = runs or [run_of(number) for number in range(1, len(stated) + 1)]
    found = history(runs, outcomes, VERSIONS, FACTUAL_KNOWLEDGE, pipelines)
    figure = history_chart(found, runs, FACTUAL_KNOWLEDGE, pipelines, find_measurement_changes(runs, VERSIONS))
    return found, figure


def test_every_point_has_its_interval():
    """A series a pipeline: its means at its runs, bars down to the low end and up to the high end."""
    found, figure = chart([{"A": "10", "B": "11"}, {"A": "11"}])
    first, second = figure.data
    own = found.filter(pipeline="A")
    assert first.y == tuple(own["mean"])
    assert [y - below for y, below in zip(first.y, first.error_y.arrayminus, strict=True)] == pytest.approx(
        [*own["low"]]
    )
    assert [y + above for y, above in zip(first.y, first.error_y.array, strict=True)] == pytest.approx([*own["high"]])
    assert len(second.y) == 1


def test_changes_are_marked_at_their_run():
    """A triangle down where a pipeline fell, one up where it rose, in its colour, and none elsewhere."""
    _, figure = chart([{"A": GOOD, "B": BAD}, {"A": BAD, "B": BAD}, {"A": BAD, "B": GOOD}])
    marks = {series.name: (series.marker.symbol, [round(x) for x in series.x]) for series in figure.data[2:]}
    assert marks == {"rose beyond noise": ("triangle-up-open", [2]), "fell beyond noise": ("triangle-down-open", [1])}
    assert [series.marker.color for series in figure.data[2:]] == [("#D55E00",), ("#1F7FC4",)]


def test_measurement_changes_are_lines_between_runs():
    """A dashed line before the run that has another measurement."""
    runs = [run_of(1), run_of(2, golden_id="second", engine="qaviz 2"), run_of(3, golden_id="second", engine="qaviz 2")]
    _, figure = chart([{"A": GOOD}] * 3, runs)
    (line,) = figure.layout.shapes
    assert (line.x0, line.x1, line.line.dash) == (0.5, 0.5, "dash")


def test_many_runs_stay_readable():
    """However many runs, few dates stand under the axis."""
    runs = [run_of(number, engine=f"qaviz {number}") for number in range(1, 41)]
    _, figure = chart([{"A": "10"}] * 40, runs)
    assert len(figure.layout.xaxis.tickvals) <= MOST_DATES
    assert len(figure.layout.shapes) == 39


def test_no_text_of_a_file_enters_raw():
    """Neither a run's nor a pipeline's name, nor an engine's, brings a tag or a colour of Streamlit's into a figure."""
    hostile = "<img src=x> #000001"
    runs = [run_of(1, name=hostile), run_of(2, name=hostile, engine=hostile)]
    _, figure = chart([{hostile: "1"}] * 2, runs, pipelines=(hostile,))
    written = figure.update_layout(template="none").to_json()
    assert "<img" not in written.encode().decode("unicode_escape")
    assert "#000001" not in written
    assert "&#35;000001" in written


def test_effects_in_sentences():
    """Classes, scores and mistakes are counted in words; no effect is one sentence."""
    diagnoses = pl.DataFrame({"before": ["off target"] * 2, "after": ["correct"] * 2})
    scores = pl.DataFrame({"score": ["recall_over_words", "recall_over_words", "f1_score"]})
    mistakes = pl.DataFrame({"kind": ["wrong match", "lost match", "lost match"]})

    moved, scored, wrong = effect_points(diagnoses, scores, mistakes)
    assert "2 from off target to correct" in moved
    assert "Closeness of 2 responses and F1 of 1 response" in scored
    assert all(part in wrong for part in ("1 wrong response", "2 right responses"))
    assert effect_points(diagnoses.clear(), scores.clear(), mistakes.clear()) == [NOTHING_MOVES]


@pytest.mark.parametrize(
    ("counts", "said"),
    [((1, 0, 2), "1 error and 2 notes"), ((0, 0, 0), "nothing"), ((2, 1, 1), "2 errors, 1 warning and 1 note")],
)
def test_findings_in_words(counts, said):
    """Severities without a finding are not named."""
    assert finding_counts(*counts) == said
