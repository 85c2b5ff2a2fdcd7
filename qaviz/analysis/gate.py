"""Whether a run may pass: no drop beyond chance, no critical question newly failing, criteria met, nothing missing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import polars as pl

from qaviz.analysis.comparison import COMPARED, METRIC, SEED, ComparedRow, compare_pairs, outcome
from qaviz.analysis.comparison_words import metric_label
from qaviz.analysis.consistency import whole
from qaviz.analysis.criteria import CRITICAL, CriterionRow, Outcome, evaluate, has_tag
from qaviz.analysis.numbers import count, join, out_of, plural
from qaviz.model.columns import (
    ANSWER,
    ANSWERABLE,
    FACT,
    FACTUAL_KNOWLEDGE,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    RECALL,
    REPEAT,
    VERDICT,
    typed_rows,
)
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Criterion, Run
from qaviz.stats import Decision

GATED = (FACTUAL_KNOWLEDGE, VERDICT, RECALL)
"""A drop in one of these stops a run; conciseness and F1 are reported, and stop it by a criterion only."""

NAMED = 20
"""Questions that a sentence names; more are counted."""

_TRIPLET = (QUESTION, ANSWER, FACT, ANSWERABLE)
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
    """A run with its tables."""

    run: Run
    golden: pl.DataFrame
    rows: pl.DataFrame


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
    """`comparison.compare_pairs` of each pipeline now with its baseline."""
    criteria: pl.DataFrame
    """`criteria.evaluate` of the run."""

    @property
    def result(self) -> Result:
        """Fail if any check fails, else unknown if any is, else pass."""
        results = {check.result for check in self.checks}
        return next(each for each in (Result.FAIL, Result.UNKNOWN, Result.PASS) if each in results)


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
    now, baseline = _without_repeats(now), _without_repeats(baseline)
    pairs = pair_pipelines(now.run, baseline.run, pairs)
    both = _join_shared_questions(now, baseline)
    shared = both[QUESTION_ID]
    # From here on a question goes by the run's id.
    renamed = baseline.rows.rename({QUESTION_ID: BEFORE}).join(both, on=BEFORE, maintain_order="left")
    baseline = replace(baseline, rows=renamed)
    compared = compare_pairs(
        _side_by_side(now, baseline, pairs, shared), [(_now(a), _before(b)) for a, b in pairs], seed=seed
    )
    pipelines = [first for first, _ in pairs]
    known = evaluate(now.rows, now.golden, pipelines, criteria)
    return Gate(
        run=now.run,
        baseline=baseline.run,
        checks=(
            *_check_drops(compared, dict(zip(map(_now, pipelines), pipelines, strict=True))),
            *_check_critical(now, baseline, pairs, shared),
            *_check_criteria(known),
            *_check_missing(now, pipelines),
        ),
        notes=tuple(_write_notes(now, baseline, pairs, shared)),
        compared=compared,
        criteria=known,
    )


def _without_repeats(each: GateRun) -> GateRun:
    """The run with all repeats of a pipeline under the pipeline's name."""
    rows = whole(each.rows)
    pipelines = tuple(rows[PIPELINE].unique(maintain_order=True))
    return replace(each, run=replace(each.run, pipelines=pipelines), rows=rows)


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
            expected=", ".join(f'"{each}"' for each in run.pipelines),
            fix="Name one of them with --pair.",
        )
        for first, second in pairs
        for run, name in ((now, first), (baseline, second))
        if name not in run.pipelines
    ]
    if problems:
        raise QavizError(*problems)
    found = list(pairs) or [(name, name) for name in now.pipelines if name in baseline.pipelines]
    if not found and len(now.pipelines) == len(baseline.pipelines) == 1:
        found = [(now.pipelines[0], baseline.pipelines[0])]
    if not found:
        raise QavizError(
            Problem(
                where=f'the runs "{now.name}" and "{baseline.name}"',
                found="no pipeline of the same name",
                expected="a pipeline of the run and the one of the baseline to compare it with",
                fix="Name a pipeline of each with --pair.",
            )
        )
    return found


def _join_shared_questions(now: GateRun, baseline: GateRun) -> pl.DataFrame:
    """The questions that both golden datasets have with the same triplet: QUESTION_ID, and BEFORE, the baseline's id.

    A triplet is known by its texts: where ids are places in a file, a new question at its beginning changes all. Of
    equal triplets in one golden dataset those meet that have one id. Raises QavizError if there are none.
    """
    marked = pl.col(ANSWERABLE).fill_null(value=True)
    ours, theirs = (side.golden.select(QUESTION_ID, *_TRIPLET).with_columns(marked) for side in (now, baseline))
    same = ours.join(theirs, on=[QUESTION_ID, *_TRIPLET], how="semi", nulls_equal=True)
    of_one_id = same.select(QUESTION_ID, pl.col(QUESTION_ID).alias(BEFORE))
    our_others, their_others = (
        each.join(same, on=QUESTION_ID, how="anti").unique(_TRIPLET, keep="none") for each in (ours, theirs)
    )
    of_two_ids = our_others.join(their_others.rename({QUESTION_ID: BEFORE}), on=_TRIPLET, nulls_equal=True)
    pairs = pl.concat([of_one_id, of_two_ids.select(QUESTION_ID, BEFORE)])
    shared = ours.select(QUESTION_ID).join(pairs, on=QUESTION_ID, maintain_order="left")
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


def _side_by_side(now: GateRun, baseline: GateRun, pairs: Sequence[tuple[str, str]], shared: pl.Series) -> pl.DataFrame:
    """The responses to shared questions of both runs, under names that tell the runs apart."""
    columns = [QUESTION_ID, *COMPARED]
    of_runs = ((now, _now, [first for first, _ in pairs]), (baseline, _before, [second for _, second in pairs]))
    return pl.concat(
        side.rows.filter(pl.col(PIPELINE).is_in(names), pl.col(QUESTION_ID).is_in(shared.implode())).select(
            *columns, pl.col(PIPELINE).replace_strict({name: called(name) for name in names})
        )
        for side, called, names in of_runs
    )


def _check_drops(compared: pl.DataFrame, pipelines: dict[str, str]) -> Iterator[Check]:
    for row in typed_rows(compared.filter(pl.col(METRIC).is_in(GATED)), ComparedRow):
        yield Check(
            subject=Subject.DROP,
            name=f"{pipelines[row['first']]}, {metric_label(row[METRIC]).lower()}",
            result=_drop_result(row),
            sentence=_word_unchanged(row) if _is_unchanged(row) else row["sentence"],
        )


def _drop_result(row: ComparedRow) -> Result:
    if row["decision"] == Decision.WORSE.value:
        return Result.FAIL
    too_few = row["decision"] == Decision.TOO_FEW_QUESTIONS.value
    return Result.UNKNOWN if too_few and not _is_unchanged(row) else Result.PASS


def _is_unchanged(row: ComparedRow) -> bool:
    return 0 < row["paired"] == row["ties"]


def _word_unchanged(row: ComparedRow) -> str:
    questions = plural(row["paired"], "question")
    return f"{row['first']}: {metric_label(row[METRIC]).lower()} equal {row['second']} on each of {questions}."


def _check_critical(
    now: GateRun, baseline: GateRun, pairs: Sequence[tuple[str, str]], shared: pl.Series
) -> Iterator[Check]:
    critical = now.golden.filter(has_tag(CRITICAL), pl.col(QUESTION_ID).is_in(shared.implode()))[QUESTION_ID]
    if critical.is_empty():
        return
    for first, second in pairs:
        passed = _select_right(baseline.rows, second, critical)
        failing = passed.filter(~passed.is_in(_select_right(now.rows, first, critical).implode()))
        if failing.is_empty():
            still = f"each of {plural(passed.len(), 'critical question')} that passed before still does"
            sentence = f"{first}: {still}." if passed.len() else f"{first}: no critical question passed before."
        else:
            sentence = (
                f"{first}: {plural(failing.len(), 'critical question')} no longer right: {_name_questions(failing)}."
            )
        result = Result.PASS if failing.is_empty() else Result.FAIL
        yield Check(subject=Subject.CRITICAL, name=first, result=result, sentence=sentence)


def _select_right(rows: pl.DataFrame, pipeline: str, questions: pl.Series) -> pl.Series:
    """Those of the questions to which every response of the pipeline is right by its diagnosis."""
    own = rows.filter(pl.col(PIPELINE) == pipeline, pl.col(QUESTION_ID).is_in(questions.implode()))
    verdicts = own.group_by(QUESTION_ID).agg((outcome(VERDICT).fill_null(0.0) == 1).all().alias("right"))
    right = verdicts.filter("right")[QUESTION_ID]
    return questions.filter(questions.is_in(right.implode()))


def _name_questions(questions: pl.Series) -> str:
    names = questions.head(NAMED).to_list()
    return ", ".join(names) + (f" and {count(questions.len() - NAMED)} more" if questions.len() > NAMED else "")


_RESULT_OF = {
    Outcome.MET.value: Result.PASS,
    Outcome.NOT_MET.value: Result.FAIL,
    Outcome.NOT_SHOWN.value: Result.UNKNOWN,
}


def _check_criteria(known: pl.DataFrame) -> Iterator[Check]:
    for row in typed_rows(known, CriterionRow):
        name = f"{row[PIPELINE]}, {row['measure']}, {row['scope']}"
        result = _RESULT_OF[row["outcome"]]
        yield Check(subject=Subject.CRITERION, name=name, result=result, sentence=row["sentence"])


def _check_missing(now: GateRun, pipelines: Sequence[str]) -> Iterator[Check]:
    questions = now.golden[QUESTION_ID]
    for pipeline in pipelines:
        own = now.rows.filter(pl.col(PIPELINE) == pipeline)
        repeats = own[REPEAT].n_unique() if REPEAT in own.columns else 1
        answered = own.group_by(QUESTION_ID).len().filter(pl.col("len") >= repeats)[QUESTION_ID]
        absent = questions.filter(~questions.is_in(answered.implode()))
        each_time, none = (f" in each of {repeats} repeats", "not each time") if repeats > 1 else ("", "none")
        covered = out_of(questions.len() - absent.len(), questions.len())
        says = f"{pipeline}: a response to {covered} questions{each_time}"
        sentence = f"{says}." if absent.is_empty() else f"{says}; {none} to {_name_questions(absent)}."
        result = Result.PASS if absent.is_empty() else Result.FAIL
        yield Check(subject=Subject.MISSING, name=pipeline, result=result, sentence=sentence)


def _write_notes(now: GateRun, baseline: GateRun, pairs: Sequence[tuple[str, str]], shared: pl.Series) -> Iterator[str]:
    if shared.len() < max(now.golden.height, baseline.golden.height):
        yield (
            f"The golden datasets differ: {plural(shared.len(), 'question')} with the same triplet in both are "
            f"compared; {count(now.golden.height - shared.len())} of this run and "
            f"{count(baseline.golden.height - shared.len())} of the baseline are new, changed or gone."
        )
    if judges := judge_change(baseline.run, now.run):
        yield judges
    was_critical = baseline.golden.filter(has_tag(CRITICAL)).select(QUESTION)
    untagged = now.golden.filter(~has_tag(CRITICAL).fill_null(value=False)).join(was_critical, on=QUESTION, how="semi")
    if not untagged.is_empty():
        yield f"No longer tagged critical, so not checked one by one: {_name_questions(untagged[QUESTION_ID])}."
    if now.golden.filter(has_tag(CRITICAL)).is_empty():
        yield "No question is tagged critical, so no question is checked one by one."
    for run, compared in ((now.run, {first for first, _ in pairs}), (baseline.run, {second for _, second in pairs})):
        left_out = [name for name in run.pipelines if name not in compared]
        if left_out:
            yield f'Not compared, of the run "{run.name}": {join(left_out)}.'
