"""What each risk level asks of a review in this workspace: a table that people may change."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from qaviz.model.errors import Problem, QavizError
from qaviz.review.risk import PROMISES, Level
from qaviz.store import Workspace, keep_policy, kept_policy

PART = "review"
"""The part of the workspace's policy that has the table."""
MOST_READERS = 9


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
        Problem(where=f"level {level}", found=found, expected=expected, fix="Correct the number.")
        for level, rule in rules.items()
        for found, expected, wrong in (
            (f"{rule.at_most:.2%} wrong", "a share from 0% to below 100%", not 0 <= rule.at_most < 1),
            (f"{rule.readers} readers", f"1 to {MOST_READERS}", not 1 <= rule.readers <= MOST_READERS),
        )
        if wrong
    ]
    if problems:
        raise QavizError(*problems)
    keep_policy(workspace, {PART: {level.value: asdict(rule) for level, rule in rules.items()}}, by)
