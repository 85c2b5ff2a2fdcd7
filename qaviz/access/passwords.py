"""Passwords of local accounts, hashed with Argon2id, and how often somebody may try one."""

import time
from collections import OrderedDict
from functools import cache
from threading import Lock

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from qaviz.model.errors import Problem, QavizError

SHORTEST, LONGEST = 12, 1024

_HASHER = PasswordHasher()

MOST_KEYS = 10_000
"""People or addresses that are remembered; the one that was longest quiet is forgotten first."""


def hash_password(password: str) -> str:
    """The hash of a new password, with its salt and parameters. Raises QavizError, without it, if it will not do."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise QavizError(
            Problem(
                where="password",
                found=f"{len(password):,} characters",
                expected=f"{SHORTEST} to {LONGEST:,} characters",
                fix="Choose a longer one: a few words that nobody guesses.",
            )
        )
    return _HASHER.hash(password)


def check_password(hashed: str | None, password: str) -> bool:
    """Whether this is the password; never for None, which takes as long."""
    try:
        return _HASHER.verify(hashed or _hash_of_nobody(), password) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hash_of_nobody() -> str:
    return _HASHER.hash("nobody")


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

    def wait(self, key: str, now: float | None = None) -> float:
        """As `take`, without taking it."""
        with self._lock:
            left, _ = self._filled(key, time.monotonic() if now is None else now)
            return 0 if left >= 1 else (1 - left) * self._every

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
