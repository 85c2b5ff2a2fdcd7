"""Text from files within markdown: shown as it is, never as markdown or a link."""

import re

# CommonMark 2.4: a backslash before any ASCII punctuation makes it literal. That covers Streamlit's own directives too
# (`:red[...]`, `$...$`).
PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")

# GFM looks for links once the backslashes are gone; an invisible character in their beginnings keeps them texts.
LINK_BEGINNINGS = re.compile(r"(https?:|www(?=\.)|@)", re.IGNORECASE)
WORD_JOINER = "\u2060"


def plain(text: str) -> str:
    """Markdown that shows exactly this text, on one line: for Streamlit's labels, which are markdown, and for wikis."""
    no_links = LINK_BEGINNINGS.sub(rf"\1{WORD_JOINER}", " ".join(text.split()))
    return PUNCTUATION.sub(r"\\\1", no_links)
