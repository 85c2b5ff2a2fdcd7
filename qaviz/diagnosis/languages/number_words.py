"""Numbers in words of another language, brought into digits: `cuatro mil ciento treinta` is 4130."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from qaviz.diagnosis.languages.vocabulary import Language

_WORD = re.compile(r"[^\W\d_]+")
_HUNDRED, _THOUSAND = 100, 1000
_SCORE = (4, 20)
"""French 80 is four times twenty."""
_READ_ALONE = 20
"""A word for more than this is read as digits where English has no word for it: `veinticuatro`."""
_TIMES_TEN = -10
"""Vietnamese `mươi`: ten times the digit before it."""

Read = TypeVar("Read")
Substitute = Callable[[Read, re.Pattern[str], Callable[[re.Match[str]], str | None]], Read]


class _Spelling(NamedTuple):
    """How a language spells numbers."""

    run: re.Pattern[str]
    """Two or more number words that stand together, or one compound."""
    segment: re.Pattern[str]
    """One number word within a run."""
    point: str
    """The word for the decimal point, empty where there is none."""
    half: re.Pattern[str] | None
    """A number, what it counts, and a half."""


def in_digits(read: Read, own: Language, substitute: Substitute[Read]) -> Read:
    """Return the reading with numbers of several words in digits, and `2 heures et demie` as 2,5."""
    spelling = _spelling(own.code, own)
    if spelling is None:
        return read
    read = substitute(read, spelling.run, lambda match: _digits(match, spelling, own))
    if spelling.half:
        read = substitute(read, spelling.half, lambda match: _with_half(match, own.numbers))
    return read


@lru_cache(maxsize=16)
def _spelling(_: str, own: Language) -> _Spelling | None:
    if not own.numbers:
        return None
    words = "|".join(map(re.escape, sorted(own.numbers, key=len, reverse=True)))
    joins = "|".join(own.number_joins)
    point = own.number_point
    between = rf"(?:\s+(?:{joins})\s+|[\s-]+)" if joins else r"[\s-]+"
    if own.number_compounds:
        one = rf"(?:(?:{words})(?:und)?)*(?:{words})"
        run = rf"(?<!\w){one}(?:\s+{one})*(?:\s+{point}(?:\s+(?:{words}))+)?(?!\w)"
    else:
        run = rf"(?<!\w)(?:{words})(?:{between}(?:{words})(?!\w))*(?:\s+{point}(?:\s+(?:{words})(?!\w))+)?(?!\w)"
    half = re.compile(rf"(?<!\w)({words}|\d+)(\s+[^\W\d_]+\s+)?{own.number_half}(?!\w)", re.IGNORECASE)
    return _Spelling(
        re.compile(run, re.IGNORECASE), re.compile(words, re.IGNORECASE), point, half if own.number_half else None
    )


def _digits(match: re.Match[str], spelling: _Spelling, own: Language) -> str | None:
    """The run in digits; None where it is one word, or no number that people write."""
    text = match.group().lower()
    point = re.search(rf"\s+{spelling.point}\s+", text) if spelling.point else None
    whole, decimals = (text[: point.start()], text[point.end() :]) if point else (text, "")
    values = [own.numbers[word] for word in spelling.segment.findall(whole)]
    if len(values) < 2 and not decimals:
        alone = values[0] > _READ_ALONE and values[0] not in (_HUNDRED, _THOUSAND) and whole not in own.phrases
        return str(values[0]) if alone else None
    value = worth_of(values, units_first=own.number_compounds)
    if value is None:
        return None
    if not decimals:
        return str(value)
    digits = [own.numbers[word] for word in spelling.segment.findall(decimals)]
    after = "".join(map(str, digits)) if max(digits) < 10 else str(worth_of(digits, units_first=own.number_compounds))
    return f"{value}{',' if own.comma_decimal else '.'}{after}"


def worth_of(values: Sequence[int], *, units_first: bool = False) -> int | None:
    """Return what number words are worth together; None where they make no number: `two three`.

    `units_first`: ones may stand before tens, as in German.
    """
    total, group, last = 0, 0, _THOUSAND
    for value in values:
        if value == _THOUSAND:
            if total:
                return None
            total, group, last = max(group, 1) * _THOUSAND, 0, _THOUSAND
        elif value == _HUNDRED and group < 10 and last != _HUNDRED:
            group, last = max(group, 1) * _HUNDRED, _HUNDRED
        elif value == _TIMES_TEN and 0 < last < 10:
            group, last = group - last + last * 10, 10
        elif value == _SCORE[1] and last == _SCORE[0] and not units_first:
            group, last = group - last + last * value, value
        elif units_first and 20 <= value < _HUNDRED and 0 < last < 10:
            group, last = group + value, 1
        elif 0 <= value < last and _fits(value, last):
            group, last = group + value, value
        else:
            return None
    return total + group


def _fits(value: int, last: int) -> bool:
    """Whether a word may follow one of the value `last`: tens after hundreds, ones after tens."""
    if last >= _HUNDRED:
        return value < last
    return (last >= 20 and value < 20) or (last == 10 and value < 10)


def _with_half(match: re.Match[str], numbers: Mapping[str, int]) -> str | None:
    number = match[1].lower()
    value = numbers.get(number, number)
    return f"{value},5{match[2] or ' '}".rstrip()
