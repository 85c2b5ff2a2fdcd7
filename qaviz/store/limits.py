"""What people hold at this moment on all servers of a workspace, counted together.

A holding is an open page, a running job or a byte of an upload. A server
reports every few seconds that it runs; the holdings of one that has not reported for STANDS_S do not count.
"""

import time
from collections.abc import Mapping

import sqlalchemy as sa

from qaviz.store.tables import HOLDINGS_TABLE
from qaviz.store.workspace import Workspace

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
