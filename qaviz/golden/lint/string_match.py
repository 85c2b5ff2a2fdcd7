"""Rules on the letters of a fact or an answer: where FMEval's string match misses what people read, or matches too
much.
"""

import re

import polars as pl

from qaviz.diagnosis.evidence import dates
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.golden.lint.findings import (
    COUNT,
    DATED,
    EVIDENCE,
    FIELD,
    MESSAGE,
    NEEDS_ALL,
    NUMBER,
    PROPOSED,
    SUGGESTION,
    VARIANT,
    Subject,
    list_texts,
    normal,
    quote_text,
    rejoin_variants,
)
from qaviz.model.columns import AND_DELIMITER, ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

_SHORT_NUMBER = r"^\s*\d{1,3}(?:\s?%|[\s-]\p{Ll}+)\s*$"
"""A whole number of up to three digits, and a sign or a word that it counts."""
_BARE = r"^[^\w%‰‱％\p{Sc}\p{So}]*\d+[^\w%‰‱％\p{Sc}\p{So}]*$"
"""A number and no sign that says what it counts: `%`, a currency, `°`."""
_BARE_DIGITS = 4
_DECIMAL = r"^\W*\d+\.\d+\W*\w*\W*$"
"""A number with a decimal point, and a word at most."""
_FEW_DIGITS = 4
"""Digits up to which a number without its decimal point is one that occurs."""
_SIGNED = r"^\s*(?:[-−–]\s?[$€£¥₹₫]?\s?\d|[$€£¥₹₫]\s?[-−–]\s?\d|\([$€£¥₹₫]?\d[\d.,]*\))"
_SHORT_WORD = r"^[\p{Latin}\p{Cyrillic}\p{Greek}]{1,3}$"
_HYPHENS = "\\-‐‑"
_COMPOUND = rf"[^\W\d_]{{3,}}(?:[{_HYPHENS}][^\W\d_]+s\b)?"
"""A word, or two with a hyphen of which the last is a plural: `work-hours`, not `work-related`."""
_NO_NOUN = r"(?!and|are|but|for|from|had|has|have|per|percent|that|was|were|with|out|the|is|in|of|or|to)"

CURLY = {"‘": "'", "’": "'", "‛": "'", "′": "'", "“": '"', "”": '"', "„": '"', "″": '"'}
"""Curly quotation mark → the straight one that most responses have in its place."""
_CURLY = f"[{''.join(CURLY)}]"

_MAY_BE_EMPTY = r"^[\W_]*(?:(?i:an?|the)[\W_]+)*(?i:an?|the)?[\W_]*$"
"""Punctuation and articles alone, and a little more than FMEval deletes."""

_INVISIBLE = {"\u00a0": " ", "\u2007": " ", "\u2009": " ", "\u202f": " "} | dict.fromkeys(
    ("\u00ad", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff"), ""
)
"""Blanks that are not the blank, and what cannot be seen at all → what people type."""
_TWO_ALPHABETS = r"\p{Latin}[\p{Cyrillic}\p{Greek}]|[\p{Cyrillic}\p{Greek}]\p{Latin}"
_SCIENTIFIC = r"[µμΩ∆αβγδλσπ]"
"""Greek letters that stand beside Latin ones on purpose: μm, kΩ, β2."""


def bare_number(subject: Subject) -> pl.DataFrame:
    """A variant is a short number and nothing else. It also occurs in years, ids, telephone numbers and larger numbers,
    so a wrong response can match. A year that the question asks for is excluded."""
    digits = pl.col(VARIANT).str.replace_all(r"\D", "")
    bare = subject.variants.filter(pl.col(VARIANT).str.contains(_BARE))
    short = bare.filter(digits.str.len_chars() <= _BARE_DIGITS)
    asks_year = pl.Series([*map(dates.asks_date, short[QUESTION])], dtype=pl.Boolean)
    findings = short.filter(~(asks_year & short.select(digits.str.contains(r"^[12]\d{3}$")).to_series()))
    return _report_by_question(
        findings,
        message="A short number without a unit also matches years, ids, telephone numbers and larger numbers.",
        suggestion="Add its unit, or what it counts.",
    ).join(_add_counted_nouns(subject, findings), on=QUESTION_ID, how="left", maintain_order="left")


def _add_counted_nouns(subject: Subject, bare: pl.DataFrame) -> pl.DataFrame:
    """The facts whose bare numbers get the word behind them in the golden answer: QUESTION_ID, FIELD, PROPOSED."""
    named = [
        (question_id, variant, f"{variant.strip()} {noun}")
        for question_id, variant, answer in bare.select(QUESTION_ID, VARIANT, pl.col(ANSWER).fill_null("")).iter_rows()
        if (noun := _find_counted_noun(variant.strip(), answer))
    ]
    longer = pl.DataFrame(named, schema={QUESTION_ID: pl.String, VARIANT: pl.String, "longer": pl.String}, orient="row")
    of_named = subject.variants.join(longer.select(QUESTION_ID).unique(), on=QUESTION_ID, how="semi")
    renamed = of_named.join(longer, on=[QUESTION_ID, VARIANT], how="left", maintain_order="left")
    mended = rejoin_variants(renamed.with_columns(pl.coalesce("longer", VARIANT).alias(VARIANT)))
    return mended.select(QUESTION_ID, pl.lit(FACT).alias(FIELD), pl.col(FACT).alias(PROPOSED))


def _find_counted_noun(number: str, answer: str) -> str | None:
    """The whole word behind the number in the answer: `hours`, `work-hours`. None where it could be cut from a longer
    name: before a hyphen, a slash, an apostrophe or another content word (`40 work hours`, `40-hour week`).
    """
    words = re.search(rf"(?<![\d.,]){re.escape(number)} {_NO_NOUN}({_COMPOUND})(?![\w/'’{_HYPHENS}])", answer)
    if not words:
        return None
    behind = re.match(r" ([^\W\d_]+)", answer[words.end() :])
    ends = words[1].endswith("s") or not behind or behind[1].lower() in FUNCTION_WORDS
    return words[1] if ends else None


def inside_larger_number(subject: Subject) -> pl.DataFrame:
    """A variant begins with a number of up to three digits. FMEval ignores word boundaries: “12%” matches “112%”, and
    “158 million” matches “2,158 million”; both score 1."""
    findings = subject.variants.filter(
        pl.col(VARIANT).str.contains(_SHORT_NUMBER) & ~pl.col(VARIANT).str.contains(DATED)
    )
    larger = pl.format("“1{}”", pl.col(VARIANT).str.strip_chars())
    return _report_by_question(
        findings,
        message="A short number also matches larger numbers that end in it.",
        suggestion="Add the currency sign or the word before it to the variant, if every response has it.",
        evidence=pl.format("{} is part of {}", quote_text(pl.col(VARIANT).str.strip_chars()).first(), larger.first()),
    )


def inside_longer_word(subject: Subject) -> pl.DataFrame:
    """A variant is a word of up to three letters. FMEval ignores word boundaries: “UN” matches “under”, so any response
    with such a word scores 1."""
    return _report_by_question(
        subject.variants.filter(pl.col(VARIANT).str.strip_chars().str.contains(_SHORT_WORD)),
        message="A short word also matches longer words that contain it.",
        suggestion="Remove the variant, or add a word beside it.",
    )


def decimal_point_lost(subject: Subject) -> pl.DataFrame:
    """A variant is a number of few digits with a decimal point. Quasi-exact Factual Knowledge deletes the point, so
    “1,344 billion” matches “134.4 billion”. Exact Factual Knowledge is not affected."""
    digits = pl.col(VARIANT).str.replace_all(r"\D", "").str.len_chars()
    decimal = subject.variants.filter(pl.col(VARIANT).str.contains(".", literal=True))
    findings = decimal.filter(pl.col(VARIANT).str.contains(_DECIMAL)).filter(digits <= _FEW_DIGITS)
    return _report_by_question(
        findings.with_columns(normal(findings[VARIANT]).alias("read")),
        message="Quasi-exact Factual Knowledge deletes the decimal point, so a different number also matches.",
        suggestion="Use exact Factual Knowledge here; it keeps the decimal point.",
        evidence=pl.format("{} is read as {}", quote_text(VARIANT).first(), quote_text("read").first()),
    )


def sign_lost(subject: Subject) -> pl.DataFrame:
    """A variant is a negative number, shown only by a minus sign or brackets. Quasi-exact Factual Knowledge deletes
    these, so the positive number also matches."""
    return _report_by_question(
        subject.variants.filter(pl.col(VARIANT).str.contains(_SIGNED)),
        message="Quasi-exact Factual Knowledge deletes minus signs and brackets, so the positive number also matches.",
        suggestion="Add a word for the sign, such as “loss” or “decrease”.",
    )


def _report_by_question(
    variants: pl.DataFrame, *, message: str, suggestion: str, evidence: pl.Expr | None = None
) -> pl.DataFrame:
    """One finding a question on some of its variants, which are the evidence unless another one is given."""
    shown = list_texts(pl.col(VARIANT)) if evidence is None else evidence
    return variants.group_by(QUESTION_ID, maintain_order=True).agg(
        pl.lit(message).alias(MESSAGE), shown.alias(EVIDENCE), pl.lit(suggestion).alias(SUGGESTION)
    )


def empty_variant(subject: Subject) -> pl.DataFrame:
    """A variant of the fact is empty, or has only punctuation and articles. FMEval finds it in every response, so every
    response scores 1."""
    bare = subject.variants.filter(pl.col(VARIANT).str.contains(_MAY_BE_EMPTY))
    every = bare.filter(normal(bare[VARIANT]) == "")
    of_these = subject.variants.join(every.select(QUESTION_ID).unique(), on=QUESTION_ID, how="semi")
    kept = of_these.join(every, on=[QUESTION_ID, NUMBER], how="anti", maintain_order="left")
    mended = rejoin_variants(kept).rename({FACT: PROPOSED})
    empty = every.unique(QUESTION_ID, keep="first", maintain_order=True)
    return empty.join(mended, on=QUESTION_ID, how="left", maintain_order="left").select(
        QUESTION_ID,
        pl.format("Variant {} of {} is empty for FMEval, so every response matches it.", NUMBER, COUNT).alias(MESSAGE),
        pl.format("{} in {}", quote_text(VARIANT), quote_text(FACT)).alias(EVIDENCE),
        pl.lit("Remove the empty variant.").alias(SUGGESTION),
        pl.when(pl.col(PROPOSED).is_not_null()).then(pl.lit(FACT)).alias(FIELD),
        PROPOSED,
    )


def blank_around_variant(subject: Subject) -> pl.DataFrame:
    """A variant begins or ends with a space. FMEval matches the space too, so “(10,317,750,796)” does not match
    “ 10,317,750,796”."""
    trimmed = subject.variants.with_columns(pl.col(VARIANT).str.strip_chars().alias("trimmed"))
    padded = trimmed.filter((pl.col("trimmed") != pl.col(VARIANT)) & (pl.col("trimmed") != ""))
    return _suggest_mended(
        padded,
        trimmed.with_columns(pl.col("trimmed").alias(VARIANT)),
        "A variant begins or ends with a space, which responses must contain too.",
        "Remove the spaces.",
    )


def unread_delimiter(subject: Subject) -> pl.DataFrame:
    """FMEval cannot read the fact's delimiters. It knows `<OR>` and `<AND>`, in capitals and without spaces, and not
    both in one fact. It reads anything else as text that a response must contain."""
    both = pl.all_horizontal(pl.col(FACT).str.contains(mark, literal=True) for mark in (OR_DELIMITER, AND_DELIMITER))
    as_read = pl.col(FACT).str.replace_all(r"(?i)<\s*or\s*/?>|&lt;or&gt;", OR_DELIMITER)
    as_read = as_read.str.replace_all(r"(?i)<\s*and\s*/?>|&lt;and&gt;", AND_DELIMITER)
    odd = subject.golden.filter(both | (as_read != pl.col(FACT)))
    return odd.select(
        QUESTION_ID,
        pl.when(both)
        .then(pl.lit("The fact mixes <OR> and <AND>, so FMEval cannot score it."))
        .otherwise(pl.lit("FMEval reads a misspelt delimiter as text; it knows only <OR> and <AND>."))
        .alias(MESSAGE),
        quote_text(FACT).alias(EVIDENCE),
        pl.when(both)
        .then(pl.lit("Use one of the two delimiters, or split the triplet into two questions."))
        .otherwise(pl.lit("Write the delimiter as <OR> or <AND>."))
        .alias(SUGGESTION),
        pl.when(~both).then(pl.lit(FACT)).alias(FIELD),
        pl.when(~both).then(as_read).alias(PROPOSED),
    )


def repeated_variant(subject: Subject) -> pl.DataFrame:
    """The fact contains the same variant twice. The second one has no effect."""
    key = pl.struct(QUESTION_ID, VARIANT)
    marked = subject.variants.with_columns((~key.is_first_distinct()).alias("again"))
    again = marked.filter(pl.col("again") & (pl.col(VARIANT).str.strip_chars() != ""))
    return _suggest_mended(
        again, marked.filter(~pl.col("again")), "A variant is repeated.", "Remove the repeated variant."
    )


def _suggest_mended(odd: pl.DataFrame, variants: pl.DataFrame, message: str, suggestion: str) -> pl.DataFrame:
    """One finding for each triplet with odd variants, which it names; proposed is the fact made of these variants."""
    proposed = rejoin_variants(variants).rename({FACT: PROPOSED})
    grouped = odd.group_by(QUESTION_ID, maintain_order=True).agg(list_texts(pl.col(VARIANT)).alias(EVIDENCE))
    return grouped.join(proposed, on=QUESTION_ID, maintain_order="left").select(
        QUESTION_ID,
        pl.lit(message).alias(MESSAGE),
        EVIDENCE,
        pl.lit(suggestion).alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        PROPOSED,
    )


def curly_quote_in_fact(subject: Subject) -> pl.DataFrame:
    """A variant contains a curly quotation mark. FMEval deletes straight ones and keeps curly ones, so a response with
    a straight one, as in most responses, does not match the fact."""
    straight = pl.col(VARIANT).str.replace_many(CURLY)
    marked = subject.variants.with_columns(straight.alias("straight"))
    has = marked.select(QUESTION_ID, pl.col(VARIANT).alias("straight"))
    curly = marked.filter(pl.col("straight") != pl.col(VARIANT)).join(has, on=[QUESTION_ID, "straight"], how="anti")
    grouped = curly.group_by(QUESTION_ID, maintain_order=True).agg(
        list_texts(pl.col(VARIANT)).alias(EVIDENCE),
        pl.col("straight").str.join(OR_DELIMITER),
        pl.first(FACT, NEEDS_ALL),
    )
    return grouped.select(
        QUESTION_ID,
        pl.lit("A variant contains a curly quotation mark, so responses with a straight one do not match.").alias(
            MESSAGE
        ),
        EVIDENCE,
        pl.lit("Add a variant with straight quotation marks.").alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        pl.when(NEEDS_ALL)
        .then(pl.col(FACT).str.replace_many(CURLY))
        .otherwise(pl.concat_str(FACT, pl.lit(OR_DELIMITER), "straight"))
        .alias(PROPOSED),
    )


def curly_quote_in_answer(subject: Subject) -> pl.DataFrame:
    """The golden answer contains a curly quotation mark. FMEval reads “Amazon’s” and “Amazon's” as two words, so
    responses with a straight one lose closeness and conciseness."""
    return subject.golden.filter(pl.col(ANSWER).str.contains(_CURLY)).select(
        QUESTION_ID,
        pl.lit(
            "The answer contains curly quotation marks; FMEval reads words with straight ones as different words."
        ).alias(MESSAGE),
        quote_text(pl.col(ANSWER).str.extract(rf"(\S*{_CURLY}\S*)")).alias(EVIDENCE),
        pl.lit("Use straight quotation marks, unless your pipelines write curly ones.").alias(SUGGESTION),
        pl.lit(ANSWER).alias(FIELD),
        pl.col(ANSWER).str.replace_many(CURLY).alias(PROPOSED),
    )


def invisible_character(subject: Subject) -> pl.DataFrame:
    """The fact or the answer contains an invisible character that no response has: a no-break space, a zero-width
    character, a soft hyphen, or a line break inside a variant."""
    return pl.concat(
        _find_invisible(subject.golden, field, lines) for field, lines in ((FACT, r"[\r\n\t]+"), (ANSWER, r"\t"))
    )


def _find_invisible(golden: pl.DataFrame, field: str, lines: str) -> pl.DataFrame:
    mended = pl.col(field).str.replace_many(_INVISIBLE).str.replace_all(lines, " ")
    return golden.filter(pl.col(field).str.contains_any([*_INVISIBLE]) | pl.col(field).str.contains(lines)).select(
        QUESTION_ID,
        pl.lit(f"The {field} contains an invisible character that no response has.").alias(MESSAGE),
        quote_text(field).alias(EVIDENCE),
        pl.lit("Replace it with a space, or delete it.").alias(SUGGESTION),
        pl.lit(field).alias(FIELD),
        mended.alias(PROPOSED),
    )


def two_alphabets(subject: Subject) -> pl.DataFrame:
    """A word of the fact or the answer mixes Latin with Cyrillic or Greek letters that look alike. No response matches
    it, and the reason is invisible."""
    return pl.concat(_find_mixed_alphabets(subject.golden, field) for field in (FACT, ANSWER))


def _find_mixed_alphabets(golden: pl.DataFrame, field: str) -> pl.DataFrame:
    plain = pl.col(field).str.replace_all(_SCIENTIFIC, "")
    return golden.filter(plain.str.contains(_TWO_ALPHABETS)).select(
        QUESTION_ID,
        pl.lit(f"A word of the {field} mixes two alphabets with similar letters.").alias(MESSAGE),
        quote_text(plain.str.extract(rf"(\w*(?:{_TWO_ALPHABETS})\w*)")).alias(EVIDENCE),
        pl.lit("Retype the word in one alphabet.").alias(SUGGESTION),
    )
