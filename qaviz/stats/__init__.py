"""What is known and what is not: intervals, tests of pairs, and how many questions a decision needs.

Nothing here knows what is counted. scipy is imported where it is called, so that the app starts without it.
"""

from qaviz.stats.intervals import ALPHA, LEVEL, mean_interval, paired_share_interval, wilson
from qaviz.stats.pairs import holm, sign_test
from qaviz.stats.planning import (
    POWER,
    detectable_mean,
    detectable_share,
    fewest_questions,
    needed_for_mean,
    needed_for_share,
)
from qaviz.stats.prediction_powered import Estimate, Method, estimate_difference, estimate_share, exact_interval
from qaviz.stats.resampling import TIE, bootstrap_intervals, deviation, interval_of, permutation_tests
from qaviz.stats.sequential import MARGIN, NoLossEvidence, loss_evidence
from qaviz.stats.words import NOTICEABLE, Decision, decide

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
    "holm",
    "interval_of",
    "loss_evidence",
    "mean_interval",
    "needed_for_mean",
    "needed_for_share",
    "paired_share_interval",
    "permutation_tests",
    "sign_test",
    "wilson",
]
