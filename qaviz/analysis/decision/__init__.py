"""What to ship: the recommendation that a run supports, how sure it is, its risk, and what would settle it.

Taken on right answers (see `qaviz.analysis.right_answers`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from qaviz import stats
from qaviz.analysis.comparison import FIRST, SECOND, ComparedRow, seen_from
from qaviz.analysis.consistency import whole
from qaviz.analysis.criteria import CRITICAL, CriterionRow, Outcome, evaluate, has_tag, in_words
from qaviz.analysis.decision import words
from qaviz.analysis.decision.choice import MOST_QUESTIONS, Choice, Confidence, Pairs, Standing, choose
from qaviz.analysis.numbers import out_of
from qaviz.analysis.right_answers import (
    MEASURE,
    NO_LABELS,
    RightAnswersRow,
    compare_right_answers,
    right_answers,
    select_counted,
    settle,
)
from qaviz.model.classes import Diagnosis, Measure, Verdict
from qaviz.model.columns import (
    ANSWER,
    CONFIDENCE,
    COST,
    DIAGNOSIS,
    FACT,
    LABEL,
    LATENCY_MS,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REASON,
    RESPONSE,
    VERDICT,
    typed_rows,
)
from qaviz.model.records import Criterion


@dataclass(frozen=True, kw_only=True)
class Risk:
    """What may go wrong, and one response that shows it. Texts as they came; None where there is none."""

    sentence: str
    responses: int
    question_id: str
    pipeline: str
    question: str | None
    answer: str | None
    fact: str | None
    response: str | None
    reason: str | None


class _WithCritical(RightAnswersRow):
    critical: int
    """Critical questions right."""


class RankedRow(_WithCritical):
    """A row of `Decision.ranking`: one pipeline."""

    in_words: str
    """Its right answers: `56 of 63`."""
    criteria: str | None
    """A `criteria.Outcome`; None without criteria."""
    against: str | None
    """What is known of the subject against it, a `stats.Decision`; None for the subject."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What a run says should be shipped. Sentences quote names as they came: they are text."""

    recommended: str | None
    """None where nothing may be recommended: the sentence says why."""
    subject: str
    """The pipeline that the reasons and the risk are about: the recommended one, else the one that leads."""
    confidence: Confidence
    sentence: str
    reasons: tuple[str, ...]
    """Three at most, the weightiest first."""
    trust: str
    """How far people agree with the verdicts."""
    risk: Risk | None
    settled_by: int | None
    """How many more questions like these would settle it: 0 where it is settled, None where no number of them would."""
    settling: str
    """The same in a sentence."""
    effort: str | None
    """Cost and latency of the subject, in a sentence; None where no response carries them."""
    ranking: pl.DataFrame
    """Columns of RankedRow, the best pipeline first; of several that are level, the cheapest or fastest."""
    criteria: pl.DataFrame
    """`criteria.evaluate`."""
    comparisons: pl.DataFrame
    """`right_answers.compare_right_answers`, in the order of the ranking."""
    labelled: int
    """Responses with a label."""
    agreed: int
    """Of these, those whose verdict is the label."""
    doubts: tuple[str, ...] = ()
    """What was doubtful when the run was loaded, a sentence each: the first risk."""
    measure: str = MEASURE


def decide(
    rows: pl.DataFrame,
    golden: pl.DataFrame,
    criteria: Sequence[Criterion] = (),
    labels: pl.DataFrame = NO_LABELS,
    doubts: Sequence[str] = (),
) -> Decision:
    """The decision of a run from its rows (`Workspace.rows`), golden dataset, acceptance criteria and people's labels.

    Repeats of a pipeline are one pipeline. `labels` is as `right_answers.settle` takes them. With `doubts` of loading
    (`loading.doubts.read_doubts`) it is never sure.
    """
    settled = whole(settle(select_counted(rows), labels))
    pipelines = settled[PIPELINE].unique(maintain_order=True).to_list()
    critical = golden.filter(has_tag(CRITICAL))[QUESTION_ID]
    ranking = _rank_pipelines(right_answers(settled, pipelines), settled, critical)
    names = ranking[PIPELINE].to_list()
    known = evaluate(settled, golden, names, criteria)
    comparisons = compare_right_answers(settled, names)
    choice = choose(list(_make_standings(ranking, known)), _see_both_ways(comparisons))
    labelled, agreed = _count_agreement(rows, labels)
    return Decision(
        recommended=choice.subject.name if choice.recommended else None,
        subject=choice.subject.name,
        confidence=Confidence.MEDIUM if doubts and choice.confidence is Confidence.HIGH else choice.confidence,
        sentence=words.headline(choice),
        reasons=tuple(words.reasons(choice, critical.len(), settled[QUESTION_ID].n_unique(), golden.height)),
        trust=words.trust(labelled, agreed),
        risk=biggest_risk(settled, choice.subject.name, critical, rows),
        settled_by=choice.settled_by,
        settling=words.settling(choice),
        effort=words.effort(choice),
        ranking=_describe_ranking(ranking, choice),
        criteria=known,
        comparisons=comparisons,
        labelled=labelled,
        agreed=agreed,
        doubts=tuple(doubts),
    )


def _rank_pipelines(found: pl.DataFrame, settled: pl.DataFrame, critical: pl.Series) -> pl.DataFrame:
    """With `critical`; the highest share first, then the lowest cost, the shortest time, the order given."""
    own = settled.select(QUESTION_ID, PIPELINE, VERDICT).filter(pl.col(QUESTION_ID).is_in(critical.implode()))
    by_question = own.group_by(PIPELINE, QUESTION_ID).agg((pl.col(VERDICT) == Verdict.CORRECT.value).all().alias("ok"))
    right = by_question.group_by(PIPELINE).agg(pl.col("ok").sum().cast(pl.Int64).alias("critical"))
    found = found.join(right, on=PIPELINE, how="left", maintain_order="left").with_columns(
        pl.col("critical").fill_null(0)
    )
    # Sums round: level shares are level.
    order = [-pl.col("share").round(9), pl.col(COST), pl.col(LATENCY_MS)]
    return found.sort(order, nulls_last=True, maintain_order=True)


def _make_standings(ranking: pl.DataFrame, known: pl.DataFrame) -> Iterator[Standing]:
    for row in typed_rows(ranking, _WithCritical):
        criteria = list(typed_rows(known.filter(pl.col(PIPELINE) == row[PIPELINE]), CriterionRow))
        yield Standing(
            name=row[PIPELINE],
            right=row["right"],
            of=row["of"],
            unsure=row["unsure"],
            missing=row["missing"],
            share=row["share"],
            low=row["low"],
            high=row["high"],
            labelled=row["labelled"],
            corrected_by_labels=row["corrected_by_labels"],
            cost=row[COST],
            latency_ms=row[LATENCY_MS],
            critical=row["critical"],
            met=_with_outcome(criteria, Outcome.MET),
            missed=_with_outcome(criteria, Outcome.NOT_MET),
            not_shown=_with_outcome(criteria, Outcome.NOT_SHOWN),
            needed_for_criteria=_count_needed_questions(criteria),
        )


def _with_outcome(criteria: Sequence[CriterionRow], outcome: Outcome) -> tuple[str, ...]:
    return tuple(in_words(row) for row in criteria if row["outcome"] == outcome.value)


def _count_needed_questions(criteria: Sequence[CriterionRow]) -> int | None:
    """More questions that would show all open criteria to be met, if shares stay; 0 where none is open."""
    needed = [_count_needed_for(row) for row in criteria if row["outcome"] == Outcome.NOT_SHOWN.value]
    return max((each for each in needed if each is not None), default=0) if None not in needed else None


def _count_needed_for(row: CriterionRow) -> int | None:
    if row["value"] is None or row["scored"] < row["expected"]:
        return None
    more = Measure(row["measure"]).more_is_better
    for questions in _grow_sizes(row["scored"]):
        low, high = stats.wilson(round(row["value"] * questions), questions)
        if (low >= row["bound"]) if more else (high <= row["bound"]):
            return questions - row["scored"]
    return None


def _grow_sizes(questions: int) -> Iterator[int]:
    """Numbers of questions above this one, a twentieth more each time."""
    while (questions := questions + max(1, questions // 20)) <= MOST_QUESTIONS:
        yield questions


def _see_both_ways(comparisons: pl.DataFrame) -> Pairs:
    rows = typed_rows(comparisons, ComparedRow)
    both = (seen_from(row, name) for row in rows for name in (row[FIRST], row[SECOND]))
    return {(row[FIRST], row[SECOND]): row for row in both}


def _describe_ranking(ranking: pl.DataFrame, choice: Choice) -> pl.DataFrame:
    against = [None if each is choice.subject else choice.against(each).value for each in choice.standings]
    return ranking.with_columns(
        pl.Series("in_words", [words.right_of(each).removesuffix(" right") for each in choice.standings], pl.String),
        pl.Series("criteria", [_find_worst_outcome(each) for each in choice.standings], pl.String),
        pl.Series("against", against, pl.String),
    )


def _find_worst_outcome(each: Standing) -> str | None:
    if each.missed:
        return Outcome.NOT_MET.value
    return Outcome.NOT_SHOWN.value if each.not_shown else Outcome.MET.value if each.met else None


def _count_agreement(rows: pl.DataFrame, labels: pl.DataFrame) -> tuple[int, int]:
    """How many responses are labelled, and how many of these have their label as verdict."""
    newest = labels.unique([QUESTION_ID, PIPELINE], keep="last").select(QUESTION_ID, PIPELINE, LABEL)
    compared = rows.select(QUESTION_ID, PIPELINE, pl.col(VERDICT).cast(pl.String)).join(
        newest, on=[QUESTION_ID, PIPELINE]
    )
    return compared.height, compared.filter(pl.col(LABEL) == pl.col(VERDICT)).height


_CRITICAL = "critical"
_PLACE = "place"

_WEIGHTS = {
    Diagnosis.HALLUCINATION.value: 3.0,
    Diagnosis.ACCIDENTAL.value: 2.0,
    Diagnosis.OFF_TARGET.value: 2.0,
    Diagnosis.DECLINED.value: 1.0,
    Diagnosis.UNSCORED.value: 0.5,
}
_BY_PEOPLE = "by people"
_BY_PEOPLE_WEIGHT = 2.0
"""How much a response of each diagnosis hurts: a wrong value is believed, an answer that is not given is not."""

_SENTENCES = {
    _CRITICAL: "{n} critical questions are not answered right",
    Diagnosis.HALLUCINATION.value: "{n} responses state a wrong value that readers may believe",
    Diagnosis.ACCIDENTAL.value: "{n} responses match the fact by accident: FMEval counts them as right",
    Diagnosis.OFF_TARGET.value: "{n} responses answer a different question",
    Diagnosis.DECLINED.value: "{n} responses give no answer",
    Diagnosis.UNSCORED.value: "{n} responses are not judged: they may be right or wrong",
    _BY_PEOPLE: "{n} responses look right, but people labelled them as wrong",
}

_EXAMPLE = (QUESTION_ID, PIPELINE, QUESTION, ANSWER, FACT, RESPONSE, REASON)


def biggest_risk(settled: pl.DataFrame, pipeline: str, critical: pl.Series, rows: pl.DataFrame) -> Risk | None:
    """The risk of a pipeline that weighs most, with its most certain response; None where every response is right.

    `critical` are the ids of the questions tagged critical: one of them that is not right outweighs all else.
    `settled` are the verdicts of the `rows`, in their order; the texts of the example are the rows'.
    """
    judged = settled.select(QUESTION_ID, PIPELINE, DIAGNOSIS, VERDICT, CONFIDENCE).with_row_index(_PLACE)
    own = judged.filter(pl.col(PIPELINE) == pipeline)
    wrong = own.filter(pl.col(VERDICT) != Verdict.CORRECT.value)
    broken = wrong.filter(pl.col(QUESTION_ID).is_in(critical.implode()))
    if broken.height:
        among = own.filter(pl.col(QUESTION_ID).is_in(critical.implode())).height
        return _describe_risk(_CRITICAL, broken, among, rows)
    if wrong.is_empty():
        return None
    diagnosis = pl.col(DIAGNOSIS).cast(pl.String)
    wrong = wrong.with_columns(
        pl.when(diagnosis.is_in(list(_WEIGHTS))).then(diagnosis).otherwise(pl.lit(_BY_PEOPLE)).alias("kind")
    )
    found = dict(wrong["kind"].value_counts(sort=True).iter_rows())
    name = max(found, key=lambda kind: found[kind] * _WEIGHTS.get(kind, _BY_PEOPLE_WEIGHT))
    return _describe_risk(name, wrong.filter(pl.col("kind") == name), own.height, rows)


def _describe_risk(name: str, responses: pl.DataFrame, among: int, rows: pl.DataFrame) -> Risk:
    """The risk of this name, with the surest of these responses from the rows that they were taken of."""
    surest = responses.sort(CONFIDENCE, descending=True, nulls_last=True, maintain_order=True)[_PLACE][0]
    known = rows[surest].select(name for name in _EXAMPLE if name in rows.columns).row(0, named=True)
    sentence = f"{_SENTENCES[name].format(n=out_of(responses.height, among))}."
    return Risk(sentence=sentence, responses=responses.height, **dict.fromkeys(_EXAMPLE) | known)
