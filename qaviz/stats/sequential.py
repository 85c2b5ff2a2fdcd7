"""Looking after every few questions, and stopping as soon as it is known: tests whose error rate stays as it is.

Both are test martingales. By Ville's inequality the capital of one ever reaches 1/α with a probability of at most α
where its hypothesis holds, however often it is looked at.
"""

from collections.abc import Sequence

import numpy as np

MARGIN = 0.05
"""A loss of right answers that is smaller is no regression that a fast check has to find."""
_CAUTION = 0.9
"""The largest bet, as a share of one that a single question could lose all by."""
_USUAL_SPREAD = 0.05
"""Variance of a question's change that bets begin with, before anything is seen."""


def loss_evidence(broken: int, fixed: int) -> float:
    """Capital against the hypothesis that a question that changed is as likely fixed as broken, where more broke.

    The order of the questions may be any, chosen without looking at the answers. Bets are mixed evenly over the shares
    of broken ones from 1/2 to 1: the Bayes factor of a uniform prior on that half.
    """
    from scipy.special import betainc, betaln

    upper_half = betainc(fixed + 1, broken + 1, 0.5)
    with np.errstate(divide="ignore", over="ignore"):  # no evidence at all, or beyond any bound that is asked for
        logarithm = np.log(2 * upper_half) + (broken + fixed) * np.log(2) + betaln(broken + 1, fixed + 1)
        return float(np.exp(logarithm))


class NoLossEvidence:
    """Capital against the hypothesis that over all questions the pipeline loses at least `margin` of right answers.

    Questions are drawn without replacement from a finite golden dataset; those of `add_unbet` may be chosen in any way,
    all others have to come in random order. After I. Waudby-Smith, A. Ramdas, Estimating means of bounded random
    variables by betting, Journal of the Royal Statistical Society B 86 (2024), pages 1–27, section 5.
    """

    def __init__(self, questions: int, margin: float = MARGIN) -> None:
        self._left, self._owed = questions, questions * margin
        """What the losses still to come add up to, at least, if the hypothesis holds."""
        self._seen = 0
        self._total = self._squares = 0.0
        self.capital = 1.0

    def add_unbet(self, losses: Sequence[float]) -> None:
        """Questions whose order was chosen: known from now on, but no bet was placed on them. 1 broken, -1 fixed."""
        for loss in losses:
            self._take(loss)

    def add(self, losses: Sequence[float]) -> None:
        """Questions in random order, one bet each."""
        for loss in losses:
            expected = self._owed / self._left
            if expected > 1:  # not even if all that is left broke
                self.capital = 0.0
            elif expected < -1:  # the hypothesis cannot hold any more
                self.capital = np.inf
            else:
                self.capital *= 1 + self._bet(expected) * (expected - loss)
            self._take(loss)

    def _bet(self, expected: float) -> float:
        """What is bet on a loss below the expected one: by the questions before alone."""
        mean = self._total / (self._seen + 1)
        spread = (self._squares + _USUAL_SPREAD) / (self._seen + 1)
        hoped = max(expected - mean, 0.0)
        most = _CAUTION / max(1 - expected, 1e-9)
        return float(min(hoped / (spread + hoped * hoped), most))

    def _take(self, loss: float) -> None:
        self._left, self._owed = self._left - 1, self._owed - loss
        self._seen, self._total, self._squares = self._seen + 1, self._total + loss, self._squares + loss * loss
        if not self._left:
            self.capital = np.inf if self._owed > 0 else 0.0
