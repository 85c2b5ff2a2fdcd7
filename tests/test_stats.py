"""qaviz.stats: each formula against scipy, and at the ends where formulas break."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, false_discovery_control
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


@given(first=counts, second=counts)
def test_mcnemar_is_the_binomial_test(first, second):
    """The p-value is scipy's exact binomial test of the questions that only one pipeline got right."""
    expected = binomtest(first, first + second).pvalue if first + second else 1.0

    assert stats.mcnemar_exact(first, second) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        pytest.param(4, 0, 0.125, id="four to nothing is not conclusive"),
        pytest.param(6, 0, 0.03125, id="six to nothing is"),
        pytest.param(0, 0, 1.0, id="no difference at all"),
        pytest.param(50_500, 49_500, 0.00158, id="large counts neither overflow nor take long"),
    ],
)
def test_mcnemar_known_values(first, second, p):
    """Values worked out by hand, and the same whichever pipeline is named first."""
    assert stats.mcnemar_exact(first, second) == pytest.approx(p, rel=5e-3)
    assert stats.mcnemar_exact(second, first) == stats.mcnemar_exact(first, second)


def test_holm_worked_example():
    """Each p-value is multiplied by how many are left, and none passes a smaller one."""
    assert stats.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert stats.holm([]) == []


@given(st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=20))
def test_holm_is_at_least_as_strict_as_controlling_false_discoveries(p_values):
    """Holm's correction never goes below Benjamini and Hochberg's, nor above 1, nor below the p-value itself."""
    corrected = stats.holm(p_values)

    assert all(h >= b - 1e-12 for h, b in zip(corrected, false_discovery_control(p_values), strict=True))
    assert all(p <= h <= 1 for p, h in zip(p_values, corrected, strict=True))


@given(n=st.integers(min_value=2, max_value=2_000), deviation=st.floats(min_value=0, max_value=0.05))
def test_mean_interval_is_students(n, deviation):
    """The interval is the t interval around the mean, within 0.2 % of scipy's width."""
    low, high = stats.mean_interval(0.5, deviation, n)
    half = student.ppf(0.975, n - 1) * deviation / n**0.5

    assert (high - low) / 2 == pytest.approx(min(half, 0.5), rel=2e-3, abs=1e-12)


def test_mean_interval_stays_among_scores():
    """A mean near an end has no interval past it."""
    assert stats.mean_interval(0.95, 0.4, 3) == (pytest.approx(0.0, abs=0.05), 1.0)
