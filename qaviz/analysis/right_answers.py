"""Right answers, the measure that decides: how many responses of each pipeline have the verdict correct.

A person's label settles the verdict of the response it was given to. An `unsure` verdict is neither right nor wrong: it
counts half in a share, as wrong at the low end and as right at the high end. Where enough responses of a pipeline were
labelled, its share is the prediction-powered estimate of `qaviz.stats.corrected_shares`.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

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
)

MEASURE = "right answers"

FEWEST_LABELS = 30
"""Labels of a pipeline from which they correct its share, unless all its responses are labelled: intervals are measured
from here on (benchmarks/corrected_shares.py)."""

SAMPLED = "sampled"
"""Column of labels: whether the response was drawn at random. Labels without it all count as drawn at random."""

NO_LABELS = pl.DataFrame(schema={QUESTION_ID: pl.String, PIPELINE: pl.String, LABEL: pl.String})

SAID, PREDICTED = "said", "predicted"
"""What a label says of a response, and what its verdict does: 1 right, 0 not; an `unsure` verdict is 0.5."""

_UNSURE = 0.5

SCHEMA: dict[str, type[pl.DataType]] = {
    PIPELINE: pl.String,
    "right": pl.Int64,
    "of": pl.Int64,
    "unsure": pl.Int64,
    "missing": pl.Int64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "labelled": pl.Int64,
    "corrected_by_labels": pl.Boolean,
    "method": pl.String,
    COST: pl.Float64,
    LATENCY_MS: pl.Float64,
}

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

    `labels` has QUESTION_ID, PIPELINE and LABEL, the newest last, and SAMPLED where it is known. A response labelled
    `declined` is right where its question is marked as unanswerable. SAID is null where no label drawn at random is.
    """
    newest = labels.unique([QUESTION_ID, PIPELINE], keep="last", maintain_order=True)
    sampled = pl.col(SAMPLED) if SAMPLED in newest.columns else pl.lit(True)
    newest = newest.select(QUESTION_ID, PIPELINE, LABEL, sampled.alias(SAMPLED))
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
    """One row a pipeline, in their order, from rows as `settle` returns them.

    Columns of SCHEMA. right: responses with the verdict correct; of: all responses and those `missing` (questions that
    another pipeline has a response to); unsure: verdicts that say neither. share: of all, unsure ones counted half, or
    the estimate from labels. low and high: between which the share for many questions like these lies at 95 %, unsure
    and missing ones counted as wrong at the low end and as right at the high one. labelled: labels drawn at random;
    method: how the interval was made. cost and latency_ms: means of a response, null where none is known.
    """
    scores = question_scores(settled, pipelines, (VERDICT, SAID, PREDICTED))
    counted = _count_verdicts(settled, pipelines)
    found = [_row(scores, row) for row in counted.iter_rows(named=True)]
    return pl.DataFrame(found, schema=SCHEMA, orient="row")


def _count_verdicts(settled: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    efforts = [pl.col(name).mean() for name in (COST, LATENCY_MS) if name in settled.columns]
    counts = settled.group_by(PIPELINE).agg(
        (pl.col(VERDICT) == Verdict.CORRECT.value).sum().cast(pl.Int64).alias("right"),
        (pl.col(VERDICT) == Verdict.UNSURE.value).sum().cast(pl.Int64).alias("unsure"),
        pl.len().cast(pl.Int64).alias("responses"),
        *efforts,
    )
    in_order = pl.DataFrame({PIPELINE: list(pipelines)}, schema={PIPELINE: pl.String})
    counted = in_order.join(counts, on=PIPELINE, how="left", maintain_order="left")
    return counted.with_columns(pl.col("right", "unsure", "responses").fill_null(0))


def _row(scores: QuestionScores, counts: dict[str, object]) -> dict[str, object]:
    name = str(counts[PIPELINE])
    verdicts, said, predicted = (scores.of(each, name) for each in (VERDICT, SAID, PREDICTED))
    questions, answered = len(predicted), int((~np.isnan(predicted)).sum())
    missing = questions - answered
    figures = {
        "of": int(str(counts["responses"])) + missing,
        "missing": missing,
        "labelled": int((~np.isnan(said)).sum()),
        "corrected_by_labels": corrects(said, predicted),
    }
    estimated = (
        _share_by_labels(said, predicted, questions)
        if figures["corrected_by_labels"]
        else _share_by_verdicts(verdicts, missing)
    )
    return {name: value for name, value in counts.items() if name != "responses"} | figures | estimated


def corrects(said: Numbers, predicted: Numbers) -> bool:
    """Whether the labels of a pipeline's responses are enough to correct its share."""
    labelled, answered = int((~np.isnan(said)).sum()), int((~np.isnan(predicted)).sum())
    return labelled > 0 and (labelled >= FEWEST_LABELS or labelled == answered)


def _share_by_verdicts(verdicts: Numbers, missing: int) -> dict[str, object]:
    """Share and interval from verdicts alone."""
    known, questions = verdicts[~np.isnan(verdicts)], len(verdicts)
    if not questions or missing == questions:
        return {"share": None, "low": 0.0, "high": 1.0, "method": "no response"}
    low, high = stats.interval_of(known)
    part = len(known) / questions
    unsure = questions - len(known) - missing
    share = (float(known.sum()) + _UNSURE * unsure) / questions
    return {"share": share, "low": low * part, "high": high * part + 1 - part, "method": VERDICTS_ALONE}


VERDICTS_ALONE = "qaviz's verdicts alone, with Wilson's interval"


def _share_by_labels(said: Numbers, predicted: Numbers, questions: int) -> dict[str, object]:
    """Share and interval corrected by labels; responses that are missing stay unknown."""
    answered = ~np.isnan(predicted)
    found = stats.estimate_share(said[answered], predicted[answered])
    part = int(answered.sum()) / questions
    share = None if found.value is None else found.value * part
    return {
        "share": share,
        "low": found.low * part,
        "high": found.high * part + 1 - part,
        "method": found.method.value,
    }


def compare_right_answers(settled: pl.DataFrame, pipelines: Sequence[str], *, seed: int = SEED) -> pl.DataFrame:
    """Every pair of the pipelines by right answers, as `comparison.compare` has it, from rows of `settle`.

    Where labels correct both shares of a pair, its means, difference, interval and p are corrected by them too.
    """
    scores = question_scores(settled, pipelines, (VERDICT, SAID, PREDICTED))
    pairs = list(combinations(pipelines, 2))
    verdicts = replace(scores, values={VERDICT: scores.values[VERDICT]})
    estimates = {pair: estimate for pair in pairs if (estimate := _estimated_pair(scores, *pair))}
    return correct_comparisons(compare_scores(verdicts, pairs, seed=seed), estimates)


def _estimated_pair(scores: QuestionScores, first: str, second: str) -> PairEstimate | None:
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
