"""Dates and times of the day: which day, month, quarter or span a text gives. What is not written is not invented."""

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cache

from qaviz.reading import amounts
from qaviz.reading.tables import Table, any_of
from qaviz.reading.token import Date, Granularity, Kind, Token

_YEAR = r"[12]\d{3}(?!\d)"
_TO = "to|until|till|through|bis|à|al?|tot|til|đến"
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_REACH = 24
"""Characters before a date in which stands what bounds it."""
Dated = tuple[Date, int]
"""A date and where it ends."""
_NUMERIC = re.compile(
    rf"""
      (?P<iso> (?P<iso_year>{_YEAR})(?P<mark>[-/.])(?P<iso_month>\d{{1,2}})(?P=mark)(?P<iso_day>\d{{1,2}})(?!\d) )
    | (?P<three> (?P<first>\d{{1,2}})(?P<sep>[/.-])(?P<second>\d{{1,2}})(?P=sep)
                 (?P<third>\d{{4}}|(?<=[/.])\d\d)(?![\d/]) )
    | (?P<of_month> (?P<numbered>0?[1-9]|1[0-2])[/.](?P<its_year>{_YEAR})(?![\d/%]) )
    | (?P<decade> (?P<tens>[12]\d\d0)'?s(?!\w) )
    | (?P<short_decade> (?P<tens_only>[2-9]0)'?s(?!\w) )
    | (?P<years> (?P<from>{_YEAR})
                 (?:(?:[ ]?--?[ ]?|[ ](?:{_TO})[ ])(?P<to>{_YEAR})|[-/](?P<short>\d\d)(?![-%\d]))(?!\w)(?![.,]\d) )
    | (?P<only> {_YEAR}(?![^\W_])(?![.,]\d)(?!-[^\W\d_]) )
    | (?P<slashed> (?P<day>\d{{1,2}})/(?P<month>\d{{1,2}})(?![\d/]) )
    """,
    re.VERBOSE,
)
_IDEOGRAPHS = {name: number for number, name in enumerate("零一二三四五六七八九十")} | {"〇": 0}
_BEFORE_MONTH = re.compile(r"\b(?:in|of|during|since|until|by|early|late|before|after|and|or) $")
"""Before MAY in capitals it makes a month of it."""
_ROMAN_OR_DIGITS = re.compile(r"(?:(\d{1,4})(?!\d)|([ivxl]{1,6}))(?![^\W年])")
_ROMAN_LETTERS = {"i": 1, "v": 5, "x": 10, "l": 50}
_CENTURY_BEFORE = re.compile(r"(?<![^\W_])([ivx]{1,5})(?:e|è|ème|er|\.|º|°)? $")


@cache
def _named(table: Table) -> re.Pattern[str]:
    """Dates with a month's name, days first, months first or years first, as a language writes them."""
    if not table.spaced:
        number, day = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})", "[日号號]"
        return re.compile(
            rf"(?P<year>\d{{2,4}}|[〇零一二三四五六七八九]{{4}})年 ?(?P<month>{number})月(?: ?(?P<day>{number}){day})?"
            rf"|(?P<its_month>{number})月(?: ?(?P<its_day>{number}){day})?(?!間)"
            r"|(?P<only_year>[12]\d{3}|[一二][〇零一二三四五六七八九]{3})年(?![間半代])"
        )
    of, spelled = any_of(table.of) or "of", any_of(word for word, day in table.ordinals.items() if day <= 31)
    day = (
        rf"(?:\d{{1,2}}(?!\d)(?:\.|{any_of(table.ordinal_marks) or 'th'})?"
        + (rf"|(?:{spelled})" if spelled else "")
        + ")"
    )
    joint = rf"(?:[ -]|,[ ]?|[ ](?:{of})[ ]|[ ]d')"
    month = rf"(?:{any_of(table.months)})\b\.?"
    return re.compile(
        rf"(?P<day>{day}){joint}?[ ]?(?P<month>{month})(?:{joint}?[ ]?(?P<year>{_YEAR}))?"
        rf"|(?P<month_first>{month})[ ](?:the[ ])?(?P<its_day>{day})(?![\w:%])(?![.,]\d)"
        rf"(?:(?:{joint})[ ]?(?P<its_year>{_YEAR}))?"
        rf"|(?P<of_year>(?P<in_month>{month})(?:{joint}|/)[ ]?(?:{of}[ ])?(?P<in_year>{_YEAR}))"
        rf"|(?P<alone>{month})"
    )


def read_date(text: str, level: str, start: int, table: Table) -> Token | None:
    """The date that begins at `start`, with what bounds it; None where none does."""
    numeric = _numeric(level, start, table) if level[start].isdigit() else None
    dated = (
        (numeric if numeric and numeric[0].granularity is not Granularity.YEAR else None)
        or _with_name(text, level, start, table)
        or _part_of_year(level, start, table)
        or _long_span(level, start, table)
        or numeric
    )
    if not dated:
        return None
    date, end = dated
    if after := table.date_bounds_after.at(level, end):
        return Token(Kind.DATE, start, after[0], date, bound=after[1])
    bare = date.granularity is Granularity.YEAR and level[start].isdigit() and end - start == 4
    return Token(Kind.DATE, start, end, date, bound=_bound(level, start, table), weak=bare)


def _bound(level: str, start: int, table: Table) -> str:
    head = level[max(0, start - _REACH) : start].rstrip(" (")
    for article in table.articles:
        if head.endswith(" " + article):
            head = head[: -len(article) - 1].rstrip()
    phrase = table.date_bounds.before(head)
    return phrase[1] if phrase else ""


def _numeric(level: str, start: int, table: Table) -> Dated | None:
    if not (match := _NUMERIC.match(level, start)):
        return None
    date, part = None, {name: int(written) for name, written in match.groupdict("").items() if written.isdigit()}
    head = level[max(0, start - 8) : start]
    match match.lastgroup:
        case "iso":
            date = _day(part["iso_year"], part["iso_month"], part["iso_day"])
        case "three":
            date = _three(part["first"], part["second"], match, table)
        case "of_month":
            date = Date(Granularity.MONTH, part["its_year"], part["numbered"])
        case "decade":
            year = part["tens"]
            date = decade(year) if year % 100 else Date(Granularity.CENTURY, year, until=year + 99)
        case "short_decade" if head.endswith(("'", "the ")):
            date = decade(1900 + part["tens_only"])
        case "years" | "only":
            date = _years(match)
        case "slashed" if head.rstrip().endswith(table.date_words("day_words")):
            date = _day(None, part["month"], part["day"])
    return (date, match.end()) if date else None


def _three(first: int, second: int, match: re.Match[str], table: Table) -> Date | None:
    """03/05/2023: day first or month first; either where both are possible and the language does not tell."""
    year = _full_year(match["third"])
    if first > 12 or (match["sep"] == "." and second <= 12) or table.code != "en":
        return _day(year, second, first)
    date = _day(year, first, second)
    return date._replace(swapped=True) if date and second <= 12 and first != second else date


def decade(year: int) -> Date:
    """The ten years from one on."""
    return Date(Granularity.DECADE, year, until=year + 9)


def _year(year: int) -> Date:
    return Date(Granularity.YEAR, year)


def _full_year(written: str | None) -> int | None:
    if not written:
        return None
    year = int(written)
    return year if year > 99 else year + (2000 if year < 70 else 1900)


def _years(match: re.Match[str]) -> Date | None:
    """1939, 1939-1945, 1939-45; but 2023-02 is a month."""
    if match["only"]:
        return _year(int(match["only"]))
    year = int(match["from"])
    until = int(match["to"] or year - year % 100 + int(match["short"]))
    if until > year:
        return Date(Granularity.YEARS, year, until=until)
    return _day(year, int(match["short"] or 0), None)


def _day(year: int | None, month: int, day: int | None) -> Date | None:
    """A date of these parts, if the calendar has such a month and day."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return Date(Granularity.DAY if day else Granularity.MONTH, year, month, day)


def _with_name(text: str, level: str, start: int, table: Table) -> Dated | None:
    """A date with a month's name: 3 May 2023, May 3, May 2023, May."""
    match = _named(table).match(level, start)
    if not match:
        return None
    group, date = match.groupdict(), None
    if not table.spaced:
        month, day = group["month"] or group["its_month"], group["day"] or group["its_day"]
        if group["only_year"]:
            return _year(_ideographs(group["only_year"])), match.end()
        year = _full_year(str(_ideographs(group["year"]))) if group["year"] else None
        date = _day(year, _ideographs(month), _ideographs(day) if day else None)
        return (date, match.end()) if date else None
    name = group["month"] or group["month_first"] or group["in_month"] or group["alone"]
    month_number = table.months[name.rstrip(".") if name not in table.months else name]
    place = start + match.group().index(name)
    day, year_written = group["day"] or group["its_day"], group["year"] or group["its_year"] or group["in_year"]
    if not year_written and name in table.date_words("verbs"):
        shouted = group["alone"] and text.isupper() and name != level.strip(" .!")
        if text[place].islower() or (shouted and not _BEFORE_MONTH.search(level[:start])):
            return None
    digits = re.match(r"\d+", day) if day else None
    day_number = int(digits[0]) if digits else table.ordinals[day] if day else None
    date = _day(int(year_written) if year_written else None, month_number, day_number)
    end = match.end() - (1 if match.group().endswith(".") and not level[match.end() : match.end() + 1].isalnum() else 0)
    return (date, end) if date else None


def _ideographs(written: str) -> int:
    """Digits, or ideographs in their places or with 十."""
    if written.isdigit():
        return int(written)
    if "十" in written:
        tens, _, ones = written.partition("十")
        return _IDEOGRAPHS.get(tens, 1) * 10 + (_IDEOGRAPHS[ones] if ones else 0)
    return int("".join(str(_IDEOGRAPHS[letter]) for letter in written))


@cache
def _quarters(table: Table) -> re.Pattern[str]:
    """Q3 2020, third quarter of 2020, 3. Quartal, quý III/2020."""
    words, halves = any_of(table.date_words("quarter")) or "quarter", any_of(table.date_words("half")) or "half"
    spelled = any_of(word for word, place in table.ordinals.items() if place <= 4) if table.spaced else "[一二三四]"
    marks, of = any_of(table.ordinal_marks) or "th", any_of((*table.of, *table.date_words("year_words"))) or "of"
    number = rf"(?:iv|iii|ii|i|[1-4](?:\.|{marks})?|{spelled or '[1-4]'})"
    blank, ends = ("[ -]?", r"(?![^\W_])") if table.spaced else ("", r"(?!\d)")
    return re.compile(
        rf"(?:(?P<first>{number}){blank}(?:(?P<quarter>{words})|(?P<half>{halves}))"
        rf"|(?:(?P<quarter_first>{words})|(?P<half_first>{halves})){blank}(?P<second>{number})){ends}"
        rf"(?:[ ,/-]{{0,2}}(?:(?:{of})[ ])*'?(?P<year>[12]\d{{3}}|\d\d(?=\W|$))(?!\d))?"
    )


def _part_of_year(level: str, start: int, table: Table) -> Dated | None:
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


def _named_span(level: str, start: int, table: Table) -> Dated | None:
    """A century, decade or era whose name stands first: siglo XIX, thế kỷ 19, thập niên 60, 紀元前44年."""
    for key in ("century", "decades", "before_christ"):
        for word in table.date_words(f"{key}_first"):
            if not level.startswith(word, start):
                continue
            place = start + len(word) + level.startswith(" ", start + len(word))
            if match := _ROMAN_OR_DIGITS.match(level, place):
                number = int(match[1]) if match[1] else _read_roman(match[2])
                end = match.end() + level.startswith("年", match.end())
            elif words := amounts.read_words(level, place, table):
                number, end = int(words.value), words.end
            else:
                continue
            if key == "century":
                return _century(level, number, end, table)
            return decade(number + 1900 * (number < 100)) if key == "decades" else _year(-number), end
    return None


def _read_roman(letters: str) -> int:
    worths = [_ROMAN_LETTERS[letter] for letter in letters]
    return sum(-worth if worth < max(worths[place:]) else worth for place, worth in enumerate(worths))


def _long_span(level: str, start: int, table: Table) -> Dated | None:
    """A decade or century by its name, a year with its era."""
    if not level[start].isdigit() and (named := _named_span(level, start, table)):
        return named
    number = amounts.read_number(level, start, table)
    if not number or (number.words and table.spaced and not number.ordinal) or number.value != int(number.value):
        return None
    if not number.words:
        marks = next((mark for mark in table.ordinal_marks if level.startswith(mark, number.end)), "")
        number = number._replace(end=number.end + len(marks))
    value, after = int(number.value), level[number.end : number.end + 1]
    if end := _find_end(
        level, number.end + (after in (" ", "-")), table.date_words("century"), joined=not table.spaced
    ):
        return _century(level, value, end, table)
    for key, sign in (("before_christ", -1), ("after_christ", 1)):
        if end := _find_end(level, number.end + (after == " "), table.date_words(key)):
            return _year(sign * value), end
    return None


def _find_end(level: str, place: int, words: Iterable[str], *, joined: bool = False) -> int:
    """Where the first of the words that stands at a place ends, or 0. `joined`: no blank need follow."""
    ends = (place + len(word) for word in words if level.startswith(word, place))
    return next((end for end in ends if joined or not level[end : end + 1].isalnum()), 0)


def _century(level: str, which: int, end: int, table: Table) -> Dated:
    blank, eras = level.startswith(" ", end), table.date_words("before_christ")
    if blank and (stop := _find_end(level, end + 1, eras, joined=True)):
        return Date(Granularity.CENTURY, -100 * which, until=-100 * (which - 1)), stop
    return Date(Granularity.CENTURY, 100 * (which - 1), until=100 * which - 1), end


def read_year_in_words(level: str, start: int, table: Table) -> Token | None:
    """Nineteen eighty-four."""
    first = amounts.read_words(level, start, table)
    if not first or first.ordinal or not 13 <= first.value <= 20 or level[first.end : first.end + 1] not in (" ", "-"):
        return None
    second = amounts.read_words(level, first.end + 1, table) if level[first.end + 1 : first.end + 2].isalpha() else None
    if not second or second.ordinal or not 10 <= second.value <= 99 or second.step or level.startswith("-", second.end):
        return None  # also of fifteen twenty-dollar tickets
    year = _year(int(first.value) * 100 + int(second.value))
    return Token(Kind.DATE, start, second.end, year, bound=_bound(level, start, table), weak=True)


def read_roman_century(level: str, start: int, table: Table) -> Token | None:
    """XIXe siècle: the date around the word for century at `start`."""
    end = _find_end(level, start, table.date_words("century"), joined=True)
    roman = _CENTURY_BEFORE.search(level, max(0, start - 12), start) if end else None
    if not roman:
        return None
    date, end = _century(level, _read_roman(roman[1]), end, table)
    return Token(Kind.DATE, roman.start(), end, date)


# Times of the day.

_MINUTES = re.compile(r" ?([0-5]\d)(?!\d)分?")

_CLOCK = re.compile(r"(\d{1,2})(?!\d)(?::(\d\d)(?::\d\d)?(?!\d)|h(\d\d)(?!\d))?")


def read_half_to(level: str, start: int, table: Table) -> Token | None:
    """Halb drei: half an hour before three."""
    word = next((word for word in table.date_words("half_to") if level.startswith(f"{word} ", start)), "")
    hour = amounts.read_words(level, start + len(word) + 1, table) if word else None
    if not hour or hour.ordinal or not 1 <= hour.value <= 12 or hour.step:
        return None
    return Token(Kind.TIME, start, hour.end, Decimal(int(hour.value) * 60 - 30))


def read_time(level: str, start: int, table: Table) -> Token | None:
    """10:30, 5 pm, 8 o'clock, 14h30: its value is minutes after midnight, its unit am or pm where one is written."""
    match = _CLOCK.match(level, start)
    if not match:
        return None
    hour, written, end = int(match[1]), match[2] or match[3], match.end()
    place = end + (level[end : end + 1] == " ")
    if not written and not level.startswith(table.clock_words, place):
        return None
    minutes = hour * 60 + int(written or 0)
    half, stop = _half_of_day(level, start, place, table)
    if hour > 24 or minutes % 60 != int(written or 0):
        return None
    if stop:
        end = stop
    elif not written:
        end = _oclock(level, place, table)
        if not end:
            return None
        if behind := _MINUTES.match(level, end):
            minutes, end = minutes + int(behind[1]), behind.end()
    if half == "pm" and minutes < 720:
        minutes += 720
    if half == "am" and 720 <= minutes < 780:
        minutes -= 720
    return Token(Kind.TIME, start, end, Decimal(minutes), unit=half)


def _half_of_day(level: str, start: int, place: int, table: Table) -> tuple[str, int]:
    """am or pm, and where it ends if it stands behind the time, at `place`."""
    head = "" if table.spaced else level[max(0, start - 4) : start]
    for key in ("am", "pm"):
        if stop := _find_end(level, place, table.date_words(key)):
            return key, stop
        if head and head.endswith(table.date_words(f"{key}_first")):
            return key, 0
    return "", 0


def _oclock(level: str, place: int, table: Table) -> int:
    """Where the word for the hour at `place` ends; 0 where none stands."""
    end = _find_end(level, place, table.date_words("oclock"), joined=True)
    follows = level[end : end + 1]
    if end and (unit := table.units.at(level, place)) and unit[1] == "hour" and not _MINUTES.match(level, unit[0]):
        # `2 heures` is how long, `à 2 heures` is when.
        return end if level[max(0, place - 16) : place].rstrip(" 0123456789").endswith(table.at_time) else 0
    return 0 if (follows.isalnum() and table.spaced) or follows == "間" else end
