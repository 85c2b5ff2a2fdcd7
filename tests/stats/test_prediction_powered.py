"""Shares corrected by labels: against closed forms, where they fall back to labels alone, and by simulation."""

import numpy as np
import pytest
from scipy.stats import binomtest, fisher_exact
from scipy.stats import t as student

from qaviz.stats.corrected_shares import Method, estimate_difference, estimate_share

NAN = float("nan")


def _labelled(right: int, wrong: int, unlabelled: int) -> np.ndarray:
    return np.array([1.0] * right + [0.0] * wrong + [NAN] * unlabelled)


@pytest.mark.parametrize(
    ("right", "wrong", "unlabelled", "method"),
    [
        pytest.param(30, 9, 60, Method.LABELS_ONLY, id="nine of the rarer class"),
        pytest.param(30, 10, 60, Method.PREDICTION_POWERED, id="ten of the rarer class"),
        pytest.param(9, 40, 60, Method.LABELS_ONLY, id="the rarer class may be the right ones"),
        pytest.param(30, 20, 0, Method.LABELS_ONLY, id="verdicts add nothing where all are labelled"),
    ],
)
def test_the_method_goes_by_the_labels(right, wrong, unlabelled, method):
    """Fewer than ten labels of the rarer class, or labels of everything, leave the verdicts out."""
    labels = _labelled(right, wrong, unlabelled)

    assert estimate_share(labels, np.nan_to_num(labels, nan=1.0)).method is method


@pytest.mark.parametrize(("right", "wrong"), [(30, 9), (10, 0), (0, 4), (27, 36)])
def test_labels_alone_have_the_exact_interval(right, wrong):
    """Without the verdicts the interval is scipy's Clopper-Pearson interval of the labels."""
    found = estimate_share(_labelled(right, wrong, 0), np.ones(right + wrong))
    expected = binomtest(right, right + wrong).proportion_ci(method="exact")

    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-12)
    assert found.value == right / (right + wrong)


def test_verdicts_that_are_right_make_the_interval_narrower():
    """With verdicts that always agree the estimate is their mean, and its interval is far narrower than the labels'."""
    draw = np.random.default_rng(3)
    right = (draw.random(2_000) < 0.7).astype(float)
    labels = np.where(np.arange(2_000) < 100, right, NAN)
    found, blind = estimate_share(labels, right), estimate_share(labels, np.full(2_000, 0.5))

    assert found.value == pytest.approx(right.mean(), abs=0.01)
    assert found.high - found.low < 0.6 * (blind.high - blind.low)


def test_verdicts_that_know_nothing_change_nothing():
    """Constant verdicts leave the share of the labels, however wrong they are."""
    labels = _labelled(30, 20, 500)

    assert estimate_share(labels, np.ones(550)).value == pytest.approx(0.6)


@pytest.mark.parametrize("shared", [0, 1, 30])
@pytest.mark.parametrize(("first", "second"), [(60, 50), (50, 60)])
def test_constant_verdicts_leave_students_interval(first, second, shared):
    """Without help of verdicts the half is Student's, with a response more on each side and a continuity correction; a
    difference takes the fewer labels of the two, and the covariance over questions labelled for both."""
    right = np.tile([1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0], 30)
    place, verdicts = np.arange(right.size), np.full(right.size, 0.5)
    labels = [
        np.where(place < first, right, NAN),
        np.where((place >= first - shared) & (place < first - shared + second), np.roll(right, 2), NAN),
    ]
    given = [np.append(own[~np.isnan(own)], (1.0, 0.0)) for own in labels]
    variances = [own.var(ddof=1) / len(own) for own in given]
    both = ~np.isnan(labels[0]) & ~np.isnan(labels[1])
    covariance = np.cov(labels[0][both], labels[1][both])[0, 1] * both.sum() / (first * second) if shared > 1 else 0.0

    def half(variance: float, number: int) -> float:
        return student.ppf(0.975, number - 2) * np.sqrt(variance) + 1 / (2 * number)

    share = estimate_share(labels[0], verdicts)
    assert (share.high - share.low) / 2 == pytest.approx(half(variances[0], first))
    found = estimate_difference(labels[0], verdicts, labels[1], verdicts)
    assert (found.high - found.low) / 2 == pytest.approx(half(sum(variances) - 2 * covariance, min(first, second)))


def test_a_difference_is_paired():
    """Pipelines right on the same questions have a difference that is known far better than their shares are."""
    draw = np.random.default_rng(7)
    second = (draw.random(400) < 0.5).astype(float)
    first = np.where(draw.random(400) < 0.1, 1.0, second)
    labelled = np.arange(400) < 150
    labels = [np.where(labelled, each, NAN) for each in (first, second)]
    found = estimate_difference(labels[0], first, labels[1], second)
    share = estimate_share(labels[0], np.full(400, 0.5))

    assert found.value == pytest.approx(first.mean() - second.mean(), abs=0.02)
    assert found.high - found.low < 0.7 * (share.high - share.low)
    assert found.p < 0.05
    assert estimate_difference(labels[0], first, labels[0], first).p == 1  # the same pipeline twice


def test_one_side_of_few_labels_leaves_both_to_labels():
    """Where the labels of either side are too few to correct its verdicts, the difference rests on labels alone."""
    few = np.array([1.0] * 30 + [NAN] * 70)
    many = np.array([1.0, 0.0] * 20 + [NAN] * 60)
    for sides in ((few, many), (many, few)):
        right = np.nan_to_num(many)
        by_verdicts = [estimate_difference(sides[0], verdicts, sides[1], verdicts) for verdicts in (right, 1 - right)]
        assert by_verdicts[0] == by_verdicts[1]


def test_few_labels_of_the_same_questions_have_the_sign_test():
    """Labels alone, of the same questions for both, are paired: McNemar's exact p."""
    first, second = np.array([1.0] * 8 + [NAN] * 4), np.array([0.0] * 8 + [NAN] * 4)
    found = estimate_difference(first, first, second, second)

    assert found.value == 1.0
    assert found.p == pytest.approx(2 * 0.5**8)


@pytest.mark.parametrize(("right", "other_right", "shared"), [(18, 5, 0), (20, 20, 0), (0, 3, 0), (11, 9, 5)])
def test_few_labels_of_different_questions_have_fishers_test(right, other_right, shared):
    """Labels alone, of different questions, of which some may be the same, are compared as two samples: Fisher's exact
    p, as scipy has it."""
    first = np.array([1.0] * right + [0.0] * (20 - right) + [NAN] * 20)
    labels = [1.0] * other_right + [0.0] * (20 - other_right)
    second = np.array([NAN] * (20 - shared) + labels + [NAN] * shared)
    found = estimate_difference(first, np.ones(40), second, np.ones(40))
    table = [[right, 20 - right], [other_right, 20 - other_right]]

    assert found.p == pytest.approx(fisher_exact(table).pvalue)
    assert found.low <= (right - other_right) / 20 <= found.high
    assert (found.low > 0) == (right == 18)


def test_a_pipeline_without_labels_says_nothing():
    """Where one of the two has no label there is no difference by labels."""
    assert estimate_difference([1.0, NAN], [1, 1], [NAN, NAN], [1, 1]) is None


QUALITIES = ((0.02, 0.02, 0.0), (0.05, 0.3, 0.05), (0.2, 0.05, 0.1), (0.5, 0.5, 0.0))
"""How often a right answer is judged wrong, a wrong one right, and either is left open (a prediction of 0.5)."""
SHARED = 0.5
"""Of the questions on which two pipelines are right or wrong together."""


def predicted(right: np.ndarray, quality: tuple[float, float, float], draw: np.random.Generator) -> np.ndarray:
    """Verdicts of this quality: 1 right, 0 wrong, 0.5 left open."""
    missed, mistaken, unsure = quality
    chance = draw.random(right.size)
    verdict = np.where(right == 1, chance >= missed, chance < mistaken).astype(np.float64)
    return np.where(draw.random(right.size) < unsure, 0.5, verdict)


def sampled(right: np.ndarray, labels: int, draw: np.random.Generator) -> np.ndarray:
    """Labels of so many responses, drawn at random."""
    chosen = np.full(right.size, np.nan)
    places = draw.choice(right.size, labels, replace=False)
    chosen[places] = right[places]
    return chosen


def share_coverage(
    share: float, labels: int, responses: int, quality: tuple[float, float, float], draws: int, seed: int
) -> float:
    """In how many of so many draws the interval holds this share, of so many responses a label."""
    draw = np.random.default_rng(seed)
    held = 0
    for _ in range(draws):
        right = (draw.random(labels * responses) < share).astype(np.float64)
        estimate = estimate_share(sampled(right, labels, draw), predicted(right, quality, draw))
        held += estimate.low <= share <= estimate.high
    return held / draws


def difference_coverage(
    share: float, labels: int, responses: int, quality: tuple[float, float, float], draws: int, seed: int
) -> float:
    """As `share_coverage`, for a pipeline of this share against one that is 5 points worse."""
    draw = np.random.default_rng(seed)
    held = 0
    for _ in range(draws):
        size = labels * responses
        hardness, own = draw.random(size), draw.random((2, size))
        luck = np.where(draw.random(size) < SHARED, hardness, own)
        rights = [(luck[0] < share).astype(np.float64), (luck[1] < share - 0.05).astype(np.float64)]
        first, second = ((sampled(right, labels, draw), predicted(right, quality, draw)) for right in rights)
        estimate = estimate_difference(*first, *second)
        held += estimate.low <= 0.05 <= estimate.high
    return held / draws


@pytest.mark.parametrize(("share", "labels"), [(0.5, 30), (0.8, 100), (0.95, 500), (0.99, 100)])
def test_intervals_hold_the_true_share(share, labels):
    """In 150 seeded draws of each quality of verdicts the interval holds the truth 94 times of 100 or more."""
    held = [
        coverage(share, labels, 5, quality, 150, seed=11 + place)
        for place, quality in enumerate(QUALITIES)
        for coverage in (share_coverage, difference_coverage)
    ]

    assert np.mean(held) >= 0.94
