"""Text on the screen. What came from files is shown as it is: never markdown, never HTML."""

from dataclasses import asdict

import polars as pl
import streamlit as st

from qaviz.exports.markdown_escape import plain
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.model.errors import QavizError
from qaviz.model.metrics import METRICS
from qaviz.model.visible import visible, visible_texts

__all__ = ["metrics_help", "plain", "show_problems", "variants_on_lines"]

PROBLEMS_IN_WORDS = 20


def metrics_help(*names: str) -> str:
    """Help in markdown for these metrics, from the catalogue."""
    return "\n\n".join(f"**{METRICS[name].label}**: {METRICS[name].help}" for name in names)


def variants_on_lines(text: str | None) -> str | None:
    """A fact or an answer with each variant on its own line, as people read it."""
    return text and text.replace(OR_DELIMITER, "\nor ").replace(AND_DELIMITER, "\nand ")


def show_problems(error: QavizError) -> None:
    """Draw every problem of an error: what was found and what to do. Many of them as a table."""
    with st.container(border=True):
        many = len(error.problems)
        st.markdown(f":material/error: **{many:,} problems to mend**" if many > 1 else ":material/error: **To mend**")
        if many > PROBLEMS_IN_WORDS:
            listed = pl.DataFrame(list(map(asdict, error.problems)))
            st.dataframe(listed.with_columns(map(visible_texts, listed.columns)), hide_index=True)
            return
        for problem in error.problems:
            st.text(visible(str(problem)))
