"""Rules on the numbers and dates of a fact: forms that it lacks, and variants that contradict each other."""

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
from qaviz.diagnosis.evidence.quantities.agreement import Target, fit
from qaviz.diagnosis.languages.reading import ENGLISH, may_be_foreign
from qaviz.golden.lint.findings import (
    COUNT,
    DATED,
    EVIDENCE,
    FIELD,
    MESSAGE,
    NEEDS_ALL,
    PROPOSED,
    SUGGESTION,
    VARIANT,
    Subject,
    quote_text,
)
from qaviz.golden.local_forms import VIETNAMESE, language_of_triplet, list_dates
from qaviz.golden.written_forms import equivalent_forms
from qaviz.model.columns import ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

_GROUPED = 1000
_DATE_STYLES = {
    "iso": r"\d{4}-\d{2}-\d{2}",
    "digits": r"^\D*\d{1,2}[/.]\d{1,2}[/.]\d{4}",
    "month first": r"(?i)^\s*\p{L}+\.? \d",
    "day first": r"(?i)^\s*\d{1,2}(?:st|nd|rd|th)?(?: of)? \p{L}",
}
_AMOUNT = r"(?i)\b(?:how (?:many|much)|number|amount|total|bao nhiêu|thousand|million|billion|triệu|tỷ)"

_WORD = re.compile(r"[^\W\d_]+")
MOST = 12
"""Variants with a number that are compared with each other. A fact of more is a list of names."""

VALUE = "value"
"""The amount as a plain number: 134.4 billion is 134,400,000,000. Null where the variant is no plain amount."""
HALF = "half"
"""Half of its last digit, in the same unit."""
UNIT = "unit"
"""The currency sign or `%` that is written; empty where none is."""
STYLE = "style"
"""How it is written: by the name of its scale, with separators, as plain digits, in percent."""

_PLAIN = (
    r"^\s*(?P<sign>[$€£¥₹₫])?(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<decimals>\d+))?"
    r"\s?(?P<scale>thousand|million|billion|trillion|[kmbt]|[mbt]n|%|percent|per cent)?\s*$"
)
_LETTERS = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12, "tn": 1e12}
"""A scale only behind an amount of money: `5 m` is five metres."""
_SCALE_OF = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, **_LETTERS}
_PERCENT = ("%", "percent", "per cent")


def missing_number_form(subject: Subject) -> pl.DataFrame:
    """The fact has one form of an amount. Responses write 158,000,000 for 158 million, 12 percent for 12%, 134.383
    billion for 134,383 million. Each form is right, but scores 0 unless it is a variant of the fact."""
    amounts = _select_amounts(subject)
    one_way = pl.col(STYLE).n_unique() == 1
    digits = pl.col(STYLE).first().is_in(["digits", "separated"]).not_()
    large = (pl.col(VALUE).first() >= _GROUPED) & pl.first(QUESTION).str.contains(_AMOUNT)
    scaled = pl.first(QUESTION).str.contains(r"(?i)\b(?:in|of) (?:[a-z$€£]+ )?(?:thousand|million|billion)s?\b")
    message = "The fact has one form of an amount; responses use other forms."
    english = amounts.join(foreign := subject.once(_select_other_languages), on=QUESTION_ID, how="anti")
    findings = _propose_forms(_select_triplets(english, one_way & (digits | large | scaled)), message)
    return pl.concat([findings, _propose_forms(foreign.filter(~pl.col("dated")), message)])


def missing_date_form(subject: Subject) -> pl.DataFrame:
    """The fact has one form of a date. Responses write February 22, 2023, 22 February 2023, Feb 22, 2023 or 2023-02-22.
    Each form is right, but scores 0 unless it is a variant of the fact."""
    styles = [pl.when(pl.col(VARIANT).str.contains(like)).then(pl.lit(name)) for name, like in _DATE_STYLES.items()]
    all_dates = pl.col(VARIANT).str.contains(DATED).all().over(QUESTION_ID)
    dated = subject.variants.filter(~pl.col(NEEDS_ALL) & all_dates)
    styled = dated.with_columns(pl.coalesce(*styles, pl.lit("other")).alias(STYLE))
    message = "The fact has one form of a date; responses use other forms."
    english = styled.join(foreign := subject.once(_select_other_languages), on=QUESTION_ID, how="anti")
    findings = _propose_forms(_select_triplets(english, pl.col(STYLE).n_unique() == 1), message)
    return pl.concat([findings, _propose_forms(foreign.filter("dated"), message)])


def _select_other_languages(subject: Subject) -> pl.DataFrame:
    """The triplets with one variant whose language has forms of its own, and whether the fact is a date (`dated`)."""
    possible = subject.variants.filter(may_be_foreign(QUESTION, ANSWER, VARIANT)).filter(
        pl.len().over(QUESTION_ID) == 1
    )
    codes = [
        language_of_triplet(*texts) for texts in possible.select(QUESTION, pl.col(ANSWER).fill_null(""), FACT).rows()
    ]
    languages = possible.with_columns(pl.Series("code", codes, dtype=pl.String)).filter(
        ~pl.col(NEEDS_ALL) & (pl.col("code") != ENGLISH)
    )
    dated = [_is_dated(*row) for row in languages.select(FACT, "code").rows()]
    return languages.select(QUESTION_ID, QUESTION, ANSWER, FACT, VARIANT, pl.Series("dated", dated, dtype=pl.Boolean))


_VIETNAMESE_DATE = re.compile(r"tháng|thang|\d[/.-]\d+[/.-]\d")


def _is_dated(fact: str, code: str) -> bool:
    """Whether a fact is a date as its language writes one."""
    return bool(_VIETNAMESE_DATE.search(fact)) if code == VIETNAMESE else next(list_dates(fact, code), None) is not None


def _select_amounts(subject: Subject) -> pl.DataFrame:
    """The variants of facts that are plain amounts and nothing else, read by `with_amounts`."""
    numbers = pl.col(VARIANT).str.contains(r"^\s*[$€£¥₹₫]?\d").all().over(QUESTION_ID)
    read = with_amounts(subject.variants.filter(~pl.col(NEEDS_ALL) & numbers))
    return read.filter(pl.col(VALUE).is_not_null().all().over(QUESTION_ID))


def _select_triplets(variants: pl.DataFrame, condition: pl.Expr) -> pl.DataFrame:
    """The triplets of these variants on which a condition holds, with their first variant."""
    grouped = variants.group_by(QUESTION_ID, maintain_order=True).agg(
        pl.first(QUESTION, ANSWER, FACT, VARIANT), condition.alias("told")
    )
    return grouped.filter("told")


def _propose_forms(facts: pl.DataFrame, message: str) -> pl.DataFrame:
    """A finding for each of these facts that has other forms, which it proposes to add."""
    texts = facts.select(FACT, pl.col(ANSWER).fill_null(""), QUESTION)
    forms = [OR_DELIMITER.join(equivalent_forms(*row)) for row in texts.iter_rows()]
    proposed = facts.with_columns(pl.Series("forms", forms, dtype=pl.String))
    return proposed.filter(pl.col("forms") != "").select(
        QUESTION_ID,
        pl.lit(message).alias(MESSAGE),
        quote_text(FACT).alias(EVIDENCE),
        pl.format("Add {}.", pl.col("forms").str.replace_all(OR_DELIMITER, ", ", literal=True)).alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        pl.concat_str(FACT, pl.lit(OR_DELIMITER), "forms").alias(PROPOSED),
    )


def contradicting_variants(subject: Subject) -> pl.DataFrame:
    """Two variants of the fact are different numbers or dates, in the precision in which both are written: “134183
    million” beside “134,383 million” cannot both be right, “12.5 billion” beside “12,455 million” can. Responses that
    state the wrong one score 1."""
    suspects = _select_suspects(subject).select(QUESTION_ID, QUESTION, pl.col(ANSWER).fill_null(""), "numbers", FACT)
    findings = [
        (question_id, *_make_finding(fact, odd, against))
        for question_id, question, answer, numbers, fact in suspects.iter_rows()
        for odd, against in [_find_odd(numbers, answer, question)]
        if against
    ]
    schema = dict.fromkeys((QUESTION_ID, MESSAGE, EVIDENCE, SUGGESTION, FIELD, PROPOSED), pl.String())
    return pl.DataFrame(findings, schema=schema, orient="row")


def _select_suspects(subject: Subject) -> pl.DataFrame:
    """The triplets whose variants may contradict each other, with those that hold a number: `numbers`.

    Plain amounts are compared by columns; a fact whose variants are all plain amounts that agree is left out.
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


def _find_odd(variants: list[str], answer: str, question: str) -> tuple[list[str], list[str]]:
    """The variants at fault (none where that cannot be told), and all variants that contradict another one."""
    target = Target(level_text(question), frozenset(), date=False)
    read = {variant: _read_variant(variant) for variant in variants}
    against = dict.fromkeys(read, 0)
    for (one, of_one), (other, of_other) in combinations(read.items(), 2):
        if of_one and of_other and _contradict(of_one, of_other, target):
            against[one] += 1
            against[other] += 1
    opposed = {variant: times for variant, times in against.items() if times}
    unlike = [variant for variant in opposed if _is_unlike(variant, answer, target)]
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


def _read_variant(variant: str) -> _Variant | None:
    """The one number or date that a variant is; None where it is neither, or a name with a number in it."""
    date_list = dates.find(variant)
    if date_list:
        date = date_list[0]
        whole = len(date_list) == 1 and not date.bare and not date.swapped
        beside = _words_around(variant, date.start, date.end)
        return _Variant(date, None, frozenset()) if whole and beside <= FUNCTION_WORDS else None
    amounts = quantities.find(variant)
    if len(amounts) != 1 or amounts[0].weak:
        return None
    beside = _words_around(variant, amounts[0].start, amounts[0].end)
    measured = amounts[0].scaled or amounts[0].unit
    return _Variant(None, amounts[0], beside) if measured or not beside else None


def _words_around(variant: str, start: int, end: int) -> frozenset[str]:
    return frozenset(_WORD.findall(level_text(variant[:start] + " " + variant[end:])))


def _contradict(one: _Variant, other: _Variant, target: Target) -> bool:
    """Whether two variants are different numbers, or different dates, of the same thing."""
    if one.beside and other.beside and one.beside != other.beside:
        return False
    if one.date and other.date:
        pairs = zip(one.date.parts, other.date.parts, strict=True)
        return any(None not in pair and pair[0] != pair[1] for pair in pairs)
    how = fit(one.quantity, other.quantity, target) if one.quantity and other.quantity else None
    return how is not None and not how.agrees


def _is_unlike(variant: str, answer: str, target: Target) -> bool:
    """Whether the golden answer has a number or date to compare the variant with, and none that agrees."""
    read = _read_variant(variant)
    if read is None or read.quantity is None:
        return dates.compare(variant, answer).stance is Stance.CONTRADICTS
    fits = [how for quantity in quantities.find(answer) if (how := fit(read.quantity, quantity, target))]
    return bool(fits) and not any(how.agrees for how in fits)


def _make_finding(fact: str, odd: Sequence[str], opposed: Sequence[str]) -> tuple[str | None, ...]:
    """MESSAGE, EVIDENCE, SUGGESTION, FIELD and PROPOSED."""
    others = [variant for variant in opposed if variant not in odd]
    evidence = " beside ".join(", ".join(f"“{figure}”" for figure in group) for group in (odd, others) if group)
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
        figure: next((right for other in others if (right := _correct_digits(figure, other))), None) for figure in odd
    }
    mended, advice = [], []
    for part in parts:
        words = part.strip()
        right = corrected.get(words)
        if words in odd and (right is None or right in known):
            advice.append(f"Remove “{words}”.")
        elif right:
            advice.append(f"Write “{right}”: “{words}” looks like a typing error.")
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


def with_amounts(variants: pl.DataFrame) -> pl.DataFrame:
    """Return the variants with VALUE, HALF, UNIT and STYLE."""
    plain = pl.col(VARIANT).str.to_lowercase().str.extract_groups(_PLAIN)
    read = variants.with_columns(plain.alias("plain"))
    part = pl.col("plain").struct
    scale = part.field("scale").fill_null("")
    worth = scale.replace_strict(_SCALE_OF, default=1.0, return_dtype=pl.Float64)
    decimals = part.field("decimals").fill_null("")
    number = pl.concat_str(part.field("whole").str.replace_all(",", ""), pl.lit("."), decimals, pl.lit("0"))
    cents = part.field("sign").is_not_null() & (decimals == "00")
    digits = pl.when(cents).then(0).otherwise(decimals.str.len_chars().cast(pl.Int32))
    percent = scale.is_in(_PERCENT)
    metres = scale.is_in([*_LETTERS]) & part.field("sign").is_null()
    return read.with_columns(
        pl.when(~metres).then(number.cast(pl.Float64, strict=False) * worth).alias(VALUE),
        (0.5 * worth * (10.0 ** (-digits.cast(pl.Float64)))).alias(HALF),
        pl.when(percent).then(pl.lit("%")).otherwise(part.field("sign").fill_null("")).alias(UNIT),
        pl.when(scale != "")
        .then(scale)
        .when(part.field("whole").str.contains(",", literal=True))
        .then(pl.lit("separated"))
        .otherwise(pl.lit("digits"))
        .alias(STYLE),
    ).drop("plain")
