"""Text on the screen. What came from files is shown as it is: never markdown, never HTML."""

import re
from dataclasses import asdict

import polars as pl
import streamlit as st

from qaviz.metrics import METRICS
from qaviz.model import QavizError

# CommonMark 2.4: a backslash before any ASCII punctuation makes it literal. That covers Streamlit's own directives too
# (`:red[...]`, `$...$`).
PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")

# GFM looks for links once the backslashes are gone; an invisible character in their beginnings keeps them texts.
LINK_BEGINNINGS = re.compile(r"(https?:|www(?=\.)|@)", re.IGNORECASE)
WORD_JOINER = "\u2060"

PROBLEMS_IN_WORDS = 20


def plain(text: str) -> str:
    """Markdown that shows exactly this text, on one line: for labels, where Streamlit knows only markdown."""
    no_links = LINK_BEGINNINGS.sub(rf"\1{WORD_JOINER}", " ".join(text.split()))
    return PUNCTUATION.sub(r"\\\1", no_links)


def metrics_help(*names: str) -> str:
    """Help in markdown for these metrics, from the catalogue."""
    return "\n\n".join(f"**{METRICS[name].label}**: {METRICS[name].help}" for name in names)


def show_problems(error: QavizError) -> None:
    """Draw every problem of an error: what was found and what to do. Many of them as a table."""
    with st.container(border=True):
        many = len(error.problems)
        st.markdown(f":material/error: **{many:,} problems to mend**" if many > 1 else ":material/error: **To mend**")
        if many > PROBLEMS_IN_WORDS:
            st.dataframe(pl.DataFrame(list(map(asdict, error.problems))), hide_index=True)
            return
        for problem in error.problems:
            st.text(str(problem))
