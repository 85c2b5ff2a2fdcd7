"""Which of a response's quantities answer, and how well two quantities agree in the precision in which they are
written.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from qaviz.diagnosis.evidence.clauses import clauses, holds_any
from qaviz.diagnosis.evidence.quantities.question import Target
from qaviz.diagnosis.evidence.quantities.reading import Quantity
from qaviz.diagnosis.evidence.quantities.units import CURRENCY_CODES, DEGREES, FAHRENHEIT, KELVIN, PERCENT, TEMPERATURES

COARSE = Decimal("0.05")
"""A response may round to within this share of the golden value: "0.2 billion" does not say 158 million."""
WORKING = Decimal("0.0005")
"""Share of the value that rounding on the way to a calculated, rounded result may cost."""
CUT_OFF = 2_000
"""Halves of its last digit from which a golden value may be cut off rather than rounded: 8,848 for 8,848.86."""
ROUND = Decimal("0.025")
"""Share of the value up to which the last zeros of "about 5,000" are no digits."""

_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|in conclusion|in summary|to summari[sz]e|final answer|the answer|rounded|rounding"
    r"|as a result|do đó|vì vậy|tóm lại)\b|^\W*(?:so|overall|finally|in total)\b"
)
"""A clause that concludes."""
_CUES = (
    *("so", "fore", "thus", "hence", "conclu", "summar", "answer", "round", "result", "final", "total"),
    *("đó", "vì", "tóm", "over"),
)
"""A text without any of these concludes nothing: cheap to look for, before the pattern is."""
_EQUALS = ("=", "≈")
_MARKS = _CUES + _EQUALS

Clause = tuple[int, int, list[Quantity]]
"""Where a clause begins and ends, and its quantities."""
_FIVE_NINTHS = Decimal(5) / 9
_ZERO_FAHRENHEIT, _ZERO_CELSIUS = Decimal("255.3722"), Decimal("273.15")
_SCALES = {FAHRENHEIT: (_FIVE_NINTHS, _ZERO_FAHRENHEIT), KELVIN: (Decimal(1), Decimal(0))}
"""What a degree is worth in kelvin, and where zero lies; of degrees Celsius where none is given."""
Reading = tuple[Decimal, Decimal]
"""A value and half of its last digit."""
_REACH = 40
"""Characters before a quantity in which a word may turn its direction."""
_TURN_BEFORE = re.compile(
    r"(?P<down>\b(?:loss(?:es)?|decreas\w+|declin\w+|fell|falling|drop\w*|down|shr[aiu]nk|reduc\w+|lower\w*|negative|deficit"
    r"|minus|los[et]|lost|slipp?ed|slid|sank|plung\w+|tumbl\w+|slump\w+|contract\w+|shed|giảm|lỗ|âm)\b)"
    r"|(?P<up>\b(?:increas\w+|climb\w+|jump\w+|soar\w+|surg\w+|expand\w+|advanc\w+|rose|ris\w+|grew|growth|gain\w*|up|higher|positive|profit|improv\w+|rais\w+|tăng|lãi)\b)"
)
_BARE = 20
"""Characters of a golden text that is a quantity and nothing else: without a sign it is no loss."""
_LOSS_BEFORE = re.compile(
    r"\b(?:loss(?:es)?|deficit)\b(?: per (?:diluted |basic )?share)?(?: (?:of|was|were|is|at))? [$€£]?$"
)
_TURN_AFTER = re.compile(
    r" ?(?:percentage points? |points? )?"
    r"(?:(?P<down>(?:loss|decrease|decline|drop|reduction|fall|lower|less|below)\b)|(?:increase|rise|growth|gain|higher|above)\b)"
)


class Fit(NamedTuple):
    """How far two quantities are apart, and how far they may be."""

    apart: Decimal
    allowed: Decimal

    @property
    def agrees(self) -> bool:
        return self.apart <= self.allowed

    @property
    def strength(self) -> float:
        """0 to 1: how far the two are from tipping over into agreement or out of it."""
        if self.agrees:
            return 1.0 if self.apart == 0 else float(1 - self.apart / self.allowed)
        return float(1 - self.allowed / self.apart)


def fit(golden: Quantity, stated: Quantity, target: Target) -> Fit | None:
    """Return how well the two agree under the reading that brings them closest; None where they cannot be compared."""
    if is_temperature(golden, stated):
        golden, stated = _absolute(golden, stated.unit), _absolute(stated, golden.unit)
    if golden.unit != stated.unit and not _comparable(golden.unit, stated.unit, target):
        return None
    if golden.high is None and stated.high is None:
        return _closest(golden, stated, target)
    if golden.high is None:
        ends = [
            _closest(golden, stated._replace(value=end), target)
            for end in (stated.value, stated.high)
            if end is not None
        ]
        return min((end for end in ends if end), key=_distance, default=None)
    if stated.high is None:
        return _inside(golden, golden.high, stated, target)
    low = _closest(golden, stated, target)
    high = _closest(golden._replace(value=golden.high), stated._replace(value=stated.high), target)
    return max(low, high, key=_distance) if low and high else None


def is_temperature(golden: Quantity, stated: Quantity) -> bool:
    """Return whether the two are temperatures, of which degrees alone may be one: their scales begin at other zeros."""
    if golden.unit not in TEMPERATURES or stated.unit not in TEMPERATURES:
        return False
    return not golden.unit == stated.unit == DEGREES


def _absolute(quantity: Quantity, other: str) -> Quantity:
    """A temperature in kelvin; `other` tells what its degrees are where it does not say so itself."""
    unit = other if quantity.unit == DEGREES else quantity.unit
    factor, zero = _SCALES.get(unit, (Decimal(1), _ZERO_CELSIUS))
    value = -quantity.value if quantity.negative else quantity.value
    return quantity._replace(
        value=value * factor + zero,
        half=_rounded_half(quantity, hedged=quantity.hedged) * factor,
        unit=KELVIN,
        hedged=False,
        high=quantity.high and quantity.high * factor + zero,
    )


def _inside(golden: Quantity, top: Decimal, stated: Quantity, target: Target) -> Fit | None:
    """How well one quantity agrees with a golden range: anywhere inside it is right."""
    bottom, ceiling = golden, golden._replace(value=top)
    low, high = _closest(bottom, stated, target), _closest(ceiling, stated, target)
    if not low or not high:
        return None
    pairs = zip(_readings(bottom, stated, target), _readings(ceiling, stated, target), strict=True)
    if any(least[0] <= value[0] <= most[0] for (least, value), (most, _) in pairs):
        return Fit(Decimal(0), low.allowed)
    return min(low, high, key=_distance)


def _closest(golden: Quantity, stated: Quantity, target: Target) -> Fit | None:
    pairs = _readings(golden, stated, target)
    if len(pairs) == 1:
        return _between(*pairs[0], target)
    return min((_between(*pair, target) for pair in pairs), key=_distance, default=None)


def _distance(fit: Fit) -> tuple[bool, Decimal]:
    return not fit.agrees, fit.apart - fit.allowed


def _comparable(golden: str, stated: str, target: Target) -> bool:
    """Whether quantities of two different units can be compared: where one has none, and none is a mere percentage."""
    if golden and stated:
        return False
    return PERCENT not in (golden, stated) or target.percent or target.ratio


def _between(golden: Reading, stated: Reading, target: Target) -> Fit:
    value, half = golden
    other, other_half = stated
    allowed = max(half, min(other_half, COARSE * value))
    if other_half < half and value >= CUT_OFF * half and other > value:
        allowed = 2 * half
    if target.half:
        allowed = max(allowed, WORKING * value)
    return Fit(abs(value - other), allowed)


def _readings(golden: Quantity, stated: Quantity, target: Target) -> list[tuple[Reading, Reading]]:
    """The pairs of readings under which the two can be compared."""
    one, two = (golden.value, _golden_half(golden, target)), (stated.value, _rounded_half(stated, hedged=stated.hedged))
    if golden.unit and golden.unit == stated.unit:
        return _apply_scale(golden, stated, target.scale, _times(one, golden.factor), _times(two, stated.factor))
    if PERCENT not in (golden.unit, stated.unit):
        return _apply_scale(golden, stated, target.scale, one, two)
    pairs = [(one, two)] if target.percent or (target.ratio and golden.unit == PERCENT) else []
    return [*pairs, (_as_ratio(golden, one), _as_ratio(stated, two))] if target.ratio else pairs


def _as_ratio(quantity: Quantity, reading: Reading) -> Reading:
    return _times(reading, quantity.factor / 100) if quantity.unit == PERCENT else reading


def _times(reading: Reading, factor: Decimal) -> Reading:
    return reading[0] * factor, reading[1] * factor


def _apply_scale(
    golden: Quantity, stated: Quantity, scale: Decimal | None, one: Reading, two: Reading
) -> list[tuple[Reading, Reading]]:
    """The readings with the scale that the question sets for plain numbers."""
    if scale is None:
        return [(one, two)]
    if not golden.scaled:
        one = _times(one, scale)
    return [(one, two)] if stated.scaled else [(one, two), (one, _times(two, scale))]


def _golden_half(golden: Quantity, target: Target) -> Decimal:
    """Half of the golden value's last digit that counts: not the zeros of "$8.70 (in billions)" or of "about 5,000"."""
    half = _rounded_half(golden, hedged=golden.hedged or target.about)
    if target.scale and not golden.scaled and golden.unit in CURRENCY_CODES:
        exponent = golden.value.normalize().as_tuple().exponent
        half = max(half, Decimal(5).scaleb(min(0, int(exponent)) - 1))
    return max(half, target.half)


def _rounded_half(quantity: Quantity, *, hedged: bool) -> Decimal:
    """Half of the last digit that counts where a whole number may be rounded: 500 for "about 25,000"."""
    if not hedged or quantity.value != quantity.value.to_integral_value() or not quantity.value:
        return quantity.half
    zeros = int(quantity.value.normalize().as_tuple().exponent)
    return max(quantity.half, min(Decimal(5).scaleb(zeros - 1), quantity.value * ROUND))


def have_opposite_signs(golden: Quantity, stated: Quantity, golden_level: str, said_level: str, target: Target) -> bool:
    """Return whether the two have opposite signs, by minus signs or by words: a loss of 3.2 billion, a profit of it."""
    if None in (golden.negative, stated.negative) or is_temperature(golden, stated):
        return False
    turns = turn(golden, golden_level), turn(stated, said_level)
    if set(turns) == {-1, 1}:
        return True
    if turns == (0, -1) and not target.falling and len(golden_level) <= _BARE and stated.negative is False:
        return _LOSS_BEFORE.search(said_level, max(0, stated.start - _REACH), stated.start) is not None
    if golden.negative is stated.negative or target.falling:
        return False
    return 0 in turns


def turn(quantity: Quantity, level: str) -> int:
    """Return -1 for a quantity below zero or falling, 1 for a rising one, 0 where nothing is said."""
    if quantity.negative:
        return -1
    if after := _TURN_AFTER.match(level, quantity.end):
        return -1 if after["down"] else 1
    far = max(0, quantity.start - _REACH)
    begin = max(far, level.rfind("\n", far, quantity.start), level.rfind(". ", far, quantity.start))
    turns = [*_TURN_BEFORE.finditer(level, begin, quantity.start)]
    if not turns:
        return 0
    return -1 if turns[-1]["down"] else 1


def answering(level: str, candidates: list[Quantity]) -> list[Quantity]:
    """Return those of the quantities with which a response, levelled, answers.

    Those of its last conclusion ("therefore ..."); else those of its first statement and of its last equation; without
    conclusion and equation all of them.
    """
    if len(candidates) < 2 or not holds_any(level, _MARKS):
        return candidates
    stated = [*_by_clause(level, candidates)]
    for start, end, inside in reversed(stated):
        if holds_any(level[start:end], _CUES) and _CONCLUDES.search(level[start:end]):
            return _after_equals(level, start, inside)
    if not stated:
        return candidates
    start, end, inside = stated[0]
    if holds_any(level[start:end], _EQUALS):
        return _after_equals(level, start, candidates)
    return inside + _after_equals(level, end, [quantity for quantity in candidates if quantity.start >= end])


def _by_clause(level: str, candidates: list[Quantity]) -> Iterator[Clause]:
    """The clauses that state a quantity, with their quantities."""
    place = 0
    for start, end in clauses(level):
        first = place
        while place < len(candidates) and candidates[place].start < end:
            place += 1
        if any(not quantity.weak for quantity in candidates[first:place]):
            yield start, end, candidates[first:place]


def _after_equals(level: str, start: int, candidates: list[Quantity]) -> list[Quantity]:
    """The candidates after the last equals sign that has any."""
    if not candidates:
        return candidates
    equals = max(level.rfind(mark, start, candidates[-1].start) for mark in _EQUALS)
    return [quantity for quantity in candidates if quantity.start > equals]
