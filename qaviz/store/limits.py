"""What the servers of one workspace count together: how often somebody may ask, and what they hold at this moment.

A rate is a bucket that fills with time. A holding is an open page, a running job or a byte of an upload. A server
reports every few seconds that it runs; the holdings of one that has not reported for STANDS_S do not count.
"""

import time
from collections.abc import Mapping

import sqlalchemy as sa

from qaviz.store.tables import HOLDINGS_TABLE, RATES_TABLE
from qaviz.store.workspace import Workspace

STANDS_S = 60.0
"""Seconds without a report after which a server's holdings do not count."""
FORGOTTEN_S = 24 * 3600.0
"""Seconds without use after which a bucket is taken to be full, and its row is removed."""

_rate, _held = RATES_TABLE.c, HOLDINGS_TABLE.c


def take_tokens(
    workspace: Workspace, key: str, burst: int, every: float, most: int = 1, now: float | None = None
) -> tuple[int, float]:
    """Take up to `most` tokens from a bucket of `burst`, which gets one `every` so many seconds.

    Returns how many were there, and for none the seconds until there is one. Times are seconds since 1970.
    """
    moment = time.time() if now is None else now
    with workspace.locking() as transaction:
        row = transaction.execute(sa.select(RATES_TABLE).where(_rate.key == key)).first()
        # The clocks of two servers may differ: a bucket never empties by that.
        filled = float(burst) if row is None else min(burst, row.tokens + max(0.0, moment - row.filled_at) / every)
        taken = min(most, int(filled))
        if taken:
            old = _rate.filled_at < moment - FORGOTTEN_S
            transaction.execute(sa.delete(RATES_TABLE).where((_rate.key == key) | old))
            transaction.execute(sa.insert(RATES_TABLE).values(key=key, tokens=filled - taken, filled_at=moment))
    return taken, 0.0 if taken else (1 - filled) * every


def refill(workspace: Workspace, key: str) -> None:
    """Fill the bucket again."""
    with workspace.locking() as transaction:
        transaction.execute(sa.delete(RATES_TABLE).where(_rate.key == key))


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
        asked = sa.select(_held.subject, sa.func.sum(_held.amount)).where(_held.kind == kind, _held.server != server)
        return {subject: int(held) for subject, held in transaction.execute(asked.group_by(_held.subject))}


def forget_server(workspace: Workspace, server: str) -> None:
    """Remove what a server held that ends."""
    with workspace.locking() as transaction:
        transaction.execute(sa.delete(HOLDINGS_TABLE).where(_held.server == server))
