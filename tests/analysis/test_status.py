"""What a decision comes to: its status by what was agreed before, its effect computed by hand."""

from datetime import UTC, datetime
from math import ceil

import pytest

from qaviz.analysis.decision import Status, decide, word_impact
from qaviz.model.classes import Measure
from qaviz.model.columns import COST
from qaviz.model.records import Criterion, Protocol
from qaviz.stats import power_with
from tests.analysis.test_decision import at_least, golden_of, labels_of, rows_of

GOOD, POOR = "1" * 48 + "0" * 12, "1" * 12 + "0" * 48


@pytest.mark.parametrize(
    ("marks", "bound", "doubts", "status"),
    [
        ({"A": GOOD, "B": POOR}, 0.6, (), Status.SHIP),
        ({"A": GOOD, "B": POOR}, None, (), Status.READY),
        ({"A": GOOD, "B": POOR}, 0.6, ("Two rows were lost",), Status.READY),
        ({"A": GOOD, "B": POOR}, 0.95, (), Status.DO_NOT_SHIP),
        ({"A": GOOD[:6], "B": POOR[8:14]}, None, (), Status.NOT_SETTLED),
        ({"A": "?" * 60, "B": POOR}, None, (), Status.NOT_SETTLED),
    ],
)
def test_the_status_follows_what_was_agreed_before(marks, bound, doubts, status):
    """Ship needs a settled result, met criteria and no doubts of loading; a missed criterion is said first."""
    questions = len(next(iter(marks.values())))
    criteria = [at_least(bound)] if bound else []
    decision = decide(rows_of(marks), golden_of(questions), criteria, doubts=doubts)

    assert decision.status is status
    assert decision.status_reason


def test_the_effect_is_the_paired_difference_times_ten_thousand():
    """48 against 12 of 60: 6,000 more right answers per 10,000 questions, inside its interval; 0.04 a response at a
    share of 0.8 is 0.05 a right answer. Alone, nothing is compared."""
    costs = {COST: {"A": 0.04, "B": 0.01}}
    impact = decide(rows_of({"A": GOOD, "B": POOR}, **costs), golden_of(60)).impact

    assert (impact.per, impact.against, impact.more_right) == (10_000, "B", 6_000)
    assert impact.low < 6_000 < impact.high
    assert impact.cost_per_right_answer == pytest.approx(0.05)
    assert "6,000 more right answers than B" in word_impact("A", impact)
    alone = decide(rows_of({"A": GOOD}), golden_of(60)).impact
    assert (alone.against, alone.more_right, alone.cost_per_right_answer) == (None, None, None)
    assert word_impact("A", alone) is None


def test_people_who_differ_are_said():
    """Two people label one response differently: the newest counts, and the card says on how many they differ."""
    first, second = labels_of({"A": "1"}), labels_of({"A": "0"})
    labels = first.vstack(second)
    decision = decide(rows_of({"A": GOOD, "B": POOR}), golden_of(60), labels=labels)

    assert "They differ on 1 response" in decision.trust
    assert decision.labelled == 1


def test_criteria_set_after_the_result_wait_for_somebody():
    """Criteria that stood before the run lead to ship; the same ones set after it wait for a person, and both say
    when."""
    marks, moment = {"A": GOOD, "B": POOR}, datetime(2026, 11, 1, tzinfo=UTC)
    before, after = (
        decide(rows_of(marks), golden_of(60), [at_least(0.6)], protocol=Protocol(set_at=moment, before=stood))
        for stood in (True, False)
    )

    assert (before.status, after.status) == (Status.SHIP, Status.READY)
    assert "set on 1 Nov 2026, before the result" in before.status_reason
    assert "set on 1 Nov 2026, after the result" in after.status_reason


def test_cost_decides_where_no_difference_matters():
    """500 and 496 of 1,000: the first leads, unless nothing below 3 points matters; then half the cost decides, and
    more questions would not change it."""
    marks = {"A": "1" * 500 + "0" * 500, "B": "1" * 496 + "0" * 504}
    rows, golden = rows_of(marks, **{COST: {"A": 0.02, "B": 0.01}}), golden_of(1_000)
    first = decide(rows, golden)
    cheaper = decide(rows, golden, protocol=Protocol(smallest_difference=0.03))
    strict = decide(rows, golden, protocol=Protocol(smallest_difference=0.002))

    assert (first.recommended, strict.recommended, cheaper.recommended) == ("A", "A", "B")
    assert cheaper.sentence == "Ship B: as good as A and half its cost."
    assert cheaper.settled
    assert "3 points" in cheaper.confidence_reason


def test_what_settles_it_is_said_in_days():
    """Where people can write 20 questions a day, the questions that would settle it are days too."""
    marks = {"A": "11111111", "B": "11110000"}
    decision = decide(rows_of(marks), golden_of(8), protocol=Protocol(questions_a_day=20))

    assert decision.settled_in_days == ceil(decision.settled_by / 20)
    assert "At 20 questions a day" in decision.next_step


def test_guardrails_ask_for_power_not_for_a_stricter_level():
    """Three guardrails met: the same words of pairs, but more questions to settle it, as 1 - .2 / 4 of power needs."""
    marks = {"A": "11111111", "B": "11110000"}
    guardrail = Criterion(measure=Measure.DECLINED, bound=0.5, than="B")
    alone, guarded = (decide(rows_of(marks), golden_of(8), given) for given in ([], [guardrail] * 3))

    assert power_with(0) == pytest.approx(0.8)
    assert power_with(3) == pytest.approx(0.95)
    assert guarded.comparisons.equals(alone.comparisons)
    assert guarded.settled_by > alone.settled_by
