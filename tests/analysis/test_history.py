"""A metric over runs: figures and words, what counts as a change, and how rarely chance alone makes one."""

import polars as pl
import pytest

from qaviz.analysis import history as h
from qaviz.api import evaluate
from qaviz.model import columns as c
from qaviz.model.records import Thresholds
from qaviz.store.golden_versions import EDITS, GoldenVersion
from tests.analysis.builders import figures_in
from tests.analysis.past import START, VERSIONS, pictured, run_of, scored
from tests.builders import SAMPLE

GOOD, BAD = {"A": "1" * 30}, {"A": "1" * 10 + "0" * 20}


def followed(outcomes, metric=c.FACTUAL_KNOWLEDGE, pipelines=("A",), runs=None, **other):
    runs = runs or [run_of(number) for number in range(1, len(outcomes) + 1)]
    return h.history(runs, outcomes, VERSIONS, metric, pipelines, **other)


def test_a_share_has_the_interval_of_the_card():
    """Of each of three pipelines of one run, whatever the others are."""
    run = evaluate(SAMPLE / "golden.jsonl", SAMPLE / "responses.jsonl")
    kept = h.outcomes_of(run.rows, run.golden[c.QUESTION_ID])
    rows = h.history([run_of(1)], [kept], VERSIONS, c.VERDICT, run.pipelines).select(c.PIPELINE, "mean", "low", "high")
    card = run.decision().ranking.select(c.PIPELINE, "share", "low", "high")
    for pipeline, *figures in card.iter_rows():
        assert rows.row(by_predicate=pl.col(c.PIPELINE) == pipeline)[1:] == pytest.approx(figures, abs=1e-6)


def test_a_fall_beyond_noise_is_marked_where_it_was():
    """Of three steps only the one in which twenty of thirty facts are lost is beyond noise."""
    found = followed([pictured(each) for each in (GOOD, GOOD, BAD, BAD)])
    assert found[h.STEP].to_list() == [None, "too few questions", "fell", "too few questions"]
    row = found.row(2, named=True)
    assert (row["before"], row["paired"], row["difference"]) == ("run-2", 30, pytest.approx(-2 / 3))
    assert row["step_low"] < -2 / 3 < row["step_high"] < 0


def test_however_many_steps_spend_one_level():
    """Where nothing changes, one series in twenty at most ever has a step marked: a thousand levels come to that."""
    assert 0.0499 < sum(map(h.spend_level, range(1, 1_001))) < 0.05


def test_a_run_without_the_pipeline_is_stepped_over():
    """The step is from the last run in which the pipeline was scored; a run without a score has a point of none."""
    outcomes = [pictured(GOOD), pictured({"B": "1"}), pictured({"A": "-" * 30}), pictured(BAD)]
    found = followed(outcomes)
    assert found.select(h.RUN, "n", "mean", "before").rows() == [
        ("run-1", 30, 1.0, None),
        ("run-3", 0, None, None),
        ("run-4", 30, pytest.approx(1 / 3), "run-1"),
    ]
    assert found[h.STEP].to_list() == [None, None, "fell"]


def test_runs_without_a_question_in_common_are_not_compared():
    """Means of other questions are no step, however far apart."""
    found = followed([scored([0.9] * 30), scored([None] * 30 + [0.1] * 30)], c.RECALL)
    assert found.row(1, named=True)[h.STEP] == "no question in common"
    assert found.row(1, named=True)["difference"] is None


MEASUREMENTS = {
    "golden": ({"golden_id": "second"}, "golden version 1 → 2"),
    "engine": ({"engine": "FMEval 1.2.3"}, "engine qaviz 1 → FMEval 1.2.3"),
    "thresholds": ({"thresholds": Thresholds(low_conciseness=0.5)}, "thresholds"),
}


@pytest.mark.parametrize("what", MEASUREMENTS)
@pytest.mark.parametrize("metric", h.FOLLOWED)
def test_a_step_over_a_changed_measurement_is_never_the_pipelines(what, metric):
    """However large, a step over a change of golden version, engine or thresholds is called the measurement's."""
    other, words = MEASUREMENTS[what]
    runs = [run_of(1), run_of(2, **other)]
    row = followed([pictured(GOOD), pictured(BAD)], metric, runs=runs).row(1, named=True)
    assert row[h.STEP] == h.Movement.MEASUREMENT
    assert h.find_measurement_changes([*runs, runs[1]], VERSIONS) == {1: [words]}


def test_tags_and_categories_change_no_measurement():
    """A version that changes tags alone measures as the one before; one that brings texts back measures as before."""
    made = {"line": "a", "parent": None, "made_at": START, "made_by": "Ana", "why": "tried", "edits": 1}
    line = [GoldenVersion(number=place, golden_id=each, **made) for place, each in enumerate(("a", "b", "c", "b"), 1)]
    edits = [(2, "q", c.TAGS, None, "critical"), (3, "q", c.FACT, "x", "y"), (3, "q", c.CATEGORY, "i", None)]
    table = pl.DataFrame([*edits, (4, "q", c.FACT, "y", "x")], schema=["number", *EDITS.names()[:4]], orient="row")
    assert h.number_versions(line, table) == {"a": 1, "b": 1, "c": 3}


def test_a_diagnosis_is_followed_as_its_share():
    """The share of a diagnosis among all responses; `right by diagnosis` leaves out what nobody could judge."""
    outcomes = [pictured({"A": "1100"})]
    assert followed(outcomes, "hallucination")["mean"].to_list() == [0.5]
    assert followed(outcomes, c.VERDICT)["mean"].to_list() == [0.5]


def test_no_run_and_no_pipeline():
    """Without runs there is nothing, and no error."""
    assert h.history([], [], VERSIONS, c.RECALL, ["A"]).is_empty()
    assert h.pipelines_of([]) == []
    assert followed([pictured(GOOD)], pipelines=["gone"]).is_empty()


def test_the_newest_runs_pipelines_come_first():
    """So that what is still in use has the first colours."""
    assert h.pipelines_of([pictured({"old": "1", "A": "1"}), pictured({"B": "1", "A · 2": "1"})]) == ["B", "A", "old"]


def test_history_keeps_little_of_a_response():
    """34 bytes a response, so that ten million fit into 340 MB; the columns of diagnoses are the run's."""
    kept = pictured({"A": "10" * 500})
    assert kept.estimated_size() <= 34 * kept.height
    assert set(kept[c.DIAGNOSIS].unique()) == {"correct", "hallucination"}
    assert kept[c.PIPELINE].dtype == pl.Categorical


def said(outcomes, metric=c.FACTUAL_KNOWLEDGE, runs=None):
    runs = runs or [run_of(number) for number in range(1, len(outcomes) + 1)]
    found = h.history(runs, outcomes, VERSIONS, metric, ["A"])
    return h.word_steps(found, runs, metric)


def test_a_change_says_who_what_when_and_by_how_much():
    """Metric, pipeline, direction, size with its interval, both runs with their days, and on how many questions."""
    (lead,) = said([pictured(GOOD), pictured(BAD)])
    assert lead.startswith("Facts stated of A fell")
    days = ["1", "31", "2026", "2", "2", "2026"]
    assert figures_in(lead) == ["66.7", "−81.4", "−43.6", *days, "30"]
    assert "Release 1 (31 Jan 2026) and Release 2 (2 Mar 2026)" in lead


def test_nothing_beyond_noise_is_said_with_how_much_was_looked_at():
    """Without a change the steps are counted, and those with too few questions to see one."""
    (few,) = said([pictured({"A": "1" * 10}), pictured({"A": "1" * 9 + "0"})])
    assert h.Movement.NONE.value in few
    assert h.Movement.TOO_FEW.value in few
    (enough,) = said([pictured({"A": "1" * 200})] * 3)
    assert h.Movement.NONE.value in enough
    assert h.Movement.TOO_FEW.value not in enough
    assert (figures_in(few), figures_in(enough)) == (["1", "1", "1"], ["2"])


def test_one_run_has_no_step():
    """A first run says what a step would take."""
    (only,) = said([pictured(GOOD)])
    assert only.startswith("Facts stated: nothing to compare yet.")
    assert "two runs" in only


@pytest.mark.parametrize(
    ("metric", "value", "words"),
    [
        (c.RECALL, -0.041, "−0.04"),
        (c.RECALL, None, "–"),
        ("hallucination", 0.042, "+4.2 points"),
    ],
)
def test_a_difference_of_shares_has_its_unit(metric, value, words):
    """Points of a hundred; scores have none."""
    assert h.difference(metric, value) == words


def test_more_of_what_is_wrong_is_no_progress():
    """Rising is good for scores and right answers, bad for what is wrong, and neither for style."""
    risen = {metric: h.better(metric, "rose") for metric in h.FOLLOWED}
    assert [metric for metric in h.FOLLOWED if risen[metric]] == [
        "verdict",
        c.FACTUAL_KNOWLEDGE,
        c.RECALL,
        c.PRECISION,
        "correct",
    ]
    assert [metric for metric in h.FOLLOWED if risen[metric] is None] == ["verbose", "rephrased-correct"]
    assert h.better(c.RECALL, "fell") is False
    assert h.better(c.RECALL, h.Movement.MEASUREMENT) is None
