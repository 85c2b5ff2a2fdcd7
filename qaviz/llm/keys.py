"""Keys: read from the environment or a file, sent to the server alone, and taken out of everything that is kept."""

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, quote_plus

from qaviz.model.errors import Problem, QavizError

KEY_VARIABLE = "OPENAI_API_KEY"
AWS_SECRETS = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID", "AWS_BEARER_TOKEN_BEDROCK")
REMOVED = "[key removed]"
_LARGEST_KEY = 10_000
_SHORTEST_SECRET = 6
"""A shorter key, such as `none` or `x` for a local server, is no secret, and hiding it would damage replies."""
_LONGEST_REDACTED = 10_000
"""Characters of a program's words that are searched for secrets; what stands behind them is cut off."""
_NAME_OF_SECRET = re.compile(
    r"key|token|secret|passw|passphrase|credential|cookie|dsn|bearer|(?:^|_)(?:auth|pat)(?:_|$)", re.IGNORECASE
)
"""In the name of an environment variable whose value is a secret."""
_SHAPES = (
    (re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}-----|$)", re.DOTALL), r""),
    (re.compile(r"(?<=://)[^\s/@]{1,200}@"), r"@"),
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


def read_key(key_file: Path | None) -> str | None:
    """The key from the file, else from OPENAI_API_KEY; None where there is neither.

    Raises QavizError, which never says the key, if the file cannot be read or the key cannot stand in a header.
    """
    where = key_file.name if key_file else KEY_VARIABLE
    try:
        text = key_file.read_text(encoding="utf-8") if key_file else os.environ.get(KEY_VARIABLE, "")
    except (OSError, ValueError) as error:
        raise QavizError(_problem(where, f"a file that cannot be read ({type(error).__name__})")) from None
    key = text.strip()
    if not key:
        if key_file:
            raise QavizError(_problem(where, "an empty file"))
        return None
    if len(key) > _LARGEST_KEY or not (key.isascii() and key.isprintable()) or " " in key:
        raise QavizError(_problem(where, "text that cannot be a key: more than one line, blanks or special characters"))
    return key


def _problem(where: str, found: str) -> Problem:
    return Problem(where=where, found=found, expected="one key", fix="Write the key alone into it.")


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
