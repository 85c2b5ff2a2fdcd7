"""Rules on variants that match too much: inside larger numbers and words, or another number altogether."""

import re

import polars as pl

from qaviz.diagnosis.evidence import dates
from qaviz.golden.lint.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.golden.lint.subject import COUNT, VARIANT, Subject, normal, rejoin_variants
from qaviz.golden.lint.texts import DATED, list_texts, quote_text
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
    """A variant is a short number and nothing else. It also occurs in years, ids, telephone numbers and larger numbers,
    so a wrong response can match. A year that the question asks for is excluded."""
    digits = pl.col(VARIANT).str.replace_all(r"\D", "")
    bare = subject.variants.filter(pl.col(VARIANT).str.contains(_BARE))
    short = bare.filter(digits.str.len_chars() <= _BARE_DIGITS)
    asks_year = pl.Series([*map(dates.asks_date, short[QUESTION])], dtype=pl.Boolean)
    found = short.filter(~(asks_year & short.select(digits.str.contains(r"^[12]\d{3}$")).to_series()))
    return _by_question(
        found,
        message="A short number without a unit also matches years, ids, telephone numbers and larger numbers.",
        suggestion="Add its unit, or what it counts.",
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
    mended = rejoin_variants(renamed.with_columns(pl.coalesce("longer", VARIANT).alias(VARIANT)))
    return mended.select(QUESTION_ID, pl.lit(FACT).alias(FIELD), pl.col(FACT).alias(PROPOSED))


def id_like_number(subject: Subject) -> pl.DataFrame:
    """The fact is a long number without separators, and has no other variant. Ids and telephone numbers look like that,
    while responses write numbers with separators."""
    digits = pl.col(VARIANT).str.strip_chars()
    return _by_question(
        subject.variants.filter((pl.col(COUNT) == 1) & digits.str.contains(rf"^\d{{{_BARE_DIGITS + 1},}}$")),
        message="A long number without separators can also match an id or a telephone number.",
        suggestion="Add a variant with thousands separators.",
    )


def inside_larger_number(subject: Subject) -> pl.DataFrame:
    """A variant begins with a number of up to three digits. FMEval ignores word boundaries: “12%” matches “112%”, and
    “158 million” matches “2,158 million”; both score 1."""
    found = subject.variants.filter(pl.col(VARIANT).str.contains(_SHORT_NUMBER) & ~pl.col(VARIANT).str.contains(DATED))
    larger = pl.format("“1{}”", pl.col(VARIANT).str.strip_chars())
    return _by_question(
        found,
        message="A short number also matches larger numbers that end in it.",
        suggestion="Add the currency sign or the word before it to the variant, if every response has it.",
        evidence=pl.format("{} is part of {}", quote_text(pl.col(VARIANT).str.strip_chars()).first(), larger.first()),
    )


def inside_longer_word(subject: Subject) -> pl.DataFrame:
    """A variant is a word of up to three letters. FMEval ignores word boundaries: “UN” matches “under”, so any response
    with such a word scores 1."""
    return _by_question(
        subject.variants.filter(pl.col(VARIANT).str.strip_chars().str.contains(_SHORT_WORD)),
        message="A short word also matches longer words that contain it.",
        suggestion="Remove the variant, or add a word beside it.",
    )


def decimal_point_lost(subject: Subject) -> pl.DataFrame:
    """A variant is a number of few digits with a decimal point. Quasi-exact Factual Knowledge deletes the point, so
    “1,344 billion” matches “134.4 billion”. Exact Factual Knowledge is not affected."""
    digits = pl.col(VARIANT).str.replace_all(r"\D", "").str.len_chars()
    decimal = subject.variants.filter(pl.col(VARIANT).str.contains(".", literal=True))
    found = decimal.filter(pl.col(VARIANT).str.contains(_DECIMAL)).filter(digits <= _FEW_DIGITS)
    return _by_question(
        found.with_columns(normal(found[VARIANT]).alias("read")),
        message="Quasi-exact Factual Knowledge deletes the decimal point, so a different number also matches.",
        suggestion="Use exact Factual Knowledge here; it keeps the decimal point.",
        evidence=pl.format("{} is read as {}", quote_text(VARIANT).first(), quote_text("read").first()),
    )


def sign_lost(subject: Subject) -> pl.DataFrame:
    """A variant is a negative number, shown only by a minus sign or brackets. Quasi-exact Factual Knowledge deletes
    these, so the positive number also matches."""
    return _by_question(
        subject.variants.filter(pl.col(VARIANT).str.contains(_SIGNED)),
        message="Quasi-exact Factual Knowledge deletes minus signs and brackets, so the positive number also matches.",
        suggestion="Add a word for the sign, such as “loss” or “decrease”.",
    )


def _by_question(
    variants: pl.DataFrame, *, message: str, suggestion: str, evidence: pl.Expr | None = None
) -> pl.DataFrame:
    """One finding a question on some of its variants, which are the evidence unless another one is given."""
    shown = list_texts(pl.col(VARIANT)) if evidence is None else evidence
    return variants.group_by(QUESTION_ID, maintain_order=True).agg(
        pl.lit(message).alias(MESSAGE), shown.alias(EVIDENCE), pl.lit(suggestion).alias(SUGGESTION)
    )
