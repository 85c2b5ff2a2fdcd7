"""Run against run, question by question: which questions and responses meet, and what became of each: fixed, broken,
changed, the same. Gate, check, Compare and `qaviz compare` count these rows.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, TypedDict

import polars as pl

from qaviz.analysis import outcomes as o
from qaviz.analysis.glossary import TEXTS
from qaviz.analysis.numbers import count, join, plural
from qaviz.contexts.funnel import explain_moves
from qaviz.diagnosis import READER_VERSION, diagnose
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Run
from qaviz.stats import ALPHA
from qaviz.store.labels import kept_labels
from qaviz.store.run_records import find_record
from qaviz.store.workspace import Workspace

CHANGE = "change"
SAME_TRIPLET, REGROUPED = "same_triplet", "regrouped"
"""Whether answer, fact and `answerable` are those of before; whether category or tags are not."""
BEFORE = "_before"
"""Ends the names of what is of the run before."""
_JUDGED_BY, _GROUPED_BY = (c.ANSWER, c.FACT, c.ANSWERABLE), (c.CATEGORY, c.TAGS)

LEAST_LOSS, MOST_LOSS = "least_loss", "most_loss"
"""By how much a response fell from right (1) to wrong (0), by what is certain, and at most; a gain is below 0."""
ONE_SIDED, CONTRADICTED, WORDS_HOLD = "one_sided", "contradicted", "words_hold"
"""Whether people labelled one of two different texts alone; whether they say other than its verdict; whether verdicts
can compare the two pipelines, as far as such labels tell."""

MOST_WORDS = 150
"""Words of a response that are compared; comparing takes time by their square."""
MOST_CHARACTERS = 2_000
_NAMED = 20
HALF = 0.5
"""Of a question's repeats, more than which make it broken, or fixed."""


class Change(StrEnum):
    """What became of one question."""

    FIXED = "fixed"
    BROKEN = "broken"
    CHANGED = "changed"
    SAME = "same"


@dataclass(frozen=True, kw_only=True)
class RunSide:
    """A run with its tables, and the labels of its responses."""

    run: Run
    golden: pl.DataFrame
    """The questions that it asked."""
    rows: pl.DataFrame
    labels: pl.DataFrame = field(default_factory=lambda: o.NO_LABELS)
    reader: str = READER_VERSION
    """The version of the reader whose verdicts it has."""

    @cached_property
    def outcomes(self) -> pl.DataFrame:
        """`outcomes.tabulate` of the run."""
        return o.tabulate(self.rows, self.golden[c.QUESTION_ID], self.labels)

    def merge_repeats(self) -> "RunSide":
        """The run with its repeats named as the pipeline that they repeat."""
        names = o.whole(self.rows.select(c.PIPELINE, *({c.REPEAT_OF} & {*self.rows.columns})))[c.PIPELINE]
        pipelines = tuple(names.cast(pl.String).unique(maintain_order=True))
        return replace(self, run=replace(self.run, pipelines=pipelines))


def read_side(home: Workspace, run: Run) -> RunSide:
    """A run of the workspace with the questions that it asked, its rows and people's labels."""
    rows = home.rows(run)
    golden = o.select_asked(home.golden(run.golden_id), rows, run.listed_counts)
    made_of = find_record(home, run.run_id).provenance
    reader = made_of.reader if made_of else ""
    return RunSide(run=run, golden=golden, rows=rows, labels=kept_labels(home, run), reader=reader)


def judge_alike(before: RunSide, after: RunSide) -> tuple[RunSide, RunSide, str]:
    """Both with verdicts of one reader, and a sentence on who was judged again; blank where both have the same one.

    Verdicts of two readers differ where nothing else does. Scores, labels and grades stay; nothing is saved.
    """
    if before.reader == after.reader:
        return before, after, ""
    sides, names = [before, after], []
    for place, side in enumerate(sides):
        if side.reader != READER_VERSION:
            rows = diagnose(side.rows, side.run.thresholds)
            sides[place] = replace(side, rows=rows, reader=READER_VERSION)
            names.append(f'"{side.run.name}"')
    words = f"The runs have verdicts of two readers: {join(names)} judged again for this comparison."
    return sides[0], sides[1], words


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
        raise stop(
            f'the runs "{now.name}" and "{baseline.name}"',
            "no pipeline of the same name",
            "a pipeline of the run and the one of the baseline to compare it with",
            "Name a pipeline of each with --pair.",
        )
    return matched


def word_pairs(now: Run, baseline: Run, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Which pipelines of other names are compared, and which of either run with none: a reader has to know it first."""
    renamed = [f'"{first}" with "{second}" of the run before' for first, second in pairs if first != second]
    sentences = [f"Compared: {name_questions(renamed)}."] if renamed else []
    for run, compared in ((now, {first for first, _ in pairs}), (baseline, {second for _, second in pairs})):
        left_out = [name for name in run.pipelines if name not in compared]
        if left_out and now.run_id != baseline.run_id:
            sentences.append(f'Not compared, of the run "{run.name}": {name_questions(left_out)}.')
    return sentences


def align(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """The questions of two golden datasets that meet: QUESTION_ID, QUESTION, QUESTION_ID + BEFORE, SAME_TRIPLET,
    REGROUPED, in the order of the later one; no row where none meet.

    Questions of the same words, whatever blanks are around them, meet: first those of one id, then those of the same
    triplet, then the others. Where ids are places in a file, a new question at its beginning moves all of them. Words
    that stand twice meet by id alone.
    """
    id_before = f"{c.QUESTION_ID}{BEFORE}"
    columns = (c.QUESTION_ID, c.QUESTION, *_JUDGED_BY, *_GROUPED_BY)
    marked, stripped = pl.col(c.ANSWERABLE).fill_null(value=True), pl.col(c.QUESTION).str.strip_chars()
    first, last = (side.select(columns).with_columns(marked, stripped) for side in (before, after))
    first = first.with_columns(pl.col(c.QUESTION_ID).alias(id_before))
    old, new, matched = first, last, []
    for key in ((c.QUESTION_ID, c.QUESTION), (c.QUESTION, *_JUDGED_BY), (c.QUESTION,)):
        unique_old, unique_new = (side.unique(key, keep="none") for side in (old, new))
        ids = unique_new.join(unique_old.select(*key, id_before), on=key, nulls_equal=True)
        matched.append(ids.select(c.QUESTION_ID, id_before))
        new = new.join(ids, on=c.QUESTION_ID, how="anti", maintain_order="left")
        old = old.join(ids, on=id_before, how="anti")
    both = last.join(pl.concat(matched), on=c.QUESTION_ID, maintain_order="left")
    both = both.join(first.drop(c.QUESTION_ID), on=id_before, suffix=BEFORE, maintain_order="left")
    same, grouped = (
        pl.all_horizontal(pl.col(name).eq_missing(pl.col(f"{name}{BEFORE}")) for name in names)
        for names in (_JUDGED_BY, _GROUPED_BY)
    )
    return both.select(c.QUESTION_ID, c.QUESTION, id_before, same.alias(SAME_TRIPLET), (~grouped).alias(REGROUPED))


def pair_outcomes(before: RunSide, after: RunSide, pairs: Sequence[tuple[str, str]]) -> list[pl.DataFrame]:
    """What became of each question that both runs asked: a table for each of these pairs (of the later run, of the one
    before), all of the same questions.

    Columns of `align` and PIPELINE, RESPONSE, VERDICT, DIAGNOSIS, RIGHT, POSSIBLE, ANSWERED, COST, LATENCY_MS of both
    runs (of repeats the first texts, the mean outcomes), LEAST_LOSS, MOST_LOSS, ONE_SIDED, CONTRADICTED, WORDS_HOLD.
    Raises QavizError where no question is in both.

    A person's label holds for both runs where the texts are the same; the same text to the same triplet loses nothing.
    Where only one of two different texts has a label, the verdict decides the other, unless the label says other than
    its own text's verdict: then the other is open. Where that is so of more such labels than verdicts usually err on,
    beyond chance, verdicts decide nothing that changed.
    """
    questions = align(before.golden, after.golden)
    if questions.is_empty():
        raise stop(
            f'the golden datasets of "{before.run.name}" and "{after.run.name}"',
            "no question in both",
            "two runs that share questions",
            "Name runs of the same questions, or import the baseline's responses with this golden dataset.",
        )
    old, new = (_group_outcomes(side.outcomes) for side in (before, after))
    return [_join_pair(old, new, questions, pair) for pair in pairs]


def _group_outcomes(outcomes: pl.DataFrame) -> pl.DataFrame:
    """A row a question and pipeline: means over its repeats, and the texts of the first."""
    by_person = pl.col(c.LABEL).is_not_null() & (pl.col(o.ANSWERED) > 0)
    texts = [pl.col(name).first() for name in (c.RESPONSE, c.VERDICT, c.DIAGNOSIS)]
    efforts = (c.COST, c.LATENCY_MS)
    unknown = [pl.lit(None, pl.Float64).alias(name) for name in efforts if name not in outcomes.columns]
    return (
        outcomes.with_columns(unknown)
        .group_by(c.QUESTION_ID, c.PIPELINE, maintain_order=True)
        .agg(
            *texts,
            *(pl.col(name).mean() for name in (o.RIGHT, o.POSSIBLE, o.ANSWERED, *efforts)),
            words=(pl.col(o.PREDICTED) == 1).fill_null(value=False).mean(),
            labelled=(by_person | (pl.col(o.ANSWERED) == 0)).all() & by_person.any(),
            texts=pl.col(o.TEXT).sort(),
        )
    )


def _join_pair(old: pl.DataFrame, new: pl.DataFrame, questions: pl.DataFrame, pair: tuple[str, str]) -> pl.DataFrame:
    from scipy.special import bdtrc

    own = new.filter(pl.col(c.PIPELINE) == pair[0])
    theirs = old.filter(pl.col(c.PIPELINE) == pair[1])
    theirs = theirs.rename({name: f"{name}{BEFORE}" for name in theirs.columns})
    both = questions.join(own, on=c.QUESTION_ID, maintain_order="left")
    both = both.join(theirs, on=f"{c.QUESTION_ID}{BEFORE}", maintain_order="left")
    same = (pl.col("texts") == pl.col(f"texts{BEFORE}")) & (pl.col(o.ANSWERED) > 0) & pl.col(SAME_TRIPLET)
    both = both.with_columns(same.alias("alike"))
    both = both.with_columns(*_share_label(o.RIGHT), *_share_label(o.POSSIBLE), *_share_label(c.VERDICT))
    one_sided = (pl.col("labelled") != pl.col(f"labelled{BEFORE}")) & ~pl.col("alike") & pl.col(SAME_TRIPLET)
    differs, differed = (pl.col(f"{o.RIGHT}{end}") != pl.col(f"words{end}") for end in ("", BEFORE))
    contradicted = one_sided & pl.when("labelled").then(differs).otherwise(differed)
    both = both.with_columns(one_sided.alias(ONE_SIDED), contradicted.alias(CONTRADICTED))
    wrong, labels = (int(both[name].sum()) for name in (CONTRADICTED, ONE_SIDED))
    # Whether chance alone may have made so many verdicts wrong, at the usual rate: exact binomial.
    words_hold = not wrong or float(bdtrc(wrong - 1, labels, o.USUALLY_WRONG)) >= ALPHA
    (low, high), (low_before, high_before) = (_bound_side(end, words_hold=words_hold) for end in ("", BEFORE))
    zero = pl.lit(0.0)
    return both.with_columns(
        pl.when("alike").then(zero).otherwise(low_before - high).alias(LEAST_LOSS),
        pl.when("alike").then(zero).otherwise(high_before - low).alias(MOST_LOSS),
        pl.lit(words_hold).alias(WORDS_HOLD),
        pl.col("texts").eq_missing(pl.col(f"texts{BEFORE}")).alias("same_texts"),
    ).drop("words", f"words{BEFORE}", "texts", f"texts{BEFORE}")


def _share_label(name: str) -> Iterator[pl.Expr]:
    """The column of both sides: of the same text, what people say of it on either."""
    for end, other in (("", BEFORE), (BEFORE, "")):
        theirs = pl.col("alike") & pl.col(f"labelled{other}") & ~pl.col(f"labelled{end}")
        yield pl.when(theirs).then(pl.col(f"{name}{other}")).otherwise(pl.col(f"{name}{end}")).alias(f"{name}{end}")


def _bound_side(end: str, *, words_hold: bool) -> tuple[pl.Expr, pl.Expr]:
    """How right a response is at least and at most; open where words do not hold for it."""
    by_words = ~pl.col(f"labelled{end}")
    is_open = by_words & (pl.col(CONTRADICTED) if words_hold else ~pl.col("alike"))
    answered = pl.col(f"{o.ANSWERED}{end}")
    low = pl.when(is_open).then(0.0).otherwise(pl.col(f"{o.RIGHT}{end}"))
    return low, pl.when(is_open).then(answered).otherwise(pl.col(f"{o.POSSIBLE}{end}"))


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


def compare_runs(before: RunSide, after: RunSide, pairs: Sequence[tuple[str, str]] = ()) -> pl.DataFrame:
    """One row a question that both runs asked and pair of pipelines, in the order of the later run; response, verdict
    and diagnosis are null where the response is missing.

    `pairs` are pipelines of the run before, each with one of the run after; without them those of the same name.
    Repeats are one pipeline, with the texts of the first. Columns of ChangedQuestion. Raises QavizError as
    `pair_pipelines` and `pair_outcomes`.
    """
    before, after, _ = judge_alike(before.merge_repeats(), after.merge_repeats())
    turned = pair_pipelines(after.run, before.run, [(new, old) for old, new in pairs])
    return name_changes(pl.concat(pair_outcomes(before, after, turned)))


def name_changes(outcomes: pl.DataFrame) -> pl.DataFrame:
    """Rows of `pair_outcomes` as those of ChangedQuestion.

    Broken and fixed are what is certain to have fallen from right, or risen to it; with another answer, fact or flag
    nothing is. The same text, in each repeat, and verdict is the same, all else changed.
    """
    alike = (pl.col(name).eq_missing(pl.col(f"{name}{BEFORE}")) for name in (c.RESPONSE, c.VERDICT))
    holds = {
        Change.FIXED: pl.col(SAME_TRIPLET) & (pl.col(MOST_LOSS) < -HALF),
        Change.BROKEN: pl.col(SAME_TRIPLET) & (pl.col(LEAST_LOSS) > HALF),
        Change.SAME: pl.all_horizontal(*alike, "same_texts"),
        Change.CHANGED: pl.lit(value=True),
    }
    change = o.name_first(holds).cast(pl.String).alias(CHANGE)
    changes = outcomes.with_columns(change, (~pl.col(SAME_TRIPLET)).alias("golden_changed"))
    return changes.select(*ChangedQuestion.__annotations__)


def count_changes(changes: pl.DataFrame) -> dict[Change, int]:
    """How many questions of `compare_runs` became what, in the order of Change."""
    counts = dict(changes[CHANGE].value_counts().iter_rows())
    return {change: counts.get(change.value, 0) for change in Change}


def find_golden_changes(before: pl.DataFrame, after: pl.DataFrame) -> dict[str, list[str]]:
    """The ids of the questions of each of the golden changes of words.toml, in the order of the later run; what is gone
    has its own. A response that is right by another answer or fact may be wrong by the other."""
    both = align(before, after)
    new, gone = (
        side.join(both, left_on=c.QUESTION_ID, right_on=name, how="anti", maintain_order="left")[c.QUESTION_ID]
        for side, name in ((after, c.QUESTION_ID), (before, f"{c.QUESTION_ID}{BEFORE}"))
    )
    kept = {"not_comparable": both.filter(~pl.col(SAME_TRIPLET)), "regrouped": both.filter(REGROUPED)}
    ids = {name: rows[c.QUESTION_ID].to_list() for name, rows in kept.items()}
    return ids | {"new": new.to_list(), "gone": gone.to_list()}


def word_golden_changes(changes: Mapping[str, Sequence[str]]) -> str:
    """The change in a sentence; blank where nothing changed."""
    listed = [
        f"{plural(len(ids), 'question')} {words}: {name_questions(ids)}"
        for name, words in TEXTS["golden_changes"].items()
        if (ids := changes[name])
    ]
    return f"The golden dataset changed: {'; '.join(listed)}." if listed else ""


def name_questions(ids: Iterable[str]) -> str:
    """`q1, q2 and 7 more`."""
    ids = list(ids)
    more = f" and {count(len(ids) - _NAMED)} more" if len(ids) > _NAMED else ""
    return f"{', '.join(ids[:_NAMED])}{more}"


def word_step_changes(before: RunSide, after: RunSide) -> list[str]:
    """The steps from documents to answers that pipelines of both runs take more or less often, beyond chance."""
    own = [{str(name): rows for (name,), rows in side.rows.group_by(c.PIPELINE)} for side in (before, after)]
    both = [name for name in after.run.pipelines if name in own[0] and name in own[1]]
    return [f"{name}: {sentence}" for name in both for _, sentence in explain_moves(own[1][name], own[0][name])]


class WordDifference(NamedTuple):
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
        yield WordDifference(" ".join(old[first:last]), " ".join(new[begin:end]))
