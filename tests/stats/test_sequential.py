"""Tests that may be looked at after every question: their error rates by simulation, their power, their limits."""

import numpy as np
import pytest

from qaviz.stats import ALPHA, MARGIN, NoLossEvidence, loss_evidence

DRAWS = 1000


@pytest.mark.slow
def test_chance_is_not_called_broken():
    """Where a changed question is as likely fixed as broken, looking after each of 300 says broken in at most 5 %."""
    draw = np.random.default_rng(1)
    ever = 0
    for _ in range(DRAWS):
        broken = np.cumsum(draw.random(300) < 0.5)
        ever += any(loss_evidence(int(b), n + 1 - int(b)) >= 1 / ALPHA for n, b in enumerate(broken))
    assert 0 < ever / DRAWS <= ALPHA


@pytest.mark.parametrize(("broken", "fixed"), [(0.05, 0.0), (0.1, 0.05), (0.25, 0.2)])
def test_a_loss_of_the_margin_is_not_passed(broken, fixed):
    """A pipeline that loses the margin over 400 questions is passed in at most 5 % of checks, whatever comes first."""
    draw = np.random.default_rng(2)
    losses = np.zeros(400)
    losses[: round(400 * broken)] = 1
    losses[round(400 * broken) : round(400 * (broken + fixed))] = -1
    passed = 0
    for _ in range(DRAWS):
        order = draw.permutation(400)
        chosen = np.sort(order[:60])[::-1]
        evidence, ever = NoLossEvidence(400), False
        evidence.add_unbet(losses[chosen].tolist())
        for place in order[60:-1]:
            evidence.add([losses[place]])
            ever = ever or evidence.capital >= 1 / ALPHA
        passed += ever
    assert passed / DRAWS <= ALPHA


def test_what_is_plain_is_known_soon():
    """Eight questions in a row that broke are enough, and a pipeline that changes nothing is passed after a fifth."""
    assert loss_evidence(5, 0) < 1 / ALPHA <= loss_evidence(8, 0)
    evidence, asked = NoLossEvidence(400), 0
    while evidence.capital < 1 / ALPHA:
        evidence.add([0.0])
        asked += 1
    assert asked < 100
    assert loss_evidence(5000, 100) > 1e6
    assert loss_evidence(100, 5000) < 1


def test_when_all_is_asked_it_is_certain():
    """After the last question the answer is exact: just below the margin passes, the margin itself does not."""
    for broken, passes in ((4, True), (5, False)):
        evidence = NoLossEvidence(100, MARGIN)
        evidence.add_unbet([1.0] * broken + [0.0] * (100 - broken))
        assert (evidence.capital >= 1 / ALPHA) is passes
