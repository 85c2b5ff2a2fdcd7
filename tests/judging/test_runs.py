"""Judging a run with a scripted judge on loopback: what is asked, kept, heard, and what it costs."""

import json
from dataclasses import replace

import polars as pl
import pytest

from qaviz.cli import main
from qaviz.judging.runs import find_judge, hear_judge, parse_only, select_rows
from qaviz.model.columns import CONFIDENCE, JUDGE, PIPELINE, QUESTION_ID, RESPONSE, VERDICT
from qaviz.model.errors import QavizError
from qaviz.store.labels import GRADES, UNSCORED, kept_grades, known_judges
from tests.builders import SAMPLE, save_sample
from tests.judging.scripted import arguments, by_golden, judge_script, nonce_of, texts_of
from tests.llm_server import Answer, Call, complete, fail, serve

pytestmark = pytest.mark.slow

ANSWERED = 29
"""Responses of the sample that are not blank: those a judge is asked about."""


@pytest.fixture
def run(workspace):
    return save_sample(workspace)


def judge(workspace, url: str, monkeypatch, capsys, *options: str) -> tuple[int, dict]:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    common = ["judge", "sample", "--model", "openai:stub", "--workspace", str(workspace.folder), "--format", "json"]
    code = main([*common, *options])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else {}


@pytest.mark.usefixtures("run")
def test_the_contract(workspace, monkeypatch, capsys):
    """`qaviz judge` prints asked, graded, unscored, calls and cost; a second run makes no call."""
    with serve(judge_script(by_golden)) as server:
        code, first = judge(workspace, server.url, monkeypatch, capsys, "--only", "all")
        again_code, again = judge(workspace, server.url, monkeypatch, capsys, "--only", "all")
        assert len(server.calls) == ANSWERED
    assert (code, again_code) == (0, 0)
    named = ("asked", "graded", "unscored", "calls", "cost")
    assert [first[name] for name in named] == [ANSWERED, ANSWERED, 0, ANSWERED, 0.0]
    assert [again[name] for name in named] == [ANSWERED, ANSWERED, 0, 0, 0.0]


@pytest.mark.usefixtures("run")
def test_a_sample_is_the_same_each_time_and_grows(workspace, monkeypatch, capsys):
    """sample:5 asks five responses, sample:9 four more; 0 and nonsense are refused."""
    with serve(judge_script(by_golden)) as server:
        _, five = judge(workspace, server.url, monkeypatch, capsys, "--only", "sample:5")
        _, nine = judge(workspace, server.url, monkeypatch, capsys, "--only", "sample:9")
    assert (five["asked"], five["calls"], nine["asked"], nine["calls"]) == (5, 5, 9, 4)
    for text in ("sample", "sample:0", "open:3", "some", ""):
        with pytest.raises(QavizError, match="--only"):
            parse_only(text)


def test_open_asks_the_least_sure_and_at_most_half(workspace, run):
    """Of 29 answered responses at most half are asked, verdicts of .9 only if they are drawn; blank ones are never
    asked."""
    rows = workspace.rows(run)
    chosen = select_rows(rows, parse_only("open"), run.thresholds)
    assert ANSWERED / 4 < chosen.height <= ANSWERED / 2
    assert chosen.filter(pl.col(CONFIDENCE) >= 0.9).height <= 3
    blank = rows.with_columns(pl.lit("  ").alias(RESPONSE))
    assert select_rows(blank, parse_only("all"), run.thresholds).is_empty()
    assert select_rows(blank, parse_only("open"), run.thresholds).is_empty()


def test_a_judge_moves_how_sure_verdicts_of_a_kind_are(workspace, run):
    """Heard against every verdict of .9, it turns none of them, and all of their kind are less sure; one that is less
    sure than that is turned."""
    rows = workspace.rows(run).cast({PIPELINE: pl.String})
    other = pl.when(pl.col(VERDICT) == "correct").then(pl.lit("incorrect")).otherwise(pl.lit("correct"))
    grades = rows.select(QUESTION_ID, PIPELINE, other.alias(JUDGE), pl.lit(None, pl.String).alias("judge_reason"))
    heard = hear_judge(rows, grades, run.thresholds)
    before, sure = rows[CONFIDENCE], (rows[CONFIDENCE] >= 0.9).fill_null(False)
    assert sure.sum() >= 5
    assert (heard[VERDICT] == rows[VERDICT]).filter(sure).all()
    assert (heard[CONFIDENCE] < before * 0.5).filter(sure).all()
    assert not (heard[VERDICT] == rows[VERDICT]).filter((before < 0.9) & (before > 0.6)).any()


def test_damaged_replies_are_unscored_and_counted(workspace, run, monkeypatch, capsys):
    """Of a hostile judge nothing becomes a grade: each reason is counted, exit code 1, and the good ones are kept."""

    def hostile(call: Call) -> Answer:
        good = json.dumps(arguments(call, 3))
        kinds = {
            0: complete("Correct! Grade 3/3."),
            1: complete(good + good),
            2: complete(good.replace('"grade": 3', '"grade": 30')),
            3: complete(None, refusal="I would rather not."),
            4: complete(good[:-30], finish="length"),
            5: complete(good.replace(nonce_of(call), "f" * 16)),
            6: fail(422, "no"),
        }
        return kinds.get(sum(map(ord, texts_of(call)["response"])) % 9, complete(good))

    with serve(hostile) as server:
        code, found = judge(workspace, server.url, monkeypatch, capsys, "--only", "all")
    assert code == 1
    assert found["asked"] == ANSWERED == found["graded"] + found["unscored"]
    assert sum(found["why_unscored"].values()) == found["unscored"] >= 10
    grades = kept_grades(workspace, run, found["judge"])
    assert grades.height == ANSWERED
    assert grades.filter(pl.col(UNSCORED).is_null())[GRADES].null_count() == 0
    assert grades.filter(pl.col(UNSCORED).is_not_null())[JUDGE].null_count() == found["unscored"]


def test_grades_stand_beside_the_run_by_judge(workspace, run, monkeypatch, capsys):
    """Two rubrics are two judges; each has its own grades, criterion by criterion, and the run stays as it was."""
    before = workspace.rows(run)
    with serve(judge_script(lambda _: {"correctness": 3, "comprehensiveness": 1, "readability": 2})) as server:
        _, few = judge(workspace, server.url, monkeypatch, capsys, "--only", "all")
        _, zero = judge(workspace, server.url, monkeypatch, capsys, "--only", "all", "--shots", "zero")
    assert few["judge"] != zero["judge"]
    assert [each.key for each in known_judges(workspace, run)] == [zero["judge"], few["judge"]]
    first = kept_grades(workspace, run, few["judge"]).row(0, named=True)
    assert [(each["criterion"], each["grade"]) for each in first[GRADES]] == [
        ("correctness", 3),
        ("comprehensiveness", 1),
        ("readability", 2),
    ]
    assert first["composite"] == pytest.approx(0.6 * 3 + 0.2 * 1 + 0.2 * 2)
    assert workspace.rows(run).equals(before, null_equal=True)


def test_a_recording_is_marked_as_one(workspace, run, monkeypatch, capsys, tmp_path):
    """--replay needs no server and no key, and the judge is known as recorded."""
    with serve(judge_script(by_golden)) as server:
        _, asked = judge(workspace, server.url, monkeypatch, capsys, "--only", "all")
    (journal,) = (workspace.folder / "journals").iterdir()
    recording = tmp_path / "recorded.jsonl"
    journal.rename(recording)
    monkeypatch.delenv("OPENAI_API_KEY")
    other = replace(workspace)
    _, found = judge(other, "http://127.0.0.1:9/v1", monkeypatch, capsys, "--only", "all", "--replay", str(recording))
    assert (found["graded"], found["calls"]) == (ANSWERED, 0)
    assert find_judge(workspace, run).key == asked["judge"]
    with pytest.raises(QavizError, match="no judge"):
        find_judge(workspace, run, "unknown")


@pytest.mark.usefixtures("run")
def test_another_judge_is_compared_with_the_one_before(workspace, monkeypatch, capsys):
    """When prompt, rubric or model change, the grades of responses that both judges graded are compared."""
    with serve(judge_script(by_golden)) as server:
        _, first = judge(workspace, server.url, monkeypatch, capsys, "--only", "all")
        _, second = judge(workspace, server.url, monkeypatch, capsys, "--only", "sample:3", "--shots", "zero")
        _, again = judge(workspace, server.url, monkeypatch, capsys, "--only", "sample:3", "--shots", "zero")
    assert first["anchor"] is None
    assert (second["asked"], second["anchor"]["value"], again["calls"]) == (3, 1.0, 0)


def test_another_graders_file_is_a_judge_too(workspace, run, capsys):
    """--grades takes a file's labels as a judge, without a model; it is heard and kept as any other."""
    common = ["judge", "sample", "--workspace", str(workspace.folder), "--format", "json"]
    assert (
        main([*common, "--grades", str(SAMPLE / "labels.jsonl"), "--save-as", "heard", "--despite-probes", "stand-in"])
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["asked"], found["graded"], found["calls"]) == (30, 30, 0)
    (known,) = known_judges(workspace, run)
    assert known.imported
    assert workspace.rows(workspace.find("heard"))[JUDGE].count() == 30
    assert main(common) == 2
    assert "no model" in capsys.readouterr().err
