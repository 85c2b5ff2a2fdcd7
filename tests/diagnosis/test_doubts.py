"""Doubts: what makes an agreeing value doubtful, with the sentence of it that must not."""

import tomllib
from pathlib import Path

import pytest

from qaviz.diagnosis import doubts as module
from qaviz.diagnosis.weigh import Case, weigh
from tests.cases import read_cases

CASES = read_cases(__file__, "cases/doubts")
"""The doubt that holds, "in one of several" parts, or "plain"; question, golden text and response."""
OTHER_CASES = ("in one of several", "plain")
SEVERAL, PLAIN = ([texts for name, *texts in CASES if name == of] for of in OTHER_CASES)
DOUBTED = [case for case in CASES if case[0] not in OTHER_CASES]
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
    assert {name for words in table.values() for name in words} | module.HOLDS.keys() <= names
