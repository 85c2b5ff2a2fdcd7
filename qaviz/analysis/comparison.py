"""Pipelines against each other, pair by pair: who is better, by how much, whether that is known, and in
a sentence.

Everything is paired by question: two pipelines are compared on the questions that are scored for both. Responses that
repeat a question count as their mean, so a question weighs the same however often it was asked.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypedDict, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import MISSING, count, out_of, p_value, percent, plural, score
from qaviz.model import columns as c
from qaviz.model.metrics import METRICS
from qaviz.stats import Decision

MANY_MORE = 10_000
"""Most further questions that a sentence asks for; more would be too many to write."""

MATRIX_LEGEND = (
    "Each cell: row minus column on shared questions; shares in percentage points. "
    "Bar: 95% interval; centre line: no difference. "
    "Better and worse: statistically significant after correction for all pairs."
)

_SHARES = {c.FACTUAL_KNOWLEDGE: "facts stated", c.VERDICT: "questions answered correctly"}
"""Metrics that people read as a count: what is counted."""


def metric_label(metric: str) -> str:
    """What people see of a metric of `comparison.COMPARED`: `Right answers`, `Facts stated`, `Closeness`."""
    if metric == c.VERDICT:
        return "Right answers"
    return "Facts stated" if metric == c.FACTUAL_KNOWLEDGE else METRICS[metric].label


def metric_help(metric: str) -> str:
    """What a metric of `comparison.COMPARED` means, from the glossary or the catalogue of scores."""
    return explain(metric_label(metric).lower()) if metric in _SHARES else METRICS[metric].help


def amount(metric: str, value: float | None) -> str:
    """A difference of scores as it is written: `12.5 points` of a hundred for shares, `0.12` for other scores.

    One that is not quite none never reads so: `<0.1 points`, `<0.01`; `–` where it is missing.
    """
    if value is None:
        return MISSING
    size = abs(value)
    if metric in _SHARES:
        return "<0.1 points" if 0 < size < 0.0005 else f"{100 * size:.1f} points"
    return "<0.01" if 0 < size < 0.005 else score(size)


def level(metric: str, value: float | None) -> str:
    """A mean as it is written: `80%` for shares, `0.80` for other scores; `–` where it is missing."""
    return percent(value) if metric in _SHARES else score(value)


def single(metric: str, value: float) -> str:
    """The score of one question: of shares `1` and `0`, and `33%` where repeats differ; `0.80` for other scores."""
    return f"{value:g}" if metric in _SHARES and value in (0, 1) else level(metric, value)


def format_signed(metric: str, value: float | None) -> str:
    """A difference with its sign, shares in points of a hundred: `+12.0`, `−0.05`; `–` where it is missing."""
    if value is None:
        return MISSING
    figure = f"{100 * abs(value):.1f}" if metric in _SHARES else score(abs(value))
    return figure if not figure.strip("0.") else f"{'+' if value > 0 else '−'}{figure}"


def category_warning(categories: int) -> str:
    """What to keep in mind when as many slices are looked at."""
    return (
        f"With {plural(categories, 'category', 'categories')}, one may differ by luck. "
        "Better and worse are corrected for the number of categories. Treat other gaps as hints, not as findings."
    )


class PairFigures(TypedDict):
    """What `comparison.compare` finds of two pipelines by one metric, in figures.

    Without a paired question no mean and nothing after them is known, but for the counts, which are 0.
    """

    metric: str
    first: str
    second: str
    n_first: int
    """Questions scored for the first pipeline."""
    n_second: int
    paired: int
    """Questions scored for both."""
    mean_first: float | None
    """Over the paired questions."""
    mean_second: float | None
    difference: float | None
    low: float | None
    """With `high`: the 95 % interval of the difference."""
    high: float | None
    wins: int
    """Questions on which the first scores higher."""
    losses: int
    ties: int
    p: float | None
    p_holm: float | None
    """Corrected over the pairs of the metric."""
    detectable: float | None
    """The smallest difference that would probably have been found."""
    needed: int | None
    """More questions to settle the difference as it stands; None where it is settled or none would do."""


def sentence(row: PairFigures, decision: Decision) -> str:
    """The sentence for one row of a comparison that came to this decision."""
    first, second, mean, other = row["first"], row["second"], row["mean_first"], row["mean_second"]
    if not row["paired"] or mean is None or other is None:
        return f"{first} and {second} share no scored question, so they cannot be compared."
    figures = _figures(row["metric"], mean, other, row["paired"])
    match decision:
        case Decision.BETTER:
            return f"{first} is better than {second}: {figures}. Unlikely to be chance ({p_value(row['p_holm'])})."
        case Decision.WORSE:
            return f"{first} is worse than {second}: {figures}. Unlikely to be chance ({p_value(row['p_holm'])})."
        case Decision.NO_CLEAR_DIFFERENCE:
            seen = amount(row["metric"], row["detectable"])
            return (
                f"No clear difference between {first} and {second}: {figures}. "
                f"The test would probably have found a gap of {seen} or more."
            )
        case Decision.TOO_FEW_QUESTIONS:
            return f"Too few questions to tell {first} from {second}: {figures}{_chance(row)}"
        case Decision.OPEN:
            return f"Open responses decide between {first} and {second}: {figures}, unsure ones not counted."


def _chance(row: PairFigures) -> str:
    """The end of a sentence: that a difference may be chance, and how many more questions may decide it."""
    if not row["difference"]:
        return "."
    if row["needed"] is None or row["needed"] > MANY_MORE:
        return ", which may be chance."
    return f", which may be chance. {may_decide(row['needed'])}"


def may_decide(needed: int) -> str:
    """`About 1,300 more questions of this kind may decide it.`"""
    return f"About {plural(rounded_up(needed), 'more question')} of this kind may decide it."


def rounded_up(number: int) -> int:
    """The number with two digits that mean something, never less than it is: 1,234 becomes 1,300."""
    step: int = 10 ** max(0, len(str(number)) - 2)
    return -(-number // step) * step


def _figures(metric: str, first: float, second: float, n: int) -> str:
    """`8 of 10 facts stated against 4`, `closeness 0.82 against 0.71 over 10 questions`: two means of n questions."""
    if metric not in _SHARES:
        label = METRICS[metric].label
        name = label if label.isupper() or label[-1].isdigit() else label.lower()
        return f"{name} {score(first)} against {score(second)} over {plural(n, 'question')}"
    hits = [first * n, second * n]
    if all(abs(hit - round(hit)) < 1e-6 for hit in hits):
        return f"{out_of(round(hits[0]), n)} {_SHARES[metric]} against {count(round(hits[1]))}"
    return f"{percent(first)} of {_SHARES[metric]} against {percent(second)} over {plural(n, 'question')}"


SEED = 20230630
"""Of the resamples, unless another one is given: the same rows give the same figures."""

COMPARED = (c.VERDICT, c.FACTUAL_KNOWLEDGE, c.RECALL, c.PRECISION, c.F1)
"""What pipelines are compared by, the measure that decides first. VERDICT stands for right answers, as
`right_answers.score_questions` counts them."""

POSSIBLE: Final = "possible"
"""Beside VERDICT: right answers if all open ones were right."""

METRIC: Final = "metric"
FIRST: Final = "first"
SECOND: Final = "second"


class ComparedRow(PairFigures):
    """A row of `compare`: one metric and pair of pipelines."""

    open: bool
    """Whether settling open responses could make one of the two better."""
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
    """Two pipelines on some questions: what is counted, and what they may come to at best."""

    first: Values
    second: Values
    best_first: Values
    best_second: Values

    @property
    def has_open(self) -> bool:
        """Whether anything of them is open."""
        pairs = ((self.first, self.best_first), (self.second, self.best_second))
        return any(counted is not best and bool((counted < best).any()) for counted, best in pairs)

    def least(self) -> "_Case":
        """The case least favourable to the first."""
        return _Case(self.first, self.best_second, self.first, self.best_second)

    def most(self) -> "_Case":
        """The case most favourable to the first."""
        return _Case(self.best_first, self.second, self.best_first, self.second)

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


def question_scores(
    rows: pl.DataFrame,
    pipelines: Sequence[str],
    metrics: Sequence[str],
    questions: pl.Series | None = None,
    summed: Collection[str] = (),
) -> QuestionScores:
    """The scores of these pipelines by question, in the order of the rows or of these `questions`.

    Repeats of a question are averaged, nan where none is scored; those `summed` are added up, 0 where there is none.
    """
    names = rows[c.QUESTION_ID].unique(maintain_order=True) if questions is None else questions.rename(c.QUESTION_ID)
    places = names.to_frame().with_row_index("question_place")
    columns = pl.DataFrame({c.PIPELINE: list(pipelines)}, schema={c.PIPELINE: pl.String}).with_row_index(
        "pipeline_place"
    )
    placed = rows.select(c.QUESTION_ID, c.PIPELINE)  # without the scores, which the joins would copy
    for of_names in (places, columns):
        placed = placed.join(of_names, on=of_names.columns[1], how="left", maintain_order="left")
    cells = placed.select(pl.col("question_place").cast(pl.Int64) * len(pipelines) + pl.col("pipeline_place"))
    inside = cells.to_series().is_not_null()
    if not inside.all():
        rows, cells = rows.filter(inside), cells.filter(inside)
    at, shape = cells.to_series().to_numpy(), (len(names), len(pipelines))
    values = {
        metric: _reduce(at, rows[metric].cast(pl.Float64).to_numpy(), shape, mean=metric not in summed)
        for metric in metrics
    }
    return QuestionScores(question_ids=names, pipelines=tuple(pipelines), values=values)


def _reduce(places: NDArray[np.int64], scores: Values, shape: tuple[int, int], *, mean: bool) -> Values:
    known = ~np.isnan(scores)
    cells = shape[0] * shape[1]
    sums = np.bincount(places[known], weights=scores[known], minlength=cells)
    if not mean:
        return np.asarray(sums, np.float64).reshape(shape)
    counts = np.bincount(places[known], minlength=cells)
    return np.divide(sums, counts, out=np.full(cells, np.nan), where=counts > 0).reshape(shape)


def compare_scores(
    scores: QuestionScores, pairs: Sequence[tuple[str, str]], metrics: Sequence[str] = COMPARED, *, seed: int = SEED
) -> pl.DataFrame:
    """These pairs of pipelines by these metrics: one row a metric and pair, in their order. Columns of ComparedRow.

    Scores of 0 and 1 are tested by McNemar's exact test, others by swapping pipelines within questions. Where right
    answers are open (POSSIBLE), low, high and p hold however they turn out (docs/decision.md).
    """
    return pl.concat(word_cases(compare_metric(scores, metric, pairs, seed=seed), metric, pairs) for metric in metrics)


def compare_metric(
    scores: QuestionScores, metric: str, pairs: Sequence[tuple[str, str]], *, seed: int = SEED
) -> pl.DataFrame:
    """What `compare_scores` finds of these pairs by one metric, in figures alone: a row a pair."""
    cases = [_make_case(scores, metric, first, second) for first, second in pairs]
    return _test_cases(cases, _are_shares(scores, metric), seed)


def _make_case(scores: QuestionScores, metric: str, first: str, second: str) -> _Case:
    best = _possible_metric(scores, metric)
    return _Case(scores.of(metric, first), scores.of(metric, second), scores.of(best, first), scores.of(best, second))


def _possible_metric(scores: QuestionScores, metric: str) -> str:
    return POSSIBLE if metric == c.VERDICT and POSSIBLE in scores.values else metric


def compare_categories(
    scores: QuestionScores, metric: str, pair: tuple[str, str], of_question: pl.Series
) -> pl.DataFrame:
    """Two pipelines by one metric, category by category, the category with most questions first.

    `of_question` has the category of each question of the scores, null where it has none: left out. The columns of
    `compare_scores` after CATEGORY; p_holm is corrected over the categories.
    """
    known = of_question.rename(c.CATEGORY).drop_nulls()
    sizes = known.value_counts(sort=True, name="questions").sort("questions", c.CATEGORY, descending=[True, False])
    categories, where = sizes[c.CATEGORY].to_list(), of_question.to_numpy()
    whole = _make_case(scores, metric, *pair)
    cases = [_Case(*(side[where == category] for side in whole)) for category in categories]
    tested = word_cases(_test_cases(cases, _are_shares(scores, metric), SEED), metric, [pair] * len(cases))
    return tested.select(pl.Series(c.CATEGORY, categories, pl.String), pl.all())


_SIDES = ((FIRST, SECOND), ("n_first", "n_second"), ("mean_first", "mean_second"), ("wins", "losses"), ("low", "high"))
_OPPOSITE = {stats.Decision.BETTER: stats.Decision.WORSE, stats.Decision.WORSE: stats.Decision.BETTER}


def seen_from(row: ComparedRow, pipeline: str) -> ComparedRow:
    """A row of `compare` with this one of its two pipelines as the first."""
    if row[FIRST] == pipeline:
        return row
    decision = stats.Decision(row["decision"])
    decision = _OPPOSITE.get(decision, decision)
    fields: dict[str, Any] = dict(row)
    turned = fields | {name: fields[other] for pair in _SIDES for name, other in (pair, pair[::-1])}
    for name in ("difference", "low", "high"):
        turned[name] = None if turned[name] is None else -turned[name]
    seen = cast(ComparedRow, turned | {"decision": decision.value})
    return {**seen, "sentence": sentence(seen, decision)}


def deciding(scores: QuestionScores, metric: str, first: str, second: str) -> pl.DataFrame:
    """The questions on which two pipelines differ, the widest differences first.

    QUESTION_ID; first and second, their scores; difference.
    """
    frame = pl.DataFrame(
        {c.QUESTION_ID: scores.question_ids, FIRST: scores.of(metric, first), SECOND: scores.of(metric, second)}
    ).with_columns(difference=pl.col(FIRST) - pl.col(SECOND))
    apart = frame.filter(pl.col("difference").is_not_nan() & (pl.col("difference").abs() > stats.TIE))
    return apart.sort(pl.col("difference").abs(), descending=True, maintain_order=True)


def _are_shares(scores: QuestionScores, metric: str) -> bool:
    """Whether every score is 0 or 1: then means are shares, and McNemar's test is exact."""
    tables = (scores.values[name] for name in {metric, _possible_metric(scores, metric)})
    return all(bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all()) for values in tables)


def _test_cases(cases: Sequence[_Case], shares: bool, seed: int) -> pl.DataFrame:
    """What is known of each case, without names and words: columns of SCHEMA from `n_first` to `open`."""
    questions = max((len(case.first) for case in cases), default=0)
    step = max(1, _CHUNK // max(questions, 1))
    chunks = [cases[start : start + step] for start in range(0, len(cases), step)]
    measured = [_measure_bounds(chunk, shares, seed) for chunk in chunks]
    return _plan_cases(pl.concat([pl.DataFrame(schema=_BOUNDED), *measured]), shares)


def _measure_bounds(cases: Sequence[_Case], shares: bool, seed: int) -> pl.DataFrame:
    """The cases as they are counted, with an interval and a p-value that hold however open responses turn out."""
    counted = _measure_cases(cases, shares, seed).with_columns(
        pl.lit(False).alias("has_open"), pl.lit(1.0).alias("p_least"), pl.lit(1.0).alias("p_most")
    )
    places = [place for place, case in enumerate(cases) if case.has_open]
    if not places:
        return counted
    least, most = (
        _measure_cases([turn(cases[place]) for place in places], shares, seed) for turn in (_Case.least, _Case.most)
    )
    ahead, behind = least["difference"] > 0, most["difference"] < 0
    bounded = pl.DataFrame({"place": places}, schema={"place": pl.UInt32}).with_columns(
        least["low"],
        most["high"],
        least["p"].zip_with(ahead, most["p"].zip_with(behind, pl.repeat(1.0, len(places), eager=True))).alias("p"),
        pl.lit(True).alias("has_open"),
        # The chance that the first (the second) would be ahead beyond chance if all open ones went its way.
        most["p"].zip_with(most["difference"] > 0, pl.repeat(1.0, len(places), eager=True)).alias("p_most"),
        least["p"].zip_with(least["difference"] < 0, pl.repeat(1.0, len(places), eager=True)).alias("p_least"),
    )
    return counted.with_row_index("place").update(bounded, on="place", how="left").drop("place")


_COUNTS = ("n_first", "n_second", "paired", "mean_first", "mean_second", "difference", "wins", "losses", "ties")
_COUNTED = {name: SCHEMA[name] for name in _COUNTS} | {"deviation": pl.Float64()}
_BOUNDED = _COUNTED | {name: SCHEMA[name] for name in ("low", "high", "p")}
_BOUNDED |= {"has_open": pl.Boolean(), "p_least": pl.Float64(), "p_most": pl.Float64()}


def _measure_cases(cases: Sequence[_Case], shares: bool, seed: int) -> pl.DataFrame:
    samples = [case.differences() for case in cases]
    counted = pl.DataFrame(
        [_count_case(case, sample) for case, sample in zip(cases, samples, strict=True)],
        schema=_COUNTED,
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
    both = pl.concat([counted, tested], how="horizontal")
    return both.with_columns(pl.when(pl.col("paired") > 0).then(pl.col(tested.columns)))


def _count_case(case: _Case, sample: Values) -> dict[str, float | None]:
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
    could_win = pl.min_horizontal("p_least", "p_most") < alpha
    return (
        measured.drop("deviation")
        .with_columns((pl.col("has_open") & could_win).alias("open"))
        .with_columns(
            pl.Series("p_holm", p_holm, pl.Float64),
            pl.Series("detectable", detectable, nan_to_null=True),
            # A difference that chance would have hidden may need no more questions on paper; it needs at least one.
            pl.when(pl.Series(p_holm, dtype=pl.Float64) >= stats.ALPHA)
            .then(more.cast(pl.Int64).clip(1))
            .alias("needed"),
        )
        .drop("has_open", "p_least", "p_most")
    )


def word_cases(tested: pl.DataFrame, metric: str, names: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """With metric, names, decision and sentence: all columns of SCHEMA."""
    named = tested.with_columns(
        pl.lit(metric).alias(METRIC),
        pl.Series(FIRST, [first for first, _ in names], pl.String),
        pl.Series(SECOND, [second for _, second in names], pl.String),
    )
    decisions = [
        stats.decide(row["difference"], row["p_holm"], row["detectable"], is_open=row["open"])
        for row in c.typed_rows(named, ComparedRow)
    ]
    words = map(sentence, c.typed_rows(named, PairFigures), decisions)
    return named.with_columns(
        pl.Series("decision", [decision.value for decision in decisions], pl.String),
        pl.Series("sentence", list(words), pl.String),
    ).select(*SCHEMA)
