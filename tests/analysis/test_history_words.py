"""History in words: what changed, between which runs, by how much, and what is not the pipeline's doing."""

import pytest

from qaviz.analysis.history import (
    FOLLOWED,
    MOST_SAID,
    Change,
    better,
    bounds,
    changes_said,
    difference,
    figure,
    find_measurement_changes,
    followed_label,
    history,
)
from qaviz.model.columns import FACTUAL_KNOWLEDGE, PRECISION, RECALL
from qaviz.model.records import Thresholds
from tests.analysis.builders import figures_in
from tests.analysis.past import VERSIONS, pictured, run_of, scored

GOOD, BAD = {"A": "1" * 30}, {"A": "1" * 10 + "0" * 20}


def said(outcomes, metric=FACTUAL_KNOWLEDGE, runs=None, baseline=None):
    runs = runs or [run_of(number) for number in range(1, len(outcomes) + 1)]
    found = history(runs, outcomes, VERSIONS, metric, ["A"], baseline=baseline)
    return changes_said(found, runs, metric, find_measurement_changes(runs, VERSIONS), baseline)


def test_a_change_says_who_what_when_and_by_how_much():
    """Metric, pipeline, direction, size with its interval, both runs with their days, and on how many questions."""
    (lead,) = said([pictured(GOOD), pictured(BAD)])
    assert lead.startswith("Facts stated of A fell")
    days = ["1", "31", "2026", "2", "2", "2026"]
    assert figures_in(lead) == ["66.7", "−81.4", "−43.6", *days, "30"]
    assert "Release 1 (31 Jan 2026) and Release 2 (2 Mar 2026)" in lead


def test_a_change_of_closeness_is_in_its_own_figures():
    """Scores have two decimals, and their interval is over questions."""
    (lead,) = said([scored([0.9, 0.8, 1.0] * 10), scored([0.5, 0.6, 0.4] * 10)], RECALL)
    assert lead.startswith("Closeness of A fell by 0.40 (−0.")


def test_nothing_beyond_noise_is_said_with_how_much_was_looked_at():
    """Without a change the steps are counted, and those with too few questions to see one."""
    (few,) = said([pictured({"A": "1" * 10}), pictured({"A": "1" * 9 + "0"})])
    assert Change.NONE.value in few
    assert Change.TOO_FEW.value in few
    (enough,) = said([pictured({"A": "1" * 200})] * 3)
    assert Change.NONE.value in enough
    assert Change.TOO_FEW.value not in enough
    assert (figures_in(few), figures_in(enough)) == (["1"], ["2"])


def test_one_run_has_no_step():
    """A first run says what a step would take."""
    (only,) = said([pictured(GOOD)])
    assert only.startswith("Facts stated: nothing to compare yet.")
    assert "two runs" in only


def test_the_newest_change_leads_and_old_ones_are_counted():
    """Of many changes the newest are said, newest first, and the others counted."""
    many = said([pictured(GOOD), pictured(BAD)] * 5)
    assert "Release 10" in many[0]
    assert len(many) == MOST_SAID + 1
    assert figures_in(many[-1]) == [str(9 - MOST_SAID)]


@pytest.mark.parametrize(
    ("other", "metric", "differs", "depends"),
    [
        ({"golden_id": "second"}, RECALL, "golden version 1 → 2", True),
        ({"thresholds": Thresholds(low_conciseness=0.6)}, RECALL, "thresholds", False),
        ({"thresholds": Thresholds(low_conciseness=0.6)}, "verbose", "thresholds", True),
    ],
)
def test_a_change_of_the_golden_dataset_is_told_from_the_pipelines(other, metric, differs, depends):
    """How the measurement differs between which runs, and whether the metric depends on it."""
    words = said([pictured(GOOD), pictured(BAD)], metric, [run_of(1), run_of(2, **other)])[-1]
    assert "Release 1 (31 Jan 2026) and Release 2 (2 Mar 2026)" in words
    assert differs in words
    assert ("Flywheel" in words, "does not depend" in words) == (depends, not depends)


def test_drift_is_said_of_the_last_run():
    """How far the last run is from the baseline, in one of four ways."""
    runs = [run_of(1), run_of(2), run_of(3)]
    fell = said([pictured(GOOD), pictured(GOOD), pictured(BAD)], runs=runs, baseline="run-1")[-1]
    assert "A fell by" in fell
    assert figures_in(fell) == ["66.7", "−81.4", "−43.6", "1", "30"]
    still = said([pictured(GOOD)] * 3, runs=runs, baseline="run-1")[-1]
    assert "A differs by ±0.0 points" in still
    assert figures_in(still)[-2:] == ["1", "30"]
    assert still.endswith(f"{Change.TOO_FEW}.")
    moved = [run_of(1), run_of(2, golden_id="second"), run_of(3, golden_id="second")]
    step = said([pictured(GOOD), pictured(GOOD), pictured(BAD)], runs=moved, baseline="run-1")[-1]
    assert "A differs by −66.7 points" in step
    assert "not attributed" in step
    apart = said([scored([0.5] * 9), scored([None] * 9 + [0.5] * 9)], RECALL, runs[:2], "run-1")[-1]
    assert "Release 2 (2 Mar 2026) shares no scored question" in apart


def test_hostile_names_stay_as_they_are():
    """A run's name is quoted letter for letter: what shows the sentence sets it as text."""
    name = "<b>*June*</b> $x$ [l](javascript:1)"
    assert (
        f"between {name} (31 Jan 2026)"
        in said([pictured(GOOD), pictured(BAD)], runs=[run_of(1, name=name), run_of(2)])[0]
    )


@pytest.mark.parametrize(
    ("metric", "value", "words"),
    [
        (RECALL, -0.041, "−0.04"),
        (RECALL, 0.004, "+0.004"),
        (RECALL, -0.0001, "±0.000"),
        (RECALL, 0.0, "±0.00"),
        (RECALL, None, "–"),
        ("hallucination", 0.042, "+4.2 points"),
        (FACTUAL_KNOWLEDGE, -0.0001, "±0.0 points"),
    ],
)
def test_a_difference_has_its_sign_and_no_more_digits_than_it_knows(metric, value, words):
    """Scores in hundredths, small ones in thousandths, shares in points of a hundred; what rounds to none has no
    direction."""
    assert difference(metric, value) == words


def test_figures_and_bounds():
    """Shares in percent, scores with two decimals; an interval names its unit once."""
    assert (figure(RECALL, 0.714), figure("declined", 0.714), figure(RECALL, None)) == ("0.71", "71%", "–")
    assert (bounds(RECALL, -0.1, 0.2), bounds("declined", -0.1, 0.2)) == ("−0.10 to +0.20", "−10.0 to +20.0 points")


def test_more_of_what_is_wrong_is_no_progress():
    """Rising is good for scores and right answers, bad for what is wrong, and neither for style."""
    risen = {metric: better(metric, "rose") for metric in FOLLOWED}
    assert [metric for metric in FOLLOWED if risen[metric]] == [
        "verdict",
        FACTUAL_KNOWLEDGE,
        RECALL,
        PRECISION,
        "correct",
    ]
    assert [metric for metric in FOLLOWED if risen[metric] is None] == ["verbose", "rephrased-correct"]
    assert better(RECALL, "fell") is False
    assert better(RECALL, Change.MEASUREMENT) is None


def test_what_is_followed_has_a_name():
    """Each metric has a label that begins a sentence, none twice."""
    labels = [followed_label(metric) for metric in FOLLOWED]
    assert labels[:5] == ["Right answers", "Facts stated", "Closeness", "Conciseness", "Correct rate"]
    assert len(set(labels)) == len(labels)
