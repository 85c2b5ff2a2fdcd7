"""Which values say the same, which contradict and in what."""

from pathlib import Path

import pytest

from qaviz.reading import Kind, Token, best, compare, tokens

LINES = (Path(__file__).parent / "equal.txt").read_text(encoding="utf-8").splitlines()
CASES = [[part.strip() for part in line.replace(" => ", " | ").split(" | ")] for line in LINES if line[0] != "#"]


def read_value(text: str, language: str) -> Token:
    """The first token of a text that is no name."""
    return next(token for token in tokens(text, language) if token.kind is not Kind.NAME)


@pytest.mark.parametrize(("language", "golden", "given", "expected"), CASES)
def test_values_compare(language: str, golden: str, given: str, expected: str) -> None:
    """Each pair relates as the table says: a qualifier that differs contradicts."""
    comparison = compare(read_value(golden, language), read_value(given, language))
    assert f"{comparison.relation}, {comparison.reason}" == expected


def test_what_is_excepted_is_another_value() -> None:
    """`Every day but Monday` contradicts Monday."""
    nearest = best(read_value("Monday", "en"), tokens("It is closed every day but Monday."))
    assert nearest is not None
    assert nearest[1].reason == "excluded"


def test_alternatives_are_linked() -> None:
    """`Either 1600 or 1602` are two tokens, the second an alternative to the first."""
    first, second = tokens("It was built in either 1600 or 1602.")
    assert (first.link, second.link) == ("", "or")
    assert compare(first, second).reason == "date"
