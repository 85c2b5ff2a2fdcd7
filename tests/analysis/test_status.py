"""What a decision comes to: its status by what was agreed before, its effect computed by hand."""

import pytest

from qaviz.analysis.decision import decide
from qaviz.analysis.decision.status import Status, word_impact
from qaviz.model.columns import COST
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
