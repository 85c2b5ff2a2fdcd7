"""Rules on numbers and dates of a triplet that contradict each other."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import polars as pl

from qaviz.diagnosis.evidence import Stance, dates, quantities
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.dates import Date
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.quantities import Quantity
from qaviz.diagnosis.evidence.quantities.agreement import fit
from qaviz.diagnosis.evidence.quantities.question import Asked
from qaviz.golden.lint.amounts import HALF, UNIT, VALUE, with_amounts
from qaviz.golden.lint.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.golden.lint.subject import COUNT, NEEDS_ALL, VARIANT, Subject
from qaviz.model.columns import ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

_WORD = re.compile(r"[^\W\d_]+")
MOST = 12
"""Variants with a number that are compared with each other. A fact of more is a list of names."""


def contradicting_variants(subject: Subject) -> pl.DataFrame:
    """Two variants of the fact are different numbers or dates, in the precision in which both are written: “134183
    million” beside “134,383 million” cannot both be right, “12.5 billion” beside “12,455 million” can. Responses that
    state the wrong one score 1."""
    suspects = _suspects(subject).select(QUESTION_ID, QUESTION, pl.col(ANSWER).fill_null(""), "numbers", FACT)
    found = [
        (question_id, *_finding(fact, odd, against))
        for question_id, question, answer, numbers, fact in suspects.iter_rows()
        for odd, against in [_odd(numbers, answer, question)]
        if against
    ]
    schema = dict.fromkeys((QUESTION_ID, MESSAGE, EVIDENCE, SUGGESTION, FIELD, PROPOSED), pl.String())
    return pl.DataFrame(found, schema=schema, orient="row")


def _suspects(subject: Subject) -> pl.DataFrame:
    """The triplets whose variants may contradict each other, with those that hold a number: `numbers`.

    Plain amounts are compared by columns; a fact of nothing else, all of which agree, is beyond suspicion.
    """
    several = subject.variants.filter((pl.col(COUNT) > 1) & ~pl.col(NEEDS_ALL) & pl.col(VARIANT).str.contains(r"\d"))
    amounts = with_amounts(several)
    plain = amounts.filter(pl.col(VALUE).is_not_null()).select(QUESTION_ID, VALUE, HALF, UNIT).unique()
    pairs = plain.join(plain, on=QUESTION_ID, suffix="_other").filter(pl.col(VALUE) < pl.col(f"{VALUE}_other"))
    comparable = (pl.col(UNIT) == pl.col(f"{UNIT}_other")) | (pl.col(UNIT) == "") | (pl.col(f"{UNIT}_other") == "")
    # A thousandth more than half of the last digit: these are floating-point numbers, and what agrees by a hair agrees.
    allowed = pl.max_horizontal(HALF, f"{HALF}_other") * 1.001
    apart = pairs.filter(comparable & (pl.col(f"{VALUE}_other") - pl.col(VALUE) > allowed))
    by_question = amounts.group_by(QUESTION_ID, maintain_order=True).agg(
        pl.first(QUESTION, ANSWER, FACT),
        pl.col(VARIANT).str.strip_chars().alias("numbers"),
        pl.col(VALUE).is_null().sum().alias("others"),
    )
    number = pl.col("numbers").list.len()
    return by_question.filter(
        number.is_between(2, MOST) & ((pl.col("others") > 0) | pl.col(QUESTION_ID).is_in(apart[QUESTION_ID].implode()))
    )


def _odd(variants: list[str], answer: str, question: str) -> tuple[list[str], list[str]]:
    """The variants that are at fault, none where nobody can tell, and all that contradict another one."""
    asked = Asked(level_text(question), frozenset(), date=False)
    read = {variant: _read(variant) for variant in variants}
    against = dict.fromkeys(read, 0)
    for (one, of_one), (other, of_other) in combinations(read.items(), 2):
        if of_one and of_other and _contradict(of_one, of_other, asked):
            against[one] += 1
            against[other] += 1
    opposed = {variant: times for variant, times in against.items() if times}
    unlike = [variant for variant in opposed if _is_unlike(variant, answer, asked)]
    if 0 < len(unlike) < len(opposed):
        return unlike, [*opposed]
    most = [variant for variant, times in opposed.items() if times == max(opposed.values())]
    return most if len(most) == 1 else [], [*opposed]


class _Variant(NamedTuple):
    """A variant that is one number or one date."""

    date: Date | None
    quantity: Quantity | None
    beside: frozenset[str]
    """The other words of the variant."""


def _read(variant: str) -> _Variant | None:
    """The one number or date that a variant is; None where it is neither, or a name with a number in it."""
    found = dates.find(variant)
    if found:
        date = found[0]
        whole = len(found) == 1 and not date.bare and not date.swapped
        beside = _words(variant, date.start, date.end)
        return _Variant(date, None, frozenset()) if whole and beside <= FUNCTION_WORDS else None
    amounts = quantities.find(variant)
    if len(amounts) != 1 or amounts[0].weak:
        return None
    beside = _words(variant, amounts[0].start, amounts[0].end)
    measured = amounts[0].scaled or amounts[0].unit
    return _Variant(None, amounts[0], beside) if measured or not beside else None


def _words(variant: str, start: int, end: int) -> frozenset[str]:
    return frozenset(_WORD.findall(level_text(variant[:start] + " " + variant[end:])))


def _contradict(one: _Variant, other: _Variant, asked: Asked) -> bool:
    """Whether two variants are different numbers, or different dates, of the same thing."""
    if one.beside and other.beside and one.beside != other.beside:
        return False
    if one.date and other.date:
        pairs = zip(one.date.parts, other.date.parts, strict=True)
        return any(None not in pair and pair[0] != pair[1] for pair in pairs)
    how = fit(one.quantity, other.quantity, asked) if one.quantity and other.quantity else None
    return how is not None and not how.agrees


def _is_unlike(variant: str, answer: str, asked: Asked) -> bool:
    """Whether the golden answer has a number or date to compare the variant with, and none that agrees."""
    read = _read(variant)
    if not read or not read.quantity:
        return dates.compare(variant, answer).stance is Stance.CONTRADICTS
    fits = [how for quantity in quantities.find(answer) if (how := fit(read.quantity, quantity, asked))]
    return bool(fits) and not any(how.agrees for how in fits)


def _finding(fact: str, odd: Sequence[str], opposed: Sequence[str]) -> tuple[str | None, ...]:
    """MESSAGE, EVIDENCE, SUGGESTION, FIELD and PROPOSED."""
    others = [variant for variant in opposed if variant not in odd]
    evidence = " beside ".join(", ".join(f"“{each}”" for each in group) for group in (odd, others) if group)
    if not odd:
        message = "Variants state different numbers or dates, and the answer does not show which is right."
        return message, evidence, "Check the source, keep the right variant and remove the others.", None, None
    message = "A variant states a different number or date from the other variants and the answer."
    kept, advice = _mend_fact(fact, odd, others)
    return message, evidence, advice, FACT if kept else None, kept


def _mend_fact(fact: str, odd: Sequence[str], others: Sequence[str]) -> tuple[str | None, str]:
    """The fact with typing errors corrected and what else is odd removed, and that in words."""
    parts = [part for part in fact.split(OR_DELIMITER) if part.strip()]
    known = {part.strip() for part in parts}
    corrected = {
        each: next((right for other in others if (right := _correct_digits(each, other))), None) for each in odd
    }
    mended, advice = [], []
    for part in parts:
        each = part.strip()
        right = corrected.get(each)
        if each in odd and (right is None or right in known):
            advice.append(f"Remove “{each}”.")
        elif right:
            advice.append(f"Write “{right}”: “{each}” looks like a typing error.")
            mended.append(right)
        else:
            mended.append(part)
    return OR_DELIMITER.join(mended) or None, " ".join(advice)


def _correct_digits(odd: str, right: str) -> str | None:
    """The odd number with the digits of the right one, where they differ in one digit: a typing error."""
    digits = [letter for letter in right if letter.isdigit()]
    wrong = [letter for letter in odd if letter.isdigit()]
    if len(digits) != len(wrong) or sum(one != other for one, other in zip(wrong, digits, strict=True)) != 1:
        return None
    left = iter(digits)
    return "".join(next(left) if letter.isdigit() else letter for letter in odd)
