"""What people set up for others: the policy with its acceptance criteria."""

import json
from datetime import datetime

import sqlalchemy as sa

from qaviz.store import tables as t
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import write_moment
from qaviz.store.tables import JsonObject
from qaviz.store.workspace import Workspace

_NEWEST = sa.select(t.POLICIES_TABLE.c.policy).order_by(t.POLICIES_TABLE.c.number.desc()).limit(1)


def keep_policy(workspace: Workspace, policy: JsonObject, by: str | None = None) -> None:
    """Save these parts of the policy (`criteria` as `analysis.policy.as_policy` writes them, `review`); others stay."""
    with workspace.writing(Deed.POLICY) as transaction:
        before: JsonObject = transaction.scalar(_NEWEST) or {}
        row = {"policy": {**before, **policy}, "set_at": write_moment()}
        transaction.execute(sa.insert(t.POLICIES_TABLE).values(row))
        note(transaction, Deed.POLICY, "policy", json.dumps(policy, ensure_ascii=False), by)


def kept_policy(workspace: Workspace) -> JsonObject | None:
    """The policy in force, None where none was ever set."""
    return next((policy for policy, _ in policies_kept(workspace)), None)


def policies_kept(workspace: Workspace) -> list[tuple[JsonObject, datetime]]:
    """Every policy ever set, with its moment, the newest first."""
    table = t.POLICIES_TABLE.c
    query = sa.select(table.policy, table.set_at).order_by(table.number.desc())
    return [(row.policy, datetime.fromisoformat(row.set_at)) for row in workspace.select(query)]
