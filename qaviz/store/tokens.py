"""API tokens, for CI: each acts for a subject, with a role and perhaps in one project only, until it expires.

The token is shown once, when it is made; only its hash is kept. It may never do more than its subject may do now.
"""

import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl
import sqlalchemy as sa

from qaviz.model.errors import Problem, QavizError
from qaviz.store.audit_log import Deed, note
from qaviz.store.members import forget_subject, give_role
from qaviz.store.names import checked_name
from qaviz.store.roles import Actor, Role, refuse_deed
from qaviz.store.tables import API_TOKENS_TABLE
from qaviz.store.visibility import restrict
from qaviz.store.workspace import Workspace

TOKENS = pl.Schema(
    dict.fromkeys(("token", "name", "subject", "role", "project", "made_at", "expires_at", "revoked_at"), pl.String())
)
"""A token without its secret: id, name, for whom it acts, at most as what, in which project only (null: everywhere the
subject may), and its times (ISO, UTC; the last is null while it is in force)."""

LONGEST_DAYS = 365
_PREFIX = "qaviz"
_OWN = "token:"
"""How the subject of a token begins that the operator made, who is no subject."""

_token = API_TOKENS_TABLE.c


def create_token(
    workspace: Workspace, name: str, role: Role, days: int, project: str | None = None, by: str | None = None
) -> str:
    """Make a token and return it: `qaviz_ID_SECRET`. It is kept nowhere.

    Raises QavizError if the name or the days will not do, or the role is more than the actor's own.
    """
    if not 1 <= days <= LONGEST_DAYS:
        raise _refusal_error("expiry of the token", f"{days} days", f"1 to {LONGEST_DAYS} days", "Choose fewer days.")
    token, secret, now = secrets.token_hex(6), secrets.token_urlsafe(32), datetime.now(UTC)
    subject = workspace.actor.subject or f"{_OWN}{token}"
    row = {
        "token": token,
        "hash": _hash(secret),
        "name": checked_name(name, "name of the token"),
        "subject": subject,
        "role": str(role),
        "project": project,
        "made_at": now.isoformat(),
        "expires_at": (now + timedelta(days=days)).isoformat(),
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
        rows = connection.execute(_own_only(asked, connection, workspace.actor))
        return pl.DataFrame([tuple(row) for row in rows], schema=TOKENS, orient="row")


def _own_only(asked: sa.Select[Any], connection: sa.Connection, actor: Actor) -> sa.Select[Any]:
    everybody = restrict(connection, actor).everywhere is Role.OWNER
    return asked if everybody else asked.where(_token.subject == actor.subject)


def revoke_token(workspace: Workspace, token: str, by: str | None = None) -> None:
    """End the token with this id at once. Raises QavizError if there is none that the actor may end."""
    with workspace.writing(Deed.TOKEN) as transaction:
        asked = sa.select(_token.subject).where(_token.token == token, _token.revoked_at.is_(None))
        subject: str | None = transaction.scalar(_own_only(asked, transaction, workspace.actor))
        if subject is None:
            raise _refusal_error("token", f'no token "{token}" in force', "the id of a token", "List them.")
        ended = sa.update(API_TOKENS_TABLE).where(_token.token == token)
        transaction.execute(ended.values(revoked_at=datetime.now(UTC).isoformat()))
        if subject.startswith(_OWN):
            forget_subject(transaction, subject)
        note(transaction, Deed.TOKEN, token, "revoked", by)


def find_token_actor(workspace: Workspace, text: str, now: datetime | None = None) -> Actor:
    """The actor that the token stands for. Raises QavizError if it is none, expired or revoked; never says it."""
    _, token, secret = ([*text.strip().split("_", 2), "", ""])[:3]
    with workspace.reading() as connection:
        row = connection.execute(sa.select(API_TOKENS_TABLE).where(_token.token == token)).first()
    moment = (now or datetime.now(UTC)).isoformat()
    found = None
    if row is None or not hmac.compare_digest(row.hash, _hash(secret)):
        found = "a token that was never made here"
    elif row.revoked_at is not None:
        found = f'the token "{row.name}", revoked on {row.revoked_at[:10]}'
    elif row.expires_at <= moment:
        found = f'the token "{row.name}", which expired on {row.expires_at[:10]}'
    if row is None or found is not None:
        raise _refusal_error("QAVIZ_TOKEN", str(found), "a token in force", "Make one: qaviz tokens create.")
    return Actor(row.subject, row.name, Role[row.role.upper()], row.project, row.token)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _refusal_error(where: str, found: str, expected: str, fix: str) -> QavizError:
    return QavizError(Problem(where=where, found=found, expected=expected, fix=fix))
