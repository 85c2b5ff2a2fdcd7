"""Two pipelines by right answers: the test on what counts as right, and what people's labels make of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot
from statistics import NormalDist

import numpy as np
import polars as pl

from qaviz import stats
from qaviz.analysis.comparison import (
    COMPARED,
    FIRST,
    METRIC,
    SCHEMA,
    SECOND,
    SEED,
    ComparedRow,
    QuestionScores,
    compare_scores,
    word_cases,
)
from qaviz.analysis.right_answers import (
    ANSWERED,
    LABELLED,
    PREDICTED,
    Share,
    are_corrected,
    estimate_right,
    score_questions,
)
from qaviz.model.columns import VERDICT, typed_rows


@dataclass(frozen=True, kw_only=True)
class PairEstimate:
    """What people's labels make of a comparison of two pipelines."""

    first: float
    second: float
    """Their shares."""
    difference: stats.Estimate


def compare_right_answers(
    settled: pl.DataFrame, questions: pl.Series, pairs: Sequence[tuple[str, str]], *, seed: int = SEED
) -> pl.DataFrame:
    """These pairs of pipelines by right answers over the questions asked, as `comparison.compare_scores` has it.

    Where labels correct a share of a pair, its means, difference, interval and p are corrected by them too.
    """
    return compare_outcomes(settled, questions, pairs, (VERDICT,), seed=seed)


def compare_outcomes(
    settled: pl.DataFrame,
    questions: pl.Series,
    pairs: Sequence[tuple[str, str]],
    metrics: Sequence[str] = COMPARED,
    *,
    seed: int = SEED,
) -> pl.DataFrame:
    """These pairs of pipelines by these metrics, VERDICT first, from rows of `settle` and the questions asked."""
    pipelines = list(dict.fromkeys(name for pair in pairs for name in pair))
    scores = score_questions(settled, questions, pipelines, metrics)
    estimates = estimate_pairs(scores, pairs)
    compared = compare_scores(scores, pairs, metrics, seed=seed)
    by_right = compared["metric"] == VERDICT
    corrected = correct_comparisons(compared.filter(by_right), estimates)
    return pl.concat([corrected, compared.filter(~by_right)])


def compare_all(settled: pl.DataFrame, questions: pl.Series, pipelines: Sequence[str]) -> pl.DataFrame:
    """`compare_outcomes` of every two of the pipelines."""
    return compare_outcomes(settled, questions, list(combinations(pipelines, 2)))


def estimate_pairs(scores: QuestionScores, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], PairEstimate]:
    """What labels make of the pairs of which they correct a share."""
    names = dict.fromkeys(name for pair in pairs for name in pair)
    corrected = {name for name in names if are_corrected(scores, name)}
    return {pair: _estimate_pair(scores, *pair) for pair in pairs if not corrected.isdisjoint(pair)}


def _estimate_pair(scores: QuestionScores, first: str, second: str) -> PairEstimate:
    shares = estimate_right(scores, first), estimate_right(scores, second)
    were_asked = ~np.isnan(scores.of(VERDICT, first) + scores.of(VERDICT, second))
    complete = all((scores.of(ANSWERED, name)[were_asked] == 1).all() for name in (first, second))
    if complete and all(share.corrected for share in shares):
        (one, one_predicted), (other, other_predicted) = (
            [scores.of(column, name)[were_asked] for column in (LABELLED, PREDICTED)] for name in (first, second)
        )
        difference = stats.estimate_difference(one, one_predicted, other, other_predicted)
    else:
        difference = _combine_shares(*shares, int(were_asked.sum()))
    return PairEstimate(first=shares[0].value, second=shares[1].value, difference=difference)


def _combine_shares(first: Share, second: Share, questions: int) -> stats.Estimate:
    """The difference of two shares as if of different questions, from their intervals (the method of variance estimates
    recovery: G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008), pages 1693–1702)."""
    value = first.value - second.value
    down, up = (
        hypot(first.value - first.low, second.high - second.value),
        hypot(first.high - first.value, second.value - second.low),
    )
    normal = NormalDist()
    widths = 2 * normal.inv_cdf((1 + stats.LEVEL) / 2)
    error = hypot((first.high - first.low) / widths, (second.high - second.low) / widths)
    return stats.Estimate(
        value=value,
        low=max(-1.0, value - down),
        high=min(1.0, value + up),
        labelled=0,
        questions=questions,
        method=stats.Method.PREDICTION_POWERED,
        p=2 * normal.cdf(-abs(value) / error) if error else float(value == 0),
    )


def correct_comparisons(compared: pl.DataFrame, estimates: Mapping[tuple[str, str], PairEstimate]) -> pl.DataFrame:
    """Rows of `compare` of one metric, with the means, difference, interval and p of these pairs as labels correct
    them; p_holm, decision and sentence follow."""
    if not estimates:
        return compared
    rows = [_correct_row(row, estimates.get((row[FIRST], row[SECOND]))) for row in typed_rows(compared, ComparedRow)]
    corrected = iter(stats.holm([row["p"] for row in rows if row["p"] is not None]))
    for row in rows:
        row["p_holm"] = None if row["p"] is None else next(corrected)
        row["needed"] = None if row["p_holm"] is not None and row["p_holm"] < stats.ALPHA else row["needed"]
    names = [(row[FIRST], row[SECOND]) for row in rows]
    return word_cases(pl.DataFrame(rows, schema=SCHEMA), compared[METRIC][0], names)


def _correct_row(row: ComparedRow, estimate: PairEstimate | None) -> ComparedRow:
    if estimate is None:
        return row
    difference = estimate.difference
    return {
        **row,
        "mean_first": estimate.first,
        "mean_second": estimate.second,
        "difference": difference.value,
        "low": difference.low,
        "high": difference.high,
        "p": difference.p,
        "open": False,
    }
