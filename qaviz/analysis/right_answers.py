"""Right answers, the measure that decides: how many responses of each pipeline have the verdict correct.

A person's label settles the verdict of the response it was given to. An `unsure` verdict is neither right nor wrong: it
counts half in a share, as wrong at the low end and as right at the high end. Where enough responses of a pipeline were
labelled, its share is the prediction-powered estimate of `qaviz.stats.corrected_shares`.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple, TypedDict

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.comparison import (
    COMPARED,
    SEED,
    PairEstimate,
    QuestionScores,
    compare_scores,
    correct_comparisons,
    question_scores,
)
from qaviz.analysis.labels import SAMPLED, mark_sampled
from qaviz.model.classes import Verdict
from qaviz.model.columns import (
    ANSWERABLE,
    CONFIDENCE,
    COST,
    DIAGNOSIS,
    LABEL,
    LATENCY_MS,
    PIPELINE,
    QUESTION_ID,
    REPEAT_OF,
    VERDICT,
    join_pipelines,
    typed_rows,
)

MEASURE = "right answers"

FEWEST_LABELS = 30
"""Labels of a pipeline from which they correct its share, unless all its responses are labelled: intervals are measured
from here on (benchmarks/corrected_shares.py)."""

NO_LABELS = pl.DataFrame(schema={QUESTION_ID: pl.String, PIPELINE: pl.String, LABEL: pl.String})

SAID, PREDICTED = "said", "predicted"
"""What a label says of a response, and what its verdict does: 1 right, 0 not; an `unsure` verdict is 0.5."""

_UNSURE = 0.5


class RightAnswersRow(TypedDict):
    """A row of `right_answers`: one pipeline over the questions of a run."""

    pipeline: str
    right: int
    """Responses with the verdict correct."""
    of: int
    """All responses and those that are missing."""
    unsure: int
    """Verdicts that say neither right nor wrong."""
    missing: int
    """Questions that another pipeline has a response to."""
    share: float | None
    """Of all, unsure ones counted half, or the estimate from labels."""
    low: float
    """With `high`: between which the share for many questions like these lies at 95 %, unsure and missing ones counted
    as wrong at the low end and as right at the high one."""
    high: float
    labelled: int
    """Labels drawn at random."""
    corrected_by_labels: bool
    method: str
    """How the interval was made."""
    cost: float | None
    """With `latency_ms`: the mean of a response; None where none is known."""
    latency_ms: float | None


Numbers = NDArray[np.float64]


COUNTED = (
    *(QUESTION_ID, PIPELINE, REPEAT_OF, ANSWERABLE, VERDICT, DIAGNOSIS, CONFIDENCE, COST, LATENCY_MS),
    *(metric for metric in COMPARED if metric != VERDICT),
)


def select_counted(rows: pl.DataFrame) -> pl.DataFrame:
    """The columns of the rows that decisions and comparisons count: no texts, which would be copied with them."""
    return rows.select(name for name in COUNTED if name in rows.columns)


def settle(rows: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """The rows with SAID, PREDICTED, and as VERDICT the newest label where a response has one.

    `rows` are all of a run, in its order; `labels` as `mark_sampled` takes them, the newest last. A response labelled
    `declined` is right where its question is marked as unanswerable. SAID is null where no label may correct.
    """
    marked = mark_sampled(labels, rows).unique([QUESTION_ID, PIPELINE], keep="last", maintain_order=True)
    newest = marked.select(QUESTION_ID, PIPELINE, LABEL, SAMPLED)
    said = rows.select(QUESTION_ID, PIPELINE).join(
        newest, on=[QUESTION_ID, PIPELINE], how="left", maintain_order="left"
    )
    found = rows.with_columns(said[LABEL], said[SAMPLED])
    if ANSWERABLE in rows.columns:
        rightly = (pl.col(LABEL) == Verdict.DECLINED.value) & pl.col(ANSWERABLE).fill_null(True).not_()
        found = found.with_columns(pl.when(rightly).then(pl.lit(Verdict.CORRECT.value)).otherwise(LABEL).alias(LABEL))
    right = pl.col(VERDICT) == Verdict.CORRECT.value
    unsure = pl.col(VERDICT) == Verdict.UNSURE.value
    return found.with_columns(
        pl.when(pl.col(SAMPLED)).then((pl.col(LABEL) == Verdict.CORRECT.value).cast(pl.Float64)).alias(SAID),
        pl.when(unsure).then(_UNSURE).otherwise(right.cast(pl.Float64)).alias(PREDICTED),
        pl.coalesce(LABEL, pl.col(VERDICT).cast(pl.String)).alias(VERDICT),
    ).drop(LABEL, SAMPLED)


def right_answers(settled: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """Columns of RightAnswersRow, one row a pipeline, in their order, from rows as `settle` returns them."""
    scores = question_scores(settled, pipelines, (VERDICT, SAID, PREDICTED))
    counted = typed_rows(_count_verdicts(settled, pipelines), _Counts)
    found = [_make_row(scores, row) for row in counted]
    return pl.DataFrame(found, schema=RightAnswersRow.__annotations__)


class _Counts(TypedDict):
    pipeline: str
    right: int
    unsure: int
    responses: int
    cost: float | None
    latency_ms: float | None


def _count_verdicts(settled: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    means = {name: pl.col(name).mean() if name in settled.columns else pl.lit(None) for name in (COST, LATENCY_MS)}
    counts = settled.group_by(PIPELINE).agg(
        (pl.col(VERDICT) == Verdict.CORRECT.value).sum().cast(pl.Int64).alias("right"),
        (pl.col(VERDICT) == Verdict.UNSURE.value).sum().cast(pl.Int64).alias("unsure"),
        pl.len().cast(pl.Int64).alias("responses"),
        **means,
    )
    return join_pipelines(pipelines, counts).with_columns(pl.col("right", "unsure", "responses").fill_null(0))


def _make_row(scores: QuestionScores, counts: _Counts) -> RightAnswersRow:
    verdicts, said, predicted = (scores.of(each, counts[PIPELINE]) for each in (VERDICT, SAID, PREDICTED))
    missing = int(np.isnan(predicted).sum())
    corrected = corrects(said, predicted)
    share = _share_by_labels(said, predicted) if corrected else _share_by_verdicts(verdicts, missing)
    return {
        PIPELINE: counts[PIPELINE],
        "right": counts["right"],
        "of": counts["responses"] + missing,
        "unsure": counts["unsure"],
        "missing": missing,
        "share": share.value,
        "low": share.low,
        "high": share.high,
        "labelled": int((~np.isnan(said)).sum()),
        "corrected_by_labels": corrected,
        "method": share.method,
        COST: counts[COST],
        LATENCY_MS: counts[LATENCY_MS],
    }


class _Share(NamedTuple):
    value: float | None
    low: float
    high: float
    method: str


def corrects(said: Numbers, predicted: Numbers) -> bool:
    """Whether the labels of a pipeline's responses are enough to correct its share."""
    labelled, answered = int((~np.isnan(said)).sum()), int((~np.isnan(predicted)).sum())
    return labelled > 0 and (labelled >= FEWEST_LABELS or labelled == answered)


def _share_by_verdicts(verdicts: Numbers, missing: int) -> _Share:
    known, questions = verdicts[~np.isnan(verdicts)], len(verdicts)
    if not questions or missing == questions:
        return _Share(None, 0.0, 1.0, "no response")
    low, high = stats.interval_of(known)
    part = len(known) / questions
    unsure = questions - len(known) - missing
    share = (float(known.sum()) + _UNSURE * unsure) / questions
    return _Share(share, low * part, high * part + 1 - part, VERDICTS_ALONE)


VERDICTS_ALONE = "qaviz's verdicts alone, with Wilson's interval"


def _share_by_labels(said: Numbers, predicted: Numbers) -> _Share:
    """Share and interval corrected by labels; responses that are missing stay unknown."""
    answered = ~np.isnan(predicted)
    found = stats.estimate_share(said[answered], predicted[answered])
    part = int(answered.sum()) / len(predicted)
    value = None if found.value is None else found.value * part
    return _Share(value, found.low * part, found.high * part + 1 - part, found.method.value)


def compare_right_answers(settled: pl.DataFrame, pipelines: Sequence[str], *, seed: int = SEED) -> pl.DataFrame:
    """Every pair of the pipelines by right answers, as `comparison.compare` has it, from rows of `settle`.

    Where labels correct both shares of a pair, its means, difference, interval and p are corrected by them too.
    """
    scores = question_scores(settled, pipelines, (VERDICT, SAID, PREDICTED))
    pairs = list(combinations(pipelines, 2))
    verdicts = replace(scores, values={VERDICT: scores.values[VERDICT]})
    estimates = {pair: estimate for pair in pairs if (estimate := _estimate_pair(scores, *pair))}
    return correct_comparisons(compare_scores(verdicts, pairs, seed=seed), estimates)


def _estimate_pair(scores: QuestionScores, first: str, second: str) -> PairEstimate | None:
    said, predicted = ([scores.of(each, name) for name in (first, second)] for each in (SAID, PREDICTED))
    if not all(map(corrects, said, predicted)):
        return None
    both = ~np.isnan(predicted[0]) & ~np.isnan(predicted[1])
    (one, other), (one_predicted, other_predicted) = ([each[both] for each in side] for side in (said, predicted))
    difference = stats.estimate_difference(one, one_predicted, other, other_predicted)
    shares = stats.estimate_share(one, one_predicted).value, stats.estimate_share(other, other_predicted).value
    if difference.value is None or shares[0] is None or shares[1] is None:
        return None
    return PairEstimate(first=shares[0], second=shares[1], difference=difference)


def compare_all(settled: pl.DataFrame, pipelines: Sequence[str], *, seed: int = SEED) -> pl.DataFrame:
    """`comparison.compare` of rows as `settle` returns them, its right answers as `compare_right_answers` has them."""
    others = question_scores(settled, pipelines, [metric for metric in COMPARED if metric != VERDICT])
    pairs = list(combinations(pipelines, 2))
    by_right = compare_right_answers(settled, pipelines, seed=seed)
    return pl.concat([by_right, compare_scores(others, pairs, seed=seed)])
