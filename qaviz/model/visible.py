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


def visible(text: str) -> str:
    """The text with a sign for each control character and each mark that would turn its direction: `␇`, `\\u202e`.

    Tabs and line feeds stay.
    """
    return text if text.isprintable() else text.translate(_SIGNS)


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
    """Markdown that shows exactly this text, on one line: for Streamlit's labels, which are markdown, and for wikis."""
    no_links = LINK_BEGINNINGS.sub(rf"\1{WORD_JOINER}", " ".join(text.split()))
    return PUNCTUATION.sub(r"\\\1", no_links)
