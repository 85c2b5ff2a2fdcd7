"""Dates: where a text gives a day, a month, a year or a span of years, and whether a response gives the golden one.

A date holds what is written and no more: "February 2023" has no day. English and Vietnamese, ISO and numeric forms.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

from qaviz.diagnosis import number_words
from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.statements import levelled

KIND = "date"


@dataclass(frozen=True, slots=True)
class Date:
    """A date as written: offsets into the text, and the parts it gives. A part that is not written is null."""

    start: int
    end: int
    year: int | None = None
    """Before Christ where negative."""
    month: int | None = None
    day: int | None = None
    until: int | None = None
    """Last year of a span: 1939 for the 1930s and for 1930-1939."""
    swapped: bool = False
    """Day and month may be the other way round: 03/05/2023."""
    bare: bool = False
    """Only a number from 1000 to 2999: a year unless its neighbours say otherwise."""

    @property
    def parts(self) -> tuple[int | None, int | None, int | None, int | None]:
        return self.year, self.until, self.month, self.day

    def words(self, text: str) -> Span:
        """The date as it stands in `text`."""
        return Span(self.start, self.end, text[self.start : self.end])


_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH_OF = {name[:3]: place for place, name in enumerate(_MONTHS, start=1)}
_MONTH_NAME = "(?:" + "|".join((*_MONTHS, "sept", *_MONTH_OF)) + ")"
_MONTH = _MONTH_NAME + r"\b\.?"
_YEAR = r"[12]\d{3}(?!\d)"
_ENDS = r"(?!\w)(?![.,]\d)"

_AT_NUMBER = re.compile(
    rf"""
      (?P<iso_year>{_YEAR})(?P<mark>[-/.])(?P<iso_month>\d{{1,2}})(?P=mark)(?P<iso_day>\d{{1,2}})(?!\d)
    | (?P<first>\d{{1,2}})(?P<sep>[/.-])(?P<second>\d{{1,2}})(?P=sep)(?P<third>\d{{4}}|(?<=/)\d\d)(?![\d/])
    | (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:[ ]of)?[ -]?
      (?:(?P<month>{_MONTH})|tháng[ ](?P<thang>\d{{1,2}})(?!\d))
      (?:,?[ -]?(?:of[ ]|năm[ ])?(?P<year>{_YEAR}))?
    | (?P<decade>[12]\d\d0)'?s(?!\w)
    | (?P<from>{_YEAR})[ ]?(?:-|to|until)[ ]?(?P<to>{_YEAR}|\d\d(?![\d-])){_ENDS}
    | (?P<century>\d{{1,2}})(?:st|nd|rd|th)[ -]century(?P<before>[ ]b\.?c)?
    | (?P<era>\d{{1,4}})[ ]?(?:(?P<bc>b\.?c)|a\.?d|c\.?e)\b
    | (?P<only>{_YEAR}){_ENDS}(?![ ]?(?:%|percent|thousand|million|billion|trillion|nghìn|triệu|tỷ|dollar|euro))
    """,
    re.VERBOSE,
)
_AT_MONTH = re.compile(
    rf"""
      (?P<month>{_MONTH})[ ](?:the[ ])?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:%])(?![.,]\d)
      (?:(?:,|[ ]of)?[ ](?P<year>{_YEAR}))?
    | (?P<m>{_MONTH})(?:,|[ ]of)?[ -](?P<y>{_YEAR})
    | (?P<alone>{_MONTH})
    | tháng[ ](?P<thang>\d{{1,2}})(?!\d)(?:,|[ ]?/|[ ]năm)?[ ]?(?P<nam>{_YEAR})
    | thế[ ]kỷ[ ](?:thứ[ ])?(?P<century>\d{{1,2}})(?!\d)
    """,
    re.VERBOSE,
)
_NUMBER = re.compile(r"\d+")
_NAME = re.compile("|".join((*_MONTH_OF, "tháng", "thế")))
_BEFORE_YEAR = re.compile(r"(?:^|[^\w.,$€£¥₹%]|(?<!\d)[.,]|\bfy|(?<![a-z])')$")
_VERBS = ("may", "march", "mar")


@lru_cache(maxsize=1024)
def find(text: str) -> tuple[Date, ...]:
    """Return the dates of a text, in order. None is invented: "Q2 2023" is the year 2023, "98109-5210" is no date."""
    level = levelled(text)
    found = [*_numeric(text, level), *_named(text, level), *_in_words(level)]
    found.sort(key=lambda date: (date.start, -date.end))
    return tuple(_without_overlap(found))


def _without_overlap(dates: list[Date]) -> Iterator[Date]:
    end = 0
    for date in dates:
        if date.start >= end:
            yield date
            end = date.end


def _numeric(text: str, level: str) -> Iterator[Date]:
    """Dates that begin with a digit."""
    end = 0
    for number in _NUMBER.finditer(level):
        start = number.start()
        if start < end or number.end() - start > 4 or not _BEFORE_YEAR.search(level, max(0, start - 2), start):
            continue
        if (match := _AT_NUMBER.match(level, start)) and (date := _of_number(text, match)):
            yield date
            end = date.end


def _of_number(text: str, match: re.Match[str]) -> Date | None:
    """The date that a match of `_AT_NUMBER` stands for; null where a part is impossible."""
    part = match.groupdict()
    span = match.span()
    if only := part["only"]:
        return Date(*span, year=int(only), bare=True)
    if part["iso_year"]:
        return _date(*span, part["iso_year"], int(part["iso_month"]), part["iso_day"])
    if part["first"]:
        return _of_three(span, int(part["first"]), int(part["second"]), part["third"])
    if part["day"]:
        if part["month"] and _is_verb(text, match.start("month"), part["month"], part["year"]):
            return None
        return _date(*span, part["year"], _month(part["month"], part["thang"]), part["day"])
    if decade := part["decade"]:
        return Date(*span, year=int(decade), until=int(decade) + (99 if decade.endswith("00") else 9))
    if part["from"]:
        return _of_years(span, part["from"], part["to"])
    if part["century"]:
        return _century(span, int(part["century"]), before=bool(part["before"]))
    return Date(*span, year=-int(part["era"]) if part["bc"] else int(part["era"]))


def _date(start: int, end: int, year: str | None, month: int, day: str | None) -> Date | None:
    """A date of these parts, if the calendar has such a month and day."""
    if not 1 <= month <= 12 or (day and not 1 <= int(day) <= 31):
        return None
    return Date(start, end, int(year) if year else None, month, int(day) if day else None)


def _month(name: str | None, number: str | None) -> int:
    return _MONTH_OF[name[:3]] if name else int(number or 0)


def _of_three(span: tuple[int, int], first: int, second: int, third: str) -> Date | None:
    """03/05/2023: day first or month first; both where both are possible."""
    year = int(third) if len(third) == 4 else int(third) + (2000 if int(third) < 50 else 1900)
    if first > 12:
        return _date(*span, str(year), second, str(first))
    date = _date(*span, str(year), first, str(second))
    return replace(date, swapped=True) if date and second <= 12 else date


def _of_years(span: tuple[int, int], first: str, last: str) -> Date | None:
    """1939-1945, 1939-45; but 2023-02 is a month."""
    year, until = int(first), int(last)
    if len(last) == 4:
        return Date(*span, year=year, until=until) if until >= year else None
    if until > year % 100:
        return Date(*span, year=year, until=year - year % 100 + until)
    return _date(*span, first, until, None)


def _century(span: tuple[int, int], number: int, *, before: bool) -> Date:
    if before:
        return Date(*span, year=-100 * number, until=-100 * (number - 1))
    return Date(*span, year=100 * (number - 1), until=100 * number)


def _named(text: str, level: str) -> Iterator[Date]:
    """Dates that begin with the name of a month, or with a Vietnamese word for month or century."""
    for name in _NAME.finditer(level):
        start = name.start()
        if start and level[start - 1].isalnum():
            continue
        if not (match := _AT_MONTH.match(level, start)):
            continue
        part, span = match.groupdict(), match.span()
        if part["century"]:
            yield _century(span, int(part["century"]), before=False)
        elif part["thang"]:
            if date := _date(*span, part["nam"], int(part["thang"]), None):
                yield date
        elif part["alone"]:
            if _stands_alone(text, level, *span):
                yield Date(*span, month=_month(part["alone"], None))
        elif not _is_verb(text, start, name.group(), part["year"] or part["y"]) and (
            date := _date(*span, part["year"] or part["y"], _month(part["month"] or part["m"], None), part["day"])
        ):
            yield date


def _is_verb(text: str, start: int, name: str, year: str | None) -> bool:
    """Whether "may" or "march" is the verb rather than the month."""
    return year is None and name in _VERBS and text[start].islower()


def _stands_alone(text: str, level: str, start: int, end: int) -> bool:
    """Whether a month's name without day and year is meant as a month: a capital, a full name or a dot, no verb."""
    name = level[start:end]
    if not level[:start].strip() and not level[end:].strip():
        return True
    if text[start].islower() or (name not in _MONTHS and not name.endswith(".")):
        return False
    return name not in _VERBS or level[:start].endswith(
        ("in ", "of ", "during ", "since ", "until ", "early ", "late ")
    )


def _in_words(level: str) -> Iterator[Date]:
    """A text that is a year in words, and centuries counted in words."""
    place = level.find(" century")
    while place > 0:
        begin = max(0, place - 24)
        for number in number_words.find(level[begin:place])[-1:]:
            if number.ordinal and begin + number.end == place:
                yield _century((begin + number.start, place + 8), int(number.value), before=False)
        place = level.find(" century", place + 1)
    if len(level) < 60 and not any(letter.isdigit() for letter in level):
        for number in number_words.find(level)[:1]:
            if number.end - number.start == len(level.strip()) and 1000 <= number.value < 3000:
                yield Date(number.start, number.end, year=int(number.value), bare=True)


class _Match(IntEnum):
    """How a date of the response relates to a golden one. The higher, the better."""

    UNRELATED = 0
    """They share no part: a year beside a day and month."""
    OTHER = 1
    COARSER = 2
    """Nothing differs, but a golden part is missing: 2023 for 3 May 2023."""
    SAME = 3
    """Every golden part is there."""


_ASKS_DATE = re.compile(
    r"^\W*when\b|\b(?:since|until|till|and|exactly) when\b|\bwhen\W*$"
    r"|\b(?:what|which)(?: [a-z]+)? (?:year|date|day|month|decade|century)(?:s|'s)?\b(?! end)"
    r"|\b(?:name|give|state)(?: me)? (?:the|a|any|one) (?:year|date|month|decade|century)\b"
    r"|\b(?:khi nào|năm nào|năm mấy|ngày nào|tháng nào|bao giờ|lúc nào|thời gian nào|thế kỷ nào)\b"
)


def asks_date(question: str) -> bool:
    """Whether a question asks when."""
    return bool(_ASKS_DATE.search(levelled(question)))


_ASKS_AMOUNT = re.compile(
    r"\bhow (?:many|much|old|long|far|tall|high|deep|wide|big|large|fast|often|heavy)\b"
    r"|\b(?:what|which) (?:is the )?(?:total|number|amount|percentage|percent|quantity)\b|\bbao nhiêu\b|\bmấy\b"
)
_FILLER = frozenset(
    [
        "a",
        "an",
        "and",
        "at",
        "by",
        "ca",
        "circa",
        "around",
        "about",
        "early",
        "late",
        "mid",
        "in",
        "on",
        "of",
        "the",
        "since",
        "from",
        "to",
        "until",
        "till",
        "was",
        "is",
        "it",
        "its",
        "c",
        "year",
        "years",
        "month",
        "decade",
        "century",
        "day",
        "date",
        "time",
        "ad",
        "bc",
        "ce",
        "bce",
        "vào",
        "ngày",
        "tháng",
        "năm",
        "thế",
        "kỷ",
        "là",
        "trong",
        "từ",
        "đến",
    ]
)
_WORD = re.compile(r"[^\W\d_]+")


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """Return whether the response gives the golden date.

    Silent where the golden text is not about a date, or where its dates stand in the question already. Dates of the
    question are no evidence in the response either.
    """
    asked = find(question)
    wanted = _wanted(golden, question, asked)
    if not wanted:
        return Evidence(KIND, Stance.SILENT)
    said = [date for date in find(response) if not _repeats(date, asked)]
    verdicts = [_verdict(golden, date, response, said) for date in wanted]
    return min(verdicts, key=lambda evidence: _ORDER.index(evidence.stance))


_ORDER = (Stance.CONTRADICTS, Stance.ABSENT, Stance.AGREES)


def _wanted(golden: str, question: str, asked: tuple[Date, ...]) -> list[Date]:
    """The golden dates that the question is after."""
    dates = [date for date in find(golden) if not _repeats(date, asked)]
    if not dates:
        return []
    level = levelled(question)
    asks_date = bool(_ASKS_DATE.search(level))
    if all(date.bare for date in dates) and not asks_date and _ASKS_AMOUNT.search(level):
        return []
    if _is_only(golden, dates):
        return dates
    return dates[:1] if asks_date else []


def _is_only(golden: str, dates: list[Date]) -> bool:
    """Whether a text is its dates and nothing else that counts."""
    rest, end = [], 0
    for date in dates:
        rest.append(golden[end : date.start])
        end = date.end
    rest.append(golden[end:])
    return all(word in _FILLER for word in _WORD.findall(levelled(" ".join(rest)))) and not _NUMBER.search(
        " ".join(rest)
    )


def _repeats(date: Date, asked: tuple[Date, ...]) -> bool:
    return any(date.parts == other.parts for other in asked)


def _verdict(golden: str, wanted: Date, response: str, said: list[Date]) -> Evidence:
    """What the response says of one golden date."""
    matches = [(_match(wanted, date), date) for date in said]
    matches = [pair for pair in matches if pair[0] is not _Match.UNRELATED]
    words = wanted.words(golden)
    if not matches:
        return Evidence(KIND, Stance.ABSENT, words, None, f"gives no date where the golden one is {words.text}")
    best, date = max(matches, key=lambda pair: pair[0])
    said_words = date.words(response)
    if best is _Match.SAME:
        return Evidence(KIND, Stance.AGREES, words, said_words, f"{said_words.text} is the golden {words.text}")
    if best is _Match.COARSER:
        note = f"{said_words.text} is less exact than the golden {words.text}"
        return Evidence(KIND, Stance.AGREES, words, said_words, note, 0.5)
    note = f"Gives {said_words.text} where the golden date is {words.text}"
    return Evidence(KIND, Stance.CONTRADICTS, words, said_words, note)


def _match(golden: Date, said: Date) -> _Match:
    """How a date of the response relates to a golden one, the other reading of 03/05/2023 included."""
    if said.swapped:
        other = replace(said, month=said.day, day=said.month, swapped=False)
        return max(_match(golden, replace(said, swapped=False)), _match(golden, other))
    if golden.swapped:
        other = replace(golden, month=golden.day, day=golden.month, swapped=False)
        return max(_match(replace(golden, swapped=False), said), _match(other, said))
    pairs = ((golden.month, said.month), (golden.day, said.day))
    years = _match_years(golden, said)
    if any(one and other and one != other for one, other in pairs):
        return _Match.OTHER
    shared = years is not _Match.UNRELATED or any(one and other for one, other in pairs)
    if not shared:
        return _Match.UNRELATED
    missing = (golden.year and not said.year) or any(one and not other for one, other in pairs)
    return min(years or _Match.SAME, _Match.COARSER if missing else _Match.SAME)


def _match_years(golden: Date, said: Date) -> _Match:
    if golden.year is None or said.year is None:
        return _Match.UNRELATED
    last, said_last = golden.until or golden.year, said.until or said.year
    if golden.year <= said.year and said_last <= last:
        return _Match.SAME
    return _Match.COARSER if said.year <= golden.year and last <= said_last else _Match.OTHER
