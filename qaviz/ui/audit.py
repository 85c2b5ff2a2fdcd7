"""The audit on the screen: who did what and when, a page at a time, and all of it to take along."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

import streamlit as st

from qaviz.analysis.numbers import count, plural
from qaviz.exports.audit_files import AUDIT_FORMATS, AuditFormat
from qaviz.model.errors import QavizError
from qaviz.store import Workspace
from qaviz.store.audit import audit_page, audit_size, check_audit, whole_audit
from qaviz.ui.runs import day_and_time, search_field
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.paging import ROWS_ON_A_PAGE
from qaviz.ui.widgets.table import Column, Row, show_table, text_cell
from qaviz.ui.widgets.text import show_problems

_COLUMNS = (
    Column(label="Entry", head=True),
    Column(label="When"),
    Column(label="Who"),
    Column(label="What"),
    Column(label="Details", wide=True),
    Column(label="About"),
)


def show_audit() -> None:
    """Draw the search, the entries, newest first, the check of the chain, and the downloads."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        search = search_field("Search people, actions, details, ids")
        _offer_files()
    many = audit_size(workspace(), search)
    if not many:
        st.text("No entry contains all these words." if search.strip() else "No entries yet.")
        return
    st.caption(plural(many, "entry", "entries"))
    key = f"audit_page_of_{many}"
    first = (st.session_state.get(key, 1) - 1) * ROWS_ON_A_PAGE
    entries = audit_page(workspace(), search, first, ROWS_ON_A_PAGE)
    show_table("audit", "Audit", _COLUMNS, [_row(each) for each in entries.iter_rows(named=True)])
    if many > ROWS_ON_A_PAGE:
        with st.container(horizontal_alignment="center"):
            st.pagination(-(-many // ROWS_ON_A_PAGE), key=key)


def _row(entry: Mapping[str, Any]) -> Row:
    return Row(
        cells=[
            text_cell(count(entry["number"])),
            text_cell(_moment(entry["at"])),
            text_cell(entry["who"], missing="not given"),
            text_cell(entry["what"]),
            text_cell(entry["detail"]),
            text_cell(entry["about"]),
        ]
    )


def _moment(said: str) -> str:
    """When, in words; as it stands there where somebody has written what is no time."""
    try:
        return day_and_time(datetime.fromisoformat(said))
    except ValueError:
        return said


def _offer_files() -> None:
    with st.popover("Download", icon=":material/download:", width="content"):
        for suffix, kind in AUDIT_FORMATS.items():
            st.download_button(
                kind.name,
                partial(_file, workspace(), kind),
                f"audit{suffix}",
                kind.mime,
                on_click="ignore",
                width="stretch",
            )
    if st.button("Check the chain", key="audit_check", icon=":material/link:", help="Computes every hash again."):
        _say_checked()


def _file(home: Workspace, kind: AuditFormat) -> bytes:
    home.note_export("audit", by=home.actor.name or None)
    return kind.write(whole_audit(home))


def _say_checked() -> None:
    found = check_audit(workspace())
    if found.problem:
        show_problems(QavizError(found.problem))
    else:
        st.text(f"{plural(found.entries, 'entry', 'entries')}, none changed. The last hash, to keep elsewhere:")
        st.code(found.last_hash, language=None, wrap_lines=True)
