"""What stands before and after a number: sign, currency, hedge, scale and unit."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence.quantities.units import (
    CURRENCIES,
    CURRENCY_SIGNS,
    LETTER_SCALES,
    LONG_UNITS,
    SCALES,
    UNITS,
)

ONE = Decimal(1)
_REACH = 28
"""Characters before a number in which the words stand that tell what it is."""
_MARKS = " ([+-~≈#'\"*" + "".join(CURRENCY_SIGNS)
_REMEMBERED = 8_192
"""Words before a number that are remembered: few stand before most numbers."""
_COUNTERS = (
    "note notes item items page pages exhibit exhibits section sections table tables step steps figure figures chapter "
    "chapters part parts form forms appendix schedule schedules rule rules footnote footnotes asc asu question "
    "questions example examples q fy quarter isin cusip iso p pp"
)
_HEDGING = "about around approximately approx roughly nearly almost some over than under least circa khoảng gần hơn xỉ"
_DATING = (
    "in since from until till by during of for and fy fiscal year ended ending end between to vs năm january february "
    "march april may june july august september october november december q1 q2 q3 q4 early late mid before after"
)
_VERB = "won"
"""A currency behind a number; before one, somebody won so many."""
_LABELS, _HEDGES, _BEFORE_YEAR = (frozenset(words.split()) for words in (_COUNTERS, _HEDGING, _DATING))


class Before(NamedTuple):
    """What stands before a number."""

    begin: int
    """Where the quantity begins, from the number back: at its sign or currency, else 0."""
    code: str
    """Of the currency; empty where there is none."""
    negative: bool | None
    """Whether a minus sign stands there; None where a bracket or a dash may be one."""
    hedged: bool
    label: bool
    """The number only counts things off: Note 8, FY 2022, #3."""
    year: bool
    """A year would stand there too: `in 2016`."""


def before(level: str, start: int) -> Before:
    """Return what stands before the number at `start` of a levelled text."""
    reach = level[max(0, start - _REACH) : start]
    head = reach.rstrip(_MARKS)
    return _before(head[head.rfind(" ") + 1 :], reach[len(head) :])


@lru_cache(maxsize=_REMEMBERED)
def _before(head: str, lead: str) -> Before:
    """What the last word before a number, and the marks between the two, say of it."""
    words = head.split()
    last = words[-1].rstrip(".:,") if words else ""
    code, begin = _currency(head, lead, last)
    negative = _sign(head, lead, last)
    return Before(
        lead.index("-") - len(lead) if negative and "-" in lead else begin,
        code,
        negative,
        last in _HEDGES or "~" in lead or "≈" in lead,
        last in _LABELS or "#" in lead,
        last in _BEFORE_YEAR or "'" in lead or "(" in lead or (last.isdigit() and len(last) <= 2),
    )


def _currency(head: str, lead: str, last: str) -> tuple[str, int]:
    """The code of the currency before a number, and where it begins, from the number back."""
    for place in range(len(lead) - 1, -1, -1):
        if lead[place] in CURRENCY_SIGNS:
            dollars = place == 0 and CURRENCIES.get(last + lead[place])
            if dollars:
                return dollars, -len(lead) - len(last)
            return CURRENCY_SIGNS[lead[place]], place - len(lead)
    if last in CURRENCIES and last != _VERB and lead.strip(" +-(") == "":
        return CURRENCIES[last], head.rindex(last) - len(head) - len(lead)
    return "", 0


def _sign(head: str, lead: str, last: str) -> bool | None:
    """Whether a minus sign stands in the marks before a number; None for a bracket or dash that may be one."""
    prior = head[-1:]
    if "-" in lead:
        after = lead[lead.rindex("-") + 1 :]
        attached = not after.startswith(" ")
        opens = lead[0] != "-" or prior in ("", *"=:|,/")
        if attached and opens:
            return True
        return None if prior == "\n" or not attached else False
    if "(" in lead:
        return None if last and prior not in ("=", ":", "|") else True
    return False


class After(NamedTuple):
    """What stands after a number."""

    end: int
    scale: Decimal
    code: str
    """Of the currency or dimension; empty where there is none."""
    factor: Decimal
    """Of the unit in its dimension."""
    words: tuple[str, ...]
    """The scale and unit as written."""


_POWER = re.compile(r"[ ]?[x×*·][ ]?10\^?(-?\d{1,3})(?!\d)|e([+-]?\d{1,3})(?![\w.])")
_WORD = re.compile(r"\)?([ -]?)([^\W\d_]+)")
_NEXT = re.compile(r"\)?[ -]{0,2}(?:of )?(?:([^\W\d_]+)|[%°$€£¥₹₫₩₽])|[ ]?[×*·]")
"""What begins a scale or a unit; a word, if it is one."""
_KNOWN = frozenset(("e", *(word.split()[0] for word in (*SCALES, *UNITS))))
_UNIT = re.compile(r"\)?[ -]{0,2}(?:of )?([^\W\d_]+[²2]?(?:/[hs]\b)?|[%°$€£¥₹₫₩₽])")


def after(text: str, level: str, end: int, *, money: bool) -> After:
    """Return what stands after the number that ends at `end`; `money` says that a currency stands before it."""
    following = _NEXT.match(level, end)
    if not following or (following[1] and following[1] not in _KNOWN):
        return After(end, ONE, "", ONE, ())
    scale = ONE
    words: list[str] = []
    if power := _POWER.match(level, end):
        scale, end = ONE.scaleb(int(power[1] or power[2])), power.end()
    while (word := _WORD.match(level, end)) and len(words) < 2:
        name = word[2]
        if name not in SCALES or (name in LETTER_SCALES and not _is_scale(text, word, money=money)):
            break
        scale, end = scale * SCALES[name], word.end()
        words.append(name)
    unit = _UNIT.match(level, end)
    if not unit or not (name := _unit_name(level, unit)):
        return After(end, scale, "", ONE, tuple(words))
    if name == "k" and text[unit.start(1)] != "K":
        return After(end, scale, "", ONE, tuple(words))
    if name == "x" and (unit.start(1) != end or text[end] == "X"):
        return After(end, scale, "", ONE, tuple(words))
    code, factor = UNITS[name]
    return After(unit.start(1) + len(name), scale, code, factor, (*words, name))


def _is_scale(text: str, word: re.Match[str], *, money: bool) -> bool:
    """Whether a letter after a number is a scale: in $5m, 5M, 5k and not in 5 m."""
    capital = text[word.start(2)].isupper()
    return (money and capital) if word[1] else (money or capital or word[2] == "k")


def _unit_name(level: str, unit: re.Match[str]) -> str:
    """The longest unit that begins where `unit` does; empty where there is none."""
    name, start = unit[1], unit.start(1)
    for long in LONG_UNITS.get(name, ()):
        end = start + len(long)
        if level.startswith(long, start) and not level[end : end + 1].isalnum():
            return long
    if name == "in":
        return name if level[unit.end() : unit.end() + 1] in (")", ".") else ""
    return name if name in UNITS else ""
