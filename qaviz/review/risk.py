"""The risk of a wrong golden dataset: severity by likelihood, and how much review each level asks for."""

from collections.abc import Mapping
from enum import StrEnum


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


class Level(StrEnum):
    """How risky a golden dataset is, the least first."""

    VERY_LOW = "very low"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


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
