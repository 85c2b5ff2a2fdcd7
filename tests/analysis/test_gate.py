"""The gate: what stops a run, what lets it pass, what too few questions cannot tell, and a check of few of them."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import orjson
import polars as pl
import pytest

from qaviz.analysis.gate import (
    WHY,
    GateRun,
    PipelineEvidence,
    Result,
    Stop,
    Subject,
    choose_smoke_set,
    collect_outcomes,
    find_losses,
    gate,
)
from qaviz.analysis.outcomes import tabulate
from qaviz.cli import main
from qaviz.exports.gate_formats import FORMATS, as_json, as_junit, as_markdown, as_text
from qaviz.loading import Source
from qaviz.model import columns as c
from qaviz.model.classes import Measure
from qaviz.model.errors import QavizError
from qaviz.model.records import Criterion
from qaviz.runs import save
from tests.analysis.builders import figures_in, matrix_rows
from tests.analysis.past import run_of
from tests.analysis.test_decision import golden_of
from tests.analysis.test_decision import rows_of as responses_of
from tests.builders import draft_files, golden_table, write_jsonl

HERE = Path(__file__).parent


def gate_run(name, stated, questions=None, **columns):
    """A run from a picture of its facts (see `matrix_rows`), over triplets whose texts tell their places."""
    places = range(1, (questions or max(map(len, stated.values()))) + 1)
    golden = golden_table({c.QUESTION: f"Question {place}?", "answer": "An answer.", c.FACT: "x"} for place in places)
    rows = matrix_rows(stated) if isinstance(stated, dict) else stated
    return GateRun(
        run=run_of(1, run_id=f"id-of-{name}", name=name, golden_id="golden", engine="qaviz 0", pipelines=tuple(stated)),
        golden=golden.with_columns(pl.Series(column, values, pl.String) for column, values in columns.items()),
        rows=rows,
    )


def results(found, subject):
    return [check.result for check in found.checks if check.subject is subject]


@pytest.mark.parametrize(
    ("now", "before", "result"),
    [
        pytest.param("1" * 5 + "0" * 35, "1" * 30 + "0" * 10, Result.FAIL, id="a drop beyond chance"),
        pytest.param("1" * 30 + "0" * 10, "1" * 5 + "0" * 35, Result.PASS, id="a gain"),
        pytest.param("1" * 299 + "0", "1" * 300, Result.PASS, id="a drop within chance, of many questions"),
        pytest.param("1100", "1111", Result.UNKNOWN, id="a drop, of few questions"),
        pytest.param("1101", "1101", Result.PASS, id="nothing changed"),
        pytest.param("11--", "--11", Result.UNKNOWN, id="no question scored in both"),
    ],
)
def test_drops(now, before, result):
    """A drop beyond chance fails; without one it matters if a noticeable drop would have shown."""
    found = gate(gate_run("now", {"A": now}), gate_run("before", {"A": before}))

    drops = {check.name: check.result for check in found.checks if check.subject is Subject.DROP}
    assert drops["A, facts stated"] is result
    assert next(iter(drops)) == "A, right answers"


def test_flags_and_tags_of_the_golden_dataset_are_no_doing_of_the_pipeline():
    """Ten questions that are marked unanswerable now are not compared; one that is critical no more is named."""
    before = gate_run("before", {"A": "1" * 60}, **{c.TAGS: ["critical"] * 2 + [None] * 58})
    now = gate_run("now", {"A": "1" * 50 + "0" * 10}, **{c.TAGS: ["critical"] + [None] * 59})
    answerable = pl.int_range(pl.len()) < 50
    now = replace(now, golden=now.golden.with_columns(answerable.alias(c.ANSWERABLE)))
    found = gate(now, before)

    assert found.result is Result.PASS
    assert set(found.compared["paired"]) <= {50, 0}
    assert figures_in(found.notes[0])[:2] == ["50", "10"]
    assert any("No longer tagged critical" in note and note.endswith("2.") for note in found.notes)


def test_the_worst_check_is_the_result():
    """One failure fails all; without one, one unknown is the result."""
    steady = gate_run("steady", {"A": "1" * 20, "B": "1" * 20})
    few = gate_run("few", {"A": "1" * 20, "B": "1" * 18 + "00"})
    worse = gate_run("worse", {"A": "0" * 20, "B": "1" * 18 + "00"})

    assert [gate(run, steady).result for run in (steady, few, worse)] == [Result.PASS, Result.UNKNOWN, Result.FAIL]


def test_only_questions_with_the_same_triplet_are_compared():
    """Where the golden datasets differ the shared questions are compared, and it is said how many are not."""
    now, before = gate_run("now", {"A": "1" * 12}), gate_run("before", {"A": "0" * 2 + "1" * 10})
    changed = pl.when(pl.col("question_id").is_in(["1", "2"])).then(pl.lit("another")).otherwise(c.FACT)
    found = gate(now, replace(before, golden=before.golden.with_columns(changed.alias(c.FACT))))

    assert found.compared["paired"].to_list() == [10] * 5
    assert figures_in(found.notes[0]) == ["10", "2", "2"]


def test_questions_meet_by_their_texts():
    """Where ids are places in a file, a new first question moves all of them: the others are compared all the same, and
    named by the run's ids. Texts that two triplets of a golden dataset share say too little to meet by."""
    now = gate_run("now", {"A": "0" * 2 + "1" * 8}, **{c.TAGS: ["critical"] * 10})
    before = gate_run("before", {"A": "1" * 9}, 9)
    moved = pl.format("Question {}?", pl.col("question_id").cast(pl.Int64) + 1).alias(c.QUESTION)
    before = replace(before, golden=before.golden.with_columns(moved))

    found = gate(now, before)
    assert found.compared["paired"].to_list() == [9] * 5
    assert "A: 1 critical question no longer right: 2." in [check.sentence for check in found.checks]
    assert figures_in(found.notes[0]) == ["9", "1", "0"]

    alike = pl.when(pl.col("question_id").is_in(["8", "9"])).then(pl.lit("Question 9?")).otherwise(c.QUESTION)
    assert (
        gate(now, replace(before, golden=before.golden.with_columns(alike.alias(c.QUESTION))))
        .compared["paired"]
        .to_list()
        == [8] * 5
    )


def test_questions_that_only_the_baseline_has_are_said():
    """A golden dataset that lost questions is said to, so that nobody drops the hard ones unseen."""
    found = gate(gate_run("now", {"A": "1" * 10}), gate_run("before", {"A": "1" * 10 + "0" * 5}))

    assert figures_in(found.notes[0]) == ["10", "0", "5"]


def test_nothing_in_common_is_refused_with_a_way_out():
    """Runs over other questions are not compared."""
    now, before = gate_run("now", {"A": "1"}), gate_run("before", {"A": "1"})
    other = replace(before, golden=before.golden.with_columns(pl.lit("Another?").alias(c.QUESTION)))

    with pytest.raises(QavizError, match=r"no question with the same triplet in both.+Import the baseline's responses"):
        gate(now, other)


def test_pipelines_meet_by_name_or_as_they_are_paired():
    """Equal names are compared and the others said; a run of one pipeline is compared with a run of one."""
    one, two = gate_run("one", {"A": "11"}), gate_run("two", {"B": "11", "C": "11"})

    assert gate(one, gate_run("other", {"Z": "11"})).compared["second"][0] == "Z (baseline)"
    assert gate(two, one, [("C", "A")]).compared["first"].unique().to_list() == ["C (now)"]
    assert 'Not compared, of the run "two": B.' in gate(two, one, [("C", "A")]).notes
    with pytest.raises(QavizError, match=r"no pipeline of the same name.+--pair"):
        gate(two, one)
    with pytest.raises(QavizError) as caught:
        gate(two, one, [("X", "A"), ("B", "Y")])
    assert [problem.found for problem in caught.value.problems] == ['no pipeline "X"', 'no pipeline "Y"']


def repeated_run(name, *stated, **columns):
    """A run of one pipeline, RAG, that answers each question once for each picture of its facts."""
    names = {f"RAG · repeat {number}": marks for number, marks in enumerate(stated, start=1)}
    run = gate_run(name, names, **columns)
    number = pl.col("pipeline").str.tail(1)
    return replace(run, rows=run.rows.with_columns(number.alias(c.REPEAT), pl.lit("RAG").alias(c.REPEAT_OF)))


def test_repeats_are_one_pipeline_whichever_run_has_them():
    """A run with repeats meets one without under the pipeline's name: a test a metric, each question once."""
    once, twice = gate_run("once", {"RAG": "1" * 30}), repeated_run("twice", "1" * 30, "1" * 25 + "0" * 5)

    for found in (gate(twice, once), gate(once, twice), gate(twice, twice)):
        assert [(row["first"], row["paired"]) for row in found.compared.to_dicts()] == [("RAG (now)", 30)] * 5
        assert not [note for note in found.notes if note.startswith("Not compared")]
    assert gate(twice, once).compared["mean_first"][0] == pytest.approx(55 / 60)


def test_a_repeat_that_fails_or_is_missing_counts():
    """A critical question has to be right in every repeat, and every repeat has to answer every question."""
    tags = {c.TAGS: ["critical"] * 2 + [None] * 28}
    once = gate_run("once", {"RAG": "1" * 30})
    found = gate(repeated_run("now", "1" * 30, "0" + "1" * 28 + " ", **tags), once)

    said = {check.subject: (check.result, check.sentence) for check in found.checks}
    assert said[Subject.CRITICAL] == (Result.FAIL, "RAG: 1 critical question no longer right: 1.")
    missing = "RAG: a response to 29 of 30 questions in each of 2 repeats; not each time to 30."
    assert said[Subject.MISSING] == (Result.FAIL, missing)


HOSTILE = "<img src=x>|**b** @all \x1b[31m\ud800".encode("utf-8", "replace").decode() + "\x00"


def full_gate():
    """A gate with every kind of check and result."""
    tags = {c.TAGS: ["critical"] * 2 + [None] * 38, c.CATEGORY: ["income"] * 20 + ["people"] * 20}
    now = gate_run("Release 13", {"A": "01" + "1" * 38, "B": "0" * 25 + "1" * 14}, 40, **tags)
    before = gate_run("Release 12", {"A": "1" * 40, "B": "1" * 40})
    criteria = [
        Criterion(measure=Measure.FACTS_STATED, bound=0.8),
        Criterion(measure=Measure.HALLUCINATIONS, bound=0.01, category="people"),
    ]
    return gate(now, before, criteria=criteria)


@pytest.mark.parametrize(("form", "file"), [(as_markdown, "gate.md"), (as_text, "gate.txt"), (as_junit, "gate.xml")])
def test_written_as_the_golden_file(form, file):
    """The report reads, character for character, as the file beside this test."""
    assert form(full_gate()) + "\n" == (HERE / "golden" / file).read_text("utf-8")


def rounded(value):
    """JSON with its numbers to nine digits: the last bits are the processor's."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def test_written_as_the_golden_json():
    """The JSON holds what the file beside this test holds."""
    expected = orjson.loads((HERE / "golden" / "gate.json").read_bytes())

    assert rounded(orjson.loads(as_json(full_gate()))) == rounded(expected)


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_names_stay_texts(form):
    """A name from a file is no markup, no column, no mention and no control sequence in what is handed on."""
    now = gate_run("now", {HOSTILE: "1"})
    written = FORMATS[form](gate(now, gate_run("before", {HOSTILE: "1"})))

    if form == "junit":
        assert not {"img", "b"} & {each.tag for each in ElementTree.fromstring(written).iter()}
    if form == "json":
        assert orjson.loads(written)["checks"][0]["name"].startswith(HOSTILE)
    if form == "md":
        lines = [line for line in written.splitlines() if line.startswith("| ✓ | drop")]
        assert all(line.replace("\\|", "").count("|") == 4 for line in lines)
        assert "<img" not in written.replace("\\<", "")
        assert "@all" not in written
    if form in ("md", "junit"):
        assert "\x1b" not in written
        assert "\x00" not in written


N = 91


@pytest.mark.parametrize(
    ("before", "now", "sure", "worst"),
    [("1", "e", 1, 1), ("1", " ", 1, 1), ("1", "0", 1, 1), ("0", "1", -1, -1), ("1", "?", 0, 0), ("?", "?", 0, 0)],
)
def test_silence_is_a_loss_in_a_fast_check(before: str, now: str, sure: int, worst: int):
    """A right answer that is empty or missing now has broken; the same text, though unsure
    now, has not changed. Ninety such silences stop the check as broken, and never as no loss."""
    golden = golden_of(N)
    lines = [mark * N if mark != " " else "1" + " " * (N - 1) for mark in (now, before)]
    texts = golden.select(c.QUESTION_ID, c.QUESTION)
    rows = [
        responses_of({"P": line}).drop(c.QUESTION).join(texts, on=c.QUESTION_ID, maintain_order="left")
        for line in lines
    ]
    sides = [tabulate(side, golden[c.QUESTION_ID]) for side in rows]
    questions = golden[c.QUESTION][1:]
    losses = find_losses(questions, *sides, ("P", "P"))

    assert set(losses.sure) == {sure}
    assert set(losses.worst) == {worst}
    evidence = PipelineEvidence(N, 1)
    stop = evidence.add(losses, chosen=False)
    assert (stop is Stop.BROKEN) == (sure == 1)
    assert stop is not Stop.NO_LOSS or worst <= 0


QUESTIONS = 200


@pytest.fixture
def golden():
    """200 questions of two categories: 5 unanswerable (ids 1 to 5), 8 critical (ids 6 to 13)."""
    return golden_table(
        {
            "question": f"question {number}?",
            "answerable": number > 5,
            "tags": "finance; critical" if 5 < number <= 13 else None,
            "category": "even" if number % 2 == 0 else "odd",
        }
        for number in range(1, QUESTIONS + 1)
    )


def rows_of(pipeline: str, wrong: set[int]) -> pl.DataFrame:
    said = ["incorrect" if number in wrong else "correct" for number in range(1, QUESTIONS + 1)]
    ids = [str(number) for number in range(1, QUESTIONS + 1)]
    texts = {c.RESPONSE: ["text"] * QUESTIONS}
    return pl.DataFrame({c.QUESTION_ID: ids, c.PIPELINE: [pipeline] * QUESTIONS, c.VERDICT: said, **texts})


def ids(chosen: pl.DataFrame, why: str) -> set[int]:
    return {int(each) for each in chosen.filter(pl.col(WHY).str.contains(why))[c.QUESTION_ID]}


def test_what_a_smoke_set_takes(golden):
    """Thirty questions hold unanswerable ones, every critical one, every question that told pipelines apart while there
    is room, and others of both categories; each says why."""
    runs = [pl.concat([rows_of("A", {20, 21, 22}), rows_of("B", {21, 30})]), rows_of("C", {40, 41, 42, 43})]
    chosen = choose_smoke_set(
        golden, collect_outcomes(golden, [tabulate(rows, golden[c.QUESTION_ID]) for rows in runs]), 30, seed=1
    )
    assert chosen.height == 30
    assert ids(chosen, "unanswerable") <= {1, 2, 3, 4, 5}
    assert len(ids(chosen, "unanswerable")) == 3
    assert ids(chosen, "critical") == set(range(6, 14))
    assert ids(chosen, "apart") == {20, 21, 22, 30, 40, 41, 42, 43}
    drawn = chosen.filter(pl.col(WHY) == "drawn at random")
    assert drawn.height == 11
    assert {5, 6} == set(Counter(drawn["category"]).values())


def test_a_set_of_few_covers_many_pairs_of_pipelines(golden):
    """Where many questions tell the same two pipelines apart, the few that tell others apart are taken too."""
    easy = golden.filter(pl.col(c.QUESTION_ID).cast(pl.Int64) > 13)
    outcomes = np.ones((easy.height, 3))
    outcomes[:100, 0] = 0.0
    outcomes[150, 2] = 0.0
    chosen = choose_smoke_set(easy, outcomes, 4, seed=0)
    assert easy[c.QUESTION_ID][150] in chosen[c.QUESTION_ID].to_list()


@pytest.mark.parametrize("size", [1, 2, 5, 30, 200, 500])
def test_unanswerable_questions_are_always_there(golden, size):
    """Of any size, with nothing known of pipelines, the set has an unanswerable question, no question twice, and as
    many as there are."""
    outcomes = collect_outcomes(golden, [])
    first, again, other = (choose_smoke_set(golden, outcomes, size, seed=seed) for seed in (7, 7, 8))
    assert first.equals(again)
    assert size >= QUESTIONS or not first.equals(other)
    assert ids(first, "unanswerable")
    assert first[c.QUESTION_ID].n_unique() == first.height == min(size, QUESTIONS)


def test_the_command_writes_a_golden_dataset_and_explains(tmp_path, workspace, capsys):
    """`golden sample --smoke` takes the runs of the workspace, writes a golden dataset and gives reasons."""
    facts = [{"question_id": f"q{n}", "question": f"Who is {n}?", "answer": "x", "fact": f"name{n}"} for n in range(9)]
    said = [
        {"question_id": f"q{n}", "pipeline": name, "response": f"It is name{n}." if n != wrong else "It is Bob."}
        for n in range(9)
        for name, wrong in (("A", 4), ("B", 7))
    ]
    files = [write_jsonl(tmp_path / name, rows) for name, rows in (("g.jsonl", facts), ("r.jsonl", said))]
    save(draft_files(Source.of(files[0]), [Source.of(files[1])]), workspace, "first")
    out = tmp_path / "smoke.jsonl"
    command = ["golden", "sample", "first", "--smoke", "3", "--out", str(out), "--workspace", str(workspace.folder)]
    assert main(command) == 0
    said = capsys.readouterr().out
    written = pl.read_ndjson(out)[c.QUESTION_ID].to_list()
    assert {"q4", "q7"} <= set(written)
    assert len(written) == 3
    assert "q4  told 1 of 1 pairs of pipelines apart" in said
