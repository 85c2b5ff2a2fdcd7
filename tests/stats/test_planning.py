"""How many questions, and how large a difference: against statsmodels, and by how often a test then finds it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from qaviz import stats

shares = st.floats(min_value=0.02, max_value=1)


@pytest.mark.parametrize(("alpha", "fewest"), [(0.05, 6), (0.05 / 3, 7), (0.05 / 190, 13)])
def test_fewest_questions_are_where_a_clean_sweep_counts(alpha, fewest):
    """So many wins to nothing have p < alpha, and one fewer has not."""
    assert stats.fewest_questions(alpha) == fewest
    assert stats.sign_test(fewest, 0) < alpha <= stats.sign_test(fewest - 1, 0)


@pytest.mark.parametrize(("difference", "deviation"), [(0.05, 0.25), (-0.1, 0.2), (0.02, 0.3)])
def test_needed_for_mean_is_statsmodels(difference, deviation):
    """The number of questions is that of statsmodels' power of the t test."""
    effect = abs(difference) / deviation
    expected = TTestPower().solve_power(effect_size=effect, alpha=0.05, power=stats.POWER)

    assert stats.needed_for_mean(difference, deviation, 0.05) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("n", [12, 30, 200])
def test_detectable_mean_is_statsmodels(n):
    """The smallest difference is that of statsmodels' power of the t test."""
    expected = 0.2 * TTestPower().solve_power(nobs=n, alpha=0.05, power=stats.POWER)

    assert stats.detectable_mean(n, 0.2, 0.05) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(("wins", "losses"), [(0.25, 0.10), (0.15, 0.05), (0.30, 0.0)])
def test_so_many_questions_find_the_difference_four_times_in_five(wins, losses):
    """With `needed_for_share` questions McNemar's exact test finds the difference in about 80 of 100 draws."""
    n = int(np.ceil(stats.needed_for_share(wins - losses, wins + losses, 0.05)))
    drawn = np.random.default_rng(11).multinomial(n, [wins, losses, 1 - wins - losses], 4_000)

    found = np.mean(stats.sign_test(drawn[:, 0], drawn[:, 1]) < 0.05)

    assert 0.72 <= found <= 0.88


@given(n=st.integers(min_value=8, max_value=5_000), discordant=shares)
def test_what_is_detectable_needs_just_so_many_questions(n, discordant):
    """`detectable_share` and `needed_for_share` are each other's inverse."""
    found = stats.detectable_share(n, discordant, 0.05)

    assert stats.needed_for_share(found, discordant, 0.05) <= n + 1e-6
    assert stats.needed_for_share(found * 0.99, discordant, 0.05) > n * 0.99 or n == stats.fewest_questions(0.05)


@pytest.mark.parametrize(
    "nothing",
    [
        pytest.param(stats.needed_for_share(0.0, 0.4, 0.05), id="no difference of shares"),
        pytest.param(stats.needed_for_mean(0.0, 0.2, 0.05), id="no difference of means"),
        pytest.param(stats.detectable_share(5, 0.4, 0.05), id="too few questions for any share"),
        pytest.param(stats.detectable_mean(5, 0.2, 0.05), id="too few questions for any mean"),
        pytest.param(stats.detectable_mean(8, 0.9, 0.05), id="wider than scores can differ"),
    ],
)
def test_what_cannot_be_is_no_number(nothing):
    """Where no number of questions, or no difference, would do, there is none."""
    assert np.isnan(nothing)


@pytest.mark.parametrize(
    ("share", "bound", "questions"), [(0.9, 0.8, 120), (0.95, 0.9, 250), (0.72, 0.7, 900), (1.0, 0.9, 40)]
)
def test_power_is_how_often_the_low_end_reaches_the_bound(share: float, bound: float, questions: int):
    """The exact power is the share of simulated runs of that size whose interval lies above the bound."""
    right = np.random.default_rng(7).binomial(questions, share, 20_000)
    shown = np.mean([stats.wilson(int(number), questions)[0] >= bound for number in right])

    assert stats.power_of_share(share, bound, questions) == pytest.approx(shown, abs=0.012)
