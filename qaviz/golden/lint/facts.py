"""Rules on what a fact is: missing, too long, several things in one text."""

import polars as pl

from qaviz.golden.lint.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.golden.lint.subject import COUNT, NEEDS_ALL, VARIANT, Subject
from qaviz.golden.lint.texts import DATED, quote_text
from qaviz.model.columns import AND_DELIMITER, ANSWER, ANSWERABLE, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

WORDS = 3
"""Words of a fact, at most: the more there are, the fewer responses write all of them in this order."""
SENTENCE = 8
"""Words from which a fact is a sentence."""

_WORD = r"[^\s]*[\p{L}\p{N}][^\s]*"


def no_fact(subject: Subject) -> pl.DataFrame:
    """The triplet has no fact, so Factual Knowledge cannot score its responses. FMEval itself would score each of them
    as 1. A question that is marked as unanswerable needs no fact."""
    none = pl.col(FACT).fill_null("").str.replace_all(f"{OR_DELIMITER}|{AND_DELIMITER}", "").str.strip_chars() == ""
    return subject.golden.filter(none & pl.col(ANSWERABLE).fill_null(True)).select(
        QUESTION_ID,
        pl.lit("The triplet has no fact, so Factual Knowledge is not scored.").alias(MESSAGE),
        quote_text(pl.col(ANSWER).fill_null(pl.col(QUESTION))).alias(EVIDENCE),
        pl.lit("Add a fact: the few words that every right response contains.").alias(SUGGESTION),
    )


def long_fact(subject: Subject) -> pl.DataFrame:
    """Every variant of the fact has more than 3 words. Right responses seldom use that many words in the same order, so
    they score 0. Dates and amounts are excluded."""
    return _of_length(subject, WORDS + 1, SENTENCE - 1, "Every variant has {} words or more.")


def sentence_as_fact(subject: Subject) -> pl.DataFrame:
    """Every variant of the fact has 8 words or more. Responses seldom repeat a whole sentence word for word."""
    return _of_length(subject, SENTENCE, None, "The fact is a sentence: every variant has {} words or more.")


def _of_length(subject: Subject, least: int, most: int | None, message: str) -> pl.DataFrame:
    words = pl.col(VARIANT).str.count_matches(_WORD)
    fits = pl.col("words") >= least if most is None else pl.col("words").is_between(least, most)
    shortest = (
        subject.variants.with_columns(words.alias("words"), pl.col(VARIANT).str.contains(DATED).alias("dated"))
        .group_by(QUESTION_ID, maintain_order=True)
        .agg(pl.col("words").min(), pl.col("dated").any(), pl.col(VARIANT).sort_by("words").first())
    )
    return shortest.filter(fits & ~pl.col("dated")).select(
        QUESTION_ID,
        pl.format(message, "words").alias(MESSAGE),
        quote_text(VARIANT).alias(EVIDENCE),
        pl.lit("Keep the few words that every right response contains: a name, an amount or a date.").alias(SUGGESTION),
    )


_SEVERAL = (
    r"(?i)\b(?:two|three|four|five|six|seven|both|pair|list|names of)\b|\b(?:who|what|which)(?: \p{L}+)? (?:are|were)\b"
    r"|\bname (?:the|all|two|three)\b|\b(?:hai|ba|bốn|những|các)\b"
)
_JOINT = r",? and |,? & |; ?|, |\r?\n| và "


def several_entities(subject: Subject) -> pl.DataFrame:
    """The fact lists several things in one variant, and the question asks for several. A response that lists them in
    another order, or with other words between them, scores 0. With `<AND>`, each one is matched separately."""
    alone = subject.variants.filter((pl.col(COUNT) == 1) & ~pl.col(NEEDS_ALL) & pl.col(VARIANT).str.contains(_JOINT))
    alone = alone.filter(pl.col(QUESTION).str.contains(_SEVERAL))
    marked = pl.col(VARIANT).str.strip_chars(" .").str.replace_all(_JOINT, AND_DELIMITER)
    split = alone.with_columns(marked.str.split(AND_DELIMITER).list.eval(pl.element().str.strip_chars()).alias("parts"))
    name = r"^(?:[\p{Lu}\p{N}][^\s]*|\p{Ll}+)(?: [^\s]+){0,2}$"
    whole = pl.col("parts").list.eval(pl.element().str.contains(name)).list.all()
    found = split.filter((pl.col("parts").list.len() > 1) & whole & ~pl.col(VARIANT).str.contains(DATED))
    return found.select(
        QUESTION_ID,
        pl.lit("The fact lists several things in one variant.").alias(MESSAGE),
        quote_text(VARIANT).alias(EVIDENCE),
        pl.lit("Join them with <AND>, so that each one is matched separately.").alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        pl.col("parts").list.join(AND_DELIMITER).alias(PROPOSED),
    )
