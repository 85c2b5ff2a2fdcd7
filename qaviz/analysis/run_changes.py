"""Run against run, question by question: fixed, broken, changed in wording or verdict, the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from qaviz.analysis.gate import pair_pipelines
from qaviz.analysis.right_answers import settle
from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWER, DIAGNOSIS, FACT, PIPELINE, QUESTION, QUESTION_ID, RESPONSE, VERDICT
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run

CHANGE = "change"
GOLDEN_CHANGED = "golden_changed"
_BEFORE = "_before"


class Change(StrEnum):
    """What became of one question."""

    FIXED = "fixed"
    BROKEN = "broken"
    CHANGED = "changed"
    SAME = "same"


CHANGE_WORDS = {
    Change.FIXED: "Right now, not before",
    Change.BROKEN: "Right before, not now",
    Change.CHANGED: "New wording, right or wrong as before",
    Change.SAME: "The same response and verdict",
}


@dataclass(frozen=True, kw_only=True)
class RunSide:
    """A run with its tables, and the labels of its responses (see `right_answers.settle`)."""

    run: Run
    golden: pl.DataFrame
    rows: pl.DataFrame
    labels: pl.DataFrame


_KEPT = (RESPONSE, VERDICT, DIAGNOSIS)


def compare_runs(before: RunSide, after: RunSide, pairs: Sequence[tuple[str, str]] = ()) -> pl.DataFrame:
    """One row a question and pair of pipelines that both runs have a response to, in the order of the later run.

    `pairs` are pipelines of the run before, each with one of the run after; without them those of the same name.
    Questions meet by their texts. Columns: question_id, question, pipeline and pipeline_before, change (of Change),
    response, verdict and diagnosis with `_before` for the run before, question_id_before, golden_changed (whether the
    answer or the fact is another). A person's label settles a verdict; a change to or from `unsure` fixes and breaks
    nothing. Raises QavizError for a pipeline that is not there, and where no question is in both.
    """
    pairs = [(old, new) for new, old in pair_pipelines(after.run, before.run, [(new, old) for old, new in pairs])]
    questions = _join_shared_questions(before, after)
    old, new = (settle(side.rows, side.labels).select(QUESTION_ID, PIPELINE, *_KEPT) for side in (before, after))
    found = [_pair(old, new, questions, *pair) for pair in pairs]
    return pl.concat(found).with_columns(_change().alias(CHANGE))


def _join_shared_questions(before: RunSide, after: RunSide) -> pl.DataFrame:
    """The questions that both golden datasets have once: their ids in both, and whether the triplet changed."""
    triplet = (QUESTION_ID, QUESTION, ANSWER, FACT)
    old, new = (side.golden.select(triplet).unique(QUESTION, keep="none") for side in (before, after))
    both = after.golden.select(QUESTION_ID).join(new, on=QUESTION_ID, maintain_order="left")
    both = both.join(old, on=QUESTION, suffix=_BEFORE, maintain_order="left")
    if both.is_empty():
        raise QavizError(
            Problem(
                where=f'the golden datasets of "{before.run.name}" and "{after.run.name}"',
                found="no question in both",
                expected="two runs that share questions",
                fix="Name runs of the same questions.",
            )
        )
    changed = pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}{_BEFORE}")) for name in (ANSWER, FACT))
    return both.select(QUESTION_ID, QUESTION, f"{QUESTION_ID}{_BEFORE}", changed.alias(GOLDEN_CHANGED))


def _pair(old: pl.DataFrame, new: pl.DataFrame, questions: pl.DataFrame, before: str, after: str) -> pl.DataFrame:
    own = new.filter(pl.col(PIPELINE) == after)
    theirs = old.filter(pl.col(PIPELINE) == before).rename({QUESTION_ID: f"{QUESTION_ID}{_BEFORE}"})
    both = questions.join(own, on=QUESTION_ID, maintain_order="left")
    return both.join(theirs, on=f"{QUESTION_ID}{_BEFORE}", suffix=_BEFORE, maintain_order="left")


def _change() -> pl.Expr:
    verdicts = pl.col(VERDICT), pl.col(f"{VERDICT}{_BEFORE}")
    now, then = (verdict == Verdict.CORRECT.value for verdict in verdicts)
    judged = pl.all_horizontal(verdict != Verdict.UNSURE.value for verdict in verdicts)
    same = pl.col(RESPONSE).eq_missing(pl.col(f"{RESPONSE}{_BEFORE}")) & (verdicts[0] == verdicts[1])
    return (
        pl.when(judged & now & ~then)
        .then(pl.lit(Change.FIXED.value))
        .when(judged & then & ~now)
        .then(pl.lit(Change.BROKEN.value))
        .when(same)
        .then(pl.lit(Change.SAME.value))
        .otherwise(pl.lit(Change.CHANGED.value))
    )


def count_changes(changes: pl.DataFrame) -> dict[Change, int]:
    """How many questions of `compare_runs` became what, in the order of Change."""
    found = dict(changes[CHANGE].value_counts().iter_rows())
    return {change: found.get(change.value, 0) for change in Change}
