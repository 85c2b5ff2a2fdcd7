"""Shares of right answers of a run's pipelines, corrected by the labels of all of them, or widened by what qaviz does
not know: the error that shares by its verdicts had on families of texts that it never saw.

A pipeline's share is the mean of what its verdicts promise, plus errors that are learnt from the labels of all
pipelines and from the labelled sets of others: partial pooling, a linear model with normal effects fitted in closed
form (N. M. Laird and J. H. Ware, Random-effects models for longitudinal data, Biometrics 38 (1982), pages 963–974; A.
Gelman and J. Hill, Data analysis using regression and multilevel/hierarchical models, 2007, chapter 12). As in
stratified prediction-powered inference (A. Fisch, J. Maynez, R. A. Hofer, B. Dhingra, A. Globerson and W. W. Cohen,
Stratified prediction-powered inference for hybrid language model evaluation, arXiv 2406.04291, 2024) each kind of
verdict has its own error, which grows with doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from qaviz.analysis.outcomes import LABELLED, PREDICTED, RIGHT, UNSURE_COUNTS, doubt_of
from qaviz.model import columns as c
from qaviz.stats import LEVEL

Numbers = NDArray[np.float64]
_CHANCE, _DOUBT = "chance of right", "doubt"
_KINDS = ("said_right", "said_wrong", "unsure")


class WordsError(NamedTuple):
    """How far figures by verdicts alone were off on families of texts that the verdicts were not fitted on, in shares.

    Measured by `python -m benchmarks.pooled_shares`, which writes share_errors.json.
    """

    half: float
    """What holds 95 % of those of families left out, families alike; of shares in `log_odds`."""
    held: float
    """How many of them it holds, each family by the half of the others."""
    mean: float
    """Over families."""
    most: float
    """Of a pipeline (a pair of pipelines) with 30 responses or more."""
    number: int
    """Of how many pipelines (pairs) it was measured."""
    families: int


def read_error(of: Literal["share", "difference"]) -> WordsError:
    """The error that such a figure by words alone carries."""
    return WordsError(**_read_card()[of])


@cache
def _read_card() -> dict[str, Any]:
    card: dict[str, Any] = orjson.loads(files("qaviz.analysis").joinpath("share_errors.json").read_bytes())
    return card


def log_odds(share: Numbers, questions: Numbers) -> Numbers:
    """The natural logarithm of the odds, half a question from none and from all."""
    inside = (share * questions + 0.5) / (questions + 1)
    return np.asarray(np.log(inside / (1 - inside)), np.float64)


def widen_ends(low: float, high: float, error: float, questions: int) -> tuple[float, float]:
    """The interval of a share of so many questions, each end moved out by so much in `log_odds`."""
    moved = log_odds(np.array([low, high]), np.array(questions)) + np.array([-error, error])
    down, up = 1 / (1 + np.exp(-moved))
    return min(low, float(down)), max(high, float(up))


def describe_predicted(predicted: pl.Expr, columns: Sequence[str]) -> list[pl.Expr]:
    """The probability that a response is right, its doubt, and its kind of verdict in three columns of 0 and 1."""
    doubt = doubt_of(predicted, columns)
    kinds = [
        (predicted == prediction).cast(pl.Float64).alias(name)
        for name, prediction in zip(_KINDS, (1, 0, UNSURE_COUNTS), strict=True)
    ]
    return [(predicted + doubt * (1 - 2 * predicted)).alias(_CHANCE), doubt.alias(_DOUBT), *kinds]


def estimate_shares(outcomes: pl.DataFrame) -> dict[str, tuple[float, float, float]]:
    """The share of each pipeline over the questions asked, with the ends of its 95 % interval.

    Repeats of a question count once, by their means. What is missing, empty, or labelled but not drawn at random is as
    it is, and says nothing of other responses.
    """
    if outcomes.is_empty():
        return {}
    left = pl.col(PREDICTED).is_not_null() & (pl.col(c.LABEL).is_null() | pl.col(LABELLED).is_not_null())
    chance, *others = describe_predicted(pl.col(PREDICTED), outcomes.columns)
    chances = outcomes.select(
        c.PIPELINE,
        c.QUESTION_ID,
        pl.when(left).then(chance).otherwise(pl.col(RIGHT)).alias(_CHANCE),
        *(
            pl.when(left).then(column).otherwise(0.0).alias(name)
            for name, column in zip((_DOUBT, *_KINDS), others, strict=True)
        ),
        LABELLED,
    )
    if chances.select(c.PIPELINE, c.QUESTION_ID).is_duplicated().any():
        chances = chances.group_by(c.PIPELINE, c.QUESTION_ID, maintain_order=True).mean()
    names = chances[c.PIPELINE].unique().sort()
    verdicts = Verdicts(
        chance=chances[_CHANCE].to_numpy(),
        doubt=chances[_DOUBT].to_numpy(),
        kinds=chances.select(_KINDS).to_numpy(),
        right=chances[LABELLED].cast(pl.Float64).fill_null(np.nan).to_numpy(),
        pipelines=chances[c.PIPELINE].replace_strict(names, range(len(names)), return_dtype=pl.Int64).to_numpy(),
    )
    card = _read_card()
    errors = ShareErrors(run=card["run"], pipeline=card["pipeline"], unlabelled=card["unlabelled"])
    shares = pool_shares(verdicts, errors)
    figures = zip(*(column.tolist() for column in shares), strict=True)
    return dict(zip(names, figures, strict=True))


Places = NDArray[np.int64]

KINDS = 3
"""Verdicts of right, of not right, and of unsure."""
OF_LEVEL, OF_LEVEL_BY_LABELS = 0.1, 0.25
"""Spread of the part of a run's error that does not grow with doubt, beside the part that does: without labels, and
with some, which can tell it and so need no narrow guess."""
OF_PIPELINE_LEVEL = 0.03
"""What is added to a pipeline's mean doubt: one whose verdicts are all sure may still err."""
SPREADS = (0.5, 1.0, 1.5, 2.0, 3.0)
"""The spread between pipelines that is tried, as a multiple of what the labelled sets showed."""
LEAST_VARIANCE = 0.1
"""Of each of two made-up labels of every kind of verdict: a sample without an error is no proof that there is none."""
_ENDS = 0.02


@dataclass(frozen=True, kw_only=True)
class ShareErrors:
    """How far shares by verdicts alone are off on labelled sets that the verdicts were not fitted on."""

    run: float
    """Spread over runs of the error that all pipelines share, as a multiple of the mean doubt."""
    pipeline: float
    """The same of a pipeline's own error."""
    unlabelled: float = 1.0
    """What both are multiplied with where no response is labelled: the least that held the shares of families left out,
    a calibration over groups (R. Dunn, L. Wasserman and A. Ramdas, Distribution-free prediction sets for two-layer
    hierarchical models, Journal of the American Statistical Association 118 (2023), pages 2491–2502)."""


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """What is known of the responses of a run's pipelines, one number a response (or question, over its repeats)."""

    chance: Numbers
    """The probability that it is right, by verdict and confidence."""
    doubt: Numbers
    """The probability that the verdict errs; 0 where it is known."""
    kinds: Numbers
    """Shape (responses, KINDS): 1 for the kind of the verdict, 0 for others; all 0 where it is known."""
    right: Numbers
    """What a label drawn at random says: 1 right, 0 not; nan without one."""
    pipelines: Places
    """Which pipeline it is of, from 0."""


class PooledShares(NamedTuple):
    """A share a pipeline, with the interval for many questions like these."""

    value: Numbers
    low: Numbers
    high: Numbers


def pool_shares(verdicts: Verdicts, errors: ShareErrors) -> PooledShares:
    """Estimate each pipeline's share, by the labels of all; without a label, by what the errors of others say.

    The error of a response is a run's error of its kind of verdict, one part of it alike for all and one that grows
    with doubt, plus its pipeline's own, in proportion to the pipeline's mean doubt. How far pipelines differ is
    averaged over SPREADS by how well each explains the labels. Intervals are normal, and know that the questions are a
    sample.
    """
    from scipy.special import ndtri

    labelled = ~np.isnan(verdicts.right)
    columns, prior = describe_errors(verdicts, OF_LEVEL_BY_LABELS if labelled.any() else OF_LEVEL)
    number, size = int(verdicts.pipelines.max()) + 1, np.bincount(verdicts.pipelines)
    doubt = _mean_by(verdicts.pipelines, verdicts.doubt, number) + OF_PIPELINE_LEVEL
    noise = _measure_noise(verdicts, labelled)
    base = _mean_by(verdicts.pipelines, np.where(labelled, verdicts.right, verdicts.chance), number)
    unlabelled_noise = _mean_by(verdicts.pipelines, np.where(labelled, 0.0, noise), number) / size
    open_ = (~labelled & (verdicts.kinds.sum(axis=1) > 0)).astype(np.float64)
    shared = np.stack([_mean_by(verdicts.pipelines, open_ * column, number) for column in columns.T], axis=1)
    left = np.hstack([shared, np.diag(doubt * _mean_by(verdicts.pipelines, open_, number))])
    own = np.eye(number)[verdicts.pipelines[labelled]] * doubt
    labelled_terms = np.hstack([columns[labelled], own])
    precision = labelled_terms.T @ (labelled_terms / noise[labelled, None])
    pull = labelled_terms.T @ ((verdicts.right - verdicts.chance)[labelled] / noise[labelled])
    prior = np.concatenate([errors.run * prior, np.full(number, errors.pipeline)])
    prior *= 1.0 if labelled.any() else errors.unlabelled
    means, variances, likelihoods = [], [], []
    for spread in SPREADS:
        scale = prior.copy()
        scale[-number:] *= spread
        root = np.linalg.cholesky(precision * np.outer(scale, scale) + np.eye(len(scale)))
        solved = np.linalg.solve(root, pull * scale)
        reach = np.linalg.solve(root, (left * scale).T)
        means.append(base + reach.T @ solved)
        variances.append((reach**2).sum(axis=0) + unlabelled_noise)
        likelihoods.append(solved @ solved / 2 - np.log(np.diag(root)).sum() - spread**2 / 4)
    weights = np.exp(np.array(likelihoods) - max(likelihoods))
    weights /= weights.sum()
    value = weights @ np.array(means)
    variance = weights @ (np.array(variances) + (np.array(means) - value) ** 2)
    within = np.clip(value, _ENDS, 1 - _ENDS)
    half = float(ndtri((1 + LEVEL) / 2)) * np.sqrt(variance + within * (1 - within) / size)
    value = np.clip(value, 0, 1)
    return PooledShares(value=value, low=np.clip(value - half, 0, 1), high=np.clip(value + half, 0, 1))


def describe_errors(verdicts: Verdicts, of_level: float = OF_LEVEL) -> tuple[Numbers, Numbers]:
    """Columns of a response's error that all pipelines of a run share, and the prior spread of each, for `run` = 1."""
    doubt = verdicts.doubt[:, None]
    columns = np.hstack([doubt, verdicts.kinds * doubt, verdicts.kinds])
    return columns, np.array([1.0] * (1 + KINDS) + [of_level] * KINDS)


def _mean_by(pipelines: Places, values: Numbers, number: int) -> Numbers:
    return np.asarray(np.bincount(pipelines, values, number) / np.bincount(pipelines, minlength=number), np.float64)


def _measure_noise(verdicts: Verdicts, labelled: NDArray[np.bool_]) -> Numbers:
    """The variance of a label about what is expected, by kind of verdict; of known responses next to none."""
    noise = np.full(len(verdicts.chance), 1e-9)
    residuals = verdicts.right - verdicts.chance
    for kind in range(KINDS):
        of_kind = verdicts.kinds[:, kind] > 0
        if not of_kind.any():
            continue
        own = residuals[of_kind & labelled]
        made_up = max(LEAST_VARIANCE, float((verdicts.chance * (1 - verdicts.chance))[of_kind].mean()))
        about = float(((own - own.mean()) ** 2).sum()) if len(own) else 0.0
        noise[of_kind] = (about + 2 * made_up) / (len(own) + 2)
    return noise
