"""Whether a run may pass: no drop beyond chance, no critical question newly failing, criteria met, nothing missing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import polars as pl

from qaviz import stats
from qaviz.analysis.comparison import METRIC, SEED, ComparedRow, QuestionScores
from qaviz.analysis.comparison_words import metric_label
from qaviz.analysis.criteria import CRITICAL, evaluate, find_certificates, has_tag
from qaviz.analysis.numbers import count, join, out_of, p_value, plural
from qaviz.analysis.policy import CriterionRow, Outcome
from qaviz.analysis.right_answers import (
    ANSWERED,
    EMPTY,
    MISSING,
    NO_LABELS,
    score_questions,
    select_asked,
    select_counted,
    settle,
)
from qaviz.analysis.right_pairs import compare_outcomes
from qaviz.contexts.funnel import explain_moves
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Criterion, Run
from qaviz.stats import Decision
from qaviz.store import Workspace, kept_labels

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
    """A run with its tables, and the labels of its responses (see `right_answers.settle`)."""

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
    """`right_answers.compare_outcomes` of each pipeline now with its baseline."""
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
    sides = _side_by_side(now.rows, renamed, pairs)
    named = [(_now(first), _before(second)) for first, second in pairs]
    compared = compare_outcomes(sides, shared, named, seed=seed)
    scores = score_questions(sides, shared, [name for pair in named for name in pair], ())
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
    """The run with rows of `right_answers.settle`, in which repeats of a pipeline are that pipeline."""
    rows = settle(select_counted(side.rows), side.golden[c.QUESTION_ID], side.labels)
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
