"""A date in the other forms that people and models write it in: as exact, and readable in one way only."""

from collections.abc import Iterator
from typing import NamedTuple

from qaviz.diagnosis.evidence.dates import Date

_NAMES = "January February March April May June July August September October November December"
_MONTHS = _NAMES.split()
_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
_TWO_DIGITS = 10
"""A day from here on begins no other number's end: `2 May` stands in `22 May`, `22 May` in no other date."""
_FOLLOWED = 3
"""Days up to here begin others: `May 2` stands in `May 22`."""
_MONTHS_OF_A_YEAR = 12


class Day(NamedTuple):
    """A date of a variant, and the words around it that its forms keep."""

    year: int | None
    month: int
    day: int | None
    before: str
    behind: str


def day(text: str, date: Date) -> Day | None:
    """Return the date of a text as its forms need it; None for a year alone, a span, and what reads in two ways."""
    if date.month is None or date.until is not None or (date.swapped and date.month != date.day):
        return None
    return Day(date.year, date.month, date.day, text[: date.start], text[date.end :])


def forms(of: Day, *, vietnamese: bool) -> Iterator[str]:
    """Return the forms of a date, the commonest first, its own among them."""
    if of.day is None:
        cores = _month(of) if of.year else iter(())
    else:
        cores = _vietnamese(of.year, of.month, of.day) if vietnamese else _english(of.year, of.month, of.day)
    return (f"{of.before}{core}{of.behind}" for core in cores)


def _month(of: Day) -> Iterator[str]:
    """February 2023, Feb 2023."""
    return (f"{name} {of.year}" for name in _names(of.month))


def _names(month: int) -> list[str]:
    full = _MONTHS[month - 1]
    short = full[:3]
    return [full] if short == full else [full, short, "Sept" if short == "Sep" else f"{short}."]


def _english(year: int | None, month: int, day: int) -> Iterator[str]:
    """US, European and ordinal, abbreviated, then in digits."""
    ordinal = f"{day}{_ENDINGS.get(day, 'th')}"
    after, comma = (f" {year}", f", {year}") if year else ("", "")
    full = _MONTHS[month - 1]
    yield from (f"{full} {ordinal}{after}", f"{full} {ordinal}{comma}")
    if day >= _TWO_DIGITS:
        yield from (f"{ordinal} {full}{after}", f"{ordinal} of {full}{after}")
    for name in _names(month):
        if year or day > _FOLLOWED:
            yield from (f"{name} {day}{comma}", f"{name} {day}{after}")
        if day >= _TWO_DIGITS:
            yield f"{day} {name}{after}"
    if year:
        yield from _in_digits(year, month, day)


def _in_digits(year: int, month: int, day: int) -> Iterator[str]:
    """ISO; with points, and with slashes where day and month cannot be taken for each other."""
    yield f"{year}-{month:02}-{day:02}"
    if day >= _TWO_DIGITS:
        yield f"{day}.{month:02}.{year}"
    if day > _MONTHS_OF_A_YEAR:
        yield from (f"{month:02}/{day}/{year}", f"{day}/{month:02}/{year}")


def _vietnamese(year: int | None, month: int, day: int) -> Iterator[str]:
    """22 tháng 2 năm 2023, 22/2/2023: the day always comes first."""
    lead = "" if day >= _TWO_DIGITS else "ngày "
    yield f"{lead}{day} tháng {month}" + (f" năm {year}" if year else "")
    if year:
        yield from (f"{lead}{day}/{month}/{year}", f"{day:02}/{month:02}/{year}", f"{year}-{month:02}-{day:02}")
