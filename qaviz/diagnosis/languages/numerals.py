"""Numbers as other languages write them, in digits, ideographs or words, and centuries: brought into the digits that
the evidence reads.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, TypeVar

from qaviz.diagnosis.languages.vocabulary import Language

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

_HUNDRED, _THOUSAND = 100, 1000
_SCORE = (4, 20)
"""French 80 is four times twenty."""
_READ_ALONE = 20
"""A word for more than this is read as digits where English has no word for it: `veinticuatro`."""
_TIMES_TEN = -10
"""Vietnamese `mươi`: ten times the digit before it."""

_ROMAN = re.compile(r"x{0,2}(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_ROMAN_WORTH = {"i": 1, "v": 5, "x": 10}
_NUMBER = r"(?P<number>\d{1,2}|[ivx]{1,5}|[^\W\d_]{2,16})"
_BEFORE = r"(?:thế kỷ|thế kỉ|the ky|the ki|siglos?|s\.)(?: thứ| thu)? "
_WRITTEN = {
    "fr": re.compile(rf"(?<!\w){_NUMBER} ?(?:ième|ème|è|e|er)? siècle", re.IGNORECASE),
    "de": re.compile(rf"(?<!\w){_NUMBER}\.? (?:jahrhunderts?|jhdt\.|jh\.|jh\b)", re.IGNORECASE),
    "es": re.compile(rf"(?<!\w){_BEFORE}{_NUMBER}(?!\w)", re.IGNORECASE),
    "vi": re.compile(
        rf"(?<!\w){_BEFORE}{_NUMBER}(?: (?P<ones>một|hai|ba|bốn|tư|năm|lăm|sáu|bảy|tám|chín))?(?!\w)", re.IGNORECASE
    ),
    "ja": re.compile(r"(?P<number>\d{1,2}|[一二三四五六七八九十]{1,3})世紀"),
    "zh": re.compile(r"(?P<number>\d{1,2}|[一二三四五六七八九十]{1,3})(?:世纪|世紀)"),
}
_IDEOGRAPHS = "一二三四五六七八九"
_FRENCH = "premier deuxi trois quatri cinqui sixi septi huiti neuvi dixi onzi douzi treizi quatorzi quinzi seizi"
_FRENCH_ORDINALS = {word: place for place, word in enumerate(_FRENCH.split(), start=1)}
_LAST = 21
"""The last century that people write of."""
_MOST_DIGITS = 24
"""Characters of a number that somebody would write; longer ones are beyond what decimals hold exactly."""


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


class _Spelling(NamedTuple):
    """How a language spells numbers."""

    run: re.Pattern[str]
    """Two or more number words that stand together, or one compound."""
    segment: re.Pattern[str]
    """One number word within a run."""
    point: str
    """The word for the decimal point, empty where there is none."""
    half: re.Pattern[str] | None
    """A number, what it counts, and a half."""


def in_digits(read: Read, own: Language, substitute: Substitute[Read]) -> Read:
    """Return the reading with numbers of several words in digits, and `2 heures et demie` as 2,5."""
    spelling = _spelling(own.code, own)
    if spelling is None:
        return read
    read = substitute(read, spelling.run, lambda match: _digits(match, spelling, own))
    if spelling.half:
        read = substitute(read, spelling.half, lambda match: _with_half(match, own.numbers))
    return read


@lru_cache(maxsize=16)
def _spelling(_: str, own: Language) -> _Spelling | None:
    if not own.numbers:
        return None
    words = "|".join(map(re.escape, sorted(own.numbers, key=len, reverse=True)))
    joins = "|".join(own.number_joins)
    point = own.number_point
    between = rf"(?:\s+(?:{joins})\s+|[\s-]+)" if joins else r"[\s-]+"
    if own.number_compounds:
        one = rf"(?:(?:{words})(?:und)?)*(?:{words})"
        run = rf"(?<!\w){one}(?:\s+{one})*(?:\s+{point}(?:\s+(?:{words}))+)?(?!\w)"
    else:
        run = rf"(?<!\w)(?:{words})(?:{between}(?:{words})(?!\w))*(?:\s+{point}(?:\s+(?:{words})(?!\w))+)?(?!\w)"
    half = re.compile(rf"(?<!\w)({words}|\d+)(\s+[^\W\d_]+\s+)?{own.number_half}(?!\w)", re.IGNORECASE)
    return _Spelling(
        re.compile(run, re.IGNORECASE), re.compile(words, re.IGNORECASE), point, half if own.number_half else None
    )


def _digits(match: re.Match[str], spelling: _Spelling, own: Language) -> str | None:
    """The run in digits; None where it is one word, or no number that people write."""
    text = match.group().lower()
    point = re.search(rf"\s+{spelling.point}\s+", text) if spelling.point else None
    whole, decimals = (text[: point.start()], text[point.end() :]) if point else (text, "")
    values = [own.numbers[word] for word in spelling.segment.findall(whole)]
    if len(values) < 2 and not decimals:
        alone = values[0] > _READ_ALONE and values[0] not in (_HUNDRED, _THOUSAND) and whole not in own.phrases
        return str(values[0]) if alone else None
    value = worth_of(values, units_first=own.number_compounds)
    if value is None:
        return None
    if not decimals:
        return str(value)
    digits = [own.numbers[word] for word in spelling.segment.findall(decimals)]
    after = "".join(map(str, digits)) if max(digits) < 10 else str(worth_of(digits, units_first=own.number_compounds))
    return f"{value}{',' if own.comma_decimal else '.'}{after}"


def worth_of(values: Sequence[int], *, units_first: bool = False) -> int | None:
    """Return what number words are worth together; None where they make no number: `two three`.

    `units_first`: ones may stand before tens, as in German.
    """
    total, group, last = 0, 0, _THOUSAND
    for value in values:
        if value == _THOUSAND:
            if total:
                return None
            total, group, last = max(group, 1) * _THOUSAND, 0, _THOUSAND
        elif value == _HUNDRED and group < 10 and last != _HUNDRED:
            group, last = max(group, 1) * _HUNDRED, _HUNDRED
        elif value == _TIMES_TEN and 0 < last < 10:
            group, last = group - last + last * 10, 10
        elif value == _SCORE[1] and last == _SCORE[0] and not units_first:
            group, last = group - last + last * value, value
        elif units_first and 20 <= value < _HUNDRED and 0 < last < 10:
            group, last = group + value, 1
        elif 0 <= value < last and _fits(value, last):
            group, last = group + value, value
        else:
            return None
    return total + group


def _fits(value: int, last: int) -> bool:
    """Whether a word may follow one of the value `last`: tens after hundreds, ones after tens."""
    if last >= _HUNDRED:
        return value < last
    return (last >= 20 and value < 20) or (last == 10 and value < 10)


def _with_half(match: re.Match[str], numbers: Mapping[str, int]) -> str | None:
    number = match[1].lower()
    value = numbers.get(number, number)
    return f"{value},5{match[2] or ' '}".rstrip()


def in_english(
    read: Read, code: str, numbers: Mapping[str, int], days: Mapping[str, int], substitute: Substitute[Read]
) -> Read:
    """Return the reading with its centuries as English writes them.

    `numbers` are a language's number words, `days` its ordinal numbers.
    """
    if code not in _WRITTEN:
        return read

    def write_century(match: re.Match[str]) -> str | None:
        value = _worth(match["number"].lower(), numbers, days)
        if value and "ones" in match.groupdict() and match["ones"]:
            value += numbers.get(match["ones"].lower(), 0)
        return f" {value}{_ending(value)} century " if value and value <= _LAST else None

    return substitute(read, _WRITTEN[code], write_century)


def _worth(word: str, numbers: Mapping[str, int], days: Mapping[str, int]) -> int | None:
    if word.isdecimal():
        return int(word)
    if _ROMAN.fullmatch(word):
        return _roman(word)
    if word[0] in _IDEOGRAPHS or word[0] == "十":
        return _ideographs(word)
    french = next((place for start, place in _FRENCH_ORDINALS.items() if word.startswith(start)), None)
    return days.get(word) or numbers.get(word) or french


def _roman(word: str) -> int:
    worth = [_ROMAN_WORTH[letter] for letter in word]
    return sum(-one if one < after else one for one, after in zip(worth, [*worth[1:], 0], strict=True))


def _ideographs(word: str) -> int | None:
    tens, ten, ones = word.rpartition("十")
    if not ten:
        return _IDEOGRAPHS.index(word) + 1 if len(word) == 1 else None
    if len(tens) > 1 or len(ones) > 1:
        return None
    return 10 * (_IDEOGRAPHS.index(tens) + 1 if tens else 1) + (_IDEOGRAPHS.index(ones) + 1 if ones else 0)


def _ending(number: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number not in (11, 12, 13) else 0, "th")
