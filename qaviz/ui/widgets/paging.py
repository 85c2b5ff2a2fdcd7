"""Long lists, a page at a time."""

import polars as pl
import streamlit as st

from qaviz.analysis.selection import Listed

ROWS_ON_A_PAGE = 25


def page_of(table: Listed, key: str) -> pl.DataFrame:
    """The rows of the page that the reader is on."""
    page = st.session_state.get(_turner(table, key), 1)
    return table.slice((page - 1) * ROWS_ON_A_PAGE, ROWS_ON_A_PAGE)


def draw_pages(table: Listed, key: str) -> None:
    """Draw what turns the pages of the table, if it has several."""
    pages = -(-table.height // ROWS_ON_A_PAGE)
    if pages > 1:
        with st.container(horizontal_alignment="center"):
            st.pagination(pages, key=_turner(table, key))


def _turner(table: Listed, key: str) -> str:
    """The widget's key. A list of another length is another list, which begins at its first page."""
    return f"{key}_page_of_{table.height}"
