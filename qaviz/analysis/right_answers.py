"""Right answers, the measure that decides: what counts as right, what each pipeline comes to, and how two of them
compare (docs/decision.md).

A person's label comes before a judge's grade, which stands in the verdict, and that before qaviz's own verdict. Empty,
missing and failed responses are not right, of all questions asked. An `unsure` verdict stays open: not counted as
right, and possibly right. Where enough responses of a pipeline were labelled at random, its share is the estimate of
`qaviz.stats.corrected_shares`; where enough of the run were, that of `qaviz.analysis.share_estimates`.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import hypot
from statistics import NormalDist
from typing import NamedTuple, TypedDict

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.comparison import (
    COMPARED,
    FIRST,
    METRIC,
    POSSIBLE,
    SCHEMA,
    SECOND,
    SEED,
    ComparedRow,
    QuestionScores,
    compare_scores,
    question_scores,
    word_cases,
)
from qaviz.analysis.consistency import whole
from qaviz.analysis.labels import SAMPLED, counting, mark_sampled
from qaviz.analysis.share_estimates import Estimated, estimate_shares
from qaviz.loading.load_log import SAMPLE
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Verdict
from qaviz.stats.corrected_shares import Estimate, Method, estimate_difference, estimate_share

MEASURE = "right answers"

FEWEST_LABELS = 30
"""Labels of a pipeline from which they alone correct its share, and of a run from which they correct the shares of all
pipelines: intervals are measured from here on (benchmarks.corrected_shares, benchmarks.pooled_shares)."""

MOST_UNKNOWN = 0.2
"""Share of a pipeline's responses without a cost (a time) from which its mean is not known."""

NO_LABELS = pl.DataFrame(schema={c.QUESTION_ID: pl.String, c.PIPELINE: pl.String, c.LABEL: pl.String})

EMPTY, MISSING = "empty", "missing"
"""Whether a response has nothing but white space; whether there is none."""
RIGHT = "right"
"""Whether a response is right: 1 or 0, an open one 0. POSSIBLE has 1 for an open one too."""
LABELLED, PREDICTED = "labelled", "predicted"
"""Whether a label drawn at random says right, and whether the verdict does: 1, 0, or 0.5 for an unsure verdict; both
null where there is no text."""
ANSWERED = "answered"
"""1 for a response with a text, else 0."""
_LABELS, _TEXTS = "labels", "texts"
"""How many repeats of a question have a label drawn at random, and a text."""

_UNSURE = 0.5


class RightAnswersRow(TypedDict):
    """A row of `right_answers`: one pipeline over the questions asked, in slots: questions times repeats."""

    pipeline: str
    right: int
    of: int
    repeats: int
    """How often each question was asked."""
    unsure: int
    """Open: neither right nor wrong yet."""
    missing: int
    empty: int
    declined_rightly: int
    """Right, because the question cannot be answered and the response says so."""
    judged: bool
    """Whether any slot has a label or a verdict that is not unsure."""
    share: float
    """right / of, or the estimate from labels."""
    low: float
    """With `high`: between which the share for many questions like these lies at 95 %, open ones counted as wrong at
    the low end and as right at the high one."""
    high: float
    labelled: int
    """Labels drawn at random."""
    corrected_by_labels: bool
    method: str
    """How the interval was made."""
    cost: float | None
    """With `latency_ms`: the mean of a response; None where too few are known."""
    latency_ms: float | None
    cost_known: int
    """With `latency_known`: of how many responses it is known."""
    latency_known: int
    responses: int


Numbers = NDArray[np.float64]


COUNTED = (
    *(c.QUESTION_ID, c.PIPELINE, c.REPEAT_OF, c.ANSWERABLE, c.VERDICT, c.DIAGNOSIS, c.CONFIDENCE, c.COST, c.LATENCY_MS),
    *(metric for metric in COMPARED if metric != c.VERDICT),
    *(
        c.FAULT,
        c.IN_DOCUMENTS,
        c.CONTEXT_USED,
        c.RETRIEVAL_RANK,
        c.RETRIEVAL_HIT,
        *c.RETRIEVAL_SCORES,
        c.CONTEXT_SUPPORT,
    ),
)


def select_counted(rows: pl.DataFrame) -> pl.DataFrame:
    """What decisions and comparisons count of the rows: no texts, which would be copied with them, but EMPTY."""
    return rows.select(*(name for name in COUNTED if name in rows.columns), is_empty())


def is_empty() -> pl.Expr:
    """EMPTY, of rows with RESPONSE."""
    return pl.col(c.RESPONSE).str.contains(r"\S").fill_null(False).not_().alias(EMPTY)


def select_asked(golden: pl.DataFrame, rows: pl.DataFrame, listed_counts: Mapping[str, int]) -> pl.DataFrame:
    """The triplets of the questions that a run asked: all of them, but for a run of FMEval's own fixed sample."""
    if not listed_counts.get(SAMPLE):
        return golden
    return golden.join(rows.select(c.QUESTION_ID), on=c.QUESTION_ID, how="semi", maintain_order="left")


def settle(
    rows: pl.DataFrame, questions: pl.Series, labels: pl.DataFrame = NO_LABELS, *, apart: bool = False
) -> pl.DataFrame:
    """The rows with EMPTY, MISSING, RIGHT, POSSIBLE, LABELLED, PREDICTED, ANSWERED, LABEL, and as c.VERDICT the label
    where there is one; behind them a row for each of the `questions` asked to which a pipeline (a repeat) has none.

    `rows` are all of a run, in its order; `labels` as `mark_sampled` takes them, the newest last. Repeats of a pipeline
    get its name; `apart` leaves each a pipeline of its own.
    """
    rows = rows if EMPTY in rows.columns else rows.with_columns(is_empty())
    marked = mark_sampled(labels, rows).unique([c.QUESTION_ID, c.PIPELINE], keep="last", maintain_order=True)
    newest = marked.select(c.QUESTION_ID, c.PIPELINE, c.LABEL, SAMPLED)
    names = rows.select(pl.col(c.QUESTION_ID, c.PIPELINE).cast(pl.String))
    labelled = _match_labels(names, newest)
    unanswerable = ~pl.col(c.ANSWERABLE).fill_null(True) if c.ANSWERABLE in rows.columns else pl.lit(False)
    verdict = pl.col(c.VERDICT).cast(pl.String).fill_null(Verdict.UNSURE.value)
    answered = ~pl.col(EMPTY)
    by_label, by_verdict = (_is_right(word, unanswerable) for word in (pl.col(c.LABEL), verdict))
    unsure = verdict == Verdict.UNSURE.value
    right = answered & pl.coalesce(by_label, by_verdict)
    settled = rows.with_columns(*names, labelled[c.LABEL], labelled[SAMPLED]).with_columns(
        pl.lit(False).alias(MISSING),
        right.cast(pl.Float64).alias(RIGHT),
        (right | (answered & unsure & pl.col(c.LABEL).is_null())).cast(pl.Float64).alias(POSSIBLE),
        pl.when(answered & pl.col(SAMPLED)).then(by_label.cast(pl.Float64)).alias(LABELLED),
        pl.when(answered).then(pl.when(unsure).then(_UNSURE).otherwise(by_verdict.cast(pl.Float64))).alias(PREDICTED),
        answered.cast(pl.Float64).alias(ANSWERED),
        pl.coalesce(c.LABEL, verdict).alias(c.VERDICT),
    )
    settled = _add_missing(settled.drop(SAMPLED), questions)
    return settled if apart else whole(settled)


def _match_labels(names: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """Question and pipeline of each row with the other columns of its label; null where it has none."""
    if labels.is_empty():  # a join copies the names, 0.8 GB for a million rows
        others = labels.drop(c.QUESTION_ID, c.PIPELINE).schema.items()
        return names.with_columns(pl.lit(None, dtype).alias(name) for name, dtype in others)
    return names.join(labels, on=[c.QUESTION_ID, c.PIPELINE], how="left", maintain_order="left")


def _add_missing(settled: pl.DataFrame, questions: pl.Series) -> pl.DataFrame:
    """With a row for each question and pipeline (or repeat) that has none."""
    key = [c.QUESTION_ID, c.PIPELINE]
    names = settled.select(c.PIPELINE, *({c.REPEAT_OF} & {*settled.columns})).unique(c.PIPELINE, maintain_order=True)
    if settled.height == len(questions) * names.height:
        return settled
    slots = questions.rename(c.QUESTION_ID).to_frame().join(names, how="cross")
    absent = slots.join(settled.select(key), on=key, how="anti", maintain_order="left").with_columns(
        pl.lit(True).alias(MISSING),
        pl.lit(False).alias(EMPTY),
        *(pl.lit(0.0).alias(name) for name in (RIGHT, POSSIBLE, ANSWERED)),
    )
    return pl.concat([settled, absent], how="diagonal")


def _is_right(word: pl.Expr, unanswerable: pl.Expr) -> pl.Expr:
    """Whether a label or a verdict is right; null where there is none."""
    return (word == Verdict.CORRECT.value) | ((word == Verdict.DECLINED.value) & unanswerable)


def find_overruled(rows: pl.DataFrame, labels: pl.DataFrame = NO_LABELS) -> pl.Series:
    """Whether a person or a judge decides against a row's diagnosis, or its refusal is right: booleans, in row order.

    Such a response is right though its diagnosis is of wrong ones, or wrong though it is of right ones.
    """
    key = [c.QUESTION_ID, c.PIPELINE]
    decided = _match_labels(rows.select(pl.col(key).cast(pl.String)), counting(labels).select(*key, c.LABEL))
    unanswerable = ~pl.col(c.ANSWERABLE).fill_null(True) if c.ANSWERABLE in rows.columns else pl.lit(False)
    word = pl.coalesce(c.LABEL, pl.col(c.VERDICT).cast(pl.String))
    of_class = {kind.value: verdict is Verdict.CORRECT for kind, verdict in VERDICT_OF.items()}
    rightly = pl.col(c.DIAGNOSIS).cast(pl.String).replace_strict(of_class, return_dtype=pl.Boolean, default=None)
    judged = pl.when(word != Verdict.UNSURE.value).then(_is_right(word, unanswerable))
    needed = [name for name in (c.ANSWERABLE, c.VERDICT, c.DIAGNOSIS) if name in rows.columns]
    # Beside a new column the chunks of all others are joined: without the texts, which take a gigabyte.
    return rows.select(needed).with_columns(decided[c.LABEL]).select((judged != rightly).fill_null(False)).to_series()


def is_there() -> pl.Expr:
    """Whether a settled row is a response, and not one that is missing."""
    return ~pl.col(MISSING)


def is_open() -> pl.Expr:
    """Whether a settled response is open."""
    return pl.col(POSSIBLE) > pl.col(RIGHT)


def score_questions(
    settled: pl.DataFrame, questions: pl.Series, pipelines: Sequence[str], metrics: Sequence[str] = COMPARED
) -> QuestionScores:
    """The scores of these pipelines to these questions, from rows of `settle`, by these metrics.

    c.VERDICT is the share of a question's repeats that is right, POSSIBLE counts open ones as right, ANSWERED is the
    share that has a text. LABELLED and PREDICTED are means of those with a text.
    """
    others = [metric for metric in metrics if metric != c.VERDICT]
    read = settled.select(
        *(c.QUESTION_ID, c.PIPELINE, POSSIBLE, ANSWERED, LABELLED, PREDICTED, *others),
        pl.col(RIGHT).alias(c.VERDICT),
        pl.col(LABELLED).is_not_null().alias(_LABELS),
        pl.col(ANSWERED).alias(_TEXTS),
    )
    means = (c.VERDICT, POSSIBLE, ANSWERED, LABELLED, PREDICTED, *others)
    return question_scores(read, pipelines, (*means, _LABELS, _TEXTS), questions, (_LABELS, _TEXTS))


def right_answers(settled: pl.DataFrame, questions: pl.Series, pipelines: Sequence[str]) -> pl.DataFrame:
    """Columns of RightAnswersRow, one row a pipeline, in their order, from rows of `settle` and the questions asked."""
    scores = score_questions(settled, questions, pipelines, ())
    inside = settled[c.QUESTION_ID].is_in(questions.implode())
    of_these = settled if inside.all() else settled.filter(inside)
    counted = _count_slots(of_these, pipelines)
    shares = {name: estimate_right(scores, name) for name in pipelines}
    if not all(share.corrected for share in shares.values()):
        enough = counted["labelled"].sum() >= FEWEST_LABELS
        for name, estimated in estimate_shares(of_these, pipelines).items():
            shares[name] = _pool_or_widen(shares[name], estimated, enough=enough)
    schema = dict.fromkeys(("share", "low", "high"), pl.Float64) | {
        "corrected_by_labels": pl.Boolean,
        "method": pl.String,
    }
    estimates = pl.DataFrame([shares[name] for name in pipelines], schema=schema, orient="row")
    return counted.hstack(estimates).select(*RightAnswersRow.__annotations__)


class Share(NamedTuple):
    """A pipeline's share of right answers with its interval."""

    value: float
    low: float
    high: float
    corrected: bool
    """Whether labels correct it."""
    method: str


def _count_slots(settled: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    right, opened, there = pl.col(RIGHT) == 1, is_open(), is_there()
    counts = {
        "right": right,
        "unsure": opened,
        "missing": pl.col(MISSING),
        "empty": pl.col(EMPTY),
        "declined_rightly": right & (pl.col(c.VERDICT) == Verdict.DECLINED.value),
        "judged": (pl.col(ANSWERED) == 1) & ~opened,
        "labelled": pl.col(LABELLED).is_not_null(),
        "responses": there,
    }
    known = {"cost_known": c.COST, "latency_known": c.LATENCY_MS}
    table = settled.group_by(c.PIPELINE).agg(
        pl.len().cast(pl.Int64).alias("of"),
        pl.col(c.QUESTION_ID).n_unique().cast(pl.Int64).alias("questions"),
        *(counted.sum().cast(pl.Int64).alias(name) for name, counted in counts.items()),
        *(_count_known(settled, column).alias(name) for name, column in known.items()),
        *(_mean_known(settled, column, there) for column in known.values()),
    )
    filled = c.join_pipelines(pipelines, table).with_columns(pl.col("of", "questions", *counts, *known).fill_null(0))
    repeats = pl.col("of") // pl.max_horizontal("questions", pl.lit(1))
    return filled.with_columns(pl.col("judged") > 0, repeats.alias("repeats"))


def _count_known(settled: pl.DataFrame, column: str) -> pl.Expr:
    return pl.col(column).count().cast(pl.Int64) if column in settled.columns else pl.lit(0, pl.Int64)


def _mean_known(settled: pl.DataFrame, column: str, there: pl.Expr) -> pl.Expr:
    """The mean of a column; null where too few of the responses have it."""
    if column not in settled.columns:
        return pl.lit(None, pl.Float64).alias(column)
    known = pl.col(column).count() >= (1 - MOST_UNKNOWN) * there.sum()
    return pl.when(known).then(pl.col(column).mean()).alias(column)


VERDICTS_ALONE = "qaviz's verdicts alone, with Wilson's interval"


POOLED = "all verdicts, corrected by people's labels of all pipelines (partial pooling)"
WIDENED = "qaviz's verdicts alone, widened by their error on texts that they never saw"


def _pool_or_widen(own: Share, estimated: Estimated, *, enough: bool) -> Share:
    """A share by its own labels, else by those of the run where they are `enough`; else as counted, with an interval
    that holds that of the estimate too."""
    if own.corrected:
        return own
    if enough:
        return Share(*estimated, corrected=True, method=POOLED)
    low, high = min(own.low, estimated.low), max(own.high, estimated.high)
    return Share(own.value, low, high, corrected=False, method=WIDENED)


def estimate_right(scores: QuestionScores, pipeline: str) -> Share:
    """A pipeline's share over the questions of these scores that it was asked."""
    was_asked = ~np.isnan(scores.of(c.VERDICT, pipeline))
    if not was_asked.any():
        return Share(0.0, 0.0, 1.0, corrected=False, method=VERDICTS_ALONE)
    if are_corrected(scores, pipeline):
        labels, predicted = scores.of(LABELLED, pipeline), scores.of(PREDICTED, pipeline)
        there, part = ~np.isnan(predicted), float(scores.of(ANSWERED, pipeline)[was_asked].mean())
        estimate = estimate_share(labels[there], predicted[there])
        # What is missing or empty is known to be not right.
        value, low, high = ((end or 0.0) * part for end in (estimate.value, estimate.low, estimate.high))
        return Share(value, low, high, corrected=True, method=estimate.method.value)
    counted, possible = scores.of(c.VERDICT, pipeline)[was_asked], scores.of(POSSIBLE, pipeline)[was_asked]
    low, high = stats.interval_of(counted)[0], stats.interval_of(possible)[1]
    return Share(float(counted.mean()), low, high, corrected=False, method=VERDICTS_ALONE)


def are_corrected(scores: QuestionScores, pipeline: str) -> bool:
    """Whether labels drawn at random are enough to correct this pipeline's share."""
    return labels_correct(*(int(scores.of(name, pipeline).sum()) for name in (_LABELS, _TEXTS)))


def labels_correct(labelled: int, texts: int) -> bool:
    """Whether so many labels that may correct are enough for the share of so many responses that have a text."""
    return labelled > 0 and (labelled >= FEWEST_LABELS or labelled == texts)


class PairEstimate(NamedTuple):
    """What people's labels make of a comparison of two pipelines."""

    first: float
    second: float
    """Their shares."""
    difference: Estimate


def compare_outcomes(
    settled: pl.DataFrame,
    questions: pl.Series,
    pairs: Sequence[tuple[str, str]],
    metrics: Sequence[str] = COMPARED,
    *,
    seed: int = SEED,
) -> pl.DataFrame:
    """These pairs of pipelines by these metrics, c.VERDICT first, from rows of `settle` and the questions asked.

    As `comparison.compare_scores` has it; where labels correct a share of a pair, they correct its means, difference,
    interval and p by right answers too.
    """
    pipelines = list(dict.fromkeys(name for pair in pairs for name in pair))
    scores = score_questions(settled, questions, pipelines, metrics)
    estimates = estimate_pairs(scores, pairs)
    compared = compare_scores(scores, pairs, metrics, seed=seed)
    by_right = compared["metric"] == c.VERDICT
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
    were_asked = ~np.isnan(scores.of(c.VERDICT, first) + scores.of(c.VERDICT, second))
    complete = all((scores.of(ANSWERED, name)[were_asked] == 1).all() for name in (first, second))
    if complete and all(share.corrected for share in shares):
        (one, one_predicted), (other, other_predicted) = (
            [scores.of(column, name)[were_asked] for column in (LABELLED, PREDICTED)] for name in (first, second)
        )
        difference = estimate_difference(one, one_predicted, other, other_predicted)
    else:
        difference = _combine_shares(*shares, int(were_asked.sum()))
    return PairEstimate(first=shares[0].value, second=shares[1].value, difference=difference)


def _combine_shares(first: Share, second: Share, questions: int) -> Estimate:
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
    return Estimate(
        value=value,
        low=max(-1.0, value - down),
        high=min(1.0, value + up),
        labelled=0,
        questions=questions,
        method=Method.PREDICTION_POWERED,
        p=2 * normal.cdf(-abs(value) / error) if error else float(value == 0),
    )


def correct_comparisons(compared: pl.DataFrame, estimates: Mapping[tuple[str, str], PairEstimate]) -> pl.DataFrame:
    """Rows of `compare` of one metric, with the means, difference, interval and p of these pairs as labels correct
    them; p_holm, decision and sentence follow."""
    if not estimates:
        return compared
    rows = list(c.typed_rows(compared, ComparedRow))
    for row in rows:
        if estimate := estimates.get((row[FIRST], row[SECOND])):
            row["mean_first"], row["mean_second"], row["open"] = estimate.first, estimate.second, False
            row["difference"], row["p"] = estimate.difference.value, estimate.difference.p
            row["low"], row["high"] = estimate.difference.low, estimate.difference.high
    corrected = iter(stats.holm([row["p"] for row in rows if row["p"] is not None]))
    for row in rows:
        row["p_holm"] = None if row["p"] is None else next(corrected)
        row["needed"] = None if row["p_holm"] is not None and row["p_holm"] < stats.ALPHA else row["needed"]
    names = [(row[FIRST], row[SECOND]) for row in rows]
    return word_cases(pl.DataFrame(rows, schema=SCHEMA), compared[METRIC][0], names)
