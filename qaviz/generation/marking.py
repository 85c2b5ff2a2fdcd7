"""A passage with what of an answer or fact it states, for a reader: figures and dates in any form, names, the fact."""

import re

from qaviz.generation.passages import is_stated, names, read_values, states
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.reading import Kind

FIGURE, DATE, NAME, FACT = "figure", "date", "name", "fact"
_LATIN = "[0-9A-Za-z]"
"""A letter or digit that would make a match a piece of a longer word; Chinese has no spaces between words."""
LONGEST_MARKED = 60_000
"""Characters of a passage beyond which nothing is marked."""


def mark_evidence(passage: str, answer: str | None, fact: str | None) -> list[tuple[str, str | None]]:
    """Return the passage in parts, each with what of the answer or fact it states (FIGURE, DATE, NAME, FACT), or None.

    A figure is marked where the passage has the same quantity, in whatever form; the fact's own letters go first.
    """
    if len(passage) > LONGEST_MARKED:
        return [(passage, None)]
    kinds: list[str | None] = [None] * len(passage)
    for kind, start, end in [*_mark_names(passage, answer, fact), *_mark_values(passage, answer, fact)]:
        kinds[start:end] = [kind] * (end - start)
    for variant in split_fact(fact):
        for match in re.finditer(_match_whole(variant), passage, re.IGNORECASE):
            kinds[match.start() : match.end()] = [FACT] * (match.end() - match.start())
    return _cut_parts(passage, kinds)


def missing_evidence(passage: str, answer: str | None, fact: str | None) -> list[str]:
    """Return the figures and dates of the answer and of the fact's first variant that the passage does not state."""
    there = read_values(passage)
    texts = [answer or "", *split_fact(fact)[:1]]
    missing = (
        text[value.start : value.end].strip()
        for text in texts
        for value in read_values(text)
        if not is_stated(value, there)
    )
    return list(dict.fromkeys(filter(None, missing)))


def split_fact(fact: str | None) -> list[str]:
    """The variants of a fact, as they are written."""
    parts = (fact or "").replace(AND_DELIMITER, OR_DELIMITER).split(OR_DELIMITER)
    return [part.strip() for part in parts if part.strip()]


def _match_whole(variant: str) -> str:
    """A pattern of the variant as whole words and numbers: not `12` in `12,455`."""
    before = r"(?<!\d[.,])" if variant[0].isdigit() else ""
    behind = r"(?![.,]\d)" if variant[-1].isdigit() else ""
    return rf"(?<!{_LATIN}){before}{re.escape(variant)}(?!{_LATIN}){behind}"


def _mark_values(passage: str, answer: str | None, fact: str | None) -> list[tuple[str, int, int]]:
    wanted = [value for text in (answer or "", *split_fact(fact)) for value in read_values(text)]
    return [
        (DATE if source.kind is Kind.DATE else FIGURE, source.start, source.end)
        for source in read_values(passage)
        if any(states(value, source) for value in wanted)
    ]


def _mark_names(passage: str, answer: str | None, fact: str | None) -> list[tuple[str, int, int]]:
    wanted = {name for text in (answer or "", *split_fact(fact)) for name in names(text, first_too=True)}
    return [
        (NAME, match.start(), match.end())
        for name in wanted
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", passage)
    ]


def _cut_parts(passage: str, kinds: list[str | None]) -> list[tuple[str, str | None]]:
    parts: list[tuple[str, str | None]] = []
    start = 0
    for place in range(1, len(passage) + 1):
        if place == len(passage) or kinds[place] != kinds[start]:
            parts.append((passage[start:place], kinds[start]))
            start = place
    return parts
