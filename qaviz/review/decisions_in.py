"""Decisions that come in a file: a reader's own rows of a review, kept as if they had been made on the page."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from qaviz.model.errors import Problem, QavizError
from qaviz.review.session import refresh_review
from qaviz.store import Workspace
from qaviz.store.review_decisions import Decision, checked_decision, decide, seen_decisions
from qaviz.store.review_leases import give_item
from qaviz.store.review_sessions import find_session, session_items


def import_decisions(workspace: Workspace, session: str, reader: str, rows: pl.DataFrame) -> tuple[int, int]:
    """Keep the reader's decisions; rows without an action, and those the reader has decided already, are left out.

    `rows` has texts: `item`, `triplet` (its hash; null: not checked), `action`, `findings` (separated by semicolons),
    `new_question`, `new_answer`, `new_fact` and `note`. Returns how many were kept, and how many could not be, because
    enough others read the item, it is not this reader's, or its triplet has changed since the file was written. Raises
    QavizError with every row that is no decision; nothing is kept then.
    """
    refresh_review(workspace, session)
    known, items = (
        find_session(workspace, session),
        dict(session_items(workspace, session).select("item", "triplet").iter_rows()),
    )
    given: list[tuple[int, Decision]] = []
    problems: list[Problem] = []
    stale = 0
    for place, row in enumerate(rows.iter_rows(named=True), start=1):
        if not (row["action"] or "").strip():
            continue
        if not (row["item"] or "").isdecimal() or int(row["item"]) not in items:
            problems.append(_no_item(place, str(row["item"])))
            continue
        decision = _decision(row)
        try:
            checked_decision(known, decision)
        except QavizError as error:
            problems += [
                Problem(where=f"row {place}", found=each.found, expected=each.expected, fix=each.fix)
                for each in error.problems
            ]
        if row["triplet"] in (None, items[int(row["item"])]):
            given.append((int(row["item"]), decision))
        else:
            stale += 1
    if problems:
        raise QavizError(*problems)
    own = seen_decisions(workspace, session, reader)
    there = set(own.filter(pl.col("reader") == reader)["item"])
    kept = [_keep(workspace, session, reader, *each) for each in given if each[0] not in there]
    return sum(kept), len(kept) - sum(kept) + stale


def _keep(workspace: Workspace, session: str, reader: str, item: int, decision: Decision) -> bool:
    if give_item(workspace, session, reader, item) is None:
        return False
    decide(workspace, session, item, reader, decision)
    return True


def _decision(row: Mapping[str, Any]) -> Decision:
    return Decision(
        action=row["action"].strip().lower(),
        findings=tuple(_split(row["findings"] or "")),
        note=row["note"] or "",
        question=row["new_question"] or None,
        answer=row["new_answer"] or None,
        fact=row["new_fact"] or None,
    )


def _split(findings: str) -> Iterator[str]:
    yield from filter(None, map(str.strip, findings.split(";")))


def _no_item(place: int, found: str) -> Problem:
    return Problem(
        where=f"row {place}", found=f'item "{found}"', expected="an item of this review", fix="Keep the column item."
    )
