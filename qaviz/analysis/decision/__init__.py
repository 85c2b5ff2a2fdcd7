"""What to ship: the recommendation that a run supports, how sure it is, its risk, and what would settle it.

Taken on right answers, by `estimates` and `criteria` over the table of `outcomes`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import ceil
from typing import Any

import polars as pl

from qaviz.analysis import outcomes as o
from qaviz.analysis.board import CELL, Cell, name_cell
from qaviz.analysis.comparison import FIRST, SECOND, ComparedRow, seen_from
from qaviz.analysis.criteria import CRITICAL, count_more_questions, find_certificates, has_tag, meets
from qaviz.analysis.decision import words
from qaviz.analysis.decision.choice import Choice, Confidence, Kind, Pairs, Standing, choose
from qaviz.analysis.estimates import Method, compare, estimate
from qaviz.analysis.glossary import TEXTS
from qaviz.analysis.labels import count_contested
from qaviz.analysis.numbers import count, day, figure, out_of, plural
from qaviz.analysis.policy import CriterionRow, Outcome, in_words
from qaviz.analysis.selection import STAKES
from qaviz.model import columns as c
from qaviz.model.records import NO_PROTOCOL, Criterion, Override, Protocol
from qaviz.stats import power_with

PER = 10_000
"""Questions that an effect is stated for."""
_DOUBTED = "Labels stand behind the verdicts, but doubts of loading are open."
_PLACE, _CRITICAL = "place", "critical"
_WEIGHTS = STAKES | {Cell.UNSURE.value: 0.5, Cell.EMPTY.value: 2.0}
EXAMPLE = (c.QUESTION_ID, c.PIPELINE, c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE, c.REASON)
"""What is said of a response that shows something."""


class Status(StrEnum):
    """Where a decision stands."""

    SHIP = "ship"
    DO_NOT_SHIP = "do not ship"
    NOT_SETTLED = "not settled"
    READY = "ready for review"


class Word(StrEnum):
    """What the decision comes to, in one word."""

    SHIP = "Ship"
    LEADING = "Leading, not settled"
    LEVEL = "Level"
    DO_NOT_SHIP = "Do not ship"
    NO_DECISION = "No decision"


@dataclass(frozen=True, kw_only=True)
class Impact:
    """What shipping the subject would change, for every `per` questions."""

    per: int
    against: str | None
    """The next best pipeline; None where there is no other."""
    more_right: int | None
    """More right answers than the next best, with its 95 % interval; null where there is no other."""
    low: int | None
    high: int | None
    cost_per_right_answer: float | None
    """In the currency of the responses; null where the costs of fewer than 80 % of them are known, or none is right."""


def find_status(
    choice: Choice, criteria: pl.DataFrame, doubts: Sequence[str], protocol: Protocol, settling: str
) -> tuple[Status, str, str]:
    """The status, its reason, and what the reader of the decision does now: criteria that are missed, what is not
    settled, then what nobody agreed on before."""
    unsettled = not (choice.settled and (choice.recommended or choice.kind is Kind.LEVEL))
    situations = {
        "misses": choice.kind is Kind.MISSES,
        "by words": choice.by_words,
        "level, not settled": unsettled and choice.kind is Kind.LEVEL,
        "nothing": unsettled and choice.kind is Kind.NOTHING,
        "not settled": unsettled,
        "doubts": bool(doubts),
        "no criterion": criteria.is_empty(),
        "set after the result": protocol.before is False,
        "level": not choice.recommended,
        "met": True,
    }
    situation = next(name for name, holds in situations.items() if holds)
    status, reason, step = TEXTS["status"][situation]
    agreed = word_protocol(protocol)
    when = f" They were {agreed.removeprefix('criteria were ')}." if agreed else ""
    values = {"name": choice.subject.pipeline, "kind": choice.kind.value, "settling": settling, "agreed": agreed}
    return Status(status), reason.format(when=when, **values), step.format(**values)


def word_protocol(protocol: Protocol) -> str:
    """When the criteria were agreed: `criteria were set on 1 Nov 2026, before the result`; empty where nobody knows."""
    if protocol.set_at is None or protocol.before is None:
        return ""
    return f"criteria were set on {day(protocol.set_at)}, {'before' if protocol.before else 'after'} the result"


def word_override(override: Override) -> str:
    """What a person decided instead, why, and whether that holds."""
    ships = f"ship {override.ships}" if override.ships else "ship none"
    decided = f"Overridden by {override.by} on {day(override.at)}: {ships}. Reason: {override.reason.rstrip('.')}."
    if override.confirmed_by and override.confirmed_at:
        return f"{decided} Confirmed by {override.confirmed_by} on {day(override.confirmed_at)}."
    return decided if override.holds else f"{decided} It waits for a second person: until then it does not hold."


def find_impact(choice: Choice) -> Impact:
    """The effect of shipping the subject against the best of its rivals."""
    subject = choice.subject
    paid = None if subject.cost is None or not subject.share else subject.cost / subject.share
    pair: dict[str, Any] = {**choice.pair_with(choice.rivals[0])} if choice.rivals else {}
    ends = (pair.get(name) for name in ("difference", "low", "high"))
    more, low, high = (None if end is None else round(PER * end) for end in ends)
    return Impact(per=PER, against=pair.get(SECOND), more_right=more, low=low, high=high, cost_per_right_answer=paid)


def word_impact(subject: str, impact: Impact) -> str | None:
    """The effect in a sentence; None where there is nothing to say."""
    if impact.more_right is None or impact.low is None or impact.high is None:
        return None
    more = f"{count(abs(impact.more_right))} {'more' if impact.more_right > 0 else 'fewer'} right answers than"
    if impact.more_right == 0:
        more = "as many right answers as"
    paid = impact.cost_per_right_answer
    cost = "" if paid is None else f" A right answer of {subject} costs {figure(paid)}."
    small, large = sorted((abs(impact.low), abs(impact.high)))
    interval = f"{count(small)} to {count(large)} {'fewer' if impact.low < 0 else 'more'}"
    if impact.low < 0 < impact.high:
        interval = f"{count(-impact.low)} fewer to {count(impact.high)} more"
    return f"Per {count(impact.per)} questions: {more} {impact.against} (95% interval {interval}).{cost}"


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


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What a run says should be shipped. Sentences quote names as they came: they are text."""

    recommended: str | None
    """None where nothing may be recommended: the sentence says why."""
    subject: str
    """The pipeline that the reasons and the risk are about: the recommended one, else the one that leads."""
    kind: Kind
    confidence: Confidence | None
    """None for a tie."""
    confidence_reason: str
    settled: bool
    """Whether neither more questions of this kind nor open responses would change it."""
    open: int
    """Open responses that could turn it."""
    lead: str
    """How the sentence begins, where that says what to do: `Ship `, `Ship none: `, `Not settled: `; else empty."""
    sentence: str
    reasons: tuple[str, ...]
    """Three at most, the weightiest first."""
    trust: str
    risk: Risk | None
    settled_by: int | None
    """How many more questions like these would settle it: 0 where it is settled, None where no number of them would."""
    settled_in_days: int | None
    """The days that these take; None where nobody has said how many can be written a day."""
    settling: str
    next_step: str
    effort: str | None
    """Cost and latency of the subject, in a sentence; None where no response carries them."""
    ranking: pl.DataFrame
    """The best pipeline first; of several that are level, the cheapest or fastest. Columns: fields of `Estimate`, then
    critical and critical_possible (`Standing`), in_words (`56 of 63`), criteria (an `Outcome`; null without criteria),
    against (what is known of the subject against it, a `stats.Compared`; null for the subject)."""
    criteria: pl.DataFrame
    """`criteria.meets`."""
    comparisons: pl.DataFrame
    """`estimates.compare` by right answers, in the order of the ranking."""
    labelled: int
    agreed: int
    """Of the labelled responses those whose verdict is the label."""
    doubts: tuple[str, ...] = ()
    """What was doubtful when the run was loaded, a sentence each: the first risk."""
    status: Status
    status_reason: str
    impact: Impact
    protocol: Protocol
    """What was agreed beside the criteria, and when."""
    measure: str = o.MEASURE


def decide(
    rows: pl.DataFrame,
    golden: pl.DataFrame,
    criteria: Sequence[Criterion] = (),
    labels: pl.DataFrame = o.NO_LABELS,
    doubts: Sequence[str] = (),
    protocol: Protocol = NO_PROTOCOL,
) -> Decision:
    """The decision of a run from its rows (`Workspace.rows`), golden dataset, acceptance criteria and people's labels.

    `golden` has the questions asked. Repeats of a pipeline are one pipeline. `labels` is as `outcomes.tabulate`
    takes them. With `doubts` of loading (`loading.doubts.read_doubts`) it is never sure. Every figure is defined in
    docs/decision.md.
    """
    questions = golden[c.QUESTION_ID]
    settled = o.tabulate(o.select_counted(rows), questions, labels)
    pipelines = settled[c.PIPELINE].unique(maintain_order=True).to_list()
    critical = golden.filter(has_tag(CRITICAL))[c.QUESTION_ID]
    ranking = _rank_pipelines(estimate(settled, pipelines), settled, critical)
    names = ranking[c.PIPELINE].to_list()
    reached = meets(settled, golden, names, criteria, find_certificates(criteria, rows, labels))
    comparisons = compare(settled, [*combinations(names, 2)], (c.VERDICT,), smallest=protocol.smallest_difference)
    standings = list(_make_standings(ranking, reached))
    choice = choose(standings, _see_both_ways(comparisons), protocol.smallest_difference)
    confidence = Confidence.MEDIUM if doubts and choice.confidence is Confidence.HIGH else choice.confidence
    days, settling = _settle(choice, protocol.questions_a_day)
    lead, sentence = words.headline(choice)
    status, status_reason, next_step = find_status(choice, reached, doubts, protocol, settling)
    by_people = settled.filter(pl.col(c.LABEL).is_not_null())
    labelled, agreed = by_people.height, int((by_people[o.PREDICTED].fill_null(0.0) == by_people[o.RIGHT]).sum())
    return Decision(
        recommended=choice.subject.pipeline if choice.recommended else None,
        subject=choice.subject.pipeline,
        kind=choice.kind,
        confidence=confidence,
        status=status,
        status_reason=status_reason,
        impact=find_impact(choice),
        protocol=protocol,
        confidence_reason=words.confidence_reason(choice) if confidence is choice.confidence else _DOUBTED,
        settled=choice.settled,
        open=choice.open,
        lead=lead,
        sentence=sentence,
        reasons=tuple(words.reasons(choice, critical.len())),
        trust=words.trust(labelled, agreed, count_contested(labels)),
        risk=find_risk(settled, choice.subject, critical, rows),
        settled_by=choice.settled_by,
        settled_in_days=days,
        settling=settling,
        next_step=next_step,
        effort=words.effort(choice),
        ranking=_describe_ranking(ranking, choice),
        criteria=reached,
        comparisons=comparisons,
        labelled=labelled,
        agreed=agreed,
        doubts=tuple(doubts),
    )


def _settle(choice: Choice, a_day: int | None) -> tuple[int | None, str]:
    """The days that further questions take, None where nobody knows, and what would settle the choice."""
    days = None if choice.settled_by is None or not a_day else ceil(choice.settled_by / a_day)
    pace = f" At {plural(a_day, 'question')} a day: {plural(days, 'day')}." if days and a_day else ""
    return days, words.settling(choice) + pace


def _rank_pipelines(shares: pl.DataFrame, settled: pl.DataFrame, critical: pl.Series) -> pl.DataFrame:
    """With `critical`; the highest share first, then the lowest cost, the shortest time, the name."""
    scores = o.score_questions(settled, shares[c.PIPELINE].to_list(), (), critical)
    for name, metric in (("critical", c.VERDICT), ("critical_possible", o.POSSIBLE)):
        shares = shares.with_columns(pl.Series(name, (scores.values[metric] > o.ALL_REPEATS).sum(axis=0), pl.Int64))
    # Sums round: level shares are level.
    return shares.sort(
        -pl.col("share").round(9), c.COST, c.LATENCY_MS, c.PIPELINE, nulls_last=True, maintain_order=True
    )


def _make_standings(ranking: pl.DataFrame, reached: pl.DataFrame) -> Iterator[Standing]:
    for row in ranking.iter_rows(named=True):
        criteria = list(c.typed_rows(reached.filter(pl.col(c.PIPELINE) == row[c.PIPELINE]), CriterionRow))
        by_outcome = {name: [own for own in criteria if own["outcome"] == name.value] for name in Outcome}
        words = {name: tuple(map(in_words, of_outcome)) for name, of_outcome in by_outcome.items()}
        undecided = by_outcome[Outcome.NOT_SHOWN]
        needed = [count_more_questions(outcome, power_with(len(criteria))) for outcome in undecided]
        yield Standing(
            **row,
            own_labels=row["corrected_by_labels"] and row["method"] != Method.POOLED,
            met=words[Outcome.MET],
            missed=words[Outcome.NOT_MET],
            not_shown=words[Outcome.NOT_SHOWN],
            missed_at_worst=tuple(
                in_words(criterion) for criterion in criteria if criterion["at_worst"] == Outcome.NOT_MET.value
            ),
            criteria_open=any(outcome["at_worst"] != outcome["at_best"] for outcome in undecided),
            needed_for_criteria=None if None in needed else max(filter(None, needed), default=0),
        )


def _see_both_ways(comparisons: pl.DataFrame) -> Pairs:
    rows = c.typed_rows(comparisons, ComparedRow)
    both = (seen_from(row, name) for row in rows for name in (row[FIRST], row[SECOND]))
    return {(row[FIRST], row[SECOND]): row for row in both}


def _describe_ranking(ranking: pl.DataFrame, choice: Choice) -> pl.DataFrame:
    rows = []
    for own in choice.standings:
        outcomes = {Outcome.NOT_MET: own.missed, Outcome.NOT_SHOWN: own.not_shown, Outcome.MET: own.met}
        worst = next((outcome.value for outcome, criteria in outcomes.items() if criteria), None)
        rows.append((words.share_of(own), worst, None if own is choice.subject else choice.against(own).value))
    columns = dict.fromkeys(("in_words", "criteria", "against"), pl.String)
    return ranking.hstack(pl.DataFrame(rows, schema=columns, orient="row"))


def find_risk(settled: pl.DataFrame, subject: Standing, critical: pl.Series, rows: pl.DataFrame) -> Risk | None:
    """The risk of a pipeline that weighs most, with its most certain response; None where every response is right.

    `critical` are the ids of the questions tagged critical: one of them that is not right outweighs all else.
    `settled` are the `rows` with what decides, in their order; the texts of the example are the rows'.
    """
    own = settled.with_row_index(_PLACE).filter(pl.col(c.PIPELINE) == subject.pipeline)
    wrong = own.filter(pl.col(o.RIGHT) == 0).with_columns(name_cell().cast(pl.String))
    if wrong.is_empty():
        return None
    name, examples = _CRITICAL, wrong.filter(pl.col(c.QUESTION_ID).is_in(critical.implode()))
    many, among = examples[c.QUESTION_ID].n_unique(), critical.len()
    if examples.is_empty():
        counts = dict(wrong[CELL].value_counts().sort(CELL).iter_rows())
        name = max(counts, key=lambda cell: counts[cell] * _WEIGHTS[cell])
        examples, many, among = wrong.filter(pl.col(CELL) == name), counts[name], subject.of
    surest = examples.sort(c.CONFIDENCE, descending=True, nulls_last=True, maintain_order=True)
    shown = surest.select(c.QUESTION_ID, c.PIPELINE).row(0, named=True)
    if not surest[o.MISSING][0]:
        shown = rows[surest[_PLACE][0]].select(name for name in EXAMPLE if name in rows.columns).row(0, named=True)
    texts: dict[str, Any] = dict.fromkeys(EXAMPLE) | shown
    return Risk(sentence=f"{out_of(many, among)} {TEXTS['risks'][name]}.", responses=many, **texts)


def find_word(decision: Decision) -> Word:
    """The word of a decision: its status first, then what kind of evidence there is."""
    if decision.status is Status.DO_NOT_SHIP or decision.kind is Kind.MISSES:
        return Word.DO_NOT_SHIP
    if decision.recommended and decision.status in (Status.SHIP, Status.READY):
        return Word.SHIP
    if decision.kind is Kind.LEVEL:
        return Word.LEVEL
    leads = decision.kind in (Kind.AHEAD, Kind.MEETS, Kind.NO_DIFFERENCE, Kind.TOO_FEW)
    several = decision.ranking.height > 1
    return Word.LEADING if several and (leads or decision.lead == words.NOT_SETTLED) else Word.NO_DECISION


def word_verdict(decision: Decision) -> str:
    """The verdict line: the word of the decision, then its sentence without what it says to do."""
    word, rest = find_word(decision), decision.sentence.removeprefix(decision.lead)
    is_named = decision.lead in ("Ship ", "Do not ship ") and word in (Word.SHIP, Word.DO_NOT_SHIP)
    return f"{word} {rest}" if is_named else f"{word}: {rest}"
