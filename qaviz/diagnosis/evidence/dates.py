"""Dates: which day, month, year or span of years a text gives, English or Vietnamese, and whether a response gives the
golden date. A date holds what is written and no more: "February 2023" has no day.
"""

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import Evidence, Span, Stance, number_words
from qaviz.diagnosis.evidence.clauses import holds_any, level_text
from qaviz.diagnosis.evidence.lexicon import word_set

READ = 20_000
"""Characters of a text that are read: of a longer one, as many from its beginning as from its end."""
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH_OF = {name[:3]: place for place, name in enumerate(_MONTHS, start=1)}
_MONTH = "(?:" + "|".join((*_MONTHS, "sept", *_MONTH_OF)) + r")\b\.?"
_YEAR = r"[12]\d{3}(?!\d)"
_AMOUNT = r"[ ]?(?:%|percent|thousand|million|billion|trillion|nghìn|triệu|tỷ|dollar|euro)"
"""What makes an amount of the four digits before it."""
_NUMBER = re.compile(r"\d+")
_DATED = re.compile(r"\d(?:(?<=[12])\d{3}|[/.-]\d\d?[/.-]\d|0'?s\b|[ ]?(?:b\.?c|a\.?d|c\.?e))")
"""A year, three numbers, or an era: what a date has that has no name."""
_NAMES = (*_MONTH_OF, "tháng", "kỷ", "century", "ad ", "a.d. ", "ties")
_BEFORE = re.compile(r"(?:^|[^\w.,$€£¥₹%]|(?<!\d)[.,]|\bfy|(?<![a-z])')$")
_FROM_NUMBER = re.compile(
    rf"""
      (?P<iso> (?P<iso_year>{_YEAR})(?P<mark>[-/.])(?P<iso_month>\d{{1,2}})(?P=mark)(?P<iso_day>\d{{1,2}})(?!\d) )
    | (?P<three> (?P<first>\d{{1,2}})(?P<sep>[/.-])(?P<second>\d{{1,2}})(?P=sep)(?P<third>\d{{4}}|(?<=/)\d\d)(?![\d/]) )
    | (?P<of_month> (?P<numbered>0?[1-9]|1[0-2])/(?P<its_year>{_YEAR})(?![\d/]) )
    | (?P<full> (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:[ ]of)?[ -]?
                (?:(?P<month>{_MONTH})|tháng[ ](?P<thang>\d{{1,2}})(?!\d))
                (?:,?[ -]?(?:of[ ]|năm[ ])?(?P<year>{_YEAR}))? )
    | (?P<decade> (?P<tens>[12]\d\d0)'?s(?!\w) )
    | (?P<short_decade> (?P<tens_only>[2-9]0)'?s(?!\w) )
    | (?P<years> (?P<from>{_YEAR})
                 (?:(?:[ ]?--?[ ]?|[ ](?:to|until|till|through)[ ]|(?<=between[ ]\d{{4}})[ ]and[ ])(?P<to>{_YEAR})
                   |-(?P<short>\d\d)(?![-%]))(?!\w)(?![.,]\d) )
    | (?P<century> (?P<hundred>\d{{1,2}})(?:st|nd|rd|th)[ -]century(?P<before>[ ]b\.?c)? )
    | (?P<era> (?P<counted>\d{{1,4}})[ ]?(?:(?P<bc>b\.?c\.?e?)|a\.?d|c\.?e)\b )
    | (?P<only> {_YEAR}(?!\w)(?![.,]\d)(?!{_AMOUNT}) )
    """,
    re.VERBOSE,
)
_STARTS = (*_MONTH_OF, "tháng", "thế kỷ", "ad ", "a.d. ")
_FROM_NAME = re.compile(
    rf"""
      (?P<full> (?P<month>{_MONTH})[ ](?:the[ ])?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:%])(?![.,]\d)
                (?:(?:,|[ ]of)?[ ](?P<year>{_YEAR}))? )
    | (?P<part> (?P<in_month>{_MONTH})(?:,|[ ]of)?[ -](?P<in_year>{_YEAR}) )
    | (?P<alone> {_MONTH} )
    | (?P<thang> tháng[ ](?P<month_number>\d{{1,2}})(?!\d)(?:,|[ ]?/|[ ]năm)?[ ]?(?P<nam>{_YEAR}) )
    | (?P<theky> thế[ ]kỷ[ ](?:thứ[ ])?(?P<century>\d{{1,2}})(?!\d) )
    | (?P<ad> a\.?d\.?[ ](?P<counted>\d{{1,4}})(?!\w) )
    """,
    re.VERBOSE,
)
_VERBS = ("may", "march", "mar")
_BEFORE_MONTH = ("in ", "of ", "during ", "since ", "until ", "early ", "late ")
_LONGEST_YEAR = 60
"""Characters of a text that may be a year in words."""
_CENTURY = " century"
_DECADES = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_DECADE = re.compile(rf"\b(?:the |nineteen[ -])(?P<name>{'|'.join(_DECADES)})\b")


class Date(NamedTuple):
    """A date as written: offsets into the text, and the parts it gives. A part that is not written is None."""

    start: int
    end: int
    year: int | None = None
    """Before Christ where negative."""
    month: int | None = None
    day: int | None = None
    until: int | None = None
    """Last year of a span: 1939 for the 1930s and for 1930-1939."""
    named_span: bool = False
    """The span has a name: a decade or a century."""
    swapped: bool = False
    """Day and month may be the other way round: 03/05/2023."""
    bare: bool = False
    """Only a number from 1000 to 2999: a year unless its neighbours say otherwise."""

    @property
    def parts(self) -> tuple[int | None, ...]:
        """Everything but where it stands."""
        return self.year, self.until, self.month, self.day

    def words(self, text: str) -> Span:
        """The date as it stands in `text`."""
        return Span(self.start, self.end, text[self.start : self.end])


@lru_cache(maxsize=1024)
def find(text: str) -> tuple[Date, ...]:
    """Return the dates of a text, in order. None is invented: "Q2 2023" is the year 2023, "98109-5210" is no date."""
    if len(text) > READ:
        gap = len(text) - READ // 2
        last = [date._replace(start=date.start + gap, end=date.end + gap) for date in find(text[gap:])]
        return (*find(text[: READ // 2]), *last)
    level = level_text(text)
    if not _may_hold_date(level):
        return ()
    dates_found = [*_numeric(text, level), *_find_named_dates(text, level), *_in_words(level)]
    dates_found.sort(key=lambda date: (date.start, -date.end))
    return tuple(_without_overlap(dates_found))


def _may_hold_date(level: str) -> bool:
    """Whether a text may hold a date: cheap to tell of most texts, before any pattern is looked for."""
    if _DATED.search(level) or holds_any(level, _NAMES):
        return True
    return len(level) < _LONGEST_YEAR and not _NUMBER.search(level)


def _without_overlap(dates: Iterable[Date]) -> Iterator[Date]:
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
        if start < end or number.end() - start > 4:
            continue
        # What stands before a number may let no date begin there: 1,997 or $1997.
        if level[start - 1 : start] not in ("", " ") and not _BEFORE.search(level, max(0, start - 2), start):
            continue
        match = _FROM_NUMBER.match(level, start)
        if match and (date := _of_number(match, text)):
            yield date
            end = date.end


def _of_number(match: re.Match[str], text: str) -> Date | None:
    """The date that a match of `_FROM_NUMBER` stands for; None where a part is impossible."""
    span = match.span()
    match match.lastgroup:
        case "only":
            return Date(*span, year=int(match["only"]), bare=True)
        case "full":
            return _full(match, text)
        case "years":
            return _years(match)
        case "iso":
            return _date(span, int(match["iso_year"]), int(match["iso_month"]), int(match["iso_day"]))
        case "three":
            return _three(match)
        case "of_month":
            return Date(*span, year=int(match["its_year"]), month=int(match["numbered"]))
        case "century":
            return _hundred_years(span, int(match["hundred"]), before=bool(match["before"]))
        case "era":
            return Date(*span, year=-int(match["counted"]) if match["bc"] else int(match["counted"]))
    return _decade(match)


def _three(match: re.Match[str]) -> Date | None:
    """03/05/2023: day first or month first; both where both are possible."""
    first, second, year = int(match["first"]), int(match["second"]), int(match["third"])
    if len(match["third"]) == 2:
        year += 2000 if year < 50 else 1900
    if first > 12:
        return _date(match.span(), year, second, first)
    date = _date(match.span(), year, first, second)
    return date._replace(swapped=True) if date and second <= 12 else date


def _full(match: re.Match[str], text: str) -> Date | None:
    """3 May 2023, 3 May."""
    name, year = match["month"], match["year"]
    if name and not year and _is_verb(text, match.start("month"), name):
        return None
    month = _month(name) if name else int(match["thang"])
    return _date(match.span(), int(year) if year else None, month, int(match["day"]))


def _decade(match: re.Match[str]) -> Date | None:
    """The 1960s, the '60s or the 60s, and not somebody in his 60s."""
    if tens := match["tens"]:
        year = int(tens)
        return Date(*match.span(), year=year, until=year + (99 if year % 100 == 0 else 9), named_span=True)
    start = match.start()
    if match.string[start - 1 : start] == "'" or match.string.endswith("the ", 0, start):
        return _of_last_century(match.span(), int(match["tens_only"]))
    return None


def _of_last_century(span: tuple[int, int], tens: int) -> Date:
    return Date(*span, year=1900 + tens, until=1909 + tens, named_span=True)


def _years(match: re.Match[str]) -> Date | None:
    """1939-1945, 1939-45; but 2023-02 is a month."""
    year = int(match["from"])
    until = int(match["to"] or year - year % 100 + int(match["short"]))
    if until > year:
        return Date(*match.span(), year=year, until=until)
    return _date(match.span(), year, int(match["short"]), None) if match["short"] else None


def _date(span: tuple[int, int], year: int | None, month: int, day: int | None) -> Date | None:
    """A date of these parts, if the calendar has such a month and day."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return Date(*span, year, month, day)


def _month(name: str) -> int:
    return _MONTH_OF[name[:3]]


def _hundred_years(span: tuple[int, int], number: int, *, before: bool) -> Date:
    first = -100 * number if before else 100 * (number - 1)
    return Date(*span, year=first, until=first + 100, named_span=True)


def _find_named_dates(text: str, level: str) -> Iterator[Date]:
    """Dates that begin with a word: a month's name, tháng, thế kỷ, AD."""
    for start in sorted(place for name in _STARTS if name in level for place in _beginnings(level, name)):
        match = _FROM_NAME.match(level, start)
        if match and (date := _of_name(match, text, level)):
            yield date


def _beginnings(level: str, name: str) -> Iterator[int]:
    """Where a word of the text begins with `name`."""
    start = level.find(name)
    while start >= 0:
        if not level[start - 1 : start].isalnum():
            yield start
        start = level.find(name, start + 1)


def _of_name(match: re.Match[str], text: str, level: str) -> Date | None:
    """The date that a match of `_FROM_NAME` stands for; None where a part is impossible, or the month a verb."""
    span = match.span()
    match match.lastgroup:
        case "full" if match["year"] or not _is_verb(text, match.start(), match["month"]):
            year = int(match["year"]) if match["year"] else None
            return _date(span, year, _month(match["month"]), int(match["day"]))
        case "part":
            return _date(span, int(match["in_year"]), _month(match["in_month"]), None)
        case "alone" if _stands_alone(text, level, *span):
            return Date(*span, month=_month(match["alone"]))
        case "thang":
            return _date(span, int(match["nam"]), int(match["month_number"]), None)
        case "theky":
            return _hundred_years(span, int(match["century"]), before=False)
        case "ad":
            return Date(*span, year=int(match["counted"]))
    return None


def _is_verb(text: str, start: int, name: str) -> bool:
    """Whether "may" or "march" without a year is the verb rather than the month."""
    return name in _VERBS and text[start].islower()


def _stands_alone(text: str, level: str, start: int, end: int) -> bool:
    """Whether a month's name without day and year is meant as a month: a capital, a full name or a dot, no verb."""
    name = level[start:end]
    if end - start == len(level.strip()):
        return True
    if text[start].islower() or (name not in _MONTHS and not name.endswith(".")):
        return False
    return name not in _VERBS or level.endswith(_BEFORE_MONTH, 0, start)


def _in_words(level: str) -> Iterator[Date]:
    """Decades, centuries counted in words, and the text that is nothing but a year in words."""
    for match in _DECADE.finditer(level) if "ties" in level else ():
        yield _of_last_century(match.span(), 20 + 10 * _DECADES.index(match["name"]))
    place = level.find(_CENTURY)
    while place > 0:
        begin = max(0, place - 24)
        for number in number_words.find(level[begin:place])[-1:]:
            if number.ordinal and begin + number.end == place:
                span = begin + number.start, place + len(_CENTURY)
                yield _hundred_years(span, int(number.value), before=level.startswith(" bc", span[1]))
        place = level.find(_CENTURY, place + 1)
    if len(level) < _LONGEST_YEAR and not _NUMBER.search(level):
        for number in number_words.find(level)[:1]:
            if number.end - number.start == len(level.strip()) and 1000 <= number.value < 3000:
                yield Date(number.start, number.end, year=int(number.value), bare=True)


KIND = "date"

MOST = 20
"""Dates of a golden text that are looked at."""
LONGEST = 4_000
"""Characters of a question that are read."""
INEXACT = 0.5
"""Strength of a date that differs in nothing and leaves a part out: 1997 for 3 May 1997."""

_ASKS_DATE = re.compile(
    r"^\W*when\b|\b(?:since|until|till|and|exactly) when\b|\bwhen\W*$"
    r"|\b(?:what|which)(?: [a-z]+)? (?:year|date|day|month|decade|century)(?:s|'s)?\b(?! end)"
    r"|\b(?:name|give|state)(?: me)? (?:the|a|any|one) (?:year|date|month|decade|century)\b"
    r"|\b(?:khi nào|năm nào|năm mấy|ngày nào|tháng nào|bao giờ|lúc nào|thời gian nào|thế kỷ nào)\b"
)
_DATING = (
    *("when", "year", "date", "day", "month", "decade", "century"),
    *("khi", "năm", "ngày", "tháng", "bao giờ", "lúc nào", "thời gian", "thế kỷ"),
)
"""A question without any of these asks for no date: cheap to look for, before the pattern is."""
_ASKS_ENDS = re.compile(
    r"^(?!.*\b(?:a|any|one) year\b).*\b(?:start|beg[aiu]n|end|last|finish|from when|how long|reign|serve|rule"
    r"|time ?frame|time ?span|period|tenure|which years|what years|between)",
    re.DOTALL,
)
"""A question that a year amid a span does not answer: when it began, and when it ended."""
_COUNTED = 24
"""Characters of a response that may be the number of a century."""
_ASKS_AMOUNT = re.compile(
    r"\bhow (?:many|much|old|long|far|tall|high|deep|wide|big|large|fast|often|heavy)\b"
    r"|\b(?:what|which) (?:is the )?(?:total|number|amount|percentage|percent|quantity)\b|\bbao nhiêu\b|\bmấy\b"
)
_WEEKDAY = re.compile(
    r"\b(?:first|second|third|fourth|last|final) (?:sun|mon|tues|wednes|thurs|fri|satur)day (?:in|of)\b"
)
"""A golden text that a month alone does not say: words tell more."""
_FILLER = word_set(
    "a an and at by ca circa around about early late mid in on of the since from to until till was is it its c year "
    "years month decade century day date time ad bc ce bce utc gmt between monday tuesday wednesday thursday friday "
    "saturday sunday vào ngày tháng năm thế kỷ là trong từ đến"
)
_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1024)
def asks_date(question: str) -> bool:
    """Return whether a question asks when."""
    level = level_text(question[:LONGEST])
    return holds_any(level, _DATING) and bool(_ASKS_DATE.search(level))


@lru_cache(maxsize=1024)
def _asks_amount(question: str) -> bool:
    return bool(_ASKS_AMOUNT.search(level_text(question[:LONGEST])))


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """Return whether the response gives the golden date: all of them for a fact, the first for a long answer.

    Silent where the golden text is not about a date, or where its dates stand in the question already. Dates of the
    question are no evidence in the response either.
    """
    wanted, in_question = _sought(golden, question)
    if not wanted:
        return Evidence(KIND, Stance.SILENT)
    if not _ASKS_ENDS.search(level_text(question[:LONGEST])):
        wanted = [date._replace(named_span=True) for date in wanted]
    stated = [date for date in find(response) or _century(response, question) if date.parts not in in_question]
    order = (Stance.CONTRADICTS, Stance.ABSENT, Stance.AGREES)
    verdicts = [_verdict(golden, date, response, stated) for date in wanted]
    worst = min(verdicts, key=lambda evidence: (order.index(evidence.stance), evidence.strength))
    by_words = worst.stance is Stance.AGREES and _WEEKDAY.search(level_text(golden))
    return Evidence(KIND, Stance.SILENT) if by_words else worst


def speaks(golden: str, question: str) -> bool:
    """Whether a golden text is about a date that does not stand in its question."""
    return bool(_sought(golden, question)[0])


@lru_cache(maxsize=16_384)
def _sought(golden: str, question: str) -> tuple[list[Date], set[tuple[int | None, ...]]]:
    """The golden dates that the question is after, and the parts of the question's own."""
    dates = find(golden)[:MOST]
    if not dates:
        return [], set()
    in_question = {date.parts for date in find(question[:LONGEST])}
    return _find_wanted_dates(golden, [date for date in dates if date.parts not in in_question], question), in_question


def _century(response: str, question: str) -> list[Date]:
    """The century of a response that leaves the word out, where the question has it: `12th`."""
    counted = response.strip(" \n.")
    if "century" not in level_text(question[:LONGEST]) or len(counted) > _COUNTED:
        return []
    return [date._replace(end=min(date.end, len(response))) for date in find(f"{counted} century")]


def _find_wanted_dates(golden: str, dates: list[Date], question: str) -> list[Date]:
    """The golden dates that the question is after."""
    asks = asks_date(question)
    if not asks and all(date.bare for date in dates) and _asks_amount(question):
        return []
    if _nothing_beside(golden, dates):
        return dates
    return dates[:1] if asks else []


def _nothing_beside(golden: str, dates: list[Date]) -> bool:
    """Whether a text is its dates and nothing else that counts."""
    level, end = level_text(golden), 0
    words: list[str] = []
    for date in dates:
        words += _WORD.findall(level, end, date.start)
        end = date.end
    words += _WORD.findall(level, end)
    return _FILLER.issuperset(words)


class _Match(IntEnum):
    """How a date of the response relates to a golden one. The higher, the better."""

    UNRELATED = 0
    """They share no part: a year beside a day and month."""
    OTHER = 1
    COARSER = 2
    """Nothing differs, but a golden part is missing."""
    SAME = 3
    """Every golden part is there."""


def _verdict(golden: str, wanted: Date, response: str, stated: list[Date]) -> Evidence:
    """What the response says of one golden date."""
    words = wanted.words(golden)
    best, match = None, _Match.UNRELATED
    for date in stated:
        if (how := _match(wanted, date)) > match:
            best, match = date, how
    if best is None:
        return Evidence(KIND, Stance.ABSENT, words, None, f"Gives no date where the golden one is {words.text}")
    return _evidence(match, words, best.words(response))


def _evidence(match: _Match, golden: Span, stated: Span) -> Evidence:
    if match is _Match.SAME:
        note = f"states the golden {golden.text}" if stated.text == golden.text else f"{stated.text} is {golden.text}"
        return Evidence(KIND, Stance.AGREES, golden, stated, note)
    if match is _Match.COARSER:
        note = f"{stated.text} is less exact than the golden {golden.text}"
        return Evidence(KIND, Stance.AGREES, golden, stated, note, INEXACT)
    return Evidence(
        KIND, Stance.CONTRADICTS, golden, stated, f"Gives {stated.text} where the golden date is {golden.text}"
    )


def _match(golden: Date, stated: Date) -> _Match:
    """How a date of the response relates to a golden one, under the best reading of 03/05/2023."""
    return max(_match_parts(one, other) for one in _readings(golden) for other in _readings(stated))


def _readings(date: Date) -> tuple[Date, ...]:
    return (date, date._replace(month=date.day, day=date.month)) if date.swapped else (date,)


def _match_parts(golden: Date, stated: Date) -> _Match:
    matches = [
        _match_years(golden, stated),
        _match_part(golden.month, stated.month),
        _match_part(golden.day, stated.day),
    ]
    given = [match for match in matches if match is not _Match.UNRELATED]
    shares_none = max(given, default=_Match.UNRELATED) is _Match.COARSER
    if not given or (shares_none and (matches[0] is _Match.UNRELATED or stated.year is None)):
        return _Match.UNRELATED
    return min(given)


def _match_part(golden: int | None, stated: int | None) -> _Match:
    """How two months or two days relate; UNRELATED where the golden date does not say."""
    if golden is None:
        return _Match.UNRELATED
    if stated is None:
        return _Match.COARSER
    return _Match.SAME if golden == stated else _Match.OTHER


def _match_years(golden: Date, stated: Date) -> _Match:
    if golden.year is None:
        return _Match.UNRELATED
    if stated.year is None:
        return _Match.COARSER
    if golden.until and not golden.named_span:
        return _match_ends(golden.year, golden.until, stated.year, stated)
    last, said_last = golden.until or golden.year, stated.until or stated.year
    if golden.year <= stated.year and said_last <= last:
        return _Match.SAME
    return _Match.COARSER if stated.named_span and stated.year <= golden.year and last <= said_last else _Match.OTHER


def _match_ends(first: int, last: int, year: int, stated: Date) -> _Match:
    """How a date relates to a golden span from one year to another: a year amid the two is none of its ends."""
    if stated.until is None:
        return _Match.COARSER if year in (first, last) else _Match.OTHER
    if (year, stated.until) == (first, last):
        return _Match.SAME
    return _Match.COARSER if stated.named_span and year <= first and last <= stated.until else _Match.OTHER
