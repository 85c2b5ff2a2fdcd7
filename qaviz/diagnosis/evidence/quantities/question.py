"""What a question says of the quantity it is after: scale, rounding, percent, and the quantities it gives itself."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache

from qaviz.diagnosis.evidence import dates
from qaviz.diagnosis.evidence.clauses import holds_any, level_text
from qaviz.diagnosis.evidence.lexicon import word_set
from qaviz.diagnosis.evidence.quantities.reading import find
from qaviz.diagnosis.evidence.quantities.units import SCALES

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
