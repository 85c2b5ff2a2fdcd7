"""Rules on the figures of an answer: those it derives from its own amounts, and those that no variant has."""

from collections.abc import Iterator

import polars as pl

from qaviz.diagnosis.evidence import quantities
from qaviz.diagnosis.evidence.derived_figures import MAY_DERIVE, check_derived_figures
from qaviz.golden.lint.findings import EVIDENCE, MESSAGE, SUGGESTION
from qaviz.golden.lint.subject import NEEDS_ALL, VARIANT, Subject
from qaviz.golden.lint.texts import quote_text
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID

_STATED = "stated"


def derived_figure(subject: Subject) -> pl.DataFrame:
    """The answer derives a figure from two amounts that it states (a growth, difference, sum or ratio), and the figure
    does not follow from these amounts, whatever the rounding."""
    asked = subject.golden.filter(pl.col(ANSWER).str.contains(MAY_DERIVE)).select(QUESTION_ID, ANSWER)
    found = [
        (question_id, f"{figure.note[0].upper()}{figure.note[1:]}.")
        for question_id, answer in asked.iter_rows()
        for figure in check_derived_figures(answer)
    ]
    table = pl.DataFrame(found, schema={QUESTION_ID: pl.String, EVIDENCE: pl.String}, orient="row")
    return table.select(
        QUESTION_ID,
        pl.lit("A figure in the answer does not follow from the amounts beside it.").alias(MESSAGE),
        EVIDENCE,
        pl.lit("Check the three figures in the source and correct the wrong one.").alias(SUGGESTION),
    )


def figure_not_a_variant(subject: Subject) -> pl.DataFrame:
    """The answer states a variant of the fact, and also a percentage that differs from the fact's percentage. The two
    metrics then use different ground truths."""
    has_percent = pl.col(FACT).str.contains("%|percent") & pl.col(ANSWER).str.contains(r"\d ?(?:%|percent)")
    variants = subject.variants.filter(has_percent & ~pl.col(NEEDS_ALL))
    triplets = variants.group_by(QUESTION_ID, maintain_order=True).agg(
        VARIANT, *(pl.col(each).first() for each in (QUESTION, ANSWER, FACT))
    )
    found = [(question_id, fact, figure) for question_id, fact, figure in _figures_of_no_variant(triplets)]
    schema = {QUESTION_ID: pl.String, FACT: pl.String, _STATED: pl.String}
    return pl.DataFrame(found, schema=schema, orient="row").select(
        QUESTION_ID,
        pl.lit("The answer and the fact state different percentages.").alias(MESSAGE),
        pl.format("{} differs from {}", quote_text(_STATED), quote_text(FACT)).alias(EVIDENCE),
        pl.lit("Check which one is right and correct the other.").alias(SUGGESTION),
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
