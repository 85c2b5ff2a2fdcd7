"""Runs whose truth is known by hand, through the door of a user: what the decision says of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import pytest

from qaviz.analysis.decision import Decision
from qaviz.analysis.decision.choice import Confidence, Kind
from qaviz.analysis.policy import as_policy, protocol_in_force
from qaviz.api import EvaluatedRun, evaluate
from qaviz.model.classes import Measure
from qaviz.model.records import Criterion
from qaviz.stats import Compared
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace
from tests.builders import save_sample

NAMES = ("Ada Byron", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Barbara Liskov")


Rows = list[dict[str, Any]]


def write_founders(questions: int, right: Mapping[str, Sequence[int]]) -> tuple[Rows, Rows]:
    """A golden dataset of so many questions, and responses: by pipeline the questions that its words get right, from
    0; empty for none."""
    golden, responses = [], []
    for i in range(questions):
        key = {"question_id": f"q{i}"}
        name, question = NAMES[i % len(NAMES)], f"Who founded Firm{i} Ltd?"
        golden.append(key | {"question": question, "fact": name, "answer": f"Firm{i} Ltd was founded by {name}."})
        for pipeline, places in right.items():
            said = name if i in places else "Theo Reed"
            response = f"Firm{i} Ltd was founded by {said}." if places else " "
            responses.append(key | {"pipeline": pipeline, "response": response})
    return golden, responses


def founders(questions: int, **right: Sequence[int]) -> EvaluatedRun:
    """The run of `write_founders`."""
    return evaluate(*write_founders(questions, right))


def test_order_padding_and_case_change_no_decision():
    """The files' rows in another order, responses padded with blanks, and in capitals: the same decision and counts."""
    golden, responses = write_founders(40, {"A": range(30), "B": range(12)})
    decisions = [
        evaluate(golden[::step], [row | {"response": worded(row["response"])} for row in responses[::step]])
        for step, worded in ((1, str), (-1, str), (1, "  {} \n".format), (1, str.upper))
    ]
    counted = [
        (found.sentence, found.kind, found.confidence, found.ranking.select("pipeline", "right", "of").rows())
        for found in (run.decision() for run in decisions)
    ]
    assert counted == counted[:1] * 4
    assert counted[0][0].startswith("A leads: 30 of 40 right, ahead of B")


def labelled(pipeline: str, truth: dict[int, bool]) -> list[dict[str, Any]]:
    """Labels of one pipeline, by question."""
    words = {True: "correct", False: "incorrect"}
    return [{"question_id": f"q{i}", "pipeline": pipeline, "label": words[right]} for i, right in truth.items()]


def decide_labelled(run: EvaluatedRun, labels: list[dict[str, Any]]) -> Decision:
    """The decision with these labels, of responses drawn at random."""
    run.add_labels(labels, drawn="random")
    return run.decision()


def shares_of(decision: Decision) -> dict[str, float]:
    return dict(decision.ranking.select("pipeline", "share").iter_rows())


def test_the_same_responses_tie_whoever_is_labelled():
    """60 of 80 right by words, 40 of A's are labelled: A and B are level, with one share, and the tie is sure."""
    run = founders(80, A=range(60), B=range(60))
    decision = decide_labelled(run, labelled("A", {i: i % 2 == 0 for i in range(0, 80, 2)}))

    assert decision.recommended is None
    assert (decision.kind, decision.confidence) == (Kind.LEVEL, Confidence.HIGH)
    assert decision.impact.more_right == 0
    assert len({round(share, 9) for share in shares_of(decision).values()}) == 1


@pytest.mark.parametrize(
    ("right_of_c", "confidence"), [(range(22), Confidence.LOW), (range(2), Confidence.MEDIUM), (None, Confidence.HIGH)]
)
def test_a_copy_of_the_leader_makes_nothing_surer(right_of_c: Sequence[int] | None, confidence: Confidence):
    """A and its copy have 24 of 40 right: level with each other, and against C as sure as A alone would be."""
    rivals = {} if right_of_c is None else {"C": right_of_c}
    both = founders(40, A=range(24), B=range(24), **rivals).decision()

    assert (both.kind, both.confidence) == (Kind.LEVEL, confidence)
    words = both.comparisons.filter(pl.col("first") == "A", pl.col("second") == "B")["decision"].to_list()
    assert words == [Compared.LEVEL]
    if rivals:
        alone = founders(40, A=range(24), **rivals).decision()
        assert (both.confidence, both.settled) == (alone.confidence, alone.settled)


def test_a_difference_is_that_of_the_two_shares():
    """40 random labels of A: what is printed is the difference of the printed shares, inside its interval; what
    includes 0 is not called ahead beyond chance."""
    run = founders(80, A=range(60), B=range(45))
    decision = decide_labelled(run, labelled("A", {i: i % 5 != 0 and i < 60 for i in range(0, 80, 2)}))
    shares, impact = shares_of(decision), decision.impact
    sign = 1 if impact.against == "B" else -1

    assert impact.more_right == pytest.approx(10_000 * sign * (shares["A"] - shares["B"]), abs=1)
    assert impact.low < impact.more_right < impact.high
    (row,) = decision.comparisons.iter_rows(named=True)
    assert (row["decision"] in ("better", "worse")) <= (row["low"] > 0 or row["high"] < 0)


def test_criteria_stay_after_the_result_when_it_is_imported_again(workspace: Workspace):
    """A policy that is set after a run is after it too for a second import of the same responses."""
    save_sample(workspace, "first")
    keep_policy(workspace, as_policy([Criterion(measure=Measure.CORRECT, bound=0.5)]))
    again = save_sample(workspace, "again")

    assert protocol_in_force(workspace, again).before is False


def test_card_and_criterion_print_one_interval():
    """50 of 50: the interval of the share and that of the criterion are one, and it is not met inside it."""
    run = founders(50, A=range(50))
    decision = run.decision(criteria=[Criterion(measure=Measure.CORRECT, bound=0.92)])
    (share,), (criterion,) = decision.ranking.to_dicts(), decision.criteria.to_dicts()

    assert (share["low"], share["high"]) == (criterion["low"], criterion["high"])
    assert (criterion["outcome"] == "met") == (share["low"] >= 0.92)
