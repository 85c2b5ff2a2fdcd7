"""Readers decide on the items of a review that they hold (see `qaviz.store.review_leases`).

A decision is kept whole or not at all, with its entry in the audit; nobody reads what others decided while the review
is open, but a third person who adjudicates an item and is not its reader.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import insert_new
from qaviz.store.names import NAME_OF_PERSON, checked_name, checked_text
from qaviz.store.review_leases import (
    LEASE,
    as_text,
    count_taken,
    in_force,
    lease_item,
    moment_of,
    open_for,
    refusal,
)
from qaviz.store.review_sessions import (
    ACTIONS,
    EDIT,
    FINDINGS,
    ITEM,
    SKIP,
    TRIPLET,
    ReviewSession,
    find_session,
)
from qaviz.store.tables import (
    REVIEW_DECISIONS_TABLE,
    REVIEW_ITEMS_TABLE,
    REVIEW_LEASES_TABLE,
    REVIEW_SESSIONS_TABLE,
    REVIEW_VIEWS_TABLE,
)
from qaviz.store.workspace import Workspace

LONGEST_NOTE = 10_000
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
    moment = as_text(moment_of(now))
    which = sa.and_(_lease.session == session, _lease.item == item, _lease.reader == person)
    with workspace.writing(Deed.REVIEW, session=session) as transaction:
        held = transaction.execute(sa.select(_lease.expires_at).where(which)).first()
        row = transaction.execute(
            sa.select(REVIEW_ITEMS_TABLE, count_taken(session, person, moment).label("taken")).where(
                _item.session == session, _item.item == item
            )
        ).first()
        if held is None or row is None or (held.expires_at <= moment and row.taken >= known.readers):
            raise refusal(
                f"item {item}, which {person} does not hold any more",
                "an item that is yours to decide",
                "Go on with the next one.",
            )
        transaction.execute(sa.delete(REVIEW_LEASES_TABLE).where(which))
        return _insert(transaction, known, dict(row._mapping), person, values, moment, adjudicates=False)


def _insert(
    transaction: sa.Connection,
    known: ReviewSession,
    item: Mapping[str, Any],
    person: str,
    values: Mapping[str, Any],
    moment: str,
    *,
    adjudicates: bool,
) -> int:
    deed = Deed.ADJUDICATE if adjudicates else Deed.REVIEW
    found = f" ({', '.join(values['findings'])})" if values["findings"] else ""
    noted = note(transaction, deed, known.line, f"{item[QUESTION_ID]}: {values['action']}{found}", person)
    row = dict(values) | {"session": known.session, ITEM: item[ITEM], "reader": person, "adjudicates": adjudicates}
    row |= {TRIPLET: item[TRIPLET], "chunk": item["chunk"], "decided_at": moment, "deed": noted}
    inserted = sa.insert(REVIEW_DECISIONS_TABLE).values(**row).returning(_decision.number)
    return int(transaction.scalar(inserted) or 0)


def checked_decision(known: ReviewSession, decision: Decision) -> dict[str, Any]:
    """The decision as it is kept. Raises QavizError for an action or finding that there is not, and an empty edit."""
    texts = {QUESTION: decision.question, ANSWER: decision.answer, FACT: decision.fact}
    problems = []
    if decision.action not in ACTIONS:
        problems.append((f'the decision "{decision.action}"', ", ".join(ACTIONS)))
    findings = (*FINDINGS, *known.own_findings)
    problems += [(f'the finding "{each}"', ", ".join(findings)) for each in decision.findings if each not in findings]
    if decision.action == EDIT and all(text is None for text in texts.values()):
        problems.append(("an edit that changes nothing", "a new question, answer or fact"))
    if problems:
        raise QavizError(
            *(
                Problem(where="decision", found=found, expected=expected, fix="Choose one of them.")
                for found, expected in problems
            )
        )
    kept = texts if decision.action == EDIT else dict.fromkeys(texts)
    return {
        "action": decision.action,
        "findings": list(dict.fromkeys(decision.findings)),
        "note": checked_text(decision.note, "note", LONGEST_NOTE),
        "seconds": decision.seconds,
        **{name: None if text is None else checked_text(text, name, 1_000_000) for name, text in kept.items()},
    }


def undo_decision(workspace: Workspace, session: str, reader: str, now: datetime | None = None) -> int | None:
    """Take back the reader's last decision and give them its item again, with what they wrote; None if there is none.

    Raises QavizError if it was applied or adjudicated meanwhile.
    """
    known, person = open_for(workspace, session, reader)
    moment = moment_of(now)
    last = (
        sa.select(REVIEW_DECISIONS_TABLE)
        .where(in_force(session, _decision.reader == person, sa.not_(_decision.adjudicates)))
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
            raise refusal("a decision that was applied or adjudicated", "one that is yours alone", "Ask for an edit.")
        ended = {"ended_at": as_text(moment), "ended_why": "taken back"}
        transaction.execute(sa.update(REVIEW_DECISIONS_TABLE).where(_decision.number == row.number).values(**ended))
        note(transaction, Deed.UNREVIEW, known.line, f"item {row.item}: {row.action}", person)
        room = sa.select(count_taken(session, person, as_text(moment))).where(
            _item.session == session, _item.item == row.item
        )
        if int(transaction.scalar(room) or 0) < known.readers:
            lease_item(transaction, session, row.item, person, moment, LEASE)
            which = sa.and_(_lease.session == session, _lease.item == row.item, _lease.reader == person)
            draft = {name: row._mapping[name] for name in ("findings", "note", QUESTION, ANSWER, FACT)}
            given = {"draft": draft, "given_at": as_text(moment)}
            transaction.execute(sa.update(REVIEW_LEASES_TABLE).where(which).values(**given))
        return int(row.item)


def _asked_decisions(session: str) -> sa.Select[Any]:
    columns = [
        _item[name] if name in (QUESTION_ID, "drawn", "repeat_of", "document") else _decision[name]
        for name in DECISIONS
    ]
    return (
        sa.select(*columns)
        .join(REVIEW_ITEMS_TABLE, sa.and_(_item.session == _decision.session, _item.item == _decision.item))
        .where(in_force(session))
        .order_by(_decision.number)
    )


def _decisions(workspace: Workspace, asked: sa.Select[Any]) -> pl.DataFrame:
    with workspace.reading() as connection:
        rows = [tuple(row) for row in connection.execute(asked)]
    return pl.DataFrame(rows, schema=DECISIONS, orient="row")


def all_decisions(workspace: Workspace, session: str) -> pl.DataFrame:
    """DECISIONS of everybody: for figures about the whole review and for what becomes of it, never for a reader."""
    return _decisions(workspace, _asked_decisions(session))


def seen_decisions(workspace: Workspace, session: str, viewer: str) -> pl.DataFrame:
    """The DECISIONS that this person may see: their own; all of them once the session is closed.

    Who has seen them all is given none of these items any more, if the session is opened again.
    """
    asked = _asked_decisions(session)
    if find_session(workspace, session).closed_at is None:
        return _decisions(workspace, asked.where(_decision.reader == viewer))
    with workspace.writing(Deed.READ, session=session) as transaction:
        items = transaction.scalars(sa.select(_item.item).where(_item.session == session))
        insert_new(
            transaction, REVIEW_VIEWS_TABLE, [{"session": session, ITEM: each, "viewer": viewer} for each in items]
        )
    return _decisions(workspace, asked)


def open_for_adjudication(workspace: Workspace, session: str, item: int, person: str) -> pl.DataFrame:
    """The DECISIONS on an item that enough readers decided on, for a third person, who cannot be its reader any more.

    Raises QavizError if the item lacks readers, or the person decided on it or holds it.
    """
    known, viewer = find_session(workspace, session), checked_name(person, NAME_OF_PERSON)
    with workspace.writing(Deed.ADJUDICATE, session=session) as transaction:
        _refuse_no_third(transaction, known, item, viewer)
        insert_new(transaction, REVIEW_VIEWS_TABLE, [{"session": session, ITEM: item, "viewer": viewer}])
        rows = [tuple(row) for row in transaction.execute(_asked_decisions(session).where(_decision.item == item))]
    return pl.DataFrame(rows, schema=DECISIONS, orient="row")


def _refuse_no_third(transaction: sa.Connection, known: ReviewSession, item: int, person: str) -> None:
    session = known.session
    own = sa.select(_decision.number).where(
        _decision.session == session,
        _decision.item == item,
        _decision.reader == person,
        sa.not_(_decision.adjudicates),
    )
    held = sa.select(_lease.item).where(_lease.session == session, _lease.item == item, _lease.reader == person)
    decided = sa.select(sa.func.count()).where(
        in_force(session, _decision.item == item, _decision.action != SKIP, sa.not_(_decision.adjudicates))
    )
    if transaction.scalar(own) is not None or transaction.scalar(held) is not None:
        raise refusal(f"{person}, who reads item {item}", "a third person", "Ask somebody else to adjudicate.")
    if int(transaction.scalar(decided) or 0) < known.readers:
        raise refusal(f"item {item} without all its decisions", f"{known.readers} decisions", "Wait for its readers.")


def adjudicate(workspace: Workspace, session: str, item: int, person: str, decision: Decision) -> int:
    """Keep what a third person says of an item, with the reason in `note`. Returns the decision's number.

    An earlier adjudication of the item ends. Raises QavizError as `open_for_adjudication`, and without a reason.
    """
    known, viewer = find_session(workspace, session), checked_name(person, NAME_OF_PERSON)
    if not decision.note.strip():
        raise refusal("no reason", "why the adjudicator decides so", "Write the reason as the note.")
    values = checked_decision(known, decision)
    now = as_text(moment_of(None))
    with workspace.writing(Deed.ADJUDICATE, session=session) as transaction:
        _refuse_no_third(transaction, known, item, viewer)
        earlier = in_force(session, _decision.item == item, _decision.adjudicates, _decision.applied.is_(None))
        transaction.execute(
            sa.update(REVIEW_DECISIONS_TABLE).where(earlier).values(ended_at=now, ended_why="adjudicated again")
        )
        row = transaction.execute(
            sa.select(REVIEW_ITEMS_TABLE).where(_item.session == session, _item.item == item)
        ).one()
        return _insert(transaction, known, dict(row._mapping), viewer, values, now, adjudicates=True)


def end_decisions(workspace: Workspace, line: str, questions: Sequence[str], why: str) -> None:
    """End the decisions on these triplets, applied or not, in all open reviews of the line: they are asked again."""
    table = REVIEW_SESSIONS_TABLE.c
    of_line = sa.select(table.session).where(table.line == line, table.closed_at.is_(None))
    items = sa.select(_item.item).where(_item.session == _decision.session, _item.question_id.in_([*questions]))
    which = sa.and_(_decision.ended_at.is_(None), _decision.session.in_(of_line), _decision.item.in_(items))
    ended = {"ended_at": as_text(moment_of(None)), "ended_why": why}
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
            one = sa.and_(_item.session == session, _item.item == item)
            transaction.execute(sa.update(REVIEW_ITEMS_TABLE).where(one).values(triplet=triplet))
