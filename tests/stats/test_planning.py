"""How much it takes to know, in questions, looks in between and items to review: against statsmodels and exact counts,
and by simulation.
"""

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from qaviz import stats
from qaviz.stats import ALPHA, MARGIN, size_sample, upper_bound

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


@given(n=st.integers(min_value=stats.fewest_questions(0.05), max_value=5_000), discordant=shares)
@example(n=stats.fewest_questions(0.05), discordant=1.0)
def test_what_is_detectable_needs_just_so_many_questions(n, discordant):
    """`detectable_share` and `needed_for_share` are each other's inverse."""
    found = stats.detectable_share(n, discordant, 0.05)

    assert stats.needed_for_share(found, discordant, 0.05) <= n + 1e-6
    assert stats.needed_for_share(found * 0.99, discordant, 0.05) > n


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


DRAWS = 1000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "shares"), [((1, -1), (0.5, 0.5)), ((1, -1, 0), (0.1, 0.1, 0.8)), ((0.5, -1), (2 / 3, 1 / 3))]
)
def test_a_bet_on_nothing_seldom_wins(values, shares):
    """Where the mean is the bound, a hundred looks win twenty times the stake in at most 5 % of draws."""
    draw, ever = np.random.default_rng(1), 0

    @cache
    def capital(*counts: int) -> float:
        return stats.mixed_bets(np.repeat(values, counts), 0.0)

    for _ in range(DRAWS // 5):
        sample = draw.choice(values, 300, p=shares)
        seen = {value: np.cumsum(sample == value) for value in values}
        ever += any(capital(*(int(seen[value][n]) for value in values)) >= 1 / ALPHA for n in range(0, 300, 3))
    assert ever <= ALPHA * DRAWS / 5


def test_what_is_plain_is_known_soon():
    """Eight questions in a row that broke are enough."""
    five, eight = (stats.mixed_bets([-1.0] * broken, 0.0) for broken in (5, 8))
    assert five < 1 / ALPHA <= eight
    assert stats.mixed_bets([-1.0] * 5_000 + [1.0] * 100, 0.0) > 1e6
    assert stats.mixed_bets([1.0] * 5_000 + [-1.0] * 100, 0.0) < 1
    assert stats.mixed_bets([0.0] * 10, MARGIN, times=9) == pytest.approx(stats.mixed_bets([0.0] * 90, MARGIN))


def test_the_low_end_is_where_the_bets_win():
    """Below the end the bets have won; without a value nothing is known."""
    sample = [1.0] * 3 + [-1.0] + [0.0] * 96
    low = stats.anytime_low(sample)
    assert low < 0.02
    assert stats.mixed_bets(np.negative(sample), -low) == pytest.approx(1 / ALPHA)
    assert stats.anytime_low([]) == -1.0


def chance(population: int, wrong: int, sample: int, found: int) -> Fraction:
    """Of at most so many wrong ones in the sample, counted out in whole numbers."""
    ways = sum(comb(wrong, each) * comb(population - wrong, sample - each) for each in range(found + 1))
    return Fraction(ways, comb(population, sample))


@pytest.mark.parametrize("percent", [1, 2, 5, 10])
@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_plans_are_the_smallest_for_every_population_up_to_200(percent: int, allowed: int):
    """For every population the sample keeps the promise, and a sample with one item less does not."""
    for population in range(1, 201):
        wrong = population * percent // 100 + 1
        sample = size_sample(population, percent / 100, allowed)

        assert sample == population or chance(population, wrong, sample, allowed) <= Fraction(1, 20)
        if allowed < sample - 1:
            assert chance(population, wrong, sample - 1, allowed) > Fraction(1, 20)


@pytest.mark.parametrize(
    ("population", "at_most", "samples"),
    [
        (100, 0.01, (78, 98)),
        (100, 0.02, (63, 87, 99)),
        (100, 0.05, (39, 58, 73)),
        (500, 0.05, (54, 84, 110)),
        (1_000, 0.01, (238, 364, 469)),
        (1_000, 0.02, (132, 206, 269)),
        (1_000, 0.05, (56, 88, 117)),
        (1_000, 0.10, (28, 45, 59)),
        (10_000, 0.01, (291, 460, 609)),
        (10_000, 0.10, (29, 46, 61)),
    ],
)
def test_known_plans(population: int, at_most: float, samples: tuple[int, ...]):
    """The samples for none, one and two allowed wrong are those of the published tables."""
    assert tuple(size_sample(population, at_most, allowed) for allowed in range(len(samples))) == samples


@pytest.mark.slow
def test_bounds_are_exact_for_every_sample_of_small_populations():
    """The bound is the largest number wrong that is not yet improbable, counted out for every case up to 25."""
    for population in range(1, 26):
        for reviewed in range(population + 1):
            for wrong in range(reviewed + 1):
                possible = range(wrong, population - reviewed + wrong + 1)
                likely = [each for each in possible if chance(population, each, reviewed, wrong) > Fraction(1, 20)]
                assert upper_bound(population, reviewed, wrong) == max(likely) / population


def test_a_tenth_of_a_hundred_shows_little():
    """10 of 100 reviewed and none wrong: at most 24 % wrong; all reviewed: exactly what was found."""
    assert upper_bound(100, 10, 0) == 0.24
    assert upper_bound(100, 100, 3) == 0.03
    assert upper_bound(100, 0, 0) == 1.0
