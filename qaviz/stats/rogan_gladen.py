"""A share of right answers by a judge, corrected by its sensitivity and specificity on labels from elsewhere.

Where the labelled responses are a random sample of the judged ones, `estimate_share` is narrower; this is for labels
of other responses that the judge graded too.
"""

from dataclasses import dataclass
from math import sqrt

from qaviz.stats.intervals import LEVEL


@dataclass(frozen=True, kw_only=True)
class Correction:
    """A corrected share with its interval."""

    value: float
    low: float
    high: float
    sensitivity: float
    """Share of the right answers that the judge calls right, by the labels."""
    specificity: float
    """Share of the others that the judge calls otherwise, by the labels."""


def correct_share(
    judged_right: int,
    judged: int,
    right_called_right: int,
    right: int,
    wrong_called_wrong: int,
    wrong: int,
    level: float = LEVEL,
) -> Correction | None:
    """The share of right answers behind a judge's share, of many responses like these.

    W. J. Rogan and B. Gladen, American Journal of Epidemiology 107 (1978); the interval that also knows how few labels
    sensitivity and specificity rest on: Z. Lang and J. Reiczigel, Preventive Veterinary Medicine 113 (2014). None where
    there are no labels of either class, or the judge is no better than chance on them.
    """
    if not (judged and right and wrong):
        return None
    sensitivity, specificity = right_called_right / right, wrong_called_wrong / wrong
    if sensitivity + specificity <= 1:
        return None
    value = (judged_right / judged + specificity - 1) / (sensitivity + specificity - 1)
    low, high = _interval(judged_right, judged, right_called_right, right, wrong_called_wrong, wrong, level)
    value = min(1.0, max(0.0, value))
    return Correction(
        value=value, low=min(low, value), high=max(high, value), sensitivity=sensitivity, specificity=specificity
    )


def _interval(
    judged_right: int,
    judged: int,
    right_called_right: int,
    right: int,
    wrong_called_wrong: int,
    wrong: int,
    level: float,
) -> tuple[float, float]:
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    n, n_right, n_wrong = judged + z**2, right + 2, wrong + 2
    share = (judged_right + z**2 / 2) / n
    sensitivity, specificity = (right_called_right + 1) / n_right, (wrong_called_wrong + 1) / n_wrong
    better = sensitivity + specificity - 1
    if better <= 0:
        return 0.0, 1.0
    centre = (share + specificity - 1) / better
    of_right, of_wrong = sensitivity * (1 - sensitivity) / n_right, specificity * (1 - specificity) / n_wrong
    shift = 2 * z**2 * (centre * of_right - (1 - centre) * of_wrong)
    variance = share * (1 - share) / n + centre**2 * of_right + (1 - centre) ** 2 * of_wrong
    half = z / better * sqrt(variance)
    return max(0.0, centre + shift - half), min(1.0, centre + shift + half)
