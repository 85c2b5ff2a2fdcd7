"""What a language model found of triplets beside their passages."""

import polars as pl

from qaviz.golden.lint.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.golden.lint.subject import Subject
from qaviz.golden.lint.texts import quote_text
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.store.triplet_findings import (
    FINDING,
    GATE,
    MODEL,
    QUOTATION,
    REPAIRED_ANSWER,
    REPAIRED_FACT,
    TRIPLET_FINDINGS,
    WHY,
)

SUPPORTED, ACCEPTED = "supported", "accepted"
_SEEN = {each: f"judged_{each}" for each in (QUESTION, ANSWER, FACT)}


def judge_finding(subject: Subject) -> pl.DataFrame:
    """A language model read the triplet beside its passage, found it hallucinated, incomplete, irrelevant, ambiguous or
    outdated, and quotes the passage. A repair is proposed only where the gate proved it. Findings about texts that
    have changed since are left out."""
    judged = TRIPLET_FINDINGS.to_frame() if subject.judged is None else subject.judged
    found = (
        judged.filter(pl.col(FINDING) != SUPPORTED)
        .rename(_SEEN)
        .join(subject.golden.select(QUESTION_ID, QUESTION, ANSWER, FACT), on=QUESTION_ID, maintain_order="right")
        .filter(pl.all_horizontal(pl.col(now).eq_missing(pl.col(seen)) for now, seen in _SEEN.items()))
    )
    of_fields = [_propose(found, field, repaired) for field, repaired in _REPAIRS.items()]
    unrepaired = found.filter(~_is_proved()).with_columns(pl.lit(None, pl.String).alias(name) for name in _EDIT)
    whole = pl.concat([*of_fields, unrepaired.select(*found.columns, *_EDIT)])
    return whole.select(
        QUESTION_ID,
        pl.format("The judge {} finds this triplet {}.", MODEL, FINDING).alias(MESSAGE),
        pl.concat_str(quote_text(QUOTATION), WHY, separator=": ", ignore_nulls=True).alias(EVIDENCE),
        *_EDIT,
    )


_REPAIRS = {ANSWER: REPAIRED_ANSWER, FACT: REPAIRED_FACT}
_EDIT = (SUGGESTION, FIELD, PROPOSED)


def _is_proved() -> pl.Expr:
    return (pl.col(GATE) == ACCEPTED).fill_null(False)


def _propose(found: pl.DataFrame, field: str, repaired: str) -> pl.DataFrame:
    """The findings whose proved repair has another text in this field."""
    changed = found.filter(_is_proved() & pl.col(repaired).ne_missing(pl.col(field)))
    return changed.with_columns(
        pl.lit(f"Take the {field} that the judge proposes; its passage states it.").alias(SUGGESTION),
        pl.lit(field).alias(FIELD),
        pl.col(repaired).alias(PROPOSED),
    )
