"""Shares of right answers and differences of pipelines, each with its interval: the two functions that every figure on
outcomes is made by (docs/decision.md).

Everything is paired by question; repeats of a question count as their mean. Where labels drawn at random are enough,
they correct shares and differences alike; where a figure rests on words alone, it carries the error that words had on
families of texts that they were not fitted on (`share_estimates`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import ceil
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from qaviz import stats
from qaviz.analysis import outcomes as o
from qaviz.analysis.comparison import FIRST, SCHEMA, SECOND, Basis, add_sentences
from qaviz.analysis.share_estimates import estimate_shares, read_error, widen_ends
from qaviz.model import columns as c
from qaviz.stats import Compared
from qaviz.stats.corrected_shares import Difference, combine_shares, estimate_difference, estimate_share

FEWEST_LABELS, FEWEST_OF_RUN = 20, 30
"""Labels of a pipeline from which they alone correct its share, and of a run from which they correct the shares of all
pipelines that have some: intervals are measured from here on (benchmarks.truth, benchmarks.pooled_shares)."""
BEYOND_WORDS = 1.5
"""Multiple of the largest error that differences by words had on any family: a family more would pass the largest of
the few that were measured one time in seven. Only a difference beyond it is surer than low without labels."""
SPARE = 1
"""Questions more that the leader by words might have lost without being better by chance: a verdict may err. Of 127
differences by words 119 stay, of which people confirm 112 (115 of 127 without it; `benchmarks.decisions`)."""
_CHUNK = 8_000_000
"""Differences that are in memory at a time, some 64 MB."""
_MOST_NEEDED = 10**9
_Row = dict[str, Any]
"""The fields of a `ComparedRow`, as far as they are known."""
_OF_POWER = stats.TWO_SIDED + NormalDist().inv_cdf(stats.POWER)
"""Standard errors that a difference has to measure for a chance of POWER that its interval excludes 0."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A row of `estimate`: one pipeline over the questions asked, in slots: questions times repeats."""

    pipeline: str
    right: int
    of: int
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
    the low end and as right at the high one; by words alone with their error."""
    high: float
    labelled: int
    """Labels drawn at random."""
    corrected_by_labels: bool
    method: str
    """How the interval was made: a `Method`."""
    cost: float | None
    """With `latency_ms`: the mean of a response; None where it is known of fewer than 80 %."""
    latency_ms: float | None
    cost_known: int
    """With `latency_known`: of how many responses, of `responses`, it is known."""
    latency_known: int
    responses: int


class Method(StrEnum):
    """How a share was made, in words for pages; of its own labels `stats.corrected_shares.Method` says it."""

    POOLED = "all verdicts, corrected by people's labels of all pipelines (partial pooling)"
    WORDS = "qaviz's verdicts alone, widened by their error on texts that they never saw"
    NOT_ASKED = "no question asked"


class Share(NamedTuple):
    """A pipeline's share of right answers with its interval."""

    value: float
    low: float
    high: float
    corrected: bool
    """Whether labels correct it."""
    method: str
    own: bool = False
    """Whether its own labels do."""


def estimate(outcomes: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """Columns of Estimate, one row a pipeline, in their order: its share of right answers and what it is made of.

    `outcomes` are those of a group: of a run, of one scope of it, of two runs side by side. What labels of other
    pipelines say is taken from all of its rows, so that a share does not depend on which pipelines are asked for.
    """
    scores = o.score_questions(outcomes, pipelines, ())
    shares = estimate_right(scores, outcomes)
    schema = dict.fromkeys(("share", "low", "high"), pl.Float64) | {"corrected_by_labels": pl.Boolean}
    estimates = pl.DataFrame(
        [shares[name][:5] for name in pipelines], schema=schema | {"method": pl.String}, orient="row"
    )
    return _count_slots(outcomes, pipelines).hstack(estimates).select(*Estimate.__annotations__)


def _count_slots(outcomes: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    there, efforts = ~pl.col(o.MISSING), {c.COST: "cost_known", c.LATENCY_MS: "latency_known"}
    counts = {
        "right": pl.col(o.RIGHT) == 1,
        "unsure": o.IS_OPEN,
        "missing": pl.col(o.MISSING),
        "empty": pl.col(o.EMPTY),
        "declined_rightly": pl.col(o.STATE) == o.State.DECLINED.value,
        "judged": (pl.col(o.ANSWERED) == 1) & ~o.IS_OPEN,
        "labelled": pl.col(o.LABELLED).is_not_null(),
        "responses": there,
        **{count: pl.col(name).is_not_null() for name, count in efforts.items()},
    }
    absent = [pl.lit(None, pl.Float64).alias(name) for name in efforts if name not in outcomes.columns]
    most_have = {name: pl.col(name).count() >= 0.8 * there.sum() for name in efforts}
    of_pipeline = outcomes.with_columns(absent).group_by(c.PIPELINE)
    table = of_pipeline.agg(
        pl.len().cast(pl.Int64).alias("of"),
        *(counted.sum().cast(pl.Int64).alias(name) for name, counted in counts.items()),
        *(pl.when(enough).then(pl.col(name).mean()).alias(name) for name, enough in most_have.items()),
    )
    filled = c.join_pipelines(pipelines, table).with_columns(pl.col("of", *counts).fill_null(0))
    return filled.with_columns(pl.col("judged") > 0)


def estimate_right(scores: o.QuestionScores, outcomes: pl.DataFrame) -> dict[str, Share]:
    """The share of each pipeline of the scores. By its own labels where they are enough, else by those of all where
    they are; else as counted, with an interval that holds what words may be off by."""
    shares = {name: _estimate_own(scores, name) for name in scores.pipelines}
    if all(share.own for share in shares.values()):
        return shares
    unlabelled = outcomes.with_columns(pl.lit(None).alias(o.LABELLED))
    estimates, without = estimate_shares(outcomes), estimate_shares(unlabelled)
    by_words = pl.col(o.PREDICTED).is_not_null() & pl.col(c.LABEL).is_null()
    counted = outcomes.group_by(c.PIPELINE).agg(pl.col(o.LABELLED).count(), by_words.mean().alias("by_words"))
    labelled = {str(name): int(number) for name, number, _ in counted.iter_rows()}
    error = {str(name): part * read_error("share").half for name, _, part in counted.iter_rows()}
    enough = sum(labelled.values()) >= FEWEST_OF_RUN
    for name, own in shares.items():
        if own.own or name not in estimates:
            continue
        if enough and labelled.get(name):
            shares[name] = Share(*estimates[name], corrected=True, method=Method.POOLED)
            continue
        by_error = widen_ends(own.low, own.high, error[name], len(scores.question_ids))
        # What others' labels say moves no end inwards: nobody drew a response of this one.
        ends = [by_error, estimates[name][1:], without[name][1:]]
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        shares[name] = Share(own.value, max(0.0, low), min(1.0, high), corrected=False, method=Method.WORDS)
    return shares


def _estimate_own(scores: o.QuestionScores, pipeline: str) -> Share:
    """A pipeline's share over the questions that it was asked, by its own labels where they are enough."""
    was_asked = ~np.isnan(scores.of(c.VERDICT, pipeline))
    if not was_asked.any():
        return Share(0.0, 0.0, 1.0, corrected=False, method=Method.NOT_ASKED)
    counted, possible = scores.of(c.VERDICT, pipeline)[was_asked], scores.of(o.POSSIBLE, pipeline)[was_asked]
    low, high = stats.interval_of(counted)[0], stats.interval_of(possible)[1]
    labelled, texts = (int(scores.of(name, pipeline).sum()) for name in (o.LABELS, o.TEXTS))
    if not labelled or (labelled < FEWEST_LABELS and labelled != texts):
        return Share(float(counted.mean()), low, high, corrected=False, method=Method.WORDS)
    labels, predicted = scores.of(o.LABELLED, pipeline), scores.of(o.PREDICTED, pipeline)
    there, part = ~np.isnan(predicted), float(scores.of(o.ANSWERED, pipeline)[was_asked].mean())
    corrected = estimate_share(labels[there], predicted[there])
    # What is missing or empty is known to be not right.
    value, lowest, highest = (end * part for end in corrected[:3])
    if part < 1:  # How many are missing or empty is of these questions too: no narrower than what is counted.
        lowest, highest = min(lowest, low), max(highest, high)
    return Share(value, lowest, highest, corrected=True, method=corrected.method.value, own=True)


def compare(
    outcomes: pl.DataFrame,
    pairs: Sequence[tuple[str, str]],
    metrics: Sequence[str] = o.COMPARED,
    *,
    smallest: float | None = None,
) -> pl.DataFrame:
    """These pairs of pipelines by these metrics: one row a metric and pair, in their order. Columns of ComparedRow.

    Scores of 0 and 1 are tested by McNemar's exact test, others by swapping pipelines within questions. Where right
    answers are open, low, high and p hold however they turn out. Where labels correct a share of a pair, they correct
    means, difference, interval and p by right answers too. `smallest` is the smallest difference of right answers that
    matters: one that lies within it, interval and all, is `stats.Compared.LEVEL`.
    """
    scores = o.score_questions(outcomes, list(dict.fromkeys(name for pair in pairs for name in pair)), metrics)
    rows = list[_Row]()
    for metric in metrics:
        cases = [_make_case(scores, metric, *pair) for pair in pairs]
        counted = _test_cases(scores, metric, cases, pairs)
        if metric == c.VERDICT:
            _decide_right(counted, scores, estimate_right(scores, outcomes), smallest)
        rows += counted
    return add_sentences(rows)


def compare_all(outcomes: pl.DataFrame, pipelines: Sequence[str], smallest: float | None = None) -> pl.DataFrame:
    """`compare` of every two of the pipelines, in their order."""
    return compare(outcomes, list(combinations(pipelines, 2)), smallest=smallest)


def _decide_right(
    rows: Sequence[_Row], scores: o.QuestionScores, shares: Mapping[str, Share], smallest: float | None
) -> None:
    """Decide rows of right answers, as they are counted, by what they rest on."""
    sampled = [(row["low"], row["high"]) for row in rows]
    for row in rows:
        if row["paired"]:
            row |= _rest_on(scores, shares, row)
    _correct(rows)
    most = BEYOND_WORDS * read_error("difference").most
    for row, (low, high) in zip(rows, sampled, strict=True):
        level = (low, high) if row["basis"] == Basis.WORDS else (row["low"], row["high"])
        is_level = smallest is not None and None not in level and -smallest < level[0] <= level[1] < smallest
        word = stats.name_comparison(row["difference"], row["p_holm"], row["detectable"], is_open=row["open"])
        row["decision"] = (Compared.LEVEL if is_level or row["basis"] == Basis.SAME else word).value
        if row["decision"] in (Compared.BETTER, Compared.WORSE):
            beyond = low is not None and high is not None and (low > most or high < -most)
            by_words = "medium" if beyond and row["difference"] * (low + high) > 0 else "low"
            row |= {"confidence": "high" if row["basis"] == Basis.LABELS else by_words, "needed": None}


def _rest_on(scores: o.QuestionScores, shares: Mapping[str, Share], row: _Row) -> _Row:
    """What changes of a row as it is counted: by what it rests on."""
    names = row[FIRST], row[SECOND]
    first, second = (shares[name] for name in names)
    right = [scores.of(c.VERDICT, name) for name in names]
    both_asked = ~np.isnan(right[0] + right[1])
    texts = [scores.of(o.TEXT, name)[both_asked] for name in names]
    if np.array_equal(texts[0], texts[1], equal_nan=True) and not np.isnan(texts[0]).all():
        return {"basis": Basis.SAME.value, "difference": 0.0, "p": 1.0, "open": False, "needed": None}
    labels_needed = _count_labels(row, (right[0] - right[1])[both_asked])
    if not (first.corrected or second.corrected):
        error = min(read_error("difference").half, float(np.mean(texts[0] != texts[1])))
        ends = {"low": max(-1.0, row["low"] - error), "high": min(1.0, row["high"] + error)}
        return {"basis": Basis.WORDS.value, "error": error, "labels_needed": labels_needed, **ends}
    both, difference = first.own and second.own, combine_shares(first[:3], second[:3])
    if both and all((scores.of(o.ANSWERED, name)[both_asked] == 1).all() for name in names):
        sides = (scores.of(column, name)[both_asked] for name in names for column in (o.LABELLED, o.PREDICTED))
        paired = estimate_difference(*sides)
        # Never another value than the two shares have.
        if paired and abs(paired.value - difference.value) < stats.TIE:
            difference = paired._replace(value=difference.value)
    detectable = min(1.0, (difference.high - difference.low) / 2 * _OF_POWER / stats.TWO_SIDED)
    few = {"needed": None, "labels_needed": labels_needed}
    return {
        "basis": (Basis.LABELS if both else Basis.SOME_LABELS).value,
        "mean_first": first.value,
        "mean_second": second.value,
        "difference": difference.value,
        "low": difference.low,
        "high": difference.high,
        "p": difference.p,
        "open": False,
        "detectable": detectable,
        **(_count_more(scores, names, difference, detectable) if both else few),
    }


def _count_more(scores: o.QuestionScores, names: Sequence[str], difference: Difference, detectable: float) -> _Row:
    """What would show a difference by labels of both, as its interval falls with the root of their number: labels a
    side where responses are left to be labelled, else questions."""
    texts, labels = (min(int(scores.of(kind, name).sum()) for name in names) for kind in (o.TEXTS, o.LABELS))
    if not difference.value or difference.p < stats.ALPHA:
        return {"needed": None, "labels_needed": None}
    times = (detectable / difference.value) ** 2
    if labels < texts:
        most = ceil(labels * times)
        return {"needed": None, "labels_needed": most if most <= texts else None}
    return {"needed": min(ceil(texts * times), _MOST_NEEDED) - texts, "labels_needed": None}


def _count_labels(row: _Row, differences: o.Values) -> int | None:
    """Labels a side that would show the difference as it stands with POWER: the variance of verdicts about labels, as
    many wrong as USUALLY_WRONG, falls with them; that of the questions does not."""
    gap, spread = abs(row["difference"] or 0.0), stats.deviation(differences)
    if not gap or spread is None:
        return None
    room = (gap / _OF_POWER) ** 2 - spread**2 / row["paired"]
    if room <= 0:
        return None
    labels = max(FEWEST_LABELS, int(np.ceil(2 * o.USUALLY_WRONG * (1 - o.USUALLY_WRONG) / room)))
    return labels if labels <= row["paired"] else None


class _Case(NamedTuple):
    """Two pipelines on some questions: what is counted, and what they may come to at best."""

    first: o.Values
    second: o.Values
    best_first: o.Values
    best_second: o.Values


def _make_case(scores: o.QuestionScores, metric: str, first: str, second: str) -> _Case:
    best = o.POSSIBLE if metric == c.VERDICT else metric
    return _Case(scores.of(metric, first), scores.of(metric, second), scores.of(best, first), scores.of(best, second))


class _Test(NamedTuple):
    """How cases of a metric are tested."""

    shares: bool
    """Whether every score is 0 or 1: then means are shares, and McNemar's test is exact."""
    spare: int


def compare_categories(
    scores: o.QuestionScores, metric: str, pair: tuple[str, str], of_question: pl.Series
) -> pl.DataFrame:
    """Two pipelines by one metric, category by category, the category with most questions first; counts alone.

    `of_question` has the category of each question of the scores, null where it has none: left out. The columns of
    `compare` after CATEGORY; p_holm is corrected over the categories.
    """
    named = of_question.rename(c.CATEGORY).drop_nulls()
    sizes = named.value_counts(sort=True, name="questions").sort("questions", c.CATEGORY, descending=[True, False])
    categories, where = sizes[c.CATEGORY].to_list(), of_question.to_numpy()
    every = _make_case(scores, metric, *pair)
    cases = [_Case(*(side[where == category] for side in every)) for category in categories]
    rows = _test_cases(scores, metric, cases, [pair] * len(cases))
    return add_sentences(rows).select(pl.Series(c.CATEGORY, categories, pl.String), pl.all())


def deciding(scores: o.QuestionScores, metric: str, first: str, second: str) -> pl.DataFrame:
    """The questions on which two pipelines differ, the widest first: QUESTION_ID, first, second, difference."""
    frame = pl.DataFrame(
        {c.QUESTION_ID: scores.question_ids, FIRST: scores.of(metric, first), SECOND: scores.of(metric, second)}
    ).with_columns(difference=pl.col(FIRST) - pl.col(SECOND))
    apart = frame.filter(pl.col("difference").is_not_nan() & (pl.col("difference").abs() > stats.TIE))
    return apart.sort(pl.col("difference").abs(), descending=True, maintain_order=True)


def _test_cases(
    scores: o.QuestionScores, metric: str, cases: Sequence[_Case], pairs: Sequence[tuple[str, str]]
) -> list[_Row]:
    """A row a case, decided by counts; p_holm, detectable and needed are for the level that a test has among them."""
    tables = [scores.values[name] for name in ((metric, o.POSSIBLE) if metric == c.VERDICT else (metric,))]
    are_shares = all(bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all()) for values in tables)
    test = _Test(are_shares, SPARE if metric == c.VERDICT else 0)
    step = max(1, _CHUNK // max((len(case.first) for case in cases), default=1))
    rows = [row for start in range(0, len(cases), step) for row in _bound_cases(cases[start : start + step], test)]
    alpha = stats.ALPHA / max(sum(row["p"] is not None for row in rows), 1)
    _correct(rows)
    for row, pair, (detectable, needed) in zip(rows, pairs, _plan_cases(rows, test, alpha), strict=True):
        row |= {"metric": metric, FIRST: pair[0], SECOND: pair[1], "basis": Basis.SCORES.value}
        row["open"] = row.get("p_open", 1.0) < alpha
        row["detectable"] = None if np.isnan(detectable) else detectable
        # A difference that chance would have hidden may need no more questions on paper; it needs at least one.
        settled = np.isnan(needed) or row["p_holm"] is None or row["p_holm"] < stats.ALPHA
        row["needed"] = None if settled else max(1, int(min(np.ceil(needed), _MOST_NEEDED)) - row["paired"])
        word = stats.name_comparison(row["difference"], row["p_holm"], row["detectable"], is_open=row["open"])
        row["decision"] = word.value
    return rows


def _bound_cases(cases: Sequence[_Case], test: _Test) -> list[_Row]:
    """The cases as they are counted, with an interval and a p-value that hold however open responses turn out."""
    rows = _measure_cases(cases, test)
    places = [
        place
        for place, case in enumerate(cases)
        if (case.first < case.best_first).any() or (case.second < case.best_second).any()
    ]
    if not places:
        return rows
    least_cases = [cases[place]._replace(second=cases[place].best_second) for place in places]
    most_cases = [cases[place]._replace(first=cases[place].best_first) for place in places]
    turned = zip(_measure_cases(least_cases, test), _measure_cases(most_cases, test), strict=True)
    for place, (least, most) in zip(places, turned, strict=True):
        low, high = least["difference"] or 0.0, most["difference"] or 0.0
        p = least["p"] if low > 0 else most["p"] if high < 0 else 1.0
        # The chance that either would be ahead beyond chance if all open ones went its way.
        p_open = min([1.0, *([most["p"]] if high > 0 else []), *([least["p"]] if low < 0 else [])])
        rows[place] |= {"low": least["low"], "high": most["high"], "p": p, "p_open": p_open}
    return rows


def _measure_cases(cases: Sequence[_Case], test: _Test) -> list[_Row]:
    differences = [case.first - case.second for case in cases]
    samples = [of_case[~np.isnan(of_case)] for of_case in differences]
    rows = [_count_case(case, sample) for case, sample in zip(cases, samples, strict=True)]
    if test.shares:
        wins, losses = (np.array([row[name] for row in rows], np.int64) for name in ("wins", "losses"))
        ends = [stats.paired_share_interval(row["wins"], row["losses"], row["paired"]) for row in rows]
        p = stats.sign_test(np.maximum(wins, losses), np.minimum(wins, losses) + test.spare)
    else:
        ends = list(zip(*map(np.ndarray.tolist, stats.bootstrap_intervals(samples, o.SEED)), strict=True))
        p = stats.permutation_tests(samples, o.SEED)
    for row, (low, high), value in zip(rows, ends, p.tolist(), strict=True):
        if row["paired"]:
            row |= {"low": low, "high": high, "p": value}
    return rows


def _count_case(case: _Case, sample: o.Values) -> _Row:
    paired = len(sample)
    both = ~np.isnan(case.first + case.second)
    means = zip(("mean_first", "mean_second", "most_first", "most_second"), case, strict=True)
    wins, losses = int((sample > stats.TIE).sum()), int((sample < -stats.TIE).sum())
    return dict.fromkeys(SCHEMA) | {
        "n_first": int((~np.isnan(case.first)).sum()),
        "n_second": int((~np.isnan(case.second)).sum()),
        "paired": paired,
        **{name: float(side[both].mean()) if paired else None for name, side in means},
        "difference": float(sample.mean()) if paired else None,
        "wins": wins,
        "losses": losses,
        "ties": paired - wins - losses,
        "deviation": stats.deviation(sample),
    }


def _correct(rows: Sequence[_Row]) -> None:
    """Set p_holm, corrected by Holm's method."""
    tested = [row for row in rows if row["p"] is not None]
    for row, p_holm in zip(tested, stats.holm([row["p"] for row in tested]), strict=True):
        row["p_holm"] = p_holm


def _plan_cases(rows: Sequence[_Row], test: _Test, alpha: float) -> list[list[float]]:
    """The smallest difference that each would probably have found, the questions that would settle it; nan for none."""
    names = ("wins", "losses", "paired", "difference", "deviation")
    wins, losses, n, difference, deviation = (np.array([row[name] for row in rows], np.float64) for name in names)
    if test.shares:
        gap = np.abs(difference)
        # The spare question, and one more that makes up for it.
        spare = np.divide(2 * test.spare, gap, out=np.zeros_like(gap), where=gap > 0)
        needed = stats.needed_for_share(difference, (wins + losses) / np.maximum(n, 1), alpha) + spare
        # As the interval has it: one more each way, so that none seen is not none at all.
        detectable = stats.detectable_share(n, (wins + losses + 2) / (n + 2), alpha) + test.spare / np.maximum(n, 1)
    else:
        needed = stats.needed_for_mean(difference, deviation, alpha)
        detectable = stats.detectable_mean(n, deviation, alpha)
    plans: list[list[float]] = np.stack([detectable, needed], axis=1).tolist()
    return plans
