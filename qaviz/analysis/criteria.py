"""Acceptance criteria: what a pipeline has to reach before it ships, and whether it is met, not met or not shown."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.comparison import SCHEMA
from qaviz.analysis.estimates import compare, estimate
from qaviz.analysis.labels import certificate_sentences, certify_run
from qaviz.analysis.outcomes import ANSWERED, IS_OPEN, POSSIBLE, RIGHT, average_by_question, read_score
from qaviz.analysis.policy import BASELINE, CriterionRow, Outcome, word_row, word_scope
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Measure, Verdict, measure_of
from qaviz.model.errors import stop
from qaviz.model.records import Criterion
from qaviz.stats.certify import Certificate, Promise

CRITICAL = "critical"
"""The tag of questions that have to be right."""
MOST_QUESTIONS = 10_000
"""More questions than this are too many to write for one decision: no number is given."""
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
Certificates = Mapping[float, Certificate]
"""By the share of the automatic verdicts that may be wrong: `find_certificates`."""
_MET, _NOT_SHOWN = (Outcome.MET,) * 3, (Outcome.NOT_SHOWN,) * 3
_THEIRS = "their score"


def has_tag(tag: str) -> pl.Expr:
    """Whether a triplet has this tag, upper or lower case."""
    words = pl.col(c.TAGS).fill_null("").str.to_lowercase().str.split(";")
    return words.list.eval(pl.element().str.strip_chars()).list.contains(tag.strip().lower())


def in_scope(golden: pl.DataFrame, criterion: Criterion) -> pl.DataFrame:
    """The triplets that a criterion is about."""
    in_category = pl.col(c.CATEGORY) == criterion.category if criterion.category else pl.lit(True)
    return golden.filter(in_category, has_tag(criterion.tag) if criterion.tag else pl.lit(True))


def find_certificates(criteria: Sequence[Criterion], rows: pl.DataFrame, labels: pl.DataFrame) -> Certificates:
    """What labels certify of a run by each criterion that asks for it; `rows` and `labels` as `certify_run` takes them.

    Each promise is asked for with 90 % probability.
    """
    bounds = {criterion.bound for criterion in criteria if criterion.measure is Measure.CERTIFIED}
    return {bound: certify_run(rows, labels, Promise(wrong=bound)) for bound in bounds if 0 < bound < 1}


def meets(
    settled: pl.DataFrame,
    golden: pl.DataFrame,
    pipelines: Sequence[str],
    criteria: Sequence[Criterion],
    certificates: Certificates = MappingProxyType({}),
) -> pl.DataFrame:
    """Columns of CriterionRow, one row a criterion and pipeline, in their order.

    `settled` is as `outcomes.tabulate` returns it, `golden` has the questions asked. A criterion is met if all of
    the interval is, not met if none of it is. A bound of all or nothing is about these very questions: it is met if
    each of them meets it. What is to be certified is met by the `certificates` of the run, else not shown. Criteria
    against a baseline are for a gate, whose outcomes have it as a pipeline; a run alone has no row of them.
    """
    pipelines_settled = set(settled[c.PIPELINE].unique())
    of_run = [criterion for criterion in criteria if criterion.than != BASELINE or BASELINE in pipelines_settled]
    outcomes = [
        row
        for criterion in of_run
        if not criterion.measure.is_expense
        for row in (
            _evaluate_certified(certificates.get(criterion.bound), pipelines, criterion)
            if criterion.measure is Measure.CERTIFIED
            else _evaluate_criterion(settled, golden, pipelines, criterion)
        )
    ]
    return pl.DataFrame(outcomes, schema=CriterionRow.__annotations__)


def _evaluate_certified(
    certificate: Certificate | None, pipelines: Sequence[str], criterion: Criterion
) -> Iterator[CriterionRow]:
    """The same for every pipeline: a certificate is about the verdicts of the run."""
    says = " ".join(certificate_sentences(certificate)) if certificate else "no certificate is asked for at this bound."
    for name in pipelines:
        make_row = partial(_make_row, criterion, name, certificate.of if certificate else 0, says=says)
        if certificate is None or not certificate.certified:
            yield make_row(scored=certificate.automatic if certificate else 0)
            continue
        share = certificate.wrong / certificate.judged
        yield make_row(_MET, scored=certificate.automatic, value=share, low=0.0, high=criterion.bound)


def _make_row(
    criterion: Criterion,
    pipeline: str,
    expected: int,
    outcomes: Sequence[Outcome] = _NOT_SHOWN,
    *,
    says: str = "",
    **figures: float | None,
) -> CriterionRow:
    """The row of a criterion: the outcome, that at worst and that at best, with the figures that are known."""
    row: dict[str, object] = {
        "measure": criterion.name,
        "scope": word_scope(criterion),
        "bound": criterion.bound,
        "than": criterion.than,
        c.PIPELINE: pipeline,
        "scored": 0,
        "expected": expected,
        **dict.fromkeys(("value", "low", "high", "deviation")),
        **figures,
        **dict(zip(("outcome", "at_worst", "at_best"), (outcome.value for outcome in outcomes), strict=True)),
        "sentence": f"{pipeline}, {criterion.name}: {says}",
    }
    made = cast(CriterionRow, row)
    return made if says else {**made, "sentence": word_row(made)}


def _evaluate_criterion(
    settled: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], criterion: Criterion
) -> Iterator[CriterionRow]:
    metric = _THEIRS if criterion.score else METRICS_OF.get(criterion.measure, c.VERDICT)
    questions = select_scorable(in_scope(golden, criterion), metric)[c.QUESTION_ID]
    own = settled.filter(pl.col(c.QUESTION_ID).is_in(questions.implode()))
    if criterion.score:
        own = own.with_columns(read_score(own, criterion.score).alias(_THEIRS))
        outside = own[_THEIRS].filter(~own[_THEIRS].is_between(0, 1))
        if outside.len():
            words = f"a score of {outside[0]}"
            raise stop(f"criterion {criterion.score}", words, "scores from 0 to 1", "Divide them by their most.")
    if metric not in own.columns:
        # A run of an earlier version knows nothing of contexts.
        own = own.with_columns(pl.lit(None, pl.Float64).alias(metric))
    valued = own.select(c.QUESTION_ID, c.PIPELINE, **_value_slots(criterion.measure, metric))
    measured = own[c.PIPELINE].unique().to_list()
    compared = [name for name in measured if name == criterion.than and name not in pipelines]
    scores = average_by_question(valued, [*pipelines, *compared], _Values._fields, questions)
    values = {name: _Values(*(scores.of(kind, name) for kind in _Values._fields)) for name in scores.pipelines}
    of_right = criterion.measure is Measure.CORRECT and len(questions) > 0
    if criterion.than is None:
        estimates = estimate(own, pipelines).iter_rows(named=True) if of_right else ()
        shares = {row[c.PIPELINE]: row for row in estimates}
        for name in pipelines:
            share = shares.get(name)
            figures = (share["share"], share["low"], share["high"]) if share else None
            corrected = share is not None and share["corrected_by_labels"]
            yield _evaluate_values(criterion, name, values[name], figures, is_corrected=corrected)
        return
    base = values.get(criterion.than) if criterion.than in measured else None
    others = [(name, criterion.than) for name in pipelines if name != criterion.than]
    rests = compare(own, others, (c.VERDICT,)) if base and of_right else pl.DataFrame(schema=SCHEMA)
    differences = {row["first"]: (row["difference"], row["low"], row["high"]) for row in rests.iter_rows(named=True)}
    for name in pipelines:
        make_row = partial(_make_row, criterion, name, len(questions))
        if name == criterion.than:
            yield make_row(_MET, says="the others are compared with it.", scored=len(questions))
        elif base is None or not len(questions):
            yield make_row(says=f"this run has no pipeline {criterion.than} to compare with.")
        else:
            figures = differences.get(name)
            complete = figures if figures and None not in figures else None
            sign = 1 if criterion.measure.more_is_better else -1
            yield _evaluate_values(criterion, name, _subtract(values[name], base, sign), complete)


class _Values(NamedTuple):
    """A value a question, 0 to 1: if all unknown ones failed, if unsure ones alone did, if all passed, as counted."""

    worst: NDArray[np.float64]
    unsure_worst: NDArray[np.float64]
    best: NDArray[np.float64]
    scored: NDArray[np.float64]
    """Of scores, over the repeats that are scored; nan where none is."""


def _value_slots(measure: Measure, metric: str) -> dict[str, pl.Expr]:
    if metric != c.VERDICT:
        score = pl.col(metric).cast(pl.Float64)
        worst, unsure_worst, best = score.fill_null(0.0), score.fill_null(1.0), score.fill_null(1.0)
    elif measure is Measure.CORRECT:
        score = worst = unsure_worst = pl.col(RIGHT)
        best = pl.col(POSSIBLE)
    else:
        score = best = pl.when(IS_OPEN).then(0.0).otherwise(has_failed(measure).cast(pl.Float64))
        unsure_worst = pl.when(IS_OPEN).then(1.0).otherwise(best)
        # Who says nothing states no wrong value, and shows nothing either.
        worst = pl.when(pl.col(ANSWERED) == 0).then(1.0).otherwise(unsure_worst)
    return dict(zip(_Values._fields, (worst, unsure_worst, best, score), strict=True))


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


def _subtract(own: _Values, base: _Values, sign: int) -> _Values:
    """A pipeline's values less another's, question by question, more being better; each as it may come to."""
    scored = np.nan_to_num(own.scored) - np.nan_to_num(base.scored)
    sides = (own.worst - base.best, own.unsure_worst - base.best, own.best - base.worst, scored)
    return _Values(*(sign * side for side in sides))


def _evaluate_values(
    criterion: Criterion,
    pipeline: str,
    values: _Values,
    figures: tuple[float, float, float] | None,
    *,
    is_corrected: bool = False,
) -> CriterionRow:
    """The row of a pipeline's values, or of their differences from another's, whose low end decides, so that each
    guardrail errs in 2.5 % (see `stats.power_with`).

    `figures` are value, low and high of right answers as `estimate` and `compare` have them: a figure has one interval
    wherever it stands. Labels that correct it settle what is open.
    """
    worst, unsure_worst, best, scored = values
    bound, more, measure_ends = criterion.bound, criterion.measure.more_is_better, stats.interval_of
    if criterion.than is not None:
        bound, more, measure_ends = -bound, True, _interval_of_differences
    counts = [measure_ends(side) for side in (worst, unsure_worst, best)]
    low, high = counts[0][0], counts[2][1]
    if criterion.than is None:  # the worst of hallucinations is above their best
        low, high = min(low, counts[2][0]), max(high, counts[0][1])
    scores, wider = scored[~np.isnan(scored)], (0.0, 0.0)
    value = float(scores.mean()) if len(scores) else None
    if figures:
        wider = low - figures[1], figures[2] - high
        value, low, high = figures
    ends = [(low, high), *((down - wider[0], up + wider[1]) for down, up in counts[1:])]
    sides = ((worst, best), (unsure_worst, unsure_worst), (best, best))
    outcomes = [_find_outcome(*side, *end, bound, more=more) for side, end in zip(sides, ends, strict=True)]
    if is_corrected and bound != float(more):
        outcomes = outcomes[:1] * 3
    is_share = criterion.than is None and np.isin(scores, (0.0, 1.0)).all()
    return _make_row(
        criterion,
        pipeline,
        len(worst),
        outcomes,
        scored=int((np.abs(worst - best) < stats.TIE).sum()),  # of which nothing is open
        value=value,
        low=low if len(worst) else None,
        high=high if len(worst) else None,
        deviation=None if is_share else stats.deviation(scores),
    )


def _interval_of_differences(sample: NDArray[np.float64]) -> tuple[float, float]:
    """Of shares as `stats.paired_share_interval` has it, else Student's about the mean; (-1, 1) for one question."""
    if np.isin(sample, (-1.0, 0.0, 1.0)).all():
        return stats.paired_share_interval(int((sample > 0).sum()), int((sample < 0).sum()), len(sample))
    spread = stats.deviation(sample)
    if spread is None:
        return -1.0, 1.0
    # Kept within 0 and 1 there, so it is moved by one half of the range that differences have.
    low, high = stats.mean_interval(float(sample.mean() + 1) / 2, spread / 2, len(sample))
    return 2 * low - 1, 2 * high - 1


def _find_outcome(
    worst: NDArray[np.float64], best: NDArray[np.float64], low: float, high: float, bound: float, *, more: bool
) -> Outcome:
    if not len(worst):
        return Outcome.NOT_SHOWN
    if bound == float(more):
        if (np.abs(best - bound) > stats.TIE).any():
            return Outcome.NOT_MET
        return Outcome.MET if (np.abs(worst - bound) <= stats.TIE).all() else Outcome.NOT_SHOWN
    if (low >= bound) if more else (high <= bound):
        return Outcome.MET
    return Outcome.NOT_MET if ((high < bound) if more else (low > bound)) else Outcome.NOT_SHOWN


def count_more_questions(row: CriterionRow, power: float = stats.POWER) -> int | None:
    """More questions that show it with this power if its value stays; None if none would, or responses are open."""
    more = measure_of(row["measure"]).more_is_better
    value, bound, questions = row["value"], row["bound"], row["expected"]
    if row["than"] is not None and value is not None:
        # What is to be shown is that the difference is above the margin.
        more, value, bound = True, value + bound, 0.0
    if value is None or row["scored"] < questions or (value <= bound if more else value >= bound):
        return None
    if row["deviation"] is not None:
        needed = int(np.ceil(stats.needed_for_mean(value - bound, row["deviation"], stats.ALPHA, power)))
        return max(1, needed - questions) if needed <= MOST_QUESTIONS else None
    while (questions := questions + max(1, questions // 20)) <= MOST_QUESTIONS:
        if stats.power_of_share(value if more else 1 - value, bound if more else 1 - bound, questions) >= power:
            return questions - row["expected"]
    return None


def select_scorable(golden: pl.DataFrame, metric: str) -> pl.DataFrame:
    """The triplets of the golden dataset that this metric can score: those with a fact, or with an answer, or all."""
    if metric not in (*c.FACT_SCORES, *c.ANSWER_SCORES):
        return golden
    needed = c.FACT if metric in c.FACT_SCORES else c.ANSWER
    return golden.filter(pl.col(needed).fill_null("").str.strip_chars() != "")
