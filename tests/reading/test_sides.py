"""Yes and no, opposites, denials, who did what to whom, and refusals."""

import pytest

from qaviz.reading import detect_language
from qaviz.reading.refusals import read_refusal
from qaviz.reading.sides import compare_statements, is_denied, opposites_of, read_side
from tests.cases import read_cases, read_lines


@pytest.mark.parametrize(("question", "golden", "response", "expected"), read_lines(__file__, "sides"))
def test_who_did_what_to_whom(question: str, golden: str, response: str, expected: str) -> None:
    """Roles are told apart in the active, the passive and by inverse verbs."""
    language = detect_language(question)
    assert (compare_statements(question, golden, response, language) or "-") == expected


@pytest.mark.parametrize(("expected", "question", "response"), read_lines(__file__, "refusals"))
def test_refusals(expected: str, question: str, response: str) -> None:
    """What gives no answer declines; an answer with a caveat, a denial or a zero does not."""
    language = detect_language(response, detect_language(question))
    refusal = read_refusal(response, question, language)
    assert ("declines" if refusal and refusal.declines else "answers") == expected


@pytest.mark.parametrize(("language", "word", "opposite"), read_cases(__file__, "opposites"))
def test_opposites(language: str, word: str, opposite: str) -> None:
    """The opposite of a word is told by table and by beginnings that turn a word, and no word is its own."""
    assert opposite in opposites_of(word, language)
    assert word not in opposites_of(word, language)


@pytest.mark.parametrize(("question", "text", "yes", "stated"), read_cases(__file__, "stated_sides"))
def test_sides_of_a_question(question: str, text: str, yes: bool | None, stated: bool) -> None:
    """A side is stated in one word, or by a statement about what the question asks; what speaks of something else takes
    no side."""
    side = read_side(text, question)
    assert (side.yes if side else None) is yes
    assert (side is not None and side.stated) is stated


def test_what_is_denied() -> None:
    """A negation denies what stands behind it in its clause; in Japanese what stands before it."""
    text = "Nice hosts the fair, not Lyon."
    assert is_denied(text, text.index("Lyon"), text.index("Lyon") + 4)
    assert not is_denied(text, 0, 4)
    assert is_denied("屋根は瓦ではなくトタンです。", 3, 4, "ja")
