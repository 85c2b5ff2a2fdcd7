"""The rules, and how they are asked."""

import polars as pl

from qaviz.curation import traps
from qaviz.curation.findings import ERROR, FINDINGS, RULE, SEVERITIES, SEVERITY, Rule
from qaviz.curation.subject import PLACE, Subject
from qaviz.model import QUESTION_ID, Progress

RULES: tuple[Rule, ...] = (Rule(name="empty-variant", severity=ERROR, find=traps.empty_variant),)
"""In the order in which a triplet's findings of one severity stand."""


def lint(golden: pl.DataFrame, rows: pl.DataFrame | None = None, progress: Progress | None = None) -> pl.DataFrame:
    """Return what is wrong with a golden dataset: FINDINGS, the worst first, then in the golden dataset's order.

    `golden` has GOLDEN_COLUMNS. With `rows`, the diagnosed rows of a run over it, the rules that need a run are asked
    too.
    """
    subject = Subject(golden, rows)
    asked = [rule for rule in RULES if rows is not None or not rule.needs_run]
    found = [FINDINGS.to_frame()]
    for number, rule in enumerate(asked):
        if progress:
            progress(number / len(asked), f"looking for {rule.name.replace('-', ' ')}")
        found.append(rule.findings(subject))
    return _in_order(pl.concat(found), subject)


def _in_order(found: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    ranks = {severity: rank for rank, severity in enumerate(SEVERITIES)}
    orders = {rule.name: order for order, rule in enumerate(RULES)}
    return (
        found.join(subject.places, on=QUESTION_ID, maintain_order="left")
        .sort(
            pl.col(SEVERITY).replace_strict(ranks, return_dtype=pl.UInt8),
            PLACE,
            pl.col(RULE).replace_strict(orders, return_dtype=pl.UInt8),
            maintain_order=True,
        )
        .select(FINDINGS.names())
    )
