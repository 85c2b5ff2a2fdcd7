"""Texts from files, fit to be shown: signs for what cannot be seen, and no markdown or link."""

import re

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
    """The text with a sign for each control character and each mark that would turn its direction: `␇`, `\\u202e`.

    Tabs and line feeds stay.
    """
    return text if text.isprintable() else text.translate(_SIGNS)


def one_line(text: str) -> str:
    """The text as `visible` shows it, with single spaces for white space."""
    return " ".join(visible(text).split())


def excerpt(text: str, longest: int) -> str:
    """At most `longest` characters of the text; a cut ends in an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + ELLIPSIS


def visible_texts(column: str) -> pl.Expr:
    """The texts of a column as `visible` shows them."""
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
    alone that would be read (CommonMark 0.31, section 2.4; GFM 0.29; GitHub's formulas and emoji).
    """
    return _NUMBERED.sub(r"\1\\", _READ.sub(r"\\\g<0>", _without_links(text)))


def _without_links(text: str) -> str:
    return LINK_BEGINNINGS.sub(rf"\1{WORD_JOINER}", " ".join(text.split()))
