"""Intervals, paired tests, their correction and the five decisions: against scipy, statsmodels and published figures,
at the ends where formulas break, and by how often they hold.
"""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, norm, permutation_test, sem
from scipy.stats import t as student
from statsmodels.stats.multitest import multipletests

from qaviz import stats
from qaviz.stats import Compared, name_comparison

counts = st.integers(min_value=0, max_value=60_000)
p_lists = st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=20)


@given(first=counts, second=counts)
def test_the_sign_test_is_the_binomial_test(first, second):
    """The p-value is scipy's exact binomial test of the questions that only one pipeline got right."""
    expected = binomtest(first, first + second).pvalue if first + second else 1.0

    assert float(stats.sign_test(first, second)) == pytest.approx(expected, rel=1e-9, abs=1e-250)


@settings(max_examples=20)  # 0.06 s each
@given(p_lists)
def test_holm_is_statsmodels(p_values):
    """The corrected p-values are those of statsmodels."""
    expected = multipletests(p_values, method="holm")[1]

    assert stats.holm(p_values) == pytest.approx(expected.tolist(), abs=1e-12)


@pytest.mark.parametrize(
    ("difference", "p", "detectable", "decision"),
    [
        pytest.param(0.3, 0.01, 0.25, Compared.BETTER, id="more than chance"),
        pytest.param(-0.3, 0.01, 0.25, Compared.WORSE, id="less than chance"),
        pytest.param(0.3, 0.05, 0.1, Compared.NO_CLEAR_DIFFERENCE, id="0.05 itself is not beyond chance"),
        pytest.param(0.0, 1.0, 0.2, Compared.NO_CLEAR_DIFFERENCE, id="a noticeable gap would have shown"),
        pytest.param(0.4, 0.125, 0.6, Compared.TOO_FEW_QUESTIONS, id="a noticeable gap could hide"),
        pytest.param(0.4, 0.125, None, Compared.TOO_FEW_QUESTIONS, id="any gap could hide"),
        pytest.param(None, None, None, Compared.TOO_FEW_QUESTIONS, id="nothing is paired"),
    ],
)
def test_decisions(difference, p, detectable, decision):
    """A difference beyond chance is better or worse; without one it matters what could have been seen."""
    assert name_comparison(difference, p, detectable) is decision


def test_the_app_starts_without_scipy():
    """What the pages import leaves scipy alone: it takes longer to import than the first screen to draw."""
    asked = "import qaviz.ui, sys; print(*{name.partition('.')[0] for name in sys.modules} & {'scipy'})"

    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert said.stdout.strip() == ""


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


@pytest.mark.parametrize(
    ("questions", "swaps_drawn", "ends_drawn"),
    [(14, False, True), (15, True, True), (500, True, True), (501, False, False)],
)
def test_how_many_questions_are_drawn(questions, swaps_drawn, ends_drawn):
    """As docs/reference.md says: swaps are drawn for 15 to 500 questions, means up to 500; there the seed has a say."""
    sample = differences(questions, mean=0.012)
    first, second = (stats.permutation_tests([sample], seed)[0] for seed in (1, 2))
    (low, _), (again, _) = (np.ravel(stats.bootstrap_intervals([sample], seed)) for seed in (1, 2))

    assert (first != second, low != again) == (swaps_drawn, ends_drawn)


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
        pytest.param(np.array([0.1, 0.3]), 0.1, 0.3, id="two do"),
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


@given(hits=counts, misses=counts)
def test_wilson_is_scipys(hits, misses):
    """The interval is scipy's Wilson interval for every count."""
    n = hits + misses
    expected = binomtest(hits, n).proportion_ci(method="wilson") if n else (0, 1)

    assert stats.wilson(hits, n) == pytest.approx(tuple(expected), abs=1e-12)


@given(n=st.integers(min_value=2, max_value=2_000), deviation=st.floats(min_value=0, max_value=0.05))
def test_mean_interval_is_students(n, deviation):
    """The interval is the t interval around the mean, as scipy has it."""
    low, high = stats.mean_interval(0.5, deviation, n)
    half = student.ppf(0.975, n - 1) * deviation / n**0.5

    assert (high - low) / 2 == pytest.approx(min(half, 0.5), rel=1e-9, abs=1e-12)


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


def drawn_differences_of_shares(draw):
    """Bonett and Price's intervals where 25 % of 100 questions are won and 12 % lost."""
    counts = draw.multinomial(100, [0.25, 0.12, 0.63], DRAWS)
    return 0.13, [stats.paired_share_interval(int(wins), int(losses), 100) for wins, losses, _ in counts]


def drawn_differences_of_scores(draw):
    """Bootstrap intervals for differences of scores in twelfths, half of them none, 40 questions."""
    differences = np.where(draw.random((DRAWS, 40)) < 0.5, 0, draw.binomial(12, 0.55, (DRAWS, 40)) / 12 - 0.4)
    low, high = stats.bootstrap_intervals(list(differences), seed=1)
    return 0.5 * (0.55 - 0.4), list(zip(low, high, strict=True))


@pytest.mark.parametrize("drawn", [drawn_differences_of_shares, drawn_differences_of_scores])
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
