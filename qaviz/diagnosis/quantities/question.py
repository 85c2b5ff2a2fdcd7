"""What a question says of the quantity that it is after: scale, rounding, percent, and the quantities it gives itself."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from qaviz.diagnosis import dates
from qaviz.diagnosis.quantities.reading import Quantity, find
from qaviz.diagnosis.quantities.units import SCALES
from qaviz.diagnosis.statements import levelled


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question says of the quantity it is after."""

    given: tuple[Quantity, ...]
    """The quantities that the question itself contains."""
    scale: Decimal | None
    """Of a bare number: 1,000,000 where the question says "in USD millions"."""
    percent: bool
    """The answer is to be in percent."""
    ratio: bool
    """The answer is a ratio: 0.079 and 7.9 % are the same."""
    half: Decimal
    """Half of the last digit that the question asks for ("round to two decimal places"), else 0."""
    amount: bool
    """It asks how much or how many."""
    polar: bool
    """It is answered by yes or no."""
    date: bool
    """It asks when."""


_SCALE = re.compile(
    r"(?<!\d )(?:\b(?:in|of|usd|eur|gbp|dollars|euros|vnd|đồng|nhiêu|vị:?|mấy) |[$€£¥₹(])(?:(?:us )?(?:usd|dollars|\$|eur|gbp|vnd) ?(?:in )?)?"
    r"(?P<scale>thousand|million|billion|trillion|lakh|crore|nghìn|triệu|tỷ)s?\b"
)
_PERCENT = re.compile(r"%|\bpercent|\bper cent\b|phần trăm|tỷ lệ")
_RATIO = re.compile(
    r"\b(?:ratio|margin|rate|proportion|share|return on|yield|growth|roa|roe|roi)\b|tỷ suất|biên lợi nhuận"
)
_DECIMALS = re.compile(r"\b(one|two|three|four|five|[1-5]) decimal")
_NEAREST = re.compile(
    r"\b(?:to (?:a|the)(?: nearest)?|nearest|rounded to) (whole number|integer|unit|one|ten|hundred|thousand|million|billion)\b"
)
_NAMED = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_UNIT_OF = {"whole number": 1, "integer": 1, "unit": 1, "one": 1, "ten": 10, **SCALES}
_AMOUNT = re.compile(
    r"\bhow (?:much|many|old|long|far|tall|high|deep|wide|big|large|fast|often|heavy)\b|\bbao nhiêu\b|\bmấy\b"
    r"|\b(?:what|which) (?:[a-z]+ )?(?:number|amount|percentage|percent|quantity|total|ratio|age|price|value)\b"
)
_POLAR = re.compile(r"(?:^|[.,;] )(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b[^.;]*\?")


@lru_cache(maxsize=1024)
def ask(question: str) -> Asked:
    level = levelled(question)
    scale = _SCALE.search(level)
    percent = bool(_PERCENT.search(level))
    return Asked(
        given=find(question),
        scale=Decimal(SCALES[scale["scale"]]) if scale else None,
        percent=percent,
        ratio=percent or bool(_RATIO.search(level)),
        half=_asked_half(level),
        amount=bool(_AMOUNT.search(level)),
        polar=bool(_POLAR.search(level)),
        date=dates.asks_date(question),
    )


def _asked_half(level: str) -> Decimal:
    if decimals := _DECIMALS.search(level):
        return Decimal(5).scaleb(-1 - int(_NAMED.get(decimals[1], 0) or decimals[1]))
    if nearest := _NEAREST.search(level):
        return Decimal(_UNIT_OF[nearest[1]]) / 2
    return Decimal(0)
