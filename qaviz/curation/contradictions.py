"""Rules on numbers and dates of a triplet that contradict each other."""

from collections.abc import Sequence
from itertools import combinations

import polars as pl

from qaviz.curation.amounts import HALF, UNIT, VALUE, with_amounts
from qaviz.curation.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.curation.subject import COUNT, NEEDS_ALL, VARIANT, Subject
from qaviz.diagnosis import dates, quantities
from qaviz.diagnosis.evidence import Stance
from qaviz.model import ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

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
    if len({date.parts for variant in variants for date in dates.find(variant) if not date.bare}) == 1 and all(
        len(dates.find(variant)) == 1 for variant in variants
    ):
        return [], []
    against = dict.fromkeys(variants, 0)
    for one, other in combinations(against, 2):
        if contradict(one, other, question):
            against[one] += 1
            against[other] += 1
    opposed = [variant for variant, times in against.items() if times]
    return _at_fault({variant: against[variant] for variant in opposed}, answer, question), opposed


def _at_fault(against: dict[str, int], answer: str, question: str) -> list[str]:
    """Those that contradict the golden answer, else the one that contradicts most others; else none."""
    unlike = [variant for variant in against if _contradicts(variant, answer, question)]
    if 0 < len(unlike) < len(against):
        return unlike
    most = [variant for variant, times in against.items() if times == max(against.values())]
    return most if len(most) == 1 else []


def contradict(one: str, other: str, question: str) -> bool:
    """Return whether two texts are different numbers or dates, each about nothing else."""
    return _contradicts(one, other, question) and _contradicts(other, one, question)


def _contradicts(golden: str, said: str, question: str) -> bool:
    return any(
        kind(golden, said, question).stance is Stance.CONTRADICTS for kind in (dates.compare, quantities.compare)
    )


def _finding(fact: str, odd: Sequence[str], opposed: Sequence[str]) -> tuple[str | None, ...]:
    """MESSAGE, EVIDENCE, SUGGESTION, FIELD and PROPOSED."""
    others = [variant for variant in opposed if variant not in odd]
    evidence = " beside ".join(", ".join(f"“{each}”" for each in group) for group in (odd, others) if group)
    if not odd:
        message = "Variants are different numbers or dates, and the answer does not say which is right."
        return message, evidence, "Find out which variant is right, and remove the others.", None, None
    message = "A variant is another number or date than the others and the answer."
    kept, advice = _mended(fact, odd, others)
    return message, evidence, advice, FACT if kept else None, kept


def _mended(fact: str, odd: Sequence[str], others: Sequence[str]) -> tuple[str | None, str]:
    """The fact with typing errors corrected and what else is odd removed, and that in words."""
    parts = [part for part in fact.split(OR_DELIMITER) if part.strip()]
    known = {part.strip() for part in parts}
    corrected = {each: next((right for other in others if (right := _corrected(each, other))), None) for each in odd}
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


def _corrected(odd: str, right: str) -> str | None:
    """The odd number with the digits of the right one, where they differ in one digit: a typing error."""
    digits = [letter for letter in right if letter.isdigit()]
    wrong = [letter for letter in odd if letter.isdigit()]
    if len(digits) != len(wrong) or sum(one != other for one, other in zip(wrong, digits, strict=True)) != 1:
        return None
    left = iter(digits)
    return "".join(next(left) if letter.isdigit() else letter for letter in odd)
