"""Readers decide on the items of a review that they hold (see `qaviz.store.review_sessions`).

A decision is kept whole or not at all, with its entry in the audit; a reader is not shown what others decided on an
item before its readers have. Who differs from the others may take a decision back, and decide again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypedDict

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import insert_new, write_moment
from qaviz.store.review_sessions import (
    ACTIONS,
    EDIT,
    FINDINGS,
    ITEM,
    LEASE,
    TRIPLET,
    ReviewSession,
    count_taken,
    find_session,
    in_force,
    is_item,
    is_lease,
    lease_item,
    open_for,
    refusal,
)
from qaviz.store.tables import (
    REVIEW_DECISIONS_TABLE,
    REVIEW_ITEMS_TABLE,
    REVIEW_LEASES_TABLE,
    REVIEW_SESSIONS_TABLE,
    REVIEW_VIEWS_TABLE,
    checked_text,
)
from qaviz.store.workspace import Workspace

LONGEST_NOTE, LONGEST_TEXT = 10_000, 1_000_000
DECISIONS = pl.Schema(
    {
        "number": pl.Int64(),
        ITEM: pl.Int64(),
        QUESTION_ID: pl.String(),
        "reader": pl.String(),
        "adjudicates": pl.Boolean(),
        "action": pl.String(),
        "findings": pl.List(pl.String()),
        "note": pl.String(),
        QUESTION: pl.String(),
        ANSWER: pl.String(),
        FACT: pl.String(),
        "seconds": pl.Float64(),
        "decided_at": pl.String(),
        "applied": pl.Int64(),
        "drawn": pl.String(),
        "repeat_of": pl.Int64(),
        "document": pl.String(),
    }
)
"""One row a decision in force. The texts are those of an edit, null where they stay; `applied` is the number of the
version that the decision became, null before; `seconds` is how long the reader looked."""

_lease, _decision, _item = REVIEW_LEASES_TABLE.c, REVIEW_DECISIONS_TABLE.c, REVIEW_ITEMS_TABLE.c


class KeptDecision(TypedDict):
    """What a reader says of an item, as it is kept: the texts are those of an edit, null where they stay."""

    action: str
    findings: list[str]
    note: str
    question: str | None
    answer: str | None
    fact: str | None
    seconds: float | None


class DecisionRow(KeptDecision):
    """A row of DECISIONS."""

    number: int
    item: int
    question_id: str
    reader: str
    adjudicates: bool
    decided_at: str
    applied: int | None
    drawn: str
    repeat_of: int | None
    document: str | None


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What a reader says of an item."""

    action: str
    findings: tuple[str, ...] = ()
    note: str = ""
    question: str | None = None
    """An edit's new text; None leaves it as it is."""
    answer: str | None = None
    fact: str | None = None
    seconds: float | None = None


def decide(
    workspace: Workspace, session: str, item: int, reader: str, decision: Decision, now: datetime | None = None
) -> int:
    """Keep what the reader says of an item that they hold. Returns the decision's number.

    Raises QavizError, and keeps nothing, if the decision is none, the reader does not hold the item, or the lease ended
    and enough others have it.
    """
    known, person = open_for(workspace, session, reader)
    values = checked_decision(known, decision)
    moment = write_moment(now)
    which = is_lease(session, item, person)
    with workspace.writing(Deed.REVIEW, session=session) as transaction:
        held = transaction.execute(sa.select(_lease.expires_at).where(which)).first()
        taken = count_taken(session, person, moment).label("taken")
        row = transaction.execute(sa.select(REVIEW_ITEMS_TABLE, taken).where(is_item(session, item))).first()
        if held is None or row is None or (held.expires_at <= moment and row.taken >= known.readers):
            raise refusal(
                f"item {item}, which {person} does not hold any more",
                "an item that is yours to decide",
                "Go on with the next one.",
            )
        transaction.execute(sa.delete(REVIEW_LEASES_TABLE).where(which))
        words = f" ({', '.join(values['findings'])})" if values["findings"] else ""
        noted = note(transaction, Deed.REVIEW, known.line, f"{row.question_id}: {values['action']}{words}", person)
        of_item = {"session": known.session, ITEM: row.item, TRIPLET: row.triplet, "chunk": row.chunk}
        by_whom = {"reader": person, "adjudicates": False, "decided_at": moment, "deed": noted}
        inserted = sa.insert(REVIEW_DECISIONS_TABLE).values(**values, **of_item, **by_whom).returning(_decision.number)
        return int(transaction.scalar(inserted) or 0)


def checked_decision(known: ReviewSession, decision: Decision) -> KeptDecision:
    """The decision as it is kept. Raises QavizError for an action or finding that there is not, and an empty edit."""
    problems = []
    if decision.action not in ACTIONS:
        problems.append((f'the decision "{decision.action}"', ", ".join(ACTIONS)))
    findings = (*FINDINGS, *known.own_findings)
    problems += [
        (f'the finding "{finding}"', ", ".join(findings)) for finding in decision.findings if finding not in findings
    ]
    if decision.action == EDIT and (decision.question, decision.answer, decision.fact) == (None, None, None):
        problems.append(("an edit that changes nothing", "a new question, answer or fact"))
    if problems:
        fix = "Choose one of them."
        raise QavizError(*(Problem(where="decision", found=wrong, expected=text, fix=fix) for wrong, text in problems))
    return KeptDecision(
        action=decision.action,
        findings=list(dict.fromkeys(decision.findings)),
        note=checked_text(decision.note, "note", LONGEST_NOTE),
        question=_check_edit(decision, QUESTION),
        answer=_check_edit(decision, ANSWER),
        fact=_check_edit(decision, FACT),
        seconds=decision.seconds,
    )


def _check_edit(decision: Decision, field: str) -> str | None:
    """The edit's text of this field as it is kept; None for another action, and where the text stays."""
    text: str | None = getattr(decision, field) if decision.action == EDIT else None
    return None if text is None else checked_text(text, field, LONGEST_TEXT)


def undo_decision(
    workspace: Workspace, session: str, reader: str, now: datetime | None = None, item: int | None = None
) -> int | None:
    """Take back the reader's decision on this item, else the last one, and give them the item again, with what they
    wrote; None if there is none.

    Raises QavizError if it was applied, or a third person decided, as earlier versions let them.
    """
    known, person = open_for(workspace, session, reader)
    moment = now or datetime.now(UTC)
    last = (
        sa.select(REVIEW_DECISIONS_TABLE)
        .where(in_force(session, _decision.reader == person, sa.not_(_decision.adjudicates)))
        .where(_decision.item == item if item is not None else sa.true())
        .order_by(_decision.number.desc())
        .limit(1)
    )
    with workspace.writing(Deed.UNREVIEW, session=session) as transaction:
        row = transaction.execute(last).first()
        if row is None:
            return None
        settled = sa.select(_decision.number).where(
            in_force(session, _decision.item == row.item, _decision.adjudicates)
        )
        if row.applied is not None or transaction.scalar(settled) is not None:
            raise refusal("a decision that was applied or settled", "one that is yours alone", "Ask for an edit.")
        ended = {"ended_at": write_moment(moment), "ended_why": "taken back"}
        transaction.execute(sa.update(REVIEW_DECISIONS_TABLE).where(_decision.number == row.number).values(**ended))
        note(transaction, Deed.UNREVIEW, known.line, f"item {row.item}: {row.action}", person)
        room = sa.select(count_taken(session, person, write_moment(moment))).where(is_item(session, row.item))
        if int(transaction.scalar(room) or 0) < known.readers:
            lease_item(transaction, session, row.item, person, moment, LEASE)
            which = is_lease(session, row.item, person)
            draft = {name: row._mapping[name] for name in ("findings", "note", QUESTION, ANSWER, FACT)}
            given = {"draft": draft, "given_at": write_moment(moment)}
            transaction.execute(sa.update(REVIEW_LEASES_TABLE).where(which).values(**given))
        return int(row.item)


def _select_decisions(session: str) -> sa.Select[Any]:
    columns = [_decision[name] if name in _decision else _item[name] for name in DECISIONS]
    return (
        sa.select(*columns)
        .join(REVIEW_ITEMS_TABLE, sa.and_(_item.session == _decision.session, _item.item == _decision.item))
        .where(in_force(session))
        .order_by(_decision.number)
    )


def all_decisions(workspace: Workspace, session: str) -> pl.DataFrame:
    """DECISIONS of everybody: for figures about the whole review, for what becomes of it, and for open items."""
    return workspace.read_rows(_select_decisions(session), DECISIONS)


def seen_decisions(workspace: Workspace, session: str, viewer: str) -> pl.DataFrame:
    """The DECISIONS that this person may see: their own; all of them once the session is closed.

    Who has seen them all is given none of these items any more, if the session is opened again.
    """
    query = _select_decisions(session)
    if find_session(workspace, session).closed_at is None:
        return workspace.read_rows(query.where(_decision.reader == viewer), DECISIONS)
    with workspace.writing(Deed.READ, session=session) as transaction:
        items = transaction.scalars(sa.select(_item.item).where(_item.session == session))
        insert_new(
            transaction, REVIEW_VIEWS_TABLE, [{"session": session, ITEM: item, "viewer": viewer} for item in items]
        )
    return workspace.read_rows(query, DECISIONS)


def end_decisions(workspace: Workspace, line: str, questions: Sequence[str], why: str) -> None:
    """End the decisions on these triplets, applied or not, in all open reviews of the line: they are asked again."""
    table = REVIEW_SESSIONS_TABLE.c
    of_line = sa.select(table.session).where(table.line == line, table.closed_at.is_(None))
    items = sa.select(_item.item).where(_item.session == _decision.session, _item.question_id.in_([*questions]))
    which = sa.and_(_decision.ended_at.is_(None), _decision.session.in_(of_line), _decision.item.in_(items))
    ended = {"ended_at": write_moment(), "ended_why": why}
    with workspace.writing(Deed.ACCEPT, line=line) as transaction:
        transaction.execute(sa.update(REVIEW_DECISIONS_TABLE).where(which).values(**ended))


def mark_applied(workspace: Workspace, session: str, items: Mapping[int, str], version: int) -> None:
    """Note that the decisions on these items became this version; each item has the hash of its triplet as it is now.

    A decision that was applied is not ended by the change that it made.
    """
    with workspace.writing(Deed.SESSION, session=session) as transaction:
        for item, triplet in items.items():
            which = in_force(session, _decision.item == item)
            transaction.execute(sa.update(REVIEW_DECISIONS_TABLE).where(which).values(applied=version))
            transaction.execute(sa.update(REVIEW_ITEMS_TABLE).where(is_item(session, item)).values(triplet=triplet))
