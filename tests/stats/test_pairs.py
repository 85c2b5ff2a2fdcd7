"""Exact paired tests and Holm's correction against scipy, statsmodels and figures worked out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

from qaviz import stats

counts = st.integers(min_value=0, max_value=2_000)
p_lists = st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=20)


@given(first=counts, second=counts)
def test_the_sign_test_is_the_binomial_test(first, second):
    """The p-value is scipy's exact binomial test of the questions that only one pipeline got right."""
    expected = binomtest(first, first + second).pvalue if first + second else 1.0

    assert float(stats.sign_test(first, second)) == pytest.approx(expected, rel=1e-9, abs=1e-250)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        pytest.param(4, 0, 0.125, id="four to nothing is not conclusive"),
        pytest.param(6, 0, 0.03125, id="six to nothing is"),
        pytest.param(0, 0, 1.0, id="no difference at all"),
        pytest.param(50_500, 49_500, 0.00158, id="large counts neither overflow nor take long"),
    ],
)
def test_the_sign_test_known_values(first, second, p):
    """Values worked out by hand, and the same whichever pipeline is named first."""
    assert float(stats.sign_test(first, second)) == pytest.approx(p, rel=5e-3)
    assert stats.sign_test(second, first) == stats.sign_test(first, second)


def test_holm_worked_example():
    """Each p-value is multiplied by how many are left, and none passes a smaller one."""
    assert stats.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert stats.holm([]) == []


def test_the_sign_test_takes_pairs_at_once():
    """Arrays give the p-value of each element: seed table's three pairs have 0.125, 0.25 and 1."""
    assert stats.sign_test(np.array([4, 3, 0]), np.array([0, 0, 1])).tolist() == [0.125, 0.25, 1.0]


@settings(max_examples=20)  # 0.06 s each
@given(p_lists)
def test_holm_is_statsmodels(p_values):
    """The corrected p-values are those of statsmodels."""
    expected = multipletests(p_values, method="holm")[1]

    assert stats.holm(p_values) == pytest.approx(expected.tolist(), abs=1e-12)
