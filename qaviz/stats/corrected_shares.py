"""Shares of right answers corrected by people's labels: prediction-powered estimates (PPI++)."""

from dataclasses import dataclass
from enum import StrEnum
from math import hypot, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qaviz.stats import LEVEL, TWO_SIDED, interval_of, paired_share_interval, sign_test

FEWEST_OF_A_CLASS = 10
"""Labels of the rarer class (right, not right) below which verdicts are left out and the interval is exact."""

Numbers = NDArray[np.float64]

_ADDED = 2
"""Made-up labelled responses on which label and verdict differ, one each way: see `_Corrected`."""

_ROUNDING = 1e-7
"""Log chances that differ by less are equal: those of large counts are exact to nine digits."""


class Method(StrEnum):
    """How a share was made, in words that a page may show."""

    PREDICTION_POWERED = "all verdicts, corrected by people's labels of a random sample (prediction-powered, PPI++)"
    LABELS_ONLY = "people's labels alone, with an exact interval (Clopper and Pearson)"


class CorrectedShare(NamedTuple):
    """A share with its interval."""

    value: float
    low: float
    high: float
    method: Method


class Difference(NamedTuple):
    """A difference of two shares with its interval, and the two-sided p-value that it is not 0."""

    value: float
    low: float
    high: float
    p: float


def estimate_share(labels: ArrayLike, predictions: ArrayLike) -> CorrectedShare:
    """The share of right answers, from labels of some responses, at least one, and predictions of all.

    PPI++ with power tuning: A. N. Angelopoulos, J. C. Duchi and T. Zrnic, PPI++: Efficient prediction-powered
    inference, arXiv 2311.01453 (2023). Labels alone, with the exact interval of C. J. Clopper and E. S. Pearson,
    Biometrika 26 (1934), pages 404–413, where the rarer class has fewer than FEWEST_OF_A_CLASS labels or all responses
    are labelled; Student's interval where repeats of a question make labels fractions.
    """
    given, predicted = np.asarray(labels, np.float64), np.asarray(predictions, np.float64)
    if _labels_only(given):
        return _share_of_labels(given[~np.isnan(given)])
    corrected = _correct(given, predicted)
    half = _half(corrected.variance, int((~np.isnan(given)).sum()))
    value = min(1.0, max(0.0, corrected.value))
    low, high = max(0.0, min(corrected.centre - half, value)), min(1.0, max(corrected.centre + half, value))
    return CorrectedShare(value, low, high, Method.PREDICTION_POWERED)


def _share_of_labels(labels: Numbers) -> CorrectedShare:
    return CorrectedShare(float(labels.mean()), *exact_interval(labels), Method.LABELS_ONLY)


def estimate_difference(
    first_labels: ArrayLike,
    first_predictions: ArrayLike,
    second_labels: ArrayLike,
    second_predictions: ArrayLike,
) -> Difference | None:
    """The first share less the second over the same questions, paired by question; labels need not be of the same ones.

    Prediction-powered as `estimate_share`, with the covariance of the two estimates. Where either share rests on
    labels alone, so does the difference. If the same questions are labelled for both, it is paired: the interval of
    `paired_share_interval` and the exact sign test. Else it takes each share's own labels, as if the questions were
    different ones, which is wider: `combine_shares`, with Fisher's exact test. None where either has no label.
    """
    left, right = np.asarray(first_labels, np.float64), np.asarray(second_labels, np.float64)
    both = ~np.isnan(left) & ~np.isnan(right)
    if _labels_only(left) or _labels_only(right):
        given = [side[~np.isnan(side)] for side in (left, right)]
        if both.any() and both.sum() == max(map(len, given)):
            return _paired_difference(left[both] - right[both])
        return _unpaired_difference(*given) if all(map(len, given)) else None
    first = _correct(left, np.asarray(first_predictions, np.float64))
    second = _correct(right, np.asarray(second_predictions, np.float64))
    variance = max(first.variance + second.variance - 2 * _covariance(first, second), 0.0)
    labelled = min(int((~np.isnan(left)).sum()), int((~np.isnan(right)).sum()))
    value, centre, half = first.value - second.value, first.centre - second.centre, _half(variance, labelled)
    low, high = max(-1.0, min(centre - half, value)), min(1.0, max(centre + half, value))
    return Difference(min(1.0, max(-1.0, value)), low, high, _two_sided(centre, variance, labelled))


def combine_shares(first: tuple[float, float, float], second: tuple[float, float, float]) -> Difference:
    """The difference of two shares with their ends as if of different questions, from their intervals (the method of
    variance estimates recovery: G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008), pages 1693–1702)."""
    (own, low, high), (other, low_other, high_other) = first, second
    value, down, up = own - other, hypot(own - low, high_other - other), hypot(high - own, other - low_other)
    # The half towards 0 is what a difference has to be beyond.
    error = (down if value > 0 else up) / TWO_SIDED
    p = 2 * NormalDist().cdf(-abs(value) / error) if error else float(value == 0)
    return Difference(value, max(-1.0, value - down), min(1.0, value + up), p)


def exact_interval(labels: Numbers) -> tuple[float, float]:
    """Clopper and Pearson's interval for the share of 1 among labels of 0 and 1; Student's where some are fractions."""
    from scipy.special import betaincinv

    if not np.isin(labels, (0.0, 1.0)).all():
        return interval_of(labels)
    n, hits, tail = len(labels), int(labels.sum()), (1 - LEVEL) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    return low, 1.0 if hits == n else float(betaincinv(hits + 1, n - hits, 1 - tail))


def _labels_only(labels: Numbers) -> bool:
    """Whether verdicts can add nothing (every response is labelled) or the labels are too few to correct them by."""
    labels_given = labels[~np.isnan(labels)]
    right = float(labels_given.sum())
    return len(labels_given) == len(labels) or min(right, len(labels_given) - right) < FEWEST_OF_A_CLASS


@dataclass(frozen=True, kw_only=True)
class _Corrected:
    """One prediction-powered estimate and what its covariance with another needs.

    The value is tuning x mean of all predictions + mean of the residuals, label - tuning x prediction. Labels and
    verdicts that differ are rare, so a sample may show none, and then a plain variance is far too small. As in
    `paired_share_interval`, centre and variance therefore count one more response each way on which the two differ.
    """

    value: float
    centre: float
    """The middle of the interval."""
    variance: float
    tuning: float
    """How far the predictions are believed, from 0 to 1: what makes the variance least."""
    predictions: Numbers
    residuals: Numbers
    """A number a question; nan where nobody labelled."""


def _correct(labels: Numbers, predictions: Numbers) -> _Corrected:
    labelled = ~np.isnan(labels)
    given = np.append(labels[labelled], (1.0, 0.0))
    predicted = np.append(predictions[labelled], (0.0, 1.0))
    spread = float(predicted.var(ddof=1))
    tuning = min(1.0, max(0.0, float(np.cov(given, predicted)[0, 1]) / spread))
    residuals = given - tuning * predicted
    from_all = tuning * float(predictions.mean())
    shared = tuning * float(np.cov(predicted, residuals)[0, 1])
    variance = float(residuals.var(ddof=1)) / len(residuals)
    variance += (tuning**2 * float(predictions.var()) + 2 * shared) / len(predictions)
    return _Corrected(
        value=from_all + float(residuals[:-_ADDED].mean()),
        centre=from_all + float(residuals.mean()),
        variance=max(variance, 0.0),
        tuning=tuning,
        predictions=predictions,
        residuals=labels - tuning * predictions,
    )


def _covariance(first: _Corrected, second: _Corrected) -> float:
    """Of the two estimates: through the predictions of all questions, and the residuals of those labelled for both."""
    left, right = first.residuals, second.residuals
    n_one, n_other = (int((~np.isnan(side)).sum()) for side in (left, right))
    both = int((~np.isnan(left) & ~np.isnan(right)).sum())
    of_residuals = _known_covariance(left, right) * both / (n_one * n_other)
    crossed = first.tuning * _known_covariance(first.predictions, right)
    crossed += second.tuning * _known_covariance(second.predictions, left)
    alike = first.tuning * second.tuning * _known_covariance(first.predictions, second.predictions)
    return of_residuals + (crossed + alike) / len(left)


def _known_covariance(first: Numbers, second: Numbers) -> float:
    """The covariance over the questions where both are known; 0 for fewer than two of them."""
    in_both = ~np.isnan(first) & ~np.isnan(second)
    return float(np.cov(first[in_both], second[in_both])[0, 1]) if in_both.sum() > 1 else 0.0


def _paired_difference(differences: Numbers) -> Difference:
    # Repeats of a question make fractions: rounded, each question still counts once.
    wins, losses = round(float(differences.clip(0).sum())), round(float(-differences.clip(None, 0).sum()))
    ends = paired_share_interval(wins, losses, len(differences))
    return Difference(float(differences.mean()), *ends, float(sign_test(wins, losses)))


def _unpaired_difference(left: Numbers, right: Numbers) -> Difference:
    p = fisher_test(round(float(left.sum())), len(left), round(float(right.sum())), len(right))
    return combine_shares(_share_of_labels(left)[:3], _share_of_labels(right)[:3])._replace(p=p)


def fisher_test(hits: int, n: int, other_hits: int, other_n: int) -> float:
    """Fisher's exact two-sided p-value: the chance of all splits of the hits that are as unlikely as this one."""
    from scipy.special import gammaln

    def log_ways(of: int, number: Numbers) -> Numbers:
        return np.asarray(gammaln(of + 1) - gammaln(number + 1) - gammaln(of - number + 1))

    total = hits + other_hits
    splits = np.arange(max(0, total - other_n), min(n, total) + 1, dtype=np.float64)
    chances = log_ways(n, splits) + log_ways(other_n, total - splits)
    as_unlikely = chances <= chances[hits - int(splits[0])] + _ROUNDING
    scaled = np.exp(chances - chances.max())
    return min(1.0, float(scaled[as_unlikely].sum() / scaled.sum()))


def _half(variance: float, labelled: int) -> float:
    """Half of an interval: Student's, since the residuals' mean and the tuning are estimated from the labels, with a
    continuity correction, since counts of labels are whole."""
    from scipy.special import stdtrit

    return float(stdtrit(labelled - 2, (1 + LEVEL) / 2)) * sqrt(variance) + 1 / (2 * labelled)


def _two_sided(centre: float, variance: float, labelled: int) -> float:
    """The p-value that goes with `_half`."""
    from scipy.special import stdtr

    beyond = abs(centre) - 1 / (2 * labelled)
    if variance == 0 or beyond <= 0:
        return 1.0 if beyond <= 0 else 0.0
    return min(1.0, 2 * float(stdtr(labelled - 2, -beyond / sqrt(variance))))
