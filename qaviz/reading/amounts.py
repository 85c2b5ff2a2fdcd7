"""Amounts: a number in digits or words with its scale, unit, sign, bound and period; frequencies and ordinals."""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from operator import add, mul
from typing import Any, NamedTuple

from qaviz.reading.level import LETTERS
from qaviz.reading.tables import SIGNS, Table, units
from qaviz.reading.token import Kind, Number, Token

LONGEST = 40
"""Digits and marks of a number: what is longer is an identifier."""
_REACH = 40
"""Characters before a number in which stands what qualifies it."""
VULGAR = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5)}
VULGAR |= {"⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8)}
_DIGITS = re.compile(r"\d+(?:[.,']\d+)*")
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?![\d.']*\d)(?:,\d+)?")
_GROUPS = {mark: re.compile(rf"\d{{1,3}}(?:\{mark}\d{{3}})+") for mark in ".,'"}
_INDIAN = re.compile(r"\d{1,2}(?:,\d\d)+,\d{3}")
_FRACTION = re.compile(r"(?: (\d{1,3}))?/(\d{1,4})(?![\d/])")
_POWER = re.compile(
    r"(?: ?[x×*·] ?10)?(?:\^|\*\*)(-?\d{1,3})|( ?[x×*·] ?10)?([⁰¹²³⁴-⁹]+)(?![a-z])|e([+-]?\d{1,2})(?!\w)"
)
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_JOINT = re.compile(r" ?- ?| ")
_RANGE = re.compile(
    r" ?(?:-|to|through|bis|à|a|até|al|tot|til|đến|tới|den|toi|から|至|到|~|～|and|und|et|y|e|và|va|en|og)[ ]?[$€£¥₹₫]?"
)
_LETTER_SCALES = frozenset(("k", "m", "b", "t", "mm", "mn", "bn", "mil"))
_FOUR_TWENTIES = (20, 4)
_COMPARES = re.compile(r"(?:^|\s)([<>]=?) ?$")
_OPEN = " ([+-~≈#'\"*" + SIGNS
_TO_VERB, _TO_VERB_UNSPACED = 28, 4
_UNIT_JOINT = re.compile(r"[ -]?(?:of |de |d'|di )?")
_SCALE_WORD = re.compile(r"([ -]?)([^\W\d_]+)\.?")
_INCHES = re.compile(r" in\b(?! [a-z])")


class Written(NamedTuple):
    """A number as written, without what stands around it."""

    end: int
    value: Number
    step: Decimal
    ordinal: bool = False
    weak: bool = False
    words: bool = False


# The number itself.


@lru_cache(maxsize=4096)
def _worth(digits: str, comma_decimal: bool) -> tuple[Decimal, Decimal] | None:
    """Value and worth of the last digit of digits with marks; None for 1.2.3, which is a code."""
    mark, group = (",", ".") if comma_decimal else (".", ",")
    group = "'" if "'" in digits else group
    whole, _, part = digits.partition(mark)
    if group in whole:
        if not _GROUPS[group].fullmatch(whole) and not _INDIAN.fullmatch(whole):
            # 1,5 in English, 3.5 in German: the other mark, where it cannot divide thousands.
            if part or group == "'" or digits.count(group) > 1:
                return None
            whole, _, part = digits.partition(group)
        else:
            whole = whole.replace(group, "")
    if mark in part:
        if not _GROUPS[mark].fullmatch(digits):
            return None
        whole, part = digits.replace(mark, ""), ""
    if part and not part.isdigit():
        return None
    value = Decimal(f"{whole}.{part}" if part else whole)
    return value, Decimal(1).scaleb(-len(part))


def read_digits(level: str, start: int, table: Table) -> Written | None:
    """The number whose digits begin at `start`: 1,234.5, 1 234, 2½, 3/4, 10^6, 1.5e6."""
    if level[start] in VULGAR:
        return Written(start + 1, _fraction(*VULGAR[level[start]]), Decimal(0))
    match = _DIGITS.match(level, start)
    if not match or match.end() - start > LONGEST:
        return None
    spaced = _SPACED.match(level, start) if level[match.end() : match.end() + 1] == " " else None
    if spaced and (table.comma_decimal or spaced.group().count(" ") > 1):
        digits, end = spaced.group().replace(" ", ""), spaced.end()
    else:
        digits, end = match.group(), match.end()
    worth = _worth(digits, table.comma_decimal)
    if worth is None:
        return None
    value, step = worth
    # What may follow: a fraction or a power.
    sign_at = end + level.startswith(" ", end)
    if (sign := level[sign_at : sign_at + 1]) in VULGAR:
        return Written(sign_at + 1, _sum(value, _fraction(*VULGAR[sign])), Decimal(0))
    if (part := _FRACTION.match(level, end)) and digits.isdigit() and int(part[2]):
        if part[1]:
            return Written(part.end(), _sum(value, _fraction(int(part[1]), int(part[2]))), Decimal(0))
        return Written(part.end(), _fraction(int(digits), int(part[2])), Decimal(0), weak=True)
    if not (power := _POWER.match(level, end)):
        return Written(end, value, step)
    exponent = int(power[1] or power[4] or power[3].translate(_SUPERSCRIPT))
    if "10" in power.group() or power[4]:
        return Written(power.end(), value.scaleb(exponent), step.scaleb(exponent))
    small = value == value.to_integral_value() and 0 <= exponent <= 30 and value < 1000
    return Written(power.end(), value**exponent if small or value == 10 else value, Decimal(0))


def _fraction(top: int, bottom: int) -> Number:
    """Exact: a decimal number where there is one."""
    rest = bottom
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return Decimal(top) / bottom if rest == 1 else Fraction(top, bottom)


def _compute(operation: Callable[[Any, Any], Number], first: Number, second: Number) -> Number:
    """Exact: of a decimal number and a fraction, a fraction."""
    if not isinstance(first, Decimal) or not isinstance(second, Decimal):
        first, second = Fraction(first), Fraction(second)
    return operation(first, second)


_sum, _times = partial(_compute, add), partial(_compute, mul)


def read_words(level: str, start: int, table: Table) -> Written | None:
    """The number in words that begins at `start`: twenty-one, two and a half, a million, third, three quarters."""
    total = group = read = largest = 0
    last, scaled = 0, False  # what the word before is worth, and whether it multiplies
    end, place = start, start
    ordinal, part = False, None
    first = LETTERS.match(level, start)
    if first and first.group() in table.halves:
        return Written(first.end(), Decimal(table.halves[first.group()]), Decimal(0), words=True)
    while word := _next_word(level, place, table):
        name, stop = word
        number = _look_up(name, table)
        if number >= 0 and (not read or (number < last if scaled else _may_follow(number, last, table))):
            ordinal = name in table.ordinals and name not in table.numbers
            number = number * last - last if (number, last) == _FOUR_TWENTIES and table.vigesimal else number
            group, last, scaled = group + number, number if number != 76 else 80, False
        elif (worth := table.scales.get(name, 0)) and (len(name) > 2 or not table.spaced):
            if worth <= 100 or (not table.spaced and worth < 10_000):
                group += last * (worth - 1) if 0 < last < worth else worth
            elif worth > largest:
                total, group, largest = (total + group or 1) * worth, 0, worth
            else:
                total, group = total + (group or 1) * worth, 0
            last, scaled = worth, True
        elif name in table.parts:
            part = _fraction(total + group if read else 1, table.parts[name])
        else:
            break
        read, end = read + 1, stop
        if ordinal or part is not None:
            break
        place = _join(level, stop, table)
    if not read or (read == 1 and scaled and _is_bare_scale(level, start, last, table)):
        return None
    scale = level[start:end].rpartition(" ")[2]
    return _finish_words(level, end, total + group, part, table, ordinal=ordinal, alone=read == 1, scale=scale)


def _look_up(name: str, table: Table) -> int:
    """What a number word is worth, written together of several too; -1 of any other."""
    number = table.numbers.get(name, table.ordinals.get(name, -1))
    if number < 0 and table.compounds and name.endswith(table.compound_ends) and name not in table.scales:
        return table.read_compound(name) or -1
    return number


def _is_bare_scale(level: str, start: int, worth: int, table: Table) -> bool:
    """Whether a scale without a number is none: millions of people, USD millions; `a million` and `dozen` are."""
    if not table.spaced:
        return level.startswith(table.percent_before, start)
    before = level[max(0, start - 8) : start].split()[-1:]
    return worth > table.lone_scale and (not before or before[0] not in (*table.joins["one"], "per", "half"))


def _finish_words(
    level: str, end: int, whole: int, part: Number | None, table: Table, *, ordinal: bool, alone: bool, scale: str
) -> Written:
    """The number with its decimals or half behind it; `alone`: of one word; `scale`: its last one."""
    if part is not None:
        multiplied = _of_scale(level, end, table)
        end, part = (multiplied[0], _times(part, Decimal(multiplied[1]))) if multiplied else (end, part)
        return Written(end, part, Decimal(0), weak=alone and not multiplied, words=True)
    value: Number = Decimal(whole)
    if ordinal:
        return Written(end, value, Decimal(0), ordinal=True, words=True)
    if point := _after_point(level, end, table):
        end, digits = point
        return Written(end, Decimal(f"{whole}.{digits}"), Decimal(1).scaleb(-len(digits)), words=True)
    worth = table.scales.get(scale, 0)
    if tail := _and_part(level, end, table):
        return Written(tail[0], _sum(value, _times(tail[1], Decimal(max(worth, 1)))), Decimal(0), words=True)
    # Hundreds and more are scales.
    return Written(end, value, Decimal(worth if worth > 12 else 0), weak=alone and whole == 1, words=True)


def _of_scale(level: str, end: int, table: Table) -> tuple[int, int] | None:
    """The scale behind half or a quarter: half a dozen, a quarter of a million."""
    words = LETTERS.findall(level[end : end + 24])[:3]
    for word in words:
        if table.scales.get(word, 0) >= 12 and len(word) > 2:
            return level.index(word, end) + len(word), table.scales[word]
        if word not in table.joins["one"] and word not in table.of:
            return None
    return None


def _may_follow(worth: int, last: int, table: Table) -> bool:
    """Whether a number word continues the one before it: `twenty one`, and not `one twenty`."""
    if table.vigesimal and (
        (last in (60, 80) and worth < 20) or (last == 10 and 6 < worth < 10) or (worth, last) == _FOUR_TWENTIES
    ):
        return True
    return last >= 20 and worth < (10 if last < 100 else last)


def _next_word(level: str, place: int, table: Table) -> tuple[str, int] | None:
    if place < 0:
        return None
    if table.spaced:
        match = LETTERS.match(level, place)
        return (match.group(), match.end()) if match else None
    for length in (3, 2, 1):
        name = level[place : place + length]
        if len(name) == length and (name in table.numbers or name in table.scales or name in table.parts):
            return name, place + length
    return None


def _join(level: str, end: int, table: Table) -> int:
    """Where the next number word would begin; -1 where none can."""
    if not table.spaced:
        return end
    joint = _JOINT.match(level, end)
    if not joint:
        return -1
    place = joint.end()
    for word in table.joins["and"]:
        if level.startswith(f"{word} ", place):
            after = place + len(word) + 1
            following = LETTERS.match(level, after)
            is_number = following and following.group() in table.numbers.keys() | table.ordinals.keys()
            return after if is_number else -1
    return place


def _after_point(level: str, end: int, table: Table) -> tuple[int, str] | None:
    """The digits in words behind `point`."""
    blank = " " if table.spaced else ""
    for word in table.joins["point"]:
        if level.startswith(f"{blank}{word}{blank}", end):
            place, digits = end + len(word) + 2 * len(blank), ""
            while (following := _next_word(level, place, table)) and table.numbers.get(following[0], 10) < 10:
                digits += str(table.numbers[following[0]])
                end, place = following[1], following[1] + len(blank)
            return (end, digits) if digits else None
    return None


def _and_part(level: str, end: int, table: Table) -> tuple[int, Number] | None:
    """`and a half` behind a number."""
    for word in table.joins["and"]:
        if level.startswith(f" {word} ", end):
            place = end + len(word) + 2
            match = LETTERS.match(level, place)
            if match and match.group() in table.joins["one"]:
                match = LETTERS.match(level, match.end() + 1)
            if match and match.group() in table.parts:
                return match.end(), _fraction(1, table.parts[match.group()])
    half = _half(level, end, table)
    return (half, Decimal("0.5")) if half else None


def read_number(level: str, start: int, table: Table) -> Written | None:
    """The number in digits or words that begins at `start`."""
    return (read_digits if level[start : start + 1].isdigit() else read_words)(level, start, table)


# What stands around it.


def qualify(text: str, level: str, start: int, number: Written, table: Table) -> Token:
    """The token of a number: with sign, currency, scale, unit, bound and period."""
    begin, unit, sign, bound, moved = _before(level, start, table)
    end, value, step, after_unit, scaled = _after(text, level, number, unit != "", table)
    unit = after_unit or unit
    if "(" in level[begin:start] and level[end : end + 1] == ")":
        end += 1
        after, value, step, more, scaled_more = _after(text, level, Written(end, value, step), unit != "", table)
        if scaled_more or more:
            end, unit, scaled = after, more or unit, True
    end, period, bound_after = _behind(level, end, table)
    bound = bound or bound_after
    if table.percent_before and level.endswith(table.percent_before, 0, begin):
        unit = "%"
    if not table.spaced and not moved:
        behind = level[end : end + _TO_VERB_UNSPACED].removeprefix("の")
        moved = next((way for word, way in table.changes.items() if behind.startswith(word)), "")
    if before := table.per_before.before(level[max(0, begin - _REACH) : begin]):
        period = before[1]
    kind = Kind.ORDINAL if number.ordinal else Kind.AMOUNT
    weak = number.weak and not unit and not scaled
    return Token(kind, begin, end, value, None, step, unit, sign or (-scaled or 0), bound, period, "", weak, moved)


def _before(level: str, start: int, table: Table) -> tuple[int, str, int, str, str]:
    """Where the amount begins, its currency, sign and bound, and the verb of change before it."""
    reach = level[max(0, start - _REACH) : start]
    head = reach.rstrip(_OPEN)
    lead = reach[len(head) :]
    begin, unit, sign = start, "", 1
    for place in range(len(lead) - 1, -1, -1):
        if lead[place] in SIGNS:
            before_it = table.units.before(head + lead[: place + 1])
            unit = before_it[1] if before_it else ""
            begin = start - len(reach) + before_it[0] if before_it else start
            lead = lead[place + 1 :]
            break
    code = head[-3:] if not unit and not lead.strip(" +-") else ""
    if code and table.currencies.get(code, "").lower() == code and not head[-4:-3].isalnum():
        unit, begin = code.upper(), start - len(reach) + len(head) - 3
        head = head[:-3].rstrip(_OPEN)
    if level[begin - 1 : begin] == "-" and level[max(0, begin - 2) : begin - 1] in ("", " ", "\n", "("):
        sign, begin = -1, begin - 1  # -$3.12
    elif "-" in lead or "(" in lead or head.endswith(("minus", "negative")):
        sign, begin = _sign(level, begin, start, head, lead)
    if not head:
        return begin, unit, sign, "~" if "~" in lead or "≈" in lead else "", ""
    phrase = table.bounds.before(head)
    sign_bound = _COMPARES.search(reach)  # x < 5
    bound = phrase[1] if phrase else sign_bound[1] if sign_bound else "~" if "~" in lead or "≈" in lead else ""
    return begin, unit, sign, bound, _moved(head[: phrase[0]] if phrase else head, table)


def _sign(level: str, begin: int, start: int, head: str, lead: str) -> tuple[int, int]:
    """-1 for a minus sign, 0 for brackets or a dash that may be one, else 1; and where the amount begins."""
    place = level.rfind("-", max(0, start - len(lead)), start)
    if place >= 0:
        before = level[place - 1 : place]
        if level[place + 1 : place + 2] == " ":
            return (0 if before in ("", "\n") else 1), begin
        return (-1, place) if before == "" or before in " \n(=:|,/$€£¥*" else (1, begin)
    if head.endswith(("minus", "negative")):
        return -1, level.rfind("minus" if head.endswith("minus") else "negative", 0, start)
    place = level.rfind("(", start - len(lead), start) if "(" in lead else -1
    if place >= 0 and level[place] == "(":
        close = level.find(")", start, start + LONGEST)
        inner = level[start:close] if close > 0 else "x"
        if all(letter in "0123456789.,' %" for letter in inner) and len(inner) < LONGEST:
            last = level[max(0, place - 8) : place].rstrip()[-1:]
            return (-1 if not last or last in "=:|" + SIGNS else 0), min(begin, place)
    return 1, begin


def _moved(head: str, table: Table) -> str:
    """Whether a verb before the number says that something rose or fell by it."""
    if not table.spaced:
        return next((way for word, way in table.changes.items() if word in head[-_TO_VERB_UNSPACED:]), "")
    return next((table.changes[word] for word in reversed(head[-_TO_VERB:].split()[-4:]) if word in table.changes), "")


def _after(text: str, level: str, number: Written, money: bool, table: Table) -> tuple[int, Number, Decimal, str, bool]:
    """Where the amount ends; value and step with the scale, the unit, and whether a scale is written."""
    end, value, step, scaled = number.end, number.value, number.step, False
    while scale := _scale(text, level, end, money, table):
        end, worth = scale
        value, step, scaled = _times(value, Decimal(worth)), step * worth if worth != 12 else Decimal(0), True
        if half := _half(level, end, table):
            end, value, step = half, _sum(value, Decimal(worth) / 2), Decimal(0)
        if not table.spaced and (rest := _DIGITS.match(level, end)) and rest.group().isdigit():
            end, worth = _scale(text, level, rest.end(), money, table) or (rest.end(), 1)
            value, step = _sum(value, Decimal(rest.group()) * worth), Decimal(worth)
    unit, place = "", end
    shortened = scaled and level.startswith(".", end) and level.endswith(("mrd", "mio", "mld"), 0, end)
    if joint := _UNIT_JOINT.match(level, end + shortened):
        place = joint.end()
    phrase = table.units.at(level, place)
    if phrase and not table.other_units.at(level, place):
        end, unit = phrase
        if half := _half(level, end, table):
            end, value, step = half, _sum(value, Decimal("0.5")), Decimal(0)
    return end, value, step, unit, scaled


def _half(level: str, end: int, table: Table) -> int:
    """Where `and a half` ends behind a scale or unit; 0 where none stands."""
    for word in table.joins["half"]:
        joined = f" {word}" if table.spaced else word
        ends = not table.spaced or not level[end + len(joined) : end + len(joined) + 1].isalnum()
        if level.startswith(joined, end) and ends:
            return end + len(joined)
    return 0


def _scale(text: str, level: str, end: int, money: bool, table: Table) -> tuple[int, int] | None:
    """The scale word or letter that stands at `end`: where it ends and its worth."""
    if not table.spaced:
        for length in (3, 2, 1):
            if worth := table.scales.get(level[end : end + length], 0):
                return end + length, worth
    match = _SCALE_WORD.match(level, end)
    if not match or match[2] not in table.scales:
        return None
    name, worth = match[2], table.scales[match[2]]
    if name in _LETTER_SCALES and len(name) < 3:
        if level[match.end(2) : match.end(2) + 1] in SIGNS and match.end(2) < len(level):
            return match.end(2), worth  # 412 M€
        capital = text[match.start(2)].isupper()
        joined = not match[1] and (money or capital or name in ("k", "bn", "mn"))
        if not joined and not (money and (capital or len(name) > 1)):
            return None
    return match.end(2), worth


def _behind(level: str, end: int, table: Table) -> tuple[int, str, str]:
    """Where the amount ends with the period and the bound behind it, and these."""
    period = bound = ""
    place = end + (level[end : end + 1] == " ")
    if (phrase := table.per.at(level, place)) and (place > end or level[place] in "/每毎"):
        end, period = phrase
        place = end + (level[end : end + 1] == " ")
    if not table.spaced and level[place : place + 1] in table.counters:
        place += 1
    if phrase := table.bounds_after.at(level, place):
        end, bound = phrase
    return end, period, bound


def join_amounts(level: str, first: Token, second: Token) -> Token | None:
    """The amount that two make together: 3-5 million, 5 ft 11 in; None where they are two."""
    between = level[first.end : second.start]
    if len(between) > 9 or first.high is not None or (first.sign != second.sign and second.sign != 0):
        return None
    if first.unit == "ft" and not second.unit and _INCHES.match(level, second.end):
        second = second._replace(unit="inch", end=second.end + 3)
    mark = between.strip(" ,")
    if mark in ("", "and") and first.unit and first.unit != second.unit:
        return _sum_units(first, second)
    if mark == "" and not first.unit and 1000 <= second.step < first.step and second.number < first.step:
        return second._replace(start=first.start, value=_sum(first.number, second.number))  # 1 triệu 250 nghìn
    if first.weak or second.weak or not _RANGE.fullmatch(between) or not between.strip():
        return None
    opening = _RANGE.search(level, max(0, first.start - 12), first.start)
    if mark in ("and", "und", "et", "y", "e", "và", "va", "en", "og") and not opening:
        return None
    return _span(first._replace(bound="") if opening else first, second)


def _sum_units(first: Token, second: Token) -> Token | None:
    """5 feet 11 inches, 2 hours 45 minutes; None where the units do not go down in one dimension."""
    left, right = units().get(first.unit), units().get(second.unit)
    if not left or not right or left.dimension != right.dimension or not right.worth < left.worth:
        return None
    if left.dimension != "time" and second.unit not in ("inch", "lb", "oz"):
        return None
    small = _times(second.number, right.worth / left.worth)
    return first._replace(end=second.end, value=_sum(first.number, small), step=Decimal(0))


def _span(low: Token, high: Token) -> Token | None:
    """3-5 million as 3 to 5 million; None where the units differ, or the ends go down."""
    first, last = low.value, high.value
    if low.unit and high.unit and low.unit != high.unit:
        return None
    if not isinstance(first, Decimal) or not isinstance(last, Decimal):
        return None
    if low.step and high.step and first < last and (scale := (high.step / low.step).adjusted()) >= 3:
        first = first.scaleb(scale - scale % 3) if first.scaleb(scale - scale % 3) < last else first
    if not first < last:
        return None
    return low._replace(
        end=high.end, value=first, high=last, unit=high.unit or low.unit, period=high.period, weak=False
    )
