"""A text as the statements it makes: same-length lower case, sentences and the clauses a contrast divides them into."""

import re
from collections.abc import Iterator
from functools import lru_cache

from qaviz.diagnosis.evidence import Span

_TYPOGRAPHY = {"'": "’‘ʼ′`´", '"': "“”«»„", " ": "\u00a0\u202f\u2009\u2007", "-": "‐‑‒–—−"}
"""Plain character -> those written in its place. Replaced one by one: ten times as fast as `str.translate`."""

# All that may begin what is looked for stands first: the pattern then skips the rest ten times as fast.
_BREAK = re.compile(
    r"""
    [.!?…;\n] (?:
        (?<=[.!?…])["')\]*]{0,4}\s+        # the end of a sentence; a decimal point has no blank after it
      | (?<=\n)\s*                        # the end of a line or of a list's entry
      | (?<=;)\s+                         # two clauses that could be sentences
    )
    """,
    re.VERBOSE,
)
_CONTRASTS = ("but", "however", "although", "though", "whereas", "nhưng", "tuy nhiên")
_BREAK_OR_CONTRAST = re.compile(
    rf"{_BREAK.pattern} | ,?[ ](?=(?:{'|'.join(map(re.escape, _CONTRASTS))})\b)", re.VERBOSE
)
"""The same, and the turn of a sentence: only for a text that has one."""
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'])(?:[a-z]|mr|mrs|ms|dr|prof|st|sr|jr|inc|ltd|corp|co|vs|gen|sen|rep|u\.s|e\.g|i\.e)$"
)


@lru_cache(maxsize=64)
def levelled(text: str) -> str:
    """`text` in lower case with plain quotes, blanks and dashes, as long as `text`: offsets stay true."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    if lower.isascii():
        return lower
    for plain, written in _TYPOGRAPHY.items():
        for character in written:
            lower = lower.replace(character, plain)
    return lower


@lru_cache(maxsize=64)
def clauses(level: str) -> tuple[tuple[int, int], ...]:
    """The clauses of a levelled text, as (start, end): divided at sentences, lines, semicolons and contrasts."""
    return tuple(_clauses(level))


def _clauses(level: str) -> Iterator[tuple[int, int]]:
    start = 0
    breaks = _BREAK_OR_CONTRAST if any(word in level for word in _CONTRASTS) else _BREAK
    for stop in breaks.finditer(level):
        if stop.group()[0] == "." and _ABBREVIATION.search(level, max(start, stop.start() - 8), stop.start()):
            continue
        if level[start : stop.start()].strip():
            yield start, stop.start()
        start = stop.end()
    if level[start:].strip():
        yield start, len(level)


def span(text: str, start: int, end: int) -> Span:
    """The stretch of `text` from `start` to `end`, without the blanks around it."""
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    words = words.strip()
    return Span(start, start + len(words), words)
