"""A promise about automatic verdicts, from labels of a random sample: at most this share of them is wrong."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
_Measure = Callable[[Places, Numbers], float]
"""Of the kinds of a sample and the numbers of them that are expected: less is more uneven."""

STEPS = 20
"""Thresholds that are tested at most: those that let through a twentieth more of the responses each time."""
POWER = 0.8
"""Probability with which the number of labels that is named would do, if errors stay as they look now."""
SECOND = 2 / 3
"""Share of the verdicts with a confidence from which tests begin a second time."""
PRIOR_LABELS = 20
"""Labels that the confidences count as, where it is foreseen how many more would do."""
UNLIKELY = 200
"""Labels are no random sample of the run if fewer than one such sample of this many is as uneven."""
SEED = 20230630


@dataclass(frozen=True, kw_only=True)
class Promise:
    """At most `wrong` of the automatic verdicts are wrong, with probability `sure` over the samples drawn."""

    wrong: float = 0.1
    sure: float = 0.9


PROMISE = Promise()
"""What is promised where nobody says otherwise."""


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What labels certify of one run's verdicts as they are: another run, or other verdicts of it, need their own.

    Where nothing is certified no verdict is automatic, and all responses are to be read.
    """

    automatic: int
    """Responses whose verdict keeps the promise: those of at least the confidence."""
    of: int
    """All responses of the run."""
    wrong_at_most: float
    """With `sure`, the promise."""
    sure: float
    labels: int
    """Labels drawn at random that it rests on."""
    left_out: int
    """Further ones, which bunch in questions or pipelines as no random sample of the responses does."""
    confidence_at_least: float | None
    to_read: int
    """The responses that are not graded automatically."""
    judged: int
    """Labelled verdicts of at least the confidence; where nothing is certified, of the surest that were tested."""
    wrong: int
    """Those of them that the label contradicts."""
    labels_needed: int | None
    """Labels, all told, that would do with probability POWER; None where it is certified, or where none would."""

    @property
    def certified(self) -> bool:
        """Whether some verdicts keep the promise."""
        return self.confidence_at_least is not None


def certify(
    confidence: Numbers, wrong: Numbers, questions: Places, pipelines: Places, promise: Promise = PROMISE
) -> Certificate:
    """Find the least confidence from which the promise holds, of one number a response.

    `confidence` is nan where there is no verdict; `wrong` is 1 where a label contradicts it, 0 where it agrees,
    nan without a label; `questions` and `pipelines` number what each response belongs to.

    Learn then Test (A. N. Angelopoulos, S. Bates, E. J. Candès, M. I. Jordan and L. Lei, Learn then test: calibrating
    predictive algorithms to achieve risk control, arXiv 2110.01052, 2021) by fixed-sequence testing: thresholds go down
    from a start, each is tested by the exact binomial tail of its labelled errors, and the last one before the first
    that fails is certified. Where labels are many there are two starts, which share the probability of error. Starts
    and steps are set before any label is read. Labels count as drawn response by response; where they bunch in
    questions or pipelines as no such sample would, they are thinned: see `draw_fairly`.
    """
    labelled = draw_fairly(np.flatnonzero(~np.isnan(wrong)), questions, pipelines)
    ladder = list_thresholds(confidence, len(labelled), promise)
    own = [wrong[labelled[confidence[labelled] >= step]] for step in ladder.steps]
    passes = [tail(len(errors), int(errors.sum()), promise.wrong) <= ladder.level for errors in own]
    # The step before the first that fails, of each start.
    last = [start + [*passes[start:], False].index(False) - 1 for start in ladder.starts]
    reached = [end for start, end in zip(ladder.starts, last, strict=True) if end >= start]
    shown = own[max(reached, default=0)] if own else np.empty(0)
    threshold = float(ladder.steps[max(reached)]) if reached else None
    automatic = 0 if threshold is None else int((confidence >= threshold).sum())
    return Certificate(
        automatic=automatic,
        of=len(confidence),
        wrong_at_most=promise.wrong,
        sure=promise.sure,
        labels=len(labelled),
        left_out=int(np.isfinite(wrong).sum()) - len(labelled),
        confidence_at_least=threshold,
        to_read=len(confidence) - automatic,
        judged=len(shown),
        wrong=int(shown.sum()),
        labels_needed=None if reached else count_labels_needed(confidence, wrong, labelled, promise),
    )


def tail(judged: int, wrong: int, share: float) -> float:
    """The probability of so few errors among the judged if their share in all is `share`: the exact binomial tail."""
    from scipy.special import bdtr

    return float(bdtr(wrong, judged, share)) if judged else 1.0


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """The thresholds to test."""

    steps: Numbers
    """From the highest down; none where so few labels can show nothing."""
    starts: tuple[int, ...]
    """The steps from which tests begin."""
    level: float
    """The tail up to which a step passes."""


def list_thresholds(confidence: Numbers, labels: int, promise: Promise) -> Ladder:
    """The thresholds to test with a random sample of so many labels: of confidences and their number alone.

    The first lets through as many responses as give the sample enough to pass with two errors, or with fewer where that
    takes four fifths of the labels. The second start lets through SECOND of all that have a confidence, where the
    sample has twice as many of these.
    """
    automatic = np.sort(confidence[~np.isnan(confidence)])[::-1]
    part = labels / len(confidence)
    enough = [least_judged(errors, promise) for errors in (2, 1, 0)]
    first = next((value for value in enough if value <= 0.8 * part * len(automatic)), enough[-1])
    ends = np.unique(np.ceil(np.arange(1, STEPS + 1) / STEPS * len(automatic)).astype(np.int64)) - 1
    steps = np.unique(automatic[ends[ends >= 0]])[::-1]
    expected = np.searchsorted(-automatic, -steps, side="right") * part
    steps, expected = steps[expected >= first], expected[expected >= first]
    second = SECOND * part * len(automatic)
    starts: tuple[int, ...] = (0, int(np.argmax(expected >= second))) if second >= 2 * first else (0,)
    starts = starts if len(steps) else ()
    return Ladder(steps=steps, starts=starts, level=(1 - promise.sure) / max(1, len(starts)))


def least_judged(errors: int, promise: Promise) -> int:
    """How many labelled verdicts it takes to pass with so many errors."""
    from scipy.special import bdtr

    low, high = errors, errors + ceil(1 / promise.wrong)
    while bdtr(errors, high, promise.wrong) > 1 - promise.sure:
        low, high = high, 2 * high
    more = range(low + 1, high)
    return low + 1 + bisect_left(more, True, key=lambda n: bdtr(errors, n, promise.wrong) <= 1 - promise.sure)


def count_labels_needed(confidence: Numbers, wrong: Numbers, labelled: Places, promise: Promise) -> int | None:
    """Labels, all told, at which a start passes with probability POWER; None if no number up to all responses would do.

    The errors that are foreseen are those of the labels, with the confidences as PRIOR_LABELS further ones.
    """
    labels, responses = len(labelled), len(confidence)
    while labels < responses:
        labels = min(responses, max(labels + 10, ceil(labels * 1.1)))
        ladder = list_thresholds(confidence, labels, promise)
        for step in ladder.steps[list(ladder.starts)]:
            passing = confidence >= step
            own = wrong[labelled[passing[labelled]]]
            foreseen = (own.sum() + PRIOR_LABELS * (1 - confidence[passing].mean())) / (len(own) + PRIOR_LABELS)
            judged = int(passing.mean() * labels)
            if _pass_probability(judged, float(foreseen), promise.wrong, ladder.level) >= POWER:
                return labels
    return None


def _pass_probability(judged: int, errors: float, share: float, level: float) -> float:
    from scipy.special import bdtr

    most = int((bdtr(np.arange(judged + 1), judged, share) <= level).sum()) - 1
    return float(bdtr(most, judged, errors)) if most >= 0 else 0.0


def draw_fairly(labelled: Places, questions: Places, pipelines: Places) -> Places:
    """The places of the labels that can count as drawn response by response, of all labelled places.

    Labels that stand in fewer questions than a random sample of the responses would, such as all responses to some
    questions, tell less than their number: one a question counts then. Labels that favour some pipelines count in
    proportion to the pipelines' responses. Those that go are drawn at random, the same each time.
    """
    draw = np.random.default_rng(SEED)
    kept = labelled
    if _is_unlikely(kept, questions, draw, lambda sample, _: len(np.unique(sample))):
        mixed = draw.permutation(kept)
        kept = np.sort(mixed[np.unique(questions[mixed], return_index=True)[1]])
    if len(kept) and _is_unlikely(kept, pipelines, draw, _measure_evenness):
        kept = _keep_in_proportion(kept, pipelines, draw)
    return kept


def _is_unlikely(labelled: Places, kinds: Places, draw: np.random.Generator, measure: _Measure) -> bool:
    """Whether nearly every random sample of as many responses has more of this measure of its kinds."""
    if len(labelled) in (0, len(kinds)) or kinds.max() == kinds.min():
        return False
    expected = np.bincount(kinds) * len(labelled) / len(kinds)
    own = measure(kinds[labelled], expected)
    samples = (draw.choice(len(kinds), len(labelled), replace=False, shuffle=False) for _ in range(UNLIKELY))
    return all(measure(kinds[sample], expected) > own for sample in samples)


def _measure_evenness(sample: Places, expected: Numbers) -> float:
    counts = np.bincount(sample, minlength=len(expected))
    return -float(((counts - expected) ** 2 / np.maximum(expected, 1e-9)).sum())


def _keep_in_proportion(labelled: Places, pipelines: Places, draw: np.random.Generator) -> Places:
    sizes, counts = np.bincount(pipelines), np.bincount(pipelines[labelled], minlength=int(pipelines.max()) + 1)
    present = sizes > 0
    part = (counts[present] / sizes[present]).min()
    kept = [
        draw.choice(labelled[pipelines[labelled] == kind], int(part * sizes[kind]), replace=False)
        for kind in np.flatnonzero(present)
    ]
    return np.sort(np.concatenate(kept))
