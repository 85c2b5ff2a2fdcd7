"""The quantities of a text: value, precision as written, unit and sign. What is no quantity is none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from qaviz.diagnosis import dates, number_words
from qaviz.diagnosis.evidence import Span
from qaviz.diagnosis.quantities.units import (
    CURRENCIES,
    CURRENCY_SIGNS,
    LETTER_SCALES,
    SCALES,
    UNITS,
    VIETNAMESE_SCALES,
    any_of,
)
from qaviz.diagnosis.statements import levelled


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity as written: offsets into the text, and what it says."""

    start: int
    end: int
    value: Decimal
    """Without its sign, as a plain number: 134.4 billion is 134,400,000,000, 6 feet is 6."""
    half: Decimal
    """Half of the last digit as written: 50,000,000 for 134.4 billion. 0 where exact, as a fraction is."""
    unit: str = ""
    """A currency's code, `%`, or a dimension such as `length`; empty where none is written."""
    factor: Decimal = Decimal(1)
    """Worth of the unit in its dimension: 0.3048 (metres) for feet, 0.01 (percent) for basis points."""
    scaled: bool = False
    """A scale is written: thousand, million, K."""
    negative: bool | None = False
    """Null where brackets or a dash may be a minus sign, or punctuation."""
    weak: bool = False
    """It has another common reading (`one` of them, 3rd, the year 2023): it may agree, but is no other value."""
    hedged: bool = False
    """`about`, `over`, `nearly` stands before it: its last zeros are not meant as digits."""
    high: Decimal | None = None
    """The upper end of a range."""

    def words(self, text: str) -> Span:
        """The quantity as it stands in `text`."""
        return Span(self.start, self.end, text[self.start : self.end])


LONGEST = 40
"""Digits and marks of a number. What is longer is an id, not a quantity."""

_TOKEN = re.compile(r"\d+(?:[.,']\d+)*")
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?![\d.,]*\d)")
_WORD_SCALES = [scale for scale in SCALES if scale not in LETTER_SCALES]
_AFTER = re.compile(
    rf"""
    (?: [ ]?[x×*·][ ]?10\^?(?P<power>-?\d{{1,3}})(?!\d) | e(?P<exponent>[+-]?\d{{1,3}})(?![\w.]) )?
    (?: [ -]?(?P<scale>{any_of(_WORD_SCALES)})(?!\w) (?:[ ](?P<times>{any_of(_WORD_SCALES)})(?!\w))?
      | [ ]?(?P<letter>{any_of(LETTER_SCALES)})(?![\w-]) )?
    \)?
    (?: [ -]?[ ]?(?:of[ ])?(?P<unit>{any_of(unit for unit in UNITS if unit[-1].isalnum() or unit[-1] == ".")})(?!\w)
      | [ ]{{0,2}}(?P<sign>{any_of(unit for unit in UNITS if not (unit[-1].isalnum() or unit[-1] == "."))}) )?
    """,
    re.VERBOSE,
)
_BEFORE = re.compile(
    rf"""
    (?P<bracket>\()?[ ]?(?P<minus>[+-])?[ ]?
    (?P<currency>(?<!\w){any_of(CURRENCIES)}|{any_of(CURRENCY_SIGNS)})?
    [ ]?(?P<minus2>[+-])?(?P<bracket2>\()?$
    """,
    re.VERBOSE,
)
_BEFORE_REACH = 16
_NONE = re.compile(
    r"""
      \d{1,3}(?:\.\d{1,3}){3}                           # 192.168.0.1
    | \d{1,2}:\d\d                                      # 10:30
    | \d{5}-\d{4}(?!\d)                                 # a ZIP code
    | (?:\d{1,3}[ ])?\(?\d{3}\)?[ .-]\d{3}[.-]\d{4}     # a telephone number
    | \d{3}-\d{4}(?!\d)
    | \d+-\d+-\d+                                       # an id
    | (?:10|8|6|20|40|11|13|14)-?[a-z](?![\w])(?!/)     # 10-K
    | \d+-[a-z](?!\w)
    | \d[ ]decimal
    """,
    re.VERBOSE,
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?!\w)")
_FRACTION = re.compile(r"(?:(?P<whole>\d{1,4}) )?(?P<top>\d{1,3})/(?P<bottom>\d{1,4})(?![\d/])")
_MARKER = re.compile(r"(\d{1,2})[.)]\**[ \t]+(?=\S)")
_LINE_START = re.compile(r"(?:^|\n)[\s*#(>_-]*$")
_CITATION = re.compile(r"\[\^?\d+(?:, ?\d+)*\]")
_LABEL = re.compile(
    r"(?:\b(?:notes?|items?|pages?|exhibits?|sections?|tables?|steps?|figures?|chapters?|parts?|forms?|appendix|schedules?"
    r"|rules?|footnotes?|asc|asu|questions?|examples?|q|fy|quarters?|isin|cusip|iso|p\.)[ .:#]{1,2}|#)$"
)
_HEDGE = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|over|more than|less than|under|at least"
    r"|up to|close to|circa|khoảng|gần|hơn|xấp xỉ)[ ]|[~≈])[^\w]{0,3}$"
)
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|from|until|till|by|during|of|for|and|fy|fiscal|year|ended|ending|end|between|to|vs\.?|năm|[a-z]{3,9}"
    r" \d{1,2},?)[ ]|['(])$"
)


@lru_cache(maxsize=1024)
def find(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text, in order: numbers in digits and in words, ranges as one.

    Dates, ordinal labels ("Note 8"), document forms ("10-Q"), telephone numbers, ids and citations are none.
    """
    level = levelled(text)
    found = [*_in_digits(text, level), *_in_words(text, level)]
    found.sort(key=lambda quantity: quantity.start)
    return tuple(_ranges(level, _without_overlap(found)))


def _without_overlap(quantities: list[Quantity]) -> Iterator[Quantity]:
    end = 0
    for quantity in quantities:
        if quantity.start >= end:
            yield quantity
            end = quantity.end


def _in_digits(text: str, level: str) -> Iterator[Quantity]:
    taken = [(date.start, date.end) for date in dates.find(text) if not date.bare]
    bare = {date.start for date in dates.find(text) if date.bare}
    end, marker = 0, 0
    taken.reverse()
    for token in _TOKEN.finditer(level):
        start = token.start()
        while taken and taken[-1][1] <= start:
            taken.pop()
        if start < end or (taken and taken[-1][0] <= start):
            continue
        if listed := _marker(level, start, marker):
            marker, end = listed
            continue
        if no := _no_quantity(level, token):
            end = no
            continue
        if quantity := _read(text, level, token, year=start in bare):
            yield quantity
            end = quantity.end


def _marker(level: str, start: int, last: int) -> tuple[int, int] | None:
    """The place and the end of a list's marker, `2.` after `1.`, that begins at `start`."""
    found = _MARKER.match(level, start)
    if not found or not last < int(found[1]) <= last + 1 or not _LINE_START.search(level, max(0, start - 8), start):
        return None
    return int(found[1]), found.end()


def _no_quantity(level: str, token: re.Match[str]) -> int:
    """The end of what begins here and is no quantity; 0 where it may be one."""
    start, end = token.span()
    before = level[start - 1] if start else " "
    if end - start > LONGEST or before.isalnum() or before in "_/":
        return end
    if before == "-" and start > 1 and level[start - 2].isalnum() and not level[start - 2].isdigit():
        return end
    if before in "[^" and _CITATION.match(level, level.rfind("[", 0, start)):
        return end
    if none := _NONE.match(level, start):
        return none.end()
    return end if _LABEL.search(level, max(0, start - 12), start) else 0


def _read(text: str, level: str, token: re.Match[str], *, year: bool) -> Quantity | None:
    """The quantity whose digits begin at `token`."""
    start, end = token.span()
    if fraction := _FRACTION.match(level, start):
        return _fraction(fraction)
    if ordinal := _ORDINAL.match(level, end):
        digits = token.group()
        return Quantity(start, ordinal.end(), Decimal(digits), Decimal(0), weak=True) if digits.isdigit() else None
    digits = token.group()
    before = _BEFORE.search(level, max(0, start - _BEFORE_REACH), start)
    assert before  # every part of the pattern may be empty
    if (spaced := _SPACED.match(level, start)) and (before["currency"] or _measured(level, spaced.end())):
        digits, end = spaced.group().replace(" ", ""), spaced.end()
    after = _AFTER.match(level, end)
    assert after  # as above
    number = _number(digits, comma_decimal=after["scale"] in VIETNAMESE_SCALES)
    if number is None:
        return None
    return _quantity(text, level, (start, end), number, before, after, year=year)


def _measured(level: str, end: int) -> bool:
    after = _AFTER.match(level, end)
    return bool(after and (after["scale"] or after["unit"] or after["sign"]))


def _number(digits: str, *, comma_decimal: bool) -> tuple[Decimal, int] | None:
    """The value of digits with marks, and how many decimals are written; null where the marks make no number."""
    point, group = (",", ".") if comma_decimal else (".", ",")
    digits = digits.replace("'", "")
    if digits.count(point) > 1 or (point in digits and group in digits and digits.rfind(group) > digits.rfind(point)):
        point, group = group, point
    whole, _, decimals = digits.partition(point)
    if point in decimals:
        return None
    groups = whole.split(group)
    if len(groups) > 1 and not _is_grouped(groups):
        if len(groups) > 2 or decimals:
            return None
        whole, decimals = groups
    return Decimal(f"{whole.replace(group, '')}.{decimals or 0}"), len(decimals)


def _is_grouped(groups: list[str]) -> bool:
    """Whether digits are grouped by thousands, or as in India: 12,34,567."""
    if not 1 <= len(groups[0]) <= 3 or len(groups[-1]) != 3:
        return False
    return len({len(group) for group in groups[1:-1]} | {3}) == 1 or {len(group) for group in groups[1:-1]} == {2}


def _fraction(match: re.Match[str]) -> Quantity | None:
    top, bottom = int(match["top"]), int(match["bottom"])
    if not 0 < top < bottom:
        return None
    return Quantity(*match.span(), int(match["whole"] or 0) + Decimal(top) / bottom, Decimal(0))


def _quantity(
    text: str,
    level: str,
    span: tuple[int, int],
    number: tuple[Decimal, int],
    before: re.Match[str],
    after: re.Match[str],
    *,
    year: bool,
) -> Quantity | None:
    """The quantity of a number and what stands around it; null for a code such as `777x`."""
    start, end = span
    value, decimals = number
    currency = before["currency"]
    scale, unit, end = _measure(text, after, currency)
    if end < len(level) and level[end].isalnum():
        return None
    code, factor = UNITS[unit] if unit else ("", Decimal(1))
    if currency and code in ("", *CURRENCIES.values()):
        code = CURRENCIES.get(currency) or CURRENCY_SIGNS[currency]
    if decimals == 2 and value == value.to_integral_value() and code in CURRENCIES.values() and scale == 1:
        decimals = 0
    begin = before.start("currency") if currency else start
    joined = level[end : end + 1] == "-" and level[end + 1 : end + 2].isalpha()
    hedged = bool(_HEDGE.search(level, max(0, begin - 16), begin))
    half = Decimal(5).scaleb(-decimals - 1) * scale
    return Quantity(
        begin,
        end,
        value * scale,
        half,
        code,
        factor,
        scaled=scale != 1,
        negative=_negative(level, before, end),
        weak=year
        and not (currency or unit or scale != 1)
        and bool(_YEAR_BEFORE.search(level, max(0, start - 16), start)),
        hedged=hedged,
    )


def _is_year(level: str, start: int) -> bool:
    """Whether the number from 1000 to 2999 at `start` stands where a year would."""
    return bool(_YEAR_BEFORE.search(level, max(0, start - 16), start))


def _measure(text: str, after: re.Match[str], currency: str | None) -> tuple[Decimal, str, int]:
    """The scale and the unit that stand after a number, and where they end."""
    scale = Decimal(1)
    end = after.start()
    if power := after["power"] or after["exponent"]:
        scale, end = Decimal(1).scaleb(int(power)), after.end("power" if after["power"] else "exponent")
    if after["scale"]:
        scale *= SCALES[after["scale"]] * SCALES.get(after["times"], 1)
        end = after.end("times") if after["times"] else after.end("scale")
    unit = after["unit"] or after["sign"] or ""
    if letter := after["letter"]:
        attached = after.start("letter") == after.start()
        money = currency or unit in CURRENCIES or unit in CURRENCY_SIGNS
        if money or (attached and (text[after.start("letter")].isupper() or letter == "k")):
            scale, end = scale * SCALES[letter], after.end("letter")
        elif letter in UNITS:
            return scale, letter, after.end("letter")
        else:
            return scale, "", end
    if unit == "x" and (after.start("unit") != end or text[end] == "X"):
        return scale, "", end
    if unit:
        return scale, unit, after.end("unit") if after["unit"] else after.end("sign")
    return scale, "", end


def _negative(level: str, before: re.Match[str], end: int) -> bool | None:
    """Whether a minus sign or accounting brackets stand around the number; null where they may be punctuation."""
    start = before.start()
    if before["bracket"] or before["bracket2"]:
        if end < len(level) and level[end] == ")":
            alone = start == 0 or bool(
                re.search(r"(?:^|[=:|]|\b(?:is|was|of|at))[ ]?$", level[max(0, start - 4) : start])
            )
            return True if alone else None
        return False
    if before["minus"] != "-" and before["minus2"] != "-":
        return False
    at = before.start("minus") if before["minus"] else before.start("minus2")
    if at and level[at - 1] not in f" (=:[,*{''.join(CURRENCY_SIGNS)}":
        return None if level[at - 1] == "\n" else False
    return None if at and at + 1 < len(level) and level[at + 1] == " " else True


def _in_words(text: str, level: str) -> Iterator[Quantity]:
    """Numbers in words, with the scale and the unit after them."""
    for number in number_words.find(level):
        after = _AFTER.match(level, number.end)
        assert after  # every part of the pattern may be empty
        scale, unit, end = _measure(text, after, None)
        code, factor = UNITS[unit] if unit else ("", Decimal(1))
        half = Decimal(number.scale if number.value % number.scale == 0 and number.scale > 1 else 1) / 2
        yield Quantity(
            number.start,
            end,
            number.value * scale,
            (half if number.value == number.value.to_integral_value() else Decimal(0)) * scale,
            code,
            factor,
            scaled=scale * number.scale != 1,
            weak=number.weak or number.ordinal,
        )


_TO = re.compile(r"(?: ?- ?| to | and | đến )(?:[$€£¥₹₫] ?)?$")
_FROM = re.compile(r"\bfrom (?:[$€£¥₹₫] ?)?$")
_BETWEEN = re.compile(r"\bbetween (?:[$€£¥₹₫] ?)?$")


def _ranges(level: str, quantities: Iterator[Quantity]) -> Iterator[Quantity]:
    """The quantities, with `3-5 million` and `between 3 and 5 million` as one."""
    last: Quantity | None = None
    for quantity in quantities:
        if last and (joined := _range(level, last, quantity)):
            last = joined
            continue
        if last:
            yield last
        last = quantity
    if last:
        yield last


def _range(level: str, low: Quantity, high: Quantity) -> Quantity | None:
    """The range that two quantities make; null where they are two."""
    if high.start - low.end > 5 or low.high or low.weak or high.weak or not _TO.fullmatch(level[low.end : high.start]):
        return None
    between = level[low.end : high.start].strip()
    before = level[max(0, low.start - 10) : low.start]
    if between == "and" and not _BETWEEN.search(before):
        return None
    if between == "to" and _FROM.search(before):
        return None
    if between == "-" and level[low.end] == " ":
        return None
    if low.unit and (low.unit, low.factor) != (high.unit, high.factor):
        return None
    factor = Decimal(1)
    if not low.scaled and high.scaled and low.value < high.value:
        factor = high.half / low.half if low.half else Decimal(1)
        factor = Decimal(1).scaleb((factor.normalize()).adjusted()) if factor else Decimal(1)
    scaled = replace(low, value=low.value * factor, half=low.half * factor)
    if scaled.value >= high.value:
        return None
    return replace(scaled, end=high.end, unit=high.unit, factor=high.factor, scaled=high.scaled, high=high.value)
