"""Rules on forms that a fact lacks: units, other scales and separators, other ways to write a date."""

import re

import polars as pl

from qaviz.diagnosis.evidence import quantities
from qaviz.diagnosis.languages.detection import ENGLISH, may_be_foreign
from qaviz.golden.lint.amounts import STYLE, UNIT, VALUE, with_amounts
from qaviz.golden.lint.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.golden.lint.subject import NEEDS_ALL, VARIANT, Subject
from qaviz.golden.lint.texts import DATED, quote_text
from qaviz.golden.local_forms import VIETNAMESE, language_of_triplet, list_dates
from qaviz.golden.variants import equivalent_forms
from qaviz.model.columns import ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

_GROUPED = 1000
_DATE_STYLES = {
    "iso": r"\d{4}-\d{2}-\d{2}",
    "digits": r"^\D*\d{1,2}[/.]\d{1,2}[/.]\d{4}",
    "month first": r"(?i)^\s*\p{L}+\.? \d",
    "day first": r"(?i)^\s*\d{1,2}(?:st|nd|rd|th)?(?: of)? \p{L}",
}
_AMOUNT = r"(?i)\b(?:how (?:many|much)|number|amount|total|bao nhiêu|thousand|million|billion|triệu|tỷ)"


def missing_unit(subject: Subject) -> pl.DataFrame:
    """The fact is a number without a unit, and the answer has a unit or a scale. The number alone matches any unit:
    “134.4” matches “134.4 thousand”."""
    amounts = _whole_facts(subject)
    plain = pl.col(STYLE).is_in(["digits", "separated"]) & (pl.col(UNIT) == "")
    bare = _by_question(amounts, plain.all()).filter(pl.col(ANSWER).is_not_null())
    found = [
        (question_id, fact, words, _with_unit(fact, words))
        for question_id, answer, fact, variant in bare.select(QUESTION_ID, ANSWER, FACT, VARIANT).iter_rows()
        if (words := _find_measure_words(answer, variant.strip()))
    ]
    told = pl.DataFrame(
        found, schema=[(name, pl.String) for name in (QUESTION_ID, FACT, "words", PROPOSED)], orient="row"
    )
    return told.select(
        QUESTION_ID,
        pl.lit("The fact is a number without the unit that the answer has.").alias(MESSAGE),
        pl.format("{} beside {}", quote_text(FACT), quote_text("words")).alias(EVIDENCE),
        pl.lit("Add the unit.").alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        PROPOSED,
    )


def _find_measure_words(answer: str, number: str) -> str | None:
    """The words in which the answer gives the number a unit or a scale; None where it does not."""
    if number not in answer:
        return None
    found = (quantity for quantity in quantities.find(answer) if quantity.scaled or quantity.unit)
    spans = (quantity.words(answer).text for quantity in found)
    return next(
        (words for words in spans if number in words.split() or number == words.strip("$€£¥₹₫%").split()[0]), None
    )


def _with_unit(fact: str, words: str) -> str:
    """The fact with the measured words in place of the plain numbers that they hold."""
    kept = [variant for variant in fact.split(OR_DELIMITER) if variant.strip() and variant.strip() not in words]
    return OR_DELIMITER.join((words, *kept))


def missing_number_form(subject: Subject) -> pl.DataFrame:
    """The fact has one form of an amount. Responses write 158,000,000 for 158 million, 12 percent for 12%, 134.383
    billion for 134,383 million. Each form is right, but scores 0 unless it is a variant of the fact."""
    amounts = _whole_facts(subject)
    one_way = pl.col(STYLE).n_unique() == 1
    told = pl.col(STYLE).first().is_in(["digits", "separated"]).not_()
    large = (pl.col(VALUE).first() >= _GROUPED) & pl.first(QUESTION).str.contains(_AMOUNT)
    scaled = pl.first(QUESTION).str.contains(r"(?i)\b(?:in|of) (?:[a-z$€£]+ )?(?:thousand|million|billion)s?\b")
    message = "The fact has one form of an amount; responses use other forms."
    english = amounts.join(foreign := subject.once(_in_other_languages), on=QUESTION_ID, how="anti")
    found = _with_forms(_by_question(english, one_way & (told | large | scaled)), message)
    return pl.concat([found, _with_forms(foreign.filter(~pl.col("dated")), message)])


def missing_date_form(subject: Subject) -> pl.DataFrame:
    """The fact has one form of a date. Responses write February 22, 2023, 22 February 2023, Feb 22, 2023 or 2023-02-22.
    Each form is right, but scores 0 unless it is a variant of the fact."""
    styles = [pl.when(pl.col(VARIANT).str.contains(like)).then(pl.lit(name)) for name, like in _DATE_STYLES.items()]
    all_dates = pl.col(VARIANT).str.contains(DATED).all().over(QUESTION_ID)
    dated = subject.variants.filter(~pl.col(NEEDS_ALL) & all_dates)
    styled = dated.with_columns(pl.coalesce(*styles, pl.lit("other")).alias(STYLE))
    message = "The fact has one form of a date; responses use other forms."
    english = styled.join(foreign := subject.once(_in_other_languages), on=QUESTION_ID, how="anti")
    found = _with_forms(_by_question(english, pl.col(STYLE).n_unique() == 1), message)
    return pl.concat([found, _with_forms(foreign.filter("dated"), message)])


def _in_other_languages(subject: Subject) -> pl.DataFrame:
    """The triplets with one variant whose language has forms of its own, and whether the fact is a date (`dated`)."""
    possible = subject.variants.filter(may_be_foreign(QUESTION, ANSWER, VARIANT)).filter(
        pl.len().over(QUESTION_ID) == 1
    )
    codes = [
        language_of_triplet(*texts) for texts in possible.select(QUESTION, pl.col(ANSWER).fill_null(""), FACT).rows()
    ]
    told = possible.with_columns(pl.Series("code", codes, dtype=pl.String)).filter(
        ~pl.col(NEEDS_ALL) & (pl.col("code") != ENGLISH)
    )
    dated = [_is_dated(*each) for each in told.select(FACT, "code").rows()]
    return told.select(QUESTION_ID, QUESTION, ANSWER, FACT, VARIANT, pl.Series("dated", dated, dtype=pl.Boolean))


_VIETNAMESE_DATE = re.compile(r"tháng|thang|\d[/.-]\d+[/.-]\d")


def _is_dated(fact: str, code: str) -> bool:
    """Whether a fact is a date as its language writes one."""
    return bool(_VIETNAMESE_DATE.search(fact)) if code == VIETNAMESE else next(list_dates(fact, code), None) is not None


def _whole_facts(subject: Subject) -> pl.DataFrame:
    """The variants of facts that are plain amounts and nothing else, read by `with_amounts`."""
    numbers = pl.col(VARIANT).str.contains(r"^\s*[$€£¥₹₫]?\d").all().over(QUESTION_ID)
    read = with_amounts(subject.variants.filter(~pl.col(NEEDS_ALL) & numbers))
    return read.filter(pl.col(VALUE).is_not_null().all().over(QUESTION_ID))


def _by_question(variants: pl.DataFrame, condition: pl.Expr) -> pl.DataFrame:
    """The triplets of these variants on which a condition holds, with their first variant."""
    grouped = variants.group_by(QUESTION_ID, maintain_order=True).agg(
        pl.first(QUESTION, ANSWER, FACT, VARIANT), condition.alias("told")
    )
    return grouped.filter("told")


def _with_forms(facts: pl.DataFrame, message: str) -> pl.DataFrame:
    """A finding for each of these facts that has other forms, which it proposes to add."""
    texts = facts.select(FACT, pl.col(ANSWER).fill_null(""), QUESTION)
    found = facts.with_columns(pl.Series("forms", [*map(_joined_forms, texts.iter_rows())], dtype=pl.String))
    return found.filter(pl.col("forms") != "").select(
        QUESTION_ID,
        pl.lit(message).alias(MESSAGE),
        quote_text(FACT).alias(EVIDENCE),
        pl.format("Add {}.", pl.col("forms").str.replace_all(OR_DELIMITER, ", ", literal=True)).alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        pl.concat_str(FACT, pl.lit(OR_DELIMITER), "forms").alias(PROPOSED),
    )


def _joined_forms(texts: tuple[str, str, str]) -> str:
    return OR_DELIMITER.join(equivalent_forms(*texts))
