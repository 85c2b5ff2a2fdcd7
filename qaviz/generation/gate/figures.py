"""Figures and dates of a text, and whether another text states them: exactly, in other units, or as their result.

A figure is stated where qaviz's evidence reads the same quantity there, rounded at most to the digits that are written:
12.5 billion states 12,455 million; 12.455 billion does not state 12.5 billion, for its digits come from nowhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import permutations

from qaviz.diagnosis.evidence import dates, quantities
from qaviz.diagnosis.evidence.dates import Date
from qaviz.diagnosis.evidence.quantities import Quantity

COARSE = Decimal("0.05")
"""Share of a value to which a figure may be rounded."""
_MOST_FIGURES = 400
_ROUNDING_OF_FLOATS = 1.001
_OPERANDS = 8
"""Figures of a sentence that a result may come from."""
_BESIDE_WIDE = re.compile(
    r"(?<=[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef])(?=[\d$€£¥])"
    r"|(?<=[\d%])(?=[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef])"
)
"""Chinese and Japanese set figures between their characters without a space."""
_PERCENT = "%"


@dataclass(frozen=True)
class Figures:
    """The figures and dates of a text."""

    amounts: tuple[Quantity, ...]
    """Without those that are a part of a date, or have another reading than an amount (`one` of them, 3rd)."""
    dates: tuple[Date, ...]


@lru_cache(maxsize=16_384)
def find_figures(text: str) -> Figures:
    """Return the figures and dates of a text, Chinese ones too."""
    spaced = _BESIDE_WIDE.sub(" ", text) if not text.isascii() else text
    date_list = dates.find(spaced)
    taken = [(date.start, date.end) for date in date_list]
    amounts = tuple(
        amount
        for found_there in quantities.find(spaced)[:_MOST_FIGURES]
        for amount in _split_range(found_there)
        if not amount.weak and not any(start < amount.end and amount.start < end for start, end in taken)
    )
    return Figures(amounts, date_list[:_MOST_FIGURES])


def _split_range(amount: Quantity) -> tuple[Quantity, ...]:
    """The two ends of a range, which are two figures; any other figure itself."""
    if amount.high is None:
        return (amount,)
    return amount._replace(high=None), amount._replace(value=amount.high, high=None)


def states_amount(quantity: Quantity, source: Quantity) -> bool:
    """Whether `source` says what `quantity` does, at the precision in which it is written."""
    if quantity.unit and source.unit and quantity.unit != source.unit:
        return False
    if _PERCENT in (quantity.unit, source.unit) and quantity.unit != source.unit:
        return False
    same_unit = quantity.unit == source.unit
    value, half = _measure_amount(quantity, by_unit=same_unit)
    other, other_half = _measure_amount(source, by_unit=same_unit)
    if value == other:
        return True
    return half >= other_half and abs(value - other) <= half <= max(COARSE * other, Decimal(0))


def _measure_amount(amount: Quantity, *, by_unit: bool) -> tuple[Decimal, Decimal]:
    """The value and half of its last digit, in the dimension's own unit where both have one."""
    return (amount.value * amount.factor, amount.half * amount.factor) if by_unit else (amount.value, amount.half)


def states_date(date: Date, source: Date) -> bool:
    """Whether every part of `date` stands in `source`: 2023 in 3 May 2023, and not the other way round."""
    if date.until or source.until:
        first, start = date.year, source.year
        if first is None or start is None:
            return False
        return start <= first and (date.until or first) <= (source.until or start)
    readings = [source, source._replace(month=source.day, day=source.month)] if source.swapped else [source]
    return any(_parts_stand(date, reading) for reading in readings) or (
        date.swapped
        and any(_parts_stand(date._replace(month=date.day, day=date.month), reading) for reading in readings)
    )


def _parts_stand(date: Date, source: Date) -> bool:
    pairs = ((date.year, source.year), (date.month, source.month), (date.day, source.day))
    return all(part is None or part == other for part, other in pairs)


@dataclass(frozen=True)
class Stated:
    """The figures of a passage, so that it is quick to ask whether one is among them."""

    figures: Figures
    by_unit: dict[str, list[tuple[float, float, Quantity]]]
    """By unit (empty where there is none): the value as written, in the dimension's own unit, and the quantity."""

    @classmethod
    def of(cls, figures: Figures) -> "Stated":
        """Return the figures in the form in which they are looked for."""
        of_unit: dict[str, list[tuple[float, float, Quantity]]] = {}
        for amount in figures.amounts:
            value = float(amount.value)
            of_unit.setdefault(amount.unit, []).append((value, value * float(amount.factor), amount))
        return cls(figures, of_unit)

    def amount(self, quantity: Quantity) -> Quantity | None:
        """The figure that says the same; None where there is none."""
        units = [unit for unit in (quantity.unit, "") if unit in self.by_unit] if quantity.unit else [*self.by_unit]
        if not units:  # most sentences: no number is converted for them
            return None
        value, half = float(quantity.value), float(quantity.half) * _ROUNDING_OF_FLOATS
        factor = float(quantity.factor)
        for unit in units:
            same = unit == quantity.unit
            near, reach = (value * factor, half * factor) if same else (value, half)
            for plain, measured, source in self.by_unit[unit]:
                close = abs((measured if same else plain) - near) <= reach + _ROUNDING_OF_FLOATS * 1e-9
                if close and states_amount(quantity, source):
                    return source
        return None

    def date(self, date: Date) -> bool:
        """Whether a date here has all parts of this one."""
        if any(states_date(date, source) for source in self.figures.dates):
            return True
        # A number of four digits without separators reads as a year.
        return date.bare and any(value == date.year for value, _, _ in self.by_unit.get("", ()))


def derive(quantity: Quantity, operands: Sequence[Quantity]) -> str | None:
    """How a figure comes from two others of one unit, in words: their growth, difference, share or sum; None if not.

    `514 to 575 is a growth of 12%`: 11.87, which is 12 in the digits that are written.
    """
    amounts = [operand for operand in operands if operand is not quantity][:_OPERANDS]
    for first, last in permutations(amounts, 2):
        if first.unit != last.unit or first.unit == _PERCENT != quantity.unit:
            continue
        one, two = first.value * first.factor, last.value * last.factor
        if quantity.unit == _PERCENT and one and first.unit != _PERCENT:
            if _is(quantity, abs(two - one) * 100 / abs(one)):
                return f"the change from {one:f} to {two:f}"
            if two <= one and _is(quantity, two * 100 / one):
                return f"the share of {two:f} in {one:f}"
        elif quantity.unit == first.unit:
            if two > one and _is(quantity, two - one):
                return f"the difference of {one:f} and {two:f}"
            if _is(quantity, one + two):
                return f"the sum of {one:f} and {two:f}"
    return None


def _is(quantity: Quantity, value: Decimal) -> bool:
    return abs(quantity.value * quantity.factor - value) <= quantity.half * quantity.factor
