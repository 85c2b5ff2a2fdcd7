"""Sign-ins: the sessions of people at a browser, kept on the server, so that one that ended cannot be replayed.

The browser has a random text in a cookie; only its hash is kept.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from qaviz.store.tables import SIGN_INS_TABLE
from qaviz.store.workspace import Workspace

LONGEST = timedelta(hours=12)
"""A sign-in ends after this time, whatever happens."""
IDLE = timedelta(hours=2)
"""A sign-in ends when nothing was asked for so long."""
_NOTED_EVERY = timedelta(minutes=1)

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
    cookie, now = secrets.token_urlsafe(32), datetime.now(UTC)
    row = {"key": hash_cookie(cookie), "subject": subject, "name": name, "source": source}
    times = {"began_at": _text(now), "seen_at": _text(now), "expires_at": _text(now + longest)}
    with workspace.locked() as transaction:
        transaction.execute(sa.delete(SIGN_INS_TABLE).where(_sign_in.expires_at <= _text(now)))
        transaction.execute(sa.insert(SIGN_INS_TABLE).values(row | times))
    return cookie


def find_sign_in(workspace: Workspace, key: str, source: str, now: datetime | None = None) -> SignIn | None:
    """The sign-in with this key, if it came from this source and is in force; that it was asked for is noted."""
    moment = now or datetime.now(UTC)
    with workspace.reading() as connection:
        row = connection.execute(sa.select(SIGN_INS_TABLE).where(_sign_in.key == key)).first()
    if row is None or row.source != source or row.expires_at <= _text(moment) or row.seen_at <= _text(moment - IDLE):
        return None
    if row.seen_at <= _text(moment - _NOTED_EVERY):
        with workspace.locked() as transaction:
            seen = sa.update(SIGN_INS_TABLE).where(_sign_in.key == key).values(seen_at=_text(moment))
            transaction.execute(seen)
    expires_at = datetime.fromisoformat(row.expires_at)
    return SignIn(key=key, subject=row.subject, name=row.name, source=row.source, expires_at=expires_at)


def end_sign_in(workspace: Workspace, key: str) -> None:
    """End the sign-in: its cookie opens nothing any more."""
    with workspace.locked() as transaction:
        transaction.execute(sa.delete(SIGN_INS_TABLE).where(_sign_in.key == key))


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")
