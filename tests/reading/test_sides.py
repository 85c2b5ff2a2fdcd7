"""Yes and no, opposites, denials, who did what to whom, and refusals."""

from pathlib import Path

import pytest

from qaviz.reading import detect_language
from qaviz.reading.refusals import read_refusal
from qaviz.reading.sides import compare_statements, is_denied, opposites_of, read_side

HERE = Path(__file__).parent


def read_lines(name: str) -> list[list[str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.replace(" => ", " | ").split(" | ")] for line in lines if line[0] != "#"]


@pytest.mark.parametrize(("question", "golden", "response", "expected"), read_lines("sides.txt"))
def test_who_did_what_to_whom(question: str, golden: str, response: str, expected: str) -> None:
    """Roles are told apart in the active, the passive and by inverse verbs."""
    language = detect_language(question)
    assert (compare_statements(question, golden, response, language) or "-") == expected


@pytest.mark.parametrize(("expected", "question", "response"), read_lines("refusals.txt"))
def test_refusals(expected: str, question: str, response: str) -> None:
    """What gives no answer declines; an answer with a caveat, a denial or a zero does not."""
    language = detect_language(response, detect_language(question))
    refusal = read_refusal(response, question, language)
    assert ("declines" if refusal and refusal.declines else "answers") == expected


@pytest.mark.parametrize(
    ("language", "word", "opposite"),
    [
        ("en", "paid", "unpaid"),
        ("en", "hypoglycemia", "hyperglycemia"),
        ("en", "part", "full"),
        ("en", "buyer", "seller"),
        ("de", "gultig", "ungultig"),
        ("es", "hipotiroidismo", "hipertiroidismo"),
        ("fr", "legale", "illegale"),
        ("vi", "trái", "phải"),
    ],
)
def test_opposites(language: str, word: str, opposite: str) -> None:
    """The opposite of a word is told by table and by beginnings that turn a word, and no word is its own."""
    assert opposite in opposites_of(word, language)
    assert word not in opposites_of(word, language)


@pytest.mark.parametrize(
    ("text", "yes", "stated"),
    [
        ("Yes, you can bring a dog.", True, True),
        ("No [1]", False, True),
        ("Answer: No.", False, True),
        ("**No.**", False, True),
        ("Breakfast isn't included.", False, False),
        ("Breakfast is included at no extra charge.", True, False),
        ("Breakfast is excluded.", False, False),
    ],
)
def test_sides_of_a_question(text: str, yes: bool, stated: bool) -> None:
    """A side is stated in one word, or by a statement about what the question asks."""
    side = read_side(text, "Is breakfast included?")
    assert side is not None
    assert (side.yes, side.stated) == (yes, stated)


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("Product sales decreased. The debt increased.", True),
        ("The debt increased, although margins did not.", True),
        ("Costs declined by 3%.", None),
    ],
)
def test_the_side_is_that_of_the_statement_about_the_question(text: str, yes: bool | None) -> None:
    """What speaks of something else takes no side."""
    question = "Has the debt increased in FY2023 (not counting leases)? If debt is not relevant, say why."
    side = read_side(text, question)
    assert (side.yes if side else None) is yes


def test_what_is_denied() -> None:
    """A negation denies what stands behind it in its clause; in Japanese what stands before it."""
    text = "Nice hosts the fair, not Lyon."
    assert is_denied(text, text.index("Lyon"), text.index("Lyon") + 4)
    assert not is_denied(text, 0, 4)
    assert is_denied("屋根は瓦ではなくトタンです。", 3, 4, "ja")
