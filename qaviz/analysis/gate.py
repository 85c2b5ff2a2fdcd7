"""Whether a run may pass against a baseline: yes where nothing broke or a loss that matters is excluded; no where a
loss is shown, a critical question broke or too many did; else nobody can tell (docs/pipelines.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis import run_changes as runs
from qaviz.analysis.comparison import Basis, rounded_up
from qaviz.analysis.criteria import CRITICAL, MOST_QUESTIONS, find_certificates, has_tag, meets
from qaviz.analysis.estimates import compare
from qaviz.analysis.glossary import TEXTS
from qaviz.analysis.numbers import count, out_of, percent, plural
from qaviz.analysis.outcomes import ALL_REPEATS, EMPTY, MISSING, RIGHT, SEED
from qaviz.analysis.policy import BASELINE, CriterionRow, Outcome
from qaviz.contexts.funnel import explain_moves
from qaviz.model import columns as c
from qaviz.model.classes import Measure
from qaviz.model.errors import stop
from qaviz.model.records import Criterion, Run

FEWEST_SHARED = 0.9
"""Share of the baseline's questions that has to be asked again, with the same triplet, to tell."""
FEW_QUESTIONS, MOST_BROKEN = 100, 20
"""Below so many questions one in MOST_BROKEN may break, unless told otherwise."""
_ID_BEFORE = f"{c.QUESTION_ID}{runs.BEFORE}"
_NOW, _BEFORE = " (now)", " (baseline)"
"""End the names of the pipelines of two runs side by side."""
EXPENSES = {
    Measure.LATENCY: (c.LATENCY_MS, 0.5),
    Measure.LATENCY_P95: (c.LATENCY_MS, 0.95),
    Measure.COST: (c.COST, 0.5),
    Measure.COST_P95: (c.COST, 0.95),
}
"""Measures of time and cost: the column, and the quantile over questions."""


class Result(StrEnum):
    """How a gate, or one check of it, ends."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "cannot tell"


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What a gate lets pass."""

    margin: float = stats.MARGIN
    """The loss of right answers that matters."""
    broken: int | None = None
    """How many questions may break; None for the usual: one in MOST_BROKEN of fewer than FEW_QUESTIONS."""

    def allowed(self, questions: int) -> int:
        """How many of so many questions may break."""
        if self.broken is not None:
            return self.broken
        return questions // MOST_BROKEN if questions < FEW_QUESTIONS else questions


@dataclass(frozen=True, kw_only=True)
class Losses:
    """What became of one pipeline's questions, a number each: 1 broke, -1 was fixed, between them for repeats."""

    least: NDArray[np.float64]
    """By what is certain."""
    most: NDArray[np.float64]
    """However open responses turn out."""
    critical: int = 0
    """Critical questions that broke."""
    contradicted: int = 0
    """Labels that one run alone has and that say other than its verdicts, where that keeps verdicts from deciding."""
    by_labels: tuple[float, float] | None = None
    """Ends of the loss by people's labels of both runs, where enough were drawn at random."""

    @property
    def broken(self) -> int:
        """Questions that broke for certain."""
        return int((self.least > runs.HALF).sum())

    @property
    def doubtful(self) -> int:
        """Questions that may have broken: open responses decide."""
        return int((self.most > runs.HALF).sum()) - self.broken


def decide_losses(losses: Losses, rules: Rules, tests: int = 1) -> str:
    """The gate's rule, of one of so many pipelines: the first of the reasons in words.toml that holds, which has its
    result, what fails before what passes."""
    questions, capital = len(losses.least), tests / stats.ALPHA
    if not questions:
        return "no question"
    label_low, label_high = losses.by_labels or (1.0, -1.0)
    excluded = stats.mixed_bets(losses.most, rules.margin)
    reasons = {
        "critical": losses.critical > 0,
        "shown": stats.mixed_bets(-losses.least, 0.0) >= capital and label_low > 0,
        "many": losses.broken > rules.allowed(questions),
        "nothing": bool((losses.most <= 0).all()),
        "excluded": excluded >= capital and label_high < rules.margin,
        "labels": losses.contradicted > 0,
        "open": not losses.broken and losses.doubtful > 0,
    }
    return next((reason for reason, holds in reasons.items() if holds), "few")


def count_questions_needed(losses: Losses, rules: Rules, tests: int = 1) -> int | None:
    """About how many questions would tell, if as large shares of them broke and were fixed: up to two digits too many;
    None where none up to MOST_QUESTIONS would."""
    questions = len(losses.least)
    for number in np.unique(np.geomspace(questions, MOST_QUESTIONS, 60).astype(int)):
        times = number / questions
        excluded = stats.mixed_bets(losses.most, rules.margin, times=times)
        if max(excluded, stats.mixed_bets(-losses.least, 0.0, times=times)) >= tests / stats.ALPHA:
            return rounded_up(int(number))
    return None


def word_losses(reason: str, losses: Losses, rules: Rules, broken: Sequence[str], needed: int | None) -> str:
    """The reason in words; `broken` are the questions that broke, `needed` is of `count_questions_needed`."""
    of = plural(len(losses.least), "question")
    fixed, fell = int((losses.most < -runs.HALF).sum()), int((losses.least > 0).sum())
    tally = f"{count(losses.broken)} broke and {count(fixed)} were fixed, of {of}"
    if broken:
        tally += f" (broken: {runs.name_questions(broken)})"
    if fell > losses.broken:
        tally += f"; {count(fell - losses.broken)} right in fewer of the repeats"
    would_tell = "no number of questions up to 10,000 would tell, if so large a share breaks"
    if needed is not None:
        would_tell = f"about {plural(needed, 'question')} would tell"
    template: str = TEXTS["gate"][reason][1]
    low = max(stats.anytime_low(losses.least), 0.0) if reason == "shown" else 0.0
    return template.format(
        tally=tally,
        questions=of,
        low=f"{100 * low:.3g} points",
        margin=f"{100 * rules.margin:.3g} points",
        allowed=count(rules.allowed(len(losses.least))),
        contradicted=count(losses.contradicted),
        open=count(losses.doubtful),
        needed=would_tell,
    )


class Subject(StrEnum):
    """What a check looks at."""

    DROP = "drop"
    CRITICAL = "critical questions"
    CRITERION = "criterion"
    EXPENSE = "time and cost"
    SHARED = "shared questions"
    MISSING = "missing responses"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at, and what came of it."""

    subject: Subject
    name: str
    """Which pipeline, and what of it: the same for every run of the gate."""
    result: Result
    sentence: str
    questions: tuple[str, ...] = ()
    """The questions that it is about: those that broke, or have no response."""
    needed: int | None = None
    """About how many questions would tell."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """What a gate found."""

    run: Run
    baseline: Run
    checks: tuple[Check, ...]
    pairing: tuple[str, ...]
    """`run_changes.word_pairs`: stands before the checks."""
    notes: tuple[str, ...]
    """What else a reader has to know of the comparison: golden datasets that differ, other judges."""
    compared: pl.DataFrame
    """`estimates.compare` of each pipeline now with its baseline."""
    criteria: pl.DataFrame
    """`criteria.meets` of the run, and of what is to be measured against the baseline."""
    changes: pl.DataFrame
    """`run_changes.name_changes` of all questions of both runs: the gate counts those with the same triplet."""
    expenses: pl.DataFrame
    """Columns of ExpenseRow."""
    link: str = ""
    """Where the run can be read question by question: an address, or the name of a file; empty where nowhere."""

    @property
    def result(self) -> Result:
        """Fail if any check fails, else unknown if any is, else pass."""
        results = {check.result for check in self.checks}
        return next(outcome for outcome in (Result.FAIL, Result.UNKNOWN, Result.PASS) if outcome in results)


def gate(
    now: runs.RunSide,
    baseline: runs.RunSide,
    pairs: Sequence[tuple[str, str]] = (),
    criteria: Sequence[Criterion] = (),
    rules: Rules = Rules(),
) -> Gate:
    """Check a run against a baseline.

    `pairs` are pipelines of the run, each with one of the baseline; without them those of the same name. Repeats of a
    pipeline are one pipeline, so that a run with repeats can be compared with one without. Only questions that both
    golden datasets have with the same triplet are compared.
    Raises QavizError if there is no such question, or no such pipeline.
    """
    baseline, now, readers = runs.judge_alike(baseline.merge_repeats(), now.merge_repeats())
    pairs = runs.pair_pipelines(now.run, baseline.run, pairs)
    met = runs.pair_outcomes(baseline, now, pairs)
    shared = [own.filter(runs.SAME_TRIPLET) for own in met]
    questions = shared[0].select(c.QUESTION_ID, _ID_BEFORE)
    if questions.is_empty():
        raise stop(
            f'the golden datasets of "{now.run.name}" and "{baseline.run.name}"',
            "no question with the same triplet in both",
            "questions, answers and facts that both were scored against",
            "Import the baseline's responses with the golden dataset of this run, and compare with that.",
        )
    sides = _side_by_side(now, baseline, questions, pairs)
    named = [(first + _NOW, second + _BEFORE) for first, second in pairs]
    expenses = compare_expenses(shared, pairs)
    certificates = find_certificates(criteria, now.rows, now.labels)
    of_run = meets(now.outcomes, now.golden, [first for first, _ in pairs], criteria, certificates)
    reached = pl.concat([of_run, *_evaluate_both(sides, now, pairs, criteria)])
    compared = compare(sides, named)
    critical = [_check_critical(own, now.golden) for own in shared]
    by_pair = zip(shared, pairs, critical, strict=True)
    drops = [_check_drop(own, pair, compared, check, rules, len(pairs)) for own, pair, check in by_pair]
    failing = [pair for pair, check in zip(pairs, drops, strict=True) if check.result is Result.FAIL]
    return Gate(
        run=now.run,
        baseline=baseline.run,
        checks=(
            *drops,
            *filter(None, critical),
            *_check_asked(questions[_ID_BEFORE], baseline.golden),
            *_check_criteria(reached),
            *_check_expenses(expenses, criteria),
            *(_check_missing(now, first) for first, _ in pairs),
        ),
        pairing=tuple(runs.word_pairs(now.run, baseline.run, pairs)),
        notes=(*filter(None, [readers]), *_write_notes(now, baseline, met[0], failing)),
        compared=compared,
        criteria=reached,
        changes=runs.name_changes(pl.concat(met)),
        expenses=expenses,
    )


def _side_by_side(
    now: runs.RunSide, baseline: runs.RunSide, ids: pl.DataFrame, pairs: Sequence[tuple[str, str]]
) -> pl.DataFrame:
    """The outcomes of both runs on shared questions, by the run's ids, under names that tell the runs apart."""
    old = baseline.outcomes.rename({c.QUESTION_ID: _ID_BEFORE})
    old = old.join(ids, on=_ID_BEFORE, maintain_order="left")
    new = now.outcomes.join(ids, on=c.QUESTION_ID, how="semi", maintain_order="left")
    sides = zip((new, old), (_NOW, _BEFORE), zip(*pairs, strict=True), strict=True)
    parts = [
        rows.filter(pl.col(c.PIPELINE).is_in(list(names))).with_columns(pl.col(c.PIPELINE) + end)
        for rows, end, names in sides
    ]
    return pl.concat(parts, how="diagonal_relaxed")


def _check_drop(
    own: pl.DataFrame,
    pair: tuple[str, str],
    compared: pl.DataFrame,
    critical: Check | None,
    rules: Rules,
    tests: int,
) -> Check:
    row = compared.filter(metric=c.VERDICT, first=pair[0] + _NOW, second=pair[1] + _BEFORE).row(0, named=True)
    losses = Losses(
        least=own[runs.LEAST_LOSS].to_numpy(),
        most=own[runs.MOST_LOSS].to_numpy(),
        critical=len(critical.questions) if critical and critical.result is Result.FAIL else 0,
        contradicted=0 if own[runs.WORDS_HOLD].all() else int(own[runs.CONTRADICTED].sum()),
        by_labels=(-row["high"], -row["low"]) if row["basis"] == Basis.LABELS.value else None,
    )
    broken = tuple(runs.name_changes(own).filter(change=runs.Change.BROKEN.value)[c.QUESTION_ID])
    reason = decide_losses(losses, rules, tests)
    needed = count_questions_needed(losses, rules, tests) if reason == "few" else None
    name = f"{pair[0]}, right answers"
    sentence = f"{name}: {word_losses(reason, losses, rules, broken, needed)}."
    return Check(Subject.DROP, name, Result(TEXTS["gate"][reason][0]), sentence, broken, needed)


def _check_critical(shared: pl.DataFrame, golden: pl.DataFrame) -> Check | None:
    tagged = golden.filter(has_tag(CRITICAL)).select(c.QUESTION_ID)
    own = shared.join(tagged, on=c.QUESTION_ID, how="semi", maintain_order="left")
    if own.is_empty():
        return None
    passed = own.filter(pl.col(f"{RIGHT}{runs.BEFORE}") > ALL_REPEATS)
    broken, doubtful = (
        tuple(passed.filter(pl.col(name) > 0)[c.QUESTION_ID]) for name in (runs.LEAST_LOSS, runs.MOST_LOSS)
    )
    result, words = Result.PASS, f"none of {plural(passed.height, 'critical question')} that passed before broke"
    questions = broken or doubtful
    if questions:
        result = Result.FAIL if broken else Result.UNKNOWN
        why = "no longer right" if broken else "may have broken: a person or a judge has to decide"
        words = f"{plural(len(questions), 'critical question')} {why}: {runs.name_questions(questions)}"
    name = own[c.PIPELINE][0]
    return Check(Subject.CRITICAL, name, result, f"{name}: {words}.", questions)


def _check_asked(shared: pl.Series, before: pl.DataFrame) -> Iterator[Check]:
    """Whether every critical question of the baseline, and nine tenths of all, are among its shared ones: what is not
    asked may have broken."""
    lost = before.filter(has_tag(CRITICAL), ~pl.col(c.QUESTION_ID).is_in(shared.implode()))
    if not lost.is_empty():
        questions = tuple(lost[c.QUESTION_ID])
        words = f"{plural(len(questions), 'critical question')} of the baseline without the same triplet here"
        sentence = f"{words}, to be asked again: {runs.name_questions(questions)}."
        yield Check(Subject.CRITICAL, "all pipelines", Result.UNKNOWN, sentence, questions)
    if shared.len() < FEWEST_SHARED * before.height:
        words = f"{out_of(shared.len(), before.height)} questions of the baseline are in this run with the same triplet"
        sentence = f"{words}; below {percent(FEWEST_SHARED)} nothing can be told of the run."
        yield Check(Subject.SHARED, "all pipelines", Result.UNKNOWN, sentence)


def _evaluate_both(
    sides: pl.DataFrame, now: runs.RunSide, pairs: Sequence[tuple[str, str]], criteria: Sequence[Criterion]
) -> Iterator[pl.DataFrame]:
    """The criteria against the baseline, pair by pair: its counterpart is a pipeline of that name."""
    golden = now.golden.join(sides.select(c.QUESTION_ID), on=c.QUESTION_ID, how="semi", maintain_order="left")
    against = [criterion for criterion in criteria if criterion.than == BASELINE]
    for first, second in pairs:
        names = {first + _NOW: first, second + _BEFORE: BASELINE}
        own = sides.filter(pl.col(c.PIPELINE).is_in([*names])).with_columns(pl.col(c.PIPELINE).replace_strict(names))
        yield meets(own, golden, [first], against)


def _check_criteria(reached: pl.DataFrame) -> Iterator[Check]:
    results = {Outcome.MET: Result.PASS, Outcome.NOT_MET: Result.FAIL, Outcome.NOT_SHOWN: Result.UNKNOWN}
    for row in c.typed_rows(reached, CriterionRow):
        against = f", against {row['than']}" if row["than"] else ""
        name = f"{row[c.PIPELINE]}, {row['measure']}, {row['scope']}{against}"
        yield Check(Subject.CRITERION, name, results[Outcome(row["outcome"])], row["sentence"])


class ExpenseRow(TypedDict):
    """A row of `compare_expenses`: what a response of a pair takes by one measure; None where too few say it."""

    pipeline: str
    pipeline_before: str
    measure: str
    """A `Measure` of EXPENSES."""
    questions: int
    """Of both runs that say it."""
    now: float | None
    """In milliseconds, or in the currency of the file."""
    before: float | None
    rise: float | None
    """By how much it rose, as a share of what it was."""
    low: float | None
    """With `high`: the 95 % interval of the rise, over questions."""
    high: float | None


def compare_expenses(shared: Sequence[pl.DataFrame], pairs: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """Columns of ExpenseRow, a row a pair and measure, over its shared questions; repeats are averaged.

    The interval is the bootstrap's over questions, drawn for both runs at once; of fewer than 20 there is none.
    """
    rows = []
    for own, pair in zip(shared, pairs, strict=True):
        for measure, (column, quantile) in EXPENSES.items():
            table = own.select(column, f"{column}{runs.BEFORE}").drop_nulls().to_numpy()
            rows.append((*pair, measure.value, len(table), *_measure_rise(table, quantile)))
    return pl.DataFrame(rows, schema=ExpenseRow.__annotations__, orient="row")


def _measure_rise(table: NDArray[np.float64], quantile: float) -> tuple[float | None, ...]:
    if not len(table):
        return (None,) * 5
    now, before = np.quantile(table, quantile, axis=0)
    if not before or len(table) < 20:
        return float(now), float(before), float(now / before - 1) if before else None, None, None
    drawn = np.random.default_rng(SEED).integers(0, len(table), (stats.RESAMPLES, len(table)))
    ends = np.quantile(table[drawn], quantile, axis=1)
    rises = ends[ends[:, 1] > 0, 0] / ends[ends[:, 1] > 0, 1] - 1
    low, high = np.quantile(rises, [(1 - stats.LEVEL) / 2, (1 + stats.LEVEL) / 2])
    return float(now), float(before), float(now / before - 1), float(low), float(high)


def _check_expenses(expenses: pl.DataFrame, criteria: Sequence[Criterion]) -> Iterator[Check]:
    """Whether times and costs rose by no more than criteria allow, else whether a median more than doubled."""
    strictest = sorted(criteria, key=lambda criterion: -criterion.bound)
    bounds = {criterion.measure: criterion.bound for criterion in strictest if criterion.than == BASELINE}
    for row in c.typed_rows(expenses, ExpenseRow):
        measure = Measure(row["measure"])
        is_asked, bound = measure in bounds, bounds.get(measure, 1.0)
        if not is_asked and (EXPENSES[measure][1] != 0.5 or row["rise"] is None):
            continue
        result, words = Result.UNKNOWN, "not known of both runs"
        if row["rise"] is not None:
            low, high = (row["rise"] if end is None else end for end in (row["low"], row["high"]))
            met = high <= bound if is_asked else row["rise"] <= bound
            failed = row["low"] is not None and low > bound
            result = Result.FAIL if failed else Result.PASS if met else Result.UNKNOWN
            ends = f" ({low:+.0%} to {high:+.0%})" if row["low"] is not None else ""
            words = f"{row['rise']:+.0%}{ends} over {plural(row['questions'], 'question')}"
        name = f"{row['pipeline']}, {measure.value}"
        sentence = f"{name}: {words}; at most {bound:+.0%} against the baseline."
        yield Check(Subject.CRITERION if is_asked else Subject.EXPENSE, name, result, sentence)


def _check_missing(now: runs.RunSide, pipeline: str) -> Check:
    outcomes = now.outcomes.filter(pl.col(c.PIPELINE) == pipeline)
    questions = now.golden[c.QUESTION_ID]
    repeats = outcomes.height // max(questions.len(), 1)
    absent, empty = (
        questions.filter(questions.is_in(outcomes.filter(kind)[c.QUESTION_ID].implode())) for kind in (MISSING, EMPTY)
    )
    empty = empty.filter(~empty.is_in(absent.implode()))
    each_time = f" in each of {repeats} repeats" if repeats > 1 else ""
    covered = out_of(questions.len() - absent.len() - empty.len(), questions.len())
    parts = [f"{pipeline}: a response to {covered} questions{each_time}"]
    parts += [
        f"{kind}: {runs.name_questions(ids)}" for kind, ids in (("missing", absent), ("empty", empty)) if ids.len()
    ]
    result = Result.FAIL if absent.len() else Result.PASS
    return Check(Subject.MISSING, pipeline, result, f"{'; '.join(parts)}.", tuple(absent))


def judge_change(before: Run, now: Run) -> str | None:
    """That the runs' verdicts heard different judges, which right answers may differ by; None where they did not."""
    if before.judge == now.judge:
        return None
    return (
        f"Judges differ: {before.judge or 'none'} was heard before, {now.judge or 'none'} now. Verdicts that words "
        "leave open, and right answers with them, may differ by the judge alone."
    )


def _write_notes(
    now: runs.RunSide, baseline: runs.RunSide, aligned: pl.DataFrame, failing: Sequence[tuple[str, str]]
) -> Iterator[str]:
    shared = int(aligned[runs.SAME_TRIPLET].sum())
    if shared < max(now.golden.height, baseline.golden.height):
        yield (
            f"The golden datasets differ: {plural(shared, 'question')} with the same triplet in both are "
            f"compared; {count(now.golden.height - shared)} of this run and "
            f"{count(baseline.golden.height - shared)} of the baseline are new, changed or gone."
        )
    if judges := judge_change(baseline.run, now.run):
        yield judges
    critical = has_tag(CRITICAL)
    was_critical = aligned.join(
        baseline.golden.filter(critical), left_on=_ID_BEFORE, right_on=c.QUESTION_ID, how="semi"
    )
    untagged = now.golden.filter(~critical).join(was_critical, on=c.QUESTION_ID, how="semi", maintain_order="left")
    if not untagged.is_empty():
        yield f"No longer tagged critical, so not checked one by one: {runs.name_questions(untagged[c.QUESTION_ID])}."
    if now.golden.filter(critical).is_empty():
        yield "No question is tagged critical, so no question is checked one by one."
    for first, second in failing:
        own, theirs = now.outcomes.filter(pipeline=first), baseline.outcomes.filter(pipeline=second)
        yield from (f"{first}: {sentence}" for fell, sentence in explain_moves(own, theirs) if fell)
