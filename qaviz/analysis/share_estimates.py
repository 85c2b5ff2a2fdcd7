"""Shares of right answers of a run's pipelines, corrected by the labels of all of them, or widened by what qaviz does
not know: the error that shares by its verdicts had on families of texts that it never saw.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import orjson
import polars as pl

from qaviz.model.classes import Verdict
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.stats.pooled_shares import ShareErrors, Verdicts, pool_shares

UNKNOWN_DOUBT = 0.25
"""The doubt of a verdict without a confidence, such as one that was imported."""

_PREDICTED, _LABELLED, _RIGHT = "predicted", "labelled", "right"
"""Columns of `right_answers.settle`."""
_CHANCE, _DOUBT = "chance", "doubt"
_KINDS = ("said_right", "said_wrong", "unsure")


class UnseenError(NamedTuple):
    """How far shares by verdicts alone were off on families of texts that the verdicts were not fitted on, in shares.

    Measured by `python -m benchmarks.pooled_shares`, which writes share_errors.json.
    """

    mean: float
    """Over families."""
    most: float
    """Of a pipeline with 30 responses or more."""


class Estimated(NamedTuple):
    """A pipeline's share of right answers with its 95 % interval."""

    value: float
    low: float
    high: float


@cache
def read_unseen_error() -> UnseenError:
    """What the headline says of shares that no label corrects."""
    card = _read_card()
    return UnseenError(mean=card["mean"], most=card["most"])


@cache
def _read_card() -> dict[str, float]:
    card: dict[str, float] = orjson.loads(files("qaviz.analysis").joinpath("share_errors.json").read_bytes())
    return card


def describe_verdicts() -> list[pl.Expr]:
    """Of rows with VERDICT and CONFIDENCE, the probability that a response is right, its doubt, and its kind of
    verdict in three columns of 0 and 1."""
    verdict = pl.col(VERDICT).cast(pl.String)
    right, unsure = verdict == Verdict.CORRECT.value, verdict == Verdict.UNSURE.value
    return _describe(pl.when(unsure).then(0.5).otherwise(right.cast(pl.Float64)))


def _describe(predicted: pl.Expr) -> list[pl.Expr]:
    doubt = pl.when(predicted == 0.5).then(0.5).otherwise(1 - pl.col(CONFIDENCE).cast(pl.Float64))
    doubt = doubt.fill_null(UNKNOWN_DOUBT).clip(0, 0.5)
    kinds = [
        (predicted == prediction).cast(pl.Float64).alias(name)
        for name, prediction in zip(_KINDS, (1, 0, 0.5), strict=True)
    ]
    return [(predicted + doubt * (1 - 2 * predicted)).alias(_CHANCE), doubt.alias(_DOUBT), *kinds]


def estimate_shares(settled: pl.DataFrame, pipelines: Sequence[str]) -> dict[str, Estimated]:
    """The share of each pipeline over the questions asked, from rows as `right_answers.settle` returns them.

    Repeats of a question count once, by their means. What is missing, empty, or labelled but not drawn at random is as
    it is, and says nothing of other responses.
    """
    needed = [PIPELINE, QUESTION_ID, LABEL, _RIGHT, _LABELLED, _PREDICTED, *({CONFIDENCE} & {*settled.columns})]
    own = settled.select(needed).filter(pl.col(PIPELINE).is_in(list(pipelines)))
    own = own if CONFIDENCE in own.columns else own.with_columns(pl.lit(None, pl.Float64).alias(CONFIDENCE))
    if own.is_empty():
        return {}
    left = pl.col(_PREDICTED).is_not_null() & (pl.col(LABEL).is_null() | pl.col(_LABELLED).is_not_null())
    chance, *others = _describe(pl.col(_PREDICTED))
    places = {name: place for place, name in enumerate(dict.fromkeys(pipelines))}
    known = own.select(
        PIPELINE,
        QUESTION_ID,
        pl.when(left).then(chance).otherwise(pl.col(_RIGHT)).alias(_CHANCE),
        *(
            pl.when(left).then(column).otherwise(0.0).alias(name)
            for name, column in zip((_DOUBT, *_KINDS), others, strict=True)
        ),
        _LABELLED,
    )
    if known.select(PIPELINE, QUESTION_ID).is_duplicated().any():
        known = known.group_by(PIPELINE, QUESTION_ID, maintain_order=True).mean()
    present = [name for name in places if (known[PIPELINE] == name).any()]
    kinds = known.select(_KINDS).to_numpy()
    verdicts = Verdicts(
        chance=known[_CHANCE].to_numpy(),
        doubt=known[_DOUBT].to_numpy(),
        kinds=kinds,
        right=known[_LABELLED].cast(pl.Float64).fill_null(np.nan).to_numpy(),
        pipelines=known[PIPELINE].replace_strict(present, range(len(present)), return_dtype=pl.Int64).to_numpy(),
    )
    card = _read_card()
    errors = ShareErrors(run=card["run"], pipeline=card["pipeline"], unlabelled=card["unlabelled"])
    shares = pool_shares(verdicts, errors)
    ends = zip(shares.value, shares.low, shares.high, strict=True)
    return {
        name: Estimated(float(value), float(low), float(high))
        for name, (value, low, high) in zip(present, ends, strict=True)
    }
