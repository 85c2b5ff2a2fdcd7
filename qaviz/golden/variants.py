"""Variants that a fact lacks: the equivalent forms of its number or date, and those that correct responses use."""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

from qaviz.diagnosis.evidence import dates, quantities
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.quantities import Quantity
from qaviz.diagnosis.evidence.quantities.agreement import fit
from qaviz.diagnosis.evidence.quantities.question import Asked
from qaviz.diagnosis.languages.detection import ENGLISH
from qaviz.golden import date_forms, local_forms, number_forms
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER

_VIETNAMESE = re.compile(
    r"[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]|\b(?:bao nhiêu|công ty|ngày|tháng|năm)\b", re.IGNORECASE
)
"""Letters and words that no other language has."""
_LETTER = re.compile(r"[^\W\d_]")
_SCALED_QUESTION = re.compile(r"thousand|million|billion|trillion|nghìn|triệu|tỷ", re.IGNORECASE)


def equivalent_forms(fact: str, answer: str, question: str) -> list[str]:
    """Return the forms of the fact's number or date that none of its variants matches yet, the commonest first.

    Each says exactly what a variant says, in other units, separators, order or words; none is coarser than the golden
    answer; all are in the language of the triplet. Nothing for a fact joined by `<AND>`, for variants of which one
    contradicts another, and for a fact that is neither a number nor a date.
    """
    if AND_DELIMITER in fact:
        return []
    variants = [variant.strip() for variant in fact.split(OR_DELIMITER) if variant.strip()]
    code = local_forms.language_of_triplet(question, answer, fact)
    vietnamese = bool(_VIETNAMESE.search(question) or _VIETNAMESE.search(answer) or _VIETNAMESE.search(fact))
    if not vietnamese and code != ENGLISH:
        return _new(_in_language(variants, code), variants)
    candidates = [*_of_dates(variants, vietnamese=vietnamese)]
    if not candidates:
        candidates = [*_of_numbers(variants, answer, question, vietnamese=vietnamese)]
    return _new(candidates, variants)


def _in_language(variants: list[str], code: str) -> Iterator[str]:
    """The forms of a single variant as its own language writes them; of several nobody knows whether they agree."""
    if len(variants) == 1:
        yield from local_forms.list_dates(variants[0], code)
        yield from local_forms.list_numbers(variants[0], code)


def _new(candidates: Iterable[str], variants: list[str]) -> list[str]:
    """The candidates that no variant, and no earlier one, matches already."""
    known = [variant.lower() for variant in variants]
    found: list[str] = []
    for candidate in candidates:
        level = candidate.lower()
        if not any(each in level for each in known):
            known.append(level)
            found.append(candidate)
    return found


def _of_dates(variants: list[str], *, vietnamese: bool) -> Iterator[str]:
    """The forms of the date that the variants are, if they are one date."""
    found = [(variant, each) for variant in variants if len(each := dates.find(variant)) == 1]
    days = [of for variant, (date,) in found if (of := date_forms.day(variant, date))]
    if len({(of.year, of.month, of.day) for of in days}) != 1:
        return
    yield from date_forms.forms(days[0], vietnamese=vietnamese)


def _of_numbers(variants: list[str], answer: str, question: str, *, vietnamese: bool) -> Iterator[str]:
    """The forms of the number that the variants are, if they are one number."""
    for variant in variants:
        yield from number_forms.list_counted_forms(variant, answer)
    # Without what the question gives itself, which says nothing of the forms of a fact and takes longest to read.
    asked = Asked(level_text(question), frozenset(), date=False)
    amounts = [(variant, q) for variant in variants if (q := _amount(variant, asked))]
    if not amounts or any(_differ(one, other, asked) for (_, one), (_, other) in combinations(amounts, 2)):
        return
    scale = asked.scale if _SCALED_QUESTION.search(question) else None
    sources = _as_exact_as_the_answer(amounts, answer, asked)
    finest = min(quantity.half for _, quantity in sources)
    for text, quantity in sources:
        if of := number_forms.figure(text, quantity, scale):
            yield from number_forms.forms(of, padded=quantity.half == finest, vietnamese=vietnamese)


def _amount(variant: str, asked: Asked) -> Quantity | None:
    """The quantity that a variant is; None for a name with a number in it, and for a year."""
    found = quantities.find(variant)
    if len(found) != 1 or (dates.find(variant) and not asked.amount):
        return None
    quantity = found[0]
    before, behind = variant[: quantity.start], variant[quantity.end :]
    measured = quantity.scaled or quantity.unit
    return quantity if measured or (not _LETTER.search(before) and behind == behind.lower()) else None


def _differ(one: Quantity, other: Quantity, asked: Asked) -> bool:
    how = fit(one, other, asked)
    return how is not None and not how.agrees


def _as_exact_as_the_answer(
    amounts: list[tuple[str, Quantity]], answer: str, asked: Asked
) -> list[tuple[str, Quantity]]:
    """The amounts that are no coarser than the golden answer's, and the answer's own where it is no plain number.

    An answer that has one of them word by word supports them all.
    """
    if any(text in answer for text, _ in amounts):
        return amounts
    said = [q for q in quantities.find(answer) if (how := fit(amounts[0][1], q, asked)) and how.agrees and not q.weak]
    if not said:
        return amounts
    finest = min(said, key=lambda quantity: quantity.half)
    own = [(finest.words(answer).text, finest._replace(start=0, end=finest.end - finest.start))]
    kept = [(text, quantity) for text, quantity in amounts if quantity.half <= finest.half]
    return kept + (own if finest.scaled or finest.unit else [])
