"""Numbers as other languages write them: points between thousands, ideographs, ten thousands and hundred millions."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TypeVar

_DIGITS = {**dict(zip("〇零一二三四五六七八九", (0, *range(10)), strict=True)), "两": 2, "兩": 2}
_TENS = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
IN_IDEOGRAPHS = {"천": "千", "만": "万", "억": "億", "조": "兆", "년": "年", "월": "月", "일": "日", "원": " KRW"}
"""Korean letters behind a number -> the ideograph that Chinese writes there."""
HANGUL = re.compile(rf"(?<=[\d천만억조]) ?([{''.join(IN_IDEOGRAPHS)}])")
_RUN = "〇零一二三四五六七八九两兩十百千"
_SIZES = "".join(_LARGE)

Read = TypeVar("Read")
Substitute = Callable[[Read, re.Pattern[str], Callable[[re.Match[str]], str | None]], Read]

_HUNDREDTHS = re.compile(rf"百分之([{_RUN}]+|\d+(?:\.\d+)?)(?:点([{_RUN}]+))?")
_YEAR = re.compile(r"([〇零一二三四五六七八九]{4})(?=年)")
_COUNTED = re.compile(
    rf"(?<!\d)[{_RUN}]+(?=[{_SIZES}年月日号號个個人元米円ドル歳岁％%天周週星小时時分秒か度倍])|(?<=^)[{_RUN}]+(?=\W*$)"
)
_IN_SIZES = re.compile(rf"(?<![\d.,])(?:\d[\d,]*(?:\.\d+)?[千百十]?[{_SIZES}])+(?:\d[\d,]*(?![\d.]))?")
_ONE_SIZE = re.compile(rf"(\d[\d,]*(?:\.\d+)?)([千百十]?)([{_SIZES}])")
_THOUSANDS = re.compile(r"(?<![\d.,])(\d[\d,]*(?:\.\d+)?)千(?=[^克米瓦]|$)")


def in_ideographs(read: Read, substitute: Substitute[Read]) -> Read:
    """The reading with numbers of Chinese and Japanese in digits, and large ones in millions, billions, trillions."""
    read = substitute(read, _HUNDREDTHS, _percent)
    read = substitute(read, _YEAR, lambda match: "".join(str(_DIGITS[digit]) for digit in match[1]))
    read = substitute(read, _COUNTED, lambda match: str(value_of(match.group())))
    read = substitute(read, _IN_SIZES, _in_english)
    return substitute(read, _THOUSANDS, lambda match: f" {match[1]} thousand ")


def _percent(match: re.Match[str]) -> str:
    whole = match[1] if match[1][0].isdigit() else str(value_of(match[1]))
    return f" {whole}" + (f".{''.join(str(_DIGITS.get(digit, 0)) for digit in match[2])}" if match[2] else "") + "% "


def value_of(numeral: str) -> int:
    """The value of a number in ideographs below ten thousand, or of its digits in a row."""
    if not any(letter in _TENS for letter in numeral):
        return int("".join(str(_DIGITS[letter]) for letter in numeral))
    total, digit = 0, 0
    for letter in numeral:
        if letter in _TENS:
            total, digit = total + (digit or 1) * _TENS[letter], 0
        else:
            digit = _DIGITS[letter]
    return total + digit


_MOST_DIGITS = 24
"""Characters of a number that somebody would write; longer ones are beyond what decimals hold exactly."""


def _in_english(match: re.Match[str]) -> str | None:
    """1億2500万 as 125 million: in the last digit that is written."""
    if len(match.group()) > _MOST_DIGITS:
        return None
    parts = _ONE_SIZE.findall(match.group())
    total, step = Decimal(0), Decimal(1)
    for digits, tens, size in parts:
        number = Decimal(digits.replace(",", ""))
        worth = _LARGE[size] * _TENS.get(tens, 1)
        total, step = total + number * worth, Decimal(worth).scaleb(int(number.as_tuple().exponent))
    rest = match.group()[match.group().rfind(parts[-1][2]) + 1 :].replace(",", "")
    if rest:
        return f" {int(total + int(rest)):,} "
    for name, power in (("trillion", 12), ("billion", 9), ("million", 6), ("thousand", 3)):
        if total >= Decimal(10) ** power:
            return f" {(total / Decimal(10) ** power).quantize(step.scaleb(-power)):f} {name} "
    return f" {total:f} "


def with_point(match: re.Match[str]) -> str | None:
    """A number that is written with a decimal comma as English writes it."""
    digits = re.sub(r"[ '’]", ".", match.group())
    if digits.count(",") > 1:
        return digits
    whole, comma, decimals = digits.partition(",")
    if "." in whole:
        return f"{int(whole.replace('.', '')):,}" + (f".{decimals}" if comma else "")
    before = match.string[max(0, match.start() - 1) : match.start()]
    if before == "$" and len(decimals) == 3 and len(whole) <= 3:
        return digits
    return f"{whole}.{decimals}" if comma else digits
