"""The quantities of a text: value, precision as written, unit and sign. What is no quantity is none."""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import Span, dates, number_words
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.quantities.units import COMMA_DECIMAL, CURRENCY_CODES, After, Before, after, before

LONGEST = 40
"""Digits and marks of a number. What is longer is an id, not a quantity."""
READ = 20_000
"""Characters of a text that are read: of a longer one, as many from its beginning as from its end."""
STOCK = 400
"""Characters up to which a sentence is remembered: stock sentences stand in many responses."""
_SENTENCES = 16_384
# Most selective lookaround first: halves the run time.
_ENDS = re.compile(
    r"[\n.!?,](?:(?<=\n)| (?:"
    r"(?<=[.!?] )(?=[^\W\d_a-z])(?<=\w\w[.!?] )(?<!pprox. )"
    r"|(?<=, )(?=[^\W\d_])(?<=[\w%)], )(?<!sand, )(?<!lion, )(?<!dred, )(?:(?=[a-z])|(?<=[a-z\d%)], ))))"
)
"""Where a line begins, a sentence ends, or a clause after a comma begins; no quantity goes on beyond."""
_AMOUNT = re.compile(r"[$€£¥]?\d{1,4}(?:,\d{3}){0,4}(?:\.\d{1,6})?(?: (?:thousand|million|billion|trillion)|%|[mk]|bn)")
"""A text that is one amount and nothing else, as facts often are: no sentence, date or number word to look for."""
_TOKEN = re.compile(r"\d+(?:[.,']\d+)*")
_SPACED = re.compile(r"\d{1,3}(?: \d{3}){1,6}(?![\d.,]*\d)")
_FRACTION = re.compile(r"(?:(\d{1,4}) )?(\d{1,3})/(\d{1,4})(?![\d/])")
_ORDINAL = ("st", "nd", "rd", "th")
_MARKER = re.compile(r"(\d{1,2})[.)]\**[ \t]+(?=\S)")
_IN_LIST = re.compile(r"(?:[1-9]|1\d)\) (?!(?:thousand|million|billion|trillion|percent)\b)[a-z]")
"""The marker of a list within a sentence: `(1) sales, (2) costs`."""
_LINE_START = re.compile(r"(?:^|\n)[\s*#(>_-]*$")
_CITATION = re.compile(r"\[\^?\d+(?:, ?\d+)*\]")
_NO_QUANTITY = re.compile(
    r"""
      (?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!\d{4})|(?!\d))){4}    # 192.168.0.1, and not 1.000.000.000
    | \d{1,2}:\d\d                                      # 10:30
    | \d{5}-\d{4}(?!\d)                                 # a ZIP code
    | (?:\d{1,3}[ ])?\(?\d{3}\)?[ .-]\d{3}[.-]\d{4}     # a telephone number
    | \d{3}-\d{4}(?!\d)
    | \d+-\d+-\d+                                       # an id
    | \d{1,2}-?[a-z](?=\ (?:filing|report|form))        # 10K filing
    | \d+-[a-z](?!\w)                                   # 10-K
    | \d[ ]decimal                                      # to 2 decimal places
    """,
    re.VERBOSE,
)
_EURO = frozenset(("€", "euro", "euros"))
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_PRESENT_DAY = range(1900, 2100)
"""Numbers that are rather years than amounts, whatever stands before them: `the 2022 data`."""
_BETWEEN = re.compile(r"(?: ?- ?| to | and |, | đến )?[$€£¥₹₫ ]{0,2}")
_FROM = re.compile(r"\bfrom [$€£¥₹₫]?$")
_TWO = re.compile(r"\bbetween [$€£¥₹₫]?$")
_GAP = 6


class Quantity(NamedTuple):
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
    """None where brackets or a dash may be a minus sign, or punctuation."""
    weak: bool = False
    """It has another common reading (`one` of them, 3rd, the year 2023): it may agree, but is no other value."""
    hedged: bool = False
    """`about`, `over`, `nearly` stands before it: its last zeros are not meant as digits."""
    high: Decimal | None = None
    """The upper end of a range."""

    def words(self, text: str) -> Span:
        """The quantity as it stands in `text`."""
        return Span(self.start, self.end, text[self.start : self.end])


@lru_cache(maxsize=1024)
def find(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text, in order: numbers in digits and in words, ranges as one.

    Dates, labels ("Note 8"), document forms ("10-Q"), telephone numbers, ids, list markers and citations are none.
    """
    if len(text) > READ:
        gap = len(text) - READ // 2
        return (*find(text[: READ // 2]), *_move_quantities(find(text[gap:]), gap))
    if len(text) <= LONGEST and _AMOUNT.fullmatch(text) and (digits := _TOKEN.search(text)):
        amount = _read(text, text.lower(), digits, is_year=False)
        return (amount,) if amount else ()
    quantities: list[Quantity] = []
    begin = marker = 0
    for end in (*(stop.end() - 1 for stop in _ENDS.finditer(text)), len(text)):
        read = _read_stock_sentence if end - begin <= STOCK else _read_sentence
        inside, marker = read(text[begin:end], marker)
        if inside:
            quantities += _move_quantities(inside, begin) if begin else inside
        begin = end
    return tuple(quantities)


def _move_quantities(quantities: Iterable[Quantity], by: int) -> list[Quantity]:
    # As tuples, which takes half the time of `_replace`: stock sentences are moved in every response.
    return [tuple.__new__(Quantity, (one[0] + by, one[1] + by, *one[2:])) for one in quantities]


def _read_sentence(text: str, marker: int) -> tuple[tuple[Quantity, ...], int]:
    """The quantities of a sentence or line, and the last list marker so far; `marker` is that before it."""
    level = level_text(text)
    tokens = [*_TOKEN.finditer(level)]
    listed = _list_marker(level, *tokens[0].span(), marker) if tokens else None
    quantities = [*_in_digits(text, level, tokens, listed.end() if listed else 0), *_in_words(text, level)]
    quantities.sort()
    return tuple(_join_quantities(level, quantities)), int(listed[1]) if listed else marker


_read_stock_sentence = lru_cache(maxsize=_SENTENCES)(_read_sentence)


def _in_digits(text: str, level: str, tokens: Sequence[re.Match[str]], done: int) -> Iterator[Quantity]:
    """The quantities that are written in digits, from the offset `done` on."""
    dates_there = dates.find(text) if tokens else ()
    taken = [(date.start, date.end) for date in reversed(dates_there) if not date.bare]
    years = {date.start for date in dates_there if date.bare}
    for token in tokens:
        start = token.start()
        while taken and taken[-1][1] <= start:
            taken.pop()
        if start < done or (taken and taken[-1][0] <= start):
            continue
        if no := _no_quantity(level, *token.span()):
            done = no
        elif quantity := _read(text, level, token, is_year=start in years):
            yield quantity
            done = quantity.end


def _list_marker(level: str, start: int, end: int, last: int) -> re.Match[str] | None:
    """The marker of a list whose digits stand from `start` to `end`: `2.` after `1.`, at the start of a line."""
    if level[end : end + 1] not in (".", ")"):
        return None
    marker = _MARKER.match(level, start)
    if not marker or not last < int(marker[1]) <= last + 1:
        return None
    return marker if _LINE_START.search(level, max(0, start - 8), start) else None


def _no_quantity(level: str, start: int, end: int) -> int:
    """The end of a date, id or other number that is no quantity and begins at `start`; 0 where it may be a quantity."""
    prior = level[start - 1 : start]
    if end - start > LONGEST or prior.isalnum() or prior in ("_", "/"):
        return end
    if prior == "-" and start > 1 and level[start - 2].isalpha():
        return end
    if prior == "(" and _IN_LIST.match(level, start):
        return end
    cited = prior in ("[", "^") and _CITATION.match(level, start - 2 if prior == "^" else start - 1)
    none = cited or _NO_QUANTITY.match(level, start)
    return none.end() if none else 0


def _read(text: str, level: str, token: re.Match[str], *, is_year: bool) -> Quantity | None:
    """The quantity whose digits begin at `token`."""
    start, end = token.span()
    digits = token.group()
    lead = before(level, start)
    if lead.label:
        return None
    if "/" in level[end : end + 6] and (parts := _FRACTION.match(level, start)):
        value = _fraction(*parts.groups())
        return Quantity(start, parts.end(), value, Decimal(0)) if value is not None else None
    if level[end : end + 2] in _ORDINAL and not level[end + 2 : end + 3].isalnum():
        return Quantity(start, end + 2, Decimal(digits), Decimal(0), weak=True) if digits.isdecimal() else None
    tail = after(text, level, end, money=bool(lead.code))
    if level[end : end + 1] == " " and (spaced := _SPACED.match(level, start)):
        far = after(text, level, spaced.end(), money=bool(lead.code))
        if lead.code or far.words:
            digits, tail = spaced.group().replace(" ", ""), far
    # A comma before three digits of euros groups thousands: 750,000 € is written the English way.
    thousands = tail.words and _EURO.issuperset(tail.words) and _THOUSANDS.fullmatch(digits)
    number = _value_of(digits, comma_decimal=not (thousands or COMMA_DECIMAL.isdisjoint(tail.words)))
    if number is None or level[tail.end : tail.end + 1].isalnum():
        return None
    return _quantity(level, start, *number, lead, tail, is_year=is_year)


def _value_of(digits: str, *, comma_decimal: bool) -> tuple[Decimal, int] | None:
    """The value and how many decimals are written; None where the marks make no number, as in 1.2.3.

    A comma before three digits groups thousands and a point marks decimals, or the other way round where
    `comma_decimal` says so. Marks that leave no choice decide by themselves: 134,4 and 1.234.567 and 12,34,567.
    """
    if digits.isdecimal():
        return Decimal(digits), 0
    point, group = (",", ".") if comma_decimal else (".", ",")
    digits = digits.replace("'", "")
    if digits.count(point) > 1 or (point in digits and digits.rfind(group) > digits.rfind(point)):
        point, group = group, point
    whole, _, decimals = digits.partition(point)
    groups = whole.split(group)
    if point in decimals or group in decimals:
        return None
    if len(groups) == 1 or _is_grouped(groups):
        return Decimal(f"{''.join(groups)}.{decimals or 0}"), len(decimals)
    if len(groups) == 2 and not decimals:
        return Decimal(".".join(groups)), len(groups[1])
    return None


def _is_grouped(groups: list[str]) -> bool:
    """Whether digits are grouped by thousands, or as in India: 12,34,567."""
    if not 1 <= len(groups[0]) <= 3 or len(groups[-1]) != 3:
        return False
    middle = {len(group) for group in groups[1:-1]}
    return middle <= {3} or middle == {2}


def _fraction(whole: str | None, top: str, bottom: str) -> Decimal | None:
    """The value of 3/4 or 1 3/4; None where the digits make none: 24/7, 3/0."""
    if not 0 < int(top) < int(bottom):
        return None
    return int(whole or 0) + Decimal(top) / int(bottom)


def _quantity(
    level: str, start: int, value: Decimal, decimals: int, lead: Before, tail: After, *, is_year: bool
) -> Quantity:
    """The quantity of a number and what stands around it."""
    code, factor = (tail.code, tail.factor) if tail.code else (lead.code, tail.factor)
    if code in CURRENCY_CODES and decimals == 2 and value == value.to_integral_value():
        decimals = 0
    amount = code or tail.scale != 1 or "=" in level[max(0, start - 2) : start]
    joined = level[tail.end : tail.end + 1] == "-" and level[tail.end + 1 : tail.end + 2].isalpha()
    return Quantity(
        start + lead.begin,
        tail.end,
        value * tail.scale,
        Decimal(5).scaleb(-decimals - 1) * tail.scale,
        code,
        factor,
        scaled=tail.scale != 1,
        negative=lead.negative,
        weak=joined or (is_year and not amount and (lead.year or value in _PRESENT_DAY)),
        hedged=lead.hedged,
    )


def _in_words(text: str, level: str) -> Iterator[Quantity]:
    """The quantities that are written in words, with the scale and the unit after them."""
    for number in number_words.find(level):
        tail = after(text, level, number.end, money=False)
        if level.startswith(" decimal", number.end):
            continue
        yield Quantity(
            number.start,
            tail.end,
            number.value * tail.scale,
            _half_in_words(number.value, number.scale) * tail.scale,
            tail.code,
            tail.factor,
            scaled=tail.scale * number.scale != 1,
            weak=number.weak or number.ordinal,
        )


def _half_in_words(value: Decimal, scale: int) -> Decimal:
    """Half of the last digit said: of a million for two million, of one for 105, none for two and a half."""
    for step in (scale, 1):
        if value / step == (value / step).to_integral_value():
            return Decimal(step) / 2
    return Decimal(0)


def _join_quantities(level: str, quantities: list[Quantity]) -> Iterator[Quantity]:
    """The quantities without those inside another, and those that belong together as one: 3-5 million, 5 ft 11 in."""
    last: Quantity | None = None
    for quantity in quantities:
        if last and quantity.start < last.end:
            continue
        if last and quantity.start - last.end <= _GAP and (one := _one(level, last, quantity)):
            last = one
            continue
        if last:
            yield last
        last = quantity
    if last:
        yield last


def _one(level: str, first: Quantity, second: Quantity) -> Quantity | None:
    """The quantity that two make together; None where they are two."""
    between = level[first.end : second.start]
    if first.high or first.weak or second.weak or not _BETWEEN.fullmatch(between):
        return None
    mark = between.strip(" $€£¥₹₫")
    if mark in ("", ",", "and") and (sum_ := _sum(first, second)):
        return sum_
    opening = level[max(0, first.start - 10) : first.start]
    if (
        mark in ("", ",")
        or (mark == "and" and not _TWO.search(opening))
        or (mark == "to" and _FROM.search(opening))
        or (mark == "-" and between[0] == " ")
    ):
        return None
    return _range(first, second)


def _sum(first: Quantity, second: Quantity) -> Quantity | None:
    """5 feet 11 inches, 29 stone 12 lbs, 2 hours 30 minutes; None where the units do not go down."""
    if not first.unit or first.unit != second.unit or not second.value * second.factor < first.factor:
        return None
    step = second.factor / first.factor
    return first._replace(end=second.end, value=first.value + second.value * step, half=second.half * step)


def _range(low: Quantity, high: Quantity) -> Quantity | None:
    """3-5 million as 3 to 5 million; None where the two have different units, or go down."""
    if low.unit and (low.unit, low.factor) != (high.unit, high.factor):
        return None
    step = Decimal(1)
    if high.scaled and not low.scaled and low.half and low.value < high.value:
        step = Decimal(1).scaleb((high.half / low.half).adjusted())
    value = low.value * step
    if not value < high.value:
        return None
    return low._replace(
        end=high.end,
        value=value,
        half=low.half * step,
        unit=high.unit,
        factor=high.factor,
        scaled=high.scaled,
        high=high.value,
    )
