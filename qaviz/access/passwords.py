"""Passwords of local accounts: hashed with Argon2id; to check one takes as long where there is no account."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from qaviz.model.errors import stop

SHORTEST, LONGEST = 12, 1024

_HASHER = PasswordHasher()


def hash_password(password: str) -> str:
    """The hash of a new password, with its salt and parameters. Raises QavizError, without it, if it will not do."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise stop(
            where="password",
            found=f"{len(password):,} characters",
            expected=f"{SHORTEST} to {LONGEST:,} characters",
            fix="Choose a longer one: a few words that nobody guesses.",
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
