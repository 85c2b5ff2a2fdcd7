"""Acceptance criteria: what a pipeline has to reach before it ships, and whether it does: met, not met, or
not shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypedDict

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.certificate import Certificate, certify_run, word_certificate
from qaviz.analysis.comparison import POSSIBLE, question_scores
from qaviz.analysis.numbers import out_of, percent, plural
from qaviz.analysis.right_answers import ANSWERED, RIGHT, RightAnswersRow, is_open, right_answers
from qaviz.analysis.tables import NO_RESPONSE
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Measure, Verdict
from qaviz.model.records import Criterion
from qaviz.stats.certify import Promise


class CriterionRow(TypedDict):
    """A row of `evaluate`: one criterion and pipeline."""

    measure: str
    """A `Measure`."""
    scope: str
    """The questions it is about, in words."""
    bound: float
    pipeline: str
    scored: int
    """Questions without an open response, of how many `expected`."""
    expected: int
    value: float | None
    """Open responses count as 0, missing scores not at all; None where nothing is scored."""
    low: float | None
    """With `high`: between which the value for many questions like these lies at 95 %, however what is open turns out;
    None without a question."""
    high: float | None
    deviation: float | None
    """Of the questions' values where they are means; None for shares."""
    outcome: str
    """An `Outcome`."""
    at_worst: str
    """The outcome if all unsure responses failed, and `at_best`, if all of them passed."""
    at_best: str
    sentence: str


_EVERY = "all questions"

CRITICAL = "critical"
"""The tag of questions that have to be right."""

WHY = "why"

MOST_QUESTIONS = 10_000
"""More questions than this are too many to write for one decision: no number is given."""


class Outcome(StrEnum):
    """What is known of a criterion."""

    MET = "met"
    NOT_MET = "not met"
    NOT_SHOWN = "not shown with this many questions"


METRICS_OF = {
    Measure.FACTS_STATED: c.FACTUAL_KNOWLEDGE,
    Measure.CLOSENESS: c.RECALL,
    Measure.CONCISENESS: c.PRECISION,
    Measure.RETRIEVED: c.RETRIEVAL_HIT,
    Measure.RECIPROCAL_RANK: c.RECIPROCAL_RANK,
    Measure.NDCG: c.NDCG,
    Measure.CONTEXT_PRECISION: c.RETRIEVAL_PRECISION,
    Measure.CONTEXT_RECALL: c.RETRIEVAL_RECALL,
    Measure.CONTEXT_SUPPORT: c.CONTEXT_SUPPORT,
}
"""Measures that are means of scores; the others count diagnoses."""


def has_tag(tag: str) -> pl.Expr:
    """Whether a triplet has this tag, upper or lower case."""
    words = pl.col(c.TAGS).fill_null("").str.to_lowercase().str.split(";")
    return words.list.eval(pl.element().str.strip_chars()).list.contains(tag.strip().lower())


def in_scope(golden: pl.DataFrame, criterion: Criterion) -> pl.DataFrame:
    """The triplets that a criterion is about."""
    wanted = [pl.col(c.CATEGORY) == criterion.category] if criterion.category else []
    wanted += [has_tag(criterion.tag)] if criterion.tag else []
    return golden.filter(*wanted) if wanted else golden


Certificates = Mapping[float, Certificate]
"""By the share of the automatic verdicts that may be wrong: `find_certificates`."""


def find_certificates(criteria: Sequence[Criterion], rows: pl.DataFrame, labels: pl.DataFrame) -> Certificates:
    """What labels certify of a run by each criterion that asks for it; `rows` and `labels` as `certify_run` takes them.

    Each promise is asked for with 90 % probability.
    """
    bounds = {each.bound for each in criteria if each.measure is Measure.CERTIFIED and 0 < each.bound < 1}
    return {bound: certify_run(rows, labels, Promise(wrong=bound)) for bound in bounds}


def evaluate(
    settled: pl.DataFrame,
    golden: pl.DataFrame,
    pipelines: Sequence[str],
    criteria: Sequence[Criterion],
    certificates: Certificates = MappingProxyType({}),
) -> pl.DataFrame:
    """Columns of CriterionRow, one row a criterion and pipeline, in their order.

    `settled` is as `right_answers.settle` returns it, `golden` has the questions asked. A criterion is met if all of
    the interval is, not met if none of it is. A bound of all or nothing is about these very questions: it is met if
    each of them meets it. What is to be certified is met by the `certificates` of the run, else not shown.
    """
    found = [
        row
        for each in criteria
        for row in (
            _evaluate_certified(certificates.get(each.bound), pipelines, each)
            if each.measure is Measure.CERTIFIED
            else _evaluate_criterion(settled, golden, pipelines, each)
        )
    ]
    return pl.DataFrame(found, schema=CriterionRow.__annotations__)


def _evaluate_certified(
    certificate: Certificate | None, pipelines: Sequence[str], criterion: Criterion
) -> Iterator[CriterionRow]:
    """The same for every pipeline: a certificate is about the verdicts of the run."""
    certified = certificate is not None and certificate.certified
    outcome = Outcome.MET if certified else Outcome.NOT_SHOWN
    says = word_certificate(certificate) if certificate else "no certificate is asked for at this bound."
    for name in pipelines:
        yield {
            "measure": criterion.measure.value,
            "scope": _EVERY,
            "bound": criterion.bound,
            c.PIPELINE: name,
            "scored": certificate.automatic if certificate else 0,
            "expected": certificate.of if certificate else 0,
            "value": certificate.wrong / certificate.judged if certificate and certified else None,
            "low": 0.0 if certified else None,
            "high": criterion.bound if certified else None,
            "deviation": None,
            "outcome": outcome.value,
            "at_worst": outcome.value,
            "at_best": outcome.value,
            "sentence": f"{name}, {criterion.measure.value}: {says}",
        }


_WORST, _UNSURE_WORST, _BEST, _COUNT = "worst", "unsure worst", "best", "count"
"""A response's value if all that is not known failed, if unsure verdicts alone did, if all passed, and as counted."""


def _evaluate_criterion(
    settled: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], criterion: Criterion
) -> Iterator[CriterionRow]:
    metric = METRICS_OF.get(criterion.measure, c.VERDICT)
    questions = select_scorable(in_scope(golden, criterion), metric)[c.QUESTION_ID]
    own = settled.filter(pl.col(c.QUESTION_ID).is_in(questions.implode()))
    if metric not in own.columns:
        # A run of an earlier version knows nothing of contexts.
        own = own.with_columns(pl.lit(None, pl.Float64).alias(metric))
    valued = own.select(c.QUESTION_ID, c.PIPELINE, **_value_slots(criterion.measure))
    scores = question_scores(valued, pipelines, _KINDS, questions)
    shares = _correct_shares(own, questions, pipelines) if criterion.measure is Measure.CORRECT else {}
    for name in pipelines:
        values = _Values(*(scores.of(kind, name) for kind in _KINDS))
        yield _evaluate_pipeline(name, values, criterion, shares.get(name))


_KINDS = (_WORST, _UNSURE_WORST, _BEST, _COUNT)


@dataclass(frozen=True)
class _Values:
    """The values of one pipeline's questions, from 0 to 1."""

    worst: NDArray[np.float64]
    unsure_worst: NDArray[np.float64]
    best: NDArray[np.float64]
    scored: NDArray[np.float64]
    """Of scores, over the repeats that are scored; nan where none is."""


def _correct_shares(own: pl.DataFrame, questions: pl.Series, pipelines: Sequence[str]) -> dict[str, RightAnswersRow]:
    """The pipelines whose share of right answers labels of these questions correct."""
    rows = c.typed_rows(right_answers(own, questions, pipelines), RightAnswersRow) if len(questions) else iter(())
    return {row[c.PIPELINE]: row for row in rows if row["corrected_by_labels"]}


def _value_slots(measure: Measure) -> dict[str, pl.Expr]:
    if measure in METRICS_OF:
        score = pl.col(METRICS_OF[measure]).cast(pl.Float64)
        worst, best = score.fill_null(0.0), score.fill_null(1.0)
        return {_WORST: worst, _UNSURE_WORST: best, _BEST: best, _COUNT: score}
    if measure is Measure.CORRECT:
        return {_WORST: pl.col(RIGHT), _UNSURE_WORST: pl.col(RIGHT), _BEST: pl.col(POSSIBLE), _COUNT: pl.col(RIGHT)}
    best = pl.when(is_open()).then(0.0).otherwise(has_failed(measure).cast(pl.Float64))
    unsure_worst = pl.when(is_open()).then(1.0).otherwise(best)
    # Who says nothing states no wrong value, and shows nothing either.
    worst = pl.when(pl.col(ANSWERED) == 0).then(1.0).otherwise(unsure_worst)
    return {_WORST: worst, _UNSURE_WORST: unsure_worst, _BEST: best, _COUNT: best}


def has_failed(measure: Measure) -> pl.Expr:
    """Whether a settled response counts as a hallucination, or as declined: silence too, but what rightly declines.
    What people said comes first."""
    wrong, no_text = pl.col(RIGHT) == 0, pl.col(ANSWERED) == 0
    if measure is Measure.DECLINED:
        return no_text | (wrong & (pl.col(c.VERDICT) == Verdict.DECLINED.value).fill_null(False))
    diagnosis = pl.col(c.DIAGNOSIS).cast(pl.String)
    other = diagnosis.is_in([Diagnosis.OFF_TARGET.value, Diagnosis.ACCIDENTAL.value, Diagnosis.DECLINED.value])
    by_label = (pl.col(c.LABEL) == Verdict.INCORRECT.value) & ~other.fill_null(False)
    by_verdict = wrong & (diagnosis == Diagnosis.HALLUCINATION.value).fill_null(False)
    return ~no_text & pl.when(pl.col(c.LABEL).is_not_null()).then(by_label).otherwise(by_verdict)


def _evaluate_pipeline(
    pipeline: str, values: _Values, criterion: Criterion, corrected: RightAnswersRow | None
) -> CriterionRow:
    questions, of_scores = len(values.worst), criterion.measure in METRICS_OF
    known = values.scored[~np.isnan(values.scored)] if of_scores else np.minimum(values.worst, values.best)
    ends = [stats.interval_of(side) for side in (values.worst, values.best)]
    value = float(known.mean()) if len(known) else None
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    outcomes = (
        _find_outcome(values.worst, values.best, low, high, criterion),
        *(
            _find_outcome(side, side, *stats.interval_of(side), criterion)
            for side in (values.unsure_worst, values.best)
        ),
    )
    if corrected and criterion.bound != float(criterion.measure.more_is_better):
        value, low, high = corrected["share"], corrected["low"], corrected["high"]
        outcomes = (_find_outcome(values.worst, values.best, low, high, criterion),) * 3
    row: CriterionRow = {
        "measure": criterion.measure.value,
        "scope": _word_scope(criterion),
        "bound": criterion.bound,
        c.PIPELINE: pipeline,
        "scored": int((np.abs(values.worst - values.best) < stats.TIE).sum()),
        "expected": questions,
        "value": value,
        "low": low if questions else None,
        "high": high if questions else None,
        "deviation": None if np.isin(known, (0.0, 1.0)).all() else stats.deviation(known),
        "outcome": outcomes[0].value,
        "at_worst": outcomes[1].value,
        "at_best": outcomes[2].value,
        "sentence": "",
    }
    return {**row, "sentence": _word_row(row)}


def _find_outcome(
    worst: NDArray[np.float64], best: NDArray[np.float64], low: float, high: float, criterion: Criterion
) -> Outcome:
    bound, more = criterion.bound, criterion.measure.more_is_better
    if not len(worst):
        return Outcome.NOT_SHOWN
    if bound == float(more):
        if (np.abs(best - bound) > stats.TIE).any():
            return Outcome.NOT_MET
        return Outcome.MET if (np.abs(worst - bound) <= stats.TIE).all() else Outcome.NOT_SHOWN
    if (low >= bound) if more else (high <= bound):
        return Outcome.MET
    return Outcome.NOT_MET if ((high < bound) if more else (low > bound)) else Outcome.NOT_SHOWN


def count_needed(row: CriterionRow) -> int | None:
    """More questions that show the criterion with a probability of stats.POWER if the value stays; None where none
    would, or responses are open."""
    more = Measure(row["measure"]).more_is_better
    value, bound, questions = row["value"], row["bound"], row["expected"]
    if value is None or row["scored"] < questions or (value <= bound if more else value >= bound):
        return None
    if row["deviation"] is not None:
        needed = int(np.ceil(stats.needed_for_mean(value - bound, row["deviation"], stats.ALPHA)))
        return max(1, needed - questions) if needed <= MOST_QUESTIONS else None
    while (questions := questions + max(1, questions // 20)) <= MOST_QUESTIONS:
        if stats.power_of_share(value if more else 1 - value, bound if more else 1 - bound, questions) >= stats.POWER:
            return questions - row["expected"]
    return None


def _word_scope(criterion: Criterion) -> str:
    words = [f"category {criterion.category}"] if criterion.category else []
    words += [f"tagged {criterion.tag}"] if criterion.tag else []
    return ", ".join(words) or _EVERY


def criterion_in_words(criterion: Criterion) -> str:
    """`facts stated, at least 90%, tagged critical`."""
    return f"{criterion.measure.value}, {word_bound(criterion.measure, criterion.bound)}, {_word_scope(criterion)}"


def in_words(row: CriterionRow) -> str:
    """A row of `evaluate` as what it asks: `hallucinations at most 5%, tagged critical`."""
    scope = "" if row["scope"] == _EVERY else f", {row['scope']}"
    return f"{row['measure']} {word_bound(Measure(row['measure']), row['bound'])}{scope}"


def word_bound(measure: Measure, bound: float) -> str:
    """`at least 90%`."""
    return f"{'at least' if measure.more_is_better else 'at most'} {percent(bound)}"


def _word_row(row: CriterionRow) -> str:
    asked = f"{word_bound(Measure(row['measure']), row['bound'])} required"
    subject = f"{row[c.PIPELINE]}, {row['measure']}, {row['scope']}"
    if not row["expected"]:
        return f"{subject}: no question in scope, so {asked} is not shown."
    if row["value"] is None:
        return f"{subject}: none of {row['expected']:,} is scored, so {asked} is not shown."
    likely = f"95% interval {percent(row['low'])} to {percent(row['high'])}"
    coverage = plural(row["expected"], "question")
    if row["scored"] < row["expected"]:
        coverage = f"{out_of(row['scored'], row['expected'])} questions known"
    return f"{subject}: {percent(row['value'])} ({likely}; {coverage}), {asked}: {row['outcome']}."


def select_scorable(golden: pl.DataFrame, metric: str) -> pl.DataFrame:
    """The triplets of the golden dataset that this metric can score: those with a fact, or with an answer, or all."""
    if metric not in (*c.FACT_SCORES, *c.ANSWER_SCORES):
        return golden
    needed = c.FACT if metric in c.FACT_SCORES else c.ANSWER
    return golden.filter(pl.col(needed).fill_null("").str.strip_chars() != "")


def lacking(rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], metric: str) -> pl.DataFrame:
    """The expected questions without this score: QUESTION_ID, PIPELINE and WHY, in the order of both.

    A pipeline lacks a question that it did not answer, and one whose response is not scored, or is unsure. None of them
    counts as passed anywhere.
    """
    why = c.REASON if metric == c.VERDICT else c.UNSCORED_FACT if metric in c.FACT_SCORES else c.UNSCORED_ANSWER
    scored = pl.col(c.VERDICT) != Verdict.UNSURE.value if metric == c.VERDICT else pl.col(metric).is_not_null()
    of_these = rows.filter(pl.col(c.PIPELINE).is_in(list(pipelines)))
    columns = pl.DataFrame({c.PIPELINE: list(pipelines)}, schema={c.PIPELINE: pl.String})
    wanted = (
        select_scorable(golden, metric).select(c.QUESTION_ID).join(columns, how="cross", maintain_order="left_right")
    )
    absent = wanted.join(of_these.filter(scored), on=[c.QUESTION_ID, c.PIPELINE], how="anti", maintain_order="left")
    reasons = of_these.filter(~scored).select(c.QUESTION_ID, c.PIPELINE, pl.col(why).alias(WHY))
    first = reasons.unique([c.QUESTION_ID, c.PIPELINE], keep="first")
    return absent.join(first, on=[c.QUESTION_ID, c.PIPELINE], how="left", maintain_order="left").with_columns(
        pl.col(WHY).fill_null(NO_RESPONSE)
    )
