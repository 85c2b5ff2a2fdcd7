"""Who may come in: local accounts with the hash of a password, sign-in sessions that the server can end, and API
tokens for CI.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl
import sqlalchemy as sa

from qaviz.model.errors import QavizError, stop
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import insert_new, read_rows, write_moment
from qaviz.store.members import forget_subject, give_role
from qaviz.store.names import checked_name
from qaviz.store.roles import Actor, Role, refuse_deed
from qaviz.store.tables import ACCOUNTS_TABLE, API_TOKENS_TABLE, SIGN_INS_TABLE, frame_schema
from qaviz.store.visibility import restrict
from qaviz.store.workspace import Workspace

NAME_OF_ACCOUNT = "name of the account"
_NAME = re.compile(r"[a-z0-9][a-z0-9._@-]{0,62}")

_account = ACCOUNTS_TABLE.c

LONGEST = timedelta(hours=12)
"""A sign-in ends after this time, whatever happens."""
IDLE = timedelta(hours=2)
"""A sign-in ends when nothing was asked for so long."""
_NOTED_EVERY = timedelta(minutes=1)

_sign_in = SIGN_INS_TABLE.c

TOKENS = frame_schema(API_TOKENS_TABLE, "hash")
"""A token without its secret: id, name, for whom it acts, at most as what, in which project only (null: everywhere the
subject may), and its times (ISO, UTC; the last is null while it is in force)."""

LONGEST_DAYS = 365
_PREFIX = "qaviz"
_OWN = "token:"
"""How the subject of a token begins that the operator made, who is no subject."""

_token = API_TOKENS_TABLE.c


def checked_account_name(name: str) -> str:
    """The name of an account. Raises QavizError if it will not do."""
    if not _NAME.fullmatch(name):
        raise _account_error(f"{name!a}", "1 to 63 of a-z, 0-9, dot, hyphen, underscore and @", "Choose another name.")
    return name


def add_account(workspace: Workspace, name: str, hashed: str, by: str | None = None) -> None:
    """Add an account with the hash of its password. Raises QavizError if the name will not do or is taken."""
    row = {"name": checked_account_name(name), "password": hashed, "made_at": write_moment()}
    with workspace.writing(Deed.ACCOUNT) as transaction:
        if not insert_new(transaction, ACCOUNTS_TABLE, [row]):
            raise _account_error(f"{name}, which is there", "a new name", "Choose another, or set its password.")
        note(transaction, Deed.ACCOUNT, name, "added", by)


def list_accounts(workspace: Workspace) -> list[tuple[str, str]]:
    """Name and time of making (ISO, UTC) of each account."""
    workspace.require(Deed.ACCOUNT)
    with workspace.reading() as connection:
        asked = sa.select(_account.name, _account.made_at).order_by(_account.name)
        return [(row.name, row.made_at) for row in connection.execute(asked)]


def find_password(workspace: Workspace, name: str) -> str | None:
    """The hash of the account's password; None where there is no such account. For signing in, before who is known."""
    with workspace.reading() as connection:
        found: str | None = connection.scalar(sa.select(_account.password).where(_account.name == name))
    return found


def set_password(workspace: Workspace, name: str, hashed: str, by: str | None = None) -> None:
    """Set the hash of the password, and end the account's sign-ins. Raises QavizError if there is no such account."""
    with workspace.writing(Deed.ACCOUNT) as transaction:
        changed = sa.update(ACCOUNTS_TABLE).where(_account.name == name).values(password=hashed)
        if not transaction.execute(changed).rowcount:
            raise _account_error(f'no account "{name}"', "an account that is there", "List them.")
        transaction.execute(sa.delete(SIGN_INS_TABLE).where(SIGN_INS_TABLE.c.subject == name))
        note(transaction, Deed.ACCOUNT, name, "new password", by)


def remove_account(workspace: Workspace, name: str, by: str | None = None) -> None:
    """Remove the account, its roles and its sign-ins.

    Raises QavizError if there is no such account, or it is the last owner's.
    """
    with workspace.writing(Deed.ACCOUNT) as transaction:
        if not transaction.execute(sa.delete(ACCOUNTS_TABLE).where(_account.name == name)).rowcount:
            raise _account_error(f'no account "{name}"', "an account that is there", "List them.")
        forget_subject(transaction, name)
        transaction.execute(sa.delete(SIGN_INS_TABLE).where(SIGN_INS_TABLE.c.subject == name))
        note(transaction, Deed.ACCOUNT, name, "removed", by)


def _account_error(found: str, expected: str, fix: str) -> QavizError:
    return stop(NAME_OF_ACCOUNT, found, expected, fix)


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
    times = {"began_at": write_moment(now), "seen_at": write_moment(now), "expires_at": write_moment(now + longest)}
    with workspace.locking() as transaction:
        transaction.execute(sa.delete(SIGN_INS_TABLE).where(_sign_in.expires_at <= write_moment(now)))
        transaction.execute(sa.insert(SIGN_INS_TABLE).values(row | times))
    return cookie


def find_sign_in(workspace: Workspace, key: str, source: str, now: datetime | None = None) -> SignIn | None:
    """The sign-in with this key, if it came from this source and is in force. Notes that it was used."""
    moment = now or datetime.now(UTC)
    with workspace.reading() as connection:
        row = connection.execute(sa.select(SIGN_INS_TABLE).where(_sign_in.key == key)).first()
    if row is None or row.source != source:
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


def create_token(
    workspace: Workspace, name: str, role: Role, days: int, project: str | None = None, by: str | None = None
) -> str:
    """Make a token and return it: `qaviz_ID_SECRET`. It is kept nowhere.

    Raises QavizError if the name or the days will not do, or the role is more than the actor's own.
    """
    if not 1 <= days <= LONGEST_DAYS:
        raise stop("expiry of the token", f"{days} days", f"1 to {LONGEST_DAYS} days", "Choose fewer days.")
    token, secret, now = secrets.token_hex(6), secrets.token_urlsafe(32), datetime.now(UTC)
    subject = workspace.actor.subject or f"{_OWN}{token}"
    row = {
        "token": token,
        "hash": _hash(secret),
        "name": checked_name(name, "name of the token"),
        "subject": subject,
        "role": str(role),
        "project": project,
        "made_at": write_moment(now),
        "expires_at": write_moment(now + timedelta(days=days)),
    }
    if workspace.actor.subject is None:
        give_role(workspace, subject, role, project, by)
    with workspace.in_project(project).writing(Deed.TOKEN) as transaction:
        held = restrict(transaction, workspace.actor)
        own = held.in_any([project] if project else ())
        if own is None or own < role:
            raise refuse_deed(Deed.TOKEN, workspace.actor, own)
        transaction.execute(sa.insert(API_TOKENS_TABLE).values(row))
        note(transaction, Deed.TOKEN, project or token, f'"{row["name"]}", {role}, made for {days} days', by)
    return f"{_PREFIX}_{token}_{secret}"


def list_tokens(workspace: Workspace) -> pl.DataFrame:
    """TOKENS of the actor; of everybody for an owner of the workspace. The newest first."""
    asked = sa.select(*(_token[name] for name in TOKENS)).order_by(_token.made_at.desc())
    with workspace.reading() as connection:
        return read_rows(connection, _own_only(asked, connection, workspace.actor), TOKENS)


def _own_only(asked: sa.Select[Any], connection: sa.Connection, actor: Actor) -> sa.Select[Any]:
    everybody = restrict(connection, actor).everywhere is Role.OWNER
    return asked if everybody else asked.where(_token.subject == actor.subject)


def revoke_token(workspace: Workspace, token: str, by: str | None = None) -> None:
    """End the token with this id at once. Raises QavizError if there is none that the actor may end."""
    with workspace.writing(Deed.TOKEN) as transaction:
        asked = sa.select(_token.subject).where(_token.token == token, _token.revoked_at.is_(None))
        subject: str | None = transaction.scalar(_own_only(asked, transaction, workspace.actor))
        if subject is None:
            raise stop("token", f'no token "{token}" in force', "the id of a token", "List them.")
        ended = sa.update(API_TOKENS_TABLE).where(_token.token == token)
        transaction.execute(ended.values(revoked_at=write_moment()))
        if subject.startswith(_OWN):
            forget_subject(transaction, subject)
        note(transaction, Deed.TOKEN, token, "revoked", by)


def find_token_actor(workspace: Workspace, text: str, now: datetime | None = None) -> Actor:
    """The actor that the token stands for. Raises QavizError if it is none, expired or revoked; never says it."""
    _, token, secret = ([*text.strip().split("_", 2), "", ""])[:3]
    with workspace.reading() as connection:
        row = connection.execute(sa.select(API_TOKENS_TABLE).where(_token.token == token)).first()
    moment = write_moment(now)
    found = None
    if row is None or not hmac.compare_digest(row.hash, _hash(secret)):
        found = "a token that was never made here"
    elif row.revoked_at is not None:
        found = f'the token "{row.name}", revoked on {row.revoked_at[:10]}'
    elif row.expires_at <= moment:
        found = f'the token "{row.name}", which expired on {row.expires_at[:10]}'
    if row is None or found is not None:
        raise stop("QAVIZ_TOKEN", str(found), "a token in force", "Make one: qaviz tokens create.")
    return Actor(row.subject, row.name, Role[row.role.upper()], row.project, row.token)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
