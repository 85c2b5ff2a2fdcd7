"""Which quantity a question asks for, which of a response's answer it, and how well two agree in the precision in which
they are written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import dates
from qaviz.diagnosis.evidence.clauses import clauses, holds_any, level_text
from qaviz.diagnosis.evidence.lexicon import word_set
from qaviz.diagnosis.evidence.quantities.reading import Quantity, find
from qaviz.diagnosis.evidence.quantities.units import (
    CURRENCY_CODES,
    DEGREES,
    FAHRENHEIT,
    KELVIN,
    PERCENT,
    SCALES,
    TEMPERATURES,
)

_SCALE = re.compile(
    r"(?<!\d )(?:\b(?:in|of|as|units?|usd|eur|gbp|vnd|dollars|euros|nhiêu|mấy|vị:?) |[$€£¥₹(])"
    r"(?:(?:us )?(?:usd|eur|gbp|vnd|dollars|\$) ?(?:in )?)?"
    r"(?P<scale>thousand|million|billion|trillion|lakh|crore|nghìn|triệu|tỷ)s?\b"
)
_PERCENT = re.compile(r"%|\bper ?cent|phần trăm|\btỷ lệ\b")
_RATIO = re.compile(
    r"\b(?:ratio|margin|rate|proportion|fraction|share|return on|yield|growth|roa|roe|roi)\b|tỷ suất|biên lợi nhuận"
)
_DECIMALS = re.compile(r"\b(one|two|three|four|five|[1-5]) decimal|\b(một|hai|ba|[1-5]) chữ số thập phân")
_NEAREST = re.compile(
    r"\b(?:to (?:a|the)(?: nearest)?|nearest|rounded to) "
    r"(whole number|integer|unit|one|ten|hundred|thousand|million|billion)\b"
)
_NAMED = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "một": 1, "hai": 2, "ba": 3}
_WORTH = {"whole number": 1, "integer": 1, "unit": 1, "one": 1, "ten": 10, **SCALES}
_ABOUT = re.compile(r"\b(?:approximately|approximate|roughly|about how|around how|estimated?|khoảng)\b")
_FALLING = re.compile(
    r"\b(?:loss(?:es)?|los[et]|decreas\w+|declin\w+|fell|fall|drop\w*|shr[aiu]nk|reduc\w+|negative|deficit|below|decline"
    r"|paid|pay|payments?|spen[dt]|spending|outflows?|used|costs?|expens\w+|expenditures?|capex|dividends?|repurchase\w*"
    r"|giảm|lỗ|âm|chi phí|trả)\b"
)
_AMOUNT = re.compile(
    r"\bhow (?:much|many|old|long|far|tall|high|deep|wide|big|large|fast|often|heavy)\b"
    r"|\bbao nhiêu\b|\bmấy\b|\bbao xa\b"
    r"|\b(?:what|which) (?:[a-z]+ )?(?:number|amount|percentage|percent|quantity|total|ratio|age|price|value)s?\b"
)
_CHANGE = re.compile(
    r"\b(?:chang|increas|decreas|gr[eo]w|fall|fell|r[io]se|differ|declin|develop|happen|move|drop|tăng|giảm|thay đổi)"
)
_POLAR = re.compile(
    r"(?:^|[.,;:?] )(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b[^.;?]*(?:\?|$)"
    r"|\b(?:có phải|hay không|phải không)\b"
)
_THING = re.compile(
    r"(?:^|[.,;:?] )\W*(?:(?:in|on|at|of|for|from|by|to|with|about) )?"
    r"(?:who|whom|whose|where|why|which|what (?:is the )?(?:[a-z]+ )?(?:kind|type|sort|colou?r|name|drove|caused))\b"
    r"|\b(?:ai|ở đâu|tại sao)\b"
)
_WORD = re.compile(r"[^\W\d_]+")

# A question that has none of a pattern's words need not be searched for it: cheap to tell, and most have none.
_SCALE_WORDS = word_set(
    "thousand thousands million millions billion billions trillion trillions lakh lakhs crore crores nghìn nghìns "
    "triệu triệus tỷ tỷs"
)
_RATIO_WORDS = word_set("ratio margin rate proportion fraction share return yield growth roa roe roi tỷ biên")
_ABOUT_WORDS = word_set("approximately approximate roughly about around estimate estimated khoảng")
_THING_WORDS = word_set("who whom whose where why which kind type sort color colour name drove caused ai đâu sao")
_PERCENT_MARKS = ("%", "cent", "phần trăm", "tỷ lệ")
_ROUNDING_MARKS = ("decimal", "chữ số", "nearest", "rounded to", "to the", "to a")
LONGEST = 4_000
"""Characters of a question that are read."""
_LETTERS = 4
"""Letters by which two words count as the same: `outstanding` and `outstand`."""


def stem(word: str) -> str:
    """The first letters of a word, by which it is told from another."""
    return word[:_LETTERS]


@dataclass(frozen=True)
class Target:
    """What a question says of the quantity it is after; each thing is looked for when it is first wanted."""

    level: str
    """The question, levelled."""
    given: frozenset[tuple[Decimal, str]]
    """Value and unit of the quantities that the question itself contains, each with its unit and without."""
    date: bool
    """It is answered by a date."""

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.level))

    @cached_property
    def words(self) -> frozenset[str]:
        """The first letters of its words."""
        return frozenset(map(stem, self._words))

    @cached_property
    def scale(self) -> Decimal | None:
        """Of a plain number: 1,000,000 where the question says "in USD millions"."""
        scale = None if self._words.isdisjoint(_SCALE_WORDS) else _SCALE.search(self.level)
        return Decimal(SCALES[scale["scale"]]) if scale else None

    @cached_property
    def percent(self) -> bool:
        """The answer is to be in percent."""
        return holds_any(self.level, _PERCENT_MARKS) and bool(_PERCENT.search(self.level))

    @cached_property
    def ratio(self) -> bool:
        """The answer is a ratio: 0.079 and 7.9 % are the same."""
        return self.percent or (not self._words.isdisjoint(_RATIO_WORDS) and bool(_RATIO.search(self.level)))

    @cached_property
    def half(self) -> Decimal:
        """Half of the last digit that the question asks for ("round to two decimal places"), else 0."""
        return _half(self.level) if holds_any(self.level, _ROUNDING_MARKS) else Decimal(0)

    @cached_property
    def about(self) -> bool:
        """It asks for an approximate quantity."""
        return not self._words.isdisjoint(_ABOUT_WORDS) and bool(_ABOUT.search(self.level))

    @cached_property
    def falling(self) -> bool:
        """It names the direction itself: how far something fell, what was paid."""
        return bool(_FALLING.search(self.level))

    @cached_property
    def amount(self) -> bool:
        """It asks how much or how many."""
        return bool(_AMOUNT.search(self.level))

    @cached_property
    def change(self) -> bool:
        """It asks by how much something changed."""
        return bool(_CHANGE.search(self.level)) and not self.polar

    @cached_property
    def polar(self) -> bool:
        """It is answered by yes or no."""
        return bool(_POLAR.search(self.level))

    @cached_property
    def thing(self) -> bool:
        """It is answered by a name: who, where, which film."""
        return not self._words.isdisjoint(_THING_WORDS) and bool(_THING.search(self.level))


@lru_cache(maxsize=1024)
def read_target(question: str) -> Target:
    """Return what the question says of the quantity it is after."""
    question = question[:LONGEST]
    given = frozenset((quantity.value, unit) for quantity in find(question) for unit in (quantity.unit, ""))
    return Target(level_text(question), given, dates.asks_date(question))


def _half(level: str) -> Decimal:
    """Half of the last digit that the question asks for; 0 where it asks for none."""
    if decimals := _DECIMALS.search(level):
        places = decimals[1] or decimals[2]
        return Decimal(5).scaleb(-1 - int(_NAMED.get(places, 0) or places))
    if nearest := _NEAREST.search(level):
        return Decimal(_WORTH[nearest[1]]) / 2
    return Decimal(0)


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
