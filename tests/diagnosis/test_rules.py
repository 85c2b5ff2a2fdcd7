"""Which diagnosis a response gets, with its verdict, fault and reason."""

import polars as pl
import pytest

from qaviz.diagnosis import RULES, diagnose, extract_evidence, judge
from qaviz.diagnosis.columns import GOLDEN, REFUSAL, SAYS
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.records import Thresholds
from qaviz.scoring import score
from tests.cases import read_cases

SALES = {
    c.QUESTION: "What were Amazon’s total net sales in the second quarter of 2023?",
    c.ANSWER: "In the second quarter of 2023, Amazon’s total net sales were $134.4 billion.",
    c.FACT: "134.4 billion<OR>134,383 million",
}
SHARES = {
    c.QUESTION: "How many common shares did Amazon have outstanding on July 21, 2023?",
    c.ANSWER: "On July 21, 2023, Amazon had 10,317,750,796 common shares outstanding.",
    c.FACT: "10317750796<OR>10,317,750,796",
}
OFFICE = {
    c.QUESTION: "What is the address of Amazon’s principal office?",
    c.ANSWER: "Amazon has its principal office at 410 Terry Avenue North, Seattle, Washington 98109-5210.",
    c.FACT: "410 Terry Avenue North",
}
MARGIN = {c.QUESTION: "By how much did sales grow?", c.ANSWER: "Sales grew by 12%.", c.FACT: "12%"}
HOW = {c.QUESTION: "How did he die?", c.ANSWER: "He was shot.", c.FACT: "shot"}
NO_FACT = {
    c.QUESTION: "Why did sales grow?",
    c.ANSWER: "More customers bought groceries and cloud services.",
    c.FACT: None,
}
NOTHING = {c.QUESTION: "Why did sales grow?", c.ANSWER: None, c.FACT: None}
UNANSWERABLE = {c.QUESTION: "What will sales be in 2050?", c.ANSWER: None, c.FACT: None, c.ANSWERABLE: False}


def scored(*rows: dict) -> pl.DataFrame:
    schema = {
        c.QUESTION: pl.String,
        c.ANSWER: pl.String,
        c.FACT: pl.String,
        c.ANSWERABLE: pl.Boolean,
        c.RESPONSE: pl.String,
    }
    return score(pl.DataFrame([{c.ANSWERABLE: None} | row for row in rows], schema=schema))


def diagnosed(triplet: dict, response: str | None, thresholds: Thresholds | None = None) -> dict:
    return diagnose(scored({**triplet, c.RESPONSE: response}), thresholds or Thresholds()).row(0, named=True)


TRIPLETS = {"SALES": SALES, "SHARES": SHARES, "OFFICE": OFFICE, "MARGIN": MARGIN, "HOW": HOW, "NOTHING": NOTHING}
TRIPLETS |= {"NO_FACT": NO_FACT, "UNANSWERABLE": UNANSWERABLE}
CLASSES = [(TRIPLETS[name], *case) for name, *case in read_cases(__file__, "cases/classes")]
"""Triplet, response, and the class that the design's table gives it."""


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    """The cases of CLASSES, scored."""
    return scored(*({**triplet, c.RESPONSE: response} for triplet, response, _ in CLASSES))


def test_responses_get_the_classes_of_the_table(table):
    """Each short example gets the diagnosis that the design's table gives it; confidence is a share, and null where
    nothing was judged."""
    rows = diagnose(table)
    classes = zip(rows[c.DIAGNOSIS], CLASSES, strict=True)
    unscored = rows[c.DIAGNOSIS] == Diagnosis.UNSCORED

    assert [(case[1], found) for found, case in classes if found != case[2]] == []
    assert rows.filter(unscored)[c.CONFIDENCE].null_count() == 4
    assert rows.filter(~unscored)[c.CONFIDENCE].is_between(0, 1).all()


def test_a_long_response_that_states_the_fact_is_verbose():
    """A correct response turns verbose exactly where its precision falls under the threshold."""
    response = (
        "Let me explain at length what the report has to tell: it was 134.4 billion in all those markets together. "
        "Every market did its part, the largest of them most, and the smaller ones as well as they could, while costs "
        "rose with prices of fuel, and people ordered later in the year than they used to."
    )

    assert diagnosed(SALES, response)[c.DIAGNOSIS] == Diagnosis.VERBOSE
    assert diagnosed(SALES, response, Thresholds(low_conciseness=0))[c.DIAGNOSIS] == Diagnosis.CORRECT


def test_a_variant_that_is_a_text_makes_no_response_short():
    """How long a golden answer is, and whether a fact is a name, is read from its first variant."""
    text = "the sum of what was sold in all stores and on all sites of the company in these three months " * 3
    response = f"It was 134.4 billion. {'Every market did its part, the largest of them most of all. ' * 4}"
    answer = SALES | {c.ANSWER: f"134.4 billion{c.OR_DELIMITER}{text}"}
    name = SALES | {c.QUESTION: "Who is its chief executive?", c.ANSWER: "Andy Jassy", c.FACT: "Andy Jassy"}
    long_name = name | {c.FACT: f"Andy Jassy{c.OR_DELIMITER}{text}"}

    assert diagnosed(answer, response)[c.DIAGNOSIS] == Diagnosis.VERBOSE
    assert diagnosed(long_name, "Jeff Bezos")[c.DIAGNOSIS] == diagnosed(name, "Jeff Bezos")[c.DIAGNOSIS]


@pytest.mark.parametrize(
    ("triplet", "response", "verdict", "fault", "reason"),
    [
        (SALES, "Net sales were $170.0 billion.", Verdict.INCORRECT, None, "“$170.0 billion”"),
        (SALES, "Sorry, the documents do not say what they were.", Verdict.DECLINED, None, "the documents do not say"),
        (SALES, "Net sales were 134,383 million dollars.", Verdict.CORRECT, None, "“134,383 million”"),
        (MARGIN, "Sales grew by 112%.", Verdict.INCORRECT, "metric", "“112%”"),
        (UNANSWERABLE, "I do not know.", Verdict.DECLINED, None, "declining is right"),
    ],
)
def test_verdict_fault_and_reason_follow_from_the_diagnosis(triplet, response, verdict, fault, reason):
    """A reason quotes what decided; without contexts nothing proves the retriever's or the generator's fault."""
    row = diagnosed(triplet, response)

    assert (row[c.VERDICT], row[c.FAULT]) == (verdict, fault)
    assert reason in row[c.REASON]


def test_moving_a_threshold_reads_no_text_again(table):
    """Judging gathered evidence gives the diagnosis itself, also when it was judged by other thresholds before."""
    strict, lax = Thresholds(low_conciseness=1), Thresholds(low_conciseness=0)

    once_more = judge(judge(extract_evidence(table), lax), strict)

    assert once_more.equals(diagnose(table, strict))


def test_equal_rows_and_row_order_are_kept():
    """A table comes back with all its rows, in order, however often one repeats; one without rows with its columns."""
    right = {**SALES, c.RESPONSE: "134.4 billion"}
    refused = {**SALES, c.RESPONSE: "I do not know."}
    table = diagnose(scored(right, refused, right, refused, refused))

    assert table[c.VERDICT].to_list() == ["correct", "declined", "correct", "declined", "declined"]
    assert table[REFUSAL].null_count() == 2
    assert diagnose(scored()).schema == table.schema


LONG = (
    "Sales grew by 12%, as they did before, which pleased everybody who had shares, and those who had none hardly "
    "minded, for they had asked for other things."
)


@pytest.mark.parametrize(
    ("triplet", "response", "score", "threshold", "at", "beside"),
    [
        (OFFICE, "Its principal office is in the usual place.", c.RECALL, "high_closeness", "hallucination", +0.01),
        (MARGIN, LONG, c.PRECISION, "low_conciseness", "correct", +0.01),
        (SHARES, "Amazon holds 10317750796", c.RECALL_BESIDE_FACT, "accidental_context", "accidental match", -0.01),
    ],
)
def test_thresholds_are_from_below_and_up_to(triplet, response, score, threshold, at, beside):
    """Close *from*, wordy *below*, accidental *up to*: a score at its threshold falls where these words put it, and to
    the other side once the threshold moves past it."""
    value = diagnosed(triplet, response)[score]

    assert diagnosed(triplet, response, Thresholds(**{threshold: value}))[c.DIAGNOSIS] == at
    assert diagnosed(triplet, response, Thresholds(**{threshold: value + beside}))[c.DIAGNOSIS] != at


def test_each_rule_says_what_to_change():
    """Each diagnosis has a rule. Advice is a sentence, and stands where something is wrong."""
    assert {rule.diagnosis for rule in RULES} == set(Diagnosis)
    assert {rule.name for rule in RULES if not rule.advice} == {
        "declined_unanswerable",
        "stated",
        "close_without_golden_fact",
    }
    assert all(rule.advice.endswith(".") for rule in RULES if rule.advice)


def test_the_reason_quotes_the_first_variant_of_the_fact():
    """A response that contradicts every variant is told against the first, not against a mistyped one further on."""
    fact = "134.4 billion<OR>134,383 million<OR>134183 million"
    row = diagnosed(SALES | {c.FACT: fact}, "Net sales were $170.0 billion.")

    assert (row[SAYS], row[GOLDEN]) == ("$170.0 billion", "134.4 billion")
    assert row[c.REASON].index("$170.0 billion") < row[c.REASON].index("134.4 billion")
    assert "134183" not in row[c.REASON]
