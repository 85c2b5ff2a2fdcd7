"""Numbers in words, English and Vietnamese."""

from decimal import Decimal

import pytest

from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.number_words import find


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("zero", "0"),
        ("seven", "7"),
        ("fifteen", "15"),
        ("forty", "40"),
        ("Sixty-Four", "64"),
        ("one hundred", "100"),
        ("a hundred and one", "101"),
        ("three hundred forty-two", "342"),
        ("one thousand, nine hundred and five", "1905"),
        ("ten thousand and one", "10001"),
        ("five hundred and two thousand", "502000"),
        ("two million three hundred thousand", "2300000"),
        ("a million", "1000000"),
        ("hundred million dollars and one hundred million", "100000000"),
        ("two dozen", "24"),
        ("half a billion", "500000000"),
        ("two and a half", "2.5"),
        ("two and a quarter million", "2250000"),
        ("nine point seven five", "9.75"),
        ("three quarters", "0.75"),
        ("five crore", "50000000"),
        ("mười lăm", "15"),
        ("hai mươi mốt", "21"),
        ("hai mươi tư", "24"),
        ("một trăm lẻ năm", "105"),
        ("ba trăm nghìn", "300000"),
        ("hai triệu ba trăm nghìn", "2300000"),
        ("tám phẩy năm", "8.5"),
        ("năm tỷ", "5000000000"),
    ],
)
def test_value(text: str, value: str):
    """Number words that stand together make one number."""
    assert [number.value for number in find(level_text(text))][-1:] == [Decimal(value)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("one two three", [1, 2, 3]),
        ("twenty nine stone twelve pounds", [29, 12]),
        ("five, six", [5, 6]),
        ("seven and eight", [7, 8]),
        ("the first two", [1, 2]),
        ("ten thousand, five", [10005]),
    ],
)
def test_numbers_that_stand_apart(text: str, values: list[int]):
    """Words that make no number together are numbers of their own."""
    assert [number.value for number in find(level_text(text))] == values


@pytest.mark.parametrize(
    "text", ["134.4 billion", "hundreds of", "someone", "tent", "thousand", "12 hundred", "không có", "third", ""]
)
def test_no_number(text: str):
    """A scale after digits, a part of a word, and words that need a number beside them are none."""
    assert find(level_text(text)) == [] or all(number.ordinal for number in find(level_text(text)))


@pytest.mark.parametrize("text", ["first", "twelfth", "twenty-fifth"])
def test_ordinal(text: str):
    """Ordinals are marked."""
    assert find(text)[0].ordinal


@pytest.mark.parametrize(
    ("text", "weak"), [("one", True), ("half", True), ("năm", True), ("two", False), ("twenty-one", False)]
)
def test_words_with_another_reading_are_weak(text: str, weak: bool):
    """Words that often mean no amount are weak, unless they stand in a longer number."""
    assert find(text)[0].weak is weak
