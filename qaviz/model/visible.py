"""Texts fit to be shown: signs for what cannot be seen, no markdown or link, and secrets hidden that programs and
servers may repeat.
"""

import base64
import hashlib
import itertools
import json
import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

if TYPE_CHECKING:
    import polars as pl


_DIRECTIONS = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Marks that turn the direction of the text around them."""

_SIGNS = (
    {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"}
    | {0x7F: "␡"}
    | {code: f"\\u{code:04x}" for code in (*range(0x80, 0xA0), 0x2028, 0x2029, *_DIRECTIONS, 0xFFFE, 0xFFFF)}
)

# CommonMark 2.4: a backslash before any ASCII punctuation makes it literal. That covers Streamlit's own directives too
# (`:red[...]`, `$...$`).
PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")

# GFM looks for links once the backslashes are gone; an invisible character in their beginnings keeps them texts.
LINK_BEGINNINGS = re.compile(r"(https?:|www(?=\.)|@)", re.IGNORECASE)
WORD_JOINER = "\u2060"

ELLIPSIS = "…"


def visible(text: str) -> str:
    """The text with a sign for each control character and each mark that would turn its direction: `␇`, `\\u202e`; not
    for tabs and line feeds."""
    return text if text.isprintable() else text.translate(_SIGNS)


def one_line(text: str) -> str:
    """The text as `visible` shows it, with single spaces for white space."""
    return " ".join(visible(text).split())


def excerpt(text: str, longest: int) -> str:
    """At most `longest` characters of the text; a cut ends in an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + ELLIPSIS


LONGEST_NAME = 40
"""Characters of a pipeline's name where there is little room."""


def shorten_names(names: Sequence[str], longest: int = LONGEST_NAME) -> dict[str, str]:
    """For each name one of at most `longest` characters, and no other's, on one line. Long names lose the words that
    all of them begin or end with, and a letter only then."""
    lines = {name: one_line(name) for name in names}
    long = [line for line in lines.values() if len(line) > longest]
    without_shared = dict(zip(long, drop_shared(long, ELLIPSIS), strict=True))
    short: dict[str, str] = {}
    for name, line in lines.items():
        shown = excerpt(without_shared.get(line, line), longest)
        numbered = (f"{shown[: longest - 5]} ({number})" for number in itertools.count(2))
        taken = set(short.values())
        short[name] = shown if shown not in taken else next(text for text in numbered if text not in taken)
    return short


def drop_shared(names: Sequence[str], sign: str = "") -> list[str]:
    """The names with a sign in place of the words that all of them begin or end with; whole where two would be one."""
    start, end = _count_shared(names), _count_shared([name[::-1] for name in names])
    middles = [name[start : max(len(name) - end, start)] for name in names]
    if not all(middles) or len(set(middles)) < len(names):
        return list(names)
    return [f"{sign if start else ''}{middle}{sign if end else ''}" for middle in middles]


def _count_shared(names: Sequence[str]) -> int:
    """The characters of the whole words with which all of several names begin."""
    if len(names) < 2:
        return 0
    first, last = min(names), max(names)
    differs = next((at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    return max(first.rfind(sign, 0, differs) for sign in "-_ /.:") + 1


def visible_texts(column: str) -> "pl.Expr":
    """The texts of a column as `visible` shows them."""
    import polars as pl  # it starts threads, which a process that gives up its network may not have yet

    signs = {chr(code): sign for code, sign in _SIGNS.items()}
    return pl.col(column).str.replace_many(list(signs), list(signs.values()))


def restore_signs(text: str, original: str) -> str:
    """The text with each sign as what it stands for, of the signs that `original`, as `visible` shows it, needed."""
    needed = {sign: chr(code) for code, sign in _SIGNS.items() if chr(code) in original and sign not in original}
    for sign, mark in needed.items():
        text = text.replace(sign, mark)
    return text


def plain(text: str) -> str:
    """Markdown that shows exactly this text, on one line: for Streamlit's labels, which read directives too."""
    return PUNCTUATION.sub(r"\\\1", _without_links(text))


_READ = re.compile(
    r"""[`*|~]  # code, emphasis, cells, struck out
    |\\(?=[!-/:-@\[-`{-~]|$)  # escapes
    |\[  # links and pictures; nothing closes what was not opened
    |<(?=[A-Za-z/!?])  # tags
    |(?<![^\W_])_|_(?![^\W_])  # emphasis, which begins and ends at a word's edge only
    |\$(?=.*\$)|(?<=\$)\$  # formulas
    |&(?=\#|\w+;)  # entities
    |(?<!\w):(?=[\w+-]+:)  # emoji
    |^(?:>|\#(?=\#{0,5}(?:\s|$))|[+-](?=\s|$|-[-\s]*$))|(?<=^\d)[.)](?=\s|$)  # what begins a line
    |\#(?=\#*$)  # the end of a heading""",
    re.VERBOSE,
)
_NUMBERED = re.compile(r"^(\d{2,9})(?=[.)](?:\s|$))")


def write_markdown(text: str) -> str:
    """Markdown for a line, list or cell of a file that shows exactly this text: with a backslash before those signs
    alone that would be read (CommonMark 0.31, section 2.4; GFM 0.29; GitHub's formulas and emoji)."""
    return _NUMBERED.sub(r"\1\\", _READ.sub(r"\\\g<0>", _without_links(text)))


def _without_links(text: str) -> str:
    return LINK_BEGINNINGS.sub(rf"\1{WORD_JOINER}", " ".join(text.split()))


REMOVED = "[key removed]"
LONGEST_DETAIL = 300
_SHORTEST_SECRET = 6
"""A shorter key, such as `none` or `x` for a local server, is no secret, and hiding it would damage replies."""
_NAME_OF_SECRET = re.compile(
    r"key|token|secret|passw|passphrase|credential|cookie|dsn|bearer|(?:^|_)(?:auth|pat)(?:_|$)", re.IGNORECASE
)
"""In the name of an environment variable whose value is a secret."""
_PASSWORD = re.compile(r"(?<=://)[^\s/]{1,200}@")
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
    text = Secrets(named).hide(text)[:10_000]
    for shape, kept in _SHAPES:
        text = shape.sub(f"{kept}{REMOVED}" if kept != "@" else f"{REMOVED}@", text)
    return text


class Secrets:
    """What must never be kept or shown, in the forms in which a server may echo it."""

    def __init__(self, secrets: Iterable[str | None]) -> None:
        hidden = {secret for secret in secrets if secret and len(secret) >= _SHORTEST_SECRET}
        forms = {form for secret in hidden for form in _forms(secret)}
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


def hash_source(text: str) -> str:
    """How a content security policy names a script or style by its hash."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
