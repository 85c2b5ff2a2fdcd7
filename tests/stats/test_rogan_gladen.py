"""Shares corrected by a judge's sensitivity and specificity on labels from elsewhere."""

import numpy as np
import pytest

from qaviz.stats.corrected_shares import correct_share

ROUNDS = 1500


def test_the_value_is_rogan_and_gladens():
    """Of 100 judged, 74 right; sensitivity .95, specificity .75: (.74 + .75 - 1) / (.95 + .75 - 1) = .7."""
    found = correct_share(74, 100, 95, 100, 75, 100)
    assert found
    assert (found.value, found.sensitivity, found.specificity) == pytest.approx((0.7, 0.95, 0.75))
    assert found.low < found.value < found.high


def test_the_value_is_judgys():
    """The same point estimate as the library judgy gives, to 1e-9."""
    judgy = pytest.importorskip("judgy")
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, 80)
    said = np.where(rng.random(80) < 0.85, labels, 1 - labels)
    judged = rng.integers(0, 2, 500)
    theirs, *_ = judgy.estimate_success_rate(labels, said, judged, bootstrap_iterations=10)
    right, wrong = labels == 1, labels == 0
    ours = correct_share(
        int(judged.sum()), 500, int(said[right].sum()), int(right.sum()), int((1 - said[wrong]).sum()), int(wrong.sum())
    )
    assert ours
    assert ours.value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(
    "counts", [(5, 10, 5, 10, 5, 10), (5, 10, 3, 3, 0, 0), (5, 10, 0, 0, 3, 3), (0, 0, 1, 1, 1, 1)]
)
def test_a_judge_no_better_than_chance_corrects_nothing(counts):
    """Nor do labels of one class only: there is no number then, rather than a wild one."""
    assert correct_share(*counts) is None


@pytest.mark.parametrize("truth", [0.5, 0.7, 0.9, 0.95])
@pytest.mark.parametrize("specificity", [0.7, 0.9])
def test_the_interval_covers(truth, specificity):
    """With 200 labels from elsewhere, the 95 % interval holds the truth in at least 94 % of simulations, within the
    simulation's own error."""
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(ROUNDS):
        right = rng.binomial(200, truth)
        judged = rng.binomial(2000, truth * 0.95 + (1 - truth) * (1 - specificity))
        found = correct_share(
            judged, 2000, rng.binomial(right, 0.95), right, rng.binomial(200 - right, specificity), 200 - right
        )
        covered += found is None or found.low <= truth <= found.high
    assert covered / ROUNDS >= 0.94 - 2 * (0.05 * 0.95 / ROUNDS) ** 0.5
