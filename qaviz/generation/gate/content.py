"""Rules on what a triplet says: one fact that stands in its passage or follows from it, and every figure in the row,
column, clause and year that the question asks for.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

from qaviz.diagnosis.evidence import Stance, dates, refusal
from qaviz.diagnosis.evidence.quantities import Quantity
from qaviz.generation.gate.cases import (
    UNANSWERABLE,
    Case,
    Variant,
    names,
    read_variant,
    stands_exactly,
)
from qaviz.generation.gate.passages import Figures, Sentence, Stated, derive, find_figures, terms
from qaviz.generation.gate.wording import find_first_name
from qaviz.model.columns import AND_DELIMITER

LONGEST_VARIANT = 6
"""Words of a fact's variant; three are asked for."""
LONGEST_QUESTION, LONGEST_ANSWER = 400, 800
"""Characters."""

_AND = re.compile(r" (?:and|und|và|sowie) |[;&]|、|和|,\s(?=[^\d])")

_YEAR = re.compile(r"(?<![\d.,$€£¥])(?:19|20)\d\d(?![\d.,]*\d|%)")


def check_shape(case: Case) -> str | None:
    """Question, answer and fact are there, and none is longer than it should be."""
    if case.kind == UNANSWERABLE:
        lacking = [name for name in ("question", "answer") if not getattr(case, name).strip()]
    else:
        lacking = [name for name in ("question", "answer", "fact") if not getattr(case, name).strip()]
        if not lacking and not case.variants:
            lacking = ["fact"]
    if lacking:
        return f"It has no {' and no '.join(lacking)}."
    if len(case.question) > LONGEST_QUESTION or len(case.answer) > LONGEST_ANSWER:
        return "The question or the answer is too long: a sentence each is asked for."
    if long := [
        variant.text
        for variant in case.variants
        if len(variant.text.split()) > LONGEST_VARIANT or len(variant.text) > 120
    ]:
        return f"The fact “{long[0][:60]}” is a sentence: three words at most are asked for."
    return None


def check_injection(case: Case) -> str | None:
    """The passage speaks to a reader, not to a model."""
    if case.passage.instructs and case.home and all(sentence.instructs for sentence in case.home):
        return "Its passage speaks to a model, not to a reader: it may have been put there to be repeated."
    return None


def check_unanswerable(case: Case) -> str | None:
    """An unanswerable question has an answer that says so."""
    if case.kind != UNANSWERABLE:
        return None
    if refusal.find(case.answer, case.question).stance is Stance.SILENT:
        return "The question is to have no answer here, and the answer does not say so."
    return None


def check_several_facts(case: Case) -> str | None:
    """The fact is one fact: its variants say the same, and none joins two."""
    if AND_DELIMITER in case.fact:
        return "The fact joins several facts: one is asked for."
    if case.kind == "list":
        return None
    for variant in case.variants:
        parts = [part for part in _AND.split(variant.text) if part.strip()]
        if len(parts) > 1 and (_are_alike(parts) or not stands_exactly(variant.level, case.passage.level)):
            return f"The fact “{variant.text}” is several facts: one is asked for."
    single = [variant for variant in case.variants if len(variant.figures.amounts) == 1 and not variant.figures.dates]
    for one, other in combinations(single, 2):
        first, second = one.figures.amounts[0], other.figures.amounts[0]
        if first.unit == second.unit and _are_apart(first, second):
            return f"The variants “{one.text}” and “{other.text}” are two facts."
    return None


def _are_alike(parts: list[str]) -> bool:
    """Whether each part is a figure, and all are of one unit: 12% and 13%."""
    amounts = [read_variant(part.strip()).figures.amounts for part in parts]
    return all(amounts) and len({amount.unit for other in amounts for amount in other}) == 1


def _are_apart(first: Quantity, second: Quantity) -> bool:
    """Whether two quantities of one unit cannot be the same, however they were rounded."""
    apart = abs(first.value * first.factor - second.value * second.factor)
    return apart > first.half * first.factor + second.half * second.factor


def check_variants(case: Case) -> str | None:
    """Every variant of the fact stands in the passage and in the answer, word by word or as the same quantity."""
    if case.is_yes_no or case.kind == UNANSWERABLE:
        return None
    answer, passage = case.answer_stated, case.passage
    for variant in case.variants:
        if not variant.stands(passage.level, passage.stated) and not is_derived(variant, case):
            return f"The fact “{variant.text}” does not stand in its passage."
        if not variant.stands(case.answer_level, answer, case.question_level):
            return f"The fact “{variant.text}” does not stand in the answer."
    return None


def is_derived(variant: Variant, case: Case) -> bool:
    """Whether a variant is one figure that follows from others of the answer, or of the sentence asked about."""
    amounts = variant.figures.amounts
    return len(amounts) == 1 and _derive(amounts[0], case) is not None


def check_figures(case: Case) -> str | None:
    """Every figure and date of the answer stands in the passage, or follows from figures that do."""
    stated = case.passage.stated
    for amount in case.answer_stated.figures.amounts:
        if not stated.amount(amount) and _derive(amount, case) is None and not _stands(case, amount.start, amount.end):
            return f"The answer says {_quote_span(case.answer, amount.start, amount.end)}, which its passage does not."
    for date in case.answer_stated.figures.dates:
        if not stated.date(date) and not _stands(case, date.start, date.end):
            return f"The answer says {_quote_span(case.answer, date.start, date.end)}, which its passage does not."
    return None


def _quote_span(text: str, start: int, end: int) -> str:
    return f"“{text[start:end].strip()}”"


def _stands(case: Case, start: int, end: int) -> bool:
    """Whether the words of a figure stand in the passage as they are, as those of a product number do."""
    return stands_exactly(case.answer_level[start:end].strip(), case.passage.level)


def _derive(amount: Quantity, case: Case) -> str | None:
    """How a figure follows from others that stand in the answer and the passage, or in one sentence of the passage."""
    stated = [amount for amount in case.answer_stated.figures.amounts if case.passage.stated.amount(amount)]
    derived = derive(amount, stated)
    if derived or not _CHANGES.search(case.question_level + " " + case.answer_level):
        return derived
    sentences = sorted(case.passage.sentences, key=lambda sentence: -len(sentence.terms & case.question_terms))[:2]
    return next((how for sentence in sentences if (how := derive(amount, sentence.stated.figures.amounts))), None)


_CHANGES = re.compile(
    r"\b(?:gr[eo]w|growth|increas|decreas|differ|chang|rise|rose|fell|declin|total|sum|share|combined"
    r"|together|tăng|giảm|wuchs|stieg|sank|insgesamt)|增长|下降|合计"
)


def check_place(case: Case) -> str | None:
    """The figure stands in the row, column, clause and year that the question asks about."""
    if (
        not case.home
        or case.is_yes_no
        or case.is_joined
        or (case.answer_stated.figures.amounts[1:] and is_derived(case.variants[0], case))
    ):
        return None
    return _find_other_column(case) or _find_other_year(case) or _find_other_row(case)


def _find_other_column(case: Case) -> str | None:
    """A row has a cell whose name the question says, and the fact stands in another one."""
    for row in case.home:
        if not row.cells:
            continue
        own = [name for name, text in row.cells if _in_cell(case.variants, text)]
        columns = [name for name, _ in row.cells[1:] if _is_asked(case, name)]
        if own and columns and not any(_is_asked(case, name) for name in own):
            return f"The fact stands in the column “{own[0].strip()}”; the question asks about “{columns[0].strip()}”."
    return None


def _is_asked(case: Case, column: str) -> bool:
    return stands_exactly(column.lower().strip(), case.question_level)


def _in_cell(variants: Iterable[Variant], text: str) -> bool:
    stated = Stated.of(find_figures(text))
    return any(variant.stands(text.lower(), stated) for variant in variants)


def _find_other_year(case: Case) -> str | None:
    """The question says a year, and the sentence of the fact has others only, or gives that one to another figure."""
    years = set(_YEAR.findall(case.question)) or set(_YEAR.findall(case.answer))
    years -= {year for variant in case.variants for year in _YEAR.findall(variant.text)}
    if not years:
        return None
    of_home = [set(_YEAR.findall(sentence.text)) for sentence in case.home]
    if all(amount and not amount & years for amount in of_home):
        return f"The fact stands beside {min(of_home[0])}, not {min(years)}."
    given = {year for sentence in case.home for year in _find_years(sentence, case.variants)}
    if given and not given & years:
        return f"The fact is of {min(given)}, not of {min(years)}."
    return None


def _find_years(sentence: Sentence, variants: Iterable[Variant]) -> set[str]:
    """The years that stand directly behind the fact: `$131B in 2023`."""
    years = set()
    for variant in variants:
        at = sentence.level.find(variant.level)
        if at >= 0:
            behind = _YEAR_BEHIND.match(sentence.text, at + len(variant.level))
            if behind:
                years.add(behind[1])
    return years


_YEAR_BEHIND = re.compile(
    r"(?:\s+(?!than\b|from\b|over\b|since\b)[^\W\d_]+){0,2}?"
    r"\s+(?:in|for|during|im Jahr|in den|für|năm|trong năm)\s+(?:fiscal "
    r"|FY ?)?((?:19|20)\d\d)\b"
)


def _find_other_row(case: Case) -> str | None:
    """Another row, sentence or clause with a figure of the same kind has more of the question's words."""
    wanted = case.variants[0].figures
    if not wanted.amounts and not wanted.dates and not any(sentence.is_row for sentence in case.home):
        return None
    asks_date = dates.asks_date(case.question)
    own, other, other_text = 0.0, 0.0, ""
    other_values: set[str] = set()
    for sentence in case.passage.sentences:
        whole = _weigh_terms(case, sentence.terms)
        at_home = sentence in case.home
        for part in sentence.parts if whole or at_home else ():
            score = _weigh_terms(case, part.terms) + _OF_THE_SENTENCE * whole
            if at_home and any(
                variant.stands(part.level, part.stated, case.passage.level) for variant in case.variants
            ):
                own = max(own, score)
                other_values |= part.terms
            elif score > other and _is_alike(part, wanted, asks_date=asks_date):
                other, other_text = score, part.text
    lacking = sorted(case.question_terms & set(terms(other_text)) - other_values)
    if lacking and other > _CLEARLY * own + _AT_LEAST:
        return f"The fact does not stand with “{lacking[0]}”, which the question asks about: “{other_text[:80]}” does."
    return None


_OF_THE_SENTENCE = 0.25
"""What a term of the sentence counts for each of its clauses."""
_CLEARLY, _AT_LEAST = 1.3, 0.1
"""How much more of the question another clause has to have than the one with the fact."""


def _weigh_terms(case: Case, stated: frozenset[str]) -> float:
    """How much of the question these terms say; one that few sentences have counts for more."""
    return sum(case.passage.rarity.get(term, 0) for term in case.question_terms & stated)


def _is_alike(part: Sentence, wanted: Figures, *, asks_date: bool) -> bool:
    """Whether a clause has a figure of the kind that is wanted, or is a row where a name is."""
    if wanted.dates and not wanted.amounts and (asks_date or not all(date.bare for date in wanted.dates)):
        return bool(part.stated.figures.dates)
    if not wanted.amounts:
        return part.is_row
    units = {amount.unit for amount in wanted.amounts if amount.unit or part.is_row}
    return any(amount.unit in units for amount in part.stated.figures.amounts)


def is_computed(case: Case) -> bool:
    """Whether the fact follows from two other figures of the answer."""
    fact = case.variants[0].figures.amounts if case.variants else ()
    others = [amount for amount in case.answer_stated.figures.amounts if not fact or amount.value != fact[0].value]
    return len(fact) == 1 and len(others) > 1 and derive(fact[0], others) is not None


def find_link(case: Case, home: Sequence[Sentence], sentences: Sequence[Sentence]) -> str | None:
    """A name of the answer, and not of the question, that links `home` (sentences of the fact) to another one of
    `sentences`: one with all names of the question that home lacks or, where there are none, most of such words."""
    home_terms = frozenset(term for sentence in home for term in sentence.terms)
    named = frozenset(term for name in names(case.question) for term in terms(name)) - home_terms
    lacking = case.question_terms - home_terms
    of_fact = frozenset(term for variant in case.variants for term in terms(variant.text))
    for link in (*names(case.answer, first_too=True), *find_first_name(case)):
        parts = frozenset(terms(link))
        if (
            not parts
            or parts <= of_fact
            or not parts <= home_terms
            or stands_exactly(link.lower(), case.question_level)
        ):
            continue
        for sentence in sentences:
            if sentence in home or not parts <= sentence.terms:
                continue
            if named <= sentence.terms if named else 2 * len(lacking & sentence.terms) > len(lacking):
                return link
    return None
