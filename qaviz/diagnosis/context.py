"""What stands around the fact in a response: a negation beside it, and words that have to do with the question."""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence import Span
from qaviz.model import AND_DELIMITER, OR_DELIMITER
from qaviz.scoring.definition import words_of

REACH = 40
"""Characters beside the fact in which a negation counts."""

_BEFORE = re.compile(
    r"""(?: \b(?:not|never|neither|nor|no\ longer|rather\ than|instead\ of|other\ than|unlike) | n['’]t
          | \b(?:không\ phải|chứ\ không) )
        \s+ (?:(?:be|been|a|an|the|by|in|at|on|to|as|of|from|là|equal)\s+){0,2} ["“”'‘’$€£(]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_AFTER = re.compile(
    r"""^ ["“”'‘’)]*\s+ (?: (?:is|was|are|were)\s+(?:not|wrong|incorrect|false)\b | (?:is|was|are|were)n['’]t\b
          | (?:là\ )?(?:sai|không\ đúng)\b )""",
    re.IGNORECASE | re.VERBOSE,
)


def negation(response: str, start: int, end: int) -> Span | None:
    """Return the stretch from the negation to the fact if the fact at these offsets is negated, else None.

    `it was not 134.4 billion` and `134.4 billion is wrong` are; `it is not known, but 134.4 billion` is not.
    """
    begin = max(0, start - REACH)
    if before := _BEFORE.search(response[begin:start]):
        return Span(begin + before.start(), end, response[begin + before.start() : end])
    if after := _AFTER.search(response[end : end + REACH]):
        return Span(start, end + after.end(), response[start : end + after.end()])
    return None


def off_topic(question: str, answer: str, fact: str, response: str) -> bool:
    """Whether the response says something beside the fact, and none of it is in the question or the golden answer."""
    beside = _telling(response) - _telling(fact)
    return bool(beside) and beside.isdisjoint(_telling(question)) and beside.isdisjoint(_telling(answer))


def part_of(answer: str, question: str, response: str) -> frozenset[str]:
    """Return what the response says beyond the question, if the golden answer says all of that; else nothing."""
    said = _telling(response) - _telling(question)
    return said if said <= _telling(answer) else frozenset()


_FUNCTION_WORDS = frozenset(
    words_of(
        "about all also and any are as at be been but by can could did do does for from had has have he her his how i "
        "if in into is it its many may more much no not of on one or our she so some such than that the their them "
        "there these they this to was we were what when where which who whose why will with would you your"
    )
)


@lru_cache(maxsize=4096)
def _telling(text: str) -> frozenset[str]:
    """Return the normalised words of a text that are more than grammar."""
    return frozenset(words_of(text.replace(OR_DELIMITER, " ").replace(AND_DELIMITER, " "))) - _FUNCTION_WORDS
