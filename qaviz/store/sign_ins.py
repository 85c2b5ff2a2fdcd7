"""Who has signed in at a provider: sessions that the server can end, known by the hash of a random cookie; and
what each person holds of what is limited."""

import hashlib
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from qaviz.store.index import insert_new, write_moment
from qaviz.store.tables import HOLDINGS_TABLE, SIGN_INS_TABLE
from qaviz.store.workspace import Workspace

LONGEST = timedelta(hours=12)
"""A sign-in ends after this time, whatever happens."""
IDLE = timedelta(hours=2)
"""A sign-in ends when nothing was asked for so long."""
_NOTED_EVERY = timedelta(minutes=1)
_CALLBACK = "callback"
"""The source of a row that says that a provider's callback was used, and is no sign-in."""

_CALLBACK_KEPT = timedelta(days=1)

_sign_in = SIGN_INS_TABLE.c


@dataclass(frozen=True, kw_only=True)
class SignIn:
    """A sign-in that is in force."""

    key: str
    """Hash of the cookie."""
    subject: str
    name: str
    source: str
    expires_at: datetime


def hash_cookie(cookie: str) -> str:
    """The key of the sign-in with this cookie: SHA-256, in hexadecimal."""
    return hashlib.sha256(cookie.encode(errors="replace")).hexdigest()


def begin_sign_in(workspace: Workspace, subject: str, name: str, source: str, longest: timedelta = LONGEST) -> str:
    """Begin a sign-in. Returns what stands in the cookie, which is kept nowhere else."""
    cookie = secrets.token_urlsafe(32)
    with workspace.locking() as transaction:
        row = _make_row(hash_cookie(cookie), source, longest) | {"subject": subject, "name": name}
        transaction.execute(sa.delete(SIGN_INS_TABLE).where(_sign_in.expires_at <= row["began_at"]))
        transaction.execute(sa.insert(SIGN_INS_TABLE).values(row))
    return cookie


def use_callback(workspace: Workspace, state: str) -> bool:
    """Note that the provider's callback with this state was used. Returns False if it was, on any server, before."""
    with workspace.locking() as transaction:
        return bool(insert_new(transaction, SIGN_INS_TABLE, [_make_row(hash_cookie(state), _CALLBACK, _CALLBACK_KEPT)]))


def _make_row(key: str, source: str, longest: timedelta) -> dict[str, str]:
    now = datetime.now(UTC)
    times = {"began_at": write_moment(now), "seen_at": write_moment(now), "expires_at": write_moment(now + longest)}
    return {"key": key, "subject": "", "name": "", "source": source} | times


def find_sign_in(workspace: Workspace, key: str, source: str, now: datetime | None = None) -> SignIn | None:
    """The sign-in with this key, if it came from this source and is in force. Notes that it was used."""
    moment = now or datetime.now(UTC)
    with workspace.reading() as connection:
        row = connection.execute(sa.select(SIGN_INS_TABLE).where(_sign_in.key == key)).first()
    if row is None or row.source != source or not row.subject:
        return None
    if row.expires_at <= write_moment(moment) or row.seen_at <= write_moment(moment - IDLE):
        return None
    if row.seen_at <= write_moment(moment - _NOTED_EVERY):
        with workspace.locking() as transaction:
            seen = sa.update(SIGN_INS_TABLE).where(_sign_in.key == key).values(seen_at=write_moment(moment))
            transaction.execute(seen)
    expires_at = datetime.fromisoformat(row.expires_at)
    return SignIn(key=key, subject=row.subject, name=row.name, source=row.source, expires_at=expires_at)


def end_sign_in(workspace: Workspace, key: str) -> None:
    """End the sign-in: its cookie opens nothing any more."""
    with workspace.locking() as transaction:
        transaction.execute(sa.delete(SIGN_INS_TABLE).where(_sign_in.key == key))


STANDS_S = 60.0
"""Seconds without a report after which a server's holdings do not count."""

_held = HOLDINGS_TABLE.c


def hold(
    workspace: Workspace, server: str, kind: str, subject: str, amount: int, most: int, now: float | None = None
) -> bool:
    """Have the subject hold so much more on this server, if all servers together then hold no more than `most`.

    Returns whether they do. A negative amount gives back.
    """
    moment = time.time() if now is None else now
    with workspace.locking() as transaction:
        of_subject = sa.and_(_held.kind == kind, _held.subject == subject)
        rows = transaction.execute(sa.select(HOLDINGS_TABLE).where(of_subject)).all()
        own = sum(row.amount for row in rows if row.server == server)
        others = sum(row.amount for row in rows if row.server != server and row.seen_at > moment - STANDS_S)
        if amount > 0 and own + others + amount > most:
            return False
        transaction.execute(sa.delete(HOLDINGS_TABLE).where(of_subject, _held.server == server))
        if own + amount > 0:
            row = {"server": server, "kind": kind, "subject": subject, "amount": own + amount, "seen_at": moment}
            transaction.execute(sa.insert(HOLDINGS_TABLE).values(row))
    return True


def report_holdings(
    workspace: Workspace, server: str, kind: str, amounts: Mapping[str, int], now: float | None = None
) -> dict[str, int]:
    """Report that the server runs, and what its subjects hold of this kind. Returns what all hold on the others."""
    moment = time.time() if now is None else now
    with workspace.locking() as transaction:
        transaction.execute(sa.update(HOLDINGS_TABLE).where(_held.server == server).values(seen_at=moment))
        own = sa.and_(_held.server == server, _held.kind == kind)
        transaction.execute(sa.delete(HOLDINGS_TABLE).where(own | (_held.seen_at <= moment - STANDS_S)))
        rows = [
            {"server": server, "kind": kind, "subject": subject, "amount": amount, "seen_at": moment}
            for subject, amount in amounts.items()
            if amount > 0
        ]
        if rows:
            transaction.execute(sa.insert(HOLDINGS_TABLE), rows)
        query = sa.select(_held.subject, sa.func.sum(_held.amount)).where(_held.kind == kind, _held.server != server)
        return {subject: int(held) for subject, held in transaction.execute(query.group_by(_held.subject))}


def forget_server(workspace: Workspace, server: str) -> None:
    """Remove what a server held that ends."""
    with workspace.locking() as transaction:
        transaction.execute(sa.delete(HOLDINGS_TABLE).where(_held.server == server))
