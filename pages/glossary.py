"""The glossary: every word of the pages that has a meaning of its own, found by typing."""

import streamlit as st

from qaviz.analysis.glossary import Kind, Term, terms
from qaviz.analysis.numbers import plural
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.filters import pick_text
from qaviz.ui.widgets.page_setup import offer_run, open_frame
from qaviz.ui.widgets.table import Column, Row, show_table, text_cell

FIELD = "glossary_search"
_KINDS = {
    Kind.WORD: "word",
    Kind.MEASURE: "measure",
    Kind.DIAGNOSIS: "diagnosis",
    Kind.SCORE: "score",
    Kind.THRESHOLD: "threshold",
    Kind.STATISTICS: "statistics",
}


def show_glossary() -> None:
    """Draw the search, kept in the URL, and the words that have what is searched for, kind by kind."""
    said = pick_text(url_state.TERM, "Search the glossary", "Search the glossary", FIELD, 420)
    wanted = said.strip().lower()
    found = [term for term in terms() if wanted in term.name.lower() or wanted in term.meaning.lower()]
    # What is called so stands before what only speaks of it.
    found.sort(key=lambda term: wanted not in term.name.lower())
    st.caption(plural(len(found), "word"))
    rows = [_row(term) for term in found]
    columns = ["Word", Column("Meaning", wide=True), "Kind"]
    if rows:
        show_table("glossary", "What the words on the pages mean", columns, rows, whole=True)


def _row(term: Term) -> Row:
    return Row(cells=[term.name, text_cell(term.meaning, whole=True), _KINDS[term.kind]])


open_frame("Glossary")
offer_run()
show_glossary()
