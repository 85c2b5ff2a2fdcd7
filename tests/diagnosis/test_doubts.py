"""Doubts: what makes an agreeing value doubtful, with the sentence of it that must not."""

import tomllib
from pathlib import Path

import pytest

from qaviz.diagnosis import doubts as module
from qaviz.diagnosis.doubts import DOUBTS
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
    ("qualifier", "How many employees has it?", "42", "It has $42."),
    ("qualifier", "What is the limit per day?", "5 mg per day", "The limit is at least 5 mg per day."),
    ("label", "How many members are there?", "12", "See page 12."),
    ("replaced", "Where was it held?", "Kansas City, Missouri", "It was held in Kansas City, Kansas."),
    ("exchanged", "What caused the delay?", "broken rudder", "The delay caused a broken rudder."),
    ("hedge", "Who wrote it?", "Ana Lima", "I'm not sure, but it was Ana Lima."),
    ("negation", "Who wrote it?", "Ana Lima", "It is doubtful that it was Ana Lima."),
]
SEVERAL = [
    ("Which colours has the flag?", "red<AND>white<AND>green", "Red, white, green and black."),
    ("Which colours has the flag?", "red<AND>white<AND>green", "Red, white, and no green at all."),
    ("Which cities have offices?", "Bern<AND>Basel<AND>Thun", "Bern and Basel. No office is in Thun."),
    ("Which cities have offices?", "Bern, Basel and Thun", "Bern, Basel, and not Thun"),
    ("Who founded the firm?", "Ada Byron and Karl Benz", "Ada Byron, but not Karl Benz"),
    ("Which months are closed?", "January and February", "January, February and March"),
    ("How many goals and assists had Ruiz?", "12<AND>7", "7 goals and 12 assists."),
    ("How many points did Ruiz get?", "42", "42%"),
]
"""Golden texts of which a part is denied, exchanged or added to."""
PLAIN = [
    ("Which colours has the flag?", "red<AND>white<AND>green", "Green, red and white."),
    ("What share has the fund?", "42", "42%"),
    ("How many kilograms are in stock?", "42", "There are 42 kg in stock."),
    ("What is the minimum per day?", "5 mg per day", "At least 5 mg per day."),
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
    ("When was it signed?", "2024", "It was signed on 3 May 2024."),
]
STRESSED = ["No doubt it was Ana Lima.", "Without a doubt, Ana Lima.", "I'm not sure, but it was Ana Lima."]
UNREAD = [
    ("Кто директор компании?", "Иван Петров", "Директор компании не Иван Петров."),
    ("Ki a cég vezetője?", "Kovács János", "A cég vezetője nem Kovács János."),
    ("Şirketin müdürü kimdir?", "Ahmet Yılmaz", "Şirketin müdürü Ahmet Yılmaz değil."),
    ("Vem är bolagets vd?", "Anna Berg", "Inte Anna Berg."),
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


@pytest.mark.parametrize(("question", "golden", "response"), SEVERAL)
def test_what_is_wrong_in_one_of_several_is_doubted(question, golden, response):
    """A doubt about any part counts for all of it, with a full stop and without."""
    assert doubts(question, golden, response)
    assert doubts(question, golden, response.rstrip(".") + ".")


@pytest.mark.parametrize(("question", "golden", "response"), PLAIN)
def test_a_plain_answer_is_not_doubted(question, golden, response):
    """Nothing that weighs is held against a plain answer."""
    assert doubts(question, golden, response) <= {"contrast", "rival", "negation"}


@pytest.mark.parametrize("response", STRESSED)
def test_a_negation_that_denies_nothing_is_none(response):
    """A stressed or a hesitant answer denies nothing."""
    assert "negation" not in doubts("Who wrote it?", "Ana Lima", response)


@pytest.mark.parametrize(("question", "golden", "response"), UNREAD)
def test_beside_other_words_a_language_that_is_not_read_is_named(question, golden, response):
    """A golden name that words of such a language may deny is not sure; the name alone needs no language."""
    assert weigh(Case(question, golden, golden, response)).unread
    assert weigh(Case(question, golden, golden, f"{golden}.")).unread is None


def test_each_name_in_the_file_is_a_doubt():
    """The words of each language, and the functions beside the file, raise doubts that its own table has."""
    table = tomllib.loads(Path(module.__file__).with_suffix(".toml").read_text("utf-8"))
    names = table.pop("doubts").keys()
    assert {name for words in table.values() for name in words} <= names
    assert sum(doubt.holds is not None for doubt in DOUBTS) == len(module.HOLDS)
