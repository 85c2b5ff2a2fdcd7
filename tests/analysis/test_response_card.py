"""qaviz.analysis.response_card: one response, its words marked and its scores as arithmetic."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.analysis.response_card import (
    FACT_PLACE,
    LONGEST_EXPLAINED,
    LONGEST_SHOWN,
    PLAIN,
    ResponseCard,
    response_cards,
    stretches,
)
from qaviz.diagnosis import diagnose
from qaviz.model import columns as c
from qaviz.model.records import Thresholds
from qaviz.scoring import score
from qaviz.scoring.explanation import Mark, MarkedWord
from tests.builders import golden_table

NET_SALES = {
    c.QUESTION: "What were Amazon’s net sales?",
    c.ANSWER: "Amazon’s net sales were $134.4 billion.",
    c.FACT: "134.4 billion<OR>134,383 million",
}


def diagnosed(responses, **triplet):
    """Rows of the responses, a pipeline each (`P1`, `P2`, ...), to one triplet."""
    golden = golden_table([NET_SALES | triplet])
    rows = pl.DataFrame(
        {
            c.QUESTION_ID: ["1"] * len(responses),
            c.PIPELINE: [f"P{number}" for number in range(1, len(responses) + 1)],
            c.RESPONSE: list(responses),
        }
    )
    return diagnose(score(rows.join(golden, on=c.QUESTION_ID, maintain_order="left")))


def card_of(response, **triplet) -> ResponseCard:
    (card,) = response_cards(diagnosed([response], **triplet), ["P1"], Thresholds())
    return card


def marked(card, mark):
    """The stretches of the response with this mark."""
    return [stretch.text for stretch in card.response if stretch.mark == mark]


def working(card, label):
    (one,) = [one for one in card.sums if one.label == label]
    return one.value, one.working


def test_words_are_marked():
    """Words are found, extra or from the question, as written; articles and punctuation are no words."""
    card = card_of("The net sales, says Amazon’s report, were $134.4 billion.")

    assert marked(card, Mark.FOUND) == ["net", "sales", "Amazon’s", "were", "134.4", "billion"]
    assert marked(card, Mark.EXTRA) == ["says", "report"]
    assert marked(card, PLAIN)[0] == "The "
    assert [stretch.text for stretch in card_of("What sales").response if stretch.mark == Mark.QUESTION] == ["What"]


def test_the_fact_has_its_place():
    """The stretch in which the fact stands is marked, across the words that it covers."""
    card = card_of("It was $134,383 million.")

    assert "".join(stretch.text for stretch in card.response if stretch.evidence == FACT_PLACE) == "134,383 million"


def test_what_the_diagnosis_quotes_has_its_place():
    """Where the fact is absent, the words that decided the diagnosis are marked."""
    card = card_of("Sorry, the documents do not say.")

    assert card.diagnosis == "declined"
    quoted = "".join(stretch.text for stretch in card.response if stretch.evidence)
    assert "do not say" in quoted


@given(text=st.text(max_size=60), cuts=st.lists(st.integers(0, 60), max_size=12))
def test_stretches_are_the_whole_text(text, cuts):
    """However marks and evidence fall, the stretches in order are the text, and each mark covers its own word."""
    ends = sorted(min(cut, len(text)) for cut in set(cuts))
    words = [MarkedWord(a, b, Mark.FOUND, "") for a, b in zip(ends[::2], ends[1::2], strict=False) if a < b]
    evidence = [(a, b, FACT_PLACE) for a, b in zip(ends[1::3], ends[2::3], strict=False)]

    found = stretches(text, words, evidence)

    assert "".join(each.text for each in found) == text
    found_words = "".join(each.text for each in found if each.mark == Mark.FOUND)
    assert found_words == "".join(text[word.start : word.end] for word in words)
    assert "".join(each.text for each in found if each.evidence) == "".join(text[a:b] for a, b, _ in evidence)


OF_PARTS, OF_TWO = "134.4 billion<AND>second quarter", "net sales<OR>costs were low but sales high and steady"
SHOWN_LONG, TWO = "word " * LONGEST_SHOWN, "net sales were high and costs low"
ARITHMETIC = [
    (
        "Amazon’s net sales were $170.0 billion.",
        {},
        "Closeness",
        "0.83",
        "5 found ÷ (5 found + 1 missing) = 5 ÷ 6 = 0.833",
    ),
    ("net net net sales, so they say", {}, "Conciseness", "0.40", "2 found ÷ (2 found + 3 extra) = 2 ÷ 5 = 0.400"),
    ("net sales", {}, "F1", "0.50", "1 ÷ (½ ÷ 1.000 + ½ ÷ 0.333) = 0.500"),
    ("nothing of it", {}, "F1", "0.00", "0, because no word is found"),
    ("", {}, "Conciseness", "0.00", "no words"),
    ("It was 134,383 million.", {}, "Fact stated", "1", "“134,383 million” is in the response"),
    ("It was a lot.", {}, "Fact stated", "0", "none of 2 variants is in the response"),
    (
        "1344 billion.",
        {},
        "Fact, loosely",
        "1",
        "“134.4 billion” is in the response, ignoring punctuation and articles",
    ),
    ("134.4 billion", {c.FACT: OF_PARTS}, "Fact stated", "0", "1 of 2 parts of the fact stated; all are required"),
    (
        TWO,
        {c.ANSWER: OF_TWO},
        "Closeness",
        "1.00",
        "2 found ÷ (2 found + 0 missing) = 2 ÷ 2 = 1.000 (with variant 1 of 2",
    ),
    (
        TWO,
        {c.ANSWER: OF_TWO},
        "Conciseness",
        "0.86",
        "6 found ÷ (6 found + 1 extra) = 6 ÷ 7 = 0.857 (with variant 2 of 2",
    ),
    ("134.4 billion", {c.FACT: None}, "Fact stated", "–", "the triplet has no fact"),
    ("134.4 billion", {c.ANSWER: None}, "Closeness", "–", "the triplet has no answer"),
    (SHOWN_LONG, {}, "Conciseness", "0.00", "0 found ÷ (0 found + 1 extra) = 0 ÷ 1 = 0.000"),
    (
        "x" * (LONGEST_EXPLAINED + 1),
        {},
        "Closeness",
        "0.00",
        "not shown in parts: a text has more than 100,000 characters",
    ),
]


@pytest.mark.parametrize(("response", "triplet", "label", "value", "words"), ARITHMETIC)
def test_arithmetic(response, triplet, label, value, words):
    """Each score stands there with the numbers that it comes from, over all of the text, a word once; of several
    variants with the one that it comes from; a missing one with the reason, and where it would take too long, that."""
    shown, working_of = working(card_of(response, **triplet), label)

    assert (shown, working_of[: len(words)]) == (value, words)


def test_a_long_response_is_shown_in_part():
    """Beyond its limit a text is cut, which is counted."""
    card = card_of(SHOWN_LONG)

    assert "".join(stretch.text for stretch in card.response) == SHOWN_LONG[:LONGEST_SHOWN]
    assert card.left_out == 4 * LONGEST_SHOWN


def test_a_card_says_what_to_change():
    """The suggestion is that of the rule which decided; a response at which nobody is at fault has none."""
    right, declined = response_cards(
        diagnosed(["Net sales were $134.4 billion.", "I do not know."]), ["P1", "P2"], Thresholds()
    )

    assert right.suggestion == ""
    assert "retrieval" in declined.suggestion


@pytest.mark.parametrize(
    ("column", "kept", "label", "said"),
    [(c.F1, 0.25, "F1", "1 ÷ "), (c.FACTUAL_KNOWLEDGE, 0.0, "Fact stated", "“134.4")],
)
def test_another_engines_score_is_told_from_the_arithmetic(column, kept, label, said):
    """Where the run keeps another score than the texts come to, the card shows the kept one and says so."""
    rows = diagnosed([NET_SALES[c.ANSWER]])
    (own,) = response_cards(rows, ["P1"], Thresholds())
    (other,) = response_cards(rows.with_columns(pl.lit(kept).alias(column)), ["P1"], Thresholds())

    assert not working(own, label)[1].startswith("as the run's files")
    assert working(other, label)[0] in ("0.25", "0")
    assert working(other, label)[1].startswith(f"from the run's files; qaviz computes from these texts: 1.00: {said}")
