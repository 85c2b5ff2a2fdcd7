"""What belongs to a quantity besides number and unit: a bound (at least, at most) and a period (a month, a year)."""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence.clauses import level_text

LEAST, MOST = "at least", "at most"
_REACH = 28
"""Characters before and after a quantity in which they stand."""
_BOUND = re.compile(
    r"(?P<others_least>mindestens|wenigstens|al menos|por lo menos|como mínimo|au moins|au minimum|ít nhất|tối thiểu"
    r"|以上|至少|少なくとも)"
    r"|(?P<others_most>höchstens|maximal|como máximo|a lo sumo|no más de|au plus|au maximum|pas plus de|nhiều nhất"
    r"|tối đa|không quá|以下|以内|最多|至多|不超过)"
    r"|\b(?:(?P<least>at least|(?:no|not) (?:less|fewer|lower) than|minimum(?: of)?"
    r"|or (?:more|above|higher|older|later)"
    r"|(?<!no )(?<!not )(?:more|greater|higher|longer|older) than|over|above|exceed(?:s|ed|ing)?|upwards? of|beyond)"
    r"|(?P<most>at most|(?:no|not) (?:more|greater|higher|longer|older) than|not exceed|maximum(?: of)?|up to"
    r"|or (?:less|fewer|below|lower|younger|earlier)|(?<!no )(?<!not )(?:less|fewer|lower|shorter|younger) than|under"
    r"|below|within))\b"
)
_PERIOD = re.compile(
    r"(?:\bper |\ban? |\beach |\bevery |\bmỗi |\bpro |\bpar |\bpor |/ ?)"
    r"(?P<by>second|minute|hour|day|night|week|month|quarter|year|annum)s?\b"
    r"|\b(?P<ly>hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually|annual)\b"
)
_LY = {"hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "monthly": "month"}
_LY |= {"quarterly": "quarter", "yearly": "year", "annually": "year", "annual": "year", "annum": "year"}
_HALF = re.compile(
    r"(?P<am>\ba\.?m\b|\bin the morning\b|午前|上午|早上|\bsáng\b)"
    r"|\bp\.?m\b|\bin the (?:afternoon|evening)\b|\bat night\b|午後|下午|晚上|\b(?:chiều|tối)\b"
)
"""Which half of the day a time is in."""
_STOP = re.compile("[.,;] ")
Qualifiers = tuple[str, str, str]
"""Bound, period and half of the day, empty where none is written."""


@lru_cache(maxsize=4096)
def read(level: str) -> Qualifiers:
    """Return the bound and the period that stand in a levelled text beside a quantity."""
    bound, period = _BOUND.search(level), _PERIOD.search(level)
    by = (period["by"] or period["ly"]) if period else ""
    half = _HALF.search(level)
    return (
        (LEAST if bound["least"] or bound["others_least"] else MOST) if bound else "",
        _LY.get(by, by),
        ("before noon" if half["am"] else "after noon") if half else "",
    )


def read_near(level: str, start: int, end: int) -> Qualifiers:
    """Return those beside the quantity from `start` to `end` of a levelled text, within its sentence."""
    before = level[max(0, start - _REACH) : start]
    after = level[end : end + _REACH]
    return read(f"{before[max(before.rfind('. '), before.rfind(', ')) + 1 :]} {_STOP.split(after, maxsplit=1)[0]}")


def differ(golden: str, response: str, start: int, end: int) -> str:
    """Return how the bound or period of the quantity at `start` is another than the golden one; empty if it is not."""
    own, stated = read(level_text(golden)), read_near(level_text(response), start, end)
    if own[0] and stated[0] and own[0] != stated[0]:
        return f"it is {stated[0]} that, not {own[0]}"
    if own[1] and stated[1] and own[1] != stated[1]:
        return f"it is for a {stated[1]}, not for a {own[1]}"
    if own[2] and stated[2] and own[2] != stated[2]:
        return f"it is {stated[2]}, not {own[2]}"
    return ""


def is_missing(golden: str, golden_texts: str, level: str, start: int, end: int) -> bool:
    """Return whether a bound or period stands on one side only: beside the quantity, or in the golden text.

    What `told`, the question with the golden answer, says need not be said again.
    """
    stated, own, third = read_near(level, start, end), read(level_text(golden)), read(level_text(golden_texts))
    return any(
        bool(one) != bool(other) and (one or other) != known
        for one, other, known in zip(stated, own, third, strict=True)
    )
