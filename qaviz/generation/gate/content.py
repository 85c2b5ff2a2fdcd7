"""Rules on what a triplet says: it is one fact, and all of it stands in its passage or follows from that."""

import re
from itertools import combinations

from qaviz.diagnosis.evidence import Stance, refusal
from qaviz.diagnosis.evidence.quantities import Quantity
from qaviz.generation.gate.cases import UNANSWERABLE, Case, Variant, read_variant, stands_exactly
from qaviz.generation.gate.figures import derive
from qaviz.model.columns import AND_DELIMITER

LONGEST_VARIANT = 6
"""Words of a fact's variant; three are asked for."""
LONGEST_QUESTION, LONGEST_ANSWER = 400, 800
"""Characters."""

_AND = re.compile(r" (?:and|und|và|sowie) |[;&]|、|和|,\s(?=[^\d])")


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
        each.text for each in case.variants if len(each.text.split()) > LONGEST_VARIANT or len(each.text) > 120
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
    for each in case.variants:
        parts = [part for part in _AND.split(each.text) if part.strip()]
        if len(parts) > 1 and (_are_alike(parts) or not stands_exactly(each.level, case.passage.level)):
            return f"The fact “{each.text}” is several facts: one is asked for."
    single = [each for each in case.variants if len(each.figures.amounts) == 1 and not each.figures.dates]
    for one, other in combinations(single, 2):
        first, second = one.figures.amounts[0], other.figures.amounts[0]
        if first.unit == second.unit and _are_apart(first, second):
            return f"The variants “{one.text}” and “{other.text}” are two facts."
    return None


def _are_alike(parts: list[str]) -> bool:
    """Whether each part is a figure, and all are of one unit: 12% and 13%."""
    amounts = [read_variant(part.strip()).figures.amounts for part in parts]
    return all(amounts) and len({amount.unit for found in amounts for amount in found}) == 1


def _are_apart(first: Quantity, second: Quantity) -> bool:
    """Whether two quantities of one unit cannot be the same, however they were rounded."""
    apart = abs(first.value * first.factor - second.value * second.factor)
    return apart > first.half * first.factor + second.half * second.factor


def check_variants(case: Case) -> str | None:
    """Every variant of the fact stands in the passage and in the answer, word by word or as the same quantity."""
    if case.is_yes_no or case.kind == UNANSWERABLE:
        return None
    answer, passage = case.answer_stated, case.passage
    for each in case.variants:
        if not each.stands(passage.level, passage.stated) and not is_derived(each, case):
            return f"The fact “{each.text}” does not stand in its passage."
        if not each.stands(case.answer_level, answer, case.question_level):
            return f"The fact “{each.text}” does not stand in the answer."
    return None


def is_derived(variant: Variant, case: Case) -> bool:
    """Whether a variant is one figure that follows from others of the answer, or of the sentence asked about."""
    amounts = variant.figures.amounts
    return len(amounts) == 1 and _result(amounts[0], case) is not None


def check_figures(case: Case) -> str | None:
    """Every figure and date of the answer stands in the passage, or follows from figures that do."""
    stated = case.passage.stated
    for amount in case.answer_stated.figures.amounts:
        if not stated.amount(amount) and _result(amount, case) is None and not _plain(case, amount.start, amount.end):
            return f"The answer says {_quote_span(case.answer, amount.start, amount.end)}, which its passage does not."
    for date in case.answer_stated.figures.dates:
        if not stated.date(date) and not _plain(case, date.start, date.end):
            return f"The answer says {_quote_span(case.answer, date.start, date.end)}, which its passage does not."
    return None


def _quote_span(text: str, start: int, end: int) -> str:
    return f"“{text[start:end].strip()}”"


def _plain(case: Case, start: int, end: int) -> bool:
    """Whether the words of a figure stand in the passage as they are, as those of a product number do."""
    return stands_exactly(case.answer_level[start:end].strip(), case.passage.level)


def _result(amount: Quantity, case: Case) -> str | None:
    """How a figure follows from others that stand in the answer and the passage, or in one sentence of the passage."""
    said = [each for each in case.answer_stated.figures.amounts if case.passage.stated.amount(each)]
    found = derive(amount, said)
    if found or not _CHANGES.search(case.question_level + " " + case.answer_level):
        return found
    asked = sorted(case.passage.sentences, key=lambda each: -len(each.terms & case.question_terms))[:2]
    return next((how for each in asked if (how := derive(amount, each.stated.figures.amounts))), None)


_CHANGES = re.compile(
    r"\b(?:gr[eo]w|growth|increas|decreas|differ|chang|rise|rose|fell|declin|total|sum|share|combined"
    r"|together|tăng|giảm|wuchs|stieg|sank|insgesamt)|增长|下降|合计"
)
