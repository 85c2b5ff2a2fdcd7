"""Whether two tokens say the same: same, other, or apart (not to be compared), and in what they differ."""

from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from qaviz.reading.tables import several, units
from qaviz.reading.token import EXCEPT, Date, Granularity, Kind, Number, Token


class Relation(StrEnum):
    """How a token stands to a golden one."""

    SAME = "same"
    OTHER = "other"
    """It cannot be true where the golden one is: another value, or the same in another unit, currency, sign, ..."""
    APART = "apart"
    """Tokens of two kinds or dimensions, or one that leaves open what the other says: nothing to compare."""


class Comparison(NamedTuple):
    """How two tokens relate, and in what."""

    relation: Relation
    reason: str
    """Of SAME: `exact`, `rounded`, `converted` (another unit), `part` (it says less: 1997 for 3 May 1997) or `silent`
    (unit, sign, bound or period of the golden one are not said). Of OTHER: what differs: `value`, `unit`, `currency`,
    `sign`, `bound`, `period`, `end` (of a range), `date`, `excluded`. Of APART: `kind`, `dimension`, `granularity`."""


def _same(reason: str) -> Comparison:
    return Comparison(Relation.SAME, reason)


def _other(reason: str) -> Comparison:
    return Comparison(Relation.OTHER, reason)


def _apart(reason: str) -> Comparison:
    return Comparison(Relation.APART, reason)


def compare(golden: Token, given: Token) -> Comparison:
    """Return how `given` stands to `golden`: what golden does not qualify is free, what it does must be met or unsaid.

    Values differ in a qualifier (currency, sign, unit, bound, period): they contradict. Precision is that of the digits
    written: 134.4 billion is 134,383 million, rounded; a dozen is 12 and nothing else.
    """
    kinds = golden.kind, given.kind
    if (golden.link == EXCEPT) != (given.link == EXCEPT) and golden.kind is given.kind and golden.value == given.value:
        return _other("excluded")
    if Kind.CODE in kinds:
        return _compare_codes(golden, given)
    if golden.kind is not given.kind:
        if set(kinds) == {Kind.YES, Kind.NO}:
            return _other("value")
        return _compare_year(golden, given) if Kind.DATE in kinds else _compare_mixed(golden, given)
    if reader := _OF_KIND.get(golden.kind):
        return reader(golden, given)
    return _same("exact") if golden.value == given.value else _other("value")


# Codes.


def _compare_codes(golden: Token, given: Token) -> Comparison:
    """Letter by letter: version 3.10 is not 3.1; a bare number may be a code."""
    if golden.kind is given.kind:
        if golden.unit and given.unit and golden.unit != given.unit:
            return _apart("dimension")
        return _same("exact") if golden.value == given.value else _other("value")
    code, number = (golden, given) if golden.kind is Kind.CODE else (given, golden)
    if number.kind is not Kind.AMOUNT or number.unit or not str(code.value).replace(".", "").isdigit():
        return _apart("kind")
    written = f"{number.value:f}" if isinstance(number.value, Decimal) else ""
    return _same("exact") if written == code.value else _other("value")


# Dates and times.


def _compare_dates(golden: Token, given: Token) -> Comparison:
    one, other = golden.value, given.value
    if not isinstance(one, Date) or not isinstance(other, Date):
        return _apart("kind")
    relation = _compare_days(one, other)
    if relation.relation is not Relation.SAME or not golden.bound:
        return relation
    if golden.bound == given.bound:
        return relation
    return _other("bound") if given.bound and golden.bound[0] != given.bound[0] else _same("silent")


def _compare_days(one: Date, other: Date) -> Comparison:
    """Part by part: what both write must agree; what only golden writes makes `part`, or `granularity`."""
    if one[1:] == other[1:]:
        return _same("exact")
    if (one.swapped or other.swapped) and one.year == other.year and {one.month, one.day} == {other.month, other.day}:
        return _same("exact")
    if one.until is not None or other.until is not None:
        return _compare_spans(one, other)
    if one.weekday and other.weekday:
        return _same("exact") if one.weekday == other.weekday else _other("date")
    shared = False
    quarters = Granularity.QUARTER, Granularity.HALF
    for part in ("year", "quarter", "month", "day"):
        mine, its = getattr(one, part), getattr(other, part)
        if part == "quarter":
            mine, its = (
                (_quarter(one), _quarter(other))
                if one.granularity in quarters or other.granularity in quarters
                else (None, None)
            )
        if mine is not None and its is not None:
            shared = True
            if mine != its:
                return _other("date")
    if not shared:
        return _apart("granularity")
    missing = any(
        getattr(one, part) is not None and getattr(other, part) is None for part in ("year", "quarter", "month", "day")
    )
    return _same("part" if missing else "exact")


def _quarter(date: Date) -> int | None:
    """The quarter of a date, or of the half that it is."""
    if date.granularity is Granularity.HALF:
        return None if date.quarter is None else -date.quarter
    if date.quarter:
        return date.quarter
    return (date.month + 2) // 3 if date.month else None


def _compare_spans(one: Date, other: Date) -> Comparison:
    """The 1930s, 1930-1939 and a year within: a year says more than a decade, and answers none of a span's two ends."""
    if one.year is None or other.year is None:
        return _apart("granularity")
    if (one.year, one.until) == (other.year, other.until):
        return _same("exact")
    if one.until is not None and other.until is None:
        named = one.granularity is not Granularity.YEARS
        return (
            _same("exact")
            if named and one.year <= other.year <= one.until
            else _other("date")
            if named
            else _apart("granularity")
        )
    if one.until is None and other.until is not None:
        return _same("part") if other.year <= one.year <= other.until else _other("date")
    return _other("date")


def _compare_times(golden: Token, given: Token) -> Comparison:
    """8:00 is 8 am, and 8 in the evening only where nothing tells the half of the day."""
    if golden.value == given.value:
        return _same("exact")
    open_half = not (golden.unit and given.unit)
    both = isinstance(golden.value, Decimal) and isinstance(given.value, Decimal)
    if open_half and both and (golden.value - given.value) % 720 == 0:  # type: ignore[operator]  # numbers, as `both` says
        early = min(golden, given, key=lambda time: time.value)
        if not early.unit and early.value < 780:  # type: ignore[operator]
            return _same("silent")
    return _other("value")


def _compare_year(golden: Token, given: Token) -> Comparison:
    """A bare year and a bare number of four digits may be the same."""
    date, number = (golden, given) if golden.kind is Kind.DATE else (given, golden)
    if number.kind is Kind.ORDINAL and isinstance(date.value, Date) and date.value.granularity is Granularity.CENTURY:
        return _same("exact") if (date.value.year or 0) // 100 + 1 == number.value else _other("value")  # the 13th
    year = date.value.year if isinstance(date.value, Date) and date.value.granularity is Granularity.YEAR else None
    if number.kind is Kind.AMOUNT and year == number.value:
        return _same("silent" if number.unit else "exact")
    if (
        number.kind is not Kind.AMOUNT
        or not isinstance(date.value, Date)
        or not date.weak
        or isinstance(number.value, str | Date)
    ):
        return _apart("kind")
    as_number = Token(Kind.AMOUNT, date.start, date.end, Decimal(date.value.year or 0), step=Decimal(1))
    if number.unit:
        return _apart("kind")
    return _compare_amounts(as_number, given) if golden is date else _compare_amounts(golden, as_number)


def _compare_mixed(golden: Token, given: Token) -> Comparison:
    """2:30 and two and a half hours; twice, and twice a day."""
    amount, other = (golden, given) if golden.kind is Kind.AMOUNT else (given, golden)
    if amount.kind is not Kind.AMOUNT or isinstance(amount.value, str | Date) or isinstance(other.value, str | Date):
        return _apart("kind")
    measure, value = units().get(amount.unit), Fraction(amount.value)
    if other.kind is Kind.TIME and amount.unit in ("hour", "") and amount.step == _HUNDREDTH and amount.value < 24:
        whole = int(amount.value)  # 21.45 hrs: hours and minutes with a dot
        if 60 * whole + 100 * (amount.value - whole) == other.value:
            return _same("exact")
    if other.kind is Kind.TIME and measure and measure.dimension == "time":
        return _same("converted") if value * Fraction(measure.worth) == 60 * Fraction(other.value) else _apart("kind")
    if other.kind is Kind.FREQUENCY and amount.unit in ("times", ""):
        rates = (Fraction(other.value) * Fraction(units()[period].worth) for period in _PERIODS)
        return _same("silent") if value in rates else _apart("kind")
    return _apart("kind")


_HUNDREDTH = Decimal("0.01")
_PERIODS = ("hour", "day", "week", "month", "year")


# Amounts.

_KELVIN = {
    "°C": (Fraction(1), Fraction(27315, 100)),
    "°F": (Fraction(5, 9), Fraction(45967, 180)),
    "K": (Fraction(1), Fraction(0)),
}
_CONVERTED = Fraction(1, 200)
"""How far two values in different units may lie apart, as a share: people round what they convert."""
_ABOUT = Fraction(1, 50)
"""The same for a value said to be `about` so much."""
_ALIKE = Fraction(1), Fraction(1)
"""What one of each unit is worth where the units are one."""
_FAR = Decimal("0.03")
"""Values of one unit that lie farther apart than this share, and than the last digit of both, differ however they are
written: nothing exact need be computed."""


def _compare_amounts(golden: Token, given: Token) -> Comparison:
    pair = _in_one_unit(golden, given)
    if pair is None:
        return _apart("dimension")
    if {golden.unit, given.unit} == {"", "%"}:
        pair = _of_a_part(golden, given)
    if golden.unit != given.unit and golden.unit in _KELVIN and given.unit in _KELVIN:
        return _compare_temperatures(golden, given)
    if isinstance(pair, str):
        near = _compare_values(golden, given, _ALIKE)
        return _other(pair) if near.relation is Relation.SAME else _other("value")
    values = _compare_values(golden, given, pair)
    if values.relation is not Relation.SAME and not golden.unit and _is_unscaled(golden, given):
        values = _same("silent")
    if values.relation is not Relation.SAME:
        return values
    return _compare_qualifiers(golden, given, values)


def _compare_temperatures(golden: Token, given: Token) -> Comparison:
    """134 °F is 56.7 °C: the scales do not begin at the same zero."""
    kelvin, steps = [], []
    for token in (golden, given):
        worth, zero = _KELVIN[token.unit]
        kelvin.append(token.sign * Fraction(token.value) * worth + zero)  # type: ignore[arg-type]
        steps.append(Fraction(token.step) * worth)
    if abs(kelvin[0] - kelvin[1]) * 2 <= max(steps):
        return _same("converted")
    return _other("unit" if golden.value == given.value else "value")


_SCALES = frozenset(Fraction(10**power) for power in (3, 6, 9))


def _is_unscaled(golden: Token, given: Token) -> bool:
    """Whether golden is a table's figure, `in millions`, and the other one writes its scale: -312 and (312) million."""
    if golden.step > 1 or given.step < 100 or not golden.value or golden.high or given.high:
        return False
    return Fraction(given.value) / Fraction(golden.value) in _SCALES  # type: ignore[arg-type]


def _of_a_part(golden: Token, given: Token) -> tuple[Fraction, Fraction]:
    """A quarter is 25 %: a fraction below one is worth hundred times its percent."""
    hundred = [
        Fraction(100) if not token.unit and not token.step and 0 < token.value < 1 else Fraction(1)  # type: ignore[operator]
        for token in (golden, given)
    ]
    return hundred[0], hundred[1]


def _meanings(unit: str) -> tuple[str, ...]:
    return several().get(unit, (unit,))


def _in_one_unit(golden: Token, given: Token) -> tuple[Fraction, Fraction] | str | None:
    """What one of each unit is worth in a common one; in what they differ; None where dimensions do."""
    if not golden.unit or not given.unit or golden.unit == given.unit:
        return _ALIKE
    mine, its = _meanings(golden.unit), _meanings(given.unit)
    if set(mine) & set(its) or golden.unit in its or given.unit in mine:
        return _ALIKE
    for one in mine:
        for other in its:
            if one in units() and other in units() and units()[one].dimension == units()[other].dimension:
                dimension = units()[one].dimension
                if dimension == "money":
                    return "currency"
                if dimension == "temperature":
                    return "unit"
                return Fraction(units()[one].worth), Fraction(units()[other].worth)
    shares = {units()[unit].dimension for unit in (*mine, *its) if unit in units()}
    if shares == {"share", "points"}:
        if "bp" in (golden.unit, given.unit):
            return (
                Fraction(1, 100) if golden.unit == "bp" else Fraction(1),
                Fraction(1, 100) if given.unit == "bp" else Fraction(1),
            )
        return "unit"
    return None


def _compare_values(golden: Token, given: Token, worth: tuple[Fraction, Fraction]) -> Comparison:
    """Numbers within half of the coarser last digit; ends of ranges likewise."""
    if (golden.high is None) != (given.high is None):
        return _compare_range(golden, given, worth)
    lower = _near(golden.value, given.value, golden, given, worth)  # type: ignore[arg-type]  # amounts hold numbers
    if golden.high is None or given.high is None:
        return _same(lower) if lower else _other("value")
    upper = _near(golden.high, given.high, golden, given, worth)
    return _same(lower) if lower and upper else _other("end" if lower or upper else "value")


def _compare_range(golden: Token, given: Token, worth: tuple[Fraction, Fraction]) -> Comparison:
    """A range and a value: the one end of two is not the range."""
    if golden.high is not None:
        ends = (golden.value, golden.high)
        near = any(_near(end, given.value, golden, given, worth) for end in ends)  # type: ignore[arg-type]
        first, value, last = (Fraction(end) for end in (golden.value, given.value, golden.high))  # type: ignore[arg-type]
        within = first * worth[0] < value * worth[1] < last * worth[0]
        return _apart("granularity") if near or within else _other("value")
    low, high = Fraction(given.value) * worth[1], Fraction(given.high or 0) * worth[1]  # type: ignore[arg-type]
    within = low <= Fraction(golden.value) * worth[0] <= high  # type: ignore[arg-type]
    return _apart("granularity") if within else _other("value")


def _near(one: Number, other: Number, golden: Token, given: Token, worth: tuple[Fraction, Fraction]) -> str:
    """`exact`, `rounded` or `converted`; empty where the two differ."""
    if worth[0] == worth[1]:
        if one == other:
            return "exact"
        if isinstance(one, Decimal) and isinstance(other, Decimal):
            apart = abs(one - other)
            if apart > _FAR * one and apart > max(golden.step, given.step):
                return ""
    mine, its = Fraction(one) * worth[0], Fraction(other) * worth[1]
    gap = abs(mine - its)
    if not gap:
        return "converted" if worth[0] != worth[1] else "exact"
    steps = Fraction(golden.step) * worth[0], Fraction(given.step) * worth[1]
    if (all(steps) or golden.bound == "~" or given.bound == "~") and gap * 2 <= _coarse(
        golden, steps[0], given, steps[1]
    ):
        return "rounded"
    if worth[0] != worth[1] and gap <= _CONVERTED * mine and max(steps) < mine:
        return "converted"
    return "rounded" if "~" in (golden.bound, given.bound) and gap <= _ABOUT * mine else ""


def _coarse(golden: Token, step: Fraction, given: Token, its_step: Fraction) -> Fraction:
    """The coarser last digit; the zeros at the end of a number that says `about` are no digits.

    A whole number without a scale counts: 7 is not 7.4 rounded, unless both are of something that is measured.
    """
    coarser = max(step, its_step)
    plain = golden.step == given.step == 1 or (coarser == 1 and not (golden.unit and given.unit))
    converted = golden.step == given.step and step != its_step
    if plain and not converted and "~" not in (golden.bound, given.bound):
        return Fraction(0) if golden.step == given.step else coarser if _measured(golden, given) else Fraction(0)
    return coarser


def _measured(golden: Token, given: Token) -> bool:
    return bool(golden.unit or given.unit) or min(golden.step, given.step) < 1


_OPPOSITE = {">=": "<", ">": "<", "<=": ">", "<": ">"}


def _compare_qualifiers(golden: Token, given: Token, values: Comparison) -> Comparison:
    """Sign, bound and period: what golden says and the other says otherwise contradicts; what is unsaid is silent."""
    silent = bool(golden.unit) and not given.unit
    if golden.sign != given.sign and 0 not in (golden.sign, given.sign) and not _moved_alike(golden, given):
        return _other("sign")
    if golden.moved and given.moved and golden.moved != given.moved and golden.sign == given.sign:
        return _other("sign")
    if golden.period != given.period:
        if golden.period and given.period:
            return _other("period")
        silent = silent or bool(golden.period)
    bounds = {golden.bound, given.bound} - {"~", ""}
    if len(bounds) == 2:
        return _other("bound")
    if bounds and "~" not in (golden.bound, given.bound) and "" in (golden.bound, given.bound):
        silent = True
    return _same("silent") if silent and values.reason == "exact" else values


def _moved_alike(golden: Token, given: Token) -> bool:
    """`Fell by 45` is −45; `rose by 45` is no negative amount."""
    negative, positive = (golden, given) if golden.sign < 0 else (given, golden)
    return negative.sign < 0 and positive.moved == "down"


def best(golden: Token, candidates: Iterable[Token]) -> tuple[Token, Comparison] | None:
    """Return the candidate that says the same, else the nearest that contradicts; None where all are apart."""
    ranked: list[tuple[int, int, Token, Comparison]] = []
    for place, candidate in enumerate(candidates):
        comparison = compare(golden, candidate)
        if comparison.relation is not Relation.APART:
            ranked.append((_rank(comparison), place, candidate, comparison))
    if not ranked:
        return None
    _, _, token, comparison = min(ranked, key=lambda entry: entry[:2])
    return token, comparison


_ORDER = ("exact", "converted", "rounded", "silent", "part")


def _rank(comparison: Comparison) -> int:
    """Same before other, exact before rounded; of others, the ones that differ in a qualifier only."""
    if comparison.relation is Relation.SAME:
        return _ORDER.index(comparison.reason)
    return 10 if comparison.reason != "value" else 11


_OF_KIND = {Kind.DATE: _compare_dates, Kind.TIME: _compare_times, Kind.AMOUNT: _compare_amounts}
