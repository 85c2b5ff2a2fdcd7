"""Secrets that programs and servers may repeat: hidden wherever their words are kept or shown."""

import json
import os
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

REMOVED = "[key removed]"
LONGEST_DETAIL = 300
_SHORTEST_SECRET = 6
"""A shorter key, such as `none` or `x` for a local server, is no secret, and hiding it would damage replies."""
_LONGEST_REDACTED = 10_000
"""Characters of a program's words that are searched for secrets; what stands behind them is cut off."""
_NAME_OF_SECRET = re.compile(
    r"key|token|secret|passw|passphrase|credential|cookie|dsn|bearer|(?:^|_)(?:auth|pat)(?:_|$)", re.IGNORECASE
)
"""In the name of an environment variable whose value is a secret."""
_PASSWORD = re.compile(r"(?<=://)[^\s/@]{1,200}@")
_SHAPES = (
    (re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}-----|$)", re.DOTALL), r""),
    (_PASSWORD, r"@"),
    (re.compile(r"\b(bearer )\s*[\w.~+/=-]{6,}", re.IGNORECASE), r"\1"),
    (
        re.compile(
            r"((?:api[-_ ]?key|access[-_ ]?key|token(?!s)|secret|passw(?:or)?d|authorization|signature|credential|"
            r"cookie)"
            r"[\w-]{0,40}[\"']?\s{0,3}[:=]\s{0,3}[\"']?)(?:(?:bearer|basic)\s+)?[^\s,;&}\"']+",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    (re.compile(r"\b(?:sk-|pk-|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|AIza|AKIA|ASIA|eyJ)[\w.-]{8,}"), r""),
)
"""What a secret looks like whose value is not known, and what is kept of the match: the words before it."""


def in_one_line(text: str) -> str:
    """A server's words in one short line, to show as text."""
    words = " ".join(text.split())
    return "".join(sign for sign in words if sign.isprintable())[:LONGEST_DETAIL]


def redact(text: str) -> str:
    """A program's words without secrets: values of environment variables that are named like one, and what looks like
    a key, a token, a password or a signed header. Cut after 10,000 characters."""
    named = (value for name, value in os.environ.items() if _NAME_OF_SECRET.search(name))
    text = Secrets(named).hide(text)[:_LONGEST_REDACTED]
    for shape, kept in _SHAPES:
        text = shape.sub(f"{kept}{REMOVED}" if kept != "@" else f"{REMOVED}@", text)
    return text


class Secrets:
    """What must never be kept or shown, in the forms in which a server may echo it."""

    def __init__(self, secrets: Iterable[str | None]) -> None:
        known = {secret for secret in secrets if secret and len(secret) >= _SHORTEST_SECRET}
        forms = {form for secret in known for form in _forms(secret)}
        # The longest first: a secret may be a part of another.
        self._forms = sorted(forms, key=len, reverse=True)

    def hide(self, text: str) -> str:
        """The text without any secret."""
        for form in self._forms:
            text = text.replace(form, REMOVED)
        return text


def _forms(secret: str) -> set[str]:
    escaped = json.dumps(secret)[1:-1]
    return {secret, escaped, escaped.replace("/", "\\/"), quote(secret, safe=""), quote_plus(secret)}


def is_secret(name: str, value: str) -> bool:
    """Whether an environment variable is a secret, by its name, or as an address with a password in it."""
    return bool(_NAME_OF_SECRET.search(name) or _PASSWORD.search(value))
