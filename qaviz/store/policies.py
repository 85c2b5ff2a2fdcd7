"""The workspace's policy: its acceptance criteria, and what each risk level asks of a review.

Each change is kept with when it was set; the newest counts.
"""

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from qaviz.store.audit_log import Deed, note
from qaviz.store.tables import POLICIES_TABLE
from qaviz.store.workspace import Workspace

ABOUT_POLICY = "policy"
"""What the audit says that a change of the policy is about."""

_NEWEST = sa.select(POLICIES_TABLE.c.policy).order_by(POLICIES_TABLE.c.number.desc()).limit(1)


def keep_policy(workspace: Workspace, policy: dict[str, Any], by: str | None = None) -> None:
    """Save these parts of the policy (`criteria` as `analysis.policy.as_policy` writes them, `review`); others stay.

    Raises QavizError if the disk refuses.
    """
    with workspace.writing(Deed.POLICY) as transaction:
        before: dict[str, Any] = transaction.scalar(_NEWEST) or {}
        row = {"policy": before | policy, "set_at": datetime.now(UTC).isoformat(timespec="microseconds")}
        transaction.execute(sa.insert(POLICIES_TABLE).values(row))
        note(transaction, Deed.POLICY, ABOUT_POLICY, json.dumps(policy, ensure_ascii=False), by)


def kept_policy(workspace: Workspace) -> dict[str, Any] | None:
    """The policy in force, None where none was ever set. Raises QavizError if the index cannot be read."""
    with workspace.reading() as connection:
        found: dict[str, Any] | None = connection.scalar(_NEWEST)
    return found
