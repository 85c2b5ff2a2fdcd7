"""Yes and no, opposites, and refusals."""

from pathlib import Path

import pytest

from qaviz.reading import detect_language
from qaviz.reading.refusals import read_refusal
from qaviz.reading.sides import opposites_of, read_side
from tests.cases import read_cases

HERE = Path(__file__).parent


def read_lines(name: str) -> list[list[str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.replace(" => ", " | ").split(" | ")] for line in lines if line[0] != "#"]


@pytest.mark.parametrize(("expected", "question", "response"), read_lines("refusals.txt"))
def test_refusals(expected: str, question: str, response: str) -> None:
    """What gives no answer declines; an answer with a caveat, a denial or a zero does not."""
    language = detect_language(response, detect_language(question))
    refusal = read_refusal(response, question, language)
    assert ("declines" if refusal and refusal.declines else "answers") == expected


@pytest.mark.parametrize(
    ("language", "word", "opposite"),
    read_cases(__file__, "opposites"),
)
def test_opposites(language: str, word: str, opposite: str) -> None:
    """The opposite of a word is told by table and by beginnings that turn a word, and no word is its own."""
    assert opposite in opposites_of(word, language)
    assert word not in opposites_of(word, language)


@pytest.mark.parametrize(
    ("text", "yes", "stated"),
    read_cases(__file__, "stated_sides"),
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
