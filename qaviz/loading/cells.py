"""What a spreadsheet's cell says: the text that a person sees in it, as short as can be."""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

_DATE_FORMATS = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
"""Built-in number formats that show a date or a time (ECMA-376 part 1, 18.8.30)."""

_PERCENT_FORMATS = frozenset((9, 10))

_LITERAL = re.compile(r'"[^"]*"|\\.|\[(?![hms])[^\]]*\]', re.IGNORECASE)
"""Parts of a number format that are plain text, colours or currencies; `[h]` is a time."""

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")

_EPOCH, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)

_LEAP_DAY = 60
"""Serial number of 29 February 1900, which only spreadsheets know: up to it their count is one day off."""

_EXACT_DIGITS = 15
"""Digits of a number that a spreadsheet keeps. What a float has beyond them nobody typed."""


class Styles:
    """How a workbook shows its numbers: plainly, as a percentage or as a date."""

    def __init__(self, formats: Mapping[int, str], style_formats: Sequence[int], *, from_1904: bool) -> None:
        """`formats` has the custom number formats by id, `style_formats` the format's id for each cell style."""
        self._dates = [_shows_date(number, formats.get(number, "")) for number in style_formats]
        self._percents = [number in _PERCENT_FORMATS or "%" in formats.get(number, "") for number in style_formats]
        self._from_1904 = from_1904

    def shown(self, number: str, style: int) -> str:
        """The number as a person sees it: 158, 134.4, 12.5%, 2023-06-30. Raises ValueError if it is none."""
        value = float(number)
        if not math.isfinite(value):
            raise ValueError(number)
        known = 0 <= style < len(self._dates)
        if known and self._dates[style]:
            date = _date(value, from_1904=self._from_1904)
            if date:
                return date
        if known and self._percents[style]:
            return f"{_shortest(value * 100)}%"
        return _shortest(value)


def unescaped(text: str) -> str:
    """The text with `_x000D_` and the like as the characters they stand for; halves of characters stay."""
    return _ESCAPED.sub(_character, text) if "_x" in text else text


def _character(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return match[0] if "\ud800" <= character <= "\udfff" else character


def _shows_date(number: int, code: str) -> bool:
    return number in _DATE_FORMATS or bool(re.search("[ymdhs]", _LITERAL.sub("", code), re.IGNORECASE))


def _date(serial: float, *, from_1904: bool) -> str | None:
    """The ISO form of a serial number, None if no calendar has it. Below one day it is a time."""
    days = serial if from_1904 or serial > _LEAP_DAY else serial + 1
    try:
        moment = (_EPOCH_1904 if from_1904 else _EPOCH) + timedelta(days=days)
    except OverflowError:
        return None
    moment = (moment + timedelta(milliseconds=500)).replace(microsecond=0)
    if 0 <= serial < 1:
        return moment.time().isoformat()
    return moment.date().isoformat() if serial == int(serial) else moment.isoformat(sep=" ")


def _shortest(value: float) -> str:
    if value == int(value) and abs(value) < 10**_EXACT_DIGITS:
        return str(int(value))
    return f"{value:.{_EXACT_DIGITS}g}"
