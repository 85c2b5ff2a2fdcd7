"""Permutation tests and bootstrap intervals against scipy, published data, and their own limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, norm, permutation_test

from qaviz import stats

DARWIN = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]) / 100
"""Heights of cross- less self-fertilised maize, as R. A. Fisher has them (The Design of Experiments, 1935)."""

small_samples = st.lists(st.integers(-6, 6), min_size=2, max_size=8)


def differences(n, seed=7, mean=0.03):
    return np.random.default_rng(seed).normal(mean, 0.2, n).clip(-1, 1)


@settings(max_examples=50)
@given(small_samples)
def test_all_swaps_are_scipys(sixths):
    """With few questions the p-value is scipy's exact permutation test of paired samples, rounding or not."""
    whole = np.array(sixths, np.float64)
    expected = permutation_test((whole,), np.sum, permutation_type="samples", n_resamples=np.inf)

    assert stats.permutation_tests([whole / 6], seed=1)[0] == pytest.approx(expected.pvalue, abs=1e-9)


def test_fishers_own_example():
    """Darwin's maize: of the 32,768 swaps 1,726 have a sum as far from 0 as his, so p is 0.0527 (Fisher)."""
    p = stats.permutation_tests([DARWIN], seed=1)[0]

    assert len(DARWIN) > stats.EXACT_UP_TO
    assert p == pytest.approx(1_726 / 32_768, abs=0.007)


def test_drawn_swaps_agree_with_their_limit(monkeypatch):
    """Just below and above DRAWN_UP_TO questions, drawing and the normal limit give the same p-value."""
    sample = differences(stats.DRAWN_UP_TO, mean=0.012)
    drawn = stats.permutation_tests([sample], seed=3)[0]
    monkeypatch.setattr(stats, "DRAWN_UP_TO", 10)
    limit = stats.permutation_tests([sample], seed=3)[0]

    assert 0.01 < drawn < 0.99
    assert drawn == pytest.approx(limit, abs=0.015)


def test_a_p_value_is_never_zero():
    """Forty pairs that all agree: no draw is as extreme, and the bound that stands is above the exact p-value, 2**-39,
    and below that of a single draw; where draws tell more than the bound, they stand."""
    mixed = np.array([*[0.1] * 14, *[-0.1] * 6])
    alike, usual = stats.permutation_tests([np.full(40, 0.5), mixed], seed=1)
    assert 2 * 0.5**40 < alike < 1e-8
    assert usual == pytest.approx(binomtest(6, 20).pvalue, abs=0.02)


@pytest.mark.parametrize("sample", [np.array([]), np.zeros(5), np.full(3, 1e-16)], ids=["none", "ties", "rounding"])
def test_no_difference_has_a_p_value_of_one(sample):
    """Without questions, with ties alone and with rounding alone nothing is found."""
    assert stats.permutation_tests([sample], seed=1)[0] == 1


def test_what_is_equal_is_found_as_often_as_the_level_says():
    """Of 2,000 samples without a true difference about 5 of 100 have p < 0.05."""
    samples = list(np.random.default_rng(5).uniform(-1, 1, (2_000, 30)))

    found = np.mean(stats.permutation_tests(samples, seed=2) < 0.05)

    assert 0.04 <= found <= 0.06


def test_the_bootstrap_is_scipys():
    """With many questions the interval is scipy's percentile bootstrap, up to the draws."""
    sample = differences(400)
    expected = bootstrap((sample,), np.mean, method="percentile", n_resamples=5_000, rng=1).confidence_interval

    (low,), (high,) = stats.bootstrap_intervals([sample], seed=1)

    assert (low, high) == pytest.approx((expected.low, expected.high), abs=0.003)


def test_of_few_questions_percentiles_are_taken_further_out():
    """Of ten questions the ends are the percentiles at 0.86 and 99.14, not at 2.5 and 97.5: Student's 2.262 times the
    root of 10/9 in units of the normal distribution (Hesterberg 2015)."""
    sample = differences(10)
    means = stats._times_drawn(10, seed=1) @ sample / 10

    ends = np.ravel(stats.bootstrap_intervals([sample], seed=1))

    share = norm.cdf(-2.262157 * np.sqrt(10 / 9))
    assert share == pytest.approx(0.00856, abs=1e-5)
    assert ends == pytest.approx(np.quantile(means, [share, 1 - share]), abs=1e-6)


def test_beyond_the_draws_the_interval_is_their_limit(monkeypatch):
    """Just below and above DRAWN_UP_TO questions, drawing and the normal limit give the same interval."""
    sample = differences(stats.DRAWN_UP_TO)
    drawn = stats.bootstrap_intervals([sample], seed=3)
    monkeypatch.setattr(stats, "DRAWN_UP_TO", 10)

    assert np.ravel(drawn) == pytest.approx(np.ravel(stats.bootstrap_intervals([sample], seed=3)), abs=0.001)


@pytest.mark.parametrize(
    ("sample", "low", "high"),
    [
        pytest.param(np.array([]), -1, 1, id="no question says nothing"),
        pytest.param(np.array([0.5]), -1, 1, id="nor does one"),
        pytest.param(np.zeros(10), -0.2775, 0.2775, id="ten ties leave room for what is unseen"),
        pytest.param(np.full(10, 0.2), -0.1331, 0.4220, id="so do ten equal differences"),
    ],
)
def test_few_or_equal_differences_are_no_certainty(sample, low, high):
    """An interval is never a single point."""
    ends = stats.bootstrap_intervals([sample], seed=1)

    assert np.ravel(ends) == pytest.approx((low, high), abs=1e-4)


def test_the_seed_decides_and_the_company_does_not():
    """The same seed gives the same interval, alone or beside other samples; another seed another one."""
    sample, other = differences(50), differences(50, seed=8)
    alone = np.ravel(stats.bootstrap_intervals([sample], seed=1))
    beside = stats.bootstrap_intervals([other, sample], seed=1)

    assert alone == pytest.approx([beside[0][1], beside[1][1]], abs=1e-15)
    assert alone.tolist() != np.ravel(stats.bootstrap_intervals([sample], seed=2)).tolist()


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        pytest.param(np.array([0.1]), None, id="one question has none"),
        pytest.param(np.array([0.1, 0.3]), 0.1414, id="two have"),
        pytest.param(np.zeros(10), 0.4478, id="ties are not certainty"),
    ],
)
def test_deviation(sample, expected):
    """The deviation is the sample's, or what the unseen may hide; None where there is nothing to deviate."""
    assert stats.deviation(sample) == pytest.approx(expected, abs=5e-5)
