"""The gate: what stops a run, what lets it pass, what nobody can tell, and how that is written."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson
import polars as pl
import pytest

from qaviz.analysis.gate import Losses, Result, Rules, Subject, count_questions_needed, decide_losses, gate
from qaviz.analysis.run_changes import compare_runs, count_changes
from qaviz.exports.gate_formats import as_json, as_junit, as_markdown, as_text
from qaviz.model import columns as c
from qaviz.model.classes import Measure
from qaviz.model.errors import QavizError
from qaviz.model.records import Criterion
from tests.analysis.builders import figures_in
from tests.analysis.past import side

HERE = Path(__file__).parent


def losses_of(broken: int, fixed: int, n: int, opened: int = 0, **other) -> Losses:
    """So many questions that broke and were fixed, and those that may have broken, of n."""
    sure = np.repeat([1.0, -1.0, 0.0], [broken, fixed, n - broken - fixed])
    most = sure.copy()
    most[n - opened :] = 1.0
    return Losses(least=sure, most=most, **other)


FIVE, ANY = Rules(), Rules(broken=10_000)
CASES = [
    # broken, fixed, n, more, rules, reason
    (0, 0, 1, {}, FIVE, "nothing"),
    (0, 30, 40, {}, FIVE, "nothing"),
    (0, 0, 0, {}, FIVE, "no question"),
    (1, 0, 200, {"critical": 1}, FIVE, "critical"),
    (2, 0, 40, {}, FIVE, "few"),
    (3, 0, 40, {}, FIVE, "many"),
    (1, 0, 19, {}, FIVE, "many"),
    (5, 5, 99, {}, FIVE, "many"),
    (5, 0, 100, {}, FIVE, "few"),
    (6, 0, 40, {}, ANY, "few"),
    (7, 0, 40, {}, ANY, "shown"),
    (7, 0, 400, {}, FIVE, "shown"),
    (1, 0, 300, {}, Rules(broken=0), "many"),
    (1, 0, 300, {}, FIVE, "excluded"),
    (1, 0, 300, {}, Rules(margin=0.005), "few"),
    (20, 20, 400, {}, FIVE, "excluded"),
    (15, 15, 200, {}, FIVE, "few"),
    (0, 0, 40, {"opened": 1}, FIVE, "open"),
    (0, 0, 300, {"opened": 1}, FIVE, "excluded"),
    (0, 0, 40, {"opened": 35, "contradicted": 35}, FIVE, "labels"),
    (1, 0, 300, {"by_labels": (-0.02, 0.08)}, FIVE, "few"),
    (9, 0, 400, {"by_labels": (-0.02, 0.08)}, FIVE, "few"),
]


@pytest.mark.parametrize(("broken", "fixed", "n", "more", "rules", "reason"), CASES)
def test_the_rule(broken: int, fixed: int, n: int, more: dict, rules: Rules, reason: str):
    """What so many broken and fixed questions of n come to."""
    assert decide_losses(losses_of(broken, fixed, n, **more), rules) == reason


def test_so_many_questions_would_tell():
    """With as large shares broken and fixed, the number that is named tells, and half of it does not; where the loss is
    about the margin, none does."""
    times = (count_questions_needed(losses_of(1, 0, 40), FIVE) or 0) // 40 + 1
    assert decide_losses(losses_of(times, 0, 40 * times), ANY) != "few"
    assert decide_losses(losses_of(times // 2, 0, 20 * times), ANY) == "few"
    assert count_questions_needed(losses_of(20, 20, 100), Rules(margin=0.001)) is None


def drop_of(found) -> tuple[Result, tuple[str, ...]]:
    """Result and broken questions of the check of right answers."""
    (check,) = [check for check in found.checks if check.subject is Subject.DROP]
    return check.result, check.questions


@pytest.mark.parametrize("agree", [False, True])
def test_people_of_one_run_and_verdicts_of_the_other_are_not_compared(agree: bool):
    """Row 3 of the measured ones: of 60 responses people rejected 35 that words accept; the new run words 45 alike, and
    15 are wrong. Neither better nor worse can be told; nor can it where the 15 are among those that people rejected."""
    wrong = range(45, 60) if agree else [*range(5), *range(50, 60)]
    labels = {str(n + 1): "correct" if n < 25 else "incorrect" for n in range(60)}
    before = side("1old " * 60, labels=labels)
    now = side(" ".join("0new" if n in wrong else "1new" for n in range(60)))
    found = gate(now, before)
    assert found.result is Result.UNKNOWN
    assert set(found.changes["change"]) == {"changed"}
    assert "35 labels" in found.checks[0].sentence


def test_a_label_holds_for_the_same_text_in_both_runs():
    """People rejected the baseline's answers; the run that repeats them word for word breaks and fixes nothing, and
    whoever labels both texts is believed on both."""
    labels = {str(n): "incorrect" for n in range(1, 41)}
    assert gate(side("1x " * 40), side("1x " * 40, labels=labels)).result is Result.PASS
    broken = gate(side("1y " * 40, labels=labels), side("0x " * 40, labels=dict.fromkeys(labels, "correct")))
    assert drop_of(broken)[0] is Result.FAIL
    assert set(broken.changes["change"]) == {"broken"}


def test_one_shared_question_tells_nothing():
    """Row 13: one question of 31 is shared and equal, 30 new ones are wrong: exit 3, by the shared questions."""
    letters = [chr(0x5000 + place) for place in range(61)]
    before = side("1x " * 31, "".join(letters[:31]))
    now = side("1x " + "0x " * 30, letters[0] + "".join(letters[31:]))
    found = gate(now, before)
    assert (found.result, drop_of(found)[0]) == (Result.UNKNOWN, Result.PASS)
    assert [check.sentence[:7] for check in found.checks if check.subject is Subject.SHARED] == ["1 of 31"]
    assert gate(side("1x " * 28, "".join(letters[:28])), before).result is Result.PASS


def with_expenses(run, latency: float, cost: float, seed: int):
    spread = np.random.default_rng(seed).lognormal(0, 0.3, run.rows.height)
    return replace(
        run, rows=run.rows.with_columns(pl.Series("latency_ms", latency * spread), pl.Series("cost", cost * spread))
    )


@pytest.mark.parametrize(
    ("times", "criteria", "result"),
    [
        (3, [], Result.FAIL),
        (1, [], Result.PASS),
        (1.4, [], Result.PASS),
        (1.4, [Criterion(measure=Measure.LATENCY, bound=0.1, than="baseline")], Result.FAIL),
        (1.0, [Criterion(measure=Measure.COST_P95, bound=0.9, than="baseline")], Result.PASS),
        (3, [Criterion(measure=Measure.LATENCY_P95, bound=0.5, than="baseline")], Result.FAIL),
        (1.4, [Criterion(measure=Measure.COST, bound=b, than="baseline") for b in (0.1, 0.9)], Result.FAIL),
    ],
)
def test_slower_and_dearer(times: float, criteria: list[Criterion], result: Result):
    """Row 15: three times slower and dearer is no pass; a policy sets the margin, of median and of p95."""
    now, before = (with_expenses(side("1x " * 60), 100 * by, 0.01 * by, seed) for seed, by in ((1, times), (2, 1)))
    assert gate(now, before, criteria=criteria).result is result


@pytest.mark.parametrize(("bound", "result"), [(0.02, Result.FAIL), (0.9, Result.PASS)])
def test_margins_against_the_baseline(bound: float, result: Result):
    """A criterion `than = "baseline"` measures every share and score against the counterpart, question by question."""
    now, before = side("dy " * 20 + "1x " * 280), side("1x " * 300)
    rules = Rules(margin=0.5, broken=300)
    criteria = [Criterion(measure=Measure.DECLINED, bound=bound, than="baseline")]
    checks = gate(now, before, criteria=criteria, rules=rules).checks
    assert [check.result for check in checks if check.subject is Subject.CRITERION] == [result]


def test_flags_and_tags_of_the_golden_dataset_are_no_doing_of_the_pipeline():
    """Ten questions that are marked unanswerable now are not compared; one that is critical no more is named."""
    before = side("1x " * 200, tags=["critical"] * 2 + [None] * 198)
    now = side("1x " * 190 + "0y " * 10, tags=["critical"] + [None] * 199, answerable=[True] * 190 + [False] * 10)
    found = gate(now, before)
    assert drop_of(found)[0] is Result.PASS
    assert figures_in(found.notes[0])[:2] == ["190", "10"]
    assert any("No longer tagged critical" in note and note.endswith("2.") for note in found.notes)


def test_a_critical_question_may_not_break():
    """In every repeat it has to be right; an open one cannot be told; each is named, and one that moved is found."""
    tags = {"tags": ["critical"] * 3 + [None] * 297}
    before = side("1x " * 300, **tags)
    for marks, result in (("0y 1x 1x ", Result.FAIL), ("?y 1x 1x ", Result.UNKNOWN), ("1y 1z 1x ", Result.PASS)):
        found = gate(side(marks + "1x " * 297, **tags), before)
        (check,) = [check for check in found.checks if check.subject is Subject.CRITICAL]
        assert (check.result, check.questions) == (result, ("1",) if result is not Result.PASS else ())


def test_a_critical_question_of_the_baseline_may_not_get_lost():
    """Where it is asked no more nobody can tell whether it broke, though all others are right as before."""
    before = side("1x " * 40, tags=[None] * 39 + ["critical"])
    for now, result in ((side("1x " * 39), Result.UNKNOWN), (side("1x " * 40), Result.PASS)):
        lost = [check.questions for check in gate(now, before).checks if check.subject is Subject.CRITICAL]
        assert (gate(now, before).result, lost) == (result, [("40",)] * (result is Result.UNKNOWN))


def test_critical_questions_meet_as_all_questions_do():
    """Other blanks around its words lose none; of two with the same words the one that is gone is named."""
    names, tags = [chr(0x5000 + place) for place in range(39)], {c.TAGS: [None] * 38 + ["critical"]}
    spaced, once = side("1x " * 39, [*names[:-1], f" {names[-1]} "]), side("1x " * 39, names)
    twice = side("1x " * 40, [*names, names[-1]], tags=[*tags[c.TAGS], "critical"], fact=["f"] * 39 + ["g"])

    assert gate(spaced, side("1x " * 39, names, **tags)).result is Result.PASS
    lost = [check.questions for check in gate(once, twice).checks if check.name == "all pipelines"]
    assert (lost, gate(once, twice).result) == ([("40",)], Result.UNKNOWN)


def test_nothing_in_common_is_refused_with_a_way_out():
    """Runs over other questions, and over the same questions with other triplets, are not compared."""
    with pytest.raises(QavizError, match=r"no question in both"):
        gate(side("1x", "a"), side("1x", "b"))
    with pytest.raises(QavizError, match=r"no question with the same triplet in both.+Import the baseline's responses"):
        gate(side("1x", "a"), side("1x", "a", fact=["g"]))


def test_pipelines_meet_by_name_or_as_they_are_paired():
    """Equal names are compared and the others said; a run of one pipeline is compared with a run of one. The lines
    before the checks say so."""
    one, other = side("1x 1x"), side("1x 1x", pipeline="B")
    both = replace(one, run=replace(one.run, pipelines=("A", "B")), rows=pl.concat([one.rows, other.rows]))
    other, both = (replace(run, run=replace(run.run, run_id=key)) for run, key in ((other, "b"), (both, "c")))
    assert gate(one, one).pairing == ()
    assert gate(one, other).compared["second"][0] == "B (baseline)"
    for written in (as_text(gate(one, other)), as_markdown(gate(one, other))):
        assert 'Compared: "A" with "B" of the run before.' in "".join(written.split("\n")[1:3])
    assert gate(both, one, [("B", "A")]).compared["first"].unique().to_list() == ["B (now)"]
    renamed, left_out = gate(both, one, [("B", "A")]).pairing
    assert renamed == 'Compared: "B" with "A" of the run before.'
    assert (left_out.startswith("Not compared"), left_out.endswith(": A.")) == (True, True)
    with pytest.raises(QavizError) as caught:
        gate(both, one, [("X", "A"), ("B", "Y")])
    assert [problem.found for problem in caught.value.problems] == ['no pipeline "X"', 'no pipeline "Y"']


def repeated(*pictures: str, **columns):
    """A run of A that answers each question once for each picture."""
    parts = [side(picture, **columns) for picture in pictures]
    names = [pl.lit(f"A · repeat {n}").alias(c.PIPELINE) for n in range(len(parts))]
    rows = [
        part.rows.with_columns(name, pl.lit("A").alias(c.REPEAT_OF)) for part, name in zip(parts, names, strict=True)
    ]
    return replace(parts[0], rows=pl.concat(rows))


def test_repeats_are_one_pipeline_whichever_run_has_them():
    """A run with repeats meets one without under the pipeline's name; a critical question has to be right in every
    repeat, and every repeat has to answer every question."""
    tags = {"tags": ["critical"] * 2 + [None] * 28}
    once, twice = side("1x " * 30), repeated("1x " * 30, "0y " + "1x " * 28 + "--", **tags)
    for found in (gate(twice, once), gate(once, twice), gate(twice, twice)):
        assert found.compared["paired"].to_list() == [30, 0, 30, 30, 30]
        assert found.pairing == ()
    said = {check.subject: (check.result, check.questions) for check in gate(twice, once).checks}
    assert said[Subject.CRITICAL] == (Result.FAIL, ("1",))
    assert said[Subject.MISSING] == (Result.FAIL, ("30",))


def test_a_question_right_in_fewer_repeats_is_neither_broken_nor_open():
    """From three right answers of three to two of three: nothing is left to decide, and Compare counts the same."""
    before, now = repeated(*["1x " * 30] * 3), repeated("1x " * 30, "1x " * 30, "0y " + "1x " * 29)
    drop = next(check for check in gate(now, before).checks if check.subject is Subject.DROP)
    assert (drop.result, drop.questions) == (Result.UNKNOWN, ())
    assert "1 right in fewer" in drop.sentence
    assert "may have broken" not in drop.sentence
    counts = count_changes(compare_runs(before, now))
    assert list(counts.values()) == [0, 0, 1, 29]  # fixed, broken, changed, the same


def full_gate():
    """A gate with every kind of check and result."""
    tags = {c.TAGS: ["critical"] * 2 + [None] * 38, c.CATEGORY: ["income"] * 20 + ["people"] * 20}
    now, before = side("0y 1x " + "1x " * 37 + "0z", **tags), side("1x " * 39 + "1x", **tags)
    criteria = [
        Criterion(measure=Measure.DECLINED, bound=0.05),
        Criterion(measure=Measure.HALLUCINATIONS, bound=0.01, category="people"),
        Criterion(measure=Measure.CORRECT, bound=0.5, than="baseline"),
    ]
    sides = [with_expenses(run, 100, 0.01, 1) for run in (now, before)]
    named = [
        replace(run, run=replace(run.run, name=name))
        for run, name in zip(sides, ("Release 13", "Release 12"), strict=True)
    ]
    return gate(named[0], named[1], criteria=criteria)


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
