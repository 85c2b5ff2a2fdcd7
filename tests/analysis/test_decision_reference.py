"""The decision's figures are those of a reference in plain Python that was written from docs/decision.md alone, over
random small runs; and what makes a response worse never helps its pipeline."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from qaviz.analysis.decision import Decision, decide
from qaviz.analysis.decision.choice import Kind
from qaviz.analysis.decision.words import MOST_WORDS
from qaviz.analysis.gate import Result, Subject, gate
from qaviz.analysis.history import history, outcomes_of
from qaviz.analysis.outcomes import tabulate
from qaviz.analysis.run_changes import CHANGE, RunSide, compare_runs
from qaviz.model import columns as c
from qaviz.model.classes import Measure
from qaviz.model.records import Criterion
from tests.analysis import decision_reference as plain
from tests.analysis.past import run_of

MEASURES = {"right": Measure.CORRECT, "hallucinations": Measure.HALLUCINATIONS, "declined": Measure.DECLINED}
KINDS = {
    "ship": Kind.AHEAD,
    "only one": Kind.MEETS,
    "tie broken": Kind.LEVEL,
    "tie": Kind.LEVEL,
    "no clear difference": Kind.NO_DIFFERENCE,
    "good enough": Kind.MEETS,
    "not good enough": Kind.MISSES,
    "too few": Kind.TOO_FEW,
    "open": Kind.OPEN,
    "misses criteria": Kind.MISSES,
    "behind on critical questions": Kind.MISSES,
    "not shown": Kind.TOO_FEW,
    "single": Kind.NOTHING,
    "not judged": Kind.NOTHING,
    "unsure": Kind.OPEN,
}
"""The kind of each situation that docs/decision.md has."""

CLASSES = {
    "correct": ("correct", "verbose", "rephrased-correct"),
    "incorrect": ("hallucination", "off target", "accidental match"),
    "declined": ("declined",),
    "unsure": ("off target", "unscored"),
}
"""Diagnoses by their verdicts."""


@dataclass(frozen=True)
class SmallRun:
    """A run as the reference takes it: by pipeline, for each question the slots of its repeats."""

    questions: tuple[plain.Question, ...]
    slots: Mapping[str, tuple[tuple[plain.Slot, ...], ...]]
    targets: tuple[plain.Target, ...] = ()

    def standings(self) -> list[plain.Standing]:
        return [plain.Standing(name, self.questions, slots, self.targets) for name, slots in self.slots.items()]

    def decision(self) -> Decision:
        """What qaviz says of it."""
        side = self.side()
        return decide(side.rows, side.golden, self.criteria(), side.labels)

    def criteria(self) -> list[Criterion]:
        return [Criterion(measure=MEASURES[target.measure], bound=target.bound) for target in self.targets]

    def side(self, run_id: str = "run") -> RunSide:
        """The run with its tables, as qaviz reads them."""
        golden = pl.DataFrame(
            {
                c.QUESTION_ID: [f"q{place}" for place in range(len(self.questions))],
                c.QUESTION: [f"Question {place}?" for place in range(len(self.questions))],
                c.ANSWERABLE: [question.answerable for question in self.questions],
                c.TAGS: ["critical" if question.critical else None for question in self.questions],
                c.CATEGORY: [None] * len(self.questions),
                c.ANSWER: ["an answer"] * len(self.questions),
                c.FACT: ["a fact"] * len(self.questions),
            },
            schema_overrides={c.CATEGORY: pl.String, c.TAGS: pl.String},
        )
        rows, labels = [], []
        for name, slots in self.slots.items():
            for place, repeats in enumerate(slots):
                for number, slot in enumerate(repeats):
                    pipeline = f"{name} · repeat {number}" if len(repeats) > 1 else name
                    key = {c.QUESTION_ID: f"q{place}", c.PIPELINE: pipeline}
                    if slot.response is None:
                        continue
                    judged = slot.verdict == "unsure" and slot.grade
                    rows.append(
                        key
                        | {
                            c.REPEAT_OF: name if len(repeats) > 1 else None,
                            c.RESPONSE: f"{slot.response} of {pipeline}" if slot.response.strip() else slot.response,
                            c.VERDICT: slot.grade if judged else slot.verdict,
                            c.DIAGNOSIS: slot.diagnosis,
                            c.COST: slot.cost,
                            c.LATENCY_MS: slot.latency,
                        }
                    )
                    if slot.label:
                        labels.append(key | {c.LABEL: slot.label, "drawn": False})
        schema = dict.fromkeys((c.QUESTION_ID, c.PIPELINE, c.REPEAT_OF, c.RESPONSE, c.VERDICT, c.DIAGNOSIS), pl.String)
        table = pl.DataFrame(rows, schema=schema | {c.COST: pl.Float64, c.LATENCY_MS: pl.Float64}, orient="row")
        table = table.join(golden, on=c.QUESTION_ID, maintain_order="left").with_columns(
            pl.lit(0.9).alias(c.CONFIDENCE),
            pl.lit("").alias(c.REASON),
            *(pl.lit(1.0).alias(metric) for metric in (c.FACTUAL_KNOWLEDGE, c.RECALL, c.PRECISION, c.F1)),
        )
        label_schema = {c.QUESTION_ID: pl.String, c.PIPELINE: pl.String, c.LABEL: pl.String, "drawn": pl.Boolean}
        run = run_of(1, run_id=run_id, name=run_id, pipelines=tuple(table[c.PIPELINE].unique(maintain_order=True)))
        return RunSide(
            run=run, golden=golden, rows=table, labels=pl.DataFrame(labels, schema=label_schema, orient="row")
        )


MANY = "QAVIZ_MANY_RUNS"
"""Set, the references are compared over 2,000 random runs each."""
SEEDS = st.integers(0, 2**32 - 1)
"""Runs are drawn by a seed: hypothesis would take longer to draw each slot than a decision takes."""


def draw_slot(draw: Random, tendency: str) -> plain.Slot:
    """A response whose verdict is mostly this one."""
    verdict = draw.choice([tendency, tendency, tendency, "correct", "incorrect", "declined", "unsure"])
    return plain.Slot(
        response=draw.choice(["x", "x", "x", "y", "x", "x", "", "  ", None]),
        verdict=verdict,
        diagnosis=draw.choice(CLASSES[verdict]),
        label=draw.choice([None] * 9 + ["correct", "incorrect", "declined"]),
        grade=draw.choice([None, None, "correct", "incorrect"]),
    )


def draw_run(draw: Random, repeats: int = 1) -> SmallRun:
    """Up to four pipelines of different quality over up to 30 questions."""
    number = draw.randint(1, 30)
    questions = tuple(
        plain.Question(answerable=draw.randint(0, 9) > 1, critical=draw.randint(0, 9) > 8) for _ in range(number)
    )
    by_pipeline = {}
    for name in "ABCD"[: draw.randint(1, 4)]:
        tendency = draw.choice(["correct", "correct", "incorrect", "unsure", "declined"])
        cost = draw.choice([None, 1.0, 2.0])
        rows = tuple(
            tuple(replace(draw_slot(draw, tendency), cost=cost, latency=cost) for _ in range(repeats))
            for _ in range(number)
        )
        # Labels of all responses of a pipeline are no sample of them: they correct its share.
        if all(slot.label for row in rows for slot in row if slot.response is not None):
            rows = tuple(tuple(replace(slot, label=None) for slot in row) for row in rows)
        # A pipeline, or a repeat of one, without a response is in no run.
        if all(any(row[time].response is not None for row in rows) for time in range(repeats)):
            by_pipeline[name] = rows
    measures = draw.sample([*MEASURES], draw.randint(0, 2))
    bounds = [0.0, 0.1, 0.3, 0.5, 0.8, 1.0]
    return SmallRun(questions, by_pipeline, tuple(plain.Target(measure, draw.choice(bounds)) for measure in measures))


FEW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
SOME = settings(FEW, max_examples=8)


def refuse_other_counts(decision: Decision, standings: Sequence[plain.Standing]) -> None:
    """Fail where a count, a share or an interval of the ranking is not the reference's."""
    ranking = {row["pipeline"]: row for row in decision.ranking.to_dicts()}
    for standing in standings:
        row = ranking[standing.name]
        for name in ("right", "of", "unsure", "missing", "empty", "declined_rightly"):
            assert row[name] == getattr(standing, name), name
        assert row["critical"] == standing.critical_right()
        if standing.is_judged:
            assert row["share"] == pytest.approx(standing.share)
            # Wider, by the error of verdicts on families of texts that the model never saw.
            assert row["low"] <= standing.ends[0] + 1e-9
            assert row["high"] >= standing.ends[1] - 1e-9


def widen(run: SmallRun, decision: Decision) -> list[plain.Standing]:
    """The pipelines with an interval as wide as the card's: one share has one interval wherever it stands."""
    ends = {name: (low, high) for name, low, high in decision.ranking.select("pipeline", "low", "high").iter_rows()}
    return [replace(of, wider=(of.ends[0] - ends[of.name][0], ends[of.name][1] - of.ends[1])) for of in run.standings()]


def refuse_another_decision(seed: int) -> None:
    """Fail where counts, ranking, words of pairs, what is recommended, or what is open are not the reference's, or
    others with the pipelines in another order."""
    draw = Random(seed)
    run = draw_run(draw)
    if not run.slots:
        return
    decision = run.decision()
    standings = widen(run, decision)
    expected = plain.Choice(standings).decide()

    refuse_other_counts(decision, standings)
    assert decision.kind is KINDS[expected.kind]
    assert len(decision.sentence.split()) <= MOST_WORDS, decision.sentence
    assert decision.subject == expected.subject
    assert decision.recommended == expected.recommended
    assert (decision.confidence and str(decision.confidence)) == expected.confidence
    assert decision.open == expected.open
    assert decision.ranking["pipeline"].to_list() == expected.ranking
    words = dict(decision.ranking.select("pipeline", "against").iter_rows())
    assert {name: word for name, word in words.items() if word} == expected.against

    names = draw.sample([*run.slots], len(run.slots))
    shuffled = replace(run, slots={name: run.slots[name] for name in names}).decision()
    assert (shuffled.recommended, shuffled.kind, shuffled.open) == (decision.recommended, decision.kind, decision.open)
    assert shuffled.ranking["pipeline"].to_list() == expected.ranking


@pytest.mark.slow
@FEW
@given(SEEDS)
@example(38732)  # two pipelines without any response are no tie
def test_a_decision_is_the_references(seed: int):
    """Counts, intervals, ranking, criteria, the words of pairs, what is recommended, and what is open, in any order."""
    refuse_another_decision(seed)


@pytest.mark.slow
@SOME
@given(SEEDS)
def test_repeats_count_as_the_reference_counts_them(seed: int):
    """Slots are questions times repeats; an interval counts questions."""
    run = draw_run(Random(seed), repeats=2 + seed % 2)
    if run.slots:
        refuse_other_counts(run.decision(), run.standings())


WORSE = (
    {"response": ""},
    {"verdict": "unsure", "diagnosis": "off target", "grade": None},
    {"verdict": "incorrect", "diagnosis": "off target"},
)


@pytest.mark.slow
@SOME
@given(SEEDS)
def test_a_worse_response_never_helps_its_pipeline(seed: int):
    """Turning a right response empty, missing, unsure or wrong never makes its pipeline the recommended one."""
    draw = Random(seed)
    run = draw_run(draw)
    right = [
        (name, place)
        for name, rows in run.slots.items()
        for place, (slot,) in enumerate(rows)
        if slot.response in ("x", "y") and slot.label is None and slot.verdict == "correct"
    ]
    if not right:
        return
    name, place = draw.choice(right)
    rows = list(run.slots[name])
    rows[place] = (replace(rows[place][0], **draw.choice(WORSE)),)
    before, after = run.decision(), replace(run, slots={**run.slots, name: tuple(rows)}).decision()

    assert after.recommended != name or before.recommended == name or before.recommended is None
    shares = [dict(of.ranking.select("pipeline", "share").iter_rows())[name] for of in (before, after)]
    assert shares[1] is None or shares[1] <= shares[0] + 1e-12


def draw_labelled(draw: Random) -> dict[str, list[plain.Slot]]:
    """Two to four pipelines of which some gave the same texts; up to three people label, judges grade what is open."""
    slots = dict[str, list[plain.Slot]]()
    for name in "ABCD"[: draw.randint(2, 4)]:
        slots[name] = [
            plain.Slot(
                verdict=verdict,
                diagnosis=CLASSES[verdict][0],
                grade=draw.choice([None, "correct", "incorrect"]),
                labels=tuple(
                    draw.choices(["correct", "incorrect", "declined"], k=draw.choice([0, 0, 0, draw.randint(0, 3)]))
                ),
                text=draw.choice("xyz"),
            )
            for verdict in draw.choices([*CLASSES], k=8)
        ]
    return slots


@FEW
@given(SEEDS)
def test_labels_grades_and_same_texts_count_as_the_reference_counts_them(seed: int):
    """Of several people the newest, before a judge's grade, before the verdict; and for the same text of others."""
    slots = draw_labelled(Random(seed))
    rows, labels = [], []
    for name, own in slots.items():
        for place, slot in enumerate(own):
            key = {c.QUESTION_ID: f"q{place}", c.PIPELINE: name}
            verdict = slot.grade if slot.verdict == "unsure" and slot.grade else slot.verdict
            rows.append(key | {c.RESPONSE: slot.text, c.VERDICT: verdict, c.DIAGNOSIS: slot.diagnosis})
            labels += [key | {c.LABEL: word, "drawn": False} for word in slot.labels]
    schema = {c.QUESTION_ID: pl.String, c.PIPELINE: pl.String, c.LABEL: pl.String, "drawn": pl.Boolean}
    table = pl.DataFrame(rows)
    outcomes = tabulate(table, table[c.QUESTION_ID].unique(), pl.DataFrame(labels, schema=schema))

    counted = outcomes.group_by(c.PIPELINE, maintain_order=True).agg(c.VERDICT)
    assert dict(counted.iter_rows()) == plain.spread_labels(slots)


@FEW
@given(SEEDS, st.booleans(), st.booleans())
def test_labels_of_all_responses_are_the_references(seed: int, of_first: bool, of_second: bool):
    """Labels on neither, one or both sides: the share is theirs with the exact interval; high only by both sides."""
    draw = Random(seed)
    shares = {"A": draw.choice([0.3, 0.6, 0.9]), "B": draw.choice([0.3, 0.6, 0.9])}
    truth = {name: [draw.random() < share for _ in range(40)] for name, share in shares.items()}
    questions = tuple(plain.Question() for _ in range(40))
    labelled = {"A": of_first, "B": of_second}
    slots = {
        name: tuple(
            (plain.Slot(label=("correct" if right else "incorrect") if labelled[name] else None),)
            for right in truth[name]
        )
        for name in truth
    }
    decision = SmallRun(questions, slots).decision()
    ranking = {row["pipeline"]: row for row in decision.ranking.to_dicts()}
    for name in (name for name in truth if labelled[name]):
        row = ranking[name]
        assert row["share"] == pytest.approx(sum(truth[name]) / 40)
        assert (row["low"], row["high"]) == pytest.approx(plain.clopper_pearson(sum(truth[name]), 40))
    (pair,) = decision.comparisons.iter_rows(named=True)
    if of_first and of_second:
        difference, p = plain.compare_values(
            *([float(right) for right in truth[pair[side]]] for side in ("first", "second"))
        )
        assert (pair["difference"], pair["p"]) == (pytest.approx(difference), pytest.approx(p))
        assert (pair["confidence"] == "high") == (p < 0.05)
    else:
        assert pair["confidence"] != "high"


def draw_series(seed: int, runs: int, *, flips: bool) -> list[SmallRun]:
    """Runs of the same pipelines and questions, one after the other; with `flips` some questions are marked anew."""
    draw = Random(seed)
    first = draw_run(draw)
    series = [first]
    for _ in range(runs - 1):
        anew = {}
        for name, rows in first.slots.items():
            tendency = draw.choice(["correct", "incorrect", "unsure"])
            anew[name] = tuple((draw_slot(draw, tendency),) if draw.random() < 0.5 else row for row in rows)
        questions = tuple(
            replace(question, answerable=question.answerable != (flips and draw.randint(0, 9) > 8))
            for question in first.questions
        )
        series.append(replace(first, questions=questions, slots=anew))
    there = [
        name for name in first.slots if all(any(row[0].response is not None for row in of.slots[name]) for of in series)
    ]
    return [replace(of, slots={name: of.slots[name] for name in there}) for of in series]


SUBJECTS = {Subject.DROP: "drop", Subject.CRITICAL: "critical", Subject.MISSING: "missing"}
RESULTS = {Result.PASS: "pass", Result.FAIL: "fail", Result.UNKNOWN: "unknown"}


def refuse_another_gate(seed: int) -> None:
    """Fail where a check of the gate, or a change that `compare` lists, is not the reference's."""
    before, now = draw_series(seed, 2, flips=True)
    shared = any(old.answerable == new.answerable for old, new in zip(before.questions, now.questions, strict=True))
    if not (now.slots and shared):
        return
    sides = before.side("before"), now.side("now")
    expected = plain.gate_results(before.standings(), widen(now, now.decision()))
    found = gate(sides[1], sides[0], criteria=now.criteria())

    results = {}
    for check in found.checks:
        pipeline, _, measure = check.name.partition(", ")
        if check.subject is Subject.CRITERION:
            of_measure = {value.value: name for name, value in MEASURES.items()}
            results[of_measure[measure.removesuffix(", all questions")], pipeline] = RESULTS[check.result]
        elif check.subject in SUBJECTS:
            results[SUBJECTS[check.subject], pipeline] = RESULTS[check.result]
    assert results == expected

    changes = compare_runs(*sides).select(c.PIPELINE, c.QUESTION_ID, CHANGE).rows()
    pairs = list(zip(before.questions, now.questions, strict=True))
    for name in now.slots:
        slots = [(old[0], new[0]) for old, new in zip(before.slots[name], now.slots[name], strict=True)]
        hold = plain.do_words_hold(slots, pairs)
        found_changes = {question: change for pipeline, question, change in changes if pipeline == name}
        assert found_changes == {
            f"q{place}": plain.change_of(*slots[place], pairs[place], words_hold=hold) for place in range(len(pairs))
        }


def refuse_another_history(seed: int) -> None:
    """Fail where a share, an interval or a step of History is not the reference's."""
    series = draw_series(seed, 2 + seed % 2, flips=False)
    sides = [run.side(f"run-{number}") for number, run in enumerate(series)]
    kept = [outcomes_of(side.rows, side.golden[c.QUESTION_ID], side.labels) for side in sides]
    for name in series[0].slots:
        rows = history([side.run for side in sides], kept, {"first": 1}, c.VERDICT, [name])
        figures = rows.select("mean", "low", "high", "step").rows()
        expected = plain.history_of([plain.Standing(name, run.questions, run.slots[name]) for run in series])
        for figure, reference in zip(figures, expected, strict=True):
            assert figure[0] == pytest.approx(reference[0])
            assert figure[1] <= reference[1] + 1e-9 <= reference[2] + 2e-9 <= figure[2] + 3e-9
            assert figure[3] == reference[3]


@pytest.mark.slow
@SOME
@given(SEEDS)
def test_gate_and_compare_are_the_references(seed: int):
    """Every check of the gate, and what became of every response; in the later run some questions are marked anew."""
    refuse_another_gate(seed)


@pytest.mark.slow
@SOME
@given(SEEDS)
def test_history_is_the_references(seed: int):
    """Share, interval and step of each pipeline in each of two or three runs."""
    refuse_another_history(seed)


@pytest.mark.slow
@pytest.mark.skipif(MANY not in os.environ, reason=f"eight minutes: {MANY}=1")
@pytest.mark.parametrize("refuse", [refuse_another_decision, refuse_another_gate, refuse_another_history])
def test_two_thousand_runs(refuse):
    """The same on 2,000 random runs each."""
    settings(FEW, max_examples=2_000)(given(SEEDS)(refuse))()
