"""The gate: what stops a run, what lets it pass, and what there are not enough questions to tell."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import orjson
import polars as pl
import pytest

from qaviz.analysis.gate import GateRun, Result, Subject, gate
from qaviz.exports.gate_formats import FORMATS, as_json, as_junit, as_markdown, as_text
from qaviz.model.classes import Diagnosis, Measure
from qaviz.model.columns import ANSWERABLE, CATEGORY, FACT, QUESTION, REPEAT, REPEAT_OF, TAGS
from qaviz.model.errors import QavizError
from qaviz.model.records import Criterion, Run, Thresholds
from tests.analysis.builders import figures_in, matrix_rows, response_row, response_rows
from tests.builders import golden_table

HERE = Path(__file__).parent


def gate_run(name, stated, questions=None, **columns):
    """A run from a picture of its facts (see `matrix_rows`), over triplets whose texts tell their places."""
    places = range(1, (questions or max(map(len, stated.values()))) + 1)
    golden = golden_table({QUESTION: f"Question {place}?", "answer": "An answer.", FACT: "x"} for place in places)
    rows = matrix_rows(stated) if isinstance(stated, dict) else stated
    return GateRun(
        run=Run(
            run_id=f"id-of-{name}",
            name=name,
            created_at=datetime(2026, 1, 2, tzinfo=UTC),
            golden_id="golden",
            pipelines=tuple(stated),
            questions=golden.height,
            responses=rows.height,
            thresholds=Thresholds(),
            engine="qaviz 0",
            sources=(),
            listed_counts={},
        ),
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
    before = gate_run("before", {"A": "1" * 60}, **{TAGS: ["critical"] * 2 + [None] * 58})
    now = gate_run("now", {"A": "1" * 50 + "0" * 10}, **{TAGS: ["critical"] + [None] * 59})
    answerable = pl.int_range(pl.len()) < 50
    now = replace(now, golden=now.golden.with_columns(answerable.alias(ANSWERABLE)))
    found = gate(now, before)

    assert found.result is Result.PASS
    assert set(found.compared["paired"]) <= {50, 0}
    assert figures_in(found.notes[0])[:2] == ["50", "10"]
    assert any("No longer tagged critical" in note and note.endswith("2.") for note in found.notes)


def test_a_critical_question_that_begins_to_fail_stops_the_run():
    """Of the questions tagged critical those that were right and no longer are stop the run, each by its name."""
    tags = {TAGS: ["critical", "critical", "other", "critical", "critical"] + [None] * 60}
    now = gate_run("now", {"A": "01010" + "1" * 60}, **tags)
    before = gate_run("before", {"A": "11100" + "1" * 60})

    (check,) = [check for check in gate(now, before).checks if check.subject is Subject.CRITICAL]

    assert (check.result, check.sentence) == (Result.FAIL, "A: 1 critical question no longer right: 1.")


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        pytest.param("11", "A: each of 2 critical questions that passed before still does.", id="still right"),
        pytest.param("1 ", "A: 1 critical question no longer right: 2.", id="no response is not right"),
    ],
)
def test_missing_is_no_pass_of_a_critical_question(now, sentence):
    """A critical question that was right has to be right again, not only not wrong."""
    found = gate(gate_run("now", {"A": now}, 2, **{TAGS: ["critical"] * 2}), gate_run("before", {"A": "11"}))

    assert sentence in [check.sentence for check in found.checks]


def test_an_unsure_verdict_is_no_pass_of_a_critical_question():
    """A critical question whose response cannot be judged any more is named."""
    rows = response_rows([response_row("1", "A", diagnosis=Diagnosis.UNSCORED)])
    now = replace(gate_run("now", {"A": "1"}, **{TAGS: ["critical"]}), rows=rows)

    assert results(gate(now, gate_run("before", {"A": "1"})), Subject.CRITICAL) == [Result.FAIL]


def test_a_missing_response_stops_the_run():
    """A question without a response fails by its name, though every response that is there is right."""
    found = gate(gate_run("now", {"A": "1" * 29}, 30), gate_run("before", {"A": "1" * 30}))

    (check,) = [check for check in found.checks if check.subject is Subject.MISSING]
    assert check.result is Result.FAIL
    assert figures_in(check.sentence) == ["29", "30", "30"]
    assert found.result is Result.FAIL


@pytest.mark.parametrize(
    ("bound", "result"),
    [(0.5, Result.PASS), (0.9, Result.UNKNOWN), (1.0, Result.FAIL)],
    ids=["met", "not shown", "not met"],
)
def test_criteria(bound, result):
    """A criterion that is met passes, one that is not met fails, one that is not shown is unknown."""
    now = gate_run("now", {"A": "1" * 38 + "00"})
    criteria = [Criterion(measure=Measure.FACTS_STATED, bound=bound)]

    assert results(gate(now, now, criteria=criteria), Subject.CRITERION) == [result]


def test_the_worst_check_is_the_result():
    """One failure fails all; without one, one unknown is the result."""
    steady = gate_run("steady", {"A": "1" * 20, "B": "1" * 20})
    few = gate_run("few", {"A": "1" * 20, "B": "1" * 18 + "00"})
    worse = gate_run("worse", {"A": "0" * 20, "B": "1" * 18 + "00"})

    assert [gate(run, steady).result for run in (steady, few, worse)] == [Result.PASS, Result.UNKNOWN, Result.FAIL]


def test_only_questions_with_the_same_triplet_are_compared():
    """Where the golden datasets differ the shared questions are compared, and it is said how many are not."""
    now, before = gate_run("now", {"A": "1" * 12}), gate_run("before", {"A": "0" * 2 + "1" * 10})
    changed = pl.when(pl.col("question_id").is_in(["1", "2"])).then(pl.lit("another")).otherwise(FACT)
    found = gate(now, replace(before, golden=before.golden.with_columns(changed.alias(FACT))))

    assert found.compared["paired"].to_list() == [10] * 5
    assert figures_in(found.notes[0]) == ["10", "2", "2"]


def test_questions_meet_by_their_texts():
    """Where ids are places in a file, a new first question moves all of them: the others are compared all the same, and
    named by the run's ids. Texts that two triplets of a golden dataset share say too little to meet by."""
    now = gate_run("now", {"A": "0" * 2 + "1" * 8}, **{TAGS: ["critical"] * 10})
    before = gate_run("before", {"A": "1" * 9}, 9)
    moved = pl.format("Question {}?", pl.col("question_id").cast(pl.Int64) + 1).alias(QUESTION)
    before = replace(before, golden=before.golden.with_columns(moved))

    found = gate(now, before)
    assert found.compared["paired"].to_list() == [9] * 5
    assert "A: 1 critical question no longer right: 2." in [check.sentence for check in found.checks]
    assert figures_in(found.notes[0]) == ["9", "1", "0"]

    alike = pl.when(pl.col("question_id").is_in(["8", "9"])).then(pl.lit("Question 9?")).otherwise(QUESTION)
    assert (
        gate(now, replace(before, golden=before.golden.with_columns(alike.alias(QUESTION))))
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
    other = replace(before, golden=before.golden.with_columns(pl.lit("Another?").alias(QUESTION)))

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
    return replace(run, rows=run.rows.with_columns(number.alias(REPEAT), pl.lit("RAG").alias(REPEAT_OF)))


def test_repeats_are_one_pipeline_whichever_run_has_them():
    """A run with repeats meets one without under the pipeline's name: a test a metric, each question once."""
    once, twice = gate_run("once", {"RAG": "1" * 30}), repeated_run("twice", "1" * 30, "1" * 25 + "0" * 5)

    for found in (gate(twice, once), gate(once, twice), gate(twice, twice)):
        assert [(row["first"], row["paired"]) for row in found.compared.to_dicts()] == [("RAG (now)", 30)] * 5
        assert not [note for note in found.notes if note.startswith("Not compared")]
    assert gate(twice, once).compared["mean_first"][0] == pytest.approx(55 / 60)


def test_a_repeat_that_fails_or_is_missing_counts():
    """A critical question has to be right in every repeat, and every repeat has to answer every question."""
    tags = {TAGS: ["critical"] * 2 + [None] * 28}
    once = gate_run("once", {"RAG": "1" * 30})
    found = gate(repeated_run("now", "1" * 30, "0" + "1" * 28 + " ", **tags), once)

    said = {check.subject: (check.result, check.sentence) for check in found.checks}
    assert said[Subject.CRITICAL] == (Result.FAIL, "RAG: 1 critical question no longer right: 1.")
    missing = "RAG: a response to 29 of 30 questions in each of 2 repeats; not each time to 30."
    assert said[Subject.MISSING] == (Result.FAIL, missing)


HOSTILE = "<img src=x>|**b** @all \x1b[31m\ud800".encode("utf-8", "replace").decode() + "\x00"


def full_gate():
    """A gate with every kind of check and result."""
    tags = {TAGS: ["critical"] * 2 + [None] * 38, CATEGORY: ["income"] * 20 + ["people"] * 20}
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


@pytest.mark.parametrize(
    ("emptied", "critical", "subject", "result"),
    [
        (10, 0, Subject.MISSING, Result.FAIL),
        (1, 0, Subject.MISSING, Result.PASS),
        (1, 1, Subject.CRITICAL, Result.FAIL),
    ],
)
def test_silence_beyond_chance_or_on_a_critical_question_fails(emptied, critical, subject, result):
    """Responses that became empty fail the gate where they are more than noise, or one was right on a critical one."""
    tags = {TAGS: ["critical"] * critical + [None] * (60 - critical)}
    now, before = gate_run("now", {"A": "1" * 60}, **tags), gate_run("before", {"A": "1" * 60}, **tags)
    silent = pl.col("question_id").cast(pl.Int64) <= emptied
    now = replace(
        now, rows=now.rows.with_columns(pl.when(silent).then(pl.lit(" ")).otherwise("response").alias("response"))
    )

    checks = {check.subject: check for check in gate(now, before).checks}
    assert checks[subject].result is result, checks[subject].sentence
