"""From the risk of a wrong golden dataset to a sampling plan, and from what was reviewed to the statement that it
supports.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from qaviz.analysis import numbers
from qaviz.model.errors import Problem, QavizError
from qaviz.stats.planning import (
    CONFIDENCE,
    Plan,
    TwoStagePlan,
    size_sample,
    size_two_stages,
    upper_bound,
)
from qaviz.store import Workspace, keep_policy, kept_policy

PART = "review"
"""The part of the workspace's policy that has the table."""
MOST_READERS = 9


class Level(StrEnum):
    """How risky a golden dataset is, the least first."""

    VERY_LOW = "very low"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


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
    """Return the plan of a level for so many triplets; `at_most` in place of the level's own promise (0: read all).

    Raises QavizError for no triplets, for a share outside 0 to 1, or for more allowed wrong than the plan can allow.
    """
    promise = PROMISES[level] if at_most is None else at_most
    _refuse_impossible(population, promise, allowed_wrong)
    drawn = (
        Plan(sample=population, allowed_wrong=0) if promise == 0 else size_sample(population, promise, allowed_wrong)
    )
    return ReviewPlan(
        population=population,
        level=level,
        at_most=promise,
        confidence=CONFIDENCE,
        sample=drawn.sample,
        allowed_wrong=drawn.allowed_wrong,
        readers=2 if level is Level.CRITICAL else 1,
    )


def find_stages(population: int, at_most: float, sample: int, allowed_wrong: int) -> TwoStagePlan | None:
    """Return the two-stage plan whose first stage, or both, this sample is; None where it is a plan of one stage.

    The stages of a plan are sized jointly, so that a first stage is larger than the sample of one stage.
    """
    if at_most <= 0:
        return None
    stages, single = size_two_stages(population, at_most), size_sample(population, at_most)
    both = stages.first + stages.second, stages.allowed
    known = ((stages.first, stages.first_allowed), both)
    return stages if stages.second and stages.first > single.sample and (sample, allowed_wrong) in known else None


def say_plan(plan: ReviewPlan) -> str:
    """The plan in a sentence, and what a tenth of the triplets would show."""
    allowed = "none may be wrong" if plan.allowed_wrong == 0 else f"at most {plan.allowed_wrong:,} may be wrong"
    readers = f", each by {plan.readers} people" if plan.readers > 1 else ""
    if plan.sample == plan.population:
        return f"Review all {plan.population:,} triplets{readers}; {allowed}."
    tenth = max(1, round(plan.population / 10))
    return (
        f"Review {plan.sample:,} of {plan.population:,} triplets, drawn at random{readers}; {allowed}. Then, with "
        f"{plan.confidence:.0%} confidence, at most {numbers.upper_bound(plan.at_most)} of all are wrong. "
        f"10% of them ({tenth:,}), none wrong, would show: at most "
        f"{numbers.upper_bound(bound_wrong(plan.population, tenth, 0))} wrong."
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
                Problem(where=f"review {name}", found=f"{wrong}", expected=expected, fix="Correct the number.")
                for name, wrong, expected in problems
            )
        )


class Severity(StrEnum):
    """How bad it is if the golden dataset is wrong, the least first."""

    VERY_LOW = "very low"
    LOW = "low"
    MODERATE = "moderate"
    MAJOR = "major"
    EXTREME = "extreme"


class Likelihood(StrEnum):
    """How often a wrong triplet would do harm, the least first."""

    RARE = "rare"
    UNLIKELY = "unlikely"
    POSSIBLE = "possible"
    LIKELY = "likely"
    FREQUENT = "frequent"


_V, _L, _M, _H, _C = Level
_BY_SEVERITY = {
    Severity.VERY_LOW: (_V, _V, _V, _V, _L),
    Severity.LOW: (_V, _V, _L, _L, _M),
    Severity.MODERATE: (_V, _L, _M, _M, _H),
    Severity.MAJOR: (_V, _L, _M, _H, _C),
    Severity.EXTREME: (_L, _M, _H, _C, _C),
}
"""By severity the levels from rare to frequent. Source: AWS, Learn how to assess the risk of AI systems."""

PROMISES: Mapping[Level, float] = {
    Level.VERY_LOW: 0.10,
    Level.LOW: 0.05,
    Level.MEDIUM: 0.02,
    Level.HIGH: 0.01,
    Level.CRITICAL: 0.0,
}
"""The share of triplets that may be wrong at most, with 95 % confidence. 0: every triplet is read, by two people."""


def classify_risk(severity: Severity, likelihood: Likelihood) -> Level:
    """Return the cell of the risk matrix."""
    return _BY_SEVERITY[severity][list(Likelihood).index(likelihood)]


@dataclass(frozen=True, kw_only=True)
class LevelRule:
    """What a level asks."""

    at_most: float
    """Share of the triplets that may be wrong, with 95 % confidence; 0: every triplet is read."""
    readers: int
    """How many people read each triplet."""


DEFAULTS: Mapping[Level, LevelRule] = {
    level: LevelRule(at_most=share, readers=2 if level is Level.CRITICAL else 1) for level, share in PROMISES.items()
}


def level_rules(workspace: Workspace) -> Mapping[Level, LevelRule]:
    """Return what each level asks: as it was set last, else DEFAULTS."""
    kept = (kept_policy(workspace) or {}).get(PART) or {}
    return {level: LevelRule(**kept[level]) if level in kept else rule for level, rule in DEFAULTS.items()}


def keep_level_rules(workspace: Workspace, rules: Mapping[Level, LevelRule], by: str) -> None:
    """Keep what each level asks. Raises QavizError for a share outside 0 to below 1, or for no reader or too many."""
    problems = [
        Problem(where=f"level {level}", found=value, expected=expected, fix="Correct the number.")
        for level, rule in rules.items()
        for value, expected, wrong in (
            (f"{rule.at_most:.2%} wrong", "a share from 0% to below 100%", not 0 <= rule.at_most < 1),
            (f"{rule.readers} readers", f"1 to {MOST_READERS}", not 1 <= rule.readers <= MOST_READERS),
        )
        if wrong
    ]
    if problems:
        raise QavizError(*problems)
    keep_policy(workspace, {PART: {level.value: asdict(rule) for level, rule in rules.items()}}, by)
