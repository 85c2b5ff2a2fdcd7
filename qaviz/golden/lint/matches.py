"""Rules on variants that match too much: inside larger numbers and words, or another number altogether."""

import re

import polars as pl

from qaviz.diagnosis.evidence import dates
from qaviz.golden.lint.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.golden.lint.subject import COUNT, VARIANT, Subject, normal, rejoined
from qaviz.golden.lint.texts import DATED, listed, quoted
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID

_SHORT_NUMBER = r"^\s*\d{1,3}(?:\s?%|[\s-]\p{Ll}+)\s*$"
"""A whole number of up to three digits, and a sign or a word that it counts."""
_BARE = r"^\W*\d+\W*$"
_BARE_DIGITS = 4
_DECIMAL = r"^\W*\d+\.\d+\W*\w*\W*$"
"""A number with a decimal point, and a word at most."""
_FEW_DIGITS = 4
"""Digits up to which a number without its decimal point is one that occurs."""
_SIGNED = r"^\s*(?:[-−–]\s?[$€£¥₹₫]?\s?\d|[$€£¥₹₫]\s?[-−–]\s?\d|\([$€£¥₹₫]?\d[\d.,]*\))"
_SHORT_WORD = r"^[\p{Latin}\p{Cyrillic}\p{Greek}]{1,3}$"
_NO_NOUN = r"(?!and|are|but|for|from|had|has|have|per|percent|that|was|were|with|out|the|is|in|of|or|to)"


def bare_number(subject: Subject) -> pl.DataFrame:
    """A variant is a short number and nothing else. It stands in years, ids, telephone numbers and larger numbers, so
    a response that says something else entirely can match. A year that the question asks for is left alone."""
    digits = pl.col(VARIANT).str.replace_all(r"\D", "")
    bare = subject.variants.filter(pl.col(VARIANT).str.contains(_BARE))
    short = bare.filter(digits.str.len_chars() <= _BARE_DIGITS)
    asks_year = pl.Series([*map(dates.asks_date, short[QUESTION])], dtype=pl.Boolean)
    found = short.filter(~(asks_year & short.select(digits.str.contains(r"^[12]\d{3}$")).to_series()))
    return _by_question(
        found,
        message="A short bare number matches years, ids, telephone numbers and larger numbers.",
        suggestion="Write the number with what it counts or measures.",
    ).join(_add_counted_nouns(subject, found), on=QUESTION_ID, how="left", maintain_order="left")


def _add_counted_nouns(subject: Subject, bare: pl.DataFrame) -> pl.DataFrame:
    """The facts whose bare numbers get the word behind them in the golden answer: QUESTION_ID, FIELD, PROPOSED."""
    named = [
        (question_id, variant, f"{variant.strip()} {noun[1]}")
        for question_id, variant, answer in bare.select(QUESTION_ID, VARIANT, pl.col(ANSWER).fill_null("")).iter_rows()
        if (noun := re.search(rf"(?<![\d.,]){re.escape(variant.strip())}[ -]{_NO_NOUN}([^\W\d_]{{3,}})", answer))
    ]
    longer = pl.DataFrame(named, schema={QUESTION_ID: pl.String, VARIANT: pl.String, "longer": pl.String}, orient="row")
    of_named = subject.variants.join(longer.select(QUESTION_ID).unique(), on=QUESTION_ID, how="semi")
    renamed = of_named.join(longer, on=[QUESTION_ID, VARIANT], how="left", maintain_order="left")
    mended = rejoined(renamed.with_columns(pl.coalesce("longer", VARIANT).alias(VARIANT)))
    return mended.select(QUESTION_ID, pl.lit(FACT).alias(FIELD), pl.col(FACT).alias(PROPOSED))


def id_like_number(subject: Subject) -> pl.DataFrame:
    """The fact is a long number without separators and has no other form. Ids and telephone numbers are written like
    that, and responses write numbers with separators."""
    digits = pl.col(VARIANT).str.strip_chars()
    return _by_question(
        subject.variants.filter((pl.col(COUNT) == 1) & digits.str.contains(rf"^\d{{{_BARE_DIGITS + 1},}}$")),
        message="A long number without separators looks like an id or a telephone number.",
        suggestion="Add the number with separators as a variant.",
    )


def inside_larger_number(subject: Subject) -> pl.DataFrame:
    """A variant begins with a number of up to three digits. FMEval knows no word boundaries: “12%” stands in “112%”
    and “158 million” in “2,158 million”, and both score 1."""
    found = subject.variants.filter(pl.col(VARIANT).str.contains(_SHORT_NUMBER) & ~pl.col(VARIANT).str.contains(DATED))
    larger = pl.format("“1{}”", pl.col(VARIANT).str.strip_chars())
    return _by_question(
        found,
        message="A short number has no boundary: larger numbers that end in it match too.",
        suggestion="Put the currency sign or the word before it into the variant, if responses always have it.",
        evidence=pl.format("{} stands in {}", quoted(pl.col(VARIANT).str.strip_chars()).first(), larger.first()),
    )


def inside_longer_word(subject: Subject) -> pl.DataFrame:
    """A variant is a word of up to three letters. FMEval knows no word boundaries: “UN” stands in “under”, and any
    response with such a word scores 1."""
    return _by_question(
        subject.variants.filter(pl.col(VARIANT).str.strip_chars().str.contains(_SHORT_WORD)),
        message="A word of so few letters stands inside other words, which match too.",
        suggestion="Remove the variant, or write it with a word beside it.",
    )


def decimal_point_lost(subject: Subject) -> pl.DataFrame:
    """A variant is a number of few digits with a decimal point. Quasi-exact Factual Knowledge deletes the point, so
    “1,344 billion” states “134.4 billion”; exact Factual Knowledge is not affected."""
    digits = pl.col(VARIANT).str.replace_all(r"\D", "").str.len_chars()
    decimal = subject.variants.filter(pl.col(VARIANT).str.contains(".", literal=True))
    found = decimal.filter(pl.col(VARIANT).str.contains(_DECIMAL)).filter(digits <= _FEW_DIGITS)
    return _by_question(
        found.with_columns(normal(found[VARIANT]).alias("read")),
        message="Quasi-exact Factual Knowledge deletes the decimal point: another number matches.",
        suggestion="Go by exact Factual Knowledge here; it keeps the point.",
        evidence=pl.format("{} is read as {}", quoted(VARIANT).first(), quoted("read").first()),
    )


def sign_lost(subject: Subject) -> pl.DataFrame:
    """A variant is a negative number by its sign or brackets alone. Quasi-exact Factual Knowledge deletes them, so
    the positive number matches as well."""
    return _by_question(
        subject.variants.filter(pl.col(VARIANT).str.contains(_SIGNED)),
        message="Quasi-exact Factual Knowledge deletes the minus sign or brackets: the positive number matches.",
        suggestion="Say the sign in a word as well, such as a loss or a decrease of the amount.",
    )


def _by_question(
    variants: pl.DataFrame, *, message: str, suggestion: str, evidence: pl.Expr | None = None
) -> pl.DataFrame:
    """One finding a question on some of its variants, which are the evidence unless another one is given."""
    shown = listed(pl.col(VARIANT)) if evidence is None else evidence
    return variants.group_by(QUESTION_ID, maintain_order=True).agg(
        pl.lit(message).alias(MESSAGE), shown.alias(EVIDENCE), pl.lit(suggestion).alias(SUGGESTION)
    )
