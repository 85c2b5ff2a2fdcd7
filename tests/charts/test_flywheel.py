"""qaviz.charts.history_chart and curation_words: the flywheel in charts and sentences."""

import polars as pl
import pytest

from qaviz.analysis.sentences import NOTHING_MOVES, effect_points, finding_counts, staying_words
from qaviz.charts.history_chart import Step, points, versions_chart, waterfall

STATES = pl.DataFrame(
    {
        "number": [1, 2],
        "error": [2, 0],
        "warning": [1, 1],
        "note": [0, 3],
        "facts": [0.5, 0.75],
        "agreed": [None, None],
        "at_fault": [0.25, 0.0],
    },
    schema_overrides={"agreed": pl.Float64},
)
STEPS = [
    Step("Before", 0.5, whole=True),
    Step("Golden dataset", 0.3, whole=False),
    Step("Pipeline", -0.1, whole=False),
    Step("After", 0.7, whole=True),
]


def test_versions_show_findings_and_shares():
    """Each severity is a bar with its symbol, each share a line; a share that no version has is left out."""
    traces = {trace.name: list(trace.y) for trace in versions_chart(STATES).data}

    assert traces == {
        "✗ errors": [2, 0],
        "! warnings": [1, 1],
        "i notes": [0, 3],
        "Factual Knowledge": [0.5, 0.75],
        "golden dataset or metric at fault": [0.25, 0.0],
    }


def test_the_waterfall_goes_from_the_score_before_to_the_score_after():
    """Parts stand one upon the other between two whole scores, each with its figure."""
    (steps,) = waterfall(STEPS).data

    assert list(steps.measure) == ["absolute", "relative", "relative", "total"]
    assert list(steps.text) == ["50%", "+30.0 points", "−10.0 points", "70%"]


@pytest.mark.parametrize(("part", "said"), [(0.033, "+3.3 points"), (0.0, "±0.0 points"), (None, "–")])
def test_a_part_is_said_in_points(part, said):
    """A part of a change has its sign; one that is missing is no zero."""
    assert points(part) == said


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
    ("staying", "moved", "said"),
    [
        (16, 0, "All 16 pipelines state as many facts as now."),
        (15, 1, "15 other pipelines state as many facts as now."),
        (1, 4, "1 other pipeline states as many facts as now."),
    ],
)
def test_pipelines_that_an_edit_leaves_are_counted(staying: int, moved: int, said: str):
    """Of many pipelines those that an edit does not move are a number in a sentence."""
    assert staying_words(staying, moved) == said


@pytest.mark.parametrize(
    ("counts", "said"),
    [((1, 0, 2), "1 error and 2 notes"), ((0, 0, 0), "nothing"), ((2, 1, 1), "2 errors, 1 warning and 1 note")],
)
def test_findings_in_words(counts, said):
    """Severities without a finding are not named."""
    assert finding_counts(*counts) == said
