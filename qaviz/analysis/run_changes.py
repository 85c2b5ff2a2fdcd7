"""Run against run, question by question: fixed, broken, changed in wording or verdict, the same; and a check that
explains the change of a pipeline.
"""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

import polars as pl

from qaviz.analysis.comparison import level, metric_label
from qaviz.analysis.gate import Gate, GateRun, gate, pair_pipelines
from qaviz.analysis.numbers import count, plural
from qaviz.analysis.outcomes import ANSWERED, POSSIBLE, RIGHT, tabulate
from qaviz.contexts.funnel import explain_moves
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Criterion

CHANGE = "change"
GOLDEN_CHANGED, REGROUPED = "golden_changed", "regrouped"
_JUDGED_BY, _GROUPED_BY = (c.ANSWER, c.FACT, c.ANSWERABLE), (c.CATEGORY, c.TAGS)
"""What of a triplet a response is judged by, and what only sorts it."""
_BEFORE = "_before"

MOST_WORDS = 150
"""Words of a response that are compared; comparing takes time by their square."""
MOST_CHARACTERS = 2_000


class Change(StrEnum):
    """What became of one question."""

    FIXED = "fixed"
    BROKEN = "broken"
    CHANGED = "changed"
    SAME = "same"


CHANGE_WORDS = {
    Change.FIXED: "Right now, not before",
    Change.BROKEN: "Right before, not now",
    Change.CHANGED: "Other wording, verdict or golden triplet: neither fixed nor broken",
    Change.SAME: "The same response and verdict",
}


_KEPT = (c.RESPONSE, c.VERDICT, c.DIAGNOSIS)
_WEIGHED = (RIGHT, POSSIBLE, ANSWERED)


class ChangedQuestion(TypedDict):
    """A row of `compare_runs`: a question that both runs asked, and a pair of pipelines."""

    question_id: str
    question: str
    pipeline: str
    question_id_before: str
    golden_changed: bool
    """Whether answer, fact or `answerable` is another: then nothing is fixed or broken."""
    response: str | None
    """With verdict and diagnosis, in the later run; what ends in `_before` is of the run before."""
    verdict: str | None
    diagnosis: str | None
    pipeline_before: str
    response_before: str | None
    verdict_before: str | None
    diagnosis_before: str | None
    change: str
    """A `Change`."""


def compare_runs(before: GateRun, after: GateRun, pairs: Sequence[tuple[str, str]] = ()) -> pl.DataFrame:
    """One row a question that both runs asked and pair of pipelines, in the order of the later run; response, verdict
    and diagnosis are null where the response is missing.

    `pairs` are pipelines of the run before, each with one of the run after; without them those of the same name.
    Questions meet by their texts. Columns of ChangedQuestion. A response that is missing or empty now is broken; any
    other change to or from `unsure`, or of what it is judged by, fixes and breaks nothing. Raises QavizError for a
    pipeline that is not there, and where no question is in both.
    """
    pairs = [(old, new) for new, old in pair_pipelines(after.run, before.run, [(new, old) for old, new in pairs])]
    questions = _join_shared_questions(before, after)
    old, new = (
        tabulate(side.rows, side.golden[c.QUESTION_ID], side.labels, apart=True).select(
            c.QUESTION_ID, c.PIPELINE, *_KEPT, *_WEIGHED
        )
        for side in (before, after)
    )
    joined = [_join_responses(old, new, questions, *pair) for pair in pairs]
    changes = pl.concat(joined).drop(REGROUPED)
    another = pl.col(c.RESPONSE).ne_missing(pl.col(f"{c.RESPONSE}{_BEFORE}"))
    by_golden = pl.when(another).then(pl.lit(Change.CHANGED.value)).otherwise(pl.lit(Change.SAME.value))
    incomparable = pl.col(GOLDEN_CHANGED) & ~_fell_silent()
    weighed = [name for column in _WEIGHED for name in (column, f"{column}{_BEFORE}")]
    return changes.with_columns(pl.when(incomparable).then(by_golden).otherwise(_classify_change()).alias(CHANGE)).drop(
        weighed
    )


@dataclass(frozen=True, kw_only=True)
class GoldenChanges:
    """How the golden dataset of a run differs from that of the run before: question ids, in the order of the later."""

    not_comparable: tuple[str, ...]
    """In both, with another answer, fact or `answerable`: a response right by one may be wrong by the other."""
    regrouped: tuple[str, ...]
    """In both, with other tags or another category."""
    new: tuple[str, ...]
    gone: tuple[str, ...]
    """Ids of the run before."""

    def __bool__(self) -> bool:
        return any((self.not_comparable, self.regrouped, self.new, self.gone))


def find_golden_changes(before: GateRun, after: GateRun) -> GoldenChanges:
    """How the golden dataset changed. Questions meet by their texts; one that stands there twice meets none."""
    both = _join_shared_questions(before, after)
    ours, theirs = (side.golden.select(c.QUESTION_ID) for side in (after, before))
    return GoldenChanges(
        not_comparable=tuple(both.filter(GOLDEN_CHANGED)[c.QUESTION_ID]),
        regrouped=tuple(both.filter(REGROUPED)[c.QUESTION_ID]),
        new=tuple(ours.join(both, on=c.QUESTION_ID, how="anti", maintain_order="left")[c.QUESTION_ID]),
        gone=tuple(
            theirs.join(
                both, left_on=c.QUESTION_ID, right_on=f"{c.QUESTION_ID}{_BEFORE}", how="anti", maintain_order="left"
            )[c.QUESTION_ID]
        ),
    )


_SCORES = (c.FACTUAL_KNOWLEDGE, c.RECALL, c.PRECISION)


def word_score_changes(before: GateRun, after: GateRun, changes: pl.DataFrame) -> list[str]:
    """The scores whose mean moved over the responses of `compare_runs` that both runs score, a sentence each:
    `Facts stated 18% → 20%, of 1,008 responses: 20 higher now, 0 lower.`"""
    keys = [c.QUESTION_ID, c.PIPELINE]
    old = before.rows.select(*keys, *_SCORES).rename({name: f"{name}{_BEFORE}" for name in (*keys, *_SCORES)})
    both = changes.select(*keys, *(f"{name}{_BEFORE}" for name in keys))
    texts = [pl.col(name).cast(pl.String) for name in keys]
    joined = both.join(after.rows.select(*keys, *_SCORES).with_columns(texts), on=keys).join(
        old.with_columns(pl.col(f"{name}{_BEFORE}").cast(pl.String) for name in keys),
        on=[f"{name}{_BEFORE}" for name in keys],
    )
    sentences = []
    for name in _SCORES:
        scored = joined.select(was=f"{name}{_BEFORE}", now=name).drop_nulls()
        higher, lower = (int((scored["now"] * sign > scored["was"] * sign).sum()) for sign in (1, -1))
        if higher or lower:
            was, now = (level(name, float(scored[side].to_numpy().mean())) for side in ("was", "now"))
            of = plural(scored.height, "response")
            label = metric_label(name)
            sentences.append(f"{label} {was} → {now}, of {of}: {count(higher)} higher now, {count(lower)} lower.")
    return sentences


def word_step_changes(before: GateRun, after: GateRun) -> list[str]:
    """The steps from documents to answers that pipelines of both runs take more or less often, beyond chance."""
    own = [{str(name): rows for (name,), rows in run.rows.group_by(c.PIPELINE)} for run in (before, after)]
    both = [name for name in after.run.pipelines if name in own[0] and name in own[1]]
    return [f"{name}: {sentence}" for name in both for _, sentence in explain_moves(own[1][name], own[0][name])]


_NAMED = 20


def word_golden_changes(changes: GoldenChanges) -> str:
    """The change in a sentence; blank where nothing changed."""
    parts = (
        (changes.not_comparable, "not comparable (another answer, fact or answerable flag)"),
        (changes.new, "only in the later run"),
        (changes.gone, "only in the earlier run"),
        (changes.regrouped, "with other tags or another category"),
    )
    listed = []
    for ids, words in parts:
        more = f" and {count(len(ids) - _NAMED)} more" if len(ids) > _NAMED else ""
        if ids:
            listed.append(f"{plural(len(ids), 'question')} {words}: {', '.join(ids[:_NAMED])}{more}")
    return f"The golden dataset changed: {'; '.join(listed)}." if listed else ""


def _join_shared_questions(before: GateRun, after: GateRun) -> pl.DataFrame:
    """The questions that both golden datasets have once: their ids in both, GOLDEN_CHANGED and REGROUPED."""
    old, new = (
        side.golden.select(c.QUESTION_ID, c.QUESTION, *_JUDGED_BY, *_GROUPED_BY)
        .with_columns(pl.col(c.ANSWERABLE).fill_null(value=True))
        .unique(c.QUESTION, keep="none")
        for side in (before, after)
    )
    both = after.golden.select(c.QUESTION_ID).join(new, on=c.QUESTION_ID, maintain_order="left")
    both = both.join(old, on=c.QUESTION, suffix=_BEFORE, maintain_order="left")
    if both.is_empty():
        raise QavizError(
            Problem(
                where=f'the golden datasets of "{before.run.name}" and "{after.run.name}"',
                found="no question in both",
                expected="two runs that share questions",
                fix="Name runs of the same questions.",
            )
        )
    changed = {
        name: pl.any_horizontal(pl.col(column).ne_missing(pl.col(f"{column}{_BEFORE}")) for column in columns)
        for name, columns in ((GOLDEN_CHANGED, _JUDGED_BY), (REGROUPED, _GROUPED_BY))
    }
    return both.select(c.QUESTION_ID, c.QUESTION, f"{c.QUESTION_ID}{_BEFORE}", **changed)


def _join_responses(
    old: pl.DataFrame, new: pl.DataFrame, questions: pl.DataFrame, before: str, after: str
) -> pl.DataFrame:
    own = new.filter(pl.col(c.PIPELINE) == after)
    theirs = old.filter(pl.col(c.PIPELINE) == before).rename({c.QUESTION_ID: f"{c.QUESTION_ID}{_BEFORE}"})
    both = questions.join(own, on=c.QUESTION_ID, maintain_order="left")
    return both.join(theirs, on=f"{c.QUESTION_ID}{_BEFORE}", suffix=_BEFORE, maintain_order="left")


def _fell_silent() -> pl.Expr:
    """Whether a response was there, and is missing or empty now."""
    return (pl.col(ANSWERED) == 0) & (pl.col(f"{ANSWERED}{_BEFORE}") == 1)


def _classify_change() -> pl.Expr:
    right, right_before = (pl.col(name) == 1 for name in (RIGHT, f"{RIGHT}{_BEFORE}"))
    possible, possible_before = (pl.col(name) == 1 for name in (POSSIBLE, f"{POSSIBLE}{_BEFORE}"))
    same = pl.all_horizontal(pl.col(name).eq_missing(pl.col(f"{name}{_BEFORE}")) for name in (c.RESPONSE, c.VERDICT))
    return (
        pl.when(right & ~possible_before)
        .then(pl.lit(Change.FIXED.value))
        .when((right_before & ~possible) | _fell_silent())
        .then(pl.lit(Change.BROKEN.value))
        .when(same & (right == right_before))
        .then(pl.lit(Change.SAME.value))
        .otherwise(pl.lit(Change.CHANGED.value))
    )


def count_changes(changes: pl.DataFrame) -> dict[Change, int]:
    """How many questions of `compare_runs` became what, in the order of Change."""
    counts = dict(changes[CHANGE].value_counts().iter_rows())
    return {change: counts.get(change.value, 0) for change in Change}


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What came of checking a run against a baseline."""

    gate: Gate
    changes: pl.DataFrame
    """`run_changes.compare_runs`, the baseline as the run before."""
    expenses: pl.DataFrame
    """`compare_expenses`."""
    link: str = ""
    """Where the run can be read question by question: an address, or the name of a file; empty where nowhere."""


def check_runs(
    now: GateRun, baseline: GateRun, pairs: Sequence[tuple[str, str]], criteria: Sequence[Criterion], seed: int
) -> Checked:
    """Gate and explain. `pairs` are pipelines of the run, each with one of the baseline. Raises as `gate`."""
    chosen = pair_pipelines(now.run, baseline.run, pairs)
    return Checked(
        gate=gate(now, baseline, pairs, criteria, seed=seed),
        changes=compare_runs(baseline, now, [(before, after) for after, before in chosen]),
        expenses=compare_expenses(now.rows, baseline.rows, chosen),
    )


def compare_expenses(now: pl.DataFrame, baseline: pl.DataFrame, pairs: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """Columns of ExpenseRow, a row a pair."""
    expenses = [
        (after, before, *_measure_expenses(now, after), *_measure_expenses(baseline, before)) for after, before in pairs
    ]
    return pl.DataFrame(expenses, schema=ExpenseRow.__annotations__, orient="row")


class ExpenseRow(TypedDict):
    """What a response of a pipeline takes now and before; None where no response says it."""

    pipeline: str
    pipeline_before: str
    latency_ms: float | None
    """Median, in milliseconds."""
    cost: float | None
    """Mean."""
    latency_ms_before: float | None
    cost_before: float | None


def _measure_expenses(rows: pl.DataFrame, pipeline: str) -> tuple[object, object]:
    own = rows.filter(pl.col(c.PIPELINE) == pipeline)
    return own[c.LATENCY_MS].median(), own[c.COST].mean()


@dataclass(frozen=True, kw_only=True)
class WordDifference:
    """A stretch of two texts: the same words in both, or what went and what came."""

    before: str
    after: str

    @property
    def same(self) -> bool:
        """Whether both have the same words."""
        return self.before == self.after


def compare_words(before: str, after: str) -> Iterator[WordDifference]:
    """Yield both texts from their beginning, stretch by stretch, as far as MOST_WORDS and MOST_CHARACTERS go."""
    old, new = (text[:MOST_CHARACTERS].split()[:MOST_WORDS] for text in (before, after))
    for _, first, last, begin, end in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        yield WordDifference(before=" ".join(old[first:last]), after=" ".join(new[begin:end]))
