"""Plans are the smallest that keep their promise, and bounds are exact."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import hypergeom

from qaviz.stats import size_sample, size_two_stages, upper_bound


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
    """The bound is the largest number wrong that is not yet improbable, counted out for every case up to 40."""
    for population in range(1, 41):
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


@pytest.mark.parametrize("population", [50, 200, 1_000])
def test_two_stages_keep_the_promise_together(population: int):
    """The chance to pass in either stage with too many wrong is at most 5 %, and of a smaller stage it is more."""
    plan = size_two_stages(population, 0.05)
    wrong = population // 20 + 1

    def passes(stage: int) -> Fraction:
        none, one = (chance(population, wrong, stage, each) for each in (0, 1))
        return none + (one - none) * chance(population - stage, wrong - 1, min(stage, population - stage), 0)

    assert passes(plan.first) <= Fraction(1, 20) < passes(plan.first - 1)
    assert plan.first >= size_sample(population, 0.05)


@pytest.mark.parametrize("population", [*range(5, 200, 15), 200])
def test_bounds_cover_the_truth_for_every_number_wrong(population: int):
    """Whatever number is wrong, the bound after a random review holds with at least 95 %: summed up exactly, over all
    that the sample may find."""
    reviewed = size_sample(population, 0.05)
    bounds = np.array([upper_bound(population, reviewed, found) for found in range(reviewed + 1)])
    for wrong in range(population + 1):
        found = np.arange(reviewed + 1)
        likely = hypergeom.pmf(found, population, wrong, reviewed)
        possible = likely > 0
        assert likely[possible & (bounds >= wrong / population - 1e-12)].sum() >= 0.95 - 1e-9
