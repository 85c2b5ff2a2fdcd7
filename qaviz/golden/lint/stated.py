"""Rules on a fact beside its own answer, which should state it in the fact's words."""

from collections.abc import Iterator

import polars as pl

from qaviz.diagnosis.combine_evidence import Asked, by_variants
from qaviz.diagnosis.evidence import Evidence, Span, Stance, dates, quantities
from qaviz.golden.lint.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.golden.lint.subject import NEEDS_ALL, VARIANT, Subject, normal
from qaviz.golden.lint.texts import quote_text
from qaviz.golden.seen import LONGEST
from qaviz.model.columns import ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID
from qaviz.scoring import forms

_MEASURED = (quantities.KIND, dates.KIND)

_OF_FACT = "of_fact"
_OF_ANSWER = "of_answer"
_HELD, _READ = "held", "read"


def fact_against_answer(subject: Subject) -> pl.DataFrame:
    """The fact and the answer state different numbers or dates, so one of the two metrics uses a wrong ground truth."""
    told = _told(subject, Stance.CONTRADICTS)
    return told.select(
        QUESTION_ID,
        pl.lit("The fact and the answer state different numbers or dates.").alias(MESSAGE),
        pl.format("{} beside {}", quote_text(_OF_FACT), quote_text(_OF_ANSWER)).alias(EVIDENCE),
        pl.lit("Check which one is right and correct the other.").alias(SUGGESTION),
    )


def form_of_answer(subject: Subject) -> pl.DataFrame:
    """The answer states the fact in a form that is not a variant. A response that repeats the answer word for word
    would score 0 for Factual Knowledge."""
    told = _told(subject, Stance.AGREES)
    return told.select(
        QUESTION_ID,
        pl.lit("The answer states the fact in a form that is not a variant.").alias(MESSAGE),
        pl.format("{} beside {}", quote_text(_OF_ANSWER), quote_text(FACT)).alias(EVIDENCE),
        pl.lit("Add the form that the answer uses as a variant.").alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        pl.concat_str(FACT, pl.lit(OR_DELIMITER), _OF_ANSWER).alias(PROPOSED),
    )


def fact_not_in_answer(subject: Subject) -> pl.DataFrame:
    """The answer does not state the fact, neither as a variant nor in other words. The two metrics use different ground
    truths."""
    told = _told(subject, Stance.ABSENT)
    return told.select(
        QUESTION_ID,
        pl.lit("The answer does not state the fact.").alias(MESSAGE),
        pl.format("{} is not in {}", quote_text(FACT), quote_text(ANSWER)).alias(EVIDENCE),
        pl.lit("Change the answer so that it states the fact, or correct the fact.").alias(SUGGESTION),
    )


def _told(subject: Subject, stance: Stance) -> pl.DataFrame:
    """The triplets whose answer does not hold the fact, and says this of it; with the words of both."""
    return subject.once(_find_unstated).filter(pl.col("stance") == stance.value)


def _find_unstated(subject: Subject) -> pl.DataFrame:
    """The triplets whose answer does not hold the fact as FMEval reads it, with what the evidence says of it."""
    answered = subject.variants.filter(pl.col(ANSWER).str.strip_chars() != "")
    exactly = forms.holds(pl.col(ANSWER).str.to_lowercase(), pl.col(VARIANT).str.to_lowercase())
    missed = _not_held(answered.with_columns(exactly.alias(_HELD)))
    read = pl.DataFrame([normal(missed[ANSWER]), normal(missed[VARIANT]).alias(_READ)])
    told = missed.with_columns(read.select(forms.holds(pl.col(ANSWER), pl.col(_READ))).to_series().alias(_HELD))
    triplets = _not_held(told).unique(QUESTION_ID, keep="first", maintain_order=True)
    unstated = triplets.select(QUESTION_ID, QUESTION, ANSWER, FACT)
    schema = {"stance": pl.String, _OF_FACT: pl.String, _OF_ANSWER: pl.String}
    said = pl.DataFrame([*_evidence(unstated)], schema=schema, orient="row")
    return unstated.hstack(said)


def _not_held(variants: pl.DataFrame) -> pl.DataFrame:
    """The variants of the facts that are not held: no variant is, or for `<AND>` not every one."""
    held = (
        pl.when(pl.col(NEEDS_ALL))
        .then(pl.col(_HELD).all().over(QUESTION_ID))
        .otherwise(pl.col(_HELD).any().over(QUESTION_ID))
    )
    return variants.filter(~held)


def _evidence(unstated: pl.DataFrame) -> Iterator[tuple[str, str | None, str | None]]:
    """For each triplet its stance, and the words of fact and answer: AGREES only where they make a variant."""
    nothing = Span(0, 0, "")
    for question, answer, fact in unstated.select(pl.col(QUESTION), ANSWER, FACT).iter_rows():
        evidence = by_variants(Asked(question, answer, fact, answer, None, 0, 0, inside_token=False))
        of_fact, of_answer = (evidence.golden or nothing).text, (evidence.response or nothing).text
        yield _stance(evidence, of_answer), of_fact, of_answer


def _stance(evidence: Evidence, words: str) -> str:
    """The evidence's stance: numbers and dates decide, of other words only that they are the same."""
    if evidence.kind in _MEASURED and evidence.stance is Stance.CONTRADICTS:
        return Stance.CONTRADICTS
    if evidence.stance is Stance.AGREES:
        return Stance.AGREES if evidence.kind in _MEASURED and len(words) <= LONGEST else Stance.SILENT
    return Stance.ABSENT
