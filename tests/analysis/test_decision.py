"""The decision: who is recommended, how sure that is, its status and effect, and what is never recommended."""

from datetime import UTC, datetime
from math import ceil

import polars as pl
import pytest

from qaviz.analysis.decision import Status, decide, word_impact
from qaviz.analysis.decision.choice import Confidence
from qaviz.analysis.decision.words import LONGEST_NAME, MOST_WORDS, WORDS_OF_NAME, call_pipelines
from qaviz.analysis.outcomes import NO_LABELS
from qaviz.model.classes import Diagnosis, Measure
from qaviz.model.columns import CONFIDENCE, COST, DIAGNOSIS, LABEL, LATENCY_MS, PIPELINE, QUESTION_ID, REASON, RESPONSE
from qaviz.model.records import Criterion, Protocol
from qaviz.stats import power_with
from tests.analysis.builders import response_row, response_rows
from tests.builders import golden_table

MARKS = {
    "1": Diagnosis.CORRECT,
    "0": Diagnosis.HALLUCINATION,
    "?": Diagnosis.UNSCORED,
    "d": Diagnosis.DECLINED,
    "e": Diagnosis.UNSCORED,
}


def rows_of(marks: dict[str, str], **means: dict[str, float]) -> pl.DataFrame:
    """Rows from a picture: for each pipeline its questions in turn, `1` right, `0` wrong, `?` unsure, `d` declined,
    `e` empty, ` ` no response; `means` are a cost or a latency a response by pipeline."""
    rows = response_rows(
        response_row(
            str(place), name, None, **{DIAGNOSIS: MARKS[mark], RESPONSE: " " if mark == "e" else f"text of {name}"}
        )
        for name, line in marks.items()
        for place, mark in enumerate(line, start=1)
        if mark != " "
    )
    of_pipeline = (
        pl.col(PIPELINE).replace_strict(each, return_dtype=pl.Float64).alias(name) for name, each in means.items()
    )
    return rows.with_columns(*of_pipeline, pl.lit(0.9).alias(CONFIDENCE), pl.lit("Why.").alias(REASON))


def golden_of(questions: int, critical: str = "") -> pl.DataFrame:
    """A golden dataset of so many questions; the ids in `critical` are tagged so."""
    tags = dict.fromkeys(critical.split(), "critical")
    return golden_table({"question": f"Q{n}", "fact": "f", "tags": tags.get(str(n))} for n in range(1, questions + 1))


def at_least(share: float) -> Criterion:
    return Criterion(measure=Measure.CORRECT, bound=share)


def labels_of(marks: dict[str, str]) -> pl.DataFrame:
    """Labels from a picture, as `rows_of` has it."""
    given = {"1": "correct", "0": "incorrect", "d": "declined"}
    rows = [
        (str(place), name, given[mark])
        for name, line in marks.items()
        for place, mark in enumerate(line, start=1)
        if mark != " "
    ]
    return pl.DataFrame(rows, schema=[QUESTION_ID, PIPELINE, LABEL], orient="row")


GOOD, POOR, CLOSE = "1" * 38 + "00", "1" * 10 + "0" * 30, "1" * 36 + "0000"
HALF, TURNED = "1" * 500 + "0" * 500, "1" * 495 + "0" * 500 + "10000"
APART, NEAR = {"A": GOOD, "B": POOR[::-1]}, {"A": GOOD, "B": "0" * 3 + "1" * 37, "C": POOR}


SITUATIONS = {
    "clear winner": ({"A": POOR, "B": GOOD}, None, "", "B", "medium", "Ship B|38 of 40 right|ahead of A"),
    "tie": ({"A": GOOD, "B": GOOD[::-1], "C": POOR}, None, "", None, None, "Either of these two|A or B|38 of 40"),
    "too few": ({"A": "11111111", "B": "11110000"}, None, "", None, "low", "Too few questions|A leads"),
    "ahead of some": ({"A": GOOD, "B": CLOSE, "C": POOR}, None, "", "A", "medium", "Not settled: A|ahead of 1 of 2"),
    "no clear difference": ({"A": HALF, "B": TURNED}, None, "", "A", None, "Not settled: A|no clear difference from B"),
    "criterion missed": ({"A": POOR, "B": POOR[5:] + "00000"}, 0.9, "", None, "medium", "Ship none|misses"),
    "only one meets the criteria": ({"A": GOOD, "B": "1" * 40}, 1.0, "", "B", "medium", "Ship B|only one that meets"),
    "critical question that nobody has right": ({"A": GOOD, "B": POOR}, None, "40", "A", "medium", "Ship A"),
    "the best breaks a critical one, the other is far": (
        APART,
        None,
        "40",
        None,
        "low",
        "Ship none|behind B",
    ),
    "the best breaks a critical one, the next is as good": (
        NEAR,
        None,
        "40",
        "B",
        "medium",
        "Not settled: B|ahead of 1 of 2",
    ),
    "one pipeline, no criterion": ({"A": GOOD}, None, "", None, "low", "good enough?|No criterion is set"),
    "one pipeline, good enough": ({"A": GOOD}, 0.6, "", "A", "medium", "Ship A|good enough"),
    "one pipeline, not shown": ({"A": GOOD}, 0.9, "", None, "low", "Not shown yet"),
    "one pipeline, not good enough": ({"A": POOR}, 0.9, "", None, "medium", "Do not ship A"),
    "nothing is judged": ({"A": "????", "B": "????"}, None, "", None, "low", "No decision|no response of A"),
}
"""Marks, the share of right answers required, critical questions; what is recommended, how sure, and words of it."""


@pytest.mark.parametrize(
    ("marks", "required", "critical", "recommended", "confidence", "words"), SITUATIONS.values(), ids=SITUATIONS
)
def test_the_decision(marks, required, critical, recommended, confidence, words):
    """Each situation has its recommendation, its confidence and its sentence; no p-value is in a headline."""
    criteria = [] if required is None else [at_least(required)]
    decision = decide(rows_of(marks), golden_of(max(map(len, marks.values())), critical), criteria)

    assert decision.recommended == recommended, decision.sentence
    assert (decision.confidence and str(decision.confidence)) == confidence, decision.sentence
    assert [word for word in words.split("|") if word not in decision.sentence] == [], decision.sentence
    assert "p =" not in decision.sentence
    assert len(decision.sentence.split()) <= MOST_WORDS
    assert decision.measure == "right answers"


def test_a_tie_goes_to_the_cheaper_one():
    """Of pipelines with as many right answers the cheaper one is recommended, and without costs the faster one."""
    marks = {"A": GOOD, "B": GOOD[::-1]}
    by_cost = decide(rows_of(marks, **{COST: {"A": 0.02, "B": 0.01}}), golden_of(40))
    by_time = decide(rows_of(marks, **{LATENCY_MS: {"A": 90.0, "B": 400.0}}), golden_of(40))

    assert (by_cost.recommended, by_time.recommended) == ("B", "A")
    assert by_cost.sentence == "Not settled: B: as good as A and cheaper."
    assert by_time.sentence == "Not settled: A: as good as B and faster."
    assert "0.01 a response" in by_cost.effort


def test_a_mean_says_of_how_many_it_is():
    """The ranking counts the responses that have a cost; the mean is missing where more than a fifth have none."""
    rows = rows_of({"A": GOOD, "B": GOOD[:-1] + " "}, **{COST: {"A": 0.02, "B": 0.01}})
    some = (
        pl.when(pl.col(PIPELINE) == "A", pl.col("question_id").cast(pl.Int64) > 10).then(None).otherwise(pl.col(COST))
    )

    ranking = decide(rows.with_columns(some.alias(COST)), golden_of(40)).ranking
    counted = ranking.select(PIPELINE, "cost", "cost_known", "latency_known", "responses").sort(PIPELINE).rows()
    assert counted == [("A", None, 10, 0, 40), ("B", 0.01, 39, 0, 39)]


LONG = "retrieval with reranking, a very long name and the tail {} of it"


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([GOOD, POOR], id="clear winner"),
        pytest.param([GOOD, GOOD[::-1]], id="tie"),
        pytest.param(["0" * 40] * 2, id="nothing right"),
        pytest.param(["1111", "1110"], id="too few"),
        pytest.param(["1" * 60 + "?" * 40, "1" * 75 + "0" * 25], id="open"),
        pytest.param(["?" * 30 + "1" * 10], id="mostly unsure"),
        pytest.param(["1" * 70 + "?" + "0" * 29, "1" * 69 + "0" * 31, "1" * 45 + "0" * 55], id="ahead of some"),
        pytest.param(["1" * 1_500 + "0" * 20 + "?" * 10, "1" * 1_490 + "0" * 40], id="large"),
    ],
)
def test_the_sentence_has_fifteen_words(lines):
    """Whatever the run, its pipelines' number and names and its criteria, one sentence of at most 15 words says what to
    do."""
    names = [LONG.format(number) for number in range(16)]
    for many, bound, cost in ((1, None, None), (1, 0.999, None), (3, 0.5, None), (16, None, 0.1)):
        marks = {name: lines[min(place, len(lines) - 1)] for place, name in enumerate(names[:many])}
        costs = {COST: {name: cost * (place + 1) for place, name in enumerate(marks)}} if cost else {}
        decision = decide(rows_of(marks, **costs), golden_of(len(lines[0])), [at_least(bound)] if bound else [])
        assert len(decision.sentence.split()) <= MOST_WORDS, decision.sentence


def test_two_pipelines_are_never_called_alike():
    """A name of many words or letters is shortened, one of two words quoted, a short one stays as it is."""
    names = ["rag-v2", "gpt large", *map(LONG.format, range(16)), "日本語の名前" * 20, "=1+1"]
    called = call_pipelines(names)

    assert (called["rag-v2"], called["gpt large"]) == ("rag-v2", "“gpt large”")
    assert len(set(called.values())) == len(names)
    assert all(len(name.split()) <= WORDS_OF_NAME and len(name) <= LONGEST_NAME + 3 for name in called.values())


def test_how_sure_it_is_counts_whom_it_beats():
    """The reason says how many others it is ahead of, how many are too close, and which labels certify it."""
    close = decide(rows_of({"A": GOOD, "B": "1" * 36 + "0000", "C": POOR}), golden_of(40))
    labels = labels_of({"A": "1" * 190 + "0" * 10, "B": "0" * 190 + "1" * 10})
    marks = {"A": "1" * 190 + "0" * 10, "B": "0" * 190 + "1" * 10}
    certified = decide(rows_of(marks), golden_of(200), labels=labels)

    assert close.confidence_reason == "Settled in part: ahead of 1 of 2 others by more than chance; 1 is too close."
    assert certified.confidence is Confidence.HIGH
    assert "by people's labels of each pipeline" in certified.confidence_reason


def test_labels_of_a_sample_correct_the_share():
    """Labels of 60 of 400 responses bring a share whose verdicts are too kind down to what people see."""
    right = "1100" * 100
    kind = "1110" * 100
    rows, golden = rows_of({"A": kind, "B": "0" * 400}), golden_of(400)
    sample = labels_of({"A": right[:60], "B": "0" * 60})
    without, corrected = decide(rows, golden), decide(rows, golden, labels=sample)
    before, after = (each.ranking.filter(pl.col(PIPELINE) == "A").row(0, named=True) for each in (without, corrected))

    assert (before["share"], before["corrected_by_labels"]) == (0.75, False)
    assert after["corrected_by_labels"]
    assert after["share"] == pytest.approx(0.5, abs=0.03)
    assert after["low"] < 0.5 < after["high"] < 0.75
    assert "about 50% right" in corrected.sentence
    assert "No response of this run is labelled" in without.trust
    assert "120 labelled verdicts" in corrected.trust


def test_the_biggest_risk_has_an_example():
    """A wrong value weighs more than declining more often; a critical question that is not right more than both."""
    marks = {"A": "1" * 34 + "00ddd0", "B": POOR}
    wrong = decide(rows_of(marks), golden_of(40)).risk
    critical = decide(rows_of(marks), golden_of(40, "38 1")).risk

    assert wrong.sentence.startswith("3 of 40 responses with a wrong value")
    assert wrong.question_id in ("35", "36", "40")
    assert critical.sentence.startswith("1 of 2 critical questions")
    assert (critical.question_id, critical.pipeline) == ("38", "A")
    assert decide(rows_of({"A": "1111"}), golden_of(4)).risk is None


GAP, SIXTEEN = {"A": "1110" * 30, "B": "1100" * 30}, "1" * 16 + "0" * 4
MANY = {"A": "1" * 2_000 + "0" * 500, "B": "1" * 1_980 + "0" * 520}
SETTLING = {
    "nothing is open": ({"A": GOOD, "B": POOR}, None, {}, 0, "Settled"),
    "more questions": ({"A": "11111111", "B": "11110000"}, None, {}, 10, "About 10 more questions of this kind"),
    "a tie": ({"A": GOOD, "B": GOOD[::-1]}, None, {}, None, "Other questions, or cost and time"),
    "an open criterion": ({"A": GOOD}, 0.9, {}, 252, "About 260 more questions of this kind"),
    "labels of the other": (
        {"A": "11110" * 12, "B": "1110" * 15},
        None,
        {"A": "11110" * 6},
        None,
        "Labels of all resp",
    ),
    "few labels, a wide gap": (
        GAP,
        None,
        {"A": SIXTEEN, "B": "1" * 11 + "0" * 9},
        None,
        "Labels of about 31 responses",
    ),
    "few labels, a gap": (GAP, None, {"A": SIXTEEN, "B": "1" * 12 + "0" * 8}, None, "Labels of about 43 responses"),
    "nobody labels thousands": (MANY, None, {}, None, "So small a difference takes labels of all responses"),
}


@pytest.mark.parametrize(("marks", "required", "labels", "settled_by", "words"), SETTLING.values(), ids=SETTLING)
def test_what_would_settle_it(marks, required, labels, settled_by, words):
    """Labels are asked before questions: of the other side, or so many more that the interval is short enough; else it
    says how many more questions of the kind would do, and where no number of them would, what else may."""
    criteria = [] if required is None else [at_least(required)]
    decision = decide(rows_of(marks), golden_of(len(marks["A"])), criteria, labels_of(labels))

    assert (decision.settled_by, decision.settling[: len(words)]) == (settled_by, words)


def test_labels_of_some_pipelines_correct_the_share_of_all():
    """Forty labels over four pipelines correct each share; without them it says what such shares were off by."""
    marks = dict.fromkeys("ABCD", "1110" * 50)
    labels = labels_of(dict.fromkeys(marks, "1100" * 2 + "11"))
    without, corrected = (decide(rows_of(marks), golden_of(200), labels=given) for given in (NO_LABELS, labels))

    assert corrected.ranking["corrected_by_labels"].all()
    assert corrected.ranking["share"].max() < without.ranking["share"].min()
    assert "on texts it never saw such shares were off by" in without.reasons[0]
    assert "on texts it never saw" not in corrected.reasons[0]


MANY_RIGHT, FEW_RIGHT = "1" * 48 + "0" * 12, "1" * 12 + "0" * 48


@pytest.mark.parametrize(
    ("marks", "bound", "doubts", "status"),
    [
        ({"A": MANY_RIGHT, "B": FEW_RIGHT}, 0.4, (), Status.SHIP),
        ({"A": MANY_RIGHT, "B": FEW_RIGHT}, None, (), Status.READY),
        ({"A": MANY_RIGHT, "B": FEW_RIGHT}, 0.4, ("Two rows were lost",), Status.READY),
        ({"A": MANY_RIGHT, "B": FEW_RIGHT}, 0.99, (), Status.DO_NOT_SHIP),
        ({"A": MANY_RIGHT[:6], "B": FEW_RIGHT[8:14]}, None, (), Status.NOT_SETTLED),
        ({"A": "?" * 60, "B": FEW_RIGHT}, None, (), Status.NOT_SETTLED),
    ],
)
def test_the_status_follows_what_was_agreed_before(marks, bound, doubts, status):
    """Ship needs a settled result, met criteria and no doubts of loading; a missed criterion is said first."""
    questions = len(next(iter(marks.values())))
    criteria = [at_least(bound)] if bound else []
    decision = decide(rows_of(marks), golden_of(questions), criteria, doubts=doubts)

    assert decision.status is status
    assert decision.status_reason


def test_the_effect_is_the_paired_difference_times_ten_thousand():
    """48 against 12 of 60: 6,000 more right answers per 10,000 questions, inside its interval; 0.04 a response at a
    share of 0.8 is 0.05 a right answer. Alone, nothing is compared."""
    costs = {COST: {"A": 0.04, "B": 0.01}}
    impact = decide(rows_of({"A": MANY_RIGHT, "B": FEW_RIGHT}, **costs), golden_of(60)).impact

    assert (impact.per, impact.against, impact.more_right) == (10_000, "B", 6_000)
    assert impact.low < 6_000 < impact.high
    assert impact.cost_per_right_answer == pytest.approx(0.05)
    assert "6,000 more right answers than B" in word_impact("A", impact)
    alone = decide(rows_of({"A": MANY_RIGHT}), golden_of(60)).impact
    assert (alone.against, alone.more_right, alone.cost_per_right_answer) == (None, None, None)
    assert word_impact("A", alone) is None


def test_criteria_set_after_the_result_wait_for_somebody():
    """Criteria that stood before the run lead to ship; the same ones set after it wait for a person, and both say
    when."""
    marks, moment = {"A": MANY_RIGHT, "B": FEW_RIGHT}, datetime(2026, 11, 1, tzinfo=UTC)
    before, after = (
        decide(rows_of(marks), golden_of(60), [at_least(0.4)], protocol=Protocol(set_at=moment, before=stood))
        for stood in (True, False)
    )

    assert (before.status, after.status) == (Status.SHIP, Status.READY)
    assert "set on 1 Nov 2026, before the result" in before.status_reason
    assert "set on 1 Nov 2026, after the result" in after.status_reason


def test_cost_decides_where_no_difference_matters():
    """500 and 496 of 1,000: the first leads, unless nothing below 3 points matters; then the cost decides, and
    more questions would not change it."""
    marks = {"A": "1" * 500 + "0" * 500, "B": "1" * 496 + "0" * 504}
    rows, golden = rows_of(marks, **{COST: {"A": 0.02, "B": 0.01}}), golden_of(1_000)
    first = decide(rows, golden)
    cheaper = decide(rows, golden, protocol=Protocol(smallest_difference=0.03))
    strict = decide(rows, golden, protocol=Protocol(smallest_difference=0.002))

    assert (first.recommended, strict.recommended, cheaper.recommended) == ("A", "A", "B")
    assert cheaper.sentence == "Ship B: as good as A and cheaper."
    assert cheaper.settled
    assert "3 points" in cheaper.confidence_reason


def test_what_settles_it_is_said_in_days():
    """Where people can write 20 questions a day, the questions that would settle it are days too."""
    marks = {"A": "11111111", "B": "11110000"}
    decision = decide(rows_of(marks), golden_of(8), protocol=Protocol(questions_a_day=20))

    assert decision.settled_in_days == ceil(decision.settled_by / 20)
    assert "At 20 questions a day" in decision.next_step


def test_guardrails_ask_for_power_not_for_a_stricter_level():
    """Three guardrails met: the same words of pairs, but more questions to settle it, as 1 - .2 / 4 of power needs."""
    marks = {"A": "11111111", "B": "11110000"}
    guardrail = Criterion(measure=Measure.DECLINED, bound=0.5, than="B")
    alone, guarded = (decide(rows_of(marks), golden_of(8), given) for given in ([], [guardrail] * 3))

    assert power_with(0) == pytest.approx(0.8)
    assert power_with(3) == pytest.approx(0.95)
    assert guarded.comparisons.equals(alone.comparisons)
    assert guarded.settled_by > alone.settled_by
