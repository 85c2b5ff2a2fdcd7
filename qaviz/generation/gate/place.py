"""The rule on where a figure stands: in the row, column, clause and year that the question asks about."""

import re
from collections.abc import Iterable

from qaviz.diagnosis.evidence import dates
from qaviz.generation.gate.cases import Case, Variant, stands_exactly
from qaviz.generation.gate.content import is_derived
from qaviz.generation.gate.figures import Figures, Stated, find_figures
from qaviz.generation.gate.passages import Sentence
from qaviz.generation.gate.terms import terms

_YEAR = re.compile(r"(?<![\d.,$€£¥])(?:19|20)\d\d(?![\d.,]*\d|%)")


def check_place(case: Case) -> str | None:
    """The figure stands in the row, column, clause and year that the question asks about."""
    if (
        not case.home
        or case.is_yes_no
        or (case.answer_stated.figures.amounts[1:] and is_derived(case.variants[0], case))
    ):
        return None
    return _other_column(case) or _other_year(case) or _other_row(case)


def _other_column(case: Case) -> str | None:
    """A row has a cell whose name the question says, and the fact stands in another one."""
    for row in case.home:
        if not row.cells:
            continue
        own = [name for name, text in row.cells if _in_cell(case.variants, text)]
        asked = [name for name, _ in row.cells[1:] if _is_asked(case, name)]
        if own and asked and not any(_is_asked(case, name) for name in own):
            return f"The fact stands in the column “{own[0].strip()}”; the question asks about “{asked[0].strip()}”."
    return None


def _is_asked(case: Case, column: str) -> bool:
    return stands_exactly(column.lower().strip(), case.question_level)


def _in_cell(variants: Iterable[Variant], text: str) -> bool:
    return any(each.stands(text.lower(), _read_stated(text)) for each in variants)


def _read_stated(text: str) -> Stated:
    return Stated.of(find_figures(text))


def _other_year(case: Case) -> str | None:
    """The question says a year, and the sentence of the fact has others only, or gives that one to another figure."""
    years = set(_YEAR.findall(case.question)) or set(_YEAR.findall(case.answer))
    years -= {year for each in case.variants for year in _YEAR.findall(each.text)}
    if not years:
        return None
    of_home = [set(_YEAR.findall(sentence.text)) for sentence in case.home]
    if all(found and not found & years for found in of_home):
        return f"The fact stands beside {min(of_home[0])}, not {min(years)}."
    given = {year for sentence in case.home for year in _years_of(sentence, case.variants)}
    if given and not given & years:
        return f"The fact is of {min(given)}, not of {min(years)}."
    return None


def _years_of(sentence: Sentence, variants: Iterable[Variant]) -> set[str]:
    """The years that stand directly behind the fact: `$131B in 2023`."""
    found = set()
    for each in variants:
        at = sentence.level.find(each.level)
        if at >= 0:
            behind = _YEAR_BEHIND.match(sentence.text, at + len(each.level))
            if behind:
                found.add(behind[1])
    return found


_YEAR_BEHIND = re.compile(
    r"(?:\s+(?!than\b|from\b|over\b|since\b)[^\W\d_]+){0,2}?"
    r"\s+(?:in|for|during|im Jahr|in den|für|năm|trong năm)\s+(?:fiscal "
    r"|FY ?)?((?:19|20)\d\d)\b"
)


def _other_row(case: Case) -> str | None:
    """Another row, sentence or clause with a figure of the same kind has more of the question's words."""
    wanted = case.variants[0].figures
    if not wanted.amounts and not wanted.dates and not any(sentence.is_row for sentence in case.home):
        return None
    asks_date = dates.asks_date(case.question)
    own, other, other_text = 0.0, 0.0, ""
    told: set[str] = set()
    for sentence in case.passage.sentences:
        whole = _weight(case, sentence.terms)
        at_home = sentence in case.home
        for part in sentence.parts if whole or at_home else ():
            score = _weight(case, part.terms) + _OF_THE_SENTENCE * whole
            if at_home and any(each.stands(part.level, part.stated, case.passage.level) for each in case.variants):
                own = max(own, score)
                told |= part.terms
            elif score > other and _is_alike(part, wanted, asks_date=asks_date):
                other, other_text = score, part.text
    lacking = sorted(case.question_terms & set(terms(other_text)) - told)
    if lacking and other > _CLEARLY * own + _AT_LEAST:
        return f"The fact does not stand with “{lacking[0]}”, which the question asks about: “{other_text[:80]}” does."
    return None


_OF_THE_SENTENCE = 0.25
"""What a term of the sentence counts for each of its clauses."""
_CLEARLY, _AT_LEAST = 1.3, 0.1
"""How much more of the question another clause has to have than the one with the fact."""


def _weight(case: Case, said: frozenset[str]) -> float:
    """How much of the question these terms say; one that few sentences have counts for more."""
    return sum(case.passage.rarity.get(term, 0) for term in case.question_terms & said)


def _is_alike(part: Sentence, wanted: Figures, *, asks_date: bool) -> bool:
    """Whether a clause has a figure of the kind that is wanted, or is a row where a name is."""
    if wanted.dates and not wanted.amounts and (asks_date or not all(date.bare for date in wanted.dates)):
        return bool(part.stated.figures.dates)
    if not wanted.amounts:
        return part.is_row
    units = {amount.unit for amount in wanted.amounts if amount.unit or part.is_row}
    return any(amount.unit in units for amount in part.stated.figures.amounts)
