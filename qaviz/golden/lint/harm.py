"""No proposal does harm: what a proposed fact would also match is tried before it is offered."""

from collections.abc import Sequence

import polars as pl

from qaviz.golden.expanding import PROPOSED_FORM
from qaviz.golden.lint.findings import FIELD, FINDINGS, HELD, Finding, Subject
from qaviz.model import columns as c
from qaviz.model.classes import Verdict

_WRONG = [Verdict.INCORRECT.value, Verdict.DECLINED.value]
_LEFT_TO_PEOPLE = "Ask a person: the text that lint would propose also matches a wrong response."


def without_harm(findings: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    """The findings (FINDINGS) without proposed variants of a fact that would also match what is wrong.

    A new variant is left out if a response that a person, a judge or the verdict calls wrong holds it, and not the fact
    so far. A finding that only added such variants goes; another one keeps its message and proposes nothing.
    """
    if subject.rows is None:
        return findings
    proposing = findings.filter(pl.col(FIELD) == c.FACT)[c.QUESTION_ID].unique()
    judged = pl.col(c.JUDGE) if c.JUDGE in subject.run.columns else pl.lit(None, pl.String)
    missed = subject.run.filter(
        pl.col(c.QUESTION_ID).is_in(proposing.implode())
        & (pl.col(HELD).is_in(_WRONG) | (judged.is_in(_WRONG).fill_null(value=False) & ~pl.col("by_person")))
        & (pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0)
    )
    responses = missed.group_by(c.QUESTION_ID).agg(pl.col(c.RESPONSE).drop_nulls().str.to_lowercase())
    wrong = dict(responses.iter_rows())
    facts = dict(subject.golden.select(c.QUESTION_ID, pl.col(c.FACT).fill_null("")).iter_rows())
    kept = (_spare(Finding._make(row), facts[row[0]], wrong.get(row[0], ())) for row in findings.iter_rows())
    return pl.DataFrame([finding for finding in kept if finding], schema=FINDINGS, orient="row")


def _spare(finding: Finding, fact: str, wrong: Sequence[str]) -> Finding | None:
    """The finding with what is left of its proposal beside wrong responses, in small letters; None where nothing is."""
    # What a verdict calls wrong may be right, in a form that nobody has confirmed: a person decides by the preview.
    if finding.field != c.FACT or finding.rule == PROPOSED_FORM or c.AND_DELIMITER in (finding.proposed or ""):
        return finding
    old, parts = fact.split(c.OR_DELIMITER), (finding.proposed or "").split(c.OR_DELIMITER)
    new = [part for part in parts if part not in old]
    harmful = [part for part in new if part.strip() and any(part.lower() in response for response in wrong)]
    if not harmful:
        return finding
    if added := ", ".join(part for part in new if part not in harmful):
        left = c.OR_DELIMITER.join(part for part in parts if part not in harmful)
        return finding._replace(proposed=left, suggestion=f"Add {added}.")
    only_adds = len(parts) - len(new) == (len(old) if fact else 0)
    return None if only_adds else finding._replace(field=None, proposed=None, suggestion=_LEFT_TO_PEOPLE)
