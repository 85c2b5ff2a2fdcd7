"""Dates and times of the day: which day, month, quarter or span a text gives. What is not written is not invented."""

import re
from decimal import Decimal
from functools import cache

from qaviz.reading.tables import Table
from qaviz.reading.token import Date, Granularity, Kind, Token

_YEAR = r"[12]\d{3}(?!\d)"
_TO = "to|until|till|through|bis|à|al?|tot|til|đến"
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_REACH = 24
"""Characters before a date in which stands what bounds it."""
_NUMERIC = re.compile(
    rf"""
      (?P<iso> (?P<iso_year>{_YEAR})(?P<mark>[-/.])(?P<iso_month>\d{{1,2}})(?P=mark)(?P<iso_day>\d{{1,2}})(?!\d) )
    | (?P<three> (?P<first>\d{{1,2}})(?P<sep>[/.-])(?P<second>\d{{1,2}})(?P=sep)
                 (?P<third>\d{{4}}|(?<=[/.])\d\d)(?![\d/]) )
    | (?P<of_month> (?P<numbered>0?[1-9]|1[0-2])[/.](?P<its_year>{_YEAR})(?![\d/%]) )
    | (?P<short_quarter> (?P<which>[1-4])(?P<part>[qh])[ '-]?(?P<its>\d{{4}}|\d\d)?(?!\w) )
    | (?P<decade> (?P<tens>[12]\d\d0)'?s(?!\w) )
    | (?P<short_decade> (?P<tens_only>[2-9]0)'?s(?!\w) )
    | (?P<years> (?P<from>{_YEAR})
                 (?:(?:[ ]?--?[ ]?|[ ](?:{_TO})[ ])(?P<to>{_YEAR})|[-/](?P<short>\d\d)(?![-%\d]))(?!\w)(?![.,]\d) )
    | (?P<only> {_YEAR}(?![^\W_])(?![.,]\d)(?!-[^\W\d_]) )
    """,
    re.VERBOSE,
)


@cache
def _named(table: Table) -> re.Pattern[str]:
    """Dates with a month's name, days first, months first or years first, as a language writes them."""
    months = "|".join(sorted(map(re.escape, table.months), key=len, reverse=True))
    if not table.spaced:
        number, day = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})", "[日号號]"
        return re.compile(
            rf"(?P<year>\d{{2,4}}|[〇零一二三四五六七八九]{{4}})年 ?(?P<month>{number})月(?: ?(?P<day>{number}){day})?"
            rf"|(?P<its_month>{number})月(?: ?(?P<its_day>{number}){day})?(?!間)"
            r"|(?P<only_year>[12]\d{3}|[一二][〇零一二三四五六七八九]{3})年(?![間半代])"
        )
    of = "|".join(map(re.escape, table.of)) or "of"
    marks = "|".join(map(re.escape, table.ordinal_marks)) or "th"
    spelled = "|".join(sorted((word for word, day in table.ordinals.items() if day <= 31), key=len, reverse=True))
    day = rf"(?:\d{{1,2}}(?!\d)(?:\.|{marks})?" + (rf"|(?:{spelled})" if spelled else "") + ")"
    joint = rf"(?:[ -]|,[ ]?|[ ](?:{of})[ ]|[ ]d')"
    month = rf"(?:{months})\b\.?"
    return re.compile(
        rf"(?P<day>{day}){joint}?[ ]?(?P<month>{month})(?:{joint}?[ ]?(?P<year>{_YEAR}))?"
        rf"|(?P<month_first>{month})[ ](?:the[ ])?(?P<its_day>{day})(?![\w:%])(?![.,]\d)"
        rf"(?:(?:{joint})[ ]?(?P<its_year>{_YEAR}))?"
        rf"|(?P<of_year>(?P<in_month>{month})(?:{joint}|/)[ ]?(?:{of}[ ])?(?P<in_year>{_YEAR}))"
        rf"|(?P<alone>{month})"
    )


def read_date(text: str, level: str, start: int, table: Table) -> Token | None:
    """The date that begins at `start`, with what bounds it; None where none does."""
    dated = _numeric(level, start, table) if level[start].isdigit() else None
    dated = (
        (dated if dated and dated[0].granularity is not Granularity.YEAR else None)
        or _with_name(text, level, start, table)
        or _part_of_year(level, start, table)
        or _long_span(level, start, table)
        or dated
    )
    if not dated:
        return None
    date, end = dated
    bare = date.granularity is Granularity.YEAR and level[start].isdigit() and end - start == 4
    return Token(Kind.DATE, start, end, date, bound=_bound(level, start, table), weak=bare)


def make_year(level: str, start: int, table: Table) -> Token:
    """The token of a bare year that begins at `start`."""
    year = Date(Granularity.YEAR, int(level[start : start + 4]))
    return Token(Kind.DATE, start, start + 4, year, bound=_bound(level, start, table), weak=True)


def _bound(level: str, start: int, table: Table) -> str:
    head = level[max(0, start - _REACH) : start].rstrip(" (")
    for article in table.articles:
        if head.endswith(" " + article):
            head = head[: -len(article) - 1].rstrip()
    phrase = table.date_bounds.before(head)
    return phrase[1] if phrase else ""


def _numeric(level: str, start: int, table: Table) -> tuple[Date, int] | None:
    """A date in digits."""
    match = _NUMERIC.match(level, start)
    if not match:
        return None
    end = match.end()
    date: Date | None = None
    match match.lastgroup:
        case "iso":
            date = _day(int(match["iso_year"]), int(match["iso_month"]), int(match["iso_day"]))
        case "three":
            date = _three(match, table)
        case "of_month":
            date = Date(Granularity.MONTH, int(match["its_year"]), int(match["numbered"]))
        case "short_quarter" if match["part"] == "q" or table.code == "en":
            kind = Granularity.QUARTER if match["part"] == "q" else Granularity.HALF
            date = Date(kind, _full_year(match["its"]), quarter=int(match["which"]))
        case "decade":
            year = int(match["tens"])
            kind = Granularity.CENTURY if year % 100 == 0 else Granularity.DECADE
            date = Date(kind, year, until=year + (99 if year % 100 == 0 else 9))
        case "short_decade" if level[start - 1 : start] == "'" or level.endswith("the ", 0, start):
            year = 1900 + int(match["tens_only"])
            date = Date(Granularity.DECADE, year, until=year + 9)
        case "years":
            date = _years(match)
        case "only":
            date = Date(Granularity.YEAR, int(match["only"]))
    return (date, end) if date else None


def _full_year(written: str | None) -> int | None:
    if not written:
        return None
    year = int(written)
    return year if year > 99 else year + (2000 if year < 70 else 1900)


def _three(match: re.Match[str], table: Table) -> Date | None:
    """03/05/2023: day first or month first; either where both are possible and the language does not tell."""
    first, second, year = int(match["first"]), int(match["second"]), _full_year(match["third"])
    if first > 12 or (match["sep"] == "." and second <= 12) or table.code != "en":
        return _day(year, second, first)
    date = _day(year, first, second)
    return date._replace(swapped=True) if date and second <= 12 and first != second else date


def _years(match: re.Match[str]) -> Date | None:
    """1939-1945, 1939-45; but 2023-02 is a month."""
    year = int(match["from"])
    until = int(match["to"] or year - year % 100 + int(match["short"]))
    if until > year:
        return Date(Granularity.YEARS, year, until=until)
    month = int(match["short"] or 0)
    return Date(Granularity.MONTH, year, month) if 1 <= month <= 12 else None


def _day(year: int | None, month: int, day: int | None) -> Date | None:
    """A date of these parts, if the calendar has such a month and day."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return Date(Granularity.DAY if day else Granularity.MONTH, year, month, day)


def _with_name(text: str, level: str, start: int, table: Table) -> tuple[Date, int] | None:
    """A date with a month's name: 3 May 2023, May 3, May 2023, May."""
    match = _named(table).match(level, start)
    if not match:
        return None
    group, date = match.groupdict(), None
    if not table.spaced:
        month, day = group["month"] or group["its_month"], group["day"] or group["its_day"]
        if group["only_year"]:
            return Date(Granularity.YEAR, _ideographs(group["only_year"])), match.end()
        year = _full_year(str(_ideographs(group["year"]))) if group["year"] else None
        date = _day(year, _ideographs(month), _ideographs(day) if day else None)
        return (date, match.end()) if date else None
    name = group["month"] or group["month_first"] or group["in_month"] or group["alone"]
    month_number = table.months[name.rstrip(".") if name not in table.months else name]
    place = start + match.group().index(name)
    day, year_written = group["day"] or group["its_day"], group["year"] or group["its_year"] or group["in_year"]
    if not year_written and name in table.verbs and text[place].islower():
        return None
    if group["alone"] and not _stands_alone(text, level, match, table):
        return None
    day_number = _day_number(day, table) if day else None
    date = _day(int(year_written) if year_written else None, month_number, day_number)
    end = match.end() - (1 if match.group().endswith(".") and not level[match.end() : match.end() + 1].isalnum() else 0)
    return (date, end) if date else None


def _day_number(written: str, table: Table) -> int:
    digits = re.match(r"\d+", written)
    return int(digits.group()) if digits else table.ordinals[written]


_IDEOGRAPHS = {name: number for number, name in enumerate("零一二三四五六七八九十")} | {"〇": 0}


def _ideographs(written: str) -> int:
    """Digits, or ideographs in their places or with 十."""
    if written.isdigit():
        return int(written)
    if "十" in written:
        tens, _, ones = written.partition("十")
        return _IDEOGRAPHS.get(tens, 1) * 10 + (_IDEOGRAPHS[ones] if ones else 0)
    return int("".join(str(_IDEOGRAPHS[letter]) for letter in written))


_BEFORE_MONTHS = frozenset(("in", "of", "during", "since", "until", "by", "early", "late", "before", "after"))
"""Words before May that make a month of it."""


LISTED = 20
"""Characters before such a name in which another month may stand: February and March."""


def _stands_alone(text: str, level: str, match: re.Match[str], table: Table) -> bool:
    """Whether a month's name without day and year is a month: a capital and a full name, and no verb."""
    start, end = match.span()
    name = level[start:end]
    if (table.months_are_capital and text[start].islower()) or name in table.numbers:
        return False
    before = re.findall(r"\w+", level[max(0, start - LISTED) : start])[-2:]
    listed = before[-1:] in (["and"], ["or"]) and before[0] in table.months
    return name not in table.verbs or listed or not _BEFORE_MONTHS.isdisjoint(before[-1:])


@cache
def _quarters(table: Table) -> re.Pattern[str]:
    """Q3 2020, third quarter of 2020, 3. Quartal, quý III/2020."""
    words = "|".join(sorted(map(re.escape, table.date_words("quarter")), key=len, reverse=True)) or "quarter"
    halves = "|".join(sorted(map(re.escape, table.date_words("half")), key=len, reverse=True)) or "half"
    spelled = "|".join(sorted((word for word, place in table.ordinals.items() if place <= 4), key=len, reverse=True))
    spelled = spelled if table.spaced else "[一二三四]"
    marks = "|".join(map(re.escape, table.ordinal_marks)) or "th"
    of = "|".join(map(re.escape, (*table.of, *table.date_words("year_words")))) or "of"
    number = rf"(?:iv|iii|ii|i|[1-4](?:\.|{marks})?|{spelled or '[1-4]'})"
    blank, ends = ("[ -]?", r"(?![^\W_])") if table.spaced else ("", r"(?!\d)")
    return re.compile(
        rf"(?:(?P<first>{number}){blank}(?:(?P<quarter>{words})|(?P<half>{halves}))"
        rf"|(?:(?P<quarter_first>{words})|(?P<half_first>{halves})){blank}(?P<second>{number})){ends}"
        rf"(?:[ ,/-]{{0,2}}(?:(?:{of})[ ])*'?(?P<year>[12]\d{{3}}|\d\d(?=\W|$))(?!\d))?"
    )


def _part_of_year(level: str, start: int, table: Table) -> tuple[Date, int] | None:
    """A quarter or half of a year."""
    match = _quarters(table).match(level, start)
    if not match:
        return None
    written = (match["first"] or match["second"]).rstrip(".")
    digits = re.match(r"\d", written)
    place = (
        int(digits.group()) if digits else _ROMAN.get(written) or table.ordinals.get(written) or _IDEOGRAPHS[written]
    )
    half = bool(match["half"] or match["half_first"])
    if not place or (half and place > 2):
        return None
    kind = Granularity.HALF if half else Granularity.QUARTER
    return Date(kind, _full_year(match["year"]), quarter=place), match.end()


@cache
def _eras(table: Table) -> re.Pattern[str]:
    """A number before a word for century or an era."""
    marks = "|".join(map(re.escape, table.ordinal_marks)) or "th"
    eras = [word for key in ("century", "before_christ", "after_christ") for word in table.date_words(key)]
    either = "|".join(map(re.escape, sorted(eras, key=len, reverse=True))) or "century"
    number, ends = (r"\d{1,4}", r"(?![^\W_])") if table.spaced else (r"\d{1,4}|[一二三四五六七八九十]{1,3}", "")
    return re.compile(rf"(?P<number>{number})(?:{marks})?[ -]?(?P<era>{either}){ends}")


def _long_span(level: str, start: int, table: Table) -> tuple[Date, int] | None:
    """A century, or a year with its era: 19th century, 44 BC."""
    match = _eras(table).match(level, start)
    if not match:
        return None
    number, era = _ideographs(match["number"]), match["era"]
    if era in table.date_words("century"):
        return Date(Granularity.CENTURY, 100 * (number - 1), until=100 * number - 1), match.end()
    return Date(Granularity.YEAR, -number if era in table.date_words("before_christ") else number), match.end()


# Times of the day.


@cache
def _clock(table: Table) -> re.Pattern[str]:
    """10:30, 5 pm, 8 o'clock, 17 h 30."""
    am, pm, oclock = ("|".join(map(re.escape, table.date_words(key))) or "(?!)" for key in ("am", "pm", "oclock"))
    ends = r"(?![^\W\d_])" if table.spaced else "(?!間)"
    return re.compile(
        r"(?P<hour>\d{1,2})(?!\d)(?::(?P<minute>[0-5]\d)(?::\d\d)?(?!\d))?"
        rf"(?: ?(?:(?P<am>{am})|(?P<pm>{pm})|(?P<oclock>{oclock})(?: ?(?P<behind>[0-5]\d)(?!\d)分?)?){ends})?"
    )


def read_time(level: str, start: int, table: Table) -> Token | None:
    """The time of the day that begins at `start`: its value is minutes after midnight, its unit am or pm if written."""
    match = _clock(table).match(level, start)
    if not match or not any(match.group("minute", "am", "pm", "oclock")) or int(match["hour"]) > 24:
        return None
    if table.spaced and table.units.meanings.get(match["oclock"] or "") == "hour" and not match["behind"]:
        return None  # `2 heures` is how long
    minutes = int(match["hour"]) * 60 + int(match["minute"] or match["behind"] or 0)
    head = level[max(0, start - 4) : start]
    half = next((key for key in ("am", "pm") if match[key] or head.endswith(table.date_words(f"{key}_first"))), "")
    if half == "pm" and minutes < 720:
        minutes += 720
    if half == "am" and 720 <= minutes < 780:
        minutes -= 720
    return Token(Kind.TIME, start, match.end(), Decimal(minutes), unit=half)
