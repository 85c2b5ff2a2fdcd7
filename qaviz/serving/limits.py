"""Limits for each person: how often they may ask, and what they may hold, alone on a server or on all of a workspace.

The servers of one workspace count in its index. Where that does not answer, each goes on by what it has counted itself.
"""

import hashlib
import logging
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Protocol

from qaviz.model.errors import QavizError
from qaviz.store import Workspace
from qaviz.store.limits import forget_server, hold, refill, report_holdings, take_tokens

log = logging.getLogger("qaviz.limits")

MOST_KEYS = 10_000
"""People or addresses that are remembered; the one that was longest quiet is forgotten first."""


REPORTED_EVERY_S = 15.0
"""Seconds after which a server says again that it stands, and what is held on it."""


class Limit(Protocol):
    """How often somebody may do something."""

    def take_kept(self, key: str) -> bool:
        """Take one that is at hand, without waiting for anything. Returns whether there was one."""

    def take(self, key: str) -> float:
        """Take one. Returns 0 if there was one, else the seconds until there is one. May wait for the index."""

    def give_back(self, key: str) -> None:
        """Forget what was taken under the key."""


class RateLimit:
    """A bucket for each key: `burst` at once, and one more each `every` seconds."""

    def __init__(self, burst: int, every: float) -> None:
        self._burst, self._every = burst, every
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, key: str, now: float | None = None) -> float:
        """Take one. Returns 0 if there was one, else the seconds until there is one."""
        with self._lock:
            left = self._filled(key, time.monotonic() if now is None else now)
            if left[0] < 1:
                return (1 - left[0]) * self._every
            self._keep(key, (left[0] - 1, left[1]))
            return 0

    def take_kept(self, key: str) -> bool:
        """Take one, if there is one."""
        return self.take(key) == 0

    def give_back(self, key: str) -> None:
        """Forget what was taken under the key."""
        with self._lock:
            self._left.pop(key, None)

    def _filled(self, key: str, now: float) -> tuple[float, float]:
        left, since = self._left.get(key, (float(self._burst), now))
        return min(self._burst, left + (now - since) / self._every), now

    def _keep(self, key: str, left: tuple[float, float]) -> None:
        self._left[key] = left
        self._left.move_to_end(key)
        while len(self._left) > MOST_KEYS:
            self._left.popitem(last=False)


class SharedRateLimit:
    """A RateLimit of all servers of a workspace: each takes `lease` at once from the index, and hands them out."""

    def __init__(self, workspace: Callable[[], Workspace], name: str, burst: int, every: float, lease: int = 1) -> None:
        self._workspace, self._name, self._lease = workspace, name, lease
        self._burst, self._every = burst, every
        self._alone = RateLimit(burst, every)
        self._kept: OrderedDict[str, int] = OrderedDict()
        self._lock = Lock()

    def take_kept(self, key: str) -> bool:
        """Take one of those that were leased for the key, if there is one left."""
        with self._lock:
            left = self._kept.get(key, 0)
            if left:
                self._kept[key] = left - 1
            return left > 0

    def take(self, key: str) -> float:
        """Take one. Returns 0 if there was one, else the seconds until there is one."""
        if self.take_kept(key):
            return 0
        try:
            taken, wait = take_tokens(self._workspace(), self._place(key), self._burst, self._every, self._lease)
        except QavizError as error:
            log.warning("limits are counted by this server alone: %s", error.problems[0].found)
            return self._alone.take(key)
        if taken:
            self._keep(key, taken - 1)
        return wait

    def give_back(self, key: str) -> None:
        """Forget what was taken under the key."""
        with self._lock:
            self._kept.pop(key, None)
        refill(self._workspace(), self._place(key))

    def _keep(self, key: str, left: int) -> None:
        with self._lock:
            self._kept[key] = self._kept.get(key, 0) + left
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_KEYS:
                self._kept.popitem(last=False)

    def _place(self, key: str) -> str:
        # What somebody types as a name may be a password: the index has a hash alone.
        return f"{self._name} {hashlib.sha256(key.encode(errors='replace')).hexdigest()}"


class Holdings:
    """What people hold on this server, counted together with the other servers of a workspace, if there is one."""

    def __init__(self, workspace: Callable[[], Workspace] | None = None) -> None:
        self._workspace, self._server = workspace, secrets.token_hex(8)
        self._here: Counter[tuple[str, str]] = Counter()
        self._lock = Lock()
        self._measured: dict[str, Callable[[], Mapping[str, int]]] = {}
        self._elsewhere: dict[str, dict[str, int]] = {}

    def take(self, kind: str, subject: str, most: int) -> bool:
        """Hold one more of this kind, unless the subject has `most`. Returns whether they hold it."""
        with self._lock:
            if self._here[kind, subject] >= most:
                return False
            self._here[kind, subject] += 1
        allowed = self._hold(kind, subject, 1, most)
        if not allowed:
            self._give_back_here(kind, subject)
        return allowed

    def give_back(self, kind: str, subject: str) -> None:
        """Hold one less."""
        self._give_back_here(kind, subject)
        self._hold(kind, subject, -1, 0)

    def _give_back_here(self, kind: str, subject: str) -> None:
        with self._lock:
            self._here[kind, subject] -= 1
            self._here += Counter()  # forgets who holds nothing

    def _hold(self, kind: str, subject: str, amount: int, most: int) -> bool:
        if self._workspace is None:
            return True
        try:
            return hold(self._workspace(), self._server, kind, subject, amount, most)
        except QavizError as error:
            log.warning("limits are counted by this server alone: %s", error.problems[0].found)
            return True

    def measure(self, kind: str, amounts: Callable[[], Mapping[str, int]]) -> None:
        """Have what people hold of this kind here, which somebody else counts, reported to the other servers."""
        self._measured[kind] = amounts

    def held_elsewhere(self, kind: str, subject: str) -> int:
        """What the subject held on the other servers when this one reported last."""
        return self._elsewhere.get(kind, {}).get(subject, 0)

    def report(self) -> None:
        """Say that this server stands and what is measured on it, and hear the same of the others."""
        if self._workspace is None:
            return
        for kind, amounts in self._measured.items():
            self._elsewhere[kind] = report_holdings(self._workspace(), self._server, kind, dict(amounts()))

    def keep_reporting(self) -> None:
        """Report now and then, for ever. For a thread of its own."""
        while True:
            try:
                self.report()
            except QavizError as error:
                log.warning("limits are counted by this server alone: %s", error.problems[0].found)
            time.sleep(REPORTED_EVERY_S)

    def end(self) -> None:
        """Give back all that was held here: the server ends."""
        if self._workspace is not None:
            forget_server(self._workspace(), self._server)
