"""Intervals against scipy and published figures, at the ends where formulas break, and by how often they hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, sem
from scipy.stats import t as student

from qaviz import stats

counts = st.integers(min_value=0, max_value=2_000)


@given(hits=counts, misses=counts)
def test_wilson_is_scipys(hits, misses):
    """The interval is scipy's Wilson interval for every count."""
    n = hits + misses
    expected = binomtest(hits, n).proportion_ci(method="wilson") if n else (0, 1)

    assert stats.wilson(hits, n) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        pytest.param(8, 10, 0.490, 0.943, id="eight of ten"),
        pytest.param(0, 10, 0.0, 0.278, id="none: the low end is exactly 0"),
        pytest.param(10, 10, 0.722, 1.0, id="all: the high end is exactly 1"),
        pytest.param(0, 0, 0.0, 1.0, id="nothing counted says nothing"),
    ],
)
def test_wilson_at_the_ends(hits, n, low, high):
    """The interval stays within 0 and 1, and nothing counted is no knowledge."""
    assert stats.wilson(hits, n) == pytest.approx((low, high), abs=5e-4)


def test_a_higher_level_is_wider():
    """More confidence needs a wider interval."""
    assert stats.wilson(8, 10, level=0.99)[0] < stats.wilson(8, 10)[0]


@given(n=st.integers(min_value=2, max_value=2_000), deviation=st.floats(min_value=0, max_value=0.05))
def test_mean_interval_is_students(n, deviation):
    """The interval is the t interval around the mean, as scipy has it."""
    low, high = stats.mean_interval(0.5, deviation, n)
    half = student.ppf(0.975, n - 1) * deviation / n**0.5

    assert (high - low) / 2 == pytest.approx(min(half, 0.5), rel=1e-9, abs=1e-12)


def test_mean_interval_stays_among_scores():
    """A mean near an end has no interval past it."""
    assert stats.mean_interval(0.95, 0.4, 3) == (pytest.approx(0.0, abs=0.05), 1.0)


@pytest.mark.parametrize(
    ("wins", "losses", "n", "low", "high"),
    [
        pytest.param(4, 0, 10, -0.0195, 0.6862, id="four to nothing reaches over zero, as its p = 0.125 does"),
        pytest.param(6, 0, 10, 0.1348, 0.8652, id="six to nothing does not"),
        pytest.param(0, 0, 10, -0.2310, 0.2310, id="no difference seen is not certainty"),
        pytest.param(1, 7, 21, -0.5084, -0.0134, id="one to seven of twenty-one"),
        pytest.param(0, 0, 0, -1, 1, id="no question says nothing"),
    ],
)
def test_paired_share_interval_by_hand(wins, losses, n, low, high):
    """The interval is Wald's with one added each way, worked out by hand, and mirrors when the pipelines swap."""
    found = stats.paired_share_interval(wins, losses, n)

    assert found == pytest.approx((low, high), abs=5e-5)
    assert stats.paired_share_interval(losses, wins, n) == pytest.approx((-found[1], -found[0]))


DRAWS = 2_000


def drawn_shares(draw):
    """Wilson's intervals for 0.3, 200 questions."""
    return 0.3, [stats.wilson(int(hits), 200) for hits in draw.binomial(200, 0.3, DRAWS)]


def drawn_means(draw):
    """Student's intervals for the mean of scores that are skewed, 40 questions."""
    scores = draw.beta(4, 2, (DRAWS, 40))
    return 4 / 6, [stats.mean_interval(each.mean(), each.std(ddof=1), 40) for each in scores]


def drawn_differences_of_shares(draw):
    """Bonett and Price's intervals where 25 % of 100 questions are won and 12 % lost."""
    counts = draw.multinomial(100, [0.25, 0.12, 0.63], DRAWS)
    return 0.13, [stats.paired_share_interval(int(wins), int(losses), 100) for wins, losses, _ in counts]


def drawn_differences_of_scores(draw):
    """Bootstrap intervals for differences of scores in twelfths, half of them none, 40 questions."""
    differences = np.where(draw.random((DRAWS, 40)) < 0.5, 0, draw.binomial(12, 0.55, (DRAWS, 40)) / 12 - 0.4)
    low, high = stats.bootstrap_intervals(list(differences), seed=1)
    return 0.5 * (0.55 - 0.4), list(zip(low, high, strict=True))


@pytest.mark.parametrize("drawn", [drawn_shares, drawn_means, drawn_differences_of_shares, drawn_differences_of_scores])
def test_intervals_hold_as_often_as_they_say(drawn):
    """In 2,000 seeded draws the 95 % interval has the truth in it 94 to 96 times of 100."""
    truth, intervals = drawn(np.random.default_rng(20230630))

    assert len(intervals) == DRAWS
    held = np.mean([low <= truth <= high for low, high in intervals])
    assert 0.94 <= held <= 0.96


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ([1.0, 0.0, 1.0, 1.0], stats.wilson(3, 4)),
        ([0.5, 0.25, 1.0], student.interval(0.95, 2, 7 / 12, sem([0.5, 0.25, 1.0]))),
        ([], (0.0, 1.0)),
        ([0.5], (0.0, 1.0)),
    ],
)
def test_one_number_a_question(sample, expected):
    """Zeros and ones are a share with Wilson's interval, other numbers a mean with Student's (as scipy has it, cut to 0
    and 1); a single one and none at all say nothing."""
    low, high = expected
    assert stats.interval_of(np.array(sample, np.float64)) == pytest.approx((max(0, low), min(1, high)))
