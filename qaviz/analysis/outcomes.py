"""Outcomes: what became of each question asked, by pipeline and repeat; the table that all count from.

Nobody else reads labels, grades or verdicts to count (docs/decision.md). A share is `estimates.estimate` of it, a
difference `estimates.compare`, a criterion `criteria.meets`; pages, gate, history and files group what these return.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.loading.load_log import SAMPLE
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Verdict
from qaviz.stats.corrected_shares import fisher_test
from qaviz.store.labels import DRAWN, LABELLED_AT, LABELLED_BY

MEASURE = "right answers"
SEED = 20230630
"""Of the run's random order, and of resamples: the same rows give the same figures."""

NO_LABELS = pl.DataFrame(schema={c.QUESTION_ID: pl.String, c.PIPELINE: pl.String, c.LABEL: pl.String})

COMPARED = (c.VERDICT, c.FACTUAL_KNOWLEDGE, c.RECALL, c.PRECISION, c.F1)
"""What pipelines are compared by, the measure that decides first: VERDICT stands for right answers."""


class State(StrEnum):
    """What became of one question asked of a pipeline, in one repeat."""

    RIGHT = "right"
    WRONG = "wrong"
    DECLINED = "declined rightly"
    UNSURE = "unsure"
    EMPTY = "empty"
    MISSING = "missing"
    """There is none, or an error message in its place."""


STATE: Final = "state"
"""A `State`."""
SAMPLED = "sampled"
"""Whether a label of the response was drawn at random, so that it may correct shares and fits."""
TEXT = "text"
"""A number that stands for the response's text; null where there is none."""
EMPTY, MISSING = "empty", "missing"
"""Whether a response has nothing but white space; whether there is none."""
RIGHT, POSSIBLE = "right", "possible"
"""Whether a response is right: 1 or 0; RIGHT counts an open one as 0, POSSIBLE as 1."""
LABELLED, PREDICTED = "labelled", "predicted"
"""Whether a label drawn at random says right, and whether the verdict does: 1, 0, or .5 for an unsure verdict; null
where there is none, and where there is no text."""
ANSWERED: Final = "answered"
"""1 for a response with a text, else 0."""
LABELS, TEXTS = "labels", "texts"
"""Of a question: how many repeats have a label drawn at random, and a text."""
IS_OPEN = pl.col(POSSIBLE) > pl.col(RIGHT)
_BARE = pl.col(c.RESPONSE).str.strip_chars()
_NUMBERED = pl.when(_BARE.str.contains(r"\S")).then(_BARE.hash()).alias(TEXT)

_KEY = [c.QUESTION_ID, c.PIPELINE]
ALL_REPEATS = 1 - 1e-9
"""The share of a question's repeats above which all are meant."""
UNSURE_COUNTS, UNKNOWN_DOUBT = 0.5, 0.25
"""PREDICTED of an unsure verdict; the doubt of a verdict without a confidence, such as an imported one."""
USUALLY_WRONG = 0.15
"""Share of verdicts that people contradict on families that the model was not fitted on (docs/proof.md)."""

COUNTED = (
    *(c.QUESTION_ID, c.PIPELINE, c.REPEAT_OF, c.ANSWERABLE, c.VERDICT, c.DIAGNOSIS, c.CONFIDENCE),
    *(c.COST, c.LATENCY_MS, *(metric for metric in COMPARED if metric != c.VERDICT), c.FAULT, c.IN_DOCUMENTS),
    *(c.CONTEXT_USED, c.RETRIEVAL_RANK, c.RETRIEVAL_HIT, *c.RETRIEVAL_SCORES, c.CONTEXT_SUPPORT, c.THEIR_SCORES),
)


def select_counted(rows: pl.DataFrame) -> pl.DataFrame:
    """What is counted of a run's rows: no texts, which would be copied with them, but TEXT."""
    return rows.select(*(name for name in COUNTED if name in rows.columns), _NUMBERED)


def select_asked(golden: pl.DataFrame, rows: pl.DataFrame, listed_counts: Mapping[str, int]) -> pl.DataFrame:
    """The triplets of the questions that a run asked: all of them, but for a run of FMEval's own fixed sample."""
    if not listed_counts.get(SAMPLE):
        return golden
    return golden.join(rows.select(c.QUESTION_ID), on=c.QUESTION_ID, how="semi", maintain_order="left")


def whole(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with every repeat under the name of the pipeline that it repeats."""
    if c.REPEAT_OF not in rows.columns:
        return rows
    return rows.with_columns(pl.coalesce(c.REPEAT_OF, c.PIPELINE).alias(c.PIPELINE))


def tabulate(
    rows: pl.DataFrame, questions: pl.Series, labels: pl.DataFrame = NO_LABELS, *, apart: bool = False
) -> pl.DataFrame:
    """The table of outcomes: a row for each of the `questions` asked, pipeline and repeat.

    First the `rows`, all of a run in their order, with their own columns; then what is missing. Added are LABEL and the
    columns of this module. VERDICT becomes the word that counts, the label's where there is one. Repeats get their
    pipeline's name; `apart` leaves each as one.

    A person's label comes before a judge's grade, which stands in the verdict, and that before qaviz's own verdict. Of
    several labels the newest counts (`labels` are in their order). A label counts for every pipeline that gave the same
    text to the same question, but is SAMPLED for the pipeline that it was drawn of alone, and for one that gave the
    same texts to all questions.
    """
    rows = rows if TEXT in rows.columns else rows.with_columns(_NUMBERED)
    rows = rows.with_columns(pl.col(_KEY).cast(pl.String))
    verdict = pl.col(c.VERDICT).cast(pl.String).fill_null(Verdict.UNSURE.value)
    answered, unsure = pl.col(TEXT).is_not_null(), verdict == Verdict.UNSURE.value
    by_label, by_verdict = (is_right(word, rows.columns) for word in (pl.col(c.LABEL), verdict))
    right = answered & pl.coalesce(by_label, by_verdict)
    is_open = answered & unsure & pl.col(c.LABEL).is_null()
    predicted = pl.when(unsure).then(UNSURE_COUNTS).otherwise(by_verdict.cast(pl.Float64))
    outcomes = rows.with_columns(*_match_labels(rows, mark_sampled(labels, rows))).with_columns(
        pl.lit(False).alias(MISSING),
        answered.not_().alias(EMPTY),
        answered.cast(pl.Float64).alias(ANSWERED),
        right.cast(pl.Float64).alias(RIGHT),
        (right | is_open).cast(pl.Float64).alias(POSSIBLE),
        pl.when(answered & pl.col(SAMPLED)).then(by_label.cast(pl.Float64)).alias(LABELLED),
        pl.when(answered).then(predicted).alias(PREDICTED),
        pl.coalesce(c.LABEL, verdict).alias(c.VERDICT),
    )
    right = pl.col(RIGHT) == 1
    states = {
        State.MISSING: pl.col(MISSING),
        State.EMPTY: pl.col(EMPTY),
        State.DECLINED: right & (pl.col(c.VERDICT) == Verdict.DECLINED.value),
        State.RIGHT: right,
        State.UNSURE: pl.col(POSSIBLE) == 1,
        State.WRONG: pl.lit(True),
    }
    full = _add_missing(outcomes, questions).with_columns(name_first(states).alias(STATE))
    return full if apart else whole(full)


def is_right(word: pl.Expr, columns: Sequence[str]) -> pl.Expr:
    """Whether a label or a verdict is right, of rows with these columns; null where there is none."""
    unanswerable = ~pl.col(c.ANSWERABLE).fill_null(True) if c.ANSWERABLE in columns else pl.lit(False)
    return (word == Verdict.CORRECT.value) | ((word == Verdict.DECLINED.value) & unanswerable)


def doubt_of(predicted: pl.Expr, columns: Sequence[str]) -> pl.Expr:
    """The probability that a verdict errs, from PREDICTED and CONFIDENCE: half for an unsure one."""
    confidence = pl.col(c.CONFIDENCE).cast(pl.Float64) if c.CONFIDENCE in columns else pl.lit(None, pl.Float64)
    own = pl.when(predicted == UNSURE_COUNTS).then(UNSURE_COUNTS).otherwise(1 - confidence)
    return own.fill_null(UNKNOWN_DOUBT).clip(0, 0.5)


_Name = TypeVar("_Name", bound=StrEnum)


def name_first(names: Mapping[_Name, pl.Expr]) -> pl.Expr:
    """The first of the names whose condition holds, as an Enum of all of its kind; null where none does."""
    kind = type(next(iter(names)))
    named = (pl.when(holds).then(pl.lit(name.value)) for name, holds in names.items())
    return pl.coalesce(named).cast(pl.Enum([name.value for name in kind]))


def _match_labels(rows: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """LABEL and SAMPLED of each row; `labels` as `mark_sampled` returns them."""
    if labels.is_empty():  # a join copies the names, .8 GB for a million rows
        return pl.DataFrame({c.LABEL: [None], SAMPLED: [False]}, schema={c.LABEL: pl.String, SAMPLED: pl.Boolean})[
            [0] * rows.height
        ]
    texts = pl.concat_list(pl.struct(c.QUESTION_ID, TEXT).hash()).explode().sort()
    twins = rows.select(*_KEY, TEXT).group_by(c.PIPELINE).agg(texts.implode().hash().first().alias("twin"))
    own = labels.unique(_KEY, keep="last", maintain_order=True).select(*_KEY, c.LABEL, SAMPLED)
    keyed = rows.select(*_KEY, TEXT).join(twins, on=c.PIPELINE, maintain_order="left")
    given = own.join(keyed, on=_KEY, maintain_order="left").filter(pl.col(TEXT).is_not_null())
    by_text = given.unique([c.QUESTION_ID, TEXT], keep="last").select(c.QUESTION_ID, TEXT, c.LABEL)
    drawn = given.filter(SAMPLED).unique([c.QUESTION_ID, "twin"], keep="last")
    matched = keyed.join(own, on=_KEY, how="left", maintain_order="left")
    matched = matched.join(by_text, on=[c.QUESTION_ID, TEXT], how="left", suffix="_text", maintain_order="left")
    others = drawn.select(c.QUESTION_ID, "twin", pl.lit(True).alias("drawn"))
    matched = matched.join(others, on=[c.QUESTION_ID, "twin"], how="left", maintain_order="left")
    return matched.select(
        pl.coalesce(f"{c.LABEL}_text", c.LABEL).alias(c.LABEL),
        (pl.col(SAMPLED).fill_null(False) | pl.col("drawn").fill_null(False)),
    )


def _add_missing(outcomes: pl.DataFrame, questions: pl.Series) -> pl.DataFrame:
    names = outcomes.select(c.PIPELINE, *({c.REPEAT_OF} & {*outcomes.columns})).unique(c.PIPELINE, maintain_order=True)
    if outcomes.height == len(questions) * names.height:
        return outcomes
    slots = questions.rename(c.QUESTION_ID).to_frame().join(names, how="cross")
    absent = slots.join(outcomes.select(_KEY), on=_KEY, how="anti", maintain_order="left").with_columns(
        pl.lit(True).alias(MISSING),
        *(pl.lit(False).alias(name) for name in (EMPTY, SAMPLED)),
        *(pl.lit(0.0).alias(name) for name in (RIGHT, POSSIBLE, ANSWERED)),
    )
    return pl.concat([outcomes, absent], how="diagonal")


def find_overruled(rows: pl.DataFrame, labels: pl.DataFrame = NO_LABELS) -> pl.Series:
    """Whether a person or a judge decides against a row's diagnosis, or its refusal is right: booleans, in row order.

    Such a response is right though its diagnosis is of wrong ones, or wrong though it is of right ones.
    """
    of_class = {kind.value: verdict is Verdict.CORRECT for kind, verdict in VERDICT_OF.items()}
    by_diagnosis = pl.col(c.DIAGNOSIS).cast(pl.String).replace_strict(of_class, return_dtype=pl.Boolean, default=None)
    outcomes = tabulate(select_counted(rows), rows[c.QUESTION_ID].unique(), labels, apart=True)[: rows.height]
    judged = pl.when(pl.col(STATE) != State.UNSURE.value).then(pl.col(RIGHT) == 1)
    return outcomes.select((judged != by_diagnosis).fill_null(False) & pl.col(TEXT).is_not_null()).to_series()


def read_score(rows: pl.DataFrame, name: str) -> pl.Series:
    """The score of this name that came with each row, or that a function gave; null where there is none."""
    if c.THEIR_SCORES not in rows.columns:
        return pl.Series(name, [None] * rows.height, pl.Float64)
    of_name = pl.element().filter(pl.element().struct.field("name") == name)
    return rows.select(pl.col(c.THEIR_SCORES).list.eval(of_name).list.last().struct.field("value").alias(name))[name]


Values = NDArray[np.float64]
"""Scores by question, nan where there is none."""


@dataclass(frozen=True, kw_only=True)
class QuestionScores:
    """Scores by question and pipeline."""

    question_ids: pl.Series
    pipelines: tuple[str, ...]
    values: dict[str, Values]
    """By metric: a row a question, a column a pipeline, nan where it is not scored."""

    def of(self, metric: str, pipeline: str) -> Values:
        """The values of one pipeline, in the order of the questions."""
        return self.values[metric][:, self.pipelines.index(pipeline)]


def score_questions(
    outcomes: pl.DataFrame,
    pipelines: Sequence[str],
    metrics: Sequence[str] = COMPARED,
    questions: pl.Series | None = None,
) -> QuestionScores:
    """The outcomes by question: of these `questions`, else of all in the order of their ids.

    Beside the metrics always: VERDICT, the share of a question's repeats that is right; POSSIBLE, open ones counted as
    right; ANSWERED, the share that has a text; LABELLED and PREDICTED, means of those with a text; LABELS and TEXTS.
    """
    names = outcomes[c.QUESTION_ID].unique().sort() if questions is None else questions
    read = outcomes.select(
        *(*_KEY, POSSIBLE, ANSWERED, LABELLED, PREDICTED),
        *(metric for metric in metrics if metric != c.VERDICT),
        pl.col(RIGHT).alias(c.VERDICT),
        pl.col(LABELLED).is_not_null().alias(LABELS),
        pl.col(ANSWERED).alias(TEXTS),
        TEXT,
    )
    means = dict.fromkeys((c.VERDICT, POSSIBLE, ANSWERED, LABELLED, PREDICTED, TEXT, *metrics))
    return average_by_question(read, pipelines, (*means, LABELS, TEXTS), names)


def average_by_question(
    rows: pl.DataFrame, pipelines: Sequence[str], metrics: Sequence[str], questions: pl.Series
) -> QuestionScores:
    """These columns by question and pipeline, in the order of these `questions`.

    Repeats of a question are averaged, nan where none is scored; LABELS and TEXTS are added up, 0 where there is none.
    """
    places = questions.cast(pl.String).rename(c.QUESTION_ID).to_frame().with_row_index("question_place")
    columns = pl.DataFrame({c.PIPELINE: list(pipelines)}, schema={c.PIPELINE: pl.String})
    placed = rows.select(pl.col(_KEY).cast(pl.String))  # without the scores, which the joins would copy
    for of_names in (places, columns.with_row_index("pipeline_place")):
        placed = placed.join(of_names, on=of_names.columns[1], how="left", maintain_order="left")
    cells = placed.select(
        pl.col("question_place").cast(pl.Int64) * len(pipelines) + pl.col("pipeline_place")
    ).to_series()
    if cells.null_count():
        rows, cells = rows.filter(cells.is_not_null()), cells.drop_nulls()
    size, values = len(questions) * len(pipelines), dict[str, Values]()
    for metric in metrics:
        scores = rows[metric].cast(pl.Float64).to_numpy()
        scored = ~np.isnan(scores)
        at = cells.to_numpy()[scored]
        reduced = np.asarray(np.bincount(at, scores[scored], size), np.float64)
        if metric not in (LABELS, TEXTS):
            counts = np.bincount(at, minlength=size)
            reduced = np.divide(reduced, counts, out=np.full(size, np.nan), where=counts > 0)
        values[metric] = reduced.reshape(len(questions), len(pipelines))
    return QuestionScores(question_ids=questions, pipelines=tuple(pipelines), values=values)


def random_order(responses: int) -> pl.Series:
    """The places of a run's responses in its random order: the same each time."""
    return pl.Series(np.random.default_rng(SEED).permutation(responses)).cast(pl.UInt32)


def counting(labels: pl.DataFrame) -> pl.DataFrame:
    """One label a response, of labels as `store.kept_labels` returns them: where people differ, the newest."""
    return labels.unique(_KEY, keep="last", maintain_order=True)


def find_correcting(labels: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """The labels that may correct something, one a response: of `mark_sampled`, those that are SAMPLED, the newest."""
    return counting(mark_sampled(labels, rows).filter(SAMPLED))


def mark_sampled(labels: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Labels with SAMPLED, whether their response was drawn at random: the one rule on which labels may correct.

    `labels` are those of `store.kept_labels`, or a table of QUESTION_ID, PIPELINE, LABEL that came at once, with DRAWN
    where it is known; `rows` are all of the run, in its order, with VERDICT. A response is drawn at random if it
    stands in the labelled beginning of the run's random order (`random_order`), or all of its pipeline are labelled,
    or its label came with others at once. Those do not count where DRAWN says that they were picked, nor where their
    verdicts show it.
    """
    if labels.is_empty():
        return labels.with_columns(pl.lit(value=False).alias(SAMPLED))
    origin = {LABELLED_BY: pl.lit(""), LABELLED_AT: pl.lit(""), DRAWN: pl.lit(None, pl.Boolean)}
    full = labels.with_columns(**{name: value for name, value in origin.items() if name not in labels.columns})
    at_once = pl.len().over(LABELLED_BY, LABELLED_AT) > 1
    # What came at once was not offered one by one: where it begins the order, that it ends there may be no chance.
    first = _first_of_order(full.with_columns(pl.col(DRAWN).fill_null(~at_once)), rows)
    batches = _find_sampled_batches(full.filter(at_once & pl.col(DRAWN).fill_null(True)), rows)
    sampled = pl.concat([first, batches]).unique().with_columns(pl.lit(value=True).alias(SAMPLED))
    marked = labels.drop(SAMPLED, strict=False).join(sampled, on=_KEY, how="left", maintain_order="left")
    return marked.with_columns(pl.col(SAMPLED).fill_null(False))


def _find_sampled_batches(labels: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """QUESTION_ID and PIPELINE of the labels that may be a random sample, of labels that came at once, as in a file."""
    if labels.is_empty():
        return labels.select(_KEY)
    batch = [LABELLED_BY, LABELLED_AT]
    right = (pl.col(c.VERDICT) == Verdict.CORRECT.value).fill_null(False).alias("right")
    judged = rows.select(pl.col(_KEY).cast(pl.String), right)
    sums = [pl.col("right").sum(), pl.len().alias("of")]
    labelled = labels.join(judged, on=_KEY).group_by(*batch, c.PIPELINE).agg(sums)
    counts = labelled.join(judged.group_by(c.PIPELINE).agg(sums), on=c.PIPELINE, suffix="_all")
    # No random sample has verdicts so unlike the others: such labels are of picked responses.
    likely = [
        fisher_test(right, of, right_all - right, of_all - of) >= 0.001
        for right, of, right_all, of_all in counts.select("right", "of", "right_all", "of_all").iter_rows()
    ]
    return labels.join(counts.filter(pl.Series(likely, dtype=pl.Boolean)), on=[*batch, c.PIPELINE]).select(_KEY)


def _first_of_order(labels: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """The labelled responses before which, in the random order, every response of their pipeline is labelled.

    After the last one that was offered at random none counts, unless all of the pipeline are labelled: that a label
    given for another reason stands next in the order says nothing of the others.
    """
    in_order = rows.select(pl.col(_KEY).cast(pl.String))[random_order(rows.height)]
    labelled = labels.group_by(_KEY).agg(pl.col(DRAWN).any())
    ordered = in_order.join(labelled, on=_KEY, how="left", maintain_order="left")
    unbroken = pl.col(DRAWN).is_not_null().cast(pl.Int8).cum_min().over(c.PIPELINE) == 1
    offered_later = (unbroken & pl.col(DRAWN)).cast(pl.Int8).reverse().cum_max().reverse().over(c.PIPELINE) == 1
    complete = pl.col(DRAWN).is_not_null().all().over(c.PIPELINE)
    return ordered.filter(unbroken & (offered_later | complete)).select(_KEY)
