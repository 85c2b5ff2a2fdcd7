"""Which values say the same, which contradict and in what."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.reading import Relation, Token, best, compare, tokens
from tests.cases import read_lines


def read_value(text: str, language: str) -> Token:
    """The first token of a text."""
    return tokens(text, language)[0]


@pytest.mark.parametrize(("language", "golden", "given", "expected"), read_lines(__file__, "equal"))
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


VALUES = st.integers(11, 9989).filter(lambda value: value % 10).map(lambda value: Decimal(value) / 10)
UNITS = [("billion", 1000, "million"), ("million", 1000, "thousand"), ("hours", 60, "minutes"), ("km", 1000, "metres")]


@given(VALUES, st.sampled_from(UNITS), st.sampled_from([-1, 1]))
def test_a_value_in_another_unit_is_the_same_and_a_changed_one_is_not(
    value: Decimal, units: tuple[str, int, str], way: int
) -> None:
    """Exactly in a smaller unit it is the same, whatever the digits; twice its last digit away it is another."""
    unit, worth, smaller = units
    golden = read_value(f"{value} {unit}", "en")
    changed = value + way * max(Decimal("0.2"), value / 10).quantize(Decimal("0.1"))
    assert compare(golden, read_value(f"{value * worth:,f} {smaller}", "en")).relation is Relation.SAME
    for text in (f"{changed} {unit}", f"{changed * worth:,f} {smaller}"):
        assert compare(golden, read_value(text, "en")).relation is Relation.OTHER
