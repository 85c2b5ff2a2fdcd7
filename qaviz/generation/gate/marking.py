"""Where a passage has the figures, dates and names of a triplet: what a reader has to compare."""

import re

from qaviz.generation.gate.cases import names, read_variant
from qaviz.generation.gate.figures import Figures, Stated, find_figures
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER

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
    for kind, start, end in [*_find_names(passage, answer, fact), *_find_figures(passage, answer, fact)]:
        kinds[start:end] = [kind] * (end - start)
    for variant in _variants(fact):
        for match in re.finditer(_whole(variant), passage, re.IGNORECASE):
            kinds[match.start() : match.end()] = [FACT] * (match.end() - match.start())
    return _as_parts(passage, kinds)


def missing_evidence(passage: str, answer: str | None, fact: str | None) -> list[str]:
    """Return the figures and dates of the answer and of the fact's first variant that the passage does not state."""
    there = Stated.of(find_figures(passage))
    first = next(iter(_variants(fact)), "")
    missing = []
    for text in (answer or "", first):
        found = find_figures(text)
        missing += [text[each.start : each.end].strip() for each in found.amounts if not there.amount(each)]
        missing += [text[each.start : each.end].strip() for each in found.dates if not there.date(each)]
    return list(dict.fromkeys(filter(None, missing)))


def _variants(fact: str | None) -> list[str]:
    parts = (fact or "").replace(AND_DELIMITER, OR_DELIMITER).split(OR_DELIMITER)
    return [read_variant(each.strip()).text for each in parts if each.strip()]


def _whole(variant: str) -> str:
    """A pattern of the variant as whole words and numbers: not `12` in `12,455`."""
    before = r"(?<!\d[.,])" if variant[0].isdigit() else ""
    behind = r"(?![.,]\d)" if variant[-1].isdigit() else ""
    return rf"(?<!{_LATIN}){before}{re.escape(variant)}(?!{_LATIN}){behind}"


def _find_figures(passage: str, answer: str | None, fact: str | None) -> list[tuple[str, int, int]]:
    wanted = [find_figures(text) for text in (answer or "", *_variants(fact))]
    found = []
    here = find_figures(passage)
    for amount in here.amounts:
        stated = Stated.of(Figures((amount,), ()))
        if any(stated.amount(each) for one in wanted for each in one.amounts):
            found.append((FIGURE, amount.start, amount.end))
    for date in here.dates:
        stated = Stated.of(Figures((), (date,)))
        if any(stated.date(each) for one in wanted for each in one.dates):
            found.append((DATE, date.start, date.end))
    # Chinese is read with blanks around figures, which shift the offsets.
    return [each for each in found if any(char.isdigit() for char in passage[each[1] : each[2]])]


def _find_names(passage: str, answer: str | None, fact: str | None) -> list[tuple[str, int, int]]:
    wanted = {name for text in (answer or "", *_variants(fact)) for name in names(text, first_too=True)}
    return [
        (NAME, match.start(), match.end())
        for name in wanted
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", passage)
    ]


def _as_parts(passage: str, kinds: list[str | None]) -> list[tuple[str, str | None]]:
    parts: list[tuple[str, str | None]] = []
    start = 0
    for place in range(1, len(passage) + 1):
        if place == len(passage) or kinds[place] != kinds[start]:
            parts.append((passage[start:place], kinds[start]))
            start = place
    return parts
