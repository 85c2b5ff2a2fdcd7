"""Centuries as English writes them: `XIIe siècle`, `12. Jahrhundert`, `thế kỷ XII` and `十二世紀` are 12th century."""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

Read = TypeVar("Read")
Substitute = Callable[[Read, re.Pattern[str], Callable[[re.Match[str]], str | None]], Read]

_ROMAN = re.compile(r"x{0,2}(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_ROMAN_WORTH = {"i": 1, "v": 5, "x": 10}
_NUMBER = r"(?P<number>\d{1,2}|[ivx]{1,5}|[^\W\d_]{2,16})"
_BEFORE = r"(?:thế kỷ|thế kỉ|the ky|the ki|siglos?)(?: thứ| thu)? "
_WRITTEN = {
    "fr": re.compile(rf"(?<!\w){_NUMBER} ?(?<![a-z]{{6}})(?:ième|ème|è|e|er)? siècle", re.IGNORECASE),
    "de": re.compile(rf"(?<!\w){_NUMBER}\.? jahrhunderts?", re.IGNORECASE),
    "es": re.compile(rf"(?<!\w){_BEFORE}{_NUMBER}(?!\w)", re.IGNORECASE),
    "vi": re.compile(
        rf"(?<!\w){_BEFORE}{_NUMBER}(?: (?P<ones>một|hai|ba|bốn|tư|năm|lăm|sáu|bảy|tám|chín))?(?!\w)", re.IGNORECASE
    ),
    "ja": re.compile(r"(?P<number>\d{1,2}|[一二三四五六七八九十]{1,3})世紀"),
    "zh": re.compile(r"(?P<number>\d{1,2}|[一二三四五六七八九十]{1,3})(?:世纪|世紀)"),
}
_IDEOGRAPHS = "一二三四五六七八九"
_FRENCH = "premier deuxi trois quatri cinqui sixi septi huiti neuvi dixi onzi douzi treizi quatorzi quinzi seizi"
_FRENCH_ORDINALS = {word: place for place, word in enumerate(_FRENCH.split(), start=1)}
_LAST = 21
"""The last century that people write of."""


def in_english(
    read: Read, code: str, numbers: Mapping[str, int], days: Mapping[str, int], substitute: Substitute[Read]
) -> Read:
    """Return the reading with its centuries as English writes them.

    `numbers` are a language's number words, `days` its ordinal numbers.
    """
    if code not in _WRITTEN:
        return read

    def written(match: re.Match[str]) -> str | None:
        value = _worth(match["number"].lower(), numbers, days)
        if value and "ones" in match.groupdict() and match["ones"]:
            value += numbers.get(match["ones"].lower(), 0)
        return f" {value}{_ending(value)} century " if value and value <= _LAST else None

    return substitute(read, _WRITTEN[code], written)


def _worth(word: str, numbers: Mapping[str, int], days: Mapping[str, int]) -> int | None:
    if word.isdecimal():
        return int(word)
    if _ROMAN.fullmatch(word):
        return _roman(word)
    if word[0] in _IDEOGRAPHS or word[0] == "十":
        return _ideographs(word)
    french = next((place for start, place in _FRENCH_ORDINALS.items() if word.startswith(start)), None)
    return days.get(word) or numbers.get(word) or french


def _roman(word: str) -> int:
    worth = [_ROMAN_WORTH[letter] for letter in word]
    return sum(-one if one < after else one for one, after in zip(worth, [*worth[1:], 0], strict=True))


def _ideographs(word: str) -> int | None:
    tens, ten, ones = word.rpartition("十")
    if not ten:
        return _IDEOGRAPHS.index(word) + 1 if len(word) == 1 else None
    if len(tens) > 1 or len(ones) > 1:
        return None
    return 10 * (_IDEOGRAPHS.index(tens) + 1 if tens else 1) + (_IDEOGRAPHS.index(ones) + 1 if ones else 0)


def _ending(number: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number not in (11, 12, 13) else 0, "th")
