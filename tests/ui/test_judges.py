"""The page Judges, through app.py: the recorded judge of the sample, and a judge on loopback."""

import polars as pl
import pytest

from qaviz.analysis.judges import agreement_by, compare_judges, side_by_side, switch_sentence
from qaviz.judging.answers import ALL, Only
from qaviz.judging.prompts import Judge
from qaviz.judging.runs import journal_of, judge_run
from qaviz.llm import Settings, open_session
from qaviz.model.columns import JUDGE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.runs import import_sample, save_judged
from qaviz.store import WORKSPACE_VARIABLE, KnownJudge, keep_labels, kept_grades, known_judges
from qaviz.store.grades import GRADES_SCHEMA
from tests.builders import SAMPLE, save_sample
from tests.judging.scripted import by_golden, judge_script
from tests.llm_server import serve
from tests.screen import open_page, texts

LABELS = pl.read_ndjson(SAMPLE / "labels.jsonl")


@pytest.fixture(autouse=True)
def served(workspace, monkeypatch):
    """The app serves the test's own workspace, and no server of the person who runs the tests."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return workspace


def test_the_sample_has_a_recorded_judge(served):
    """The recording answers every request of the default rubric, and the page says that it is one."""
    run = import_sample(SAMPLE, served)
    (judge,) = known_judges(served, run)
    assert (judge.recorded, judge.responses) == (True, 29)
    app = open_page("judges")
    assert not app.exception
    said = texts(app)
    assert "Recorded: these grades were written for demonstration" in said
    assert "Uncalibrated: 0 of 29 graded responses are labelled" in said
    assert "unscored" not in said


def test_labels_make_the_judge_measured(served):
    """With the sample's labels the page says how far the judge agrees, with interval, and that labels are too few."""
    run = import_sample(SAMPLE, served)
    keep_labels(served, run, "Ana", LABELS)
    app = open_page("judges")
    assert not app.exception
    said = texts(app)
    assert "of 29 labelled responses are judged as people do (95% interval" in said
    assert "200 labels (there are 29)" in said


def test_agreement_is_split_by_pipeline_category_and_length(served):
    """Every labelled response stands in one group of each split; the sums are those of the whole."""
    run = import_sample(SAMPLE, served)
    (judge,) = known_judges(served, run)
    rows = served.rows(run)
    table = side_by_side(rows, kept_grades(served, run, judge.key), LABELS, run.thresholds)
    found = agreement_by(table, rows)
    assert list(found) == ["pipeline", "category", "length"]
    assert {int(each["compared"].sum()) for each in found.values()} == {29}
    assert {int(each["agreed"].sum()) for each in found.values()} == {27}


def test_a_judge_may_decide_what_words_leave_open(served):
    """Keeping a run with the judge heard makes another run whose open rows follow the judge; the first stays."""
    run = save_sample(served)
    with serve(judge_script(lambda _: 0)) as server:
        settings = Settings(model="openai:stub", journal=journal_of(served, run), base_url=server.url)
        with open_session(settings) as session:
            found = judge_run(session, served, run, Judge(model="openai:stub"), Only(which=ALL))
    before = served.rows(run)
    judged = save_judged(run, served, found.judge, "judged", "Ana")
    rows = served.rows(judged)
    assert rows[JUDGE].count() == 29
    assert served.rows(run).equals(before, null_equal=True)
    moved = rows.filter(rows[VERDICT].ne_missing(before[VERDICT]))
    assert set(moved[VERDICT]) <= {"incorrect"}


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


def test_the_cheaper_judge_is_named_where_it_is_as_good():
    """Same labels met, a tenth of the cost: it is said; where it agrees less, it is not."""
    questions = [str(i) for i in range(60)]
    labels = pl.DataFrame(
        {QUESTION_ID: questions, PIPELINE: "p", LABEL: ["correct" if i % 3 else "incorrect" for i in range(60)]}
    )

    def grades(wrong: int, cost: float) -> pl.DataFrame:
        said = labels.with_row_index().select(
            QUESTION_ID,
            PIPELINE,
            pl.when(pl.col("index") < wrong).then(pl.lit("declined")).otherwise(LABEL).alias(JUDGE),
            pl.lit(cost).alias("cost"),
            pl.lit(1.0).alias("seconds"),
        )
        return pl.concat([pl.DataFrame(schema=GRADES_SCHEMA), said], how="diagonal")

    def judge(key: str) -> KnownJudge:
        return KnownJudge(key=key, model=f"openai:{key}", description={}, responses=60, last_used_at="")

    judges = [judge("dear"), judge("cheap")]
    rows = compare_judges(judges, {"dear": grades(0, 1.0), "cheap": grades(1, 0.1)}, labels)
    assert rows[0].cost_per_1000 == pytest.approx(1000)
    assert "openai:cheap" in (switch_sentence(rows) or "")
    worse = compare_judges(judges, {"dear": grades(0, 1.0), "cheap": grades(30, 0.1)}, labels)
    assert worse[1].p is not None
    assert worse[1].p < 0.01
    assert switch_sentence(worse) is None
