"""Triplets in a table, to be edited by hand; what the edits would change; and their acceptance."""

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import plural
from qaviz.analysis.tables import matching
from qaviz.golden.edits import FIELDS, TEXTS, differences
from qaviz.model.columns import ANSWER, CATEGORY, FACT, QUESTION, QUESTION_ID, TAGS
from qaviz.model.errors import QavizError
from qaviz.model.visible import restored, visible_texts
from qaviz.store.golden_versions import EDITS, FIELD, RULE
from qaviz.ui.curation_state import Curating, make_version
from qaviz.ui.effects import show_effects
from qaviz.ui.widgets.paging import draw_pages, page_of
from qaviz.ui.widgets.text import show_problems


def edit_by_hand(curating: Curating, person: str | None) -> None:
    """Draw a page of triplets to edit; edits are previewed, and accepted with a reason."""
    text = st.text_input(
        "Search",
        key="edit_search",
        type="search",
        placeholder="Search the triplets",
        label_visibility="collapsed",
        icon=":material/search:",
    )
    listed = matching(curating.golden.select(QUESTION_ID, *FIELDS), text=text)
    if listed.is_empty():
        st.text("No triplet has this text.")
        return
    page = page_of(listed, "triplets")
    seen = page.with_columns(map(visible_texts, FIELDS))
    edited = st.data_editor(
        seen,
        # Edits are kept by the row's place: other triplets, or another version of them, are another table.
        key=f"edit_{curating.version.number}_{'|'.join(page[QUESTION_ID])}",
        hide_index=True,
        disabled=[QUESTION_ID],
        placeholder="–",
        column_order=[QUESTION_ID, QUESTION, FACT, ANSWER, CATEGORY, TAGS],
        column_config={
            QUESTION_ID: st.column_config.TextColumn("Triplet", pinned=True, width="small"),
            **{
                name: st.column_config.TextColumn(name.capitalize(), width="medium" if name in TEXTS else "small")
                for name in FIELDS
            },
        },
    )
    draw_pages(listed, "triplets")
    edits = _edits(page, seen, edited)
    if edits.is_empty():
        st.caption(
            "A double click edits a text. Variants of a fact are joined by <OR>, or by <AND> if all are needed; tags, "
            "such as critical, by semicolons."
        )
        return
    _offer(curating, edits.select(EDITS.names()), person)


def _edits(page: pl.DataFrame, seen: pl.DataFrame, edited: pl.DataFrame) -> pl.DataFrame:
    """What was edited. Signs for what cannot be seen are read as what they stand for, where the text had it."""
    texts = edited.with_columns(pl.col(FIELDS).replace("", None))
    meant = [
        pl.Series(field, [now and restored(now, was or "") for now, was in zip(texts[field], page[field], strict=True)])
        for field in FIELDS
    ]
    changed = differences(seen, texts).select(QUESTION_ID, FIELD)
    said = differences(page, texts.with_columns(meant))
    return said.join(changed, on=[QUESTION_ID, FIELD], how="semi").with_columns(pl.lit(None, pl.String).alias(RULE))


def _offer(curating: Curating, edits: pl.DataFrame, person: str | None) -> None:
    with st.container(border=True):
        try:
            show_effects(curating, edits, "by_hand")
        except QavizError as error:
            show_problems(error)
            return
        why = st.text_input("Why", key="edit_why", placeholder="Shown in the history")
        st.button(
            f"Accept {plural(edits.height, 'edit')}",
            key="edit_accept",
            type="primary",
            icon=":material/check:",
            disabled=not (person and why.strip()),
            on_click=make_version,
            args=(curating.version, edits, person or "", why),
        )
