"""A token: one value, date, denial, ... of a text, with what qualifies it and where it stands."""

from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

Number = Decimal | Fraction
"""Exact: a fraction only where no decimal number is (1/3)."""

EXCEPT = "except"


class Kind(StrEnum):
    """What a token is."""

    AMOUNT = "amount"
    """A number, with or without a unit: `$2.4 billion`, `twelve`, `3-5 kg`."""
    FREQUENCY = "frequency"
    """How often: `twice a week`, `daily`, `every two weeks`; its value is times a second."""
    ORDINAL = "ordinal"
    """A place in an order: `third`, `13th`."""
    DATE = "date"
    TIME = "time"
    """A time of the day; its value is minutes after midnight."""
    CODE = "code"
    """An identifier: `v2.4.1`, `BB+`, `10-K`, `555-0142`, `type 1`; its value is its letters and digits."""
    NEGATION = "negation"
    YES = "yes"
    NO = "no"


class Granularity(StrEnum):
    """How exactly a date is given."""

    CENTURY = "century"
    DECADE = "decade"
    YEARS = "years"
    """From one year to another."""
    YEAR = "year"
    HALF = "half"
    QUARTER = "quarter"
    MONTH = "month"
    DAY = "day"
    WEEKDAY = "weekday"


class Date(NamedTuple):
    """A date as written: a part that is not written is None."""

    granularity: Granularity
    year: int | None = None
    """Before Christ where negative."""
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    """Or half of a year, by the granularity."""
    weekday: int | None = None
    """Monday is 1."""
    until: int | None = None
    """The last year of a span."""
    swapped: bool = False
    """Day and month may be the other way round: 03/05/2023."""


class Token(NamedTuple):
    """One token of a text. `text[start:end]` is how the original writes it."""

    kind: Kind
    start: int
    end: int
    value: Number | Date | str
    """Of an amount: without its sign, in the written unit, with its scale: 6 for 6 feet, 2400000 for $2.4m."""
    high: Number | None = None
    """The upper end of a range, whose lower end is `value`."""
    step: Decimal = Decimal(0)
    """What the last written digit is worth: 100000000 for 2.4 billion. 0 where exact: words, fractions, a dozen."""
    unit: str = ""
    """A currency's code or sign, `%`, `pp` (percentage points), a unit of `tables/units.toml`, a code's label."""
    sign: int = 1
    """-1: negative. 0: brackets or a dash that may be a minus sign, or punctuation."""
    bound: str = ""
    """`>=` `>` `<=` `<` `~` (about); of a date also: after, before, since, until."""
    period: str = ""
    """Per what: `second` `minute` `hour` `day` `week` `month` `quarter` `year`; else empty."""
    link: str = ""
    """`or` `and`: an alternative to the token of its kind before it, or in a list with it; `except`: all but this."""
    weak: bool = False
    """Its words have another common reading: a number that is rather a year, `one` of them, `second`."""
    moved: str = ""
    """`up` or `down` where a verb of change stands before it: fell by 45 million."""

    @property
    def number(self) -> Number:
        """The value of an amount, an ordinal, a frequency or a time."""
        return self.value  # type: ignore[return-value]  # those kinds hold numbers

    @property
    def date(self) -> Date:
        """The value of a date."""
        return self.value  # type: ignore[return-value]  # a date holds one
