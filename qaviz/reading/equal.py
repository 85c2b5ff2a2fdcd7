"""Whether two tokens say the same: same, other, or apart (not to be compared), and in what they differ."""

import itertools
from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from qaviz.reading.tables import several, units
from qaviz.reading.token import EXCEPT, Date, Granularity, Kind, Number, Token

_HUNDREDTH = Decimal("0.01")


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


_SAME = ("exact", "converted", "rounded", "silent", "part")
"""Best first."""
_APART = ("kind", "dimension", "granularity")
Worths = tuple[Fraction, Fraction]
"""What one of the golden unit, and of the given one, is worth in a common one."""


def compare(golden: Token, given: Token) -> Comparison:
    """Return how `given` stands to `golden`: what golden does not qualify is free, what it does must be met or unsaid.

    Values differ in a qualifier (currency, sign, unit, bound, period): they contradict. Precision is that of the digits
    written: 134.4 billion is 134,383 million, rounded; a dozen is 12 and nothing else.
    """
    reason = _tell(golden, given)
    return Comparison(
        Relation.SAME if reason in _SAME else Relation.APART if reason in _APART else Relation.OTHER, reason
    )


def _tell(golden: Token, given: Token) -> str:
    """The reason of a comparison, as all functions below."""
    kinds = {golden.kind, given.kind}
    excluded = (golden.link == EXCEPT) != (given.link == EXCEPT)
    if excluded and len(kinds) == 1 and golden.value == given.value:
        return "excluded"
    if Kind.CODE in kinds:
        return _compare_codes(golden, given)
    if len(kinds) > 1:
        if kinds == {Kind.YES, Kind.NO}:
            return "value"
        return _compare_year(golden, given) if Kind.DATE in kinds else _compare_mixed(golden, given)
    if reader := _OF_KIND.get(golden.kind):
        return reader(golden, given)
    return "exact" if golden.value == given.value else "value"


def _compare_codes(golden: Token, given: Token) -> str:
    """Letter by letter: version 3.10 is not 3.1; a bare number may be a code."""
    if golden.kind is given.kind:
        if golden.unit and given.unit and golden.unit != given.unit:
            return "dimension"
        return "exact" if golden.value == given.value else "value"
    code, number = (golden, given) if golden.kind is Kind.CODE else (given, golden)
    if number.kind is not Kind.AMOUNT or number.unit or not str(code.value).replace(".", "").isdigit():
        return "kind"
    return "exact" if isinstance(number.value, Decimal) and f"{number.value:f}" == code.value else "value"


# Dates and times.


def _compare_dates(golden: Token, given: Token) -> str:
    reason = _compare_days(golden.date, given.date)
    if reason not in _SAME or golden.bound in ("", given.bound):
        return reason
    return "bound" if given.bound and golden.bound[0] != given.bound[0] else "silent"


def _compare_days(first: Date, second: Date) -> str:
    """Part by part: what both write must agree; what only golden writes makes `part`, or `granularity`."""
    if first[1:] == second[1:]:
        return "exact"
    if (
        (first.swapped or second.swapped)
        and first.year == second.year
        and {first.month, first.day} == {second.month, second.day}
    ):
        return "exact"
    if first.until is not None or second.until is not None:
        return _compare_spans(first, second)
    if first.weekday and second.weekday:
        return "exact" if first.weekday == second.weekday else "date"
    pairs = [(first.year, second.year), (first.month, second.month), (first.day, second.day)]
    if {first.granularity, second.granularity} & {Granularity.QUARTER, Granularity.HALF}:
        pairs.append((_quarter(first), _quarter(second)))
    shared = [pair for pair in pairs if None not in pair]
    if any(mine != its for mine, its in shared):
        return "date"
    if not shared:
        return "granularity"
    written = (*pairs[:3], (first.quarter, second.quarter))
    return "part" if any(mine is not None and its is None for mine, its in written) else "exact"


def _quarter(date: Date) -> int | None:
    """The quarter of a date; the half that it is, as a negative number."""
    if date.granularity is Granularity.HALF:
        return None if date.quarter is None else -date.quarter
    return date.quarter or ((date.month + 2) // 3 if date.month else None)


def _compare_spans(first: Date, second: Date) -> str:
    """The 1930s, 1930-1939 and a year within: a year says more than a decade, and answers none of a span's two ends."""
    if first.year is None or second.year is None:
        return "granularity"
    if (first.year, first.until) == (second.year, second.until):
        return "exact"
    if first.until is None:
        return "part" if second.until is not None and second.year <= first.year <= second.until else "date"
    if second.until is not None:
        return "date"
    if first.granularity is Granularity.YEARS:
        return "granularity"
    return "exact" if first.year <= second.year <= first.until else "date"


def _compare_times(golden: Token, given: Token) -> str:
    """8:00 is 8 am, and 8 in the evening only where nothing tells the half of the day."""
    if golden.value == given.value:
        return "exact"
    early = min(golden, given, key=lambda time: time.number)
    open_half = not (golden.unit and given.unit) and not early.unit and early.number < 780
    return "silent" if open_half and (golden.number - given.number) % 720 == 0 else "value"  # type: ignore[operator]  # both are decimal


def _compare_year(golden: Token, given: Token) -> str:
    """A bare year and a bare number of four digits may be the same."""
    token, number = (golden, given) if golden.kind is Kind.DATE else (given, golden)
    date = token.date
    if number.kind is Kind.ORDINAL and date.granularity is Granularity.CENTURY:
        return "exact" if (date.year or 0) // 100 + 1 == number.value else "value"  # the 13th
    if number.kind is not Kind.AMOUNT:
        return "kind"
    if date.granularity is Granularity.YEAR and date.year == number.value:
        return "silent" if number.unit else "exact"
    if not token.weak or number.unit:
        return "kind"
    as_number = Token(Kind.AMOUNT, token.start, token.end, Decimal(date.year or 0), step=Decimal(1))
    return _compare_amounts(as_number, given) if golden is token else _compare_amounts(golden, as_number)


def _compare_mixed(golden: Token, given: Token) -> str:
    """21.45 hrs, hours and minutes with a dot; twice, and twice a day."""
    amount, other = (golden, given) if golden.kind is Kind.AMOUNT else (given, golden)
    if amount.kind is not Kind.AMOUNT or isinstance(other.value, str):
        return "kind"
    value = Fraction(amount.number)
    if other.kind is Kind.TIME and amount.unit in ("hour", "") and amount.step == _HUNDREDTH and value < 24:
        return "exact" if 60 * int(value) + 100 * (value % 1) == other.value else "kind"
    if other.kind is Kind.FREQUENCY and amount.unit in ("times", ""):
        periods = ("hour", "day", "week", "month", "year")
        rates = (Fraction(other.number) * Fraction(units()[period].worth) for period in periods)
        return "silent" if value in rates else "kind"
    return "kind"


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


def _compare_amounts(golden: Token, given: Token) -> str:
    if golden.unit != given.unit and golden.unit in _KELVIN and given.unit in _KELVIN:
        return _compare_temperatures(golden, given)
    worths = _find_worths(golden, given)
    if isinstance(worths, str):
        alike = worths in _APART or _compare_values(golden, given, _ALIKE) in _SAME
        return worths if alike else "value"
    values = _compare_values(golden, given, worths)
    return _compare_qualifiers(golden, given, values) if values in _SAME else values


def _compare_temperatures(golden: Token, given: Token) -> str:
    """134 °F is 56.7 °C: the scales do not begin at the same zero."""
    scales = [(token, *_KELVIN[token.unit]) for token in (golden, given)]
    kelvin = [token.sign * Fraction(token.number) * worth + zero for token, worth, zero in scales]
    if abs(kelvin[0] - kelvin[1]) * 2 <= max(Fraction(token.step) * worth for token, worth, _ in scales):
        return "converted"
    return "unit" if golden.value == given.value else "value"


def _find_worths(golden: Token, given: Token) -> Worths | str:
    """What one of each unit is worth in a common one; in what the units differ where they have none."""
    both = golden, given
    if {golden.unit, given.unit} == {"", "%"}:  # a quarter is 25 %
        parts = [not token.unit and not token.step and 0 < token.number < 1 for token in both]
        return Fraction(100 if parts[0] else 1), Fraction(100 if parts[1] else 1)
    if not golden.unit or not given.unit or golden.unit == given.unit:
        return _ALIKE
    mine, its = (several().get(token.unit, (token.unit,)) for token in both)
    if not {*mine, golden.unit}.isdisjoint((*its, given.unit)):
        return _ALIKE
    by_name = units()
    for first, second in itertools.product(mine, its):
        if first in by_name and second in by_name and by_name[first].dimension == by_name[second].dimension:
            if by_name[first].dimension in ("money", "temperature"):
                return "currency" if by_name[first].dimension == "money" else "unit"
            return Fraction(by_name[first].worth), Fraction(by_name[second].worth)
    if {by_name[unit].dimension for unit in (*mine, *its) if unit in by_name} != {"share", "points"}:
        return "dimension"
    if "bp" not in (golden.unit, given.unit):
        return "unit"
    return Fraction(1, 100 if golden.unit == "bp" else 1), Fraction(1, 100 if given.unit == "bp" else 1)


def _compare_values(golden: Token, given: Token, worths: Worths) -> str:
    """Numbers within half of the coarser last digit; ends of ranges likewise."""
    if (golden.high is None) != (given.high is None):
        return _compare_range(golden, given, worths)
    lower = _near(golden.number, given.number, golden, given, worths)
    if golden.high is None or given.high is None:
        return lower or "value"
    upper = _near(golden.high, given.high, golden, given, worths)
    return lower if lower and upper else "end" if lower or upper else "value"


def _compare_range(golden: Token, given: Token, worths: Worths) -> str:
    """A range and a value: the one end of two is not the range."""
    mine, its = Fraction(golden.number) * worths[0], Fraction(given.number) * worths[1]
    if golden.high is not None:
        near = any(_near(end, given.number, golden, given, worths) for end in (golden.number, golden.high))
        return "granularity" if near or mine < its < Fraction(golden.high) * worths[0] else "value"
    return "granularity" if its <= mine <= Fraction(given.high or 0) * worths[1] else "value"


def _near(first: Number, second: Number, golden: Token, given: Token, worths: Worths) -> str:
    """`exact`, `rounded` or `converted`; empty where the two differ."""
    alike, about = worths[0] == worths[1], "~" in (golden.bound, given.bound)
    if alike and first == second:
        return "exact"
    mine, steps = Fraction(first) * worths[0], (Fraction(golden.step) * worths[0], Fraction(given.step) * worths[1])
    gap = abs(mine - Fraction(second) * worths[1])
    if not gap:
        return "exact" if alike else "converted"
    if (all(steps) or about) and gap * 2 <= _find_coarser(golden, given, *steps):
        return "rounded"
    if not alike and gap <= _CONVERTED * mine and max(steps) < mine:
        return "converted"
    return "rounded" if about and gap <= _ABOUT * mine else ""


def _find_coarser(golden: Token, given: Token, step: Fraction, its_step: Fraction) -> Fraction:
    """The coarser last digit; the zeros at the end of a number that says `about` are no digits.

    A whole number without a scale counts: 7 is not 7.4 rounded, unless both are of something that is measured.
    """
    coarser, alike = max(step, its_step), golden.step == given.step
    whole = (alike and golden.step == 1) or (coarser == 1 and not (golden.unit and given.unit))
    converted = alike and step != its_step
    if not whole or converted or "~" in (golden.bound, given.bound):
        return coarser
    measured = golden.unit or given.unit or min(golden.step, given.step) < 1
    return coarser if measured and not alike else Fraction(0)


def _compare_qualifiers(golden: Token, given: Token, values: str) -> str:
    """Sign, bound and period: what golden says and the other says otherwise contradicts; what is unsaid is silent."""
    silent = bool(golden.unit) and not given.unit
    if golden.sign != given.sign:
        negative, positive = (golden, given) if golden.sign < 0 else (given, golden)
        fell = negative.sign < 0 and positive.moved == "down"  # `fell by 45` is −45
        if 0 not in (golden.sign, given.sign) and not fell:
            return "sign"
    elif golden.moved and given.moved and golden.moved != given.moved:
        return "sign"
    if golden.period != given.period:
        if golden.period and given.period:
            return "period"
        silent = silent or bool(golden.period)
    bounds = {golden.bound, given.bound}
    if len(bounds - {"~", ""}) == 2:
        return "bound"
    silent = silent or ("" in bounds and bool(bounds - {"~", ""}))
    return "silent" if silent and values == "exact" else values


def same_digits(first: Token, second: Token) -> bool:
    """Whether two values are equal, or one is the other in another scale: 302,578 thousand and 302.578 million."""
    if not isinstance(first.value, Decimal) or not isinstance(second.value, Decimal):
        return first.value == second.value
    return first.value.normalize().as_tuple().digits == second.value.normalize().as_tuple().digits


def best(golden: Token, candidates: Iterable[Token]) -> tuple[Token, Comparison] | None:
    """Return the candidate that says the same, else the nearest that contradicts; None where all are apart."""
    compared = [(candidate, compare(golden, candidate)) for candidate in candidates]
    return min((pair for pair in compared if pair[1].relation is not Relation.APART), key=_rank, default=None)


def _rank(compared: tuple[Token, Comparison]) -> int:
    """Same before other, exact before rounded; of others, the ones that differ in a qualifier only."""
    reason = compared[1].reason
    return _SAME.index(reason) if reason in _SAME else len(_SAME) + (reason == "value")


_OF_KIND = {Kind.DATE: _compare_dates, Kind.TIME: _compare_times, Kind.AMOUNT: _compare_amounts}
