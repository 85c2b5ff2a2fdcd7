"""Rules on the figures of an answer: those it derives from its own amounts, and those that no variant has."""

from collections.abc import Iterator

import polars as pl

from qaviz.diagnosis.evidence import quantities
from qaviz.diagnosis.evidence.derived_figures import MAY_DERIVE, check_derived_figures
from qaviz.golden.lint.findings import EVIDENCE, MESSAGE, SUGGESTION
from qaviz.golden.lint.subject import NEEDS_ALL, VARIANT, Subject
from qaviz.golden.lint.texts import quoted
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID

_STATED = "stated"


def derived_figure(subject: Subject) -> pl.DataFrame:
    """The answer derives a figure from two amounts that it names (a growth, a difference, a sum, a ratio), and the
    amounts do not give it, however they were rounded."""
    asked = subject.golden.filter(pl.col(ANSWER).str.contains(MAY_DERIVE)).select(QUESTION_ID, ANSWER)
    found = [
        (question_id, f"{figure.note[0].upper()}{figure.note[1:]}.")
        for question_id, answer in asked.iter_rows()
        for figure in check_derived_figures(answer)
    ]
    table = pl.DataFrame(found, schema={QUESTION_ID: pl.String, EVIDENCE: pl.String}, orient="row")
    return table.select(
        QUESTION_ID,
        pl.lit("The answer names a figure that its own amounts do not give.").alias(MESSAGE),
        EVIDENCE,
        pl.lit("Find out in the source which of the three figures is wrong, and correct it.").alias(SUGGESTION),
    )


def figure_not_a_variant(subject: Subject) -> pl.DataFrame:
    """The answer states a variant of the fact, and beside it a percentage where the fact has another percentage: the
    two metrics go by different ground truths."""
    has_percent = pl.col(FACT).str.contains("%|percent") & pl.col(ANSWER).str.contains(r"\d ?(?:%|percent)")
    variants = subject.variants.filter(has_percent & ~pl.col(NEEDS_ALL))
    triplets = variants.group_by(QUESTION_ID, maintain_order=True).agg(
        VARIANT, *(pl.col(each).first() for each in (QUESTION, ANSWER, FACT))
    )
    found = [(question_id, fact, figure) for question_id, fact, figure in _figures_of_no_variant(triplets)]
    schema = {QUESTION_ID: pl.String, FACT: pl.String, _STATED: pl.String}
    return pl.DataFrame(found, schema=schema, orient="row").select(
        QUESTION_ID,
        pl.lit("The answer states a percentage that is no variant of the fact.").alias(MESSAGE),
        pl.format("{} is none of {}", quoted(_STATED), quoted(FACT)).alias(EVIDENCE),
        pl.lit("Find out which of the two is right, and correct the other.").alias(SUGGESTION),
    )


def _figures_of_no_variant(triplets: pl.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Id, fact and percentage of each answer whose only percentage is none of those of the fact."""
    for question_id, variants, question, answer, fact in triplets.iter_rows():
        golden = [variant for variant in variants if _percentages(variant) and len(quantities.find(variant)) == 1]
        stated = _percentages(answer)
        if golden and len(stated) == 1 and not any(quantities.same(each, stated[0], question) for each in golden):
            yield question_id, fact, stated[0]


def _percentages(text: str) -> list[str]:
    return [found.words(text).text for found in quantities.find(text) if found.unit == "%" and found.factor == 1]
