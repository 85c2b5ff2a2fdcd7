"""Doubts: what makes an agreeing value doubtful, with the sentence of it that must not."""

import pytest

from qaviz.diagnosis.weigh import Case, weigh

DOUBTED = [
    ("denied", "Which city hosts the fair?", "Lyon", "Nice hosts the fair, not Lyon."),
    ("rejected", "Which city hosts the fair?", "Lyon", "It is Nice rather than Lyon."),
    ("exchanged", "Who acquired Volmar?", "Tessera", "Volmar acquired Tessera."),
    ("period", "What was revenue in 2021?", "$5 million", "In 2020, revenue was $5 million."),
    (
        "row",
        "How many units were sold in Spain?",
        "4,200",
        "Sales in Portugal came to 4,200 units. In Spain, 3,900 units were sold.",
    ),
    ("hedge", "Who wrote it?", "Ana Lima", "Perhaps it was Ana Lima."),
    ("alternatives", "When was it founded?", "1600", "It was founded in either 1600 or 1602."),
    ("rival", "Who wrote it?", "Ana Lima", "Ana Lima and Bo Ek wrote it."),
    ("modifier", "Where is it registered?", "Guinea", "It is registered in Equatorial Guinea."),
    ("inside", "会社の本社はどこですか。", "京都", "本社は東京都にあります。"),
    ("behind", "Who sold the mill?", "Kestrel", "The mill was sold to Kestrel."),
    ("subject", "What did the cloud division earn?", "$5 million", "The hardware division earned $5 million."),
    ("subject", "What is the notice for managers?", "nine months", "For apprentices, nine months."),
    ("order", "Who wrote the report?", "Thomas James", "James Thomas wrote it."),
    ("label", "How many members are there?", "12", "See page 12."),
    ("replaced", "Where was it held?", "Kansas City, Missouri", "It was held in Kansas City, Kansas."),
    ("exchanged", "What caused the delay?", "broken rudder", "The delay caused a broken rudder."),
]
PLAIN = [
    ("Which city hosts the fair?", "Lyon", "Lyon hosts the fair, not Nice."),
    ("Who acquired Volmar?", "Tessera", "Volmar was acquired by Tessera."),
    ("How many units were sold in Spain?", "4,200", "In Spain, 4,200 units were sold."),
    ("Who wrote it?", "Ana Lima", "It was written by Ana Lima."),
    ("What was revenue in 2021?", "$5 million", "In 2021, revenue was $5 million."),
    ("When was the line opened?", "1872", "The station of the line in 1872."),
    ("Who did the Broncos beat?", "Panthers", "The Broncos beat the Panthers."),
    ("Who was prime minister after Balfour?", "Campbell", "The prime minister after Balfour was Campbell."),
    ("Who won the cup?", "India", "Cup 2018: won by India."),
    ("Is parking included?", "Yes", "Yes, although it is not large."),
]


def doubts(question: str, golden: str, response: str) -> frozenset[str]:
    return weigh(Case(question, golden, golden, response)).doubted


@pytest.mark.parametrize(("name", "question", "golden", "response"), DOUBTED)
def test_a_doubt_is_seen(name, question, golden, response):
    """The doubt holds, and holds as well where neutral sentences follow."""
    assert name in doubts(question, golden, response)
    assert name in doubts(
        question, golden, f"{response} Please note that further explanations are welcome at any time."
    )


@pytest.mark.parametrize(("question", "golden", "response"), PLAIN)
def test_a_plain_answer_is_not_doubted(question, golden, response):
    """Nothing that weighs is held against a plain answer."""
    assert doubts(question, golden, response) <= {"contrast", "rival", "negation"}
