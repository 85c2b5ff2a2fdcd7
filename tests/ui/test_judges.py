"""The page Judges, through app.py: the recorded judge of the sample, and a judge on loopback."""

import json

import polars as pl
import pytest

from qaviz.analysis.decision import decide
from qaviz.analysis.gate import gate
from qaviz.analysis.history import compare_measurements
from qaviz.analysis.labels import heard_opinions
from qaviz.analysis.outcomes import mark_sampled, random_order
from qaviz.analysis.run_changes import RunSide
from qaviz.judging.prompts import Judge
from qaviz.judging.runs import ALL, Only, import_grades, journal_of, judge_run
from qaviz.llm import Settings, open_session
from qaviz.model.columns import GRADE, JUDGE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.report.decision import report_saved
from qaviz.runs import import_sample, save_judged
from qaviz.store.labels import keep_labels, kept_grades, kept_labels, known_judges, take_back_labels
from tests.builders import SAMPLE, save_rows, save_sample
from tests.judging.scripted import by_golden, judge_script
from tests.llm_server import serve
from tests.screen import drawn, line_with, numbers_in, open_page, texts

LABELS = pl.read_ndjson(SAMPLE / "labels.jsonl")


@pytest.fixture(autouse=True)
def _no_server(monkeypatch):
    """No server of the person who runs the tests is asked."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_the_sample_has_a_recorded_judge(served):
    """The recording answers every request of the default rubric, and the page says that it is one."""
    run = import_sample(SAMPLE, served)
    (judge,) = known_judges(served, run)
    assert (judge.recorded, judge.responses) == (True, 29)
    app = open_page("judges")
    assert not app.exception
    said = texts(app)
    assert "Recorded: " in said
    assert {"0", "29"} <= numbers_in(line_with(app, "Uncalibrated:"))
    assert "unscored" not in said


def test_labels_make_the_judge_measured(served):
    """With the sample's labels the page says how far the judge agrees, with interval, and that labels are too few."""
    run = import_sample(SAMPLE, served)
    keep_labels(served, run, "Ana", LABELS)
    app = open_page("judges")
    assert not app.exception
    assert {"29", "95"} <= numbers_in(line_with(app, "Uncalibrated:"))
    assert {"29", "200"} <= numbers_in(line_with(app, "200 labels"))


def test_a_judge_may_decide_what_words_leave_open(served):
    """Keeping a run with the judge heard makes another run whose open rows follow the judge; the first stays."""
    run = save_sample(served)
    with serve(judge_script(lambda _: 0)) as server:
        settings = Settings(model="openai:stub", journal=journal_of(served, run), base_url=server.url)
        with open_session(settings) as session:
            found = judge_run(session, served, run, Judge(model="openai:stub"), Only(which=ALL))
    before = served.rows(run)
    judged = save_judged(run, served, found.judge, "judged", "Ana", "stand-in")
    rows = served.rows(judged)
    assert rows[JUDGE].count() == 29
    assert served.rows(run).equals(before, null_equal=True)
    moved = rows.filter(rows[VERDICT].ne_missing(before[VERDICT]))
    assert set(moved[VERDICT]) <= {"incorrect"}


def judged_forty(workspace):
    """A run of one pipeline with 80 open responses, 50 of them right; a judge that calls 60 right; 40 labels in the
    run's random order."""
    golden = [
        {"question_id": f"{i:02}", "question": f"What of {i}?", "answer": f"A tale of wood {i}."} for i in range(80)
    ]
    said = [
        {"question_id": f"{i:02}", "pipeline": "p", "response": f"Quite another story, number {i}."} for i in range(80)
    ]
    run = save_rows(workspace, golden, said, "open")
    rows = workspace.rows(run)
    grades = rows.select(QUESTION_ID, PIPELINE).cast(pl.String)
    right = pl.col(QUESTION_ID).cast(pl.Int64)
    as_judge = grades.with_columns(
        pl.when(right < 60).then(pl.lit("correct")).otherwise(pl.lit("incorrect")).alias(GRADE)
    )
    key, _ = import_grades(workspace, run, "grader", as_judge)
    as_person = grades.with_columns(
        pl.when(right < 50).then(pl.lit("correct")).otherwise(pl.lit("incorrect")).alias(LABEL)
    )
    for one in as_person[random_order(80)][:40].iter_slices(1):
        keep_labels(workspace, run, "Ana", one)
    return run, key


def test_labels_correct_the_share_of_a_judged_run(served):
    """A run that hears a judge has the labels of the same responses, who gave them and when; the board's share is then
    the prediction-powered one, near the truth of 62.5 % where the judge alone says 75 %."""
    run, key = judged_forty(served)
    judged = save_judged(run, served, key, "judged", "Ana", "stand-in")
    assert kept_labels(served, judged).equals(kept_labels(served, run))
    rows = served.rows(judged)
    (row,) = decide(
        rows, served.golden(run.golden_id), (), mark_sampled(kept_labels(served, judged), rows)
    ).ranking.to_dicts()
    assert (row["labelled"], row["corrected_by_labels"]) == (40, True)
    assert "PPI++" in row["method"]
    assert row["low"] < 0.625 < row["high"]
    assert abs(row["share"] - 0.625) < 0.1
    assert take_back_labels(served, run, "Ana").height == 1
    assert kept_labels(served, judged).height == 39


def test_which_judge_was_heard_is_said(served):
    """The board, Runs, the gate and the decision pack name the judge; History never tests a step from one judge to
    another."""
    run, key = judged_forty(served)
    judged = save_judged(run, served, key, "judged", "Ana", "stand-in")
    assert (run.judge, judged.judge, judged.scorer) == ("", f"grader, not probed ({key})", run.scorer)
    said = texts(open_page("board", run=judged.run_id))
    assert "Judge of unsure verdicts" in said
    assert said.count(key) == 2
    assert "grader" not in texts(open_page("board", run=run.run_id))
    assert key in json.dumps(drawn(open_page("runs", run=judged.run_id), "runs"))
    pack = report_saved(served, judged, judged.created_at)
    assert any(name == "Judge" and key in said for name, said in pack.record["measured"].items())
    numbers = {run.golden_id: 1}
    (change,) = compare_measurements(run, judged, numbers)
    assert change.startswith("judge none → grader")
    side, before = (
        RunSide(run=one, golden=served.golden(one.golden_id), rows=served.rows(one)) for one in (judged, run)
    )
    assert any(key in note for note in gate(side, before).notes)
    assert not any("Judges differ" in note for note in gate(side, side).notes)
    app = open_page("compare", run=judged.run_id, against=run.run_id)
    assert "Judges differ" in texts(app)


def test_where_rules_and_judge_differ_is_listed(served):
    """Diagnostics shows verdict, judge and people, but not to who labels blind, can show only where verdict and judge
    differ; a run without a judge has neither switch nor column."""
    run = import_sample(SAMPLE, served)
    (judge,) = known_judges(served, run)
    opinions = heard_opinions(served.rows(run), kept_grades(served, run, judge.key), LABELS, run.thresholds)
    differing = opinions.filter("differs")
    assert 0 < differing.height < opinions.height
    for shown in (run, save_judged(run, served, judge.key, "judged", "Ana", "stand-in")):
        for blind in ("no", "yes"):
            app = open_page("responses", run=shown.run_id, differ="yes", labels="Label responses", blind=blind)
            assert not app.exception
            listed = drawn(app, "responses")
            assert len(listed["rows"]) == differing.height
            assert ("Verdict, judge, people" in json.dumps(listed)) is (blind == "no")
    golden = [{"question_id": "q", "question": "Who?", "answer": "Ann", "fact": "Ann"}]
    given = [{"question_id": "q", "pipeline": "P", "response": "Ann."}]
    bare = open_page("responses", run=save_rows(served, golden, given, "bare").run_id)
    assert "Verdict, judge, people" not in json.dumps(drawn(bare, "responses"))
    assert not [each for each in bare.toggle if each.key == "switch_differ"]


def test_asking_from_the_page(served, monkeypatch):
    """The form estimates, then asks in the background; what is wrong with it is said."""
    run = save_sample(served)
    with serve(judge_script(by_golden)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        app = open_page("judges")
        app.text_input[0].set_value("nonsense")
        app.button[0].click().run()
        assert "openai:NAME" in texts(app)
        app.text_input[0].set_value("openai:stub")
        app.button[0].click().run()
        assert "call" in texts(app)
        assert server.calls == []
    assert known_judges(served, run) == []
