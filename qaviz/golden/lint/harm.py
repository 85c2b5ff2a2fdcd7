"""No proposal does harm: what a proposed fact would also match is tried before it is offered."""

import polars as pl

from qaviz.golden.expanding import PROPOSED_FORM
from qaviz.golden.lint.findings import FIELD, HELD, PLACE, PROPOSED, RULE, SUGGESTION, Subject
from qaviz.model import columns as c
from qaviz.model.classes import Verdict

_WRONG = [Verdict.INCORRECT.value, Verdict.DECLINED.value]
_PART = "part"
_LEFT_TO_PEOPLE = "Ask a person: the text that lint would propose also matches a wrong response."


def without_harm(findings: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    """The findings (FINDINGS) without proposed variants of a fact that would also match what is wrong.

    A new variant is left out if a response that a person, a judge or the verdict calls wrong holds it, and not the fact
    so far. A finding that only added such variants goes; another one keeps its message and proposes nothing.
    """
    placed = findings.with_row_index(PLACE)
    golden = subject.golden.select(c.QUESTION_ID, pl.col(c.FACT).fill_null(""))
    # What a verdict calls wrong may be right, in a form that nobody has confirmed: a person decides by the preview.
    edits = placed.filter(pl.col(FIELD) == c.FACT, pl.col(RULE) != PROPOSED_FORM)
    edits = edits.filter(~pl.col(PROPOSED).str.contains(c.AND_DELIMITER, literal=True))
    parts = (
        edits.join(golden, on=c.QUESTION_ID, maintain_order="left")
        .with_columns(pl.col(PROPOSED).str.split(c.OR_DELIMITER).alias(_PART))
        .explode(_PART)
        .with_columns(new=~pl.col(c.FACT).str.split(c.OR_DELIMITER).list.contains(pl.col(_PART)))
        .select(PLACE, c.QUESTION_ID, c.FACT, _PART, "new")
    )
    new = parts.filter(pl.col("new") & (pl.col(_PART).str.strip_chars() != ""))
    harmful = _match_wrong(new, subject).unique()
    return findings if harmful.is_empty() else _leave_out(placed, parts, harmful)


def _match_wrong(new: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    """PLACE and _PART of the variants that a wrong response holds which the fact so far does not match."""
    if subject.rows is None:
        return new.select(PLACE, _PART).clear()
    judged = pl.col(c.JUDGE) if c.JUDGE in subject.run.columns else pl.lit(None, pl.String)
    wrong = subject.run.filter(
        pl.col(c.QUESTION_ID).is_in(new[c.QUESTION_ID].unique().implode())
        & (pl.col(HELD).is_in(_WRONG) | (judged.is_in(_WRONG).fill_null(value=False) & ~pl.col("by_person")))
        & (pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0)
    )
    held = pl.col(c.RESPONSE).str.to_lowercase().str.contains(pl.col(_PART).str.to_lowercase(), literal=True)
    return new.join(wrong.select(c.QUESTION_ID, c.RESPONSE), on=c.QUESTION_ID).filter(held).select(PLACE, _PART)


def _leave_out(placed: pl.DataFrame, parts: pl.DataFrame, harmful: pl.DataFrame) -> pl.DataFrame:
    """The findings, those that proposed something harmful with what is left of it."""
    kept = parts.join(harmful, on=[PLACE, _PART], how="anti", maintain_order="left")
    left = kept.group_by(PLACE, maintain_order=True).agg(
        pl.col(_PART).str.join(c.OR_DELIMITER).alias("left"), pl.col(_PART).filter("new").str.join(", ").alias("added")
    )
    old = pl.when(pl.col(c.FACT) == "").then(0).otherwise(pl.col(c.FACT).str.count_matches(c.OR_DELIMITER) + 1)
    only_adds = parts.group_by(PLACE).agg(((pl.len() - pl.col("new").sum()) == old.first()).alias("adds"))
    joined = placed.join(left, on=PLACE, how="left", maintain_order="left")
    joined = joined.join(only_adds, on=PLACE, how="left", maintain_order="left")
    touched = pl.col(PLACE).is_in(harmful[PLACE].unique().implode())
    useful = pl.col("added").fill_null("") != ""
    kept_findings = joined.filter(~touched | useful | ~pl.col("adds")).with_columns(
        pl.when(~touched).then(PROPOSED).when(useful).then("left").alias(PROPOSED),
        pl.when(~touched | useful).then(FIELD).alias(FIELD),
        pl.when(~touched)
        .then(SUGGESTION)
        .when(useful)
        .then(pl.format("Add {}.", "added"))
        .otherwise(pl.lit(_LEFT_TO_PEOPLE))
        .alias(SUGGESTION),
    )
    return kept_findings.select(name for name in placed.columns if name != PLACE)
