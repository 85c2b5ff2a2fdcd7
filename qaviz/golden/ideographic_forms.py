"""The forms of a number in Japanese and Chinese, which count by ten thousands: 2.5億円 is 2億5000万円."""

import re
from collections.abc import Iterator
from decimal import Decimal

_POWERS = {"兆": 12, "億": 8, "亿": 8, "万": 4, "萬": 4}
_JAPANESE, _SIMPLIFIED, _TRADITIONAL = (
    {12: "兆", 8: "億", 4: "万"},
    {12: "兆", 8: "亿", 4: "万"},
    {12: "兆", 8: "億", 4: "萬"},
)
"""Power of ten -> its letter."""
_OTHER_SCRIPT = str.maketrans("亿万億萬", "億萬亿万")
_PART = r"\d+(?:,\d{3})*(?:\.\d+)?[兆億亿万萬]"
_NUMBER = re.compile(rf"(?P<parts>(?:{_PART})+|\d+(?:,\d{{3}})*)(?P<behind>[^\W\d_]{{0,4}})")
_PERCENT = re.compile(r"(?P<number>\d+(?:\.\d+)?) ?(?:%|％|パーセント)|百分之(?P<said>\d+(?:\.\d+)?)")
_MOST_DECIMALS = 3
_LEAST = 10_000
"""Numbers below are written in one way: years and identifiers look like them."""


def list_ideographic(fact: str, code: str) -> Iterator[str]:
    """Return the forms of a fact that begins with one number, its own among them; none for any other fact.

    `code` is `ja` or `zh`. Chinese forms come in the other letters too, last: 34.5亿元 as 34.5億元.
    """
    if percent := _PERCENT.fullmatch(fact):
        number = percent["number"] or percent["said"]
        yield from (f"{number}%", f"{number}パーセント" if code == "ja" else f"百分之{number}")
        return
    found = _NUMBER.fullmatch(fact)
    if not found:
        return
    forms = [f"{form}{found['behind']}" for form in dict.fromkeys(_numbers(found["parts"], _letters(fact, code)))]
    yield from forms
    if code == "zh":
        yield from (form.translate(_OTHER_SCRIPT) for form in forms if any(letter in _POWERS for letter in form))


def _letters(fact: str, code: str) -> dict[int, str]:
    if code == "ja":
        return _JAPANESE
    return _TRADITIONAL if any(letter in fact for letter in "億萬") else _SIMPLIFIED


def _numbers(written: str, letters: dict[int, str]) -> Iterator[str]:
    """The number by each scale that fits it, by two scales, and written out where no digit is unknown."""
    parts = re.findall(r"([\d,.]+)([兆億亿万萬]?)", written)
    value = sum((_value(number).scaleb(_POWERS.get(letter, 0)) for number, letter in parts), Decimal(0))
    own = _POWERS.get(parts[0][1], 0) if len(parts) == 1 else 0
    if value < _LEAST:
        return
    if own:
        yield from _grouped(_value(parts[0][0]), letters[own])
    yield from _by_scale(value, own, letters)
    high, low = divmod(value, Decimal(10) ** 8)
    if high and low and low % 10**4 == 0 and high < 10**4:
        yield f"{int(high)}{letters[8]}{int(low) // 10**4}{letters[4]}"
    if not parts[0][1]:
        yield from _grouped(value, "")


def _by_scale(value: Decimal, own: int, letters: dict[int, str]) -> Iterator[str]:
    for power, letter in letters.items():
        mantissa = value.scaleb(-power).normalize()
        decimals = -int(mantissa.as_tuple().exponent)
        if power != own and 1 <= mantissa < 10**5 and decimals <= _MOST_DECIMALS:
            yield f"{mantissa:f}{letter}"


def _grouped(value: Decimal, letter: str) -> Iterator[str]:
    """With its thousands apart, and together."""
    yield from (f"{value:,f}{letter}", f"{value:f}{letter}")


def _value(number: str) -> Decimal:
    return Decimal(number.replace(",", ""))
