"""What is known and what is not: intervals, tests of pairs, and how many questions a decision needs.

Nothing here knows what is counted. scipy is imported where it is called, so that the app starts without it.
"""

from qaviz.stats.corrected_shares import (
    Estimate,
    Method,
    estimate_difference,
    estimate_share,
    exact_interval,
    fisher_test,
)
from qaviz.stats.intervals import ALPHA, LEVEL, mean_interval, paired_share_interval, wilson
from qaviz.stats.paired_tests import (
    NOTICEABLE,
    TIE,
    Decision,
    bootstrap_intervals,
    decide,
    deviation,
    holm,
    interval_of,
    permutation_tests,
    sign_test,
)
from qaviz.stats.planning import (
    MARGIN,
    POWER,
    NoLossEvidence,
    detectable_mean,
    detectable_share,
    fewest_questions,
    loss_evidence,
    needed_for_mean,
    needed_for_share,
    power_of_share,
    power_with,
    raise_power,
)

__all__ = [
    "ALPHA",
    "LEVEL",
    "MARGIN",
    "NOTICEABLE",
    "POWER",
    "TIE",
    "Decision",
    "Estimate",
    "Method",
    "NoLossEvidence",
    "bootstrap_intervals",
    "decide",
    "detectable_mean",
    "detectable_share",
    "deviation",
    "estimate_difference",
    "estimate_share",
    "exact_interval",
    "fewest_questions",
    "fisher_test",
    "holm",
    "interval_of",
    "loss_evidence",
    "mean_interval",
    "needed_for_mean",
    "needed_for_share",
    "paired_share_interval",
    "permutation_tests",
    "power_of_share",
    "power_with",
    "raise_power",
    "sign_test",
    "wilson",
]
