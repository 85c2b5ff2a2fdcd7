"""Whether a run may pass: no drop beyond chance, no critical question newly failing, criteria met, nothing missing.

And checks that ask few questions: a small set that is asked with each commit, and one that ends as soon as it is known
whether the gate passes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.comparison import METRIC, ComparedRow, metric_label
from qaviz.analysis.criteria import CRITICAL, evaluate, find_certificates, has_tag
from qaviz.analysis.estimates import compare
from qaviz.analysis.numbers import count, join, out_of, p_value, percent, plural
from qaviz.analysis.outcomes import (
    ANSWERED,
    EMPTY,
    MISSING,
    NO_LABELS,
    POSSIBLE,
    SEED,
    QuestionScores,
    score_questions,
    select_asked,
    select_counted,
    tabulate,
)
from qaviz.analysis.policy import CriterionRow, Outcome
from qaviz.contexts.funnel import explain_moves
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Criterion, Run
from qaviz.stats import ALPHA, MARGIN, Decision, NoLossEvidence, loss_evidence
from qaviz.store.labels import kept_labels
from qaviz.store.workspace import Workspace

GATED = (c.FACTUAL_KNOWLEDGE, c.VERDICT, c.RECALL)
"""A drop in one of these stops a run; conciseness and F1 are reported, and stop it by a criterion only."""

NAMED = 20
"""Questions that a sentence names; more are counted."""

_TRIPLET = (c.QUESTION, c.ANSWER, c.FACT, c.ANSWERABLE)
BEFORE = "before"


class Result(StrEnum):
    """How a gate, or one check of it, ends."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "not enough questions to tell"


class Subject(StrEnum):
    """What a check looks at."""

    DROP = "drop"
    CRITICAL = "critical questions"
    CRITERION = "criterion"
    MISSING = "missing responses"


@dataclass(frozen=True, kw_only=True)
class GateRun:
    """A run with its tables, and the labels of its responses (see `outcomes.tabulate`)."""

    run: Run
    golden: pl.DataFrame
    rows: pl.DataFrame
    labels: pl.DataFrame = field(default_factory=lambda: NO_LABELS)


def read_gate_run(home: Workspace, run: Run) -> GateRun:
    """A run of the workspace with the questions that it asked, its rows and people's labels."""
    rows = home.rows(run)
    golden = select_asked(home.golden(run.golden_id), rows, run.listed_counts)
    return GateRun(run=run, golden=golden, rows=rows, labels=kept_labels(home, run))


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was looked at, and what came of it."""

    subject: Subject
    name: str
    """Which pipeline, and what of it: the same for every run of the gate."""
    result: Result
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Gate:
    """What a gate found."""

    run: Run
    baseline: Run
    checks: tuple[Check, ...]
    notes: tuple[str, ...]
    """What a reader has to know of the comparison: golden datasets that differ, pipelines that have no counterpart."""
    compared: pl.DataFrame
    """`estimates.compare` of each pipeline now with its baseline."""
    criteria: pl.DataFrame
    """`criteria.evaluate` of the run."""

    @property
    def result(self) -> Result:
        """Fail if any check fails, else unknown if any is, else pass."""
        results = {check.result for check in self.checks}
        return next(outcome for outcome in (Result.FAIL, Result.UNKNOWN, Result.PASS) if outcome in results)


def gate(
    now: GateRun,
    baseline: GateRun,
    pairs: Sequence[tuple[str, str]] = (),
    criteria: Sequence[Criterion] = (),
    *,
    seed: int = SEED,
) -> Gate:
    """Check a run against a baseline.

    `pairs` are pipelines of the run, each with one of the baseline; without them those of the same name. Repeats of a
    pipeline are one pipeline, so that a run with repeats can be compared with one without. Only questions that both
    golden datasets have with the same triplet are compared. Raises QavizError if there is no such question, or no such
    pipeline.
    """
    certificates = find_certificates(criteria, now.rows, now.labels)
    now, baseline = _settle(now), _settle(baseline)
    pairs = pair_pipelines(now.run, baseline.run, pairs)
    both = _join_shared_questions(now, baseline)
    shared = both[c.QUESTION_ID]
    # From here on a question goes by the run's id.
    renamed = baseline.rows.rename({c.QUESTION_ID: BEFORE}).join(both, on=BEFORE, maintain_order="left")
    sides = _side_by_side(now.rows, renamed, pairs).filter(pl.col(c.QUESTION_ID).is_in(shared.implode()))
    named = [(_now(first), _before(second)) for first, second in pairs]
    compared = compare(sides, named, seed=seed)
    scores = score_questions(sides, [name for pair in named for name in pair], (), shared)
    pipelines = [first for first, _ in pairs]
    reached = evaluate(now.rows, now.golden, pipelines, criteria, certificates)
    critical = shared.is_in(now.golden.filter(has_tag(CRITICAL))[c.QUESTION_ID].implode())
    return Gate(
        run=now.run,
        baseline=baseline.run,
        checks=(
            *_check_drops(compared, dict(zip(map(_now, pipelines), pipelines, strict=True))),
            *(_check_critical(scores, pair, critical) for pair in pairs if critical.any()),
            *_check_criteria(reached),
            *(_check_missing(now, scores, pair) for pair in pairs),
        ),
        notes=(*_write_notes(now, baseline, pairs, shared), *_explain_drops(sides, compared)),
        compared=compared,
        criteria=reached,
    )


def _settle(side: GateRun) -> GateRun:
    """The run with rows of `outcomes.tabulate`, in which repeats of a pipeline are that pipeline."""
    rows = tabulate(select_counted(side.rows), side.golden[c.QUESTION_ID], side.labels)
    pipelines = tuple(rows[c.PIPELINE].unique(maintain_order=True))
    return replace(side, run=replace(side.run, pipelines=pipelines), rows=rows)


def _now(pipeline: str) -> str:
    return f"{pipeline} (now)"


def _before(pipeline: str) -> str:
    return f"{pipeline} (baseline)"


def judge_change(before: Run, now: Run) -> str | None:
    """That the runs' verdicts heard different judges, which right answers may differ by; None where they did not."""
    if before.judge == now.judge:
        return None
    return (
        f"Judges differ: {before.judge or 'none'} was heard before, {now.judge or 'none'} now. Verdicts that words "
        "leave open, and right answers with them, may differ by the judge alone."
    )


def pair_pipelines(now: Run, baseline: Run, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs to compare. Raises QavizError for a pipeline that its run does not have, and for no pair at all."""
    problems = [
        Problem(
            where=f'the run "{run.name}"',
            found=f'no pipeline "{name}"',
            expected=", ".join(f'"{pipeline}"' for pipeline in run.pipelines),
            fix="Name one of them with --pair.",
        )
        for first, second in pairs
        for run, name in ((now, first), (baseline, second))
        if name not in run.pipelines
    ]
    if problems:
        raise QavizError(*problems)
    matched = list(pairs) or [(name, name) for name in now.pipelines if name in baseline.pipelines]
    if not matched and len(now.pipelines) == len(baseline.pipelines) == 1:
        matched = [(now.pipelines[0], baseline.pipelines[0])]
    if not matched:
        raise QavizError(
            Problem(
                where=f'the runs "{now.name}" and "{baseline.name}"',
                found="no pipeline of the same name",
                expected="a pipeline of the run and the one of the baseline to compare it with",
                fix="Name a pipeline of each with --pair.",
            )
        )
    return matched


def _join_shared_questions(now: GateRun, baseline: GateRun) -> pl.DataFrame:
    """The questions that both golden datasets have with the same triplet: QUESTION_ID, and BEFORE, the baseline's id.

    A triplet is known by its texts: where ids are places in a file, a new question at its beginning changes all. Of
    equal triplets in one golden dataset those meet that have one id. Raises QavizError if there are none.
    """
    marked = pl.col(c.ANSWERABLE).fill_null(value=True)
    ours, theirs = (side.golden.select(c.QUESTION_ID, *_TRIPLET).with_columns(marked) for side in (now, baseline))
    same = ours.join(theirs, on=[c.QUESTION_ID, *_TRIPLET], how="semi", nulls_equal=True)
    of_one_id = same.select(c.QUESTION_ID, pl.col(c.QUESTION_ID).alias(BEFORE))
    our_others, their_others = (
        rows.join(same, on=c.QUESTION_ID, how="anti").unique(_TRIPLET, keep="none") for rows in (ours, theirs)
    )
    of_two_ids = our_others.join(their_others.rename({c.QUESTION_ID: BEFORE}), on=_TRIPLET, nulls_equal=True)
    pairs = pl.concat([of_one_id, of_two_ids.select(c.QUESTION_ID, BEFORE)])
    shared = ours.select(c.QUESTION_ID).join(pairs, on=c.QUESTION_ID, maintain_order="left")
    if shared.is_empty():
        raise QavizError(
            Problem(
                where=f'the golden datasets of "{now.run.name}" and "{baseline.run.name}"',
                found="no question with the same triplet in both",
                expected="questions, answers and facts that both were scored against",
                fix="Import the baseline's responses with the golden dataset of this run, and compare with that.",
            )
        )
    return shared


def _side_by_side(now: pl.DataFrame, baseline: pl.DataFrame, pairs: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """The settled responses of both runs, under names that tell the runs apart."""
    sides = ((now, _now, [first for first, _ in pairs]), (baseline, _before, [second for _, second in pairs]))
    return pl.concat(
        (
            rows.filter(pl.col(c.PIPELINE).is_in(names)).with_columns(
                pl.col(c.PIPELINE).cast(pl.String).replace_strict({name: called(name) for name in names})
            )
            for rows, called, names in sides
        ),
        how="diagonal_relaxed",
    )


def _check_drops(compared: pl.DataFrame, pipelines: dict[str, str]) -> Iterator[Check]:
    for row in c.typed_rows(compared.filter(pl.col(METRIC).is_in(GATED)), ComparedRow):
        yield Check(
            subject=Subject.DROP,
            name=f"{pipelines[row['first']]}, {metric_label(row[METRIC]).lower()}",
            result=_drop_result(row),
            sentence=(
                f"{row['first']}: {metric_label(row[METRIC]).lower()} equal {row['second']} on each of "
                f"{plural(row['paired'], 'question')}."
                if _is_unchanged(row)
                else row["sentence"]
            ),
        )


def _explain_drops(sides: pl.DataFrame, compared: pl.DataFrame) -> Iterator[str]:
    """The steps of retrieval and generation that fell with what got worse."""
    worse = compared.filter(pl.col("decision") == Decision.WORSE.value, pl.col(METRIC).is_in(GATED))
    for first, second in worse.select("first", "second").unique(maintain_order=True).iter_rows():
        now, before = (sides.filter(pl.col(c.PIPELINE) == name) for name in (first, second))
        yield from (f"{first}: {sentence}" for fell, sentence in explain_moves(now, before) if fell)


def _drop_result(row: ComparedRow) -> Result:
    if row["decision"] == Decision.WORSE.value:
        return Result.FAIL
    unknown = row["decision"] in (Decision.TOO_FEW_QUESTIONS.value, Decision.OPEN.value)
    return Result.UNKNOWN if unknown and not _is_unchanged(row) else Result.PASS


def _is_unchanged(row: ComparedRow) -> bool:
    return 0 < row["paired"] == row["ties"] and not row["open"]


def _check_critical(scores: QuestionScores, pair: tuple[str, str], critical: pl.Series) -> Check:
    """Whether every critical question that was right in all repeats still is."""
    first, places = pair[0], critical.to_numpy()
    passed = places & (scores.of(c.VERDICT, _before(pair[1])) > _ALL)
    failing = scores.question_ids.filter(pl.Series(passed & (scores.of(c.VERDICT, _now(first)) < _ALL)))
    if failing.len():
        sentence = f"{plural(failing.len(), 'critical question')} no longer right: {_name_questions(failing)}."
    elif many := int(passed.sum()):
        sentence = f"each of {plural(many, 'critical question')} that passed before still does."
    else:
        sentence = "no critical question passed before."
    result = Result.FAIL if failing.len() else Result.PASS
    return Check(subject=Subject.CRITICAL, name=first, result=result, sentence=f"{first}: {sentence}")


_ALL = 1 - 1e-9
"""The share of a question's repeats above which all are meant."""


def _name_questions(questions: pl.Series) -> str:
    names = questions.head(NAMED).to_list()
    return ", ".join(names) + (f" and {count(questions.len() - NAMED)} more" if questions.len() > NAMED else "")


_RESULT_OF = {
    Outcome.MET.value: Result.PASS,
    Outcome.NOT_MET.value: Result.FAIL,
    Outcome.NOT_SHOWN.value: Result.UNKNOWN,
}


def _check_criteria(known: pl.DataFrame) -> Iterator[Check]:
    for row in c.typed_rows(known, CriterionRow):
        name = f"{row[c.PIPELINE]}, {row['measure']}, {row['scope']}"
        result = _RESULT_OF[row["outcome"]]
        yield Check(subject=Subject.CRITERION, name=name, result=result, sentence=row["sentence"])


def _check_missing(now: GateRun, scores: QuestionScores, pair: tuple[str, str]) -> Check:
    """Whether every question has a response, and no more became empty than chance explains."""
    pipeline, questions = pair[0], now.golden[c.QUESTION_ID]
    own = now.rows.filter(pl.col(c.PIPELINE) == pipeline)
    repeats = own.height // max(questions.len(), 1)
    absent, blank = (own.filter(kind)[c.QUESTION_ID] for kind in (MISSING, EMPTY))
    absent = questions.filter(questions.is_in(absent.implode()))
    empty = questions.filter(questions.is_in(blank.implode()) & ~questions.is_in(absent.implode()))
    each_time, none = (f" in each of {repeats} repeats", "not each time") if repeats > 1 else ("", "none")
    covered = out_of(questions.len() - absent.len() - empty.len(), questions.len())
    parts = [f"{pipeline}: a response to {covered} questions{each_time}"]
    if absent.len():
        parts.append(f"{none} to {_name_questions(absent)}")
    if empty.len():
        parts.append(f"empty to {_name_questions(empty)}")
    answered, before = scores.of(ANSWERED, _now(pipeline)), scores.of(ANSWERED, _before(pair[1]))
    lost, gained = int((answered < before).sum()), int((answered > before).sum())
    p = float(stats.sign_test(lost, gained))
    silent = lost > gained and p < stats.ALPHA
    if silent:
        parts.append(f"more fell silent than chance explains ({p_value(p)})")
    result = Result.FAIL if absent.len() or silent else Result.PASS
    return Check(subject=Subject.MISSING, name=pipeline, result=result, sentence=f"{'; '.join(parts)}.")


def _write_notes(now: GateRun, baseline: GateRun, pairs: Sequence[tuple[str, str]], shared: pl.Series) -> Iterator[str]:
    if shared.len() < max(now.golden.height, baseline.golden.height):
        yield (
            f"The golden datasets differ: {plural(shared.len(), 'question')} with the same triplet in both are "
            f"compared; {count(now.golden.height - shared.len())} of this run and "
            f"{count(baseline.golden.height - shared.len())} of the baseline are new, changed or gone."
        )
    if judges := judge_change(baseline.run, now.run):
        yield judges
    was_critical = baseline.golden.filter(has_tag(CRITICAL)).select(c.QUESTION)
    untagged = now.golden.filter(~has_tag(CRITICAL).fill_null(value=False)).join(
        was_critical, on=c.QUESTION, how="semi"
    )
    if not untagged.is_empty():
        yield f"No longer tagged critical, so not checked one by one: {_name_questions(untagged[c.QUESTION_ID])}."
    if now.golden.filter(has_tag(CRITICAL)).is_empty():
        yield "No question is tagged critical, so no question is checked one by one."
    for run, compared in ((now.run, {first for first, _ in pairs}), (baseline.run, {second for _, second in pairs})):
        left_out = [name for name in run.pipelines if name not in compared]
        if left_out:
            yield f'Not compared, of the run "{run.name}": {join(left_out)}.'


FIRST, BATCH = 30, 30
"""Questions that are chosen and asked first, and those that are asked between two looks."""

MOST_COMPARED = 20
"""Pipelines of runs, the newest first, whose answers say which questions tell pipelines apart."""
UNANSWERABLE_SHARE = 0.1
"""Of the set, at least, where the golden dataset has so many unanswerable questions."""
WHY = "why"

Outcomes = NDArray[np.float64]
"""A row a question, a column a pipeline: 1 right, 0 not, between them for repeats, NaN where nothing is known."""


class Stop(StrEnum):
    """Why no more questions have to be asked."""

    BROKEN = "broken"
    NO_LOSS = "no loss"


@dataclass(frozen=True)
class Losses:
    """What became of some questions: 1 broke, -1 fixed, 0 the same."""

    sure: list[float]
    """What open responses leave certain."""
    worst: list[float]
    """If open responses were right before and are wrong now, unless the response is the same."""


class PipelineEvidence:
    """What is known of one of so many pipelines, over a golden dataset of so many questions."""

    def __init__(self, questions: int, pipelines: int) -> None:
        self.questions, self.asked, self.broken, self.fixed = questions, 0, 0, 0
        self._needed = pipelines / ALPHA
        self._no_loss = NoLossEvidence(questions)
        self.stop: Stop | None = None

    def add(self, losses: Losses, *, chosen: bool) -> Stop | None:
        """Add a batch of questions. Returns why it may stop, or None."""
        (self._no_loss.add_unbet if chosen else self._no_loss.add)(losses.worst)
        self.asked += len(losses.sure)
        self.broken += sum(loss > 0 for loss in losses.sure)
        self.fixed += sum(loss < 0 for loss in losses.sure)
        if self.stop is None and loss_evidence(self.broken, self.fixed) >= self._needed:
            self.stop = Stop.BROKEN
        elif self.stop is None and self._no_loss.capital >= self._needed:
            self.stop = Stop.NO_LOSS
        return self.stop


def order_questions(golden: pl.DataFrame, rows_of_runs: Sequence[pl.DataFrame], seed: int) -> list[pl.DataFrame]:
    """The triplets in batches: FIRST on which pipelines of these runs differed, then BATCH by BATCH at random."""
    first = choose_smoke_set(golden, collect_outcomes(golden, rows_of_runs), FIRST, seed).select(golden.columns)
    rest = golden.join(first, on=c.QUESTION_ID, how="anti", maintain_order="left")
    rest = rest[np.random.default_rng(seed).permutation(rest.height)]
    return [first, *rest.iter_slices(BATCH)]


def find_losses(questions: pl.Series, now: pl.DataFrame, before: pl.DataFrame, pair: tuple[str, str]) -> Losses:
    """What became of each question (its text) from `before` to `now`, for a pipeline of `now` and one of `before`.

    Rows as `outcomes.tabulate` returns them. Means over repeats; what is missing or empty is not right.
    """
    sides = ((now, pair[0]), (before, pair[1]))
    by_text = [pl.col(c.QUESTION).alias(c.QUESTION_ID), pl.col(c.PIPELINE).cast(pl.String)]
    (counted, possible), (counted_before, possible_before) = (
        # A question that a pipeline failed to answer has no row of its own.
        (np.nan_to_num(scores.of(c.VERDICT, name)), np.nan_to_num(scores.of(POSSIBLE, name)))
        for scores, name in (
            (score_questions(rows.with_columns(by_text), [name], (), questions), name) for rows, name in sides
        )
    )
    broke, fixed = np.maximum(counted_before - possible, 0), np.maximum(counted - possible_before, 0)
    texts = [_texts_by_question(rows, name, questions) for rows, name in sides]
    same = np.array([one is not None and one == other for one, other in zip(*texts, strict=True)])
    worst = np.where(same & (possible > counted), 0.0, possible_before - counted)
    return Losses(sure=(broke - fixed).tolist(), worst=worst.tolist())


def _texts_by_question(settled: pl.DataFrame, pipeline: str, questions: pl.Series) -> list[list[str] | None]:
    own = (
        settled.filter(pl.col(c.PIPELINE).cast(pl.String) == pipeline)
        .group_by(c.QUESTION)
        .agg(pl.col(c.RESPONSE).sort())
    )
    in_order = pl.DataFrame({c.QUESTION: questions}).join(own, on=c.QUESTION, how="left", maintain_order="left")
    return in_order[c.RESPONSE].to_list()


def decide_early(gate: Gate, evidence: Mapping[str, PipelineEvidence]) -> Gate:
    """The gate of a check that asked a part of the questions: evidence by pipeline in place of tests of all questions.

    Criteria are left out: they are shares of the whole golden dataset, and the questions asked are no sample of it.
    """
    kept = [check for check in gate.checks if check.subject not in (Subject.DROP, Subject.CRITERION)]
    drops = [_check_drop(name, losses) for name, losses in evidence.items()]
    return replace(gate, checks=(*drops, *kept), notes=(*_note_early_end(gate, evidence), *gate.notes))


def _check_drop(pipeline: str, evidence: PipelineEvidence) -> Check:
    progress = out_of(evidence.asked, evidence.questions)
    of = f"{count(evidence.broken)} broken and {count(evidence.fixed)} fixed, {progress}"
    results = {
        Stop.BROKEN: (Result.FAIL, "more broke than chance explains"),
        Stop.NO_LOSS: (Result.PASS, f"a loss of {percent(MARGIN)} or more of right answers is excluded"),
        None: (Result.UNKNOWN, f"neither a loss beyond chance nor one below {percent(MARGIN)} is shown"),
    }
    result, words = results[evidence.stop]
    sentence = f"{pipeline}: {of} questions asked; {words} (each wrong in at most {percent(ALPHA)} of checks)."
    return Check(subject=Subject.DROP, name=f"{pipeline}, right answers", result=result, sentence=sentence)


def _note_early_end(gate: Gate, evidence: Mapping[str, PipelineEvidence]) -> Iterator[str]:
    most_asked = max(pipeline.asked for pipeline in evidence.values())
    questions = max(pipeline.questions for pipeline in evidence.values())
    if most_asked < questions:
        yield (
            f"A fast check asked {out_of(most_asked, questions)} questions, the most telling ones first: "
            "shares are not those of the whole golden dataset."
        )
    if not gate.criteria.is_empty():
        yield "Acceptance criteria are not checked by a fast check."


def collect_outcomes(golden: pl.DataFrame, rows_of_runs: Sequence[pl.DataFrame]) -> Outcomes:
    """What each pipeline of these runs came to on each question, newest run first, at most MOST_COMPARED columns.

    Rows as `outcomes.tabulate` returns them; nothing is known of questions that no pipeline of a run answered.
    """
    columns = list[Outcomes]()
    for rows in rows_of_runs:
        rows = rows.with_columns(pl.col(c.QUESTION_ID, c.PIPELINE).cast(pl.String))
        names = rows[c.PIPELINE].unique(maintain_order=True).to_list()
        right = score_questions(rows, names, (), golden[c.QUESTION_ID]).values[c.VERDICT]
        there = golden[c.QUESTION_ID].is_in(rows[c.QUESTION_ID].implode()).to_numpy()
        columns += list(np.where(there[:, None], right, np.nan).T)
    chosen = columns[:MOST_COMPARED]
    return np.column_stack(chosen) if chosen else np.empty((golden.height, 0))


def choose_smoke_set(golden: pl.DataFrame, outcomes: Outcomes, size: int, seed: int) -> pl.DataFrame:
    """The chosen triplets in the golden dataset's order, with WHY each was chosen, in words.

    First unanswerable questions (at least one, and UNANSWERABLE_SHARE of the set), then critical ones, then those that
    told most pairs of pipelines apart, each time the question that adds most to what the chosen ones tell; what is left
    is drawn at random, from each category in turn. The same seed chooses the same questions.
    """
    order = np.random.default_rng(seed).permutation(golden.height)
    differs = _tell_apart(outcomes)
    unanswerable = (~golden[c.ANSWERABLE].fill_null(value=True)).to_numpy()
    critical = golden.select(has_tag(CRITICAL)).to_series().to_numpy()
    why = dict[int, str]()
    reserved = min(int(unanswerable.sum()), max(1, round(size * UNANSWERABLE_SHARE)))
    for place in _most_telling(differs, order[unanswerable[order]], [], reserved):
        why[place] = "unanswerable"
    for place in _most_telling(differs, order[critical[order]], list(why), size - len(why)):
        why[place] = "critical"
    telling = differs.any(axis=1)
    for place in _most_telling(differs, order[telling[order]], list(why), size - len(why)):
        why[place] = f"told {int(differs[place].sum()):,} of {differs.shape[1]:,} pairs of pipelines apart"
    # One of each category, then the second of each, and so on.
    left = pl.Series([place for place in order.tolist() if place not in why], dtype=pl.UInt32)
    turns = golden.select(c.CATEGORY).with_row_index("place")[left]
    turns = turns.sort(pl.int_range(pl.len()).over(c.CATEGORY), maintain_order=True)
    for place in turns["place"].to_list()[: size - len(why)]:
        why[place] = "drawn at random"
    chosen = sorted(why)
    return golden[chosen].with_columns(pl.Series(WHY, [why[place] for place in chosen], pl.String))


def _tell_apart(outcomes: Outcomes) -> NDArray[np.bool_]:
    """A row a question, a column a pair of pipelines: whether one was right and the other was not."""
    first, second = np.triu_indices(outcomes.shape[1], 1)
    return np.abs(outcomes[:, first] - outcomes[:, second]) > 0.5


def _most_telling(
    differs: NDArray[np.bool_], candidates: NDArray[np.int64], chosen: Sequence[int], size: int
) -> list[int]:
    """Up to `size` candidates, each the one that tells pairs apart which the ones before tell least; ties in order."""
    left = [int(candidate) for candidate in candidates if int(candidate) not in set(chosen)]
    separated = differs[list(chosen)].sum(axis=0) if len(chosen) else np.zeros(differs.shape[1])
    picked, own = list[int](), differs[left].astype(float)
    taken = np.zeros(len(left), bool)
    for _ in range(min(max(size, 0), len(left))):
        gains = np.where(taken, -1.0, own @ (1 / (1 + separated)))
        best = int(gains.argmax())
        taken[best] = True
        separated = separated + own[best]
        picked.append(left[best])
    return picked
