"""Other values in a response that could answer the question: dates, quantities or names like the golden one."""

import re
from collections.abc import Sequence

from qaviz.diagnosis.evidence import Span, dates, quantities
from qaviz.diagnosis.evidence.claims.parts import WORD, YEAR, is_number
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems

_MOST = 12
"""Candidates that are looked at."""
_NAME = re.compile(r"[A-ZÀ-Þ][\w'’-]*(?: (?:(?:of|de|la|the|van|von|al) )?[A-ZÀ-Þ][\w'’-]*)*")


def find_rivals(
    question: str, response: str, said: Span, kind: str, mentions: Sequence[tuple[int, int]], golden: str
) -> list[tuple[int, int]]:
    """Return where other values of the golden one's kind stand, that the question does not give itself."""
    if YEAR.fullmatch(said.text.strip(" .,")) or kind == dates.KIND or _is_date(said.text):
        found = _other_dates(question, response, said)
    elif is_number(said.text):
        found = _other_quantities(question, response, said)
    else:
        found = _other_names(question, response, f"{said.text} {golden}", said)
    free = [(start, end) for start, end in found if all(end <= first or start >= last for first, last in mentions)]
    return free[:_MOST]


def _is_date(text: str) -> bool:
    found = dates.find(text)
    return bool(found) and found[0].day is not None and found[0].month is not None


def _other_dates(question: str, response: str, said: Span) -> list[tuple[int, int]]:
    own = dates.find(said.text)
    golden = {date.parts for date in own} | {date.parts for date in dates.find(question)}
    by_day = bool(own) and not own[0].year
    return [
        (date.start, date.end)
        for date in dates.find(response)
        if date.parts not in golden and (date.year or (by_day and date.day and date.month)) and not date.named_span
    ]


def _other_quantities(question: str, response: str, said: Span) -> list[tuple[int, int]]:
    golden = quantities.find(said.text)
    if not golden:
        return []
    digits = golden[0].value.normalize().as_tuple().digits
    given = {quantity.value for quantity in quantities.find(question)} | {golden[0].value}
    return [
        (quantity.start, quantity.end)
        for quantity in quantities.find(response)
        if quantity.value not in given
        and quantity.value.normalize().as_tuple().digits != digits
        and quantity.unit == golden[0].unit
        and not quantity.weak
    ]


def _other_names(question: str, response: str, known_as: str, said: Span) -> list[tuple[int, int]]:
    if not said.text[:1].isupper() and not any(map(str.isupper, said.text)):
        return []
    own = set(_words(known_as))
    known = asked_stems(question) | _NO_NAMES
    found = []
    for name in _NAME.finditer(response):
        words = _words(name.group())
        if _opens_sentence(response, name) or not words:
            continue
        if sum(known.isdisjoint((word, *stems(word))) for word in words) * 2 >= len(words) and own.isdisjoint(words):
            found.append(name.span())
    return found


_NEVER = """
january february march april june july august september october november december however yes no note source i
"""
_NO_NAMES = frozenset(_NEVER.split())
"""Words with a capital that name nothing that may answer."""


def _words(name: str) -> list[str]:
    """The words of a name that are more than grammar and initials."""
    found = WORD.findall(level_text(name))
    return [word for word in found if word not in FUNCTION_WORDS and len(word) > 1]


def _opens_sentence(response: str, name: re.Match[str]) -> bool:
    """Whether a capital may only be that of a sentence's first word."""
    before = response[: name.start()].rstrip(" \"'(*“")
    opens = not before or before.endswith((".", "!", "?", ":", "\n", ";"))
    if not opens or " " in name.group() or response[name.end() : name.end() + 1] not in (" ", ","):
        return False
    return not _IS.match(response, name.end()) or level_text(name.group()) in FUNCTION_WORDS


_IS = re.compile(r" (?:is|was|are|were) (?:the|a|an|also|now|still)\b")
"""What stands behind a name of one word that opens a sentence and tells that it is one."""
