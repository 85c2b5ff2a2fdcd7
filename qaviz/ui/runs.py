"""The Runs page: the workspace's runs as a list, searched and ordered, and the audit of who did what and when."""

from datetime import datetime
from enum import StrEnum
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, day, moment, plural
from qaviz.analysis.run_list import RunOrder, in_run_order, runs_with
from qaviz.exports.table_files import AUDIT_FORMATS, Format
from qaviz.model.errors import QavizError
from qaviz.model.records import JUDGED_BY
from qaviz.store import Workspace
from qaviz.store.audit import AuditEntry, audit_page, audit_size, check_audit, whole_audit
from qaviz.store.audit_log import Deed
from qaviz.store.run_records import ListedRun, RunState
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.filters import LONGEST_SEARCH, pick, pick_listed
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import may, note_download
from qaviz.ui.widgets.places import LOAD
from qaviz.ui.widgets.table import (
    ROWS_ON_A_PAGE,
    Cell,
    Column,
    Row,
    draw_pages,
    mark_cell,
    page_of,
    show_table,
    text_cell,
)
from qaviz.ui.widgets.text import show_problems

_RUN_COLUMNS = (
    *("Run", "Scored", "Owner", "Tags", "Pipelines", "Size", "Golden dataset", "Scored by"),
    Column(label="Verified", title="Whether the installed FMEval gave the same scores at the last check"),
)
ORDER_WIDTH = 220

_AUDIT_COLUMNS = (
    *("Entry", "When", "Who"),
    Column(label="Verified as", title="Who had signed in, or whose token it was; empty where nobody signs in"),
    "What",
    Column(label="Details", wide=True),
    "About",
)


class RunsView(StrEnum):
    """What the Runs page shows."""

    CURRENT = "Current"
    ARCHIVED = "Archived"
    DELETED = "Deleted"
    AUDIT = "Audit"


STATES = {
    RunsView.CURRENT: RunState.CURRENT,
    RunsView.ARCHIVED: RunState.ARCHIVED,
    RunsView.DELETED: RunState.DELETED,
}
_NONE = {
    RunsView.CURRENT: "No run yet. A run is a golden dataset and the responses of your pipelines, scored.",
    RunsView.ARCHIVED: "No run is archived. An archived run is in no list but this one; links to it still open it.",
    RunsView.DELETED: "No run is deleted. A deleted run can be brought back until it is purged.",
}


def pick_runs_view(runs: pl.DataFrame) -> RunsView:
    """Draw the choice of what the page shows, with how many runs each has, kept in the URL."""
    counts = dict(runs["state"].value_counts().iter_rows())

    def in_words(view: RunsView) -> str:
        return f"{view} {count(counts.get(STATES[view], 0))}" if view in STATES else str(view)

    return pick(url_state.RUNS_VIEW, "What to show", list(RunsView), in_words)


def search_field(placeholder: str) -> str:
    """Draw the field of the search, kept in the URL; returns what the reader looks for."""
    key = "runs_search"
    st.session_state[key] = (url_state.value(url_state.SEARCH) or "")[:LONGEST_SEARCH]
    st.text_input(
        "Search",
        key=key,
        type="search",
        on_change=lambda: url_state.write(url_state.SEARCH, *filter(None, [st.session_state[key].strip()])),
        placeholder=placeholder,
        label_visibility="collapsed",
        icon=":material/search:",
    )
    return str(st.session_state[key])


def show_runs(runs: pl.DataFrame, view: RunsView) -> None:
    """Draw the search, the order, and the runs of this view, a page at a time; a row opens its run's card."""
    listed = runs.filter(pl.col("state") == STATES[view])
    if listed.is_empty():
        st.text(_NONE[view] if runs.is_empty() or view != RunsView.CURRENT else "All runs are archived or deleted.")
        if view == RunsView.CURRENT:
            st.page_link(LOAD.file, label="Load a golden dataset and responses", icon=":material/upload_file:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        search = search_field("Search names, owners, tags, notes, pipelines")
        order = pick_listed(url_state.RUN_ORDER, "Order", list(RunOrder), ORDER_WIDTH)
    matching = in_run_order(runs_with(listed, search), order)
    st.caption(plural(matching.height, "run") + (f" of {count(listed.height)}" if search.strip() else ""))
    if matching.is_empty():
        st.text("No run contains all these words. Remove a word to see more.")
        return
    rows = [_run_row(ListedRun(*row), view) for row in page_of(matching, "runs").iter_rows()]
    moved = [] if view == RunsView.CURRENT else [view.value]
    opened = show_table("runs", f"{view} runs", [*_RUN_COLUMNS, *moved], rows)
    draw_pages(matching, "runs")
    if opened is not None and opened != url_state.value(url_state.CHOSEN):
        url_state.write(url_state.CHOSEN, opened)
        st.rerun()


def _run_row(run: ListedRun, view: RunsView) -> Row:
    scorer, separator, judge = run.engine.partition(JUDGED_BY)
    sizes = f"{plural(run.questions, 'question')}\n{plural(run.responses, 'response')}"
    when, who = {
        RunsView.ARCHIVED: (run.archived_at, run.archived_by),
        RunsView.DELETED: (run.deleted_at, run.deleted_by),
    }.get(view, (None, None))
    return Row(
        id=run.run_id,
        href=url_state.href("runs", **{url_state.CHOSEN: run.run_id}),
        cells=[
            run.name,
            day_and_time(run.created_at),
            text_cell(run.owner, missing="not given"),
            ", ".join(run.tags),
            f"{count(len(run.pipelines))}: {', '.join(run.pipelines)}",
            keep_unbroken(sizes),
            keep_unbroken(f"version {run.golden_number}\n{run.golden_id[:8]}"),
            keep_unbroken(scorer) + (f"\njudge {judge}" if separator else ""),
            _verified_cell(run),
            *([f"{day_and_time(when)}\nby {who}"] if when else []),
        ],
    )


def keep_unbroken(text: str) -> str:
    """The text with blanks that no narrow column breaks at."""
    return text.replace(" ", "\u00a0")


def day_and_time(when: datetime) -> str:
    """A time in UTC for a narrow column: the day, and below it the time of day."""
    return keep_unbroken(moment(when).replace(", ", "\n"))


def _verified_cell(run: ListedRun) -> Cell:
    if run.differences is None or run.verified_at is None:
        return mark_cell("not yet", "none", "FMEval has not scored this run again.")
    on = day(run.verified_at)
    if run.differences:
        return mark_cell(f"✗ {count(run.differences)} differ", "bad", f"Scores that differed on {on}")
    return mark_cell("✓ same", "good", f"FMEval gave the same scores on {on}")


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
    show_table("audit", "Audit", _AUDIT_COLUMNS, [_audit_row(AuditEntry(*row)) for row in entries.iter_rows()])
    if many > ROWS_ON_A_PAGE:
        with st.container(horizontal_alignment="center"):
            st.pagination(-(-many // ROWS_ON_A_PAGE), key=key)


def _audit_row(entry: AuditEntry) -> Row:
    return Row(
        cells=[
            count(entry.number),
            _read_moment(entry.at),
            text_cell(entry.who, missing="not given"),
            text_cell(entry.subject, missing="nobody"),
            entry.what,
            entry.detail,
            entry.about,
        ]
    )


def _read_moment(text: str) -> str:
    """The moment in words; the text itself where it is no time."""
    try:
        return day_and_time(datetime.fromisoformat(text))
    except ValueError:
        return text


def _offer_files() -> None:
    with st.popover("Download", icon=":material/download:", width="content"):
        for suffix, kind in AUDIT_FORMATS.items():
            st.download_button(
                kind.name,
                note_download(workspace(), "audit", partial(_write_audit, workspace(), kind)),
                f"audit{suffix}",
                kind.mime,
                on_click="ignore",
                width="stretch",
            )
    allowed = may(workspace(), Deed.BACKUP)
    words = "Computes every hash again." if allowed else "For owners of the workspace."
    if st.button("Check the chain", key="audit_check", icon=":material/link:", help=words, disabled=not allowed):
        _show_chain_check()


def _write_audit(home: Workspace, kind: Format) -> bytes:
    return kind.write(whole_audit(home))


def _show_chain_check() -> None:
    damage = check_audit(workspace())
    if damage.problem:
        show_problems(QavizError(damage.problem))
    else:
        st.text(f"{plural(damage.entries, 'entry', 'entries')}, none changed. The last hash, to keep elsewhere:")
        st.code(damage.last_hash, language=None, wrap_lines=True)
