"""Text on the screen. What came from files is shown as it is: never markdown, never HTML."""

from dataclasses import asdict

import polars as pl
import streamlit as st

from qaviz.exports.markdown_escape import plain
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.model.errors import QavizError, count_problems, groupby_kind
from qaviz.model.metrics import METRICS
from qaviz.model.visible import visible, visible_texts

__all__ = ["metrics_help", "plain", "show_problems", "variants_on_lines"]

PROBLEMS_OF_A_KIND = 3


def metrics_help(*names: str) -> str:
    """Help in markdown for these metrics, from the catalogue."""
    return "\n\n".join(f"**{METRICS[name].label}**: {METRICS[name].help}" for name in names)


def variants_on_lines(text: str | None) -> str | None:
    """A fact or an answer with each variant on its own line, as people read it."""
    return text and text.replace(OR_DELIMITER, "\nor ").replace(AND_DELIMITER, "\nand ")


def show_problems(error: QavizError) -> None:
    """Draw every problem of an error: what was found and what to do. Many of them as a table."""
    with st.container(border=True):
        many = count_problems(error)
        st.markdown(
            f":material/error: **{many:,} problems to fix**" if many > 1 else ":material/error: **Problem to fix**"
        )
        for alike in groupby_kind(error.problems):
            for problem in alike[:PROBLEMS_OF_A_KIND]:
                st.text(visible(str(problem)))
            if len(alike) > PROBLEMS_OF_A_KIND:
                with st.expander(f"and {len(alike) - PROBLEMS_OF_A_KIND:,} more like these"):
                    listed = pl.DataFrame(list(map(asdict, alike))).drop("in_row")
                    st.dataframe(listed.with_columns(map(visible_texts, listed.columns)), hide_index=True)
