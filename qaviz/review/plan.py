"""From a risk level to a sampling plan, and from what was reviewed to the statement that it supports."""

from collections.abc import Sequence
from dataclasses import dataclass

from qaviz.model.errors import Problem, QavizError
from qaviz.review.risk import PROMISES, Level
from qaviz.stats.acceptance_sampling import CONFIDENCE, Plan, size_sample, upper_bound


@dataclass(frozen=True, kw_only=True)
class ReviewPlan:
    """How many triplets of a golden dataset are reviewed, chosen at random, and what that shows."""

    population: int
    level: Level
    at_most: float
    """The share that may be wrong: the promise, with `confidence`."""
    confidence: float
    sample: int
    allowed_wrong: int
    """How many of the sample may be wrong for the promise to hold; fixed before the review."""
    readers: int
    """How many people read each triplet."""


def plan_review(population: int, level: Level, *, at_most: float | None = None, allowed_wrong: int = 0) -> ReviewPlan:
    """Return the plan of a level for so many triplets; `at_most` in place of the level's own promise.

    Raises QavizError for no triplets, for a share outside 0 to 1, or for more allowed wrong than the plan can allow.
    """
    promise = PROMISES[level] if at_most is None else at_most
    _refuse_impossible(population, promise, allowed_wrong)
    everything = level is Level.CRITICAL and at_most is None
    drawn = Plan(sample=population, allowed_wrong=0) if everything else size_sample(population, promise, allowed_wrong)
    return ReviewPlan(
        population=population,
        level=level,
        at_most=promise,
        confidence=CONFIDENCE,
        sample=drawn.sample,
        allowed_wrong=drawn.allowed_wrong,
        readers=2 if level is Level.CRITICAL else 1,
    )


def bound_wrong(population: int, reviewed: int, wrong: int) -> float:
    """Return the largest share of the population that may be wrong, with 95 % confidence, after a random review.

    Raises QavizError unless 0 <= wrong <= reviewed <= population and population >= 1.
    """
    problems = []
    if population < 1:
        problems.append(("population", population, "at least 1 triplet"))
    if not 0 <= reviewed <= max(population, 0):
        problems.append(("reviewed", reviewed, f"a number from 0 to {population:,}"))
    if not 0 <= wrong <= max(reviewed, 0):
        problems.append(("wrong", wrong, f"a number from 0 to {reviewed:,}"))
    _refuse(problems)
    return upper_bound(population, reviewed, wrong)


def _refuse_impossible(population: int, at_most: float, allowed_wrong: int) -> None:
    problems: list[tuple[str, object, str]] = []
    if population < 1:
        problems.append(("population", population, "at least 1 triplet"))
    if not 0 <= at_most < 1:
        problems.append(("at most", at_most, "a share from 0 to below 1"))
    elif allowed_wrong < 0 or allowed_wrong > at_most * max(population, 0):
        problems.append(("allowed wrong", allowed_wrong, f"a number from 0 to {int(at_most * max(population, 0)):,}"))
    _refuse(problems)


def _refuse(problems: Sequence[tuple[str, object, str]]) -> None:
    if problems:
        raise QavizError(
            *(
                Problem(where=f"review {name}", found=f"{found}", expected=expected, fix="Correct the number.")
                for name, found, expected in problems
            )
        )
