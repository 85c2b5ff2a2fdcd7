"""Whether a response gives the golden date."""

import re
from enum import IntEnum
from functools import lru_cache

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.evidence.clauses import holds_any, level_text
from qaviz.diagnosis.evidence.dates.reading import Date, find
from qaviz.diagnosis.evidence.lexicon import word_set

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
