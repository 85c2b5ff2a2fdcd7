"""Leases: which reader holds which item of a review, until when, and what they have written so far.

An item is given in one transaction under the writer's lock, never to more readers than the session asks.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from qaviz.model.errors import QavizError, stop
from qaviz.store.audit_log import Deed
from qaviz.store.index import write_moment
from qaviz.store.names import NAME_OF_PERSON, checked_name
from qaviz.store.review_sessions import SKIP, ReviewSession, find_session
from qaviz.store.tables import (
    REVIEW_DECISIONS_TABLE,
    REVIEW_ITEMS_TABLE,
    REVIEW_LEASES_TABLE,
    REVIEW_VIEWS_TABLE,
    JsonObject,
)
from qaviz.store.workspace import Workspace

LEASE = timedelta(minutes=30)
REPEAT_GAP = 5
"""Decisions between a reader's decision and its hidden repeat, while there is something else to read."""


_lease, _decision, _item = REVIEW_LEASES_TABLE.c, REVIEW_DECISIONS_TABLE.c, REVIEW_ITEMS_TABLE.c


@dataclass(frozen=True, kw_only=True)
class Given:
    """An item that a reader holds."""

    session: str
    item: int
    question_id: str
    triplet: str
    """Hash of the triplet as it was drawn; a decision is on this text."""
    document: str | None
    expires_at: datetime
    draft: JsonObject
    """What the reader has written so far."""


def in_force(session: str, *more: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    """That a decision of the session is in force."""
    return sa.and_(_decision.session == session, _decision.ended_at.is_(None), *more)


def is_item(session: str, item: int) -> sa.ColumnElement[bool]:
    """That a row of items is this one."""
    return sa.and_(_item.session == session, _item.item == item)


def is_lease(session: str, item: int, reader: str) -> sa.ColumnElement[bool]:
    """That a row of leases is the reader's on this item."""
    return sa.and_(_lease.session == session, _lease.item == item, _lease.reader == reader)


def count_taken(session: str, reader: str, now: str) -> sa.ColumnElement[int]:
    """How many others decided on the item or hold it now."""
    others = sa.and_(_decision.reader != reader, _decision.action != SKIP, sa.not_(_decision.adjudicates))
    decided = in_force(session, _decision.item == _item.item, others)
    held = sa.and_(_lease.session == session, _lease.item == _item.item, _lease.reader != reader)
    return _count(decided) + _count(held, _lease.expires_at > now)


def _count(*conditions: sa.ColumnElement[bool]) -> sa.ScalarSelect[int]:
    """How many rows meet the conditions, for each item that is asked about."""
    return sa.select(sa.func.count()).where(*conditions).correlate(REVIEW_ITEMS_TABLE).scalar_subquery()


def open_for(workspace: Workspace, session: str, reader: str) -> tuple[ReviewSession, str]:
    """The session and the reader as kept. Raises QavizError if it is closed or not for this reader."""
    known, person = find_session(workspace, session), checked_name(reader, NAME_OF_PERSON)
    if known.closed_at:
        raise refusal("a closed session", "an open one", "Start another review.")
    if known.pool and person not in known.pool:
        raise refusal(f"{person}, who is no reader of it", ", ".join(known.pool), "Ask who started the review.")
    return known, person


def refusal(found: str, expected: str, fix: str) -> QavizError:
    """What a reader may not do, as an error."""
    return stop("review session", found, expected, fix)


def give_next(
    workspace: Workspace, session: str, reader: str, now: datetime | None = None, lease: timedelta = LEASE
) -> Given | None:
    """Give the reader an item to decide: the one that they hold, else the next one that lacks a reader; or None.

    Raises QavizError if the session is closed or the reader is not of its pool.
    """
    known, person = open_for(workspace, session, reader)
    moment = now or datetime.now(UTC)
    with workspace.writing(Deed.REVIEW, session=session) as transaction:
        held = _find_held_item(transaction, session, person, write_moment(moment), known.readers)
        item_number = held if held is not None else _find_open_item(transaction, known, person, write_moment(moment))
        if item_number is None:
            return None
        return lease_item(transaction, session, item_number, person, moment, lease)


def give_item(workspace: Workspace, session: str, reader: str, item: int, now: datetime | None = None) -> Given | None:
    """Give the reader this item, if it lacks a reader and is theirs to decide; None if not. Raises as `give_next`."""
    known, person = open_for(workspace, session, reader)
    moment = now or datetime.now(UTC)
    with workspace.writing(Deed.REVIEW, session=session) as transaction:
        if (
            transaction.scalar(_select_open_items(known, person, write_moment(moment)).where(_item.item == item))
            is None
        ):
            return None
        return lease_item(transaction, session, item, person, moment, LEASE)


def _find_held_item(transaction: sa.Connection, session: str, reader: str, now: str, readers: int) -> int | None:
    """The item whose lease the reader has, the newest first; one that ended only if there is room on the item."""
    query = (
        sa.select(_lease.item)
        .join(REVIEW_ITEMS_TABLE, sa.and_(_item.session == _lease.session, _item.item == _lease.item))
        .where(
            _lease.session == session,
            _lease.reader == reader,
            sa.or_(_lease.expires_at > now, count_taken(session, reader, now) < readers),
            sa.not_(_has_viewed(session, reader)),
        )
        .order_by(_lease.given_at.desc())
        .limit(1)
    )
    item_number: int | None = transaction.scalar(query)
    return item_number


def _has_viewed(session: str, reader: str) -> sa.ColumnElement[bool]:
    view = REVIEW_VIEWS_TABLE.c
    return (
        sa.exists()
        .where(view.session == session, view.item == _item.item, view.viewer == reader)
        .correlate(REVIEW_ITEMS_TABLE)
    )


def _select_open_items(known: ReviewSession, reader: str, now: str) -> sa.Select[Any]:
    """The items that lack a reader and that this reader has neither decided on nor seen others' decisions of."""
    session = known.session
    own = in_force(session, _decision.item == _item.item, _decision.reader == reader)
    return sa.select(_item.item).where(
        _item.session == session,
        sa.not_(sa.exists().where(own).correlate(REVIEW_ITEMS_TABLE)),
        sa.not_(_has_viewed(session, reader)),
        count_taken(session, reader, now) < known.readers,
    )


def _find_open_item(transaction: sa.Connection, known: ReviewSession, reader: str, now: str) -> int | None:
    """The first item, in the order of reading, that lacks a reader and that this reader has not decided on."""
    ordered = _select_open_items(known, reader, now).order_by(_item.place).limit(1)
    due, late = (_is_due(known.session, reader, gap) for gap in (REPEAT_GAP, 0))
    first: int | None = transaction.scalar(ordered.where(sa.or_(_item.repeat_of.is_(None), due)))
    return transaction.scalar(ordered.where(late)) if first is None else first


def _is_due(session: str, reader: str, gap: int) -> sa.ColumnElement[bool]:
    """Whether the reader decided on the item that this one repeats, so many decisions ago."""
    first = REVIEW_DECISIONS_TABLE.alias("first")
    since = REVIEW_DECISIONS_TABLE.alias("since")
    number = (
        sa.select(first.c.number)
        .where(
            first.c.session == session,
            first.c.item == _item.repeat_of,
            first.c.reader == reader,
            first.c.ended_at.is_(None),
            first.c.action != SKIP,
        )
        .correlate(REVIEW_ITEMS_TABLE)
        .scalar_subquery()
    )
    later = _count(since.c.session == session, since.c.reader == reader, since.c.number > number)
    return sa.and_(number.is_not(None), later >= gap)


def lease_item(
    transaction: sa.Connection, session: str, item: int, reader: str, now: datetime, lease: timedelta
) -> Given:
    """Give the item to the reader until then; a draft of theirs stays."""
    until = now + lease
    which = is_lease(session, item, reader)
    draft = transaction.execute(sa.select(_lease.draft).where(which)).first()
    if draft is None:
        row = {"session": session, "item": item, "reader": reader, "given_at": write_moment(now)}
        transaction.execute(sa.insert(REVIEW_LEASES_TABLE).values(**row, expires_at=write_moment(until), draft={}))
    else:
        transaction.execute(sa.update(REVIEW_LEASES_TABLE).where(which).values(expires_at=write_moment(until)))
    leased = transaction.execute(sa.select(REVIEW_ITEMS_TABLE).where(is_item(session, item))).one()
    return Given(
        session=session,
        item=item,
        question_id=leased.question_id,
        triplet=leased.triplet,
        document=leased.document,
        expires_at=until,
        draft=draft.draft if draft else {},
    )


def keep_draft(workspace: Workspace, given: Given, reader: str, draft: JsonObject) -> None:
    """Keep what the reader has written so far of an item that they hold; of another item nothing."""
    which = is_lease(given.session, given.item, reader)
    with workspace.writing(Deed.REVIEW, session=given.session) as transaction:
        transaction.execute(sa.update(REVIEW_LEASES_TABLE).where(which).values(draft=dict(draft)))


@dataclass(frozen=True, kw_only=True)
class ReadingProgress:
    """How far a reader, and the review, is. Hidden repeats are counted for neither."""

    own: int
    """Items that the reader decided on."""
    decided: int
    """Decisions of all readers."""
    wanted: int
    """Decisions that the review asks for: items times readers."""


def count_progress(workspace: Workspace, session: str, reader: str) -> ReadingProgress:
    """Return how far the reader and the review are. Raises QavizError if there is no such session."""
    known = find_session(workspace, session)
    counted = in_force(session, _decision.action != SKIP, sa.not_(_decision.adjudicates), _item.repeat_of.is_(None))
    own = sa.func.coalesce(sa.func.sum(sa.case((_decision.reader == reader, 1), else_=0)), 0)
    query = (
        sa.select(sa.func.count(), own)
        .join(REVIEW_ITEMS_TABLE, sa.and_(_item.session == _decision.session, _item.item == _decision.item))
        .where(counted)
    )
    items = sa.select(sa.func.count()).where(_item.session == session, _item.repeat_of.is_(None))
    with workspace.reading() as connection:
        decided, mine = connection.execute(query).one()
        wanted = int(connection.scalar(items) or 0) * known.readers
    return ReadingProgress(own=int(mine), decided=int(decided), wanted=wanted)
