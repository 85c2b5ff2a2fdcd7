"""The workspace's policy: its acceptance criteria, with when they were set. Each change is kept; the newest counts."""

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from qaviz.store.audit_log import Deed, note
from qaviz.store.tables import POLICIES_TABLE
from qaviz.store.workspace import Workspace

ABOUT_POLICY = "policy"
"""What the audit says that a change of the policy is about."""


def keep_policy(workspace: Workspace, policy: dict[str, Any], by: str | None = None) -> None:
    """Save the policy, as `analysis.policy.as_policy` writes it. Raises QavizError if the disk refuses."""
    row = {"policy": policy, "set_at": datetime.now(UTC).isoformat(timespec="microseconds")}
    with workspace.writing() as transaction:
        transaction.execute(sa.insert(POLICIES_TABLE).values(row))
        note(transaction, Deed.POLICY, ABOUT_POLICY, json.dumps(policy, ensure_ascii=False), by)


def kept_policy(workspace: Workspace) -> dict[str, Any] | None:
    """The policy in force, None where none was ever set. Raises QavizError if the index cannot be read."""
    newest = sa.select(POLICIES_TABLE.c.policy).order_by(POLICIES_TABLE.c.number.desc()).limit(1)
    with workspace.reading() as connection:
        found: dict[str, Any] | None = connection.scalar(newest)
    return found
