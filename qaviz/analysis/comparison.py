"""Pipelines against each other, pair by pair: who is better, by how much, and whether that is known.

Everything is paired by question: two pipelines are compared on the questions that are scored for both. Responses that
repeat a question count as their mean, so a question weighs the same however often it was asked. `rows` is one row a
response as `Workspace.rows` returns it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final, NamedTuple, TypedDict

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.comparison_words import PairFigures, sentence
from qaviz.model.classes import Verdict
from qaviz.model.columns import (
    CATEGORY,
    F1,
    FACTUAL_KNOWLEDGE,
    PIPELINE,
    PRECISION,
    QUESTION_ID,
    RECALL,
    VERDICT,
    typed_rows,
)

SEED = 20230630
"""Of the resamples, unless another one is given: the same rows give the same figures."""

COMPARED = (VERDICT, FACTUAL_KNOWLEDGE, RECALL, PRECISION, F1)
"""What pipelines are compared by, the measure that decides first. VERDICT is whether the answer is right: 1 correct, 0
incorrect or declined, null for unsure."""

METRIC: Final = "metric"
FIRST: Final = "first"
SECOND: Final = "second"


class ComparedRow(PairFigures):
    """A row of `compare`: one metric and pair of pipelines."""

    decision: str
    """A `stats.Decision`."""
    sentence: str


SCHEMA = pl.Schema(ComparedRow.__annotations__)

_CHUNK = 8_000_000
"""Differences that are in memory at a time, some 64 MB."""

_MOST_NEEDED = 1e9

Values = NDArray[np.float64]
"""Scores by question, nan where there is none."""


class _Case(NamedTuple):
    """Two pipelines on some questions."""

    first: Values
    second: Values

    def differences(self) -> Values:
        both = self.first - self.second
        return np.asarray(both[~np.isnan(both)], np.float64)


@dataclass(frozen=True, kw_only=True)
class QuestionScores:
    """Scores by question and pipeline."""

    question_ids: pl.Series
    pipelines: tuple[str, ...]
    values: dict[str, Values]
    """By metric: a row a question, a column a pipeline, nan where it is not scored."""

    def of(self, metric: str, pipeline: str) -> Values:
        return self.values[metric][:, self.pipelines.index(pipeline)]


def outcome(metric: str) -> pl.Expr:
    """What a response counts for a metric of COMPARED: a number from 0 to 1, null where it is not scored."""
    if metric != VERDICT:
        return pl.col(metric)
    judged = pl.col(VERDICT) != Verdict.UNSURE.value
    return pl.when(judged).then((pl.col(VERDICT) == Verdict.CORRECT.value).cast(pl.Float64)).alias(VERDICT)


def question_scores(rows: pl.DataFrame, pipelines: Sequence[str], metrics: Sequence[str] = COMPARED) -> QuestionScores:
    """The scores of these pipelines by question, in the order of the rows; repeats of a question are averaged."""
    rows = rows.select(QUESTION_ID, PIPELINE, *(outcome(metric) for metric in metrics))
    if set(rows[PIPELINE].unique()) - set(pipelines):
        rows = rows.filter(pl.col(PIPELINE).is_in(list(pipelines)))
    questions = rows.select(QUESTION_ID).unique(maintain_order=True).with_row_index("question_place")
    columns = pl.DataFrame({PIPELINE: list(pipelines)}, schema={PIPELINE: pl.String}).with_row_index("pipeline_place")
    placed = rows.join(questions, on=QUESTION_ID).join(columns, on=PIPELINE)
    cells = placed.select(pl.col("question_place").cast(pl.Int64) * len(pipelines) + pl.col("pipeline_place"))
    places, shape = cells.to_series().to_numpy(), (questions.height, len(pipelines))
    return QuestionScores(
        question_ids=questions[QUESTION_ID],
        pipelines=tuple(pipelines),
        values={metric: _means(places, placed[metric].cast(pl.Float64).to_numpy(), shape) for metric in metrics},
    )


def _means(places: NDArray[np.int64], scores: Values, shape: tuple[int, int]) -> Values:
    known = ~np.isnan(scores)
    cells = shape[0] * shape[1]
    sums = np.bincount(places[known], weights=scores[known], minlength=cells)
    counts = np.bincount(places[known], minlength=cells)
    return np.divide(sums, counts, out=np.full(cells, np.nan), where=counts > 0).reshape(shape)


def compare(rows: pl.DataFrame, pipelines: Sequence[str], *, seed: int = SEED) -> pl.DataFrame:
    """Every pair of the pipelines by every metric of COMPARED: one row a metric and pair, in their order.

    Columns: metric, first, second; n_first, n_second (questions scored for each), paired (for both); mean_first,
    mean_second and difference, over the paired questions; low, high (95 % interval of the difference); wins, losses,
    ties (questions); p, p_holm (corrected over the pairs of the metric); detectable (the smallest difference that
    would probably have been found), needed (more questions to settle the difference as it stands, null where it is
    settled or none would do); decision (of `stats.Decision`), sentence. Null where nothing is paired.

    Scores of 0 and 1 are tested by McNemar's exact test, others by swapping pipelines within questions.
    """
    return compare_pairs(rows, list(combinations(pipelines, 2)), seed=seed)


def compare_pairs(rows: pl.DataFrame, pairs: Sequence[tuple[str, str]], *, seed: int = SEED) -> pl.DataFrame:
    """As `compare`, for these pairs of pipelines alone."""
    pipelines = list(dict.fromkeys(chain.from_iterable(pairs)))
    return compare_scores(question_scores(rows, pipelines), pairs, seed=seed)


def compare_scores(scores: QuestionScores, pairs: Sequence[tuple[str, str]], *, seed: int = SEED) -> pl.DataFrame:
    """As `compare`, for these pairs by the metrics that the scores are of."""
    return pl.concat(
        _word_cases(compare_metric(scores, metric, pairs, seed=seed), metric, pairs) for metric in scores.values
    )


@dataclass(frozen=True, kw_only=True)
class PairEstimate:
    """What people's labels make of a comparison of two pipelines."""

    first: float
    second: float
    """Their shares."""
    difference: stats.Estimate


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
    return _word_cases(pl.DataFrame(rows, schema=SCHEMA), compared[METRIC][0], names)


def _correct_row(row: ComparedRow, estimate: PairEstimate | None) -> ComparedRow:
    if estimate is None:
        return row
    found = estimate.difference
    return {
        **row,
        "mean_first": estimate.first,
        "mean_second": estimate.second,
        "difference": found.value,
        "low": found.low,
        "high": found.high,
        "p": found.p,
    }


def compare_metric(
    scores: QuestionScores, metric: str, pairs: Sequence[tuple[str, str]], *, seed: int = SEED
) -> pl.DataFrame:
    """What `compare` finds of these pairs by one metric, in figures alone: a row a pair, from n_first to needed."""
    cases = [_Case(scores.of(metric, first), scores.of(metric, second)) for first, second in pairs]
    return _test_cases(cases, _are_shares(scores.values[metric]), seed)


def compare_categories(rows: pl.DataFrame, metric: str, first: str, second: str, *, seed: int = SEED) -> pl.DataFrame:
    """Two pipelines by one metric, category by category, the category with most questions first.

    The columns of `compare` after CATEGORY; p_holm is corrected over the categories. Questions without a category are
    left out; no rows where no question has one.
    """
    read = rows.select(list(dict.fromkeys((QUESTION_ID, PIPELINE, CATEGORY, metric))))
    grouped = read.filter(pl.col(CATEGORY).is_not_null(), pl.col(PIPELINE).is_in([first, second]))
    scores = question_scores(grouped, (first, second), (metric,))
    of_question = grouped.select(QUESTION_ID, CATEGORY).unique(QUESTION_ID, maintain_order=True)[CATEGORY]
    sizes = of_question.value_counts(sort=True, name="questions").sort("questions", CATEGORY, descending=[True, False])
    categories = sizes[CATEGORY].to_list()
    values, where = scores.values[metric], of_question.to_numpy()
    cases = [_Case(*values[where == category].T) for category in categories]
    tested = _word_cases(_test_cases(cases, _are_shares(values), seed), metric, [(first, second)] * len(cases))
    return tested.select(pl.Series(CATEGORY, categories, pl.String), pl.all())


_OPPOSITE = {stats.Decision.BETTER: stats.Decision.WORSE, stats.Decision.WORSE: stats.Decision.BETTER}


def seen_from(row: ComparedRow, pipeline: str) -> ComparedRow:
    """A row of `compare` with this one of its two pipelines as the first."""
    if row[FIRST] == pipeline:
        return row
    decision = stats.Decision(row["decision"])
    turned: ComparedRow = {
        **row,
        FIRST: row[SECOND],
        SECOND: row[FIRST],
        "n_first": row["n_second"],
        "n_second": row["n_first"],
        "mean_first": row["mean_second"],
        "mean_second": row["mean_first"],
        "difference": _negate(row["difference"]),
        "low": _negate(row["high"]),
        "high": _negate(row["low"]),
        "wins": row["losses"],
        "losses": row["wins"],
        "decision": _OPPOSITE.get(decision, decision).value,
    }
    return {**turned, "sentence": sentence(turned, stats.Decision(turned["decision"]))}


def _negate(value: float | None) -> float | None:
    return None if value is None else -value


def deciding(rows: pl.DataFrame, metric: str, first: str, second: str) -> pl.DataFrame:
    """The questions on which two pipelines differ, the widest differences first.

    QUESTION_ID; first and second, their scores; difference.
    """
    scores = question_scores(rows, (first, second), (metric,))
    frame = pl.DataFrame(
        {QUESTION_ID: scores.question_ids, FIRST: scores.of(metric, first), SECOND: scores.of(metric, second)}
    ).with_columns(difference=pl.col(FIRST) - pl.col(SECOND))
    apart = frame.filter(pl.col("difference").is_not_nan() & (pl.col("difference").abs() > stats.TIE))
    return apart.sort(pl.col("difference").abs(), descending=True, maintain_order=True)


def _are_shares(values: Values) -> bool:
    """Whether every score is 0 or 1: then means are shares, and McNemar's test is exact."""
    return bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())


def _test_cases(cases: Sequence[_Case], shares: bool, seed: int) -> pl.DataFrame:
    """What is known of each case, without names and words: columns of SCHEMA from `n_first` to `needed`."""
    questions = max((len(case.first) for case in cases), default=0)
    step = max(1, _CHUNK // max(questions, 1))
    chunks = [cases[start : start + step] for start in range(0, len(cases), step)]
    measured = [_measure_cases(chunk, shares, seed) for chunk in chunks]
    return _plan_cases(pl.concat([pl.DataFrame(schema=_Measured.__annotations__), *measured]), shares)


class _Counts(TypedDict):
    n_first: int
    n_second: int
    paired: int
    mean_first: float | None
    mean_second: float | None
    difference: float | None
    wins: int
    losses: int
    ties: int
    deviation: float | None
    """Standard deviation of the differences; None for fewer than two."""


class _Measured(_Counts):
    low: float | None
    high: float | None
    p: float | None


def _measure_cases(cases: Sequence[_Case], shares: bool, seed: int) -> pl.DataFrame:
    samples = [case.differences() for case in cases]
    counted = pl.DataFrame(
        [_count_case(case, sample) for case, sample in zip(cases, samples, strict=True)],
        schema=_Counts.__annotations__,
    )
    wins, losses, paired = (counted[name].to_numpy() for name in ("wins", "losses", "paired"))
    if shares:
        ends = [stats.paired_share_interval(*counts) for counts in zip(wins, losses, paired, strict=True)]
        low, high = np.array(ends, np.float64).reshape(-1, 2).T
        p = stats.sign_test(wins, losses)
    else:
        low, high = stats.bootstrap_intervals(samples, seed)
        p = stats.permutation_tests(samples, seed)
    tested = pl.DataFrame({"low": low, "high": high, "p": p})
    found = pl.concat([counted, tested], how="horizontal")
    return found.with_columns(pl.when(pl.col("paired") > 0).then(pl.col(tested.columns)))


def _count_case(case: _Case, sample: Values) -> _Counts:
    paired = len(sample)
    both = ~np.isnan(case.first + case.second)
    wins, losses = int((sample > stats.TIE).sum()), int((sample < -stats.TIE).sum())
    return {
        "n_first": int((~np.isnan(case.first)).sum()),
        "n_second": int((~np.isnan(case.second)).sum()),
        "paired": paired,
        "mean_first": float(case.first[both].mean()) if paired else None,
        "mean_second": float(case.second[both].mean()) if paired else None,
        "difference": float(sample.mean()) if paired else None,
        "wins": wins,
        "losses": losses,
        "ties": paired - wins - losses,
        "deviation": stats.deviation(sample),
    }


def _plan_cases(measured: pl.DataFrame, shares: bool) -> pl.DataFrame:
    """With p_holm, detectable and needed: all for the level that a test has among so many."""
    tested = measured.filter(pl.col("p").is_not_null())
    alpha = stats.ALPHA / max(tested.height, 1)
    wins, losses, n, difference = (measured[name].to_numpy() for name in ("wins", "losses", "paired", "difference"))
    if shares:
        needed = stats.needed_for_share(difference, (wins + losses) / np.maximum(n, 1), alpha)
        # As the interval has it: one more each way, so that none seen is not none at all.
        detectable = stats.detectable_share(n, (wins + losses + 2) / (n + 2), alpha)
    else:
        deviation = measured["deviation"].to_numpy()
        needed = stats.needed_for_mean(difference, deviation, alpha)
        detectable = stats.detectable_mean(n, deviation, alpha)
    corrected = iter(stats.holm(tested["p"].to_list()))
    p_holm = [None if p is None else next(corrected) for p in measured["p"]]
    more = pl.Series("needed", np.ceil(needed), nan_to_null=True).clip(upper_bound=_MOST_NEEDED) - measured["paired"]
    return measured.drop("deviation").with_columns(
        pl.Series("p_holm", p_holm, pl.Float64),
        pl.Series("detectable", detectable, nan_to_null=True),
        # A difference that chance would have hidden today may need no more questions on paper; it needs at least one.
        pl.when(pl.Series(p_holm, dtype=pl.Float64) >= stats.ALPHA).then(more.cast(pl.Int64).clip(1)).alias("needed"),
    )


def _word_cases(tested: pl.DataFrame, metric: str, names: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """With metric, names, decision and sentence: all columns of SCHEMA."""
    named = tested.with_columns(
        pl.lit(metric).alias(METRIC),
        pl.Series(FIRST, [first for first, _ in names], pl.String),
        pl.Series(SECOND, [second for _, second in names], pl.String),
    )
    decisions = [
        stats.decide(row["difference"], row["p_holm"], row["detectable"]) for row in typed_rows(named, PairFigures)
    ]
    words = map(sentence, typed_rows(named, PairFigures), decisions)
    return named.with_columns(
        pl.Series("decision", [each.value for each in decisions], pl.String),
        pl.Series("sentence", list(words), pl.String),
    ).select(*SCHEMA)
