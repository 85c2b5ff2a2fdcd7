"""A check that ends early: what counts as a loss, and when it may stop."""

import pytest

from qaviz.analysis.gate import PipelineEvidence, Stop, find_losses
from qaviz.analysis.right_answers import settle
from qaviz.model.columns import QUESTION, QUESTION_ID
from tests.analysis.test_decision import golden_of, rows_of

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
    texts = golden.select(QUESTION_ID, QUESTION)
    rows = [rows_of({"P": line}).drop(QUESTION).join(texts, on=QUESTION_ID, maintain_order="left") for line in lines]
    sides = [settle(side, golden[QUESTION_ID]) for side in rows]
    questions = golden[QUESTION][1:]
    losses = find_losses(questions, *sides, ("P", "P"))

    assert set(losses.sure) == {sure}
    assert set(losses.worst) == {worst}
    evidence = PipelineEvidence(N, 1)
    stop = evidence.add(losses, chosen=False)
    assert (stop is Stop.BROKEN) == (sure == 1)
    assert stop is not Stop.NO_LOSS or worst <= 0
